"""Kane and Levinson: an impact that gains energy: gallery:kane-levinson."""

import ricochet as rc

rough = dict(friction="mu", slip="L*cos(q1)*q1_dot + L*cos(q2)*q2_dot", tangential_restitution="e_T")
rods = rc.Lagrangian(
    coordinates=["q1", "q2"],
    parameters={"m": 1.0, "L": 1.0, "mu": 0.5, "e": 0.5, "e_T": 0.0, "d": "cos(pi/9) + cos(pi/6)"},
    kinetic="m*L^2*(4/3*q1_dot^2 + 1/3*q2_dot^2 + cos(q1 - q2)*q1_dot*q2_dot)/2",
    constraints=[rc.Constraint("floor", "d - L*cos(q1) - L*cos(q2)", "e", **rough)],
)
q0, v0 = [0.3490658503988659, 0.5235987755982989], [-0.1, -0.2]
sol = rc.simulate(rods, t_span=(0, 0.3), q0=q0, v0=v0, h=0.001)
print(sol, sol.slips, sol.ledger.friction)
