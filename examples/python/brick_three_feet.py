"""Brick on three feet: gallery:brick-three-feet."""

import ricochet as rc

sol = rc.run("gallery:brick-three-feet")
print(sol, sol.slips)
