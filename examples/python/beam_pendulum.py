"""Beam pendulum that bounces on a floor: gallery:beam-pendulum."""

import ricochet as rc

sol = rc.run("gallery:beam-pendulum")
print(sol, sol.impacts["t"][:5])
