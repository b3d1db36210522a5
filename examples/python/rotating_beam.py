"""Rotating flexible beam that hits a stop: gallery:rotating-beam."""

import ricochet as rc

beam = rc.Lagrangian(
    coordinates=["phi", "bend"],
    parameters={"hub": 0.1, "m": 1.0, "l": 1.0, "EI": 20.0, "torque": 2.0, "stop": 0.5, "e": 0.5},
    kinetic="(hub + m*l^2/3 + (104 - 122)/405*m*bend^2)*phi_dot^2/2 + 13/45*m*l*phi_dot*bend_dot + 104/405*m*bend_dot^2/2",
    potential="16/5*EI/l^3*bend^2/2",
    force={"phi": "torque"},
    constraints=[rc.Constraint("stop", gap="stop - l*sin(phi) - bend*cos(phi)", restitution="e")],
)
sol = rc.simulate(beam, t_span=(0, 1.25), q0=[0, 0], h=0.0001)
print(sol, sol.impacts["t"][:5])
