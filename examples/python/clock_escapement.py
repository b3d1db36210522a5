"""Clock with a recoil escapement: gallery:clock-escapement."""

import ricochet as rc

clock = rc.Lagrangian(
    coordinates=["phi", "theta"],
    parameters={"I": 0.01, "J": 1.0, "k": 1.0, "c": 0.1, "M": 0.01, "N": 15, "s": 0.1, "a": 0.03},
    kinetic="I*phi_dot^2/2 + J*theta_dot^2/2",
    potential="k*theta^2/2 - M*phi",
    dissipation="c*theta_dot^2/2",
    constraints=[
        rc.Constraint("entry", gap="a + s*cos(N*phi) - theta", restitution=0.0),
        rc.Constraint("exit", gap="a - s*cos(N*phi) + theta", restitution=0.0),
    ],
)
q0, v0 = [0.0710186296418304, 0.07842597377543156], [-0.016769408747941195, 0.02200794446541614]
sol = rc.simulate(clock, t_span=(0, 7), q0=q0, v0=v0, h=0.05, scheme="event-driven")
print(sol.impacts["t"], sol.ledger.input)
