"""Andrews' squeezer, seven bodies, and how far its end is from the published one: gallery:andrews-squeezer."""

import ricochet as rc

sol = rc.run("gallery:andrews-squeezer")
known = {"beta": 15.81077119629904, "gamma": 0.04082224013073101, "delta": 0.5244099658805304, "epsilon": 1.048080741042263}
print({name: float(sol[name][-1] - angle) for name, angle in known.items()}, "largest reaction", abs(sol.reaction).max())
