"""Two balls on a stiff spring, dropped on a floor: gallery:two-ball-oscillator."""

import ricochet as rc

balls = rc.Lagrangian(
    coordinates=["x", "y"],
    parameters={"m": 1.0, "k": 1000.0, "g": 10.0},
    kinetic="m*(x_dot^2 + y_dot^2)/2",
    potential="k*(y - x)^2/2 + m*g*(x + y)",
    constraints=[rc.Constraint("floor", gap="x", restitution=0.5)],
)
sol = rc.simulate(balls, t_span=(0, 2), q0=[1, 1], h=2e-05)
print(sol, sol.impacts["t"][:5])
