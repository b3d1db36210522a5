"""Friction in models from formulas, matrices and functions."""

import h5py
import numpy as np
import pytest

import ricochet as rc

BELT = dict(t_span=(0, 3), q0=[0.0], v0=[0.5], h=1e-3)


def test_dry_friction_three_ways():
    """A mass on a belt: it sticks until the spring pulls with the limit at t = 1.2, then it slips."""
    formulas = rc.Lagrangian(["x"], "x_dot^2/2", "x^2/2", frictions=[rc.Friction("belt", "x_dot - 0.5", 0.6)])
    rows = rc.Linear([[1.0]], K=[[1.0]], frictions=[rc.Friction("belt", slip={0: 1.0}, slip_offset=-0.5, limit=0.6)])
    loaded = rc.Linear(
        [[1.0]], K=[[1.0]], load=lambda t: [0.0], frictions=[rc.Friction("belt", slip=[1.0], slip_offset="-0.5", limit="0.6")]
    )
    function = rc.Friction("belt", slip=lambda t, q, v: v[0] - 0.5, limit=0.6)
    functions = rc.Model(["x"], [[1.0]], lambda t, q, v: -q, frictions=[function], potential=lambda t, q: q[0] ** 2 / 2)
    given = rc.Friction("belt", slip=lambda t, q, v: v[0] - 0.5, limit=lambda t, q: 0.6, gradient=[[1.0]], drift=-0.5)
    more = rc.Model(["x"], [[1.0]], lambda t, q, v: -q, frictions=[given])
    exact = rc.simulate(formulas, **BELT)
    assert exact["x"][1000] == pytest.approx(0.5, abs=1e-12) and exact["x_dot"][-1] < 0.4
    for model in (formulas, rows, loaded, functions, more):
        assert model.frictions == ("belt",) and "friction: belt" in repr(model)
        sol = rc.simulate(model, **BELT)
        assert sol.status == "completed" and sol.slips == ("belt.slip",)
        assert np.allclose(sol.q, exact.q, rtol=0, atol=1e-9)
        assert sol.ledger.friction == pytest.approx(exact.ledger.friction, abs=1e-9)


def disk(floor, kind=rc.Lagrangian):
    if kind is rc.Lagrangian:
        return rc.Lagrangian(["x", "y", "a"], "(x_dot^2 + y_dot^2)/2 + 0.01*a_dot^2", "9.81*y", [floor])
    M, force = np.diag([1, 1, 0.02]), [0, -9.81, 0]
    if kind is rc.Linear:
        return rc.Linear(M, load=force, constraints=[floor], coordinates=["x", "y", "a"])
    return rc.Model(["x", "y", "a"], M, lambda t, q, v: force, [floor])


def test_contact_three_ways():
    """A disk with back spin: its first impact slides, P_T = -μ P_N."""
    contact = dict(restitution=0.5, friction=0.15)
    floor = rc.Constraint("floor", "y - 0.2", slip="x_dot - 0.2*a_dot", **contact)
    row = rc.Constraint("floor", normal={"y": 1.0}, offset=-0.2, slip={"x": 1.0, "a": -0.2}, **contact)
    function = rc.Constraint("floor", lambda t, q: q[1] - 0.2, slip=lambda t, q, v: v[0] - 0.2 * v[2], **contact)
    stop = rc.Stop("y", lower=0.2, name="floor", slip=[1.0, 0.0, -0.2], **contact)
    start = dict(t_span=(0, 0.6), q0=[0.0, 1.2, 0.0], v0=[3.0, 0.0, -10.0], h=1e-3)
    exact = rc.simulate(disk(floor), **start)
    assert exact.impacts["friction_impulse"][0] == pytest.approx(-0.15 * exact.impacts["impulse"][0], rel=1e-12)
    for model in (disk(row, rc.Linear), disk(function, rc.Model), disk(stop, rc.Linear)):
        sol = rc.simulate(model, **start)
        assert np.allclose(sol.q, exact.q, rtol=0, atol=1e-6), model
        assert rc.SLIP_STATUSES[sol.impacts["status"][0]] == "slide"


def test_functions_in_space():
    table = rc.Constraint("table", lambda t, q: q[2], 0.0, friction=0.2, slip=lambda t, q, v: v[:2], slips=2)
    model = rc.Model(3, np.eye(3), lambda t, q, v: [0, 0, -10.0], [table])
    sol = rc.simulate(model, (0, 1), [0, 0, 0], [3.0, 4.0, 0.0], h=1e-2)
    assert np.allclose(sol.v[-1], [3.0 - 1.2, 4.0 - 1.6, 0.0], rtol=0, atol=1e-9)
    assert sol.slips == ("table.slip.1", "table.slip.2")


def test_formulas_in_space():
    table = rc.Constraint("table", "z", 0.0, friction=0.2, slip=["x_dot", "y_dot"])
    model = rc.Lagrangian(["x", "y", "z"], "(x_dot^2 + y_dot^2 + z_dot^2)/2", "10*z", [table])
    sol = rc.simulate(model, (0, 1), [0, 0, 0], [3.0, 4.0, 0.0], h=1e-2)
    assert np.allclose(sol.v[-1], [1.8, 2.4, 0.0], rtol=0, atol=1e-9)


def test_no_friction_is_none():
    floor = rc.Constraint("floor", lambda t, q: q[0], 0.5, friction=0.0, slip=lambda t, q, v: v[1])
    assert rc.Model(2, np.eye(2), lambda t, q, v: [-1, 0], [floor]).frictions == ()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: rc.Lagrangian(["x"], "x_dot^2/2", constraints=[rc.Constraint("w", "x", 0, friction=0.1)]), "slip: is missing"),
        (lambda: disk(rc.Constraint("w", lambda t, q: q[1], 0, friction=0.1), rc.Model), "slip: is missing"),
        (lambda: disk(rc.Constraint("w", lambda t, q: q[1], 0, slip=lambda t, q, v: v), rc.Model), "goes with friction"),
        (lambda: disk(rc.Constraint("w", "y", 0, friction=0.1, slip=lambda t, q, v: v[0])), "functions are for ricochet.Model"),
        (lambda: rc.Model(1, [[1]], lambda t, q, v: q, frictions=[rc.Friction("b", "q0_dot", 1)]), "must be a function"),
        (lambda: rc.Model(1, [[1]], lambda t, q, v: q, frictions=[rc.Friction("b", lambda t, q, v: v)]), "limit: is missing"),
        (lambda: rc.Model(1, [[1]], lambda t, q, v: q, frictions=[rc.Friction("b", lambda t, q, v: v, -1)]), "at least 0"),
        (lambda: rc.Model(1, [[1]], lambda t, q, v: q, frictions=["b"]), "must be a list of ricochet.Friction"),
        (lambda: rc.Model(1, [[1]], lambda t, q, v: q, frictions=[rc.Friction("b", lambda t, q, v: v, 1, rows=3)]), "two in space"),
    ],
)
def test_sentences(make, words):
    with pytest.raises(rc.InputError, match=words):
        make()


def test_the_hardest_problems_are_written(tmp_path):
    sol = rc.run("gallery:woodpecker", until=0.05, output=tmp_path / "bird.h5", dump_problems=2)
    assert [problem["file"] for problem in sol.problems] == [str(tmp_path / f"bird-problem-{k}.hdf5") for k in (1, 2)]
    for problem in sol.problems:
        with h5py.File(problem["file"]) as file:
            assert problem["contacts"] == len(file["fclib_local/vectors/mu"])
        assert problem["status"] == "solved" and problem["residual"] < 1e-12 and 0.0 <= problem["t"] <= 0.05
    floor = rc.Constraint("floor", "y", restitution=0.0, friction=0.5, slip="x_dot")
    block = rc.Lagrangian(["x", "y"], "(x_dot^2 + y_dot^2)/2", "9.81*y - 2*x", [floor])
    sol = rc.simulate(block, (0, 0.1), [0.0, 0.0], h=0.01, output=tmp_path / "block.csv", dump_problems=1)
    assert sol.problems[0]["contacts"] == 1 and (tmp_path / "block-problem-1.hdf5").exists()
    assert rc.run("gallery:incline", until=0.1).problems == []
    with pytest.raises(rc.InputError, match="dump_problems: needs output"):
        rc.run("gallery:incline", dump_problems=1)
    with pytest.raises(rc.InputError, match="dump_problems: must be a whole number"):
        rc.run("gallery:incline", output=tmp_path / "a.h5", dump_problems=-1)
