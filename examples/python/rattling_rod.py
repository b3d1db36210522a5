"""Flexible rod that falls on a floor and rattles: gallery:rattling-rod."""

import ricochet as rc

sol = rc.run("gallery:rattling-rod")
print(sol, sol.ledger.friction)
