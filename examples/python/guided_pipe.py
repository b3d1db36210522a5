"""Pipe in a guide with play: gallery:guided-pipe."""

import ricochet as rc

pipe = rc.Beam(
    method="differences", elements=25, length=1.5, young=210000000000.0, inertia=4.636990756698535e-09,
    area=0.00011309733552923256, density=7850.0, left="clamped", right="free",
    loads=[{"at": 0.3, "force": "60*sin(2*pi*18*t)"}],
    constraints=[rc.Stop(name="guide", at=0.9, lower=-0.0005, upper=0.0005, restitution=0.5)],
    observe=[{"name": "tip", "at": 1.5}],
)
sol = rc.simulate(pipe, t_span=(0, 0.05), scheme=rc.schemes.PaoliSchatzman(force='newmark'), h=1e-05)
print(sol, sol.impacts["t"][:5])
