"""The pictures of the gallery's page on friction."""
from plotter import BLUE, GREEN, GREY, ORANGE, Axis, Curve, Panel, figure, run


def belt(program):
    result = run(program, "gallery:belt-stick-slip", "--step", "1e-2")
    t, time = result["t"], Axis("t", 0, 20)
    speed = [Curve(t, 0 * t + 0.5, GREY, "belt", 2.4), Curve(t, result["x_dot"], BLUE, "mass")]
    force = Curve(t[1:], result["belt.friction"][1:] / (t[1:] - t[:-1]), ORANGE)
    return figure(
        "Stick-slip on a belt",
        [
            Panel(time, Axis("velocity", -0.9, 0.75), speed, 150, levels=[0]),
            Panel(time, Axis("force of friction", -0.2, 1.3), [force], 150, levels=[0, 1]),
        ],
    )


def disk(program):
    result = run(program, "gallery:disk-bounce-roll", "--step", "2e-3")
    t, time = result["t"], Axis("t in s", 0, 2)
    speeds = [
        Curve(t, result["x_dot"], BLUE, "forwards"),
        Curve(t, 0.2 * result["phi_dot"], GREEN, "R × spin"),
        Curve(t, result["floor.slip"], ORANGE, "slip"),
    ]
    return figure(
        "Disk with back spin",
        [
            Panel(time, Axis("height in m", 0, 1.3), [Curve(t, result["y"], BLUE)], 130, levels=[0.2]),
            Panel(time, Axis("velocity in m/s", -3, 7), speeds, 190, "right", levels=[0]),
        ],
    )


def woodpecker(program):
    result = run(program, "gallery:woodpecker", "--set", "time.record_every=20", "--until", "0.4")
    t, time = 1e3 * result["t"], Axis("t in ms", 0, 400)
    angles = [Curve(t, result["S"], BLUE, "bird"), Curve(t, result["M"], ORANGE, "sleeve")]
    return figure(
        "Woodpecker toy",
        [
            Panel(time, Axis("height in mm", -65, 5), [Curve(t, 1e3 * result["y"], BLUE)], 130),
            Panel(time, Axis("angle in rad", -0.65, 0.3), angles, 170, "right", levels=[0]),
        ],
    )


FRICTION = {"belt-stick-slip": belt, "disk-bounce-roll": disk, "woodpecker": woodpecker}
