#!/usr/bin/env python3
"""What Python costs.

    PYTHONPATH=build/python RICOCHET=build/ricochet python3 bench/python_bench.py

1. A million steps of a formula model, all of them recorded, against the program that writes the same to a file: the time
   that each reports for its loop, and the time from start to end.
2. Models of Python functions against the cost of their functions alone: the functions are called as often, with the same
   kinds of arguments, from a loop in Python. The bar is 20 % above that.

Times are the least of some repetitions.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

import ricochet as rc

REPEAT = 5


def least(work):
    """CPU time, which other programs on the machine do not change."""
    best = float("inf")
    for _ in range(REPEAT):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def formula_model():
    """Loop and whole, in seconds: from Python, and by the program."""
    program = os.environ.get("RICOCHET", "build/ricochet")
    loops, whole = [], []
    for _ in range(REPEAT):
        begin = time.perf_counter()
        sol = rc.run("gallery:bouncing-ball", step=3e-6)
        whole.append(time.perf_counter() - begin)
        loops.append(sol.statistics.seconds)
        assert sol.statistics.steps == 1_000_000
    print(f"formula model, 1e6 steps   python   loop {min(loops):.3f} s, whole {min(whole):.3f} s")
    with tempfile.TemporaryDirectory() as folder:
        for ending, options in (("h5", ["-o", "ball.h5"]), ("none", ["--no-output"])):
            loops, whole = [], []
            for _ in range(REPEAT):
                begin = time.perf_counter()
                command = [pathlib.Path(program).resolve(), "run", "gallery:bouncing-ball", "--step", "3e-6", "--json", *options]
                result = subprocess.run(command, cwd=folder, capture_output=True, check=True)
                whole.append(time.perf_counter() - begin)
                loops.append(json.loads(result.stdout)["seconds"])
            what = "to a file" if ending == "h5" else "keeps nothing"
            print(f"                           program  loop {min(loops):.3f} s, whole {min(whole):.3f} s ({what})")


class Counter:
    """A function that counts its calls."""

    def __init__(self, function):
        self.function, self.calls, self.arguments = function, 0, None

    def __call__(self, *arguments):
        self.calls += 1
        self.arguments = arguments
        return self.function(*arguments)


def loop(function, arguments, calls):
    """The function so many times, from a loop in Python; what the empty loop takes is small beside it."""
    for _ in range(calls):
        function(*arguments)


def measured(name, make, q0, v0, h, scheme, until):
    functions = make()
    counters = {key: Counter(item) if callable(item) else item for key, item in functions.items()}

    def model(parts):
        parts = dict(parts)
        contact = {key: parts.pop(key) for key in ("gap", "gradient", "time_derivative", "restitution")}
        return rc.Model(len(q0), constraints=[rc.Constraint("floor", **contact)], **parts)

    def run(parts):
        return rc.simulate(model(parts), (0, until), q0, v0, scheme=scheme, h=h, record_every=0)

    run(counters)
    total = least(lambda: run(functions))
    used = {key: item for key, item in counters.items() if isinstance(item, Counter) and item.calls}
    alone = least(lambda: [loop(item.function, item.arguments, item.calls) for item in used.values()])
    calls = ", ".join(f"{key} {item.calls}" for key, item in used.items())
    print(f"{name:40} {scheme:12} {total:.3f} s, functions alone {alone:.3f} s: {100 * (total / alone - 1):+.1f} %   ({calls})")


def ball():
    """The cheapest functions there are: each costs less than a microsecond."""
    return dict(
        mass=[[1.0]],
        force=lambda t, q, v: (-9.81 - 0.01 * v[0],),
        stiffness=[[0.0]],
        damping=[[0.01]],
        gap=lambda t, q: q[0],
        gradient=[1.0],
        time_derivative=0.0,
        restitution=0.9,
    )


def ball_with_arrays():
    """The same with results as arrays."""
    return {
        **ball(),
        "force": lambda t, q, v: np.array([-9.81 - 0.01 * v[0]]),
        "gap": lambda t, q: np.array([q[0]]),
        "gradient": lambda t, q: np.array([[1.0]]),
    }


def ball_by_differences():
    return {**ball(), "stiffness": None, "damping": None, "gradient": None}


def pendulum():
    """What people write: arrays and functions of numpy."""
    return dict(
        mass=lambda t, q: np.array([[2.0, np.cos(q[0] - q[1])], [np.cos(q[0] - q[1]), 1.0]]),
        force=lambda t, q, v: np.array(
            [-np.sin(q[0] - q[1]) * v[1] ** 2 - 19.62 * np.sin(q[0]), np.sin(q[0] - q[1]) * v[0] ** 2 - 9.81 * np.sin(q[1])]
        ),
        stiffness=lambda t, q, v: np.array([[19.62 * np.cos(q[0]), 0.0], [0.0, 9.81 * np.cos(q[1])]]),
        damping=np.zeros((2, 2)),
        gap=lambda t, q: 0.5 + np.sin(q[0]) + np.sin(q[1]),
        gradient=lambda t, q: np.cos(q),
        time_derivative=0.0,
        restitution=0.5,
        potential=lambda t, q: -19.62 * np.cos(q[0]) - 9.81 * np.cos(q[1]),
    )


def main():
    formula_model()
    for scheme in ("moreau-jean", "event-driven"):
        step, until = (1e-4, 4.0) if scheme == "moreau-jean" else (1e-2, 40.0)
        measured("ball, plain Python", ball, [1.0], [0.0], step, scheme, until)
        measured("ball, arrays", ball_with_arrays, [1.0], [0.0], step, scheme, until)
        measured("ball, derivatives by differences", ball_by_differences, [1.0], [0.0], step, scheme, until)
        measured("double pendulum, numpy", pendulum, [1.0, 1.0], [0.0, 0.0], step, scheme, until / 4)


if __name__ == "__main__":
    main()
