"""Sphere that slides, then rolls: gallery:sphere-slide-roll."""

import ricochet as rc

sphere = rc.Lagrangian(
    coordinates=["x", "y", "z", "ax", "ay", "az"],
    parameters={"m": 1.0, "R": 0.1, "g": 9.81, "mu": 0.2, "e": 0.5},
    kinetic="m*(x_dot^2 + y_dot^2 + z_dot^2)/2 + 2/5*m*R^2*(ax_dot^2 + ay_dot^2 + az_dot^2)/2",
    potential="m*g*z",
    constraints=[
        rc.Constraint("floor", "z - R", "e", friction="mu", slip=["x_dot - R*ay_dot", "y_dot + R*ax_dot"]),
    ],
)
q0, v0 = [0.0, 0.0, 0.1, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, -20.0, -30.0, 5.0]
sol = rc.simulate(sphere, t_span=(0, 1.5), q0=q0, v0=v0, h=0.001)
print(sol, sol.slips, sol.ledger.friction)
