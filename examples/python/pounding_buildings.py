"""Two buildings that pound in an earthquake: gallery:pounding-buildings."""

import ricochet as rc

sol = rc.run("gallery:pounding-buildings")
print({name: float(abs(sol[name]).max()) for name in sol.coordinates})
