"""Spring-mass oscillator against a stop: gallery:impact-oscillator."""

import ricochet as rc

oscillator = rc.Lagrangian(
    coordinates=["x"],
    parameters={"m": 1.0, "k": 1.0},
    kinetic="m*x_dot^2/2",
    potential="k*x^2/2",
    constraints=[rc.Constraint("stop", gap="x", restitution=0.8)],
)
sol = rc.simulate(oscillator, t_span=(0, 10), q0=[1], h=0.001)
print(sol, sol.impacts["t"][:5])
