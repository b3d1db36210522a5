"""Kinds of model from the command line: matrices from files of other programs, bars, beams and beads."""

import pathlib
import re

import numpy
import pytest

DATA = pathlib.Path(__file__).parents[1] / "data"
TIME = "[time]\nuntil = 0.5\nstep = 1e-3\n"
M = numpy.diag([2.0, 1.0, 3.0])
K = numpy.array([[30.0, -10.0, 0.0], [-10.0, 25.0, -15.0], [0.0, -15.0, 15.0]])
C = 0.1 * M + 0.01 * K


def rows(matrix):
    return [[float(x) for x in row] for row in matrix]


def linear(matrices):
    return (
        f'[model]\nkind = "linear"\n{matrices}\nstops = [{{ dof = 2, upper = 0.02, restitution = 0.5 }}]\n'
        f"[initial]\nv = {{ q2 = 1.0 }}\n{TIME}"
    )


@pytest.fixture
def inline(ricochet):
    text = linear(f"mass = {rows(M)}\nstiffness = {rows(K)}\ndamping = {rows(C)}")
    result = ricochet.json("run", ricochet.write(text, "inline.toml"), "--no-output")
    assert result["impacts"] > 0
    return result


def test_matrices_from_one_archive(ricochet, inline):
    numpy.savez(ricochet.folder / "system.npz", M=M, K=K, C=C)
    result = ricochet.json("run", ricochet.write(linear('matrices = "system.npz"'), "s.toml"), "--no-output")
    assert result["final"] == inline["final"]


def test_matrices_from_single_files(ricochet, inline):
    numpy.savez_compressed(ricochet.folder / "more.npz", other=numpy.zeros(3), C=C)
    numpy.save(ricochet.folder / "M.npy", M)
    entries = [f"{i + 1} {j + 1} {K[i, j]!r}" for i in range(3) for j in range(i + 1) if K[i, j] != 0]
    text = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 5\n" + "\n".join(entries) + "\n"
    ricochet.write(text, "K.mtx")
    files = 'mass = "M.npy"\nstiffness = "K.mtx"\ndamping = "more.npz:C"'
    result = ricochet.json("run", ricochet.write(linear(files), "s.toml"), "--no-output")
    assert result["final"] == inline["final"]


@pytest.mark.parametrize(
    "matrices, words",
    [
        ('mass = "none.mtx"', "there is no such file"),
        ('mass = "/etc/passwd"', "in the scenario's folder"),
        ('mass = "../M.npy"', "in the scenario's folder"),
        ('mass = "half.npy"', "half.npy"),
        ('mass = "junk.mtx"', "junk.mtx:1"),
        ('mass = "wide.npy"', "must be square"),
        ('mass = "M.npy"\nstiffness = "two.npy"', "2 by 2, must be 3 by 3"),
        ('mass = "two.npy"', "there is no coordinate '2'"),
        ('matrices = "only.npz"', 'no array "K"'),
        ('mass = "nan.npy"', "nan"),
        ('mass = "zero.npy"', "positive definite"),
    ],
)
def test_bad_files(ricochet, matrices, words):
    folder = ricochet.folder
    numpy.save(folder / "M.npy", M)
    (folder / "half.npy").write_bytes((folder / "M.npy").read_bytes()[:150])
    (folder / "junk.mtx").write_text("not a matrix\n")
    numpy.save(folder / "wide.npy", numpy.ones((2, 3)))
    numpy.save(folder / "two.npy", numpy.eye(2))
    numpy.save(folder / "nan.npy", M * numpy.nan)
    numpy.save(folder / "zero.npy", numpy.zeros((3, 3)))
    numpy.savez(folder / "only.npz", M=M)
    result = ricochet("run", ricochet.write(linear(matrices), "s.toml"), "--no-output")
    assert result.returncode == 2
    assert words in result.stderr
    assert "s.toml" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("file, name", [("bsr.npz", "bsr.npz"), ("symmetric.mtx", "symmetric.mtx"),
                                        ("arrays_compressed.npz", "arrays_compressed.npz:K")])  # fmt: skip
def test_files_written_by_scipy(ricochet, file, name):
    (ricochet.folder / file).write_bytes((DATA / file).read_bytes())
    stiffness = [[2.0, -1.0, 0.0, 0.1], [-1.0, 2.0, -1.0, 0.0], [0.0, -1.0, 2.0, -1.0], [0.1, 0.0, -1.0, 1.0]]
    ends = []
    for K in [f'"{name}"', stiffness]:
        text = f'[model]\nkind = "linear"\nmass = {rows(numpy.eye(4))}\nstiffness = {K}\n[initial]\nq = 0.1\n{TIME}'
        ends.append(ricochet.json("run", ricochet.write(text, "s.toml"), "--no-output")["final"])
    assert ends[0] == ends[1]


def test_ground_motion_in_g_and_observation(ricochet):
    """x'' + 16 x = -a: the end of the record is known in closed form."""
    ricochet.write("time,acc\n0,0.1\n9,0.1\n", "quake.csv")
    text = (
        '[model]\nkind = "linear"\nmass = [[2.0]]\nstiffness = [[32.0]]\n'
        'observe = [{ name = "twice", normal = { q0 = 2.0 } }]\n'
        '[model.base]\nfile = "quake.csv"\nunit = "g"\n[scheme]\nname = "event-driven"\n' + TIME
    )
    result = ricochet.json("run", ricochet.write(text, "s.toml"), "-o", "r.csv")
    exact = -0.1 * 9.80665 / 16 * (1 - numpy.cos(4 * 0.5))
    assert result["final"]["q"][0] == pytest.approx(exact, rel=1e-7)
    assert result["final"]["observed"][0] == pytest.approx(2 * exact, rel=1e-7)
    assert result["observations"] == ["twice"]
    header = (ricochet.folder / "r.csv").read_text().splitlines()[0].split(",")
    assert header[-3:] == ["twice", "twice_dot", "event"]


BAR = """[model]
kind = "bar"
elements = 1000
length = 1.0
young = 210e9
area = 3.14e-4
density = 7800.0
mass = "consistent"
stop = { end = "left", gap = 5e-5, restitution = 0.0 }
[initial]
v = -0.1
[time]
until = 1.2e-3
step = 2e-7
"""


def test_bar_rebounds_as_the_wave_says(ricochet):
    """It touches at gap/v, stays for 2L/c, gives 2 m v to the stop and leaves with the speed it came with."""
    result = ricochet.json("run", ricochet.write(BAR, "bar.toml"), "-o", "bar.h5")
    assert result["first_impacts"][0]["t"] == pytest.approx(5e-4, abs=1e-6)
    h5py = pytest.importorskip("h5py")
    with h5py.File(ricochet.folder / "bar.h5") as file:
        t, push = file["t"][:], file["impulse"][:, 0]
        velocity = file["v"][-1].mean()
    mass, wave = 7800 * 3.14e-4, numpy.sqrt(210e9 / 7800)
    assert push.sum() == pytest.approx(2 * mass * 0.1, rel=0.01)
    assert velocity == pytest.approx(0.1, rel=0.01)
    assert t[push > 0][-1] - 5e-4 == pytest.approx(2 / wave, rel=0.05)


def test_set_reaches_into_every_kind(ricochet):
    bar = ricochet.write(BAR, "bar.toml")
    result = ricochet.json("run", bar, "--no-output", "--set", "model.elements=10", "--set", "model.stop.gap=1e-4")
    assert len(result["coordinates"]) == 11
    assert result["first_impacts"][0]["t"] == pytest.approx(1e-3, abs=1e-6)


def test_column_of_beads(ricochet):
    text = '[model]\nkind = "bead-column"\ncount = 50\nradius = 0.01\nmass = 0.02\ngravity = 9.81\n'
    text += "restitution = 0.5\nspacing = 0.0\n" + TIME
    result = ricochet.json("run", ricochet.write(text, "column.toml"), "-o", "column.npz")
    assert result["impacts"] == 0
    assert result["constraints"][:2] == ["floor", "contact1"]
    with numpy.load(ricochet.folder / "column.npz") as file:
        weight = file["impulse"].sum(axis=0)
    expected = 0.02 * 9.81 * 0.5 * numpy.arange(50, 0, -1)
    assert numpy.abs(weight - expected).max() < 1e-2 * expected.max()


# The examples of docs/models.md with a start, and what their joints hold at the end.
JOINTS = {
    "pendulum": ("q = { x = 0.6, y = -0.8 }", lambda t, q: q["x"] ** 2 + q["y"] ** 2 - 1),
    "slider-crank": (
        'q = { alpha = 0.0, beta = 0.0, s = 0.4 }\nv = { alpha = 10.0, beta = "-10/3" }',
        lambda t, q: q["s"] - 0.1 * numpy.cos(10 * t) - numpy.sqrt(0.09 - (0.1 * numpy.sin(10 * t)) ** 2),
    ),
    "wheel": (
        "q = 0.0\nv = { x = 0.3, phi = 1.0, heading = 0.5 }",
        lambda t, q: numpy.hypot(q["x"], q["y"] - 0.6) - 0.6,  # a circle of radius 0.3/0.5
    ),
    "chain": ("v = { q0 = 0.2 }", lambda t, q: abs(q["q0"] - 0.01 * numpy.sin(20 * t)) + abs(q["q2"] - q["q1"])),
}


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
@pytest.mark.parametrize("name", JOINTS)
def test_joints_of_the_manual(ricochet, name, scheme):
    text = (pathlib.Path(__file__).parents[2] / "docs/models.md").read_text()
    examples = re.findall(r"```toml\n(.*?)```", text.partition("## Joints")[2].partition("\n## ")[0], re.S)
    assert len(examples) == len(JOINTS)
    start, held = JOINTS[name]
    scenario = f"{examples[list(JOINTS).index(name)]}\n[initial]\n{start}\n{TIME}"
    result = ricochet.json("run", ricochet.write(scenario, "s.toml"), "--no-output", "--scheme", scheme)
    assert result["status"] == "completed"
    q = dict(zip(result["coordinates"], result["final"]["q"]))
    assert abs(held(0.5, q)) < (1e-6 if name == "wheel" else 1e-12)


def test_set_reaches_into_joints(ricochet):
    text = linear(f'mass = {rows(M)}\njoints = [{{ dof = 0, displacement = "0.1*t", name = "drive" }}]')
    text = text.replace("[initial]", '[[model.joint]]\nname = "link"\nnormal = { 1 = 1.0, 2 = -1.0 }\n[initial]')
    settings = ["--set", "model.joints.drive.displacement=0.0", "--set", "model.joint.link.normal.2=-2.0"]
    scenario = ricochet.write(text.replace("q2 = 1.0", "q2 = 1.0, q1 = 2.0"), "s.toml")
    result = ricochet.json("run", scenario, "--no-output", *settings)
    q = result["final"]["q"]
    assert q[0] == 0.0 and q[1] == pytest.approx(2 * q[2], rel=1e-12)


# The examples of docs/models.md on friction, with a start, and what is true at the end.
FRICTION = {
    "disk": ("q = { x = 0.0, y = 0.2, phi = 0.0 }\nv = { x = 3.0, phi = 15.0 }", lambda q, v: v["x"] - 0.2 * v["phi"]),
    "belt": ("q = 0.0\nv = { x = 0.5 }", lambda q, v: v["x"] - 0.5),
    "rail": ("v = { q0 = 0.01 }", lambda q, v: v["q0"]),
}


@pytest.mark.parametrize("name", FRICTION)
def test_friction_of_the_manual(ricochet, name):
    text = (pathlib.Path(__file__).parents[2] / "docs/models.md").read_text()
    examples = re.findall(r"```toml\n(.*?)```", text.partition("## Friction")[2].partition("\n## ")[0], re.S)
    assert len(examples) == len(FRICTION)
    start, still = FRICTION[name]
    scenario = f"{examples[list(FRICTION).index(name)]}\n[initial]\n{start}\n{TIME}"
    result = ricochet.json("run", ricochet.write(scenario, "s.toml"), "--no-output")
    assert result["status"] == "completed"
    q, v = (dict(zip(result["coordinates"], result["final"][key])) for key in "qv")
    assert abs(still(q, v)) < 1e-12
