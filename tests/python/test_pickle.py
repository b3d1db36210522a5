"""Models and solutions go through pickle: to files, and to other processes."""

import pickle

import numpy as np
import pytest
import ricochet as rc


def ball():
    floor = rc.Constraint("floor", gap="x", restitution=0.9)
    return rc.Lagrangian(["x"], "m*x_dot^2/2", "m*g*x", [floor], {"m": 1, "g": 9.81})


def square(t, q, v):
    return -(q**3)


def test_solutions():
    sol = rc.simulate(ball(), (0, 2), q0=[1.0], scheme="event-driven", h=0.1)
    again = pickle.loads(pickle.dumps(sol))
    for name, values in sol.columns().items():
        assert np.array_equal(values, again[name]), name
    assert (again.impacts == sol.impacts).all() and again.notes == sol.notes
    assert (again.ledger, again.statistics, again.h) == (sol.ledger, sol.statistics, sol.h)
    assert again.scenario == sol.scenario and again.title == sol.title and repr(again) == repr(sol)


@pytest.mark.parametrize(
    "model",
    [
        ball(),
        rc.Linear(np.eye(2), K=[[2.0, -1.0], [-1.0, 2.0]]),
        rc.Model(["x"], mass=np.eye(1), force=square),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models(model):
    again = pickle.loads(pickle.dumps(model))
    n = len(model.coordinates)
    assert repr(again) == repr(model)
    runs = [rc.simulate(one, (0, 1), q0=np.full(n, 0.5), h=1e-2) for one in (model, again)]
    assert np.array_equal(runs[0].q, runs[1].q)


def test_the_step_is_never_that_of_the_last_run():
    model = ball()
    rc.simulate(model, (0, 1), q0=[1.0], h=1e-2)
    with pytest.raises(rc.InputError, match="h: the step is missing: a positive number; that of the last run was h=0.01"):
        rc.simulate(model, (0, 1), q0=[1.0])
