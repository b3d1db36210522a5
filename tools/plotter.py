"""Figures of panels, panels of curves, as SVG; and runs of the program as columns of numbers."""
import csv
import json
import math
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

import numpy as np

# Middle tones: readable on white and on black.
GREY, BLUE, ORANGE, GREEN, VIOLET, RED = "#8a8a8a", "#3f83d2", "#dd7f2c", "#3fa06a", "#a56bd0", "#d8505c"
COLOURS = (BLUE, ORANGE, GREEN, VIOLET, RED)


# The plotter: figures of panels, panels of curves.


@dataclass
class Axis:
    label: str
    lower: float
    upper: float
    log: bool = False

    def place(self, x):
        """Where x lies between the ends: 0 ... 1."""
        if self.log:
            return np.log(np.asarray(x) / self.lower) / math.log(self.upper / self.lower)
        return (np.asarray(x) - self.lower) / (self.upper - self.lower)

    def ticks(self, wanted=7):
        if self.log:
            first, last = round(math.log10(self.lower)), round(math.log10(self.upper))
            return [10.0**power for power in range(first, last + 1)]
        raw = (self.upper - self.lower) / wanted
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
        first, last = math.ceil(self.lower / step - 1e-9), math.floor(self.upper / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


@dataclass
class Curve:
    x: object
    y: object
    colour: str
    name: str = ""  # in the legend; none if empty
    width: float = 1.6
    line: bool = True
    dots: bool = False


@dataclass
class Panel:
    x: Axis
    y: Axis
    curves: list
    height: int = 240
    legend: str = "right"  # left, right or none; "right bottom" puts it below
    levels: list = field(default_factory=list)  # horizontal lines


WIDTH, LEFT, RIGHT, TOP, BOTTOM, LINE = 640, 62, 20, 14, 44, 17


def number(x):
    """At most two decimals, no trailing zeros, no minus zero."""
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tick_text(x, log):
    if log:
        power = round(math.log10(x))
        return f"{x:g}" if -3 < power < 4 else f"1e{power}"
    return "0" if abs(x) < 1e-12 else f"{x:.6g}".replace("-", "−")


def text(x, y, words, anchor="middle", turned=False):
    turn = f' transform="rotate(-90 {number(x)} {number(y)})"' if turned else ""
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"{turn}>{escape(words)}</text>'


def draw_axes(panel, left, top, width):
    """Frame, ticks and labels."""
    bottom, out = top + panel.height, []
    for tick in panel.x.ticks():
        x = left + width * float(panel.x.place(tick))
        out.append(f'<path d="M{number(x)} {number(bottom)}v4"/>')
        out.append(text(x, bottom + 17, tick_text(tick, panel.x.log)))
    for tick in panel.y.ticks(max(2, panel.height // 36)):
        y = bottom - panel.height * float(panel.y.place(tick))
        out.append(f'<path d="M{number(left)} {number(y)}h-4"/>')
        out.append(text(left - 8, y + 4, tick_text(tick, panel.y.log), "end"))
    for level in panel.levels:
        y = bottom - panel.height * float(panel.y.place(level))
        out.append(f'<path d="M{number(left)} {number(y)}h{number(width)}" stroke-dasharray="3 3"/>')
    out.append(f'<rect x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(panel.height)}"/>')
    out.append(text(left + width / 2, bottom + 35, panel.x.label))
    out.append(text(left - 46, top + panel.height / 2, panel.y.label, turned=True))
    return out


def points_of(curve, panel, left, top, width):
    """Pixels, rounded, of increasing x; what lies outside the frame is left out or cut off near it."""
    across, up = panel.x.place(curve.x), panel.y.place(curve.y)
    first, last = np.searchsorted(across, 0, "right") - 1, np.searchsorted(across, 1, "left") + 1
    near = slice(max(first, 0), last)
    x, y = left + width * across[near], top + panel.height * (1 - np.clip(up[near], -3, 4))
    return [f"{number(a)} {number(b)}" for a, b in zip(x, y)]


def draw_curve(curve, points):
    out = []
    if curve.line:
        out.append(f'<path d="M{"L".join(points)}" stroke="{curve.colour}" stroke-width="{number(curve.width)}"/>')
    if curve.dots:
        # A segment of length zero with round ends is a dot.
        out.append(f'<path d="M{"h0M".join(points)}h0" stroke="{curve.colour}" stroke-width="4.2"/>')
    return out


def draw_legend(panel, left, top, width):
    named = [curve for curve in panel.curves if curve.name]
    if panel.legend == "none" or not named:
        return []
    longest = max(len(curve.name) for curve in named)
    x = left + 12 if "left" in panel.legend else left + width - 12 - 30 - 6.6 * longest
    y = top + 18 if "bottom" not in panel.legend else top + panel.height - 12 - LINE * (len(named) - 1)
    out = []
    for curve in named:
        ends = [f"{number(x)} {number(y - 4)}", f"{number(x + 22)} {number(y - 4)}"]
        out += draw_curve(curve, ends if curve.line else [f"{number(x + 11)} {number(y - 4)}"])
        out.append(text(x + 30, y, curve.name, "start"))
        y += LINE
    return out


def figure(title, panels):
    """Panels one below the other, as the text of an SVG file."""
    height = sum(panel.height + TOP + BOTTOM for panel in panels)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12" fill="none" stroke="{GREY}" stroke-linecap="round" '
        'stroke-linejoin="round">',
        f"<title>{escape(title)}</title>",
        f"<style>text{{fill:{GREY};stroke:none}}</style>",
    ]
    top, width = TOP, WIDTH - LEFT - RIGHT
    for index, panel in enumerate(panels):
        frame = f'<rect x="{LEFT}" y="{top}" width="{width}" height="{panel.height}"/>'
        out.append(f'<clipPath id="panel{index}">{frame}</clipPath>')
        out += draw_axes(panel, LEFT, top, width)
        out.append(f'<g clip-path="url(#panel{index})">')
        for curve in panel.curves:
            out += draw_curve(curve, points_of(curve, panel, LEFT, top, width))
        out += ["</g>", *draw_legend(panel, LEFT, top, width)]
        top += panel.height + TOP + BOTTOM
    return "\n".join([*out, "</svg>", ""])


# Runs of the program.


class Refused(Exception):
    pass


def columns(lines):
    rows = list(csv.reader(lines))
    return {name: np.array(values, dtype=float) for name, values in zip(rows[0], zip(*rows[1:]))}


def command(program, verb, *options):
    """What the program prints."""
    done = subprocess.run([str(program), verb, *options], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise Refused(done.stderr.strip())
    if done.returncode != 0:
        raise RuntimeError(f"{verb} {' '.join(options)}: {done.stderr.strip()}")
    return done.stdout


def run(program, scenario, *options):
    """The columns of the CSV file of a run."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.csv"
        command(program, "run", scenario, *options, "-o", str(file))
        return columns(file.read_text().splitlines())


def account(program, scenario, *options):
    """Where the energy of a run went."""
    return json.loads(command(program, "run", scenario, *options, "--no-output", "--json"))["energy"]


def sweep(program, scenario, *settings):
    """The columns of the CSV file of a sweep."""
    options = [word for setting in settings for word in ("--set", setting)]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sweep.csv"
        command(program, "sweep", scenario, *options, "-o", str(file.with_suffix(".h5")), "--csv", str(file))
        return columns(file.read_text().splitlines())


def schemes(program):
    """Names, and whether the scheme chooses its steps."""
    listing = subprocess.run([str(program), "schemes", "--json"], capture_output=True, text=True, check=True).stdout
    return {entry["name"]: entry["chooses_steps"] for entry in json.loads(listing)}


def settings(**parameters):
    return [word for name, value in parameters.items() for word in ("--set", f"scheme.{name}={value}")]
