"""Ball that chatters to rest on a table in every period: gallery:table-chatter."""

import ricochet as rc

ball = rc.Lagrangian(
    coordinates=["x"],
    parameters={"m": 1.0, "g": 9.81, "A": 0.09, "w": 12.0, "e": 0.5},
    kinetic="m*x_dot^2/2",
    potential="m*g*x",
    constraints=[rc.Constraint("table", gap="x - A*sin(w*t)", restitution="e")],
)
sol = rc.simulate(ball, t_span=(0, 1), q0=[0], v0=[1.08], h=0.0001)
print(sol, sol.impacts["t"][:5])
