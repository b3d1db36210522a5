"""Newton's cradle of three: gallery:newton-cradle."""

import ricochet as rc

cradle = rc.Lagrangian(
    coordinates=["x1", "x2", "x3"],
    parameters={"m": 1.0, "w": 1.0, "spacing": 0.0},
    kinetic="m*(x1_dot^2 + x2_dot^2 + x3_dot^2)/2",
    potential="m*w^2*(x1^2 + x2^2 + x3^2)/2",
    constraints=[
        rc.Constraint("first-second", gap="x2 - x1 + spacing", restitution=1.0),
        rc.Constraint("second-third", gap="x3 - x2 + spacing", restitution=1.0),
    ],
)
sol = rc.simulate(cradle, t_span=(0, 4), q0=[-1, 0, 0], h=0.001)
print(sol.impacts[["t", "constraint", "impulse"]][:4])
