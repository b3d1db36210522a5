"""Woodpecker toy: gallery:woodpecker."""

import ricochet as rc

masses = {"mM": 0.0003, "JM": 5e-09, "mS": 0.0045, "JS": 7e-07, "c": 0.0056, "g": 9.81}
sizes = {"r0": 0.0025, "rM": 0.0031, "hM": 0.0058, "lM": 0.01, "lG": 0.015, "hS": 0.02, "lS": 0.0201, "mu": 0.3}
woodpecker = rc.Lagrangian(
    coordinates=["y", "M", "S"],
    parameters=masses | sizes,
    kinetic="mM*y_dot^2/2 + JM*M_dot^2/2 + mS*(y_dot + lM*M_dot + lG*S_dot)^2/2 + JS*S_dot^2/2",
    potential="(mM + mS)*g*y + mS*g*(lM*M + lG*S) + c*(M - S)^2/2",
    constraints=[
        rc.Constraint("contact1", "lM + lG - lS - r0 - hS*S", 0.5, friction="mu", slip="y_dot + lM*M_dot + (lG - lS)*S_dot"),
        rc.Constraint("contact2", "rM - r0 + hM*M", 0.0, friction="mu", slip="y_dot + rM*M_dot"),
        rc.Constraint("contact3", "rM - r0 - hM*M", 0.0, friction="mu", slip="y_dot + rM*M_dot"),
    ],
)
q0, v0 = [0.0, 0.08940385274225082, 0.12], [-0.13550179009339913, -2.1574557692632013, 16.911177368220862]
sol = rc.simulate(woodpecker, t_span=(0, 0.14), q0=q0, v0=v0, h=2e-05)
print(sol, sol.slips, sol.ledger.friction)
