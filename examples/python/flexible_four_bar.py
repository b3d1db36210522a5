"""Flexible four-bar linkage: gallery:flexible-four-bar."""

import ricochet as rc

sol = rc.run("gallery:flexible-four-bar")
print(sol, sol.impacts["t"][:5])
