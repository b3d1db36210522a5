"""Heat-exchanger tube in its support: gallery:tube-support."""

import ricochet as rc

sol = rc.run("gallery:tube-support")
print(sol, -sol.ledger.friction / sol.t[-1], "W of wear")
