"""Contact problems in FCLIB's format from the command line."""

import json

import h5py
import numpy as np
import pytest


def put_matrix(group, name, A, storage):
    A = np.asarray(A, dtype=float)
    m, n = A.shape
    if storage == "triplets":
        rows, columns = np.nonzero(A)
        p, i, x, nz = rows, columns, A[rows, columns], len(rows)
    elif storage == "columns":
        columns, rows = np.nonzero(A.T)
        p, i, x, nz = np.searchsorted(columns, np.arange(n + 1)), rows, A[rows, columns], -1
    else:
        rows, columns = np.nonzero(A)
        p, i, x, nz = np.searchsorted(rows, np.arange(m + 1)), columns, A[rows, columns], -2
    for key, value in [("m", [m]), ("n", [n]), ("nz", [nz]), ("nzmax", [len(x)]), ("p", p), ("i", i)]:
        group[f"{name}/{key}"] = np.asarray(value, dtype="i4")
    group[f"{name}/x"] = x


def random_problem(contacts, dimension, dofs, equations=0, seed=1):
    """M, H, G, f, w, b, mu: from H_N·d = 4, H_T·d = 0 of one direction d there is a way out of all contacts."""
    random = np.random.default_rng(seed)
    H = random.normal(size=(dofs, contacts * dimension))
    d = random.normal(size=dofs)
    d /= np.linalg.norm(d)
    G = random.normal(size=(dofs, equations))
    G -= np.outer(d, d @ G)
    H -= np.outer(d, d @ H)
    H[:, ::dimension] += 4.0 * d[:, None]
    M = np.diag(random.uniform(1.0, 3.0, dofs))
    return {"M": M, "H": H, "G": G, "f": M @ (random.normal(size=dofs) - 2.0 * d),
            "w": np.zeros(contacts * dimension), "b": np.zeros(equations), "mu": random.uniform(0.0, 1.0, contacts)}


def write(path, p, dimension, kind, storage):
    inverse = np.linalg.inv(p["M"])
    equations = p["G"].shape[1]
    with h5py.File(path, "w") as file:
        group = file.create_group(f"fclib_{kind}")
        group["spacedim"] = np.array([dimension], dtype="i4")
        group["vectors/mu"] = p["mu"]
        if kind == "global":
            for name in "MH" + ("G" if equations else ""):
                put_matrix(group, name, p[name], storage)
            for name in "fw" + ("b" if equations else ""):
                group[f"vectors/{name}"] = p[name]
        else:
            put_matrix(group, "W", p["H"].T @ inverse @ p["H"], storage)
            group["vectors/q"] = p["H"].T @ inverse @ p["f"] + p["w"]
            if equations:
                put_matrix(group, "V", p["H"].T @ inverse @ p["G"], storage)
                put_matrix(group, "R", p["G"].T @ inverse @ p["G"], storage)
                group["vectors/s"] = p["G"].T @ inverse @ p["f"] + p["b"]


def law_violation(u, r, mu, dimension):
    """The largest violation of Coulomb's law, relative to the largest u."""
    u, r = u.reshape(-1, dimension), r.reshape(-1, dimension)
    slip, push = np.linalg.norm(u[:, 1:], axis=1), np.linalg.norm(r[:, 1:], axis=1)
    worst = [(-u[:, 0]).max(), (-r[:, 0]).max(), np.abs(u[:, 0] * r[:, 0]).max(), (push - mu * r[:, 0]).max(),
             np.abs(slip * mu * r[:, 0] + (u[:, 1:] * r[:, 1:]).sum(axis=1)).max()]
    return max(worst)


@pytest.mark.parametrize("storage", ["triplets", "columns", "rows"])
@pytest.mark.parametrize("kind", ["local", "global"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_all_storages_of_both_kinds(ricochet, kind, dimension, storage):
    p = random_problem(12, dimension, 20, equations=3)
    write(ricochet.folder / "p.hdf5", p, dimension, kind, storage)
    result = ricochet("solve", "p.hdf5", "--json", "-o", "solved.hdf5")
    assert result.returncode == 0, result.stderr
    outcome = json.loads(result.stdout)
    assert outcome["contacts"] == 12 and outcome["dimension"] == dimension and outcome["kind"] == kind
    assert outcome["status"] == "solved" and outcome["residual"] < 1e-12
    assert outcome["iterations"] > 0 and outcome["seconds"] > 0.0 and outcome["equations"] == 3
    with h5py.File(ricochet.folder / "solved.hdf5") as file:
        u, r, l = (file[f"solution/{name}"][...] for name in "url")
        assert np.array_equal(file[f"fclib_{kind}/vectors/mu"][...], p["mu"])
    v = np.linalg.solve(p["M"], p["f"] + p["H"] @ r + p["G"] @ l)
    assert np.abs(p["G"].T @ v).max() < 1e-10
    assert np.abs(p["H"].T @ v - u).max() < 1e-10
    assert law_violation(u, r, p["mu"], dimension) < 1e-9
    # What was written can be solved again.
    again = json.loads(ricochet("solve", "solved.hdf5", "--json").stdout)
    assert again["status"] == "solved" and again["residual"] == outcome["residual"]


def test_unsymmetric_matrices_keep_rows_and_columns(ricochet):
    p = random_problem(5, 3, 20)
    W = p["H"].T @ np.linalg.inv(p["M"]) @ p["H"]
    W *= 1.0 + 0.05 * np.random.default_rng(3).normal(size=W.shape)
    q = p["H"].T @ np.linalg.solve(p["M"], p["f"])
    for storage in ["triplets", "columns", "rows"]:
        with h5py.File(ricochet.folder / "p.hdf5", "w") as file:
            group = file.create_group("fclib_local")
            group["spacedim"] = np.array([3], dtype="i4")
            group["vectors/mu"] = p["mu"]
            group["vectors/q"] = q
            put_matrix(group, "W", W, storage)
        assert ricochet("solve", "p.hdf5", "-o", "solved.hdf5").returncode == 0
        with h5py.File(ricochet.folder / "solved.hdf5") as file:
            u, r = file["solution/u"][...], file["solution/r"][...]
        assert np.abs(W @ r + q - u).max() < 1e-12
        assert law_violation(u, r, p["mu"], 3) < 1e-9


def test_solvers(ricochet):
    write(ricochet.folder / "plane.hdf5", random_problem(6, 2, 20), 2, "local", "columns")
    write(ricochet.folder / "space.hdf5", random_problem(6, 3, 20), 3, "local", "columns")
    for solver in ["automatic", "alart-curnier", "interior-point", "gauss-seidel", "lemke"]:
        assert ricochet("solve", "plane.hdf5", "--solver", solver).returncode == 0, solver
    for solver in ["automatic", "alart-curnier", "interior-point", "gauss-seidel"]:
        assert ricochet("solve", "space.hdf5", "--solver", solver).returncode == 0, solver
    text = ricochet("solve", "space.hdf5")
    assert "6 contacts in space" in text.stdout and "solved" in text.stdout
    for solver in ["lemke", "active-set", "projected-gradient"]:
        refused = ricochet("solve", "space.hdf5", "--solver", solver)
        assert refused.returncode == 3
        assert solver in refused.stderr and "alart-curnier" in refused.stderr
        # What was not tried has no residual.
        assert "not-supported" in refused.stdout and "residual" not in refused.stdout
        told = json.loads(ricochet("solve", "space.hdf5", "--solver", solver, "--json").stdout)
        assert told["status"] == "not-supported" and told["residual"] is None
    short = ricochet("solve", "space.hdf5", "--solver", "gauss-seidel", "--tolerance", "1e-14", "--max-iterations", "1")
    assert short.returncode == 3 and "residual" in short.stderr
    wrong = ricochet("solve", "space.hdf5", "--solver", "lemkee")
    assert wrong.returncode == 2 and "--solver" in wrong.stderr and "lemke" in wrong.stderr


def bad(change):
    def apply(file):
        change(file["fclib_local"])
    return apply


def replace(name, value):
    def change(group):
        del group[name]
        group[name] = value
    return bad(change)


@pytest.mark.parametrize("change, words", [
    (bad(lambda group: group.pop("W")), ["fclib_local/W", "missing"]),
    (bad(lambda group: group.pop("spacedim")), ["spacedim", "missing"]),
    (replace("vectors/mu", [0.1, 0.2]), ["mu", "2 contacts"]),
    (replace("vectors/mu", [0.1, -0.2, 0.3]), ["mu[1]", "negative"]),
    (replace("vectors/mu", [0.1, np.nan, 0.3]), ["mu[1]", "finite"]),
    (replace("vectors/q", np.zeros(5)), ["q", "5", "9"]),
    (replace("spacedim", np.array([4], dtype="i4")), ["spacedim", "2 or 3"]),
    (replace("W/i", np.full(81, 12, dtype="i4")), ["W/i[0]", "range", "8"]),
    (replace("W/p", np.arange(10, dtype="i4")[::-1]), ["W/p", "never fall"]),
    (replace("W/x", np.full(81, np.inf)), ["W/x[0]", "finite"]),
    (replace("W/x", np.zeros(3)), ["W/p", "range"]),
    (replace("W/x", np.zeros(81)), ["W", "diagonal", "contact 0", "positive"]),
    (replace("W/nz", np.array([-3], dtype="i4")), ["nz", "-3"]),
    (lambda file: file.pop("fclib_local"), ["fclib_local", "fclib_global"]),
])
def test_malformed_files_get_a_sentence(ricochet, change, words):
    write(ricochet.folder / "p.hdf5", random_problem(3, 3, 20), 3, "local", "columns")
    with h5py.File(ricochet.folder / "p.hdf5", "a") as file:
        change(file)
    result = ricochet("solve", "p.hdf5")
    assert result.returncode == 2, result.stdout
    assert result.stderr.startswith("error: p.hdf5: ")
    for word in words:
        assert word in result.stderr, result.stderr


@pytest.mark.parametrize("contacts", [0, 1])
def test_a_global_problem_without_velocities(ricochet, contacts):
    p = {"M": np.zeros((0, 0)), "H": np.zeros((0, 2 * contacts)), "f": [], "w": np.zeros(2 * contacts)}
    with h5py.File(ricochet.folder / "p.hdf5", "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = np.array([2], dtype="i4")
        group["vectors/mu"] = np.full(contacts, 0.3)
        for name in "MH":
            put_matrix(group, name, p[name], "triplets")
        for name in "fw":
            group[f"vectors/{name}"] = np.asarray(p[name], dtype=float)
    result = ricochet("solve", "p.hdf5")
    assert result.returncode == 2 and "p.hdf5: fclib_global/M is 0 × 0: " in result.stderr


def test_what_is_not_solved_is_not_called_so(ricochet):
    """Limits of friction that leave the numbers: solved, or not, but never with a residual of the size of the data."""
    for mu in [1e100, 1e300]:
        write(ricochet.folder / "p.hdf5", random_problem(2, 3, 20), 3, "local", "columns")
        with h5py.File(ricochet.folder / "p.hdf5", "a") as file:
            file["fclib_local/vectors/mu"][...] = mu
        result = ricochet("solve", "p.hdf5", "--json")
        assert result.returncode == 3 or json.loads(result.stdout)["residual"] < 1e-6


def test_files_that_are_no_problems(ricochet):
    (ricochet.folder / "text.hdf5").write_text("hello")
    for name, word in [("text.hdf5", "not an HDF5 file"), ("none.hdf5", "no such file")]:
        result = ricochet("solve", name)
        assert result.returncode == 2 and word in result.stderr
    result = ricochet("solve")
    assert result.returncode == 2 and "pile.hdf5" in result.stderr


STACK = """
[model]
coordinates = ["x", "y", "u", "w", "a"]
kinetic = "(x_dot^2 + y_dot^2)/2 + (u_dot^2 + w_dot^2)/2 + a_dot^2/2"
potential = "9.81*(y + w)"
force = { x = "3*cos(5*t)" }
[[model.constraint]]
name = "floor"
gap = "y"
restitution = 0.0
friction = 0.3
slip = "x_dot"
[[model.constraint]]
name = "upper"
gap = "w - y"
restitution = 0.0
friction = 0.2
slip = "u_dot - x_dot"
[[model.constraint]]
name = "smooth"
gap = "a + 2"
restitution = 0.5
[[model.friction]]
name = "rail"
slip = "u_dot - 0.1"
limit = 0.4
[[model.joint]]
name = "tie"
rate = ["a_dot + 0.3*x_dot + 0.2*u_dot"]
[initial]
q = { x = 0.0, y = 0.0, u = 0.0, w = 0.0, a = 0.0 }
v = { x = 0.4, u = -0.2, a = -0.08 }
[scheme]
name = "moreau-jean"
[time]
until = 1.0
step = 0.01
"""


def test_the_hardest_problems_of_a_run_are_read_back(ricochet):
    (ricochet.folder / "stack.toml").write_text(STACK)
    run = ricochet("run", "stack.toml", "--dump-problems", "3", "--json")
    assert run.returncode == 0, run.stderr
    kept = json.loads(run.stdout)["problems"]
    assert [one["file"] for one in kept] == [f"stack-problem-{k}.hdf5" for k in (1, 2, 3)]
    assert kept == sorted(kept, key=lambda one: (-one["iterations"], -one["residual"]))
    for one in kept:
        with h5py.File(ricochet.folder / one["file"]) as file:
            u, r, mu = file["solution/u"][...], file["solution/r"][...], file["fclib_local/vectors/mu"][...]
        assert one["contacts"] == len(mu)
        assert law_violation(u, r, mu, 2) < 1e-9
        # Dry friction is a contact with μ = 1 and a normal of its own: P_N = h L.
        assert mu[-1] == 1.0 and r[-2] == pytest.approx(0.01 * 0.4)
        again = ricochet("solve", one["file"], "-o", "again.hdf5", "--json")
        assert again.returncode == 0, again.stderr
        assert json.loads(again.stdout)["equations"] == 1
        with h5py.File(ricochet.folder / "again.hdf5") as file:
            assert np.abs(file["solution/r"][...] - r).max() < 1e-9
    # In words, and beside a result that has a name.
    text = ricochet("run", "stack.toml", "--dump-problems", "1", "-o", "other.csv").stdout
    assert "other-problem-1.hdf5: t = " in text and (ricochet.folder / "other-problem-1.hdf5").exists()


def test_problems_in_space_and_closed_forms_are_kept_too(ricochet):
    run = ricochet("run", "gallery:sphere-slide-roll", "--dump-problems", "1", "--no-output", "--json")
    kept = json.loads(run.stdout)["problems"]
    assert len(kept) == 1 and kept[0]["contacts"] == 1
    solved = json.loads(ricochet("solve", kept[0]["file"], "--json").stdout)
    assert solved["dimension"] == 3 and solved["residual"] < 1e-12


@pytest.mark.parametrize("count", ["0", "-1", "1.5", "many"])
def test_a_number_of_problems_that_is_none(ricochet, count):
    run = ricochet("run", "gallery:incline", f"--dump-problems={count}", "--no-output")
    assert run.returncode == 2 and "--dump-problems" in run.stderr
    assert not list(ricochet.folder.glob("*.hdf5"))


def test_a_run_without_problems_says_so(ricochet):
    run = ricochet("run", "gallery:brick-three-feet", "--dump-problems", "2", "--no-output")
    assert run.returncode == 0 and "no contact problem was kept, as none was solved" in run.stderr


def test_problems_never_replace_the_scenario(ricochet):
    (ricochet.folder / "stack-problem-1.hdf5").write_text(STACK)
    run = ricochet("run", "stack-problem-1.hdf5", "--dump-problems", "1", "-o", "stack.csv")
    assert run.returncode == 2 and "--dump-problems" in run.stderr
    assert (ricochet.folder / "stack-problem-1.hdf5").read_text() == STACK
