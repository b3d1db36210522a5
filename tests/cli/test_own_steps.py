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
