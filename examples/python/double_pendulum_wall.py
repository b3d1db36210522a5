"""Double pendulum whose tip hits a wall: gallery:double-pendulum-wall."""

import ricochet as rc

pendulum = rc.Lagrangian(
    coordinates=["a", "b"],
    parameters={"m1": 1.0, "m2": 1.0, "l1": 1.0, "l2": 1.0, "g": 9.81, "d": 0.5},
    kinetic="(m1 + m2)*l1^2*a_dot^2/2 + m2*l2^2*b_dot^2/2 + m2*l1*l2*a_dot*b_dot*cos(a - b)",
    potential="-(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)",
    constraints=[rc.Constraint("wall", gap="l1*sin(a) + l2*sin(b) + d", restitution=0.5)],
)
sol = rc.simulate(pendulum, t_span=(0, 4), q0=[0.8, 0.6], h=0.0002)
print(sol, sol.impacts["t"][:5])
