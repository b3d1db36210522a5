"""Schemes that choose their steps: what a run says of them."""

import json

STATISTICS = ["steps", "accepted", "rejected", "newton_iterations", "force_evaluations", "contact_problems"]
ADAPTIVE = ("--scheme", "moreau-jean-adaptive", "--step", "0.1")


def test_statistics_of_own_steps(ricochet, ball):
    run = ricochet.json("run", ricochet.write(ball), *ADAPTIVE)
    statistics = run["statistics"]
    assert list(statistics) == STATISTICS
    assert statistics["steps"] == run["steps"] == 30
    assert statistics["accepted"] > 100 and statistics["rejected"] > 20
    assert statistics["newton_iterations"] == 3 * (statistics["accepted"] + statistics["rejected"])
    assert run["impacts"] == 4 and run["violation_max"] < 1e-9


def test_statistics_of_given_steps(ricochet, ball):
    statistics = ricochet.json("run", ricochet.write(ball))["statistics"]
    assert statistics["steps"] == statistics["accepted"] == 3000
    assert statistics["rejected"] == 0


def test_summary_of_own_steps(ricochet, ball):
    result = ricochet("run", ricochet.write(ball), *ADAPTIVE)
    assert result.returncode == 0 and result.stderr == ""
    line = result.stdout.splitlines()[2]
    assert "steps of its own" in line and "rejected" in line and "recorded every 0.1" in line


def test_without_violation_control_it_says_why_that_does_not_converge(ricochet, ball):
    result = ricochet("run", ricochet.write(ball), *ADAPTIVE, "--set", 'scheme.violation="off"')
    assert result.returncode == 0
    assert "note: violation control is off" in result.stderr and "does not converge" in result.stderr


def test_a_step_too_small_ends_the_run(ricochet, ball):
    smallest = ("--set", "scheme.smallest_step=1e-4")
    result = ricochet("run", ricochet.write(ball), *ADAPTIVE, *smallest, "--json")
    assert result.returncode == 3
    run = json.loads(result.stdout)
    assert run["status"] == "failed" and run["failure"]["kind"] == "step-too-small"
    assert abs(run["failure"]["t"] - (2 / 9.81) ** 0.5) < 1e-3
    assert "smaller than 0.0001" in run["failure"]["message"]
    assert run["t_end"] == run["failure"]["t"]


def test_a_million_steps_are_told_once(ricochet, ball):
    """A mass on a spring swings 160,000 times, in ten recording intervals."""
    text = ball.replace('"m*g*x"', '"m*w^2*(x - 1)^2/2"').replace("g = 9.81", "w = 1e6")
    scheme = '[scheme]\nname = "event-driven"\nflow = "runge-kutta"\n\n[time]'
    text = text.replace("x = 1.0", "x = 1.001").replace("[time]", scheme)
    name = ricochet.write(text)
    result = ricochet("run", name, "--until", "1", "--step", "0.1", "--no-output", "--json")
    run = json.loads(result.stdout)
    assert result.returncode == 0 and run["status"] == "completed" and run["t_end"] == 1
    told = [line for line in result.stderr.splitlines() if "over a million steps of its own, and goes on" in line]
    assert len(told) == 1 and told[0].startswith("note: a little after t = ")
    assert run["statistics"]["accepted"] > 1_000_000
