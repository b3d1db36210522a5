"""Ball on a floor: gallery:bouncing-ball."""

import ricochet as rc

ball = rc.Lagrangian(
    coordinates=["x"],
    parameters={"m": 1.0, "g": 9.81},
    kinetic="m*x_dot^2/2",
    potential="m*g*x",
    constraints=[rc.Constraint("floor", gap="x", restitution=0.9)],
)
sol = rc.simulate(ball, t_span=(0, 3), q0=[1], h=0.001)
print(sol.impacts["t"], sol.ledger)
