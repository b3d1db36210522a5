"""Spin-up of a flexible arm: gallery:spin-up."""

import ricochet as rc

sol = rc.run("gallery:spin-up")
print(sol, sol.observed[-1])
