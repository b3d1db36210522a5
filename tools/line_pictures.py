"""The pictures of the gallery's bars and beams, one function a page."""
import math

import numpy as np

from plotter import BLUE, GREEN, GREY, ORANGE, Axis, Curve, Panel, figure, run, settings

# The bar: E = 9e6, density 1000, L = 10, 1 m/s, half a metre from the wall.
WAVE_SPEED = math.sqrt(9e6 / 1000)
LEAVES = 0.5 + 20 / WAVE_SPEED
FORCE = 1e-3 * 1000 * WAVE_SPEED  # kN


def exact_bar(t, x):
    """u(x, t): falls with −1 until the wave from the wall comes by, rests, and goes back with +1 when it returns."""
    until = 0.5 + x / WAVE_SPEED  # the wave on its way out
    back = LEAVES - x / WAVE_SPEED
    return 0.5 - min(t, until) + max(0.0, t - back)


def bar_force(program, name, step=5e-4, **parameters):
    """Times and contact force in kN."""
    result = run(program, "gallery:elastic-bar", "--scheme", name, "--step", repr(step), *settings(**parameters))
    window = (result["t"] > 0.485) & (result["t"] < 0.735)
    return result["t"][window], 1e-3 * result["stop.impulse"][window] / step


def elastic_bar(program):
    result = run(program, "gallery:elastic-bar")
    window = (result["t"] > 0.449) & (result["t"] < 0.851)
    t = result["t"][window][::4]
    points = [("near", 0.0, BLUE, "at the wall"), ("middle", 5.0, ORANGE, "middle"), ("far", 10.0, GREEN, "far end")]
    exact = [Curve(t, [100 * exact_bar(s, x) for s in t], GREY, width=3.4) for _, x, _, _ in points]
    motion = [Curve(t, 100 * result[name][window][::4], colour, label) for name, _, colour, label in points]
    wave = Curve([0.48, 0.5, 0.5, LEAVES, LEAVES, 0.74], [0, 0, FORCE, FORCE, 0, 0], GREY, "exact", 3.4)
    time, force = Axis("t in s", 0.48, 0.74), [-10, 230]
    ringing = Curve(*bar_force(program, "moreau-jean"), BLUE, "moreau-jean")
    damped = [
        Curve(*bar_force(program, "hht", alpha=0.1), ORANGE, "hht, α = 0.1", 3.0),
        Curve(*bar_force(program, "generalized-alpha", rho_infinity=0.5), GREEN, "generalized-alpha, ρ∞ = 0.5"),
    ]
    return figure(
        "An elastic bar that hits a wall",
        [
            Panel(Axis("t in s", 0.45, 0.85), Axis("displacement in cm", -12, 26), [*exact, *motion], 190, levels=[0]),
            Panel(time, Axis("wall force in kN", *force), [wave, ringing], 170),
            Panel(time, Axis("wall force in kN", *force), [wave, *damped], 170),
        ],
    )


def guided_pipe(program):
    """Paoli 2001, figures 2 and 4, with their step of 1e-4; below, the start with 1e-5 and under event-driven."""
    long = run(program, "gallery:guided-pipe", "--step", "1e-4", "--until", "0.2")
    t = 1e3 * long["t"]
    reaction = (long["guide-lower.impulse"] - long["guide-upper.impulse"]) / 1e-4
    hit = np.nonzero(reaction)[0]
    # The force as needles: out from zero and back.
    needles = Curve(np.repeat(t[hit], 3), np.ravel([(0, reaction[i], 0) for i in hit]), BLUE, width=0.8)
    start = run(program, "gallery:guided-pipe", "--until", "0.06")
    exact = run(program, "gallery:guided-pipe", "--scheme", "event-driven", "--step", "2e-4", "--until", "0.06")
    begin = [
        Curve(1e3 * exact["t"], 1e3 * exact["tip"], GREY, "event-driven", 3.4),
        Curve(1e3 * start["t"][::20], 1e3 * start["tip"][::20], BLUE, "paoli-schatzman, h = 1e-5"),
    ]
    time = Axis("t in ms", 0, 200)
    return figure(
        "A pipe that is shaken in a guide with play",
        [
            Panel(time, Axis("tip in mm", -3.5, 3.5), [Curve(t[::2], 1e3 * long["tip"][::2], BLUE)], 170, levels=[0]),
            Panel(time, Axis("force of the guide in N", -400, 400), [needles], 170, levels=[0]),
            Panel(Axis("t in ms", 0, 60), Axis("tip in mm", -3, 2), begin, 150, "left bottom", [0]),
        ],
    )


def beam_between_stops(program):
    result = run(program, "gallery:beam-between-stops", "--scheme", "event-driven", "--step", "2e-4", "--until", "0.2")
    t, time = 1e3 * result["t"], Axis("t in ms", 0, 200)
    shape = [Curve(t, 1e3 * result["tip"], BLUE, "tip"), Curve(t, 1e3 * result["middle"], ORANGE, "middle")]
    force = Curve(t, (result["stop-lower.impulse"] - result["stop-upper.impulse"]) / 2e-4, GREEN)
    return figure(
        "A beam between stops",
        [
            Panel(time, Axis("displacement in mm", -2.5, 4.0), shape, 180, levels=[-2, 2]),
            Panel(time, Axis("force in N", -25, 25), [force], 140, levels=[0]),
        ],
    )


# By the names of their files.
LINES = {"elastic-bar": elastic_bar, "guided-pipe": guided_pipe, "beam-between-stops": beam_between_stops}
