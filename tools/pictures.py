#!/usr/bin/env python3
"""Draws the pictures of the documentation, docs/pictures/*.svg, from runs of the program.

    tools/pictures.py --program build/ricochet            draws them anew
    tools/pictures.py --program build/ricochet --check    exit code 1 if one would change by more than rounding

The examples are looked for beside the program (build/examples). Coordinates are rounded to 1/100 of a pixel and nothing
depends on the date or the machine, so the same sources give the same bytes.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys

import numpy as np

from benchmark_pictures import BENCHMARK
from frame_pictures import FRAMES
from friction_pictures import FRICTION
from gallery_pictures import GALLERY
from line_pictures import LINES
from plotter import BLUE, COLOURS, GREEN, GREY, ORANGE, VIOLET, Axis, Curve, Panel, Refused
from plotter import columns, figure, run, schemes, settings

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/pictures"


# The ball under every scheme: x'' = −2 from height 1, e = ½ or 0.

# 71 steps on [0, 3.5]: with h = 1/20 the exact impacts would lie on nodes, and round-off would decide on their side.
BALL_STEP, BALL_UNTIL = 3.5 / 71, 3.5


def exact_ball(t, e):
    """The first flight ends at 1; with e = ½ flight n begins at 3 − 2^(1−n) with the speed 2^(−n)."""
    if t < 1:
        return 1 - t * t
    if e == 0 or t >= 3:
        return 0.0
    n = math.floor(1 - math.log2(3 - t))
    s = t - (3 - 2.0 ** (1 - n))
    return max(0.0, 2.0**-n * s - s * s)


def ball_picture(program, name, chooses_steps):
    options = ["--scheme", name, "--step", repr(BALL_STEP), "--until", repr(BALL_UNTIL)]
    e = 0.5
    try:
        ball = run(program, "gallery:lecture-ball", *options)
    except Refused:
        e = 0.0
        ball = run(program, "gallery:lecture-ball", *options, "--set", "model.constraint.floor.restitution=0")
    t = np.union1d(np.linspace(0, BALL_UNTIL, 281), [3 - 2.0 ** (1 - n) for n in range(8)])
    exact = Curve(t, [exact_ball(x, e) for x in t], GREY, "exact", 2.4)
    step = "recorded every 0.05" if chooses_steps else "h ≈ 0.05"
    nodes = Curve(ball["t"], ball["x"], BLUE, f"{name}, {step}", 1.0, dots=True)
    time = Axis("t", 0, BALL_UNTIL)
    return figure(
        f"The ball under {name}",
        [
            Panel(time, Axis("height", -0.15, 1.05), [exact, nodes], 230, levels=[0]),
            Panel(time, Axis("near the floor", -0.12, 0.08), [exact, nodes], 110, legend="none", levels=[0]),
        ],
    )


# Spectral radii on q'' = −ω² q, from the matrix that takes (q, h v, h² a) over one step; x = h ω.


def theta_matrix(theta, x):
    """moreau-jean: v₁ = v₀ − h ω² q_θ, q₁ = q₀ + h v_θ, in (q, h v)."""
    left = np.array([[1, -theta], [theta * x * x, 1]])
    right = np.array([[1, 1 - theta], [-(1 - theta) * x * x, 1]])
    return np.linalg.solve(left, right)


def newmark_matrix(beta, gamma, alpha_m, alpha_f, x):
    """(1−α_m) a₁ + α_m a₀ = −ω² ((1−α_f) q₁ + α_f q₀) and Newmark's formulas."""
    left = np.array([[(1 - alpha_f) * x * x, 0, 1 - alpha_m], [1, 0, -beta], [0, 1, -gamma]])
    right = np.array([[-alpha_f * x * x, 0, -alpha_m], [1, 1, 0.5 - beta], [0, 1, 1 - gamma]])
    return np.linalg.solve(left, right)


def newmark(beta, gamma=0.5):
    return lambda x: newmark_matrix(beta, gamma, 0, 0, x)


def hht(alpha):
    return lambda x: newmark_matrix((1 + alpha) ** 2 / 4, 0.5 + alpha, 0, alpha, x)


def generalized_alpha(rho):
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + alpha_f - alpha_m
    return lambda x: newmark_matrix((gamma + 0.5) ** 2 / 4, gamma, alpha_m, alpha_f, x)


def theta_scheme(theta):
    return lambda x: theta_matrix(theta, x)


SPECTRA = {
    "moreau-jean": [("θ = 0.5", theta_scheme(0.5)), ("θ = 0.6", theta_scheme(0.6)), ("θ = 1", theta_scheme(1.0))],
    "newmark": [
        ("average-acceleration", newmark(1 / 4)),
        ("linear-acceleration", newmark(1 / 6)),
        ("fox-goodwin", newmark(1 / 12)),
        ("central-difference", newmark(0.0)),
        ("damped, γ = 0.6", newmark((0.6 + 0.5) ** 2 / 4, 0.6)),
    ],
    "hht": [("α = 0", hht(0.0)), ("α = 0.1", hht(0.1)), ("α = 0.3", hht(0.3))],
    "generalized-alpha": [(f"ρ∞ = {rho:g}", generalized_alpha(rho)) for rho in (1.0, 0.8, 0.5, 0.0)],
}


def spectral_radius(matrix):
    return float(np.max(np.abs(np.linalg.eigvals(matrix))))


def spectral_picture(name):
    x = np.logspace(-2, 3, 401)
    curves = [
        Curve(x, [spectral_radius(matrix(step)) for step in x], colour, label)
        for (label, matrix), colour in zip(SPECTRA[name], COLOURS)
    ]
    upper = 1.6 if name == "newmark" else 1.1
    panel = Panel(Axis("h ω", 1e-2, 1e3, log=True), Axis("spectral radius", 0, upper), curves, 240, "left bottom", [1])
    return figure(f"Spectral radius of {name}", [panel])


# The pages of the gallery.


def force_free_picture(program):
    """Paoli 2001, figure 6: e = 0.3, h about 0.1."""
    options = ["--step", "0.1", "--until", "2.95"]
    curves = [Curve([0, 1, 3], [1, 0, 0.6], GREY, "exact", 2.4)]
    for name, colour in (("paoli-schatzman", BLUE), ("mabrouk", ORANGE)):
        ball = run(program, "gallery:force-free-ball", "--scheme", name, *options)
        curves.append(Curve(ball["t"], ball["x"], colour, name, 1.0, dots=True))
    return figure(
        "A ball without forces under paoli-schatzman and mabrouk",
        [
            Panel(Axis("t", 0, 3), Axis("x", -0.15, 1.05), curves, 210, levels=[0]),
            Panel(Axis("t", 0.8, 2), Axis("x near the wall", -0.1, 0.2), curves, 210, legend="none", levels=[0]),
        ],
    )


def naive_newmark_picture(example):
    """Heights that the example prints with --curves."""
    done = subprocess.run([str(example), "--curves"], capture_output=True, text=True, check=True)
    ball = columns(done.stdout.splitlines())

    def curve(column, colour, name, width=1.4):
        return Curve(ball["t"], ball[column], colour, name, width)

    right = [curve("exact", GREY, "exact", 4.0), curve("newmark", GREEN, "newmark")]
    velocity = [curve("velocity", ORANGE, "naive, γ = ½")]
    position = [
        curve("position", VIOLET, "naive, γ = 1, h = 0.001"),
        curve("position_other_step", BLUE, "naive, γ = 1, h = 0.00099"),
    ]
    time = Axis("t", 0, 3)
    return figure(
        "Newmark's scheme with the contact force inside the acceleration",
        [
            Panel(time, Axis("height, velocity level", -0.4, 8.4), [*right, *velocity], 230, "left", [0]),
            Panel(time, Axis("height, position level", -0.1, 1.6), [*right, *position], 180, levels=[0]),
        ],
    )


def bisection(function, a, b):
    """A root of the function between a and b, where its signs differ."""
    low = function(a) > 0
    for _ in range(80):
        middle = (a + b) / 2
        a, b = (middle, b) if (function(middle) > 0) == low else (a, middle)
    return b


def exact_two_balls(until, m=1.0, k=1000.0, g=10.0, e=0.5, scan=1e-4):
    """Times and energies after each impact of gallery/two-ball-oscillator.toml. Energy changes in impacts only.

    In flight the centre c falls and the stretch r = y − x swings with ω² = 2k/m. With x = 0 held, y swings about −mg/k
    with ω² = k/m until the spring lifts the lower ball, k y = m g.
    """
    fast, slow, sag = math.sqrt(2 * k / m), math.sqrt(k / m), m * g / k
    t, q, v, out = 0.0, (1.0, 1.0), (0.0, 0.0), []

    def swing(x, u, omega, s):
        """x'' = −ω² x from (x, u)."""
        c, d = math.cos(omega * s), math.sin(omega * s)
        return x * c + u / omega * d, u * c - x * omega * d

    def flight(s):
        c, w = (q[0] + q[1]) / 2 + (v[0] + v[1]) / 2 * s - g * s * s / 2, (v[0] + v[1]) / 2 - g * s
        r, u = swing(q[1] - q[0], v[1] - v[0], fast, s)
        return (c - r / 2, c + r / 2), (w - u / 2, w + u / 2)

    def rest(s):
        y, w = swing(q[1] + sag, v[1], slow, s)
        return (0.0, y - sag), (0.0, w)

    def first(event, step):
        """Where the event stops being positive, or None if that is after the end."""
        s = step
        while event(s) > 0:
            s += step
            if t + s > until:
                return None
        return bisection(event, s - step, s)

    def energy():
        return m * (v[0] ** 2 + v[1] ** 2) / 2 + k * (q[1] - q[0]) ** 2 / 2 + m * g * (q[0] + q[1])

    out.append((t, energy()))
    while True:
        # After an impact the lower ball would fly for 2 m v/|push|. Very short flights: the impacts have accumulated.
        push = k * q[1] - m * g
        landed = t > 0 and push < 0
        if landed and 2 * m * v[0] < -push * 1e-9:
            v = (0.0, v[1])
            s = first(lambda s: m * g - k * rest(s)[0][1], scan)
            if s is None:
                return out
            q, v, t = *rest(s), t + s
            landed = False
        s = first(lambda s: flight(s)[0][0], min(scan, m * v[0] / -push / 4) if landed else scan)
        if s is None:
            return out
        (_, y), (before, w) = flight(s)
        q, v, t = (0.0, y), (-e * before, w), t + s
        out.append((t, energy()))


# Label, scheme, parameters, width: the last two lie on each other.
TWO_BALLS = [
    ("moreau-jean, θ = 1", "moreau-jean", {"theta": 1}, 1.4),
    ("newmark, γ = 1, β = ½", "newmark", {"gamma": 1, "beta": 0.5}, 1.4),
    ("hht, α = 0.1", "hht", {"alpha": 0.1}, 3.4),
    ("generalized-alpha, ρ∞ = 0.8", "generalized-alpha", {"rho_infinity": 0.8}, 1.4),
]


def two_ball_picture(program):
    """Total energy, h = 2e-3."""
    times, energies = zip(*exact_two_balls(2.0))
    t = [0.0, *(x for time in times[1:] for x in (time, time)), 2.0]
    exact = Curve(t, [x for energy in energies for x in (energy, energy)], GREY, "exact", 4.0)
    curves = []
    for (label, name, parameters, width), colour in zip(TWO_BALLS, COLOURS):
        balls = run(program, "gallery:two-ball-oscillator", "--scheme", name, "--step", "2e-3", *settings(**parameters))
        curves.append(Curve(balls["t"], balls["energy.total"], colour, label, width))
    # Half of the nodes are enough for the whole run.
    coarse = [Curve(curve.x[::2], curve.y[::2], curve.colour, curve.name, curve.width) for curve in curves]
    return figure(
        "Total energy of two balls on a spring that fall on a floor",
        [
            Panel(Axis("t", 0, 2), Axis("total energy", -1, 22), [exact, *coarse], 250, levels=[0]),
            Panel(Axis("t", 0.4, 1.1), Axis("total energy", 0, 14), [exact, *curves], 200, legend="none"),
        ],
    )


# All of them.


def pictures(program, example):
    """Name and drawing of every picture."""
    for name, chooses_steps in schemes(program).items():
        yield f"ball-{name}.svg", lambda name=name, own=chooses_steps: ball_picture(program, name, own)
    for name in SPECTRA:
        yield f"spectral-{name}.svg", lambda name=name: spectral_picture(name)
    yield "force-free-ball.svg", lambda: force_free_picture(program)
    yield "naive-newmark.svg", lambda: naive_newmark_picture(example)
    yield "two-ball-energy.svg", lambda: two_ball_picture(program)
    for name, draw in {**GALLERY, **LINES, **FRICTION, **FRAMES, **BENCHMARK}.items():
        yield f"{name}.svg", lambda draw=draw: draw(program)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def same_but_for_rounding(old, new):
    """Equal texts, and numbers in them that differ by a last digit at most."""
    if NUMBER.split(old) != NUMBER.split(new):
        return False
    return all(abs(float(a) - float(b)) < 0.021 for a, b in zip(NUMBER.findall(old), NUMBER.findall(new)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Draws the pictures of the documentation.")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/ricochet")
    parser.add_argument("--check", action="store_true", help="write nothing; name the pictures that would change")
    options = parser.parse_args(arguments)
    example = options.program.parent / "examples/example_naive_newmark"
    changed = 0
    for name, draw in pictures(options.program, example):
        file, new = FOLDER / name, draw()
        old = file.read_text(encoding="utf-8") if file.is_file() else ""
        if same_but_for_rounding(old, new):
            continue
        changed += 1
        print(f"docs/pictures/{name}: {'would change' if options.check else 'drawn'}")
        if not options.check:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(new, encoding="utf-8")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
