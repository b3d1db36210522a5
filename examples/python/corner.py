"""Particle that runs along a floor into a corner: gallery:corner."""

import ricochet as rc

particle = rc.Lagrangian(
    coordinates=["x", "y"],
    kinetic="(x_dot^2 + y_dot^2)/2",
    constraints=[rc.Constraint("wall", gap="-x", restitution=1.0), rc.Constraint("floor", gap="y", restitution=1.0)],
)
sol = rc.simulate(particle, t_span=(0, 2), q0=[-1, 0], v0=[1, 0], h=0.001)
print(rc.check(particle).conclusion)
