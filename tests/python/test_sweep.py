"""Sweeps: the numbers of the command line's file, from scenarios and from models, in memory."""

import sys

import numpy as np
import pytest

import ricochet as rc
from test_interrupt import script
from test_solution import pyplot  # noqa: F401

AXIS = {"model.parameters.a": np.linspace(0.95, 1.3, 12)}
SHORT = dict(transient="10*2*pi/w", duration="20*2*pi/w")
STROBE = dict(record="stroboscopic", period="2*pi/w", q0=[0.0], **SHORT)
SCENARIO = """
[model]
coordinates = ["x"]
parameters  = { w = 2.5, zeta = 0.05, a = 1.0, A = "a*sqrt((1 - w^2)^2 + (2*zeta*w)^2)" }
kinetic     = "x_dot^2/2"
potential   = "x^2/2"
dissipation = "zeta*x_dot^2"
force       = { x = "A*cos(w*t)" }

[[model.constraint]]
name = "stop"
gap = "1 - x"
restitution = 0.8

[initial]
q = { x = 0.0 }

[time]
until = 60.0
step = 1e-3

[sweep]
axis = [{ parameter = "model.parameters.a", values = [VALUES] }]
transient = "10*2*pi/w"
duration = "20*2*pi/w"
record = "stroboscopic"
period = "2*pi/w"
""".replace("VALUES", ", ".join(repr(float(a)) for a in AXIS["model.parameters.a"]))


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """Each test has the scenario in its folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grazing.toml").write_text(SCENARIO)


def grazing(**options):
    return rc.sweep("grazing.toml", **options)


def model():
    return rc.Lagrangian(
        ["x"],
        "x_dot^2/2",
        "x^2/2",
        [rc.Constraint("stop", gap="1 - x", restitution=0.8)],
        {"w": 2.5, "zeta": 0.05, "a": 1.0, "A": "a*sqrt((1 - w^2)^2 + (2*zeta*w)^2)"},
        dissipation="zeta*x_dot^2",
        force={"x": "A*cos(w*t)"},
    )


def same(a, b):
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def test_as_the_program_writes_it(program, tmp_path):
    h5py = pytest.importorskip("h5py")
    result = program("sweep", "grazing.toml", "-o", "grazing.h5")
    assert result.returncode == 0, result.stderr
    sweep = grazing()
    with h5py.File(tmp_path / "grazing.h5") as file:
        for name in ("values", "first", "points", "final", "period", "steps", "impacts"):
            assert np.array_equal(getattr(sweep, name), file[name][:]), name
        assert list(sweep.columns) == [str(c) if isinstance(c, str) else c.decode() for c in file["points"].attrs["columns"]]
    read = rc.load_sweep(tmp_path / "grazing.h5")
    assert same(read.points, sweep.points) and read.parameters == sweep.parameters and read.columns == sweep.columns
    assert np.array_equal(read.axes["a"], sweep.axes["a"])


def test_shapes_and_views():
    sweep = grazing()
    assert sweep.status == "completed" and len(sweep) == 12 and sweep.shape == (12,)
    assert sweep.parameters == {"a": "model.parameters.a"} and np.array_equal(sweep.axes["a"], AXIS["model.parameters.a"])
    assert sweep.first[-1] == len(sweep.points) == 12 * 20 and (sweep.state == 0).all()
    assert np.shares_memory(sweep["x"], sweep.points) and not sweep.points.flags.writeable
    assert same(sweep.points_of(3), sweep.points[60:80]) and same(sweep.points_of(-1), sweep.points_of(11))
    assert np.array_equal(sweep.axis("a"), np.repeat(sweep.values[:, 0], 20))
    assert (sweep.steps > 0).all() and (sweep.impacts > 0).any()
    points = sweep.points
    del sweep
    assert np.isfinite(points).all()
    with pytest.raises(KeyError, match="did you mean"):
        grazing()["x_do"]


def test_a_model_and_a_dictionary_give_the_same():
    whole = grazing()
    assert same(rc.sweep("grazing.toml", AXIS, **SHORT).points, whole.points)
    by_model = rc.sweep(model(), {"a": AXIS["model.parameters.a"]}, h=1e-3, **STROBE)
    assert same(by_model.points, whole.points)
    ranged = rc.sweep(model(), {"a": {"range": [0.95, 1.3], "count": 12}}, h=1e-3, **STROBE)
    assert np.allclose(ranged.points, whole.points)


def test_threads_and_lanes_do_not_change_a_bit():
    one = grazing(threads=1, lanes=1)
    assert same(one.points, grazing().points) and same(one.final, grazing(threads=2).final)


def test_continuation_statistics_and_measures():
    both = rc.sweep("grazing.toml", {"a": {"range": [1.0, 1.2], "count": 4, "continuation": "both"}}, **SHORT)
    assert both.shape == (2, 4) and len(both) == 8
    means = grazing(record="statistics", measure=["lyapunov"])
    assert means.statistics.shape == (12, len(means.statistics_columns)) and not np.isnan(means.lyapunov).any()
    assert len(means.points) == 0 and np.array_equal(means.axis("a"), means.values[:, 0])
    settled = {**STROBE, "transient": "200*2*pi/w"}
    basins = rc.sweep(model(), {"initial.q.x": [0.0, 0.2], "initial.v.x": [0.0, 0.1]}, measure=["attractors"], h=1e-2, **settled)
    assert basins.shape == (2, 2) and basins.attractor.min() == 0


def test_pieces_of_a_continuation():
    axis = {"range": [1.0, 1.2], "count": 7, "continuation": "both"}
    plain = rc.sweep("grazing.toml", {"a": axis}, **SHORT)
    # A lead that reaches back to the begin is the plain chain; none is a start from [initial].
    whole = rc.sweep("grazing.toml", {"a": {**axis, "pieces": 4, "overlap": 14}}, **SHORT)
    assert same(plain.points, whole.points) and same(plain.final, whole.final)
    none = rc.sweep("grazing.toml", {"a": {**axis, "pieces": 7, "overlap": 0}}, **SHORT)
    each = rc.sweep("grazing.toml", {"a": {"range": [1.0, 1.2], "count": 7}}, **SHORT)
    final = {i: state for i, state in zip(range(14), none.final)}
    for path in range(0, 14, 2):  # the first of each piece
        index = path if path < 7 else 7 + (13 - path)
        assert np.array_equal(final[index], each.final[index % 7])
    one = rc.sweep("grazing.toml", {"a": {**axis, "pieces": 4, "overlap": 2}}, threads=1, lanes=1, **SHORT)
    assert same(one.points, rc.sweep("grazing.toml", {"a": {**axis, "pieces": 4, "overlap": 2}}, **SHORT).points)
    assert not same(one.final, plain.final)


def test_attractors_are_told_apart_as_in_a_file(tmp_path):
    # Points that may differ by more than their size repeat at once.
    options = dict(measure=["attractors"], set={"sweep.period_tolerance": 10.0})
    h5py = pytest.importorskip("h5py")
    in_memory = grazing(**options)
    grazing(output="basins.h5", **options)
    with h5py.File(tmp_path / "basins.h5") as file:
        assert in_memory.attractor.tolist() == file["attractor"][:].tolist()
        assert in_memory.cycle_impacts.tolist() == file["cycle_impacts"][:].tolist()
    assert in_memory.attractor[0] == 0 and set(in_memory.period) == {1}


def test_transients_say_when_the_motion_had_settled(tmp_path):
    pytest.importorskip("h5py")
    settled = {**STROBE, "transient": "settled", "settle_within": "100*2*pi/w"}
    in_memory, from_file = (rc.sweep(model(), AXIS, h=1e-2, output=output, **settled) for output in (None, tmp_path / "s.h5"))
    assert 0 < np.isfinite(in_memory.settled_after).sum() <= 12
    assert np.array_equal(in_memory.settled_after, from_file.settled_after, equal_nan=True)
    assert np.isnan(rc.sweep(model(), AXIS, h=1e-2, **STROBE).settled_after).all()


def test_failures_keep_their_slots():
    sweep = rc.sweep(model(), {"model.constraint.stop.restitution": [0.5, 1.5]}, h=1e-2, **STROBE)
    assert sweep.state.tolist() == [0, 1] and "restitution" in sweep.failures[1] and sweep.status == "completed"


def test_output_file(tmp_path):
    pytest.importorskip("h5py")
    sweep = grazing(output=tmp_path / "g.h5", csv=tmp_path / "g.csv")
    assert same(sweep.points, grazing().points) and (tmp_path / "g.csv").exists()
    with pytest.raises(rc.FileError):
        rc.load_sweep(tmp_path / "missing.h5")
    rc.run("gallery:bouncing-ball", until=0.1).save(tmp_path / "run.h5")
    with pytest.raises(rc.FileError, match="is not the result of a sweep"):
        rc.load_sweep(tmp_path / "run.h5")


def test_interrupt():
    result = script("""
        later(1.5)
        sweep = rc.sweep("grazing.toml", {"a": np.linspace(1.1, 1.3, 500)}, threads=1, transient="1e4", duration="1e3")
        done = (sweep.state >= 0).sum()
        print(sweep.status, done < 500, len(sweep) == 500)
    """)
    assert result.stdout.split() == ["interrupted", "True", "True"]


def test_progress_and_its_exceptions():
    calls = []
    grazing(progress=lambda *done: calls.append(done))
    assert calls[-1] == (12, 12)

    def fails(done, all_):
        raise LookupError("here")

    with pytest.raises(LookupError, match="here"):
        grazing(progress=fails)


@pytest.mark.parametrize(
    "options, sentence",
    [
        (dict(axes={"b": [1.0]}), "b"),
        (dict(axes={"a": ["x"]}), "axes.a: must be numbers"),
        (dict(record="strobe"), "sweep.record"),
        (dict(durations=3), "durations"),
        (dict(lanes=3), "lanes: must be 1 or"),
        (dict(threads=0), "threads: must be a whole number"),
        (dict(q0=None), "q0: where does the motion start"),
        (dict(scheme="moro"), "scheme"),
    ],
    ids=str,
)
def test_bad_requests(options, sentence):
    good = dict(axes={"a": [1.0, 1.1]}, h=1e-2, **STROBE)
    with pytest.raises(rc.InputError, match=sentence):
        rc.sweep(model(), **{**good, **options})


def test_what_cannot_be_swept():
    functions = rc.Model(["x"], 1.0, lambda t, q, v: [0.0])
    with pytest.raises(rc.InputError, match="formulas instead of functions"):
        rc.sweep(functions, {"a": [1.0]}, q0=[0.0], h=1e-2, duration=1.0)
    with pytest.raises(rc.ScenarioError, match="sweep"):
        rc.sweep("gallery:bouncing-ball")
    with pytest.raises(rc.InputError, match="a scenario has its own"):
        rc.sweep("grazing.toml", q0=[0.0])


def test_pictures_and_tables(pyplot, monkeypatch):  # noqa: F811
    sweep = grazing()
    ax = sweep.plot().axes[0]
    assert ax.labels["xlabel"] == "a" and ax.labels["ylabel"] == "x" and len(ax.curves[0][0]) == len(sweep.points)
    assert "<table" in sweep._repr_html_() and "12 trajectories" in repr(sweep)
    pandas = type(sys)("pandas")
    pandas.DataFrame = dict
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert list(sweep.to_dataframe())[:1] == ["a"]


def test_a_sweep_that_refines_itself_in_memory_and_in_a_file():
    text = SCENARIO.replace("[sweep]\n", "[sweep]\nrefine = { budget = 9 }\n")
    with open("fine.toml", "w") as out:
        out.write(text)
    memory = rc.sweep("fine.toml")
    assert 12 < len(memory) <= 21
    a = memory.values[:, 0]
    assert (np.diff(a) > 0).all() and memory.shape == (len(memory),)
    file = rc.sweep("fine.toml", output="fine.h5")
    assert same(memory.values, file.values) and same(memory.period, file.period) and same(memory.final, file.final)
