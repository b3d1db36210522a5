"""Models from formulas, matrices and the built-in families."""

import numpy as np
import pytest

import ricochet as rc
from conftest import fly, make_ball


def test_ball(ball):
    sol = fly(ball)
    assert sol.status == "completed" and sol.coordinates == ("x",) and sol.constraints == ("floor",)
    first = np.sqrt(2 / 9.81)
    assert sol.impacts["t"][0] == pytest.approx(first, abs=1e-3)
    assert sol.impacts["rate_plus"][0] == pytest.approx(-0.9 * sol.impacts["rate_minus"][0], rel=1e-12)
    ledger = sol.ledger
    assert ledger.final - ledger.initial == pytest.approx(ledger.input + ledger.damping + ledger.impact + ledger.numerical)
    assert sol.statistics.steps == 3000 and sol.h == 1e-3


@pytest.mark.parametrize("scheme", rc.schemes.all())
def test_reference_problem_under_every_scheme(scheme):
    """Free fall to t = 0.4: x = 1 - g t²/2, to what the scheme can do."""
    sol = rc.simulate(make_ball(0.0), (0, 0.4), [1.0], [0.0], scheme=scheme, h=1e-3)
    assert sol.status == "completed"
    assert sol.q[-1, 0] == pytest.approx(1 - 9.81 * 0.16 / 2, abs=1e-2)


@pytest.mark.parametrize("solver", rc.solvers.all())
def test_every_solver(solver):
    column = rc.BeadColumn(count=5, radius=0.01, mass=0.03, restitution=0.5, spacing=1e-3)
    sol = rc.simulate(column, (0, 0.2), h=1e-3, solver=solver)
    assert sol.status == "completed" and len(sol.impacts) > 5
    exact = rc.simulate(column, (0, 0.2), h=1e-3)
    assert np.allclose(sol.q, exact.q, atol=1e-6)


def test_start_by_name():
    model = rc.Lagrangian(["x", "y"], "(x_dot^2 + y_dot^2)/2")
    sol = rc.simulate(model, (0, 1), {"y": 2.0}, {"x": 1.0}, h=0.1)
    assert sol.q[0].tolist() == [0.0, 2.0] and sol.v[0].tolist() == [1.0, 0.0]
    assert sol.q[-1].tolist() == pytest.approx([1.0, 2.0])


def test_states_and_mass():
    model = rc.Lagrangian(
        ["x"], mass=[["m"]], force={"x": "-u"}, parameters={"m": 2.0}, states=[rc.State("u", rate="-u + x_dot", initial=1.0)]
    )
    sol = rc.simulate(model, (0, 1), [0.0], h=1e-3)
    assert sol.states == ("u",) and sol.z[0, 0] == 1.0 and sol.z.shape == (1001, 1)
    assert rc.simulate(model, (0, 1), [0.0], z0={"u": 3.0}, h=1e-3).z[0, 0] == 3.0


def matrices():
    n = 4
    K = 50.0 * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    return np.eye(n), 0.1 * np.eye(n), K


def test_linear_and_its_stop():
    M, C, K = matrices()
    stop = rc.Stop(dof=3, lower=-0.02, upper=0.02, restitution=0.5)
    tube = rc.Linear(M, C, K, load=lambda t: [0, 0, 0, 5 * np.sin(6 * t)], constraints=[stop])
    sol = rc.simulate(tube, (0, 5), np.zeros(4), h=1e-3)
    assert sol.constraints == ("stop0-lower", "stop0-upper") and len(sol.impacts) > 5
    assert np.abs(sol.q[:, 3]).max() < 0.021
    assert sol.ledger.input > 0 > sol.ledger.damping


def test_load_as_function_or_formula_is_the_same():
    M, C, K = matrices()
    stop = [rc.Stop(dof=3, upper=0.02, restitution=0.5)]
    function = rc.Linear(M, C, K, load=lambda t: np.array([0, 0, 0, 5 * np.sin(6 * t)]), constraints=stop)
    formula = rc.Linear(M, C, K, load={"q3": "5*sin(6*t)"}, constraints=stop)
    for scheme in ("moreau-jean", "newmark", "event-driven", "mannshardt"):
        a = rc.simulate(function, (0, 2), np.zeros(4), scheme=scheme, h=1e-3)
        b = rc.simulate(formula, (0, 2), np.zeros(4), scheme=scheme, h=1e-3)
        # Flights by formulas are exact, those by functions are not: an accumulation may end an impact later.
        grid = [sol.q[sol.event == 0] for sol in (a, b)]
        assert np.allclose(*grid, rtol=0, atol=1e-9), scheme
        assert a.ledger.input == pytest.approx(b.ledger.input, rel=1e-6)


def test_constant_load():
    M, C, K = matrices()
    constant = rc.Linear(M, C, K, load=[0.0, 0.0, 0.0, 2.0])
    sol = rc.simulate(constant, (0, 300), np.zeros(4), h=1e-2, record_every=0)
    assert np.allclose(sol.q[-1], np.linalg.solve(K, [0, 0, 0, 2.0]), rtol=1e-5)


def test_matrices_from_scipy_and_files(tmp_path):
    M, C, K = matrices()
    dense = rc.simulate(rc.Linear(M, C, K), (0, 1), np.ones(4), h=1e-2)
    lines = ["%%MatrixMarket matrix coordinate real general", "4 4 10"]
    lines += [f"{i + 1} {j + 1} {K[i, j]!r}" for i in range(4) for j in range(4) if K[i, j]]
    (tmp_path / "K.mtx").write_text("\n".join(lines) + "\n")
    np.save(tmp_path / "C.npy", C)
    np.savez(tmp_path / "all.npz", M=M)
    files = rc.Linear(str(tmp_path / "all.npz") + ":M", tmp_path / "C.npy", tmp_path / "K.mtx")
    assert np.array_equal(rc.simulate(files, (0, 1), np.ones(4), h=1e-2).q, dense.q)
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.dia_matrix):
        model = rc.Linear(kind(M), kind(C), kind(K))
        assert np.array_equal(rc.simulate(model, (0, 1), np.ones(4), h=1e-2).q, dense.q)


class Sparse:
    """Looks like a matrix of scipy, for machines without it."""

    def __init__(self, dense):
        self.shape = dense.shape
        self._dense = dense

    def tocsc(self):
        col, row = np.nonzero(self._dense.T)
        self.indptr = np.searchsorted(col, np.arange(self.shape[1] + 1))
        self.indices, self.data = row, self._dense[row, col]
        return self


def test_sparse_matrices_by_their_interface():
    M, C, K = matrices()
    a = rc.simulate(rc.Linear(Sparse(M), Sparse(C), Sparse(K)), (0, 1), np.ones(4), h=1e-2)
    assert np.array_equal(a.q, rc.simulate(rc.Linear(M, C, K), (0, 1), np.ones(4), h=1e-2).q)


def test_rows_formulas_and_observations():
    M, _, K = matrices()
    model = rc.Linear(
        M,
        K=K,
        constraints=[
            rc.Constraint("row", normal=[0, 0, 0, -1.0], offset=0.5, restitution=0.3),
            rc.Constraint("curved", gap="0.6 - q0 + 0*q1^2", restitution=0.3),
        ],
        observe=[{"name": "middle", "normal": {"1": 0.5, "2": 0.5}}],
        rayleigh=[0.1, 1e-4],
    )
    sol = rc.simulate(model, (0, 5), [0.4, 0, 0, 0.4], [5.0, 0, 0, 0], h=1e-3)
    assert sol.constraints == ("row", "curved") and sol.observations == ("middle",)
    assert np.allclose(sol.observed[:, 0], 0.5 * (sol.q[:, 1] + sol.q[:, 2]))
    assert np.allclose(sol["middle"], sol.observed[:, 0]) and len(sol.impacts) > 0


def test_families_start_where_they_rest():
    beam = rc.Beam([rc.Stop(at=0.9, lower=-5e-4, upper=5e-4, restitution=0.5, name="guide")],
                   elements=6, length=1.5, young=210e9, inertia=4.637e-9, area=1.131e-4, density=7850.0,
                   loads=[{"at": 0.3, "force": "60*sin(2*pi*18*t)"}])  # fmt: skip
    sol = rc.simulate(beam, (0, 0.2), h=1e-4)
    assert sol.constraints == ("guide-lower", "guide-upper") and len(sol.impacts) > 0
    chain = rc.BeadChain(count=3, mass=1.0, restitution=1.0, spacing=0.01)
    assert rc.simulate(chain, (0, 1), v0=[1.0, 0, 0], h=1e-2).v[-1] == pytest.approx([0, 0, 1.0])
    bar = rc.Bar(elements=4, length=1.0, young=1.0, area=1.0, density=1.0, stop={"end": "left", "gap": 0.1, "restitution": 0.0})
    assert rc.simulate(bar, (0, 0.5), v0=np.full(5, -1.0), h=1e-3).impacts["constraint"][0] == 0


def test_frames_have_members_joints_and_friction():
    arm = {"name": "arm", "from": "A", "to": "B", "elements": 4, "EA": 1e4, "GA": 5e3, "EI": 2.0, "rho_A": 1.0, "rho_I": 1e-3}
    keys = {"points": {"A": [0, 0], "B": [1, 0]}, "members": [arm], "gravity": [0, -9.81]}
    floor = rc.Constraint("floor", gap="y + 0.8", restitution=0.5, friction=0.2, slip="x_dot", member="arm")
    pendulum = rc.Frame([floor], supports=[{"point": "A", "kind": "pinned"}], **keys)
    assert pendulum.constraints == ("floor-1", "floor-2", "floor-3", "floor-4")
    sol = rc.simulate(pendulum, (0, 0.4), h=1e-3)
    assert sol.impacts["constraint"][0] == 3 and sol.impacts["t"][0] == pytest.approx(0.364, abs=2e-3)
    driven = rc.Frame(joints=[rc.Joint("pin", equation=["A_x", "A_y"]), rc.Joint("motor", equation="A_angle - t^2")],
                      frictions=[rc.Friction("air", slip="B_angle_dot", limit=0.01)], **keys)  # fmt: skip
    assert rc.simulate(driven, (0, 0.5), h=1e-3)["A_angle"][-1] == pytest.approx(0.25)


def test_scenario_of_a_model_runs_again(tmp_path, ball):
    sol = fly(ball, scheme=rc.schemes.Mannshardt(tableau="gauss-3"), h=1e-2)
    (tmp_path / "again.toml").write_text(sol.scenario)
    again = rc.run(tmp_path / "again.toml")
    assert np.array_equal(sol.q, again.q) and again.parameters["tableau"] == "gauss-3"


# What cannot be used.

BAD_MODELS = {
    "restitution: must be in": lambda: make_ball(1.7),
    "model.potential: unknown name 'k'": lambda: rc.Lagrangian(["x"], "x_dot^2/2", "k*x"),
    "coordinates: must be a list": lambda: rc.Lagrangian("x", "x_dot^2/2"),
    "taken twice": lambda: rc.Lagrangian(["x", "x"], "x_dot^2/2"),
    "functions are for ricochet.Model": lambda: rc.Lagrangian(["x"], "x_dot^2/2", constraints=[rc.Constraint("a", lambda t, q: 0)]),
    "ricochet.Constraint": lambda: rc.Lagrangian(["x"], "x_dot^2/2", constraints=["floor"]),
    "must be symmetric": lambda: rc.Linear([[1.0, 0.5], [0.0, 1.0]]),
    "mass": lambda: rc.Linear(np.ones((2, 3))),
    "M: must be a matrix": lambda: rc.Linear(np.ones(3)),
    "stiffness.*3 by 3": lambda: rc.Linear(np.eye(2), K=np.eye(3)),
    "M: must be numbers": lambda: rc.Linear(np.eye(2) * 1j),
    "M: must be numbers, got an array of type <U1": lambda: rc.Linear([["a", "b"], ["c", "d"]]),
    "rows of different lengths|must be numbers": lambda: rc.Linear([[1.0], [1.0, 2.0]]),
    "finite entries, got nan": lambda: rc.Linear([[np.nan]]),
    "load: must be 2 numbers": lambda: rc.Linear(np.eye(2), load=[1.0]),
    "no coordinate '5'": lambda: rc.Linear(np.eye(2), constraints=[rc.Stop(dof=5, upper=1.0, restitution=0.0)]),
    "stifness|did you mean": lambda: rc.Linear(np.eye(2), stifness=3),
    "combined with modes": lambda: rc.Linear(np.eye(2), K=np.eye(2), load=lambda t: [0, 0], modes=1),
    "elements": lambda: rc.Beam(length=1.0),
}


@pytest.mark.parametrize("sentence", BAD_MODELS)
def test_bad_models(sentence):
    with pytest.raises(rc.InputError, match=sentence):
        BAD_MODELS[sentence]()


def test_missing_matrix_file():
    with pytest.raises((rc.InputError, rc.FileError), match="nowhere.mtx"):
        rc.Linear("nowhere.mtx")


BAD_RUNS = {
    "q0: must be 1 number, one a coordinate, got an array of shape \\(2,\\)": dict(q0=[1.0, 2.0]),
    "q0: must be numbers, got str": dict(q0="high"),
    "q0: must be numbers, got an array of type complex128": dict(q0=[1j]),
    "q0.y: there is no coordinate": dict(q0={"y": 1.0}),
    "x.*nan": dict(q0=[np.nan]),
    "x_dot.*inf": dict(v0=[np.inf]),
    "q0: where does the motion start": dict(q0=None),
    "t_span: must be two numbers": dict(t_span=3.0),
    "time.until: must be later": dict(t_span=(3, 0)),
    "time.step: must be a positive number, got 0": dict(h=0.0),
    "h: must be a number, got an array": dict(h=[1e-3, 1e-3]),
    "h: the step is missing": dict(h=None),
    "record_every: must be a whole number": dict(record_every=-1),
    "record_every: must be a whole number, 0": dict(record_every=1.5),
    "initial.q: starts 1 inside the obstacle of constraint floor": dict(q0=[-1.0]),
    "did you mean moreau-jean": dict(scheme="moreau-jea"),
    "scheme: must be a name": dict(scheme=3),
    "did you mean lemke": dict(solver="lemk"),
    "over 1e12 steps": dict(h=1e-300),
    "progress: must be a function": dict(progress=3),
    "-o|ending|.txt": dict(output="run.txt"),
}


@pytest.mark.parametrize("sentence", BAD_RUNS)
def test_bad_runs(ball, sentence):
    options = {"t_span": (0, 3), "q0": [1.0], "v0": [0.0], "h": 1e-3, **BAD_RUNS[sentence]}
    with pytest.raises(rc.InputError, match=sentence):
        rc.simulate(ball, **options)


def test_not_a_model():
    with pytest.raises(rc.InputError, match="run\\(\\) takes scenarios"):
        rc.simulate("gallery:bouncing-ball", (0, 1), [1.0], h=1e-3)


def test_too_many_states_to_keep(ball):
    with pytest.raises(rc.InputError, match="time.record_every: 1000000000002 recorded states would take .* GB of memory"):
        fly(ball, until=3e8, h=3e-4)
    with pytest.raises(rc.ScenarioError, match="time.record_every"):
        rc.run("gallery:bouncing-ball", step=3e-12)


def test_contacts_that_give_way():
    """Without other forces a spring and a damper have the restitution exp(-pi zeta/sqrt(1 - zeta^2))."""
    m, k, c = 2.0, 5e4, 60.0
    law = {"stiffness": "k", "damping": c}
    ball = rc.Lagrangian(
        ["x"],
        kinetic="m*x_dot^2/2",
        parameters={"m": m, "k": k},
        constraints=[rc.Constraint("floor", gap="x", restitution=0.5, compliance=law)],
    )
    zeta = c / (2 * np.sqrt(k * m))
    e = np.exp(-np.pi * zeta / np.sqrt(1 - zeta**2))
    run = rc.simulate(ball, (0, 1), [0.1], [-1.0], rc.schemes.Penalty(rtol=1e-12), h=0.1)
    assert run.v[-1, 0] == pytest.approx(e, abs=1e-9)
    stop = rc.Stop(0, lower=0.0, restitution=0.5, compliance={"stiffness": k, "damping": c})
    stopped = rc.Linear([[m]], constraints=[stop])
    assert rc.simulate(stopped, (0, 1), [0.1], [-1.0], rc.schemes.Penalty(rtol=1e-12), h=0.1).v[-1, 0] == pytest.approx(e, abs=1e-9)


def test_tables_and_folders(tmp_path):
    """A formula reads a file beside the scenario, or from a folder that is named; of a model, from the current one."""
    away = tmp_path / "away"
    away.mkdir()
    (away / "load.csv").write_text("t,f\n0,1\n10,1\n")
    text = '[model]\ncoordinates = ["x"]\nkinetic = "x_dot^2/2"\nforce = { x = "table(\'load.csv\', t)" }\n[initial]\nq = { x = 0 }\n[time]\nuntil = 2\nstep = 0.1\n'
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(rc.ScenarioError, match="no such file"):
        rc.run(tmp_path / "s.toml")
    assert rc.run(tmp_path / "s.toml", "event-driven", files=away).q[-1, 0] == pytest.approx(2.0, abs=1e-9)
    with pytest.raises(rc.InputError, match="there is no such folder"):
        rc.run(tmp_path / "s.toml", files=tmp_path / "nowhere")
