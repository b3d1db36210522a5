"""Falling rod: gallery:falling-rod."""

import ricochet as rc

rod = rc.Lagrangian(
    coordinates=["x", "y", "phi"],
    parameters={"m": 1.0, "l": 1.0, "g": 9.81, "e": 0.5, "mu": 0.2},
    kinetic="m*(x_dot^2 + y_dot^2)/2 + m*l^2/12*phi_dot^2/2",
    potential="m*g*y",
    constraints=[
        rc.Constraint("left-end", "y - l/2*sin(phi)", "e", friction="mu", slip="x_dot + l/2*sin(phi)*phi_dot"),
        rc.Constraint("right-end", "y + l/2*sin(phi)", "e", friction="mu", slip="x_dot - l/2*sin(phi)*phi_dot"),
    ],
)
q0, v0 = [0.0, 1.0, 0.5], [3.0, 0.0, 0.0]
sol = rc.simulate(rod, t_span=(0, 0.454), q0=q0, v0=v0, h=0.0001)
print(sol, sol.slips, sol.ledger.friction)
