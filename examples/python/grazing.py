"""Grazing of a forced oscillator on a stop: gallery:grazing, one motion and a coarse sweep over the load."""

import ricochet as rc

sol = rc.run("gallery:grazing")
diagram = rc.sweep("gallery:grazing", set={"sweep.axis[0].count": 5})
print(sol)
for a, impacts in zip(diagram.values[:, 0], diagram.impacts):
    print(f"a = {a:.3f}: {impacts} impacts in 50 periods")
