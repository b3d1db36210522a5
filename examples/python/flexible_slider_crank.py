"""Slider-crank with a flexible rod: gallery:flexible-slider-crank."""

import ricochet as rc

sol = rc.run("gallery:flexible-slider-crank")
print(sol, sol.observed[-1])
