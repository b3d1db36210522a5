"""Ctrl-C, progress, and handlers of the user's own: each in a process of its own."""

import subprocess
import sys
import textwrap
import warnings

import pytest

import ricochet as rc
from conftest import fly

HEAD = """
import os, signal, sys, threading, time, warnings
import numpy as np
import ricochet as rc

warnings.simplefilter("ignore", rc.RunWarning)
ball = rc.Lagrangian(["x"], "x_dot^2/2", "9.81*x", [rc.Constraint("floor", gap="x", restitution=0.9)])

def later(seconds=0.5, count=1):
    # Sends Ctrl-C to this process from outside of the computation.
    def send():
        for _ in range(count):
            time.sleep(seconds)
            os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()

def long_run(model=ball, **options):
    options = {"t_span": (0, 1e6), "q0": [1.0], "h": 1e-3, "record_every": 1000, **options}
    return rc.simulate(model, **options)
"""


def script(text, code=0):
    command = [sys.executable, "-c", HEAD + textwrap.dedent(text)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert result.returncode == code, result.stdout + result.stderr
    return result


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
def test_ctrl_c_returns_what_there_is(scheme):
    result = script(f"""
        later()
        begin = time.time()
        sol = long_run(scheme="{scheme}")
        print(sol.status, 1 < len(sol) < 1e6, sol.t[-1] < 1e6, time.time() - begin < 300)
        print(sol.ledger.final <= sol.ledger.initial, np.isfinite(sol.q).all())
        # Ctrl-C is Python's again.
        try:
            later(0.1)
            time.sleep(20)
        except KeyboardInterrupt:
            print("raised")
    """)
    assert result.stdout.split() == ["interrupted", "True", "True", "True", "True", "True", "raised"]


def test_inside_one_interval():
    """A scheme with its own steps, one long interval: the flag is seen between two of its steps."""
    result = script("""
        elastic = rc.Lagrangian(["x"], "x_dot^2/2", "9.81*x", [rc.Constraint("floor", gap="x", restitution=1.0)])
        later()
        sol = long_run(elastic, scheme="event-driven", t_span=(0, 1e8), h=1e8, record_every=1)
        print(sol.status, len(sol) >= 1)
    """)
    assert result.stdout.split() == ["interrupted", "True"]


def test_raise_signal_from_a_function():
    result = script("""
        sent = []
        def force(t, q, v):
            if t > 0.5 and not sent:
                sent.append(t)
                signal.raise_signal(signal.SIGINT)
            return [-9.81]
        sol = rc.simulate(rc.Model(["x"], 1.0, force), (0, 1e3), [0.0], h=1e-3)
        print(sol.status, abs(sol.t[-1] - 0.5) < 0.01)
    """)
    assert result.stdout.split() == ["interrupted", "True"]


def test_second_ctrl_c_ends_a_function_that_hangs():
    script("""
        def force(t, q, v):
            if t > 0.5:
                time.sleep(20)
            return [-9.81]
        later(0.5, 2)
        try:
            rc.simulate(rc.Model(["x"], 1.0, force), (0, 1e3), [0.0], h=1e-3)
        except KeyboardInterrupt:
            sys.exit(7)
    """, code=7)


def test_runs_in_other_threads_are_left_alone():
    result = script("""
        out = []
        thread = threading.Thread(target=lambda: out.append(long_run(t_span=(0, 3000))))
        thread.start()
        try:
            later(0.2)
            time.sleep(20)
        except KeyboardInterrupt:
            print("raised")
        thread.join()
        print(out[0].status)
    """)
    assert result.stdout.split() == ["raised", "completed"]


def test_own_handler_is_called():
    script("""
        class Stop(Exception):
            pass
        def handler(number, frame):
            raise Stop
        signal.signal(signal.SIGINT, handler)
        later()
        try:
            long_run()
        except Stop:
            sys.exit(9 if signal.getsignal(signal.SIGINT) is handler else 1)
    """, code=9)


def test_signals_are_served_while_it_runs():
    """The user's own handler is called during the run, not after it."""
    result = script("""
        seen = []
        signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
        later()
        sol = long_run(progress=lambda step, steps: False if seen else None)
        print(len(seen), sol.status)
    """)
    assert result.stdout.split() == ["1", "interrupted"]


def test_studies_are_interrupted():
    """By Ctrl-C from a function that is told of the first run: the others are not run."""
    result = script("""
        sent = []
        def progress(done, all):
            if not sent:
                sent.append(done)
                signal.raise_signal(signal.SIGINT)
        options = dict(t_span=(0, 200), q0=[1.0], reference="mannshardt", h=1e-2, window=(0, 1), threads=1)
        study = rc.converge(ball, ["moreau-jean"], [4e-4, 2e-4, 1e-4], progress=progress, **options)
        print(study.interrupted)
    """)
    assert result.stdout.split() == ["True"]


def test_references_are_interrupted():
    """Of a million seconds: there is no study yet that could be returned."""
    result = script("""
        later()
        try:
            rc.converge(ball, ["moreau-jean"], [4e-2, 2e-2], t_span=(0, 1e6), q0=[1.0], reference="mannshardt", h=1e-2)
        except KeyboardInterrupt as error:
            print(error)
    """)
    assert result.stdout.strip() == "interrupted: the reference was not finished"


def test_output_file_of_an_interrupted_run(tmp_path):
    result = script(f"""
        later()
        sol = long_run(output={str(tmp_path / "run.h5")!r})
        again = rc.load({str(tmp_path / "run.h5")!r})
        print(again.status, np.array_equal(again.q, sol.q))
    """)
    assert result.stdout.split() == ["interrupted", "True"]


# Progress.

def test_progress(ball):
    calls = []
    sol = fly(ball, until=300, record_every=0, progress=lambda *arguments: calls.append(arguments))
    assert sol.status == "completed" and calls
    assert all(0 < step <= steps == 300000 for step, steps in calls)
    assert [step for step, _ in calls] == sorted(step for step, _ in calls) and calls[-1] == (300000, 300000)


def test_progress_may_end_the_run(ball):
    with pytest.warns(rc.RunWarning, match="interrupted at t = "):
        sol = fly(ball, until=1e6, record_every=1000, progress=lambda step, steps: False)
    assert sol.status == "interrupted" and sol.t[-1] < 1e6
    # Only False ends it, and the next run knows nothing of it.
    assert fly(ball, progress=lambda step, steps: 0).status == "completed"


def test_exception_in_progress(ball):
    def fails(step, steps):
        raise LookupError("here")

    with pytest.raises(LookupError, match="here"):
        fly(ball, until=1e6, progress=fails, record_every=0)
    with pytest.raises(LookupError, match="here"):
        rc.converge(ball, ["moreau-jean"], [1e-2, 5e-3], t_span=(0, 1), q0=[1.0], progress=fails)
    assert fly(ball).status == "completed"


def test_warnings_can_be_errors(ball):
    with warnings.catch_warnings():
        warnings.simplefilter("error", rc.RunWarning)
        with pytest.raises(rc.RunWarning):
            fly(ball, until=1e6, record_every=0, progress=lambda step, steps: False)
