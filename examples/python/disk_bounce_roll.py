"""Disk thrown with back spin: gallery:disk-bounce-roll."""

import ricochet as rc

disk = rc.Lagrangian(
    coordinates=["x", "y", "phi"],
    parameters={"m": 1.0, "R": 0.2, "g": 9.81, "mu": 0.15, "e": 0.5},
    kinetic="m*(x_dot^2 + y_dot^2)/2 + m*R^2/2*phi_dot^2/2",
    potential="m*g*y",
    constraints=[
        rc.Constraint("floor", "y - R", "e", friction="mu", slip="x_dot - R*phi_dot"),
    ],
)
q0, v0 = [0.0, 1.2, 0.0], [3.0, 0.0, -10.0]
sol = rc.simulate(disk, t_span=(0, 2.0), q0=q0, v0=v0, h=0.001)
print(sol, sol.slips, sol.ledger.friction)
