"""Relief valve that chatters on its seat: gallery:relief-valve."""

import ricochet as rc

valve = rc.Lagrangian(
    coordinates=["lift"],
    parameters={"kappa": 1.25, "delta": 10.0, "beta": 20.0, "flow": 3.0},
    kinetic="lift_dot^2/2",
    potential="(lift + delta)^2/2",
    dissipation="kappa*lift_dot^2/2",
    force={"lift": "pressure"},
    states=[rc.State("pressure", rate="beta*(flow - lift*sqrt(pressure))", initial=1.0)],
    constraints=[rc.Constraint("seat", gap="lift", restitution=0.8)],
)
sol = rc.simulate(valve, t_span=(0, 6), q0=[0.2], h=0.001)
print(f"pressure {sol.z.min():.4g} to {sol.z.max():.4g}, {len(sol.impacts)} impacts")
