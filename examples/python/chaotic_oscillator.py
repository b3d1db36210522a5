"""Impact oscillator in chaos: gallery:chaotic-oscillator."""

import ricochet as rc

oscillator = rc.Lagrangian(
    coordinates=["x"],
    parameters={"w": 2.8, "e": 0.8},
    kinetic="x_dot^2/2",
    potential="x^2/2",
    force={"x": "cos(w*t)"},
    constraints=[rc.Constraint("stop", gap="x", restitution="e")],
)
sol = rc.simulate(oscillator, t_span=(0, 400), q0=[0.5], h=0.002)
print(sol, sol.impacts["t"][:5])
