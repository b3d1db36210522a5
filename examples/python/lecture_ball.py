"""The ball of the lecture: accumulating impacts: gallery:lecture-ball."""

import ricochet as rc

ball = rc.Lagrangian(
    coordinates=["x"],
    parameters={"f": 2.0},
    kinetic="x_dot^2/2",
    potential="f*x",
    constraints=[rc.Constraint("floor", gap="x", restitution=0.5)],
)
sol = rc.simulate(ball, t_span=(0, 4), q0=[1], h=0.001)
print(sol, sol.impacts["t"][:5])
