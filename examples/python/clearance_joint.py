"""Pendulum with a loose pin: gallery:clearance-joint."""

import ricochet as rc

joint = rc.Lagrangian(
    coordinates=["x", "y", "angle"],
    parameters={"m": 1.0, "l": 1.0, "g": 9.81, "c": 0.02, "e": 0.5},
    kinetic="m/2*((x_dot + l/2*cos(angle)*angle_dot)^2 + (y_dot + l/2*sin(angle)*angle_dot)^2) + m*l^2/12*angle_dot^2/2",
    potential="m*g*(y - l/2*cos(angle))",
    constraints=[rc.Constraint("hole", gap="(c^2 - x^2 - y^2)/(2*c)", restitution="e")],
)
sol = rc.simulate(joint, t_span=(0, 0.6), q0=[0, 0, 1], h=0.0001)
print(f"largest distance beyond the hole {sol.violation_max:.2g}, {len(sol.impacts)} impacts")
