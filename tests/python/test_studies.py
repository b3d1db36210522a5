"""check, converge and compare: the numbers of the command line, from scenarios and from models."""

import json
import math
import sys

import numpy as np
import pytest

import ricochet as rc
from conftest import make_ball
from test_solution import pyplot  # noqa: F401


def numbers(item):
    """Without None and NaN, which do not compare."""
    if isinstance(item, dict):
        return {key: numbers(one) for key, one in item.items()}
    if isinstance(item, (list, tuple, np.ndarray)):
        return [numbers(one) for one in item]
    return None if item is None or (isinstance(item, float) and math.isnan(item)) else item


def test_check_as_the_program_says(program):
    data = json.loads(program("check", "gallery:corner", "--json").stdout)
    result = rc.check("gallery:corner")
    assert result.continuous_dependence == data["continuous_dependence"] and result.conclusion == data["conclusion"]
    assert result.pairs == data["pairs"] and len(result.findings) == len(data["findings"])
    assert result.conclusion in str(result) and "<table" in result._repr_html_()


def test_check_of_a_model(ball):
    assert rc.check(ball, q0=[1.0]).continuous_dependence is True
    assert not rc.check(ball, q0=[-1.0]).start["admissible"]
    with pytest.raises(rc.InputError, match="q0: where does the motion start"):
        rc.check(make_ball())
    # After a run its start is known.
    rc.simulate(ball, (0, 1), [2.0], h=0.1)
    assert rc.check(ball).start["smallest_gap"] == 2.0
    abs_ = rc.Lagrangian(["x"], "x_dot^2/2", "abs(x)")
    assert rc.check(abs_, q0=[1.0]).nonsmooth == [{"field": "model.potential", "function": "abs"}]


STUDY = ["--schemes", "moreau-jean,moreau-jean:theta=1", "--steps", "0.04:4", "--window", "0:1.6", "--phases", "2"]


def test_converge_as_the_program_does(program):
    data = json.loads(program("converge", "gallery:lecture-ball", *STUDY, "--json").stdout)
    steps = [0.04, 0.02, 0.01, 0.005]
    study = rc.converge("gallery:lecture-ball", ["moreau-jean", rc.schemes.MoreauJean(theta=1)], steps, window=(0, 1.6), phases=2)
    assert study.steps.tolist() == steps == data["steps"] and not study.interrupted
    assert numbers(study.orders["moreau-jean"]) == data["orders"]["moreau-jean"]
    assert numbers(study.orders["moreau-jean:theta=1.0"]) == data["orders"]["moreau-jean:theta=1"]
    assert numbers(study.errors["moreau-jean"]) == data["errors"]["moreau-jean"]
    assert study.schemes == ("moreau-jean", "moreau-jean:theta=1.0") and "formulas" in study.reference


def test_converge_of_a_model(ball, tmp_path):
    rc.simulate(ball, (0, 3), [1.0], h=1e-3)
    study = rc.converge(ball, schemes=["moreau-jean", rc.schemes.Penalty, "moreau-inelastic"], steps=[4e-3, 2e-3, 1e-3])
    assert study.orders["moreau-jean"]["q_sup"] == pytest.approx(1.0, abs=0.2)
    assert "moreau-inelastic" in study.refused
    assert "event-driven" in study.reference
    study.save(tmp_path / "study.h5")
    study.report(tmp_path / "study.html")
    assert (tmp_path / "study.h5").stat().st_size > 1000 and "<html" in (tmp_path / "study.html").read_text()[:200].lower()
    assert "<table" in study._repr_html_() and "moreau-jean" in repr(study)


def test_references(ball, tmp_path):
    options = dict(t_span=(0, 1), q0=[1.0], phases=2, h=1e-3)
    exact = rc.simulate(ball, (0, 1), [1.0], scheme=rc.schemes.EventDriven(rtol=1e-12, atol=1e-13), h=1e-4)
    exact.save(tmp_path / "exact.h5")
    orders = [
        rc.converge(ball, ["moreau-jean"], [4e-3, 2e-3], reference=reference, **options).orders["moreau-jean"]["q_l1"]
        for reference in (None, "mannshardt", exact, tmp_path / "exact.h5")
    ]
    assert np.allclose(orders, orders[0], atol=0.02)
    other = rc.simulate(rc.Lagrangian(["y"], "y_dot^2/2"), (0, 1), [1.0], h=1e-2)
    with pytest.raises(rc.InputError, match="other coordinates"):
        rc.converge(ball, ["moreau-jean"], [4e-3], reference=other, **options)


def test_window_before_time_zero(ball):
    study = rc.converge(ball, ["moreau-jean"], [4e-3], t_span=(-2, -1), q0=[1.0], window=(-2, -1), phases=1, h=1e-3)
    assert study.data["window"] == [-2, -1] and study.errors["moreau-jean"]["q_sup"][0] > 0
    with pytest.raises(rc.InputError, match="window: must lie in the run, from -2 to -1, got -2:-0.5"):
        rc.converge(ball, ["moreau-jean"], [4e-3], t_span=(-2, -1), q0=[1.0], window=(-2, -0.5), h=1e-3)


def test_local_errors():
    study = rc.converge("gallery:lecture-ball", ["moreau-jean"], [0.01, 0.005], local=True)
    assert np.array(study.errors["moreau-jean"]["q"]).shape == (2, 16)


def test_compare(ball):
    study = rc.compare(ball, ["moreau-jean", "event-driven"], [4e-3, 2e-3], [1e-4, 1e-6], t_span=(0, 1), q0=[1.0], h=1e-3, phases=1)
    assert set(study.schemes) == {"moreau-jean", "event-driven"} and study.recommendation
    scenario = rc.compare("gallery:bouncing-ball", ["moreau-jean"], [4e-3, 2e-3], phases=1)
    assert "moreau-jean" in scenario.schemes and "Comparison" in repr(scenario)


def test_progress(ball):
    calls = []
    rc.converge(ball, ["moreau-jean"], [4e-3, 2e-3], t_span=(0, 1), q0=[1.0], progress=lambda *done: calls.append(done))
    assert calls[-1][0] == calls[-1][1] > 1


@pytest.mark.parametrize(
    "options, sentence",
    [
        (dict(steps=[1e-2, -1.0]), "steps: must be positive"),
        (dict(steps=["a"]), "steps: must be numbers"),
        (dict(schemes=["moro"]), "scheme"),
        (dict(window=(0, 5)), "window: must lie in the run"),
        (dict(phases=0), "phases: must be a whole number, 1 or more"),
        (dict(phases=99), "phases: must be 1 to 16, got 99"),
        (dict(phases=1001, local=True), "phases: must be 1 to 1000, got 1001"),
        (dict(reference="exact"), "a model has no known answer"),
        (dict(q0=None), "q0: where does the motion start"),
    ],
    ids=str,
)
def test_bad_requests(ball, options, sentence):
    with pytest.raises(rc.InputError, match=sentence):
        rc.converge(ball, **{**dict(schemes=["moreau-jean"], steps=[1e-2], t_span=(0, 1), q0=[1.0]), **options})


def test_scenarios_have_their_own_start():
    with pytest.raises(rc.InputError, match="a scenario has its own"):
        rc.converge("gallery:bouncing-ball", q0=[1.0])
    with pytest.raises(rc.InputError, match="accuracy: must be between"):
        rc.compare(make_ball(), ["moreau-jean"], [1e-2], t_span=(0, 1), q0=[1.0], accuracy=2.0)


def test_plots(pyplot, ball):  # noqa: F811
    study = rc.converge(ball, ["moreau-jean", "moreau"], [4e-3, 2e-3], t_span=(0, 1), q0=[1.0], phases=1)
    ax = study.plot().axes[0]
    assert len(ax.curves) == 2 and ax.labels["xscale"] == "log" and "order" in ax.curves[0][2]
    assert np.allclose(ax.curves[0][1], study.errors["moreau-jean"]["q_sup"])
    assert len(study.plots) > 3 and study.plot(len(study.plots) - 1)
    with pytest.raises(rc.InputError, match="number: must be 0 to"):
        study.plot(99)
    assert "matplotlib" in sys.modules
