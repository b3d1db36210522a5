"""Chain of links with pins that falls on a floor: gallery:falling-chain."""

from math import cos, sin

import ricochet as rc

l, tilts, x, y, start = 0.25, [0.9, -0.5, 0.7, -0.2], 0.0, 0.2, []
for tilt in tilts:
    start += [x + l / 2 * cos(tilt), y + l / 2 * sin(tilt), tilt]
    x, y = x + l * cos(tilt), y + l * sin(tilt)
floors = ["y1 - l/2*sin(a1)", "y2 - l/2*sin(a2)", "y3 - l/2*sin(a3)", "y4 - l/2*sin(a4)", "y4 + l/2*sin(a4)"]
pins = [[f"{x}{i + 1} - l/2*{f}(a{i + 1}) - {x}{i} - l/2*{f}(a{i})" for x, f in (("x", "cos"), ("y", "sin"))] for i in (1, 2, 3)]
chain = rc.Lagrangian(
    coordinates=[f"{x}{i}" for i in (1, 2, 3, 4) for x in "xya"],
    parameters={"m": 0.1, "l": l, "g": 9.81},
    kinetic=" + ".join(f"m*(x{i}_dot^2 + y{i}_dot^2)/2 + m*l^2/12*a{i}_dot^2/2" for i in (1, 2, 3, 4)),
    potential="m*g*(y1 + y2 + y3 + y4)",
    joints=[rc.Joint(f"pin{i}", equation=rows) for i, rows in enumerate(pins, 1)],
    constraints=[rc.Constraint(f"floor{i}", gap=gap, restitution=0.0) for i, gap in enumerate(floors)],
)
sol = rc.simulate(chain, t_span=(0, 0.5), q0=start, h=0.0004)
print(sol, sol["x1"][-1])
