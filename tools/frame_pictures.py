"""The pictures of frames: beams that turn far."""
import numpy as np

from plotter import BLUE, COLOURS, GREEN, GREY, ORANGE, Axis, Curve, Panel, figure, run

SCHEMES = ("moreau-jean", "newmark", "hht", "generalized-alpha", "nsga")


def energies(program, name, until):
    """Energy over time under the schemes with a fixed step."""
    options = ["--step", "2e-4", "--until", repr(until), "--set", "time.record_every=10"]
    runs = [run(program, f"gallery:{name}", "--scheme", scheme, *options) for scheme in SCHEMES]
    widths = (4.4, 1.6, 1.6, 1.6, 1.6)  # moreau-jean and newmark are one
    return [
        Curve(result["t"], result["energy.total"], colour, scheme, width)
        for scheme, result, colour, width in zip(SCHEMES, runs, COLOURS, widths)
    ]


def shapes(result, nodes, times, x0=(0.0, 0.0)):
    """The members through their nodes at some times."""
    curves = []
    for i, t in enumerate(times):
        row = int(np.argmin(np.abs(result["t"] - t)))
        x = [x0[0], *(result[f"{node}_x"][row] for node in nodes)]
        y = [x0[1], *(result[f"{node}_y"][row] for node in nodes)]
        curves.append(Curve(np.array(x), np.array(y), COLOURS[i % len(COLOURS)], f"t = {t:g}", 2.2))
    return curves


def beam_pendulum(program):
    result = run(program, "gallery:beam-pendulum")
    bent = shapes(result, [*(f"arm_{i}" for i in range(1, 8)), "B"], (0.0, 0.1, 0.2, 0.3, 0.365))
    energy = energies(program, "beam-pendulum", 0.5)
    return figure(
        "A beam pendulum that bounces on a floor",
        [
            Panel(Axis("x in m", 0, 1.25), Axis("y in m", -0.9, 0.1), bent, 330, levels=[-0.8]),
            Panel(Axis("t in s", 0.34, 0.5), Axis("energy in J", -0.5, 0.05), energy, 200, "right", [0]),
        ],
    )


def beam_stop(program):
    result = run(program, "gallery:beam-stop")
    gap = Curve(result["t"], result["stop.gap"], BLUE)
    energy = energies(program, "beam-stop", 0.56)
    return figure(
        "A rotating flexible beam that strikes a stop",
        [
            Panel(Axis("t in s", 0, 0.56), Axis("tip to stop in m", -0.03, 0.52), [gap], 150, levels=[0]),
            Panel(Axis("t in s", 0.4, 0.56), Axis("energy in J", 0.7, 1.3), energy, 200, "left", []),
        ],
    )


def spin_up(program):
    result = run(program, "gallery:spin-up")
    t, pi = result["t"], np.pi
    angle = np.where(t < 15, 0.4 * (t**2 / 2 + (7.5 / pi) ** 2 * (np.cos(2 * pi * t / 15) - 1)), 6 * t - 45)
    along = result["tip_x"] * np.cos(angle) + result["tip_y"] * np.sin(angle) - 10
    across = -result["tip_x"] * np.sin(angle) + result["tip_y"] * np.cos(angle)
    time = Axis("t in s", 0, 18)
    return figure(
        "Spin-up of a flexible arm: its tip as the hub sees it",
        [
            Panel(time, Axis("across in m", -0.7, 0.1), [Curve(t, across, BLUE)], 150, levels=[0]),
            Panel(time, Axis("along in mm", -25, 5), [Curve(t, 1e3 * along, ORANGE)], 150, levels=[0]),
        ],
    )


def flexible_mechanisms(program):
    crank = run(program, "gallery:flexible-slider-crank")
    bar = run(program, "gallery:flexible-four-bar")
    rod = run(program, "gallery:rattling-rod")
    ends = [Curve(rod["t"], rod["left"], BLUE, "left end"), Curve(rod["t"], rod["right"], ORANGE, "right end")]
    turn = np.where(crank["t"] < 0.05, 30 * (crank["t"] - 0.05 / np.pi * np.sin(np.pi * crank["t"] / 0.05)), 60 * (crank["t"] - 0.025))
    bend = 1e3 * (crank["rod_middle"] - 0.075 * np.sin(turn))
    head = [Curve(bar["t"], bar["C_x"], BLUE, "head of the rocker"), Curve(bar["t"], bar["coupler_y"], GREEN, "middle of the coupler")]
    return figure(
        "Flexible mechanisms",
        [
            Panel(Axis("t in s", 0, 0.12), Axis("rod bends, mm", -60, 40), [Curve(crank["t"], bend, GREY)], 140, levels=[0]),
            Panel(Axis("t in s", 0, 0.48), Axis("x, y in m", 0.2, 1.1), head, 150, "left", levels=[1]),
            Panel(Axis("t in s", 0, 0.3), Axis("height in m", -0.05, 0.55), ends, 150, levels=[0]),
        ],
    )


# By the names of their files.
FRAMES = {
    "beam-pendulum": beam_pendulum,
    "beam-stop": beam_stop,
    "spin-up": spin_up,
    "flexible-mechanisms": flexible_mechanisms,
}
