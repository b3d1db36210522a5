"""Joints in models from formulas, matrices and functions."""

import numpy as np
import pytest

import ricochet as rc

ROD = "x^2 + y^2 - L^2"
START = dict(q0=[0.6, -0.8], v0=[0.8, 0.6], h=1e-3)


def pendulum(joints=(rc.Joint("rod", ROD),), **changes):
    return rc.Lagrangian(["x", "y"], "(x_dot^2 + y_dot^2)/2", "9.81*y", parameters={"L": 1.0}, joints=joints, **changes)


def by_hand(**changes):
    joint = dict(name="rod", equation=lambda t, q: q @ q - 1.0)
    joint.update(changes)
    joints = [rc.Joint(**joint)]
    return rc.Model(["x", "y"], np.eye(2), lambda t, q, v: [0, -9.81], joints=joints, potential=lambda t, q: 9.81 * q[1])


def test_cartesian_pendulum():
    model = pendulum()
    assert model.joints == ("rod",) and "joints: rod" in repr(model)
    sol = rc.simulate(model, (0, 2), **START)
    assert sol.status == "completed"
    assert np.allclose(np.hypot(sol.q[:, 0], sol.q[:, 1]), 1.0, rtol=0, atol=1e-13)
    angle = rc.Lagrangian(["phi"], "phi_dot^2/2", "-9.81*cos(phi)")
    exact = rc.simulate(angle, (0, 2), [np.arctan2(0.6, 0.8)], [1.0], scheme="mannshardt", h=1e-2)
    assert sol.q[-1, 0] == pytest.approx(np.sin(exact.q[-1, 0]), abs=1e-5)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        dict(gradient=lambda t, q: [2 * q]),
        dict(gradient=lambda t, q: [2 * q], drift=0.0),
        dict(equation=None, rate=lambda t, q, v: 2 * q @ v),
    ],
)
def test_functions_as_formulas(changes):
    model = by_hand(**changes)
    assert model.joints == ("rod",)
    sol, exact = rc.simulate(model, (0, 1), **START), rc.simulate(pendulum(), (0, 1), **START)
    assert sol.status == "completed"
    assert np.allclose(sol.q, exact.q, rtol=0, atol=1e-5 if "rate" in changes else 1e-7)


def test_driven_functions():
    """Two rows in one function: a mass that is carried along a line."""
    carry = rc.Joint("carry", equation=lambda t, q: [q[0] - np.sin(t), q[1] - q[0]], rows=2)
    sol = rc.simulate(rc.Model(2, np.eye(2), lambda t, q, v: [0, 0], joints=[carry]), (0, 1), [0, 0], [1, 1], h=1e-2)
    assert np.allclose(sol.q, np.sin(sol.t)[:, None], rtol=0, atol=1e-9)


def test_rate_that_is_no_derivative():
    """Chaplygin's sleigh without its body: a blade goes where it points."""
    blade = rc.Joint("blade", rate="x_dot*sin(a) - y_dot*cos(a)")
    model = rc.Lagrangian(["x", "y", "a"], "(x_dot^2 + y_dot^2 + a_dot^2)/2", joints=[blade])
    sol = rc.simulate(model, (0, 3), [0, 0, 0], [1, 0, 1], h=1e-3)
    assert np.allclose(sol.q[-1], [np.sin(3), 1 - np.cos(3), 3], rtol=0, atol=1e-5)


def matrices():
    return np.eye(3), 50.0 * (2 * np.eye(3) - np.eye(3, k=1) - np.eye(3, k=-1))


def test_rows_and_coordinates():
    M, K = matrices()
    rod = rc.Joint("rod", normal=[0, 1, -1], offset=0.1)
    model = rc.Linear(M, K=K, joints=[rc.Joint("shaker", dof="q0", displacement="0.1*sin(5*t)"), rod])
    assert model.joints == ("rod", "shaker")
    sol = rc.simulate(model, (0, 1), [0, 0, 0.1], [0.5, 0, 0], h=1e-3)
    assert np.allclose(sol.q[:, 0], 0.1 * np.sin(5 * sol.t), rtol=0, atol=1e-13)
    assert np.allclose(sol.q[:, 1] - sol.q[:, 2], -0.1, rtol=0, atol=1e-13)
    loaded = rc.Linear(M, K=K, load=lambda t: [0, 0, 0], joints=[rc.Joint("rod", normal={1: 1, 2: -1}, offset=0.1)])
    formula = rc.Linear(M, K=K, joints=[rc.Joint("rod", equation="q1 - q2 + 0.1")])
    a, b = (rc.simulate(m, (0, 1), [0, 0, 0.1], h=1e-3) for m in (loaded, formula))
    assert a.status == b.status == "completed" and np.allclose(a.q, b.q, rtol=0, atol=1e-10)


def test_points():
    keys = dict(elements=8, length=1.0, young=1.0, area=1.0, density=1.0)
    bar = rc.Bar(joints=[rc.Joint("pin", at=0.5)], **keys)
    assert bar.joints == ("pin",)
    sol = rc.simulate(bar, (0, 1), np.linspace(-1, 1, 9), h=1e-2)
    assert np.allclose(sol.q[:, 4], 0.0, atol=1e-14)
    beam = rc.Beam(joints=[rc.Joint(at=1.0)], inertia=1.0, **keys)
    assert beam.joints == ("joint0",)


BAD = {
    "ricochet.Joint": lambda: pendulum(["rod"]),
    "functions are for ricochet.Model": lambda: pendulum([rc.Joint("rod", lambda t, q: q[0])]),
    "model.joint.rod: holds nothing": lambda: pendulum([rc.Joint("rod")]),
    "give equation or rate, not both": lambda: pendulum([rc.Joint("rod", "x", "x_dot")]),
    "linear in the velocities": lambda: pendulum([rc.Joint("rod", rate="x_dot^2")]),
    "the name 'a' is taken": lambda: pendulum([rc.Joint("a", "x")], constraints=[rc.Constraint("a", "y", 0.5)]),
    "is zero: such a joint holds nothing": lambda: rc.Linear(np.eye(2), joints=[rc.Joint("a", normal={0: 0.0})]),
    "there is no coordinate '5'": lambda: rc.Linear(np.eye(2), joints=[rc.Joint("a", dof=5)]),
    "unknown key 'rate'": lambda: rc.Linear(np.eye(2), joints=[rc.Joint("a", rate="q0_dot")]),
    "joint rod.equation: formulas are for": lambda: by_hand(equation="x"),
    "joint rod: give equation, a function": lambda: by_hand(equation=None),
    "joint rod: normal, offset": lambda: by_hand(normal=[1, 0]),
    "joint rod.rows: must be a whole number": lambda: by_hand(rows=0),
    "joint rod.gradient: must be an array of shape \\(1, 2\\)": lambda: by_hand(gradient=[1.0, 2.0, 3.0]),
    "joints: names must be text": lambda: by_hand(name=""),
}


@pytest.mark.parametrize("sentence", BAD)
def test_bad_joints(sentence):
    with pytest.raises(rc.InputError, match=sentence):
        BAD[sentence]()


def test_wrong_size_from_a_function():
    with pytest.raises(rc.InputError, match="joint rod.equation"):
        rc.simulate(by_hand(equation=lambda t, q: [1.0, 2.0]), (0, 1), **START)
