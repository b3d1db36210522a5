"""Pictures of docs/benchmark.md: work against precision, and the energy of a bar over time."""
import json
import subprocess

from plotter import BLUE, GREEN, GREY, ORANGE, RED, VIOLET, Axis, Curve, Panel, figure, run, settings

SCHEMES = ["moreau-jean", "moreau-jean-adaptive", "splitting", "event-driven", "mannshardt", "penalty"]
BAR = [
    ("moreau-jean, θ = ½", "moreau-jean", {"theta": 0.5}),
    ("moreau-jean, θ = 1", "moreau-jean", {"theta": 1}),
    ("hht, α = 0.1", "hht", {"alpha": 0.1}),
    ("generalized-alpha, ρ∞ = 0.8", "generalized-alpha", {"rho_infinity": 0.8}),
]


def work_precision_picture(program):
    """Error of q against evaluations of the force: what does not depend on the machine."""
    options = ["compare", "gallery:impact-oscillator", "--schemes", ",".join(SCHEMES), "--json"]
    done = subprocess.run([str(program), *options], capture_output=True, text=True, check=True)
    curves = []
    for name, colour in zip(SCHEMES, (BLUE, ORANGE, GREEN, RED, VIOLET, GREY)):
        points = [point for point in json.loads(done.stdout)["schemes"][name] if "failure" not in point and point["error"] > 0]
        points.sort(key=lambda point: point["force_evaluations"])
        curves.append(Curve([p["force_evaluations"] for p in points], [p["error"] for p in points], colour, name, 1.2, dots=True))
    panel = Panel(Axis("evaluations of the force", 10, 1e7, log=True), Axis("error of q", 1e-16, 1, log=True), curves, 330, "right")
    return figure("Work and precision on the impact oscillator", [panel])


def bar_energy_picture(program):
    """What schemes dissipate by themselves in an elastic bar that hits a wall."""
    curves = []
    for (label, name, parameters), colour in zip(BAR, (BLUE, ORANGE, GREEN, VIOLET)):
        bar = run(program, "gallery:elastic-bar", "--scheme", name, *settings(**parameters))
        curves.append(Curve(bar["t"], bar["energy.total"] / bar["energy.total"][0], colour, label, 1.4))
    end = float(curves[0].x[-1])
    panel = Panel(Axis("t", 0, end), Axis("energy / that at the start", 0.5, 1.05), curves, 260, "left bottom", [1])
    return figure("Energy of a bar that hits a wall", [panel])


BENCHMARK = {"work-precision": work_precision_picture, "bar-energy": bar_energy_picture}
