"""Stick-slip on a belt: gallery:belt-stick-slip."""

import ricochet as rc

belt = rc.Lagrangian(
    coordinates=["x"],
    parameters={"m": 1.0, "k": 1.0, "F0": 1.0, "alpha": 0.2, "v_b": 0.5},
    kinetic="m*x_dot^2/2",
    potential="k*x^2/2",
    force={"x": "alpha*(x_dot - v_b)"},
    frictions=[rc.Friction("belt", slip="x_dot - v_b", limit="F0")],
)
q0, v0 = [0.0], [0.5]
sol = rc.simulate(belt, t_span=(0, 20.0), q0=q0, v0=v0, h=0.001)
print(sol, sol.slips, sol.ledger.friction)
