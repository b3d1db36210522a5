"""Ball that stays where it falls: gallery:inelastic-ball."""

import ricochet as rc

ball = rc.Lagrangian(
    coordinates=["x"],
    parameters={"f": 2.0},
    kinetic="x_dot^2/2",
    potential="f*x",
    constraints=[rc.Constraint("floor", gap="x", restitution=0.0)],
)
sol = rc.simulate(ball, t_span=(0, 2), q0=[1], h=0.001)
print(sol.impacts["t"], sol.ledger.impact)
