"""Block thrown across a slope: gallery:curved-slide."""

import ricochet as rc

block = rc.Lagrangian(
    coordinates=["x", "y", "z"],
    parameters={"m": 1.0, "g": 9.81, "a": 0.4, "mu": 0.35},
    kinetic="m*(x_dot^2 + y_dot^2 + z_dot^2)/2",
    potential="m*g*(z*cos(a) - x*sin(a))",
    constraints=[
        rc.Constraint("slope", "z", 0.0, friction="mu", slip=["x_dot", "y_dot"]),
    ],
)
q0, v0 = [0.0, 0.0, 0.0], [0.0, 2.0, 0.0]
sol = rc.simulate(block, t_span=(0, 1.2), q0=q0, v0=v0, h=0.001)
print(sol, sol.slips, sol.ledger.friction)
