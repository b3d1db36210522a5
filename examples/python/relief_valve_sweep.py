"""Relief valve, its maxima over the flow: gallery:relief-valve-sweep, one motion and three flows."""

import ricochet as rc

sol = rc.run("gallery:relief-valve-sweep")
maxima = rc.sweep("gallery:relief-valve-sweep", {"model.parameters.flow": [2.0, 5.0, 8.0]}, skip=64, points=16)
print(sol)
for flow, lift in zip(maxima.values[:, 0], (maxima.points_of(i)[:, maxima.columns.index("lift")] for i in range(3))):
    print(f"flow {flow}: lifts from {lift.min():.4g} to {lift.max():.4g}")
