"""The pictures of the gallery's page on friction."""
import numpy as np

from gallery_pictures import motion
from plotter import BLUE, GREEN, GREY, ORANGE, Axis, Curve, Panel, account, figure, run


def with_mu(mu):
    return "--set", f"model.parameters.mu={mu}"


def rates(result, column):
    """The steps' impulses in the column by their lengths: a force over time."""
    return result["t"][1:], result[column][1:] / np.diff(result["t"])


def incline(program):
    time = Axis("t in s", 0, 1)
    runs = [(motion(program, "incline", 5e-3, *with_mu(mu)), mu, colour) for mu, colour in ((0.2, BLUE), (0.5, ORANGE))]
    places = [Curve(one["t"], -one["x"], colour, f"μ = {mu}") for one, mu, colour in runs]
    speeds = [Curve(one["t"], -one["x_dot"], colour) for one, _, colour in runs]
    forces = [rates(one, "slope.friction") for one, _, _ in runs]
    friction = [Curve(t, -force, colour) for (t, force), (_, _, colour) in zip(forces, runs)]
    return figure(
        "Block on a slope",
        [
            Panel(time, Axis("up the slope in m", 0, 0.5), places, 130, "right bottom"),
            Panel(time, Axis("velocity in m/s", -1, 2.2), speeds, 150, levels=[0]),
            Panel(time, Axis("friction in N", -6, 5), friction, 130, levels=[0]),
        ],
    )


def belt(program):
    result = run(program, "gallery:belt-stick-slip", "--step", "1e-2")
    t, time = result["t"], Axis("t", 0, 20)
    speed = [Curve(t, 0 * t + 0.5, GREY, "belt", 2.4), Curve(t, result["x_dot"], BLUE, "mass")]
    force = Curve(*rates(result, "belt.friction"), ORANGE)
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


def rocking_block(program):
    result = motion(program, "rocking-block", 1e-2, "--until", "2")
    t, time = result["t"], Axis("t in s", 0, 2)
    friction, load = (result[f"left.{what}"][1:] + result[f"right.{what}"][1:] for what in ("friction", "impulse"))
    return figure(
        "Rocking block",
        [
            Panel(time, Axis("angle in rad", -0.15, 0.15), [Curve(t, result["phi"], BLUE)], 130, levels=[0]),
            Panel(time, Axis("φ′ in rad/s", -1.1, 1.1), [Curve(t, result["phi_dot"], GREEN)], 130, levels=[0]),
            Panel(time, Axis("friction / load", -0.7, 0.7), [Curve(t[1:], friction / load, ORANGE)], 130, levels=[-0.6, 0, 0.6]),
        ],
    )


def sphere(program):
    result = motion(program, "sphere-slide-roll", 1e-2)
    t, slip = result["t"], np.hypot(result["floor.slip.1"], result["floor.slip.2"])
    rolls = int(np.argmax(slip < 1e-6))
    pieces = ((slice(rolls + 1), ORANGE, "slides"), (slice(rolls, None), BLUE, "rolls"))
    path = [Curve(result["x"][piece], result["y"][piece], colour, name) for piece, colour, name in pieces]
    speeds = [
        Curve(t, slip, ORANGE, "slip"),
        Curve(t, result["x_dot"], BLUE, "forwards"),
        Curve(t, result["y_dot"], GREEN, "sideways"),
    ]
    return figure(
        "Sphere that slides, then rolls",
        [
            Panel(Axis("x in m", 0, 3), Axis("y in m", -0.05, 0.65), path, 130, "left"),
            Panel(Axis("t in s", 0, 1.5), Axis("velocity in m/s", -0.5, 6.8), speeds, 190, "right", levels=[0]),
        ],
    )


def curved_slide(program):
    exact = motion(program, "curved-slide", 1e-2)
    steps = ((0.05, BLUE), (0.1, ORANGE))
    runs = [run(program, "gallery:curved-slide", "--step", repr(h)) for h, _ in steps]
    paths = [
        Curve(one["y"], -one["x"], colour, f"moreau-jean, h = {h:g} s", 1.0, dots=True) for one, (h, colour) in zip(runs, steps)
    ]
    down, across = exact["x_dot"], exact["y_dot"]
    speeds = [
        Curve(exact["t"], np.hypot(down, across), GREY, "speed", 2.4),
        Curve(exact["t"], down, BLUE, "down"),
        Curve(exact["t"], across, GREEN, "across"),
    ]
    return figure(
        "Block thrown across a slope",
        [
            Panel(
                Axis("across in m", 0, 1),
                Axis("up the slope in m", -1.4, 0.05),
                [Curve(exact["y"], -exact["x"], GREY, "event-driven", 2.4), *paths],
                300,
                "left bottom",
            ),
            Panel(Axis("t in s", 0, 1.2), Axis("velocity in m/s", 0, 3), speeds, 170, "right"),
        ],
    )


def falling_rod(program):
    cases = (((), BLUE, "slides on"), (with_mu(0.6), GREEN, "sticks"), (("--set", "initial.v.x=0.5"), ORANGE, "slides back"))
    runs = [(motion(program, "falling-rod", 2e-3, *options), colour, name) for options, colour, name in cases]
    slips = [Curve(one["t"], one["left-end.slip"], colour, name) for one, colour, name in runs]
    first = runs[0][0]

    def shape(t, colour):
        row = int(np.argmin(np.abs(first["t"] - t)))
        x, y, phi = (first[name][row] for name in ("x", "y", "phi"))
        ends = np.array([-0.5, 0.5])
        return Curve(x + ends * np.cos(phi), y + ends * np.sin(phi), colour, f"t = {t:g} s", 2.2)

    shapes = [shape(0.25, GREY), shape(0.394, ORANGE), shape(0.42, GREEN), shape(0.454, BLUE)]
    return figure(
        "Falling rod",
        [
            Panel(Axis("x in m", 0, 2.2), Axis("y in m", -0.05, 1), shapes, 265, "left", levels=[0]),
            Panel(Axis("t in s", 0.35, 0.454), Axis("slip in m/s", -1.8, 3.6), slips, 190, "left bottom", levels=[0]),
        ],
    )


def kane_levinson(program):
    mu = np.linspace(0, 1, 101)

    def accounts(e_T):
        options = ("--until", "1e-3", "--set", f"model.parameters.e_T={e_T}")
        return [account(program, "gallery:kane-levinson", *options, *with_mu(one)) for one in mu]

    newton, dissipative = accounts(0), accounts(0.5)
    after = [
        Curve(mu, [one["initial"] for one in newton], GREY, "before the impact", 2.4),
        Curve(mu, [one["final"] for one in newton], BLUE, "after, e_T = 0"),
        Curve(mu, [one["final"] for one in dissipative], ORANGE, "after, e_T = ½"),
    ]
    parts = [
        Curve(mu, [one["friction"] for one in newton], GREEN, "friction, e_T = 0"),
        Curve(mu, [one["impact"] for one in newton], GREY, "normal part, e_T = 0"),
    ]
    friction = Axis("μ", 0, 1)
    return figure(
        "Kane and Levinson: an impact that gains energy",
        [
            Panel(friction, Axis("kinetic energy", 0, 0.05), after, 170, "left"),
            Panel(friction, Axis("energy put in", -0.03, 0.045), parts, 150, "left", levels=[0]),
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
        return run(program, "gallery:painleve-rod", *with_mu(mu), "--until", "0.06", "--step", "2e-4")

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
    result = motion(program, "brick-three-feet", 2e-3)
    t, time = result["t"], Axis("t in s", 0, 0.4)
    feet = (("front", BLUE), ("left", ORANGE), ("right", GREEN))
    speed = lambda foot: np.hypot(result[f"{foot}.slip.1"], result[f"{foot}.slip.2"])
    slips = [Curve(t, speed(foot), colour, foot) for foot, colour in feet]
    loads = [Curve(*rates(result, f"{foot}.impulse"), colour) for foot, colour in feet]
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
    "incline": incline,
    "belt-stick-slip": belt,
    "disk-bounce-roll": disk,
    "rocking-block": rocking_block,
    "sphere-slide-roll": sphere,
    "curved-slide": curved_slide,
    "falling-rod": falling_rod,
    "painleve-rod": rod,
    "brick-three-feet": brick,
    "tube-support": tube,
    "kane-levinson": kane_levinson,
    "woodpecker": woodpecker,
}
