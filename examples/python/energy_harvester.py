"""Energy harvester: a piezo cantilever between stops: gallery:energy-harvester."""

import ricochet as rc

harvester = rc.Lagrangian(
    coordinates=["x"],
    parameters={
        "m": 0.02, "k": 4.0, "c": 0.02, "alpha": 0.0005, "C": 5e-08, "R": 1000000.0, "A": 4.0, "w": 12.0,
        "d": 0.005, "e": 0.6,
    },
    kinetic="m*x_dot^2/2",
    potential="k*x^2/2",
    dissipation="c*x_dot^2/2",
    force={"x": "m*A*cos(w*t) - alpha*u"},
    states=[rc.State("u", rate="(alpha*x_dot - u/R)/C")],
    constraints=[
        rc.Constraint("left", gap="d + x", restitution="e"),
        rc.Constraint("right", gap="d - x", restitution="e"),
    ],
)
sol = rc.simulate(harvester, t_span=(0, 1.1), q0=[0], h=0.0001)
print(f"{sol.z[:, 0].max():.1f} V at most, {len(sol.impacts)} impacts")
