"""Block that a force lifts once a period: gallery:lifted-block."""

import ricochet as rc

block = rc.Lagrangian(
    coordinates=["x"],
    parameters={"A": 2.0, "g": 1.0, "w": "2*pi"},
    kinetic="x_dot^2/2",
    potential="g*x",
    force={"x": "A*sin(w*t)"},
    constraints=[rc.Constraint("floor", gap="x", restitution=0.0)],
)
sol = rc.simulate(block, t_span=(0, 3), q0=[0], h=0.001)
print(sol.impacts["t"], sol.ledger)
