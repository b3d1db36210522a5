"""The pictures of the gallery's page on friction."""
import numpy as np

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


def rod(program):
    def of(mu):
        options = ("--set", f"model.parameters.mu={mu}", "--until", "0.06", "--step", "2e-4")
        return run(program, "gallery:painleve-rod", *options)

    slides, nearly, caught = of(1.2), of(1.3), of(1.5)
    time = Axis("t in ms", 0, 60)
    slips = [
        Curve(1e3 * slides["t"], slides["end.slip"], BLUE, "μ = 1.2"),
        Curve(1e3 * nearly["t"], nearly["end.slip"], GREEN, "μ = 1.3"),
        Curve([0, 0, 60], [-1, 0, 0], ORANGE, "μ = 1.5: caught at once"),
    ]
    runs = ((slides, BLUE), (nearly, GREEN), (caught, ORANGE))
    turns = [Curve(1e3 * one["t"], one["phi_dot"], colour) for one, colour in runs]
    return figure(
        "Painlevé's rod",
        [
            Panel(time, Axis("slip in m/s", -1.1, 0.2), slips, 150, "right", levels=[0]),
            Panel(time, Axis("φ′ in rad/s", -0.1, 1.5), turns, 150, levels=[0]),
        ],
    )


def brick(program):
    result = run(program, "gallery:brick-three-feet", "--scheme", "event-driven", "--step", "2e-3")
    t, time = result["t"], Axis("t in s", 0, 0.4)
    feet = (("front", BLUE), ("left", ORANGE), ("right", GREEN))
    speed = lambda foot: np.hypot(result[f"{foot}.slip.1"], result[f"{foot}.slip.2"])
    slips = [Curve(t, speed(foot), colour, foot) for foot, colour in feet]
    loads = [Curve(t[1:], result[f"{foot}.impulse"][1:] / np.diff(t), colour) for foot, colour in feet]
    return figure(
        "Brick on three feet",
        [
            Panel(time, Axis("slip in m/s", 0, 1.3), slips, 170, "right", levels=[0]),
            Panel(time, Axis("load in N", 0, 6), loads, 150),
        ],
    )


def tube(program):
    start = ("--set", "initial.q.x=1e-4", "--set", "initial.v.y=0")
    result = run(program, "gallery:tube-support", *start, "--until", "0.06", "--step", "5e-5")
    t, time = 1e3 * result["t"], Axis("t in ms", 0, 60)
    radius = 1e3 * np.hypot(result["x"], result["y"])
    # Work up to each instant of the grid; impacts have rows of their own.
    grid = result["event"] == 0
    work = np.cumsum(-result["support.slip"] * result["support.friction"])[grid]
    rate = 1e3 * np.diff(work) / np.diff(result["t"][grid])
    return figure(
        "Tube in its support",
        [
            Panel(time, Axis("radius in mm", 0, 0.6), [Curve(t, radius, BLUE)], 150, levels=[0.5]),
            Panel(time, Axis("work rate in mW", 0, 60), [Curve(t[grid][1:], rate, ORANGE)], 150, levels=[28.2449]),
        ],
    )


FRICTION = {
    "belt-stick-slip": belt,
    "disk-bounce-roll": disk,
    "woodpecker": woodpecker,
    "painleve-rod": rod,
    "brick-three-feet": brick,
    "tube-support": tube,
}
