"""Slider-crank whose slider meets a stop: gallery:slider-crank-stop."""

import ricochet as rc

crank = rc.Lagrangian(
    coordinates=["crank", "xr", "yr", "rod", "xs"],
    parameters={"l1": 0.2, "l2": 0.5, "m1": 1.0, "m2": 1.0, "m3": 1.0, "g": 9.81, "stop": 0.68, "e": 0.8},
    kinetic="m1*l1^2/3*crank_dot^2/2 + m2*(xr_dot^2 + yr_dot^2)/2 + m2*l2^2/12*rod_dot^2/2 + m3*xs_dot^2/2",
    potential="m1*g*l1/2*sin(crank) + m2*g*yr",
    joints=[
        rc.Joint("crank-pin", equation=["xr - l2/2*cos(rod) - l1*cos(crank)", "yr - l2/2*sin(rod) - l1*sin(crank)"]),
        rc.Joint("piston-pin", equation=["xr + l2/2*cos(rod) - xs", "yr + l2/2*sin(rod)"]),
    ],
    constraints=[rc.Constraint("stop", gap="stop - xs", restitution="e")],
)
q0 = [1.0, 0.34347342984201776561, 0.084147098480789650665, -0.34329153918346440482, 0.57888639851040758774]
v0 = [20.0, -3.7521402410696325554, 1.0806046117362794348, -4.5902509868029122091, -4.1383965429076790841]
sol = rc.simulate(crank, t_span=(0, 0.8), q0=q0, v0=v0, h=0.0002)
print(sol, sol.impacts["t"])
