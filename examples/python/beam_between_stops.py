"""Beam between stops: gallery:beam-between-stops."""

import ricochet as rc

sol = rc.run("gallery:beam-between-stops")
print(sol, sol.impacts["t"][:5])
