"""Rocking block: gallery:rocking-block."""

import ricochet as rc

left, right = "(b*sin(phi) + h*cos(phi))", "(h*cos(phi) - b*sin(phi))"
block = rc.Lagrangian(
    coordinates=["x", "y", "phi"],
    parameters={"m": 1.0, "b": 0.1, "h": 0.4, "g": 9.81, "mu": 0.6},
    kinetic="m*(x_dot^2 + y_dot^2)/2 + m*(b^2 + h^2)/3*phi_dot^2/2",
    potential="m*g*y",
    constraints=[
        rc.Constraint("left", f"y - {left}", 0.0, friction="mu", slip=f"x_dot + {left}*phi_dot"),
        rc.Constraint("right", f"y - {right}", 0.0, friction="mu", slip=f"x_dot + {right}*phi_dot"),
    ],
)
q0, v0 = [-0.049622549809991486, 0.40922134904273166, 0.12248933156343207], [0.0, 0.0, 0.0]
sol = rc.simulate(block, t_span=(0, 1.1), q0=q0, v0=v0, h=0.0002)
print(sol, sol.slips, sol.ledger.friction)
