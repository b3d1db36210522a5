"""ricochet orbit and ricochet continue from outside."""

import json
import math
import signal
import subprocess
import time
from xml.etree import ElementTree

import h5py
import numpy
import pytest
from conftest import SANITIZED, data_of

OSCILLATOR = """\
title = "Oscillator in front of a stop"

[model]
coordinates = ["x"]
parameters = { A = 1.0, w = 1.0, unused = 3.0 }
kinetic = "x_dot^2/2"
potential = "x^2/2"
dissipation = "0.05*x_dot^2"
force = { x = "A*cos(w*t)" }

[[model.constraint]]
name = "stop"
gap = "1 - x"
restitution = 0.8

[initial]
q = { x = 0.0 }

[time]
until = 100.0
step = 0.01

[orbit]
period = "2*pi/w"
"""


@pytest.fixture
def oscillator(ricochet):
    return ricochet.write(OSCILLATOR, "oscillator.toml")


def test_orbit_json(ricochet, oscillator):
    orbit = ricochet.json("orbit", oscillator, "-o", "orbit.h5", "--report", "orbit.html")
    assert orbit["period"] == pytest.approx(2 * math.pi, abs=1e-13)
    (impact,) = orbit["impacts"]
    assert impact["constraint"] == "stop"
    assert impact["t"] % (2 * math.pi) == pytest.approx(0.0759521649383, abs=1e-12)
    assert impact["rate_plus"] == pytest.approx(1.35658635007591, abs=1e-12)
    assert impact["rate_plus"] == pytest.approx(-0.8 * impact["rate_minus"], abs=1e-13)
    first, second = orbit["multipliers"]
    assert first["re"] == pytest.approx(-0.584295314, abs=1e-9) and first["im"] == pytest.approx(0.005600351, abs=1e-9)
    assert second["im"] == -first["im"]
    assert orbit["stable"] and orbit["admissible"] and orbit["residual"] < 1e-13
    assert set(orbit["state"]) == {"t", "q", "v"}
    energy = orbit["energy"]
    assert energy["input"] + energy["damping"] + energy["impact"] == pytest.approx(0, abs=1e-12)
    with h5py.File(ricochet.folder / "orbit.h5") as file:
        assert file["motion"].shape[1] == 3 and file["multipliers"].shape == (2, 2)
    assert ricochet("report", "orbit.h5", "-o", "again.html", "--svg", "orbit.svg").returncode == 0
    picture = ElementTree.parse(ricochet.folder / "orbit.svg").getroot()
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"x in phase space", "Multipliers and the unit circle", "unit circle", "impacts"} <= set(words)


def test_orbit_text(ricochet, oscillator):
    result = ricochet("orbit", oscillator)
    assert result.returncode == 0, result.stderr
    assert "1 period of the load), 1 impact, stable" in result.stdout and "Floquet multipliers" in result.stdout
    assert ricochet.files() == ["oscillator.toml"]


def test_continue_json(ricochet, oscillator):
    files = ["-o", "branches.h5", "--csv", "branches.csv", "--report", "branches.html"]
    found = ricochet.json("continue", oscillator, "--along", "model.parameters.A=0.05:1.2", *files)
    kinds = {point["kind"]: point for point in found["points"]}
    assert kinds["fold"]["parameter"] == pytest.approx(0.0999707536283, abs=1e-11)
    assert kinds["lost"]["parameter"] == pytest.approx(0.1, abs=1e-9)
    assert kinds["end"]["parameter"] == pytest.approx(1.2, abs=1e-9)
    assert all(point["sentence"] for point in found["points"])
    (branch,) = found["branches"]
    fold = branch["points"][kinds["fold"]["index"]]
    assert fold["parameter"] == kinds["fold"]["parameter"] and len(fold["impacts"]) == 1
    lines = (ricochet.folder / "branches.csv").read_text().splitlines()
    assert len(lines) == len(branch["points"]) + 1 and lines[0].startswith("branch,A,period,stable,impacts")
    with h5py.File(ricochet.folder / "branches.h5") as file:
        assert list(file["branches/0/parameter"]) == [point["parameter"] for point in branch["points"]]


def test_continue_over_grazing(ricochet, oscillator):
    """From the motion without impacts over grazing to the orbit with one."""
    options = ["--set", "model.parameters.A=0.05", "--along", "model.parameters.A=0.02:0.12", "--branches"]
    found = ricochet.json("continue", oscillator, *options)
    kinds = {point["kind"]: point for point in found["points"]}
    assert kinds["grazing"]["parameter"] == pytest.approx(0.1, abs=1e-9) and kinds["grazing"]["branch"] == 0
    assert kinds["fold"]["parameter"] == pytest.approx(0.0999707536283, abs=1e-11) and kinds["fold"]["branch"] == 1
    assert found["branches"][1]["parent"] == 0


SECOND = [
    *["--set", "model.parameters.A=0.3", "--set", "model.parameters.w=1.2"],
    *["--along", "model.parameters.A=0.05:0.9", "--second", "model.parameters.w=0.8:1.3"],
]


@pytest.mark.skipif(SANITIZED, reason="a long sum: a minute under sanitizers; SpecialCurves follows curves there")
def test_curve_of_grazing(ricochet, oscillator):
    """x'' + 0.1 x' + x = A cos wt just reaches the stop at 1: A = |1 - w^2 + 0.1 i w|."""
    files = ["-o", "curves.h5", "--csv", "curves.csv", "--report", "curves.html"]
    found = ricochet.json("continue", oscillator, *SECOND, *files)
    assert found["second"] == "model.parameters.w" and found["second_range"] == [0.8, 1.3]
    (curve,) = found["curves"]
    assert curve["kind"] == "grazing" and len(curve["first"]) == len(curve["second"]) > 20
    for A, w in zip(curve["first"], curve["second"], strict=True):
        assert A == pytest.approx(abs(complex(1 - w * w, 0.1 * w)), rel=0, abs=1e-8)
    assert (curve["second"][0], curve["second"][-1]) == pytest.approx((0.8, 1.3), abs=1e-6)
    assert curve["begin"] == curve["end"] == "the end of the range"
    rows = [line.split(",") for line in (ricochet.folder / "curves.csv").read_text().splitlines()]
    assert rows[0] == ["curve", "kind", "A", "w"] and {tuple(row[:2]) for row in rows[1:]} == {("1", "grazing")}
    points = [list(point) for point in zip(curve["first"], curve["second"], strict=True)]
    assert [[float(row[2]), float(row[3])] for row in rows[1:]] == points
    with h5py.File(ricochet.folder / "curves.h5") as file:
        assert file["curves/0"][:].tolist() == points
    assert "Special points in two parameters" in (ricochet.folder / "curves.html").read_text()
    assert ricochet("report", "curves.h5", "-o", "again.html").returncode == 0


def test_no_curves(ricochet, oscillator):
    """Below grazing there is nothing to follow, and this is said."""
    few = ["--set", "model.parameters.A=0.05", "--along", "model.parameters.A=0.04:0.06"]
    result = ricochet("continue", oscillator, *few, "--second", "model.parameters.w=0.9:1.1")
    assert result.returncode == 0 and "0 curves of folds, flips and grazing" in result.stdout, result.stderr


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("model.parameters.B=0:1", "there is no key 'model.parameters.B'"),
        ("model.parameters.A=0.05:1.2", "must be another key than continue.along, got model.parameters.A"),
        ("model.parameters.w=1:1", "its ends must differ, got 1"),
        ("model.parameters.w=2:3", "must hold the value of model.parameters.w in the scenario, 1"),
        ("time.step=0.001:1", "does not change the model"),
        ("model.parameters.w", "--second: must be KEY=FROM:UNTIL"),
    ],
)
def test_bad_second(ricochet, oscillator, second, words):
    result = ricochet("continue", oscillator, "--along", "model.parameters.A=0.05:1.2", "--second", second)
    assert result.returncode == 2 and words in result.stderr, result.stderr
    assert result.stdout == ""


def test_second_without_the_other(ricochet, oscillator):
    result = ricochet("continue", oscillator, "--second", "model.parameters.w=0.8:1.2")
    assert result.returncode == 2 and "continue.along" in result.stderr
    range_alone = ["--along", "model.parameters.A=0.05:1.2", "--set", "continue.second_range=[0, 1]"]
    result = ricochet("continue", oscillator, *range_alone)
    assert result.returncode == 2 and "continue.second" in result.stderr and "is missing" in result.stderr


@pytest.mark.parametrize(
    ("verb", "options", "code", "words"),
    [
        ("orbit", ["--set", "orbit.period=5"], 2, "do not repeat after 5"),
        ("orbit", ["--set", 'orbit.drift=["y"]'], 2, "y"),
        ("continue", [], 2, "continue.along"),
        ("continue", ["--along", "model.parameters.B=0:1"], 2, "there is no key 'model.parameters.B'"),
        ("continue", ["--along", "model.parameters.A=2:3"], 2, "must hold the value of model.parameters.A"),
        ("continue", ["--along", "model.parameters.unused=2:4"], 2, "does not depend on this parameter"),
        ("continue", ["--along", "time.step=0.001:1"], 2, "does not change the model"),
        ("continue", ["--along", "model.parameters.A"], 2, "must be KEY=FROM:UNTIL"),
    ],
)
def test_bad_input(ricochet, oscillator, verb, options, code, words):
    result = ricochet(verb, oscillator, *options)
    assert result.returncode == code and words in result.stderr, result.stderr
    assert result.stdout == ""


def test_what_is_not_periodic(ricochet):
    chaotic = ["gallery:chaotic-oscillator", "--set", "orbit.period=2*pi/w", "--set", "orbit.longest=4"]
    result = ricochet("orbit", *chaotic)
    assert result.returncode == 3 and "does not repeat within 4 periods of the load" in result.stderr


CYCLE = """\
title = "A cycle that repels"

[model]
coordinates = ["x"]
kinetic = "x_dot^2/2"
potential = "x^2/2"
force = { x = "-0.1*(1 - x^2)*x_dot" }

[initial]
q = { x = 2.0 }

[time]
until = 20.0
step = 0.1

[orbit]
section = "x"
guess = 1
"""


def test_section(ricochet):
    orbit = ricochet.json("orbit", ricochet.write(CYCLE, "cycle.toml"))
    assert not orbit["stable"] and abs(orbit["state"]["q"][0]) < 1e-12 and orbit["state"]["v"][0] > 1.9
    # 2 pi / w, w = 1 - m^2/16 + 17 m^4/3072 - 35 m^6/884736, m = 0.1
    assert orbit["period"] == pytest.approx(2 * math.pi / (1 - 0.01 / 16 + 17e-4 / 3072 - 35e-6 / 884736), abs=1e-9)


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (('"x"\nguess', '"x - 10"\nguess'), 3, "passes its section nowhere"),
        (('"x"\nguess', '"y"\nguess'), 2, "orbit.section"),
        (('"x"\nguess', '"3"\nguess'), 2, "does not depend on the motion"),
        (("guess = 1", 'start = "nowhere.csv"'), 2, "orbit.start"),
    ],
)
def test_bad_section_and_start(ricochet, change, code, words):
    assert change[0] in CYCLE
    result = ricochet("orbit", ricochet.write(CYCLE.replace(*change), "cycle.toml"))
    assert result.returncode == code and words in result.stderr, result.stderr


def test_woodpecker(ricochet):
    """Its period by exact exponentials and Newton's method on the section map; the height comes back lower."""
    found = ricochet.json("orbit", "gallery:woodpecker")
    assert found["period"] == pytest.approx(0.14597606514375, abs=1e-13)
    assert abs(complex(found["multipliers"][0]["re"], found["multipliers"][0]["im"])) == pytest.approx(0.839, abs=5e-4)


def test_motion_of_an_orbit(ricochet):
    """What is drawn is the whole motion: every arc in even steps, along which places are the integrals of velocities."""
    assert ricochet("orbit", "gallery:woodpecker", "-o", "orbit.h5", "--report", "orbit.html").returncode == 0
    with h5py.File(ricochet.folder / "orbit.h5") as file:
        motion = file["motion"][()]
    assert len(motion) == 9 * 200  # its arcs
    for arc in motion.reshape(9, 200, -1):
        t, q, v = arc[:, 0], arc[:, 1:4], arc[:, 4:7]
        assert numpy.allclose(numpy.diff(t), (t[-1] - t[0]) / 199, rtol=1e-6)
        way = (0.5 * numpy.diff(t)[:, None] * (v[1:] + v[:-1])).sum(axis=0)
        assert numpy.allclose(q[-1] - q[0], way, rtol=1e-3, atol=1e-6)
    # An impact is a jump of velocities alone, also the last one, behind which the height begins elsewhere.
    jumps = data_of(ricochet.folder / "orbit.html")["plots"][0]["series"][1]
    places = [x for x in jumps["x"] if x is not None]
    assert jumps["name"] == "impacts" and len(places) == 2 * 5 and numpy.allclose(places[::2], places[1::2], rtol=1e-9)



def test_a_guess_that_is_far_from_any_orbit(ricochet, oscillator):
    far = ["--set", "orbit.guess=1", "--set", "initial.q.x=-1000", "--set", "initial.v.x=1e5"]
    result = ricochet("orbit", oscillator, *far)
    assert result.returncode == 3 and "Newton's method finds no orbit close to this motion" in result.stderr, result.stderr
    near = ricochet("orbit", oscillator, "--set", "orbit.guess=1", "--set", "initial.q.x=0.3", "--set", "initial.v.x=7")
    assert near.returncode == 3 and "the orbit is no motion" in near.stderr, near.stderr


def test_start_from_a_result(ricochet, oscillator):
    """The last state of a run, at its own time: what the load does there counts."""
    assert ricochet("run", oscillator, "--until", "303.3", "--scheme", "event-driven", "-o", "run.csv").returncode == 0
    once = ["--set", "orbit.guess=1"]
    assert ricochet("orbit", oscillator, *once).returncode == 3
    orbit = ricochet.json("orbit", oscillator, *once, "--set", "orbit.start=run.csv")
    assert orbit["impacts"][0]["rate_plus"] == pytest.approx(1.35658635007591, abs=1e-12)
    (ricochet.folder / "other.csv").write_text("t,y,y_dot\n1,2,3\n")
    result = ricochet("orbit", oscillator, *once, "--set", "orbit.start=other.csv")
    assert result.returncode == 2 and "is the result of another model" in result.stderr
    # an orbit's own result, another one a little further on
    assert ricochet("orbit", oscillator, "-o", "orbit.h5").returncode == 0
    further = ["--set", "model.parameters.A=1.01", "--set", "orbit.start=orbit.h5"]
    again = ricochet.json("orbit", oscillator, *once, *further)
    assert again["stable"] and again["residual"] < 1e-12 and len(again["impacts"]) == 1
    assert again["impacts"][0]["rate_plus"] == pytest.approx(
        ricochet.json("orbit", oscillator, *further[:2])["impacts"][0]["rate_plus"], abs=1e-11
    )


LONG = ["--along", "model.parameters.w=0.8:1.3", "--set", "model.parameters.A=0.3", "--set", "model.parameters.w=1.2"]
LONG += ["--set", "continue.step=2e-4", "--set", "continue.points=400", "--branches"]


@pytest.mark.skipif(SANITIZED, reason="a long sum: a minute under sanitizers; what follows is killed there too")
def test_same_bytes_after_kills(ricochet, oscillator):
    assert ricochet("continue", oscillator, *LONG, "-o", "whole.h5").returncode == 0
    whole = (ricochet.folder / "whole.h5").read_bytes()
    journal = ricochet.folder / "cut.h5.journal"
    size = 0
    for kind in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        command = [ricochet.program, "continue", oscillator, *LONG, "-o", "cut.h5"]
        process = subprocess.Popen(command, cwd=ricochet.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (journal.exists() and journal.stat().st_size > size + 200_000):
            time.sleep(0.002)
        process.send_signal(kind)
        process.communicate()
        assert journal.exists()
        size = journal.stat().st_size
    outcome = ricochet.json("continue", oscillator, *LONG, "-o", "cut.h5")
    assert outcome["resumed"] > 50
    assert (ricochet.folder / "cut.h5").read_bytes() == whole
    assert not journal.exists()


def test_a_journal_of_another_continuation(ricochet, oscillator):
    process = subprocess.Popen([ricochet.program, "continue", oscillator, *LONG, "-o", "cut.h5"], cwd=ricochet.folder)
    journal = ricochet.folder / "cut.h5.journal"
    while process.poll() is None and not (journal.exists() and journal.stat().st_size > 50_000):
        time.sleep(0.002)
    process.kill()
    process.communicate()
    other = [*LONG, "--set", "model.parameters.A=0.31", "-o", "cut.h5"]
    result = ricochet("continue", oscillator, *other)
    assert result.returncode == 2 and "steps of another continuation" in result.stderr and "--restart" in result.stderr
    assert ricochet("continue", oscillator, *other, "--restart").returncode == 0


def test_a_sweep_behind_the_branches(ricochet, oscillator):
    sweep = """
[sweep]
axis = [{ parameter = "model.parameters.A", range = [0.2, 1.2], count = 6 }]
transient = "60*2*pi/w"
duration = "4*2*pi/w"
record = "stroboscopic"
period = "2*pi/w"
"""
    name = ricochet.write(OSCILLATOR + sweep, "swept.toml")
    assert ricochet("sweep", name, "--set", "scheme.name=event-driven", "-o", "sweep.h5").returncode == 0
    along = ["--along", "model.parameters.A=0.2:1.2", *(["--set", "continue.step=0.1"] if SANITIZED else [])]
    assert ricochet("continue", name, *along, "--sweep", "sweep.h5", "--report", "page.html").returncode == 0
    result = ricochet("continue", name, "--along", "model.parameters.w=0.8:1.1", "--sweep", "sweep.h5")
    assert result.returncode == 2 and "is a sweep over model.parameters.A" in result.stderr
    result = ricochet("continue", name, *along, "--sweep", "gone.h5")
    assert result.returncode == 2 and "--sweep: gone.h5: there is no such file" in result.stderr
    # A file that is no sweep is told before branches are followed: nothing is written, and no steps are kept.
    kept = sorted(path.name for path in ricochet.folder.iterdir())
    result = ricochet("continue", name, *along, "--sweep", name, "-o", "branches.h5", "--csv", "branches.csv")
    assert result.returncode == 2 and "is not the result of a sweep" in result.stderr
    assert sorted(path.name for path in ricochet.folder.iterdir()) == kept
    page = json.dumps(data_of(ricochet.folder / "page.html"))
    assert '"dots": true' in page and '"details"' in page and "Orbit at A" in page
