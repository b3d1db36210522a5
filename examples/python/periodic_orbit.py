"""Periodic orbit of a forced impact oscillator: gallery:periodic-orbit."""

import ricochet as rc

oscillator = rc.Lagrangian(
    coordinates=["x"],
    parameters={
        "e": 0.8, "w": 2.2, "T": "2*pi/w", "a": "(1 + e)*sin(T)/(2*e*(1 - cos(T)))", "b": "(1 + e)/(2*e)",
        "gs": "(1 - e)/(2*e*w)", "A1": "-a*(1 - w^2)", "A2": "gs*(1 - w^2)",
    },
    kinetic="x_dot^2/2",
    potential="x^2/2",
    force={"x": "A1*cos(w*t) - A2*sin(w*t)"},
    constraints=[rc.Constraint("stop", gap="x", restitution="e")],
)
sol = rc.simulate(oscillator, t_span=(0, 20), q0=[0], v0=[1], h=0.001)
print(sol, sol.impacts["t"][:5])
