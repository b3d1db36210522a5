"""Painlevé's rod: gallery:painleve-rod."""

import ricochet as rc

sol = rc.run("gallery:painleve-rod")
print(sol, sol.notes)
