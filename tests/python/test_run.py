"""Scenarios from Python: the same numbers, bit for bit, and the same sentences as the command line's."""

import numpy as np
import pytest

import ricochet as rc
from conftest import make_ball

ARRAYS = ["t", "q", "v", "gap", "rate", "impulse"]
SERIES = {f"energy/{k}": k for k in ("kinetic", "potential", "total")} | {
    f"ledger/{k}": k for k in ("input", "damping", "impact", "friction", "numerical")
}
# One of each kind of model, with states, observations, files, moving obstacles and several contacts.
SCENARIOS = ["bouncing-ball", "double-pendulum-wall", "pounding-buildings", "energy-harvester"]
SCENARIOS += ["moving-table", "bead-column", "elastic-bar"]


def same_bits(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def assert_same(sol, file):
    for name in ARRAYS:
        assert same_bits(getattr(sol, name), file[name]), name
    for stored, name in SERIES.items():
        assert same_bits(getattr(sol.energy, name), file[stored]), stored
    for name in sol.impacts.dtype.names:
        stored = file[f"impacts/{name}"]
        assert same_bits(np.ascontiguousarray(sol.impacts[name]).astype(stored.dtype), stored), name
    for name in ("initial", "final", "input", "damping", "impact", "friction", "numerical"):
        assert getattr(sol.ledger, name) == float(file[f"energy/{name}"]), name
    if sol.states:
        assert same_bits(sol.z, file["z"])
    if sol.joints:
        assert same_bits(sol.reaction, file["reaction"]) and list(file["joints"]) == list(sol.joints)
    if sol.observations:
        assert same_bits(sol.observed, file["observed"]) and same_bits(sol.observed_rate, file["observed_rate"])
    assert list(file["coordinates"]) == list(sol.coordinates) and list(file["constraints"]) == list(sol.constraints)


@pytest.mark.parametrize("name", SCENARIOS)
def test_same_bits_as_the_program(program, tmp_path, name):
    result = program("run", f"gallery:{name}", "-o", "run.npz")
    assert result.returncode == 0, result.stderr
    sol = rc.run(f"gallery:{name}")
    assert sol.status == "completed"
    with np.load(tmp_path / "run.npz") as file:
        assert_same(sol, file)


@pytest.mark.parametrize("scheme", rc.schemes.all())
def test_every_scheme_gives_the_same_bits(program, tmp_path, scheme):
    options = ["--scheme", scheme.name, "--step", "2e-3", "--until", "1.0"]
    settings = {}
    if scheme.inelastic_only:
        settings = {"model.constraint.floor.restitution": 0.0}
        options += ["--set", "model.constraint.floor.restitution=0.0"]
    result = program("run", "gallery:bouncing-ball", *options, "-o", "run.npz")
    assert result.returncode == 0, result.stderr
    sol = rc.run("gallery:bouncing-ball", scheme=scheme, step=2e-3, until=1.0, set=settings)
    with np.load(tmp_path / "run.npz") as file:
        assert_same(sol, file)


def test_saved_files_are_those_of_the_program(program, tmp_path):
    assert program("run", "gallery:energy-harvester", "-o", "program.npz").returncode == 0
    rc.run("gallery:energy-harvester").save(tmp_path / "python.npz")
    with np.load(tmp_path / "program.npz") as a, np.load(tmp_path / "python.npz") as b:
        assert set(a.files) == set(b.files)
        for name in a.files:
            assert same_bits(a[name], b[name]), name


def test_a_model_is_the_scenario(tmp_path):
    """The same system as an object, with the same scheme and step."""
    scenario = rc.run("gallery:bouncing-ball")
    sol = rc.simulate(make_ball(), (0, 3), [1.0], [0.0], scheme=rc.schemes.MoreauJean(), h=1e-3)
    assert same_bits(sol.q, scenario.q) and same_bits(sol.impacts["t"], scenario.impacts["t"])


def test_dictionary():
    table = {
        "title": "Ball",
        "model": {
            "coordinates": ["x"],
            "parameters": {"m": 1, "g": 9.81},
            "kinetic": "m*x_dot^2/2",
            "potential": "m*g*x",
            "constraint": [{"name": "floor", "gap": "x", "restitution": 0.9}],
        },
        "initial": {"q": {"x": 1.0}},
        "time": {"until": 3.0, "step": 1e-3},
    }
    sol = rc.run(table)
    assert sol.title == "Ball" and same_bits(sol.q, rc.run("gallery:bouncing-ball").q)
    assert rc.run(table, until=0.1).t[-1] == 0.1
    # What was run reads as a scenario file.
    assert "[[model.constraint]]" in sol.scenario and 'gap = "x"' in sol.scenario


def test_dictionary_with_arrays():
    table = {
        "model": {
            "kind": "linear",
            "mass": np.eye(2),
            "stiffness": np.array([[2.0, -1.0], [-1.0, 2.0]]),
            "stops": [{"dof": 1, "upper": 0.5, "restitution": 0.5}],
        },
        "initial": {"q": {"q0": 1.0}},
        "time": {"until": 10.0, "step": 1e-2},
    }
    sol = rc.run(table)
    assert sol.constraints == ("stop0-upper",) and len(sol.impacts) > 0


def test_set_and_scheme():
    sol = rc.run(
        "gallery:bouncing-ball",
        scheme=rc.schemes.MoreauJean(theta=1.0),
        until=0.5,
        set={"model.parameters.g": 1.62, "model.constraint.floor.restitution": "0.5"},
    )
    assert sol.t[-1] == 0.5 and sol.parameters["theta"] == 1.0
    assert sol.v[-1, 0] == pytest.approx(-1.62 * 0.5)
    assert rc.run("gallery:bouncing-ball", scheme="moreau-jean:theta=0.75", until=0.1).parameters["theta"] == 0.75


def test_scenario_file_with_files_beside_it(tmp_path):
    text = rc.gallery().text("pounding-buildings")
    (tmp_path / "buildings.toml").write_text(text)
    with pytest.raises(rc.ScenarioError, match="ground-motion.csv"):
        rc.run(tmp_path / "buildings.toml", until=0.1)


def test_output_is_written_while_it_runs(tmp_path):
    sol = rc.run("gallery:bouncing-ball", until=0.5, output=tmp_path / "ball.h5")
    again = rc.load(tmp_path / "ball.h5")
    assert same_bits(sol.q, again.q) and again.title == sol.title


@pytest.mark.parametrize("ending", ["h5", "npz", "csv"])
def test_save_and_load(tmp_path, ending):
    sol = rc.run("gallery:energy-harvester", until=0.3)
    sol.save(tmp_path / f"run.{ending}")
    again = rc.load(tmp_path / f"run.{ending}")
    for name in (*ARRAYS, "z"):
        assert same_bits(getattr(sol, name), getattr(again, name)), name
    assert same_bits(sol.impacts["t"], again.impacts["t"])
    assert again.coordinates == ("x",) and again.states == ("u",)
    if ending != "csv":  # which knows nothing of the run
        assert (again.status, again.scheme, again.parameters) == (sol.status, sol.scheme, sol.parameters)
        assert again.scenario == sol.scenario and again.ledger.final == sol.ledger.final
        assert again.h == pytest.approx(sol.h)
    # And what was loaded can be saved, unless the file does not hold all of it.
    if ending == "csv":
        with pytest.raises(rc.InputError, match="without an energy account"):
            again.save(tmp_path / "again.npz")
    again.save(tmp_path / f"again.{ending}")
    assert same_bits(rc.load(tmp_path / f"again.{ending}").q, sol.q)


def test_gallery():
    names = rc.gallery()
    assert names["bouncing-ball"] == "Ball on a floor" and len(names) > 20
    assert "[model]" in names.text("gallery:bouncing-ball")
    with pytest.raises(rc.ScenarioError, match="did you mean gallery:bouncing-ball"):
        names.text("bouncing-bal")


# Errors: the sentences of the command line.

BROKEN = {
    "unknown key": ("restitution = 0.9", "restitutio = 0.9"),
    "value out of range": ("restitution = 0.9", "restitution = 1.9"),
    "formula": ('gap = "x"', 'gap = "y"'),
    "start inside": ("x = 1.0", "x = -1.0"),
    "scheme": ('name = "moreau-jean"', 'name = "moro"'),
    "toml": ("[initial]", "[initial"),
    "mass": ('kinetic     = "m*x_dot^2/2"', 'kinetic = "-m*x_dot^2/2"'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_same_sentences(program, tmp_path, monkeypatch, name):
    old, new = BROKEN[name]
    text = rc.gallery().text("bouncing-ball")
    assert old in text
    (tmp_path / "ball.toml").write_text(text.replace(old, new, 1))
    result = program("run", "ball.toml", "--no-output")
    assert result.returncode == 2
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rc.ScenarioError) as error:
        rc.run("ball.toml")
    assert f"error: {error.value}\n" == result.stderr
    assert isinstance(error.value, rc.InputError) and isinstance(error.value, ValueError)


def test_missing_file(program):
    result = program("run", "bouncing-ball.toml")
    with pytest.raises(rc.FileError) as error:
        rc.run("bouncing-ball.toml")
    assert f"error: {error.value}\n" == result.stderr
    assert isinstance(error.value, OSError)


def test_bad_settings():
    with pytest.raises(rc.ScenarioError, match="step=-1: time.step: must be positive"):
        rc.run("gallery:bouncing-ball", step=-1)
    with pytest.raises(rc.ScenarioError, match="time.stepp"):
        rc.run("gallery:bouncing-ball", set={"time.stepp": 1})
    with pytest.raises(rc.InputError, match="moreau-jean"):
        rc.run("gallery:bouncing-ball", scheme="moreau-jea")
    with pytest.raises(rc.InputError, match="set: must be a dictionary"):
        rc.run("gallery:bouncing-ball", set=["time.step=1"])
    with pytest.raises(rc.InputError, match="got int"):
        rc.run(3)
    with pytest.raises(rc.InputError, match="time.step.*object"):
        rc.run("gallery:bouncing-ball", set={"time.step": object()})


def test_errors_of_dictionaries_have_no_line(ball):
    with pytest.raises(rc.ScenarioError) as error:
        rc.run({"model": {"coordinates": ["x"], "kinetik": "x_dot^2/2"}, "time": {"until": 1, "step": 1}})
    assert str(error.value).startswith("model.kinetik: ") and "kinetic" in str(error.value)


def test_failed_run_keeps_what_there_is():
    table = {
        "model": {"coordinates": ["x"], "kinetic": "x_dot^2/2", "force": {"x": "x^3"}},
        "initial": {"q": {"x": 1.0}, "v": {"x": 1.0}},
        "time": {"until": 100.0, "step": 1e-2},
    }
    with pytest.warns(rc.RunWarning, match="stopped at t = "):
        sol = rc.run(table)
    assert sol.status == "failed" and sol.failure.startswith("stopped at t = ")
    assert 10 < len(sol.t) < 10000 and np.isfinite(sol.q).all()
