"""Stick that falls on the floor and clatters: gallery:falling-stick."""

import ricochet as rc

stick = rc.Lagrangian(
    coordinates=["x", "y", "angle"],
    parameters={
        "m": 1.0, "l": 1.0, "g": 9.81, "e": 0.5, "height": 1.0, "tilt": 0.3, "drop": "height - l/2*sin(tilt)",
    },
    kinetic="m*(x_dot^2 + y_dot^2)/2 + m*l^2/12*angle_dot^2/2",
    potential="m*g*y",
    constraints=[
        rc.Constraint("left-end", gap="y - l/2*sin(angle)", restitution="e"),
        rc.Constraint("right-end", gap="y + l/2*sin(angle)", restitution="e"),
    ],
)
sol = rc.simulate(stick, t_span=(0, 0.75), q0=[0, 1, 0.3], v0=[0.5, 0, 0], h=0.0001)
print(sol, sol.impacts["t"][:5])
