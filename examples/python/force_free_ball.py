"""Ball without forces: gallery:force-free-ball."""

import ricochet as rc

ball = rc.Lagrangian(
    coordinates=["x"],
    parameters={"m": 1.0},
    kinetic="m*x_dot^2/2",
    constraints=[rc.Constraint("wall", gap="x", restitution=0.3)],
)
sol = rc.simulate(ball, t_span=(0, 3), q0=[1], v0=[-1], h=0.001)
print(sol.v[0], sol.v[-1], sol.impacts["rate_plus"])
