"""rc.orbit and rc.continue_orbit."""

import numpy as np
import pytest

import ricochet as rc

OSCILLATOR = {
    "model": {
        "coordinates": ["x"],
        "parameters": {"A": 1.0},
        "kinetic": "x_dot^2/2",
        "potential": "x^2/2",
        "dissipation": "0.05*x_dot^2",
        "force": {"x": "A*cos(t)"},
        "constraint": [{"name": "stop", "gap": "1 - x", "restitution": 0.8}],
    },
    "initial": {"q": {"x": 0.0}},
    "time": {"until": 100.0, "step": 0.01},
    "orbit": {"period": "2*pi"},
}


def test_orbit():
    orbit = rc.orbit(OSCILLATOR)
    assert orbit.period == pytest.approx(2 * np.pi, abs=1e-13) and orbit.stable and orbit.admissible
    assert orbit.impacts[0]["rate_plus"] == pytest.approx(1.35658635007591, abs=1e-12)
    assert np.prod(orbit.multipliers) == pytest.approx(0.64 * np.exp(-0.2 * np.pi), abs=1e-12)
    assert orbit.q.shape == orbit.v.shape == (1,)
    assert "stable" in repr(orbit)


def test_branches():
    found = rc.continue_orbit(OSCILLATOR, "model.parameters.A", (0.05, 1.2))
    (branch,) = found.branches
    assert branch["multipliers"].shape == (len(branch["parameter"]), 2)
    fold = next(point for point in found.points if point["kind"] == "fold")
    assert fold["parameter"] == pytest.approx(0.0999707536283, abs=1e-11)
    assert branch["parameter"][fold["index"]] == fold["parameter"]


def test_sweep_behind_branches(tmp_path):
    key, swept = "model.parameters.A", tmp_path / "swept.h5"
    sweep = {"transient": 300.0, "duration": 20.0, "record": "stroboscopic", "period": "2*pi"}
    rc.sweep(OSCILLATOR, {key: {"range": [0.5, 1.0], "count": 3}}, **sweep, scheme="event-driven", output=swept)
    output = tmp_path / "branches.h5"
    found = rc.continue_orbit(OSCILLATOR, key, (0.4, 1.2), sweep=swept, output=output)
    behind = next(series for series in found.page["plots"][0]["series"] if series["name"] == "sweep")
    assert behind["dots"] and set(behind["x"]) == {0.5, 0.75, 1.0}
    (branch,) = found.branches
    on_branch = np.interp(behind["x"], branch["parameter"], branch["q"][:, 0])
    np.testing.assert_allclose(behind["y"], on_branch, atol=1e-3)
    assert branch["rms"].shape == branch["q"].shape
    circle = found.page["details"][0]["plots"][-1]  # what a click on a point shows
    assert circle["same_scale"] and all(abs(x) <= 2 for series in circle["series"] for x in series["x"] if x is not None)
    # Nothing is left beside the result, which the page can be made from again.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["branches.h5", "swept.h5"]
    with pytest.raises(rc.InputError, match="not the result of a sweep"):
        rc.continue_orbit(OSCILLATOR, key, (0.4, 1.2), sweep=output)
    with pytest.raises(rc.InputError):
        rc.continue_orbit(OSCILLATOR, key, (0.4, 1.2), sweep=swept, output=swept)


def test_curves():
    """x'' + 0.1 x' + b x = A cos t just reaches the stop at 1: A = |b - 1 + 0.1 i|."""
    model = {**OSCILLATOR["model"], "parameters": {"A": 0.1, "b": 1.3}, "potential": "b*x^2/2"}
    plane = {"second": "model.parameters.b", "second_range": (1.1, 1.5)}
    found = rc.continue_orbit({**OSCILLATOR, "model": model}, "model.parameters.A", (0.05, 0.6), **plane)
    (curve,) = found.curves
    assert curve["kind"] == "grazing" and len(curve["first"]) > 20
    np.testing.assert_allclose(curve["first"], np.hypot(curve["second"] - 1, 0.1), rtol=0, atol=1e-8)


def test_refused():
    with pytest.raises(rc.ScenarioError, match="must hold the value"):
        rc.continue_orbit(OSCILLATOR, "model.parameters.A", (2.0, 3.0))
    with pytest.raises(rc.Error, match="comes to rest"):
        rc.orbit({**OSCILLATOR, "model": {**OSCILLATOR["model"], "force": {}}, "orbit": {}}, set={"time.until": 400.0})
