"""Pendulum against a wall: gallery:pendulum-wall."""

import ricochet as rc

pendulum = rc.Lagrangian(
    coordinates=["angle"],
    parameters={"m": 1.0, "l": 1.0, "g": 9.81, "d": 0.3},
    kinetic="m*l^2*angle_dot^2/2",
    potential="-m*g*l*cos(angle)",
    constraints=[rc.Constraint("wall", gap="l*sin(angle) + d", restitution=0.6)],
)
sol = rc.simulate(pendulum, t_span=(0, 4), q0=[1], h=0.0005)
print(sol, sol.impacts["t"][:5])
