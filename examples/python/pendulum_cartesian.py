"""Pendulum in Cartesian coordinates, with the tension of its string: gallery:pendulum-cartesian."""

import math

import ricochet as rc

pendulum = rc.Lagrangian(
    coordinates=["x", "y"],
    parameters={"m": 1.0, "l": 1.0, "g": 9.81},
    kinetic="m*(x_dot^2 + y_dot^2)/2",
    potential="m*g*y",
    joints=[rc.Joint("string", equation="(x^2 + y^2 - l^2)/(2*l)")],
)
sol = rc.simulate(pendulum, t_span=(0, 5), q0=[math.sin(2), -math.cos(2)], h=0.001)
print(sol, "largest tension", -sol.reaction.min())
