"""Elastic bar that hits a wall: gallery:elastic-bar."""

import numpy as np
import ricochet as rc

bar = rc.Bar(
    elements=100, length=10.0, young=9000000.0, area=1.0, density=1000.0,
    stop={"end": "left", "gap": 0.0, "restitution": 0.0},
    observe=[{"name": "near", "at": 0.0}, {"name": "middle", "at": 5.0}, {"name": "far", "at": 10.0}],
)
sol = rc.simulate(bar, t_span=(0, 0.9), q0=np.full(101, 0.5), v0=np.full(101, -1), h=0.001)
print(f"contact impulse {sol.impulse.sum():.6g}, impact loss {-sol.ledger.impact:.4g}")
