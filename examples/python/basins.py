"""Two motions under one load: gallery:basins, one motion and a coarse map of the basins of attraction."""

import ricochet as rc

sol = rc.run("gallery:basins")
coarse = {"sweep.axis[0].count": 3, "sweep.axis[1].count": 7}
basins = rc.sweep("gallery:basins", set=coarse)
print(sol)
for row in basins.attractor.reshape(basins.shape):
    print("".join("ox?"[number] for number in row))
