"""Ball on a shaking table: gallery:moving-table."""

import ricochet as rc

ball = rc.Lagrangian(
    coordinates=["x"],
    parameters={"m": 1.0, "g": 9.81, "A": 0.1, "w": 12.0},
    kinetic="m*x_dot^2/2",
    potential="m*g*x",
    constraints=[rc.Constraint("table", gap="x - A*sin(w*t)", restitution=0.5)],
)
sol = rc.simulate(ball, t_span=(0, 2), q0=[0.5], h=0.0001)
print(sol, sol.impacts["t"][:5])
