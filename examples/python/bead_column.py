"""Column of beads that drops on a floor: gallery:bead-column."""

import ricochet as rc

column = rc.BeadColumn(
    count=10, radius=0.01, mass=0.03, restitution=0.6, spacing=0.002,
)
sol = rc.simulate(column, t_span=(0, 0.12), h=1e-05)
print(f"{len(sol.impacts)} impacts, the largest impulse {sol.impacts['impulse'].max():.3g}")
