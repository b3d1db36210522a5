"""Models from Python functions: the same motion, safe whatever the functions do."""

import gc
import threading
import weakref

import numpy as np
import pytest

import ricochet as rc
from conftest import fly, make_ball


def pendulum(**changes):
    """A pendulum of length 1 that meets a wall, mass and force written by hand."""
    parts = dict(
        coordinates=["phi"],
        mass=lambda t, q: [[1.0]],
        force=lambda t, q, v: [-9.81 * np.sin(q[0]) - 0.1 * v[0]],
        constraints=[rc.Constraint("wall", gap=lambda t, q: np.sin(q[0]) + 0.2, gradient=lambda t, q: np.cos(q), restitution=0.8)],
        potential=lambda t, q: -9.81 * np.cos(q[0]),
    )
    return rc.Model(**{**parts, **changes})


def formulas():
    return rc.Lagrangian(
        ["phi"],
        "phi_dot^2/2",
        "-g*cos(phi)",
        [rc.Constraint("wall", gap="sin(phi) + 0.2", restitution=0.8)],
        {"g": 9.81},
        dissipation="0.05*phi_dot^2",
    )


def test_same_as_formulas(functions, ball):
    for scheme in rc.schemes.all():
        if scheme.inelastic_only:
            continue
        a, b = fly(functions, scheme=scheme, until=1.0), fly(ball, scheme=scheme, until=1.0)
        assert np.allclose(a.q, b.q, rtol=0, atol=1e-6), scheme.name
        assert len(a.impacts) == len(b.impacts), scheme.name


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven", "mannshardt", "generalized-alpha"])
def test_derivatives_by_differences(scheme):
    options = dict(t_span=(0, 3), q0=[1.0], scheme=scheme, h=1e-3)
    exact = rc.simulate(formulas(), **options)
    for model in (
        pendulum(),
        pendulum(constraints=[rc.Constraint("wall", gap=lambda t, q: np.sin(q[0]) + 0.2, restitution=0.8)]),
        pendulum(constraints=["wall"], gap=lambda t, q: np.sin(q) + 0.2, restitution=0.8),
        pendulum(stiffness=lambda t, q, v: [[9.81 * np.cos(q[0])]], damping=0.1),
    ):
        sol = rc.simulate(model, **options)
        assert sol.status == "completed" and len(sol.impacts) == len(exact.impacts)
        assert np.allclose(sol.q, exact.q, rtol=0, atol=2e-6)
        # The same account, except that all work of the forces is an input here.
        a, b = sol.ledger, exact.ledger
        assert a.input == pytest.approx(b.input + b.damping, abs=1e-4) and a.impact == pytest.approx(b.impact, abs=1e-4)


def test_power_tells_damping_from_input():
    sol = rc.simulate(pendulum(power=lambda t, q, v: (0.0, -0.1 * v[0] ** 2)), (0, 3), [1.0], h=1e-3)
    exact = rc.simulate(formulas(), (0, 3), [1.0], h=1e-3).ledger
    assert sol.ledger.input == 0.0 and sol.ledger.damping == pytest.approx(exact.damping, rel=1e-6)


def test_mass_that_changes():
    model = rc.Model(
        ["r", "phi"],
        mass=lambda t, q: [[1.0, 0.0], [0.0, q[0] ** 2]],
        force=lambda t, q, v: [q[0] * v[1] ** 2, -2 * q[0] * v[0] * v[1]],
    )
    sol = rc.simulate(model, (0, 1), [1.0, 0.0], [0.0, 1.0], scheme="event-driven", h=1e-2)
    assert sol.q[-1] == pytest.approx([np.sqrt(2.0), np.pi / 4], rel=1e-6)
    assert sol.ledger.numerical == pytest.approx(0.0, abs=1e-6)


def test_moving_obstacle_and_several_gaps():
    model = rc.Model(
        1,
        mass=1.0,
        force=lambda t, q, v: [0.0],
        constraints=["left", "right"],
        gap=lambda t, q: [q[0] + 1.0 - 0.1 * t, 1.0 - q[0]],
        gradient=lambda t, q: np.array([[1.0], [-1.0]]),
        restitution=[1.0, 0.5],
    )
    sol = rc.simulate(model, (0, 5), [0.0], [-1.0], scheme="event-driven", h=1e-2)
    first, second = sol.impacts[:2]
    assert first["t"] == pytest.approx(1 / 1.1) and first["rate_minus"] == pytest.approx(-1.1)
    assert second["constraint"] == 1 and second["rate_minus"] == pytest.approx(-1.2)
    assert sol.coordinates == ("q0",)


def test_states():
    model = rc.Model(["x"], 1.0, lambda t, q, v, z: -z, states={"u": 1.0}, rate=lambda t, q, v, z: -z)
    sol = rc.simulate(model, (0, 1), [0.0], scheme="event-driven", h=1e-2)
    assert sol.z[-1, 0] == pytest.approx(np.exp(-1.0), rel=1e-7)


def test_studies_with_functions():
    model = pendulum()
    rc.simulate(model, (0, 0.8), [1.0], h=1e-3)
    study = rc.converge(model, schemes=["moreau-jean", "mannshardt"], steps=[1.6e-2, 4e-3], phases=2)
    errors = {scheme: study.errors[scheme]["q_sup"] for scheme in study.schemes}
    assert errors["moreau-jean"][0] > 2 * errors["moreau-jean"][1] > 20 * errors["mannshardt"][1] > 0
    assert rc.check(model).mass["positive_definite"]


# Exceptions.

class Trouble(Exception):
    pass


PARTS = ["mass", "force", "gap", "gradient", "potential", "restitution", "stiffness", "power", "time_derivative", "load", "rate"]


def model_with(part, function):
    """A model whose part is the function."""
    if part == "load":
        return rc.Linear([[1.0]], K=[[1.0]], load=function)
    parts = dict(coordinates=["x"], mass=lambda t, q: [[1.0]], force=lambda t, q, v: [-9.81])
    contact = dict(gap=lambda t, q: q[0], restitution=0.9)
    if part == "rate":
        return rc.Model(**{**parts, "force": lambda t, q, v, z: [-z[0]]}, states={"u": 1.0}, rate=function)
    if part in ("gap", "gradient", "restitution", "time_derivative"):
        contact[part] = function
    else:
        parts[part] = function
    return rc.Model(**parts, constraints=[rc.Constraint("floor", **contact)])


@pytest.mark.parametrize("part", PARTS)
def test_an_exception_is_raised_unchanged(part):
    calls = []

    def fails(*arguments):
        calls.append(arguments)
        raise Trouble(part)

    with pytest.raises(Trouble, match=part) as error:
        fly(model_with(part, fails))
    assert len(calls) == 1
    assert error.traceback[-1].name == "fails"


def test_an_exception_after_a_while(functions):
    def force(t, q, v):
        if t > 0.5:
            raise Trouble(t)
        return [-9.81]

    for scheme in ("moreau-jean", "event-driven"):
        with pytest.raises(Trouble):
            fly(model_with("force", force), scheme=scheme)
    # The interpreter is as it was.
    assert fly(functions).status == "completed"


def test_exceptions_in_studies():
    model = model_with("force", lambda t, q, v: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rc.converge(model, ["moreau-jean"], [1e-2, 5e-3], t_span=(0, 1), q0=[1.0])
    with pytest.raises(ZeroDivisionError):
        rc.check(model, q0=[1.0])


RESULTS = {
    "force: must return a number, got an array of shape \\(2,\\)": lambda t, q, v: [1.0, 2.0],
    "force: must return a number, got an array of shape \\(0,\\)": lambda t, q, v: [],
    "force: must return a number, got an array of type <U4": lambda t, q, v: ["down"],
    "force: must return a number, got an array of type object": lambda t, q, v: None,
    "force: must return a number, got an array of type complex128": lambda t, q, v: [1j],
}


@pytest.mark.parametrize("sentence", RESULTS)
def test_bad_results(sentence):
    with pytest.raises(rc.InputError, match=sentence):
        fly(model_with("force", RESULTS[sentence]))


def test_bad_matrices():
    with pytest.raises(rc.InputError, match=r"mass: must return a number, got an array of shape \(2, 2\)"):
        fly(model_with("mass", lambda t, q: np.eye(2)))
    model = rc.Model(2, lambda t, q: np.eye(3), lambda t, q, v: [0, 0])
    with pytest.raises(rc.InputError, match=r"mass: must return an array of shape \(2, 2\), got an array of shape \(3, 3\)"):
        rc.simulate(model, (0, 1), [0, 0], h=0.1)


@pytest.mark.parametrize(
    "result",
    [-9.81, -9, np.float64(-9.81), np.float32(-9.81), np.array(-9.81), [-9.81], (-9.81,), np.array([-9.81]),
     np.array([-9.81], dtype=np.float32), np.array([-9.81], dtype=">f8"), np.array([-9.81, 0.0])[::2], [np.float64(-9.81)]],
    ids=str,
)  # fmt: skip
def test_results_of_any_type(result):
    sol = fly(model_with("force", lambda t, q, v: result))
    assert sol.q[-1, 0] == pytest.approx(fly(make_ball()).q[-1, 0], abs=0.3)


def test_nan_is_a_failure():
    model = model_with("force", lambda t, q, v: [np.nan if t > 0.2 else -9.81])
    with pytest.warns(rc.RunWarning, match="stopped at t = "):
        sol = fly(model)
    assert sol.status == "failed" and 0.1 < sol.t[-1] < 0.3 and np.isfinite(sol.q).all()


def test_wrong_number_of_arguments():
    with pytest.raises(TypeError):
        fly(model_with("force", lambda t: 0.0))


# Lifetimes and threads.

def test_arguments_may_be_kept_and_changed():
    kept = []

    def force(t, q, v):
        kept.append((t, q, v))
        values = q.copy(), v.copy()
        q[:] = 1e300
        v[:] = 1e300
        kept[-1] += values
        return [-9.81]

    sol = fly(model_with("force", force), until=0.3)
    assert sol.q[-1, 0] == pytest.approx(1 - 9.81 * 0.09 / 2, abs=1e-2)
    # Arrays that were kept are not written to again.
    assert all((q == 1e300).all() and (v == 1e300).all() for _, q, v, *_ in kept)
    assert len({id(q) for _, q, *_ in kept}) == len(kept)


def test_views_of_arguments_may_be_kept():
    kept = []
    model = model_with("gap", lambda t, q: (kept.append((q[:1], q[0])), q[0])[1])
    fly(model, until=0.3)
    assert all(view[0] == value for view, value in kept)


def test_functions_are_released():
    def make():
        big = np.zeros(1000)
        force = lambda t, q, v: big[:1]  # noqa: E731
        return rc.Model(["x"], 1.0, force), weakref.ref(force)

    model, force = make()
    sol = rc.simulate(model, (0, 1), [0.0], h=0.1)
    assert force() is not None
    del model, sol
    gc.collect()
    assert force() is None


def test_model_deleted_while_it_runs():
    """The run holds what it needs."""
    holder = {}

    def force(t, q, v):
        holder.clear()
        return [-9.81]

    holder["model"] = model_with("force", force)
    assert fly(holder["model"]).status == "completed"


def test_runs_inside_functions(ball):
    inner = []

    def force(t, q, v):
        inner.append(fly(ball, until=0.01).q[-1, 0])
        return [-9.81]

    assert fly(model_with("force", force), until=0.05).status == "completed"
    assert len(set(inner)) == 1


def test_several_threads(ball):
    """Formula models run side by side, and beside models of functions."""
    model = pendulum()
    expected = rc.simulate(model, (0, 0.5), [1.0], h=1e-3).q.copy(), fly(ball).q.copy()
    results, errors = [], []

    def work(i):
        try:
            for _ in range(3):
                results.append((0, rc.simulate(model, (0, 0.5), [1.0], h=1e-3).q) if i % 2 else (1, fly(ball).q))
        except Exception as error:  # noqa: BLE001: shown by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(results) == 18
    assert all(np.array_equal(q, expected[kind]) for kind, q in results)


def test_the_lock_is_free_while_formulas_run(ball):
    """Another thread counts while the main one computes; with the lock held it could not."""
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        fly(ball, until=2e4, h=1e-3, record_every=0)
        during = counted[0] - before
    finally:
        stop.set()
        thread.join()
    assert during > 1000


BAD = {
    "mass: is missing": lambda: rc.Model(["x"], None, lambda t, q, v: 0),
    r"mass: must be an array of shape \(1, 1\)": lambda: rc.Model(["x"], np.eye(2), lambda t, q, v: 0),
    "force: must be a function": lambda: rc.Model(["x"], 1.0, [0.0]),
    "restitution is missing": lambda: rc.Model(["x"], 1.0, lambda t, q, v: 0, gap=lambda t, q: q),
    "gap: is missing": lambda: rc.Model(["x"], 1.0, lambda t, q, v: 0, restitution=0.5),
    "formulas are for ricochet.Lagrangian": lambda: rc.Model(["x"], 1.0, lambda t, q, v: 0, [rc.Constraint("a", "x", 0.5)]),
    r"gradient: must be an array of shape \(1, 1\)": lambda: rc.Model(
        ["x"], 1.0, lambda t, q, v: 0, [rc.Constraint("a", lambda t, q: q, 0.5, gradient=[1.0, 2.0])]
    ),
    "rate: states need a function": lambda: rc.Model(["x"], 1.0, lambda t, q, v: 0, states={"u": 0.0}),
    "is empty": lambda: rc.Model([], 1.0, lambda t, q, v: 0),
    "restitution: must be a number or 1 of them": lambda: rc.Model(
        ["x"], 1.0, lambda t, q, v: 0, [rc.Constraint("a", lambda t, q: q, [0.5, 0.5])]
    ),
}


@pytest.mark.parametrize("sentence", BAD)
def test_bad_models(sentence):
    with pytest.raises(rc.InputError, match=sentence):
        BAD[sentence]()


def test_restitution_out_of_range():
    with pytest.raises(rc.InputError, match=r"must be in \[0, 1\], got 1.5"):
        fly(model_with("restitution", lambda t, q: 1.5))
