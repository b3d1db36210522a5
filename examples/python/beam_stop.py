"""Rotating flexible beam that strikes a stop: gallery:beam-stop."""

import ricochet as rc

sol = rc.run("gallery:beam-stop")
print(sol, sol.impacts["t"][:5])
