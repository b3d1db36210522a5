"""Two gears that rattle in their backlash: gallery:gear-rattle."""

import ricochet as rc

gears = rc.Lagrangian(
    coordinates=["a", "b"],
    parameters={
        "J1": 0.02, "J2": 0.002, "r1": 0.04, "r2": 0.08, "drag": 0.2, "swing": 10.0, "w": 160.0,
        "backlash": 0.0002, "e": 0.5,
    },
    kinetic="J1*a_dot^2/2 + J2*b_dot^2/2",
    force={"a": "drag*r1/r2 + swing*cos(w*t)", "b": "-drag"},
    constraints=[
        rc.Constraint("driving-flank", gap="r2*b - r1*a", restitution="e"),
        rc.Constraint("back-flank", gap="backlash - (r2*b - r1*a)", restitution="e"),
    ],
)
sol = rc.simulate(gears, t_span=(0, 0.05), q0=[0, 0.00125], v0=[80, 40], h=1e-05)
print(sol, sol.impacts["t"][:5])
