"""ricochet sweep from outside: the same bytes however it runs, and nothing lost whatever happens to it."""

import csv
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time

import h5py
import numpy
import pytest

from conftest import PROGRAM, SANITIZED, data_of

OSCILLATOR = """\
title = "Oscillator before a stop"

[model]
coordinates = ["x"]
parameters = { w = 2.8, A = 1.0, zeta = 0.05 }
kinetic = "x_dot^2/2"
potential = "x^2/2"
dissipation = "zeta*x_dot^2"
force = { x = "A*cos(w*t)" }

[[model.constraint]]
name = "stop"
gap = "0.1 - x"
restitution = 0.8

[initial]
q = { x = 0.0 }

[time]
until = 1.0
step = 1e-2

[sweep]
axis = [{ parameter = "model.parameters.w", range = [2.0, 4.0], count = COUNT }]
transient = "PERIODS*2*pi/w"
duration = "16*2*pi/w"
record = "stroboscopic"
period = "2*pi/w"
"""
KEYS = {"scenario", "scheme", "record", "status", "trajectories", "failed", "resumed", "steps", "seconds", "threads",
        "ranks", "lanes", "output"}  # fmt: skip
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
HAS_MPI = shutil.which("mpirun") is not None and b"MPI_Init_thread" in pathlib.Path(PROGRAM).read_bytes()
needs_mpi = pytest.mark.skipif(not HAS_MPI, reason="the program was built without MPI")


def scenario(count=40, periods=20):
    periods = periods // 10 if SANITIZED and periods >= 100 else periods
    return OSCILLATOR.replace("COUNT", str(count)).replace("PERIODS", str(periods))


def continued(text):
    return text.replace("count = ", 'continuation = "both", count = ')


# Long enough to be disturbed: about two seconds without lanes.
LONG = ["--threads", "1", "--lanes", "1"]


@pytest.fixture
def long(ricochet):
    """A scenario that takes a while, and the bytes it should end with."""
    name = ricochet.write(scenario(250, 250), "long.toml")
    assert ricochet("sweep", name, "-o", "undisturbed.h5").returncode == 0
    return name, (ricochet.folder / "undisturbed.h5").read_bytes()


def read(ricochet, name):
    return (ricochet.folder / name).read_bytes()


def start(ricochet, *command, **options):
    options.setdefault("stdout", subprocess.DEVNULL)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen(command, cwd=ricochet.folder, encoding="utf-8", env=os.environ | ROOT, **options)


def mpirun(ricochet, ranks, *arguments):
    command = ["mpirun", "--oversubscribe", "-n", str(ranks), ricochet.program, *arguments]
    return subprocess.run(command, cwd=ricochet.folder, capture_output=True, encoding="utf-8", env=os.environ | ROOT,
                          timeout=600)  # fmt: skip


def wait_for_size(path, size, process):
    """Until the journal has grown so far; False if the process ended before."""
    while process.poll() is None:
        if path.exists() and path.stat().st_size >= size:
            return True
        time.sleep(0.002)
    return False


def test_json_and_file(ricochet):
    outcome = ricochet.json("sweep", ricochet.write(scenario(), "o.toml"), "--threads", "2")
    assert KEYS <= outcome.keys()
    assert outcome["scheme"] == "moreau-jean" and outcome["record"] == "stroboscopic"
    assert outcome["status"] == "completed" and outcome["output"] == "o.h5"
    assert (outcome["trajectories"], outcome["failed"], outcome["resumed"]) == (40, 0, 0)
    assert (outcome["threads"], outcome["ranks"], outcome["lanes"]) == (2, 1, 8)
    assert outcome["seconds"] > 0
    assert ricochet.files() == ["o.h5", "o.toml"]
    with h5py.File(ricochet.folder / "o.h5") as file:
        assert "[sweep]" in file.attrs["scenario"]
        assert list(file.attrs["shape"]) == [40]
        assert file.attrs["record"] == "stroboscopic" and file.attrs["both_directions"] == 0
        assert list(file.attrs["coordinates"]) == ["x"] and list(file.attrs["constraints"]) == ["stop"]
        w = file["axes/w"]
        assert w.attrs["parameter"] == "model.parameters.w" and w.attrs["logarithmic"] == 0
        assert numpy.allclose(w[()], numpy.linspace(2, 4, 40), rtol=1e-15)
        assert (file["values"][:, 0] == w[()]).all()
        assert (file["status"][()] == 0).all() and "failure" not in file
        assert list(file["first"][()]) == list(range(0, 41 * 16, 16))
        assert file["points"].shape == (40 * 16, len(file["points"].attrs["columns"]))
        assert list(file["final"].attrs["columns"]) == ["x", "x_dot"]
        assert file["final"].shape == (40, 2) and file["period"].shape == (40,)
        assert int(file["steps"][()].sum()) == outcome["steps"]
        assert (file["impacts"][()] > 0).any()


def test_transients_that_end_when_the_motion_has_settled(ricochet):
    settled = 'transient = "settled"\nsettle_within = "200*2*pi/w"'
    text = scenario().replace('transient = "20*2*pi/w"', settled)
    name = ricochet.write(text, "settled.toml")
    outcome = ricochet.json("sweep", name)
    assert 10 < outcome["settled"] < 40
    again = ricochet("sweep", name, "-o", "again.h5").stdout
    assert f"{outcome['settled']} of 40 transients ended when the motion had settled" in again
    with h5py.File(ricochet.folder / "settled.h5") as file:
        after, periods = file["settled_after"][()], 2 * numpy.pi / file["values"][:, 0]
        settled = ~numpy.isnan(after)
        assert settled.sum() == outcome["settled"] and (after[settled] < 200 * periods[settled]).all()
        eighths = after[settled] / periods[settled] / 8
        assert numpy.allclose(eighths, numpy.round(eighths), atol=1e-9)
        assert (file["period"][settled] > 0).all()
    ricochet("sweep", name, "-o", "alone.h5", *LONG)
    assert read(ricochet, "alone.h5") == read(ricochet, "settled.h5") == read(ricochet, "again.h5")
    with_number = ricochet.json("sweep", ricochet.write(scenario(), "fixed.toml"))
    assert "settled" not in with_number
    assert ricochet("report", "settled.h5", "-o", "settled.html").returncode == 0
    assert "settled_after" in json.dumps(data_of(ricochet.folder / "settled.html"))


def test_same_bytes_for_threads_and_lanes(ricochet):
    name = ricochet.write(scenario(), "o.toml")
    for k, arguments in enumerate([[], ["--threads", "1"], ["--threads", "2", "--lanes", "1"],
                                   ["--threads", "3", "--lanes", "8"]]):  # fmt: skip
        assert ricochet("sweep", name, "-o", f"{k}.h5", "--csv", f"{k}.csv", *arguments).returncode == 0
        assert read(ricochet, f"{k}.h5") == read(ricochet, "0.h5"), arguments
        assert read(ricochet, f"{k}.csv") == read(ricochet, "0.csv"), arguments


def test_same_bytes_with_interpreted_formulas(ricochet):
    name = ricochet.write(scenario(), "o.toml")
    for jit in ["0", "1"]:
        environment = {**os.environ, "RICOCHET_JIT": jit}
        assert ricochet("sweep", name, "-o", f"{jit}.h5", env=environment).returncode == 0
        assert ricochet("run", name, "-o", f"run{jit}.csv", env=environment).returncode == 0
    assert read(ricochet, "1.h5") == read(ricochet, "0.h5")
    assert read(ricochet, "run1.csv") == read(ricochet, "run0.csv")


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_same_bytes_under_mpirun(ricochet, ranks):
    name = ricochet.write(continued(scenario()), "o.toml")
    assert ricochet("sweep", name, "-o", "one.h5").returncode == 0
    result = mpirun(ricochet, ranks, "sweep", name, "-o", "many.h5", "--json")
    assert result.returncode == 0, result.stderr
    outcome = json.loads(result.stdout)
    assert (outcome["ranks"], outcome["threads"], outcome["trajectories"]) == (ranks, 1, 80)
    assert read(ricochet, "many.h5") == read(ricochet, "one.h5")
    assert ricochet.files() == ["many.h5", "o.toml", "one.h5"]


@needs_mpi
def test_threads_of_ranks(ricochet):
    name = ricochet.write(scenario(), "o.toml")
    assert ricochet("sweep", name, "-o", "one.h5").returncode == 0
    result = mpirun(ricochet, 2, "sweep", name, "-o", "many.h5", "--threads", "2", "--lanes", "1")
    assert result.returncode == 0, result.stderr
    assert "40 of 40 trajectories" in result.stdout and result.stdout.count("\n") < 8
    assert read(ricochet, "many.h5") == read(ricochet, "one.h5")


@needs_mpi
def test_one_complaint_of_all_ranks(ricochet):
    name = ricochet.write(scenario().replace("count = 40", "count = -1"), "o.toml")
    result = mpirun(ricochet, 2, "sweep", name)
    assert result.returncode == 2
    assert result.stdout.count("error:") + result.stderr.count("error:") == 1
    assert "count" in result.stderr
    missing = mpirun(ricochet, 2, "sweep", "nowhere.toml")
    assert missing.returncode == 2 and missing.stderr.count("nowhere.toml") == 1
    assert ricochet.files() == ["o.toml"]


def test_copies_that_do_not_find_each_other(ricochet):
    """As under the mpirun of another MPI, or without one in the program: they would all write the same file."""
    name = ricochet.write(scenario(), "o.toml")
    result = ricochet("sweep", name, env=os.environ | ROOT | {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"})
    assert result.returncode == 2
    assert "error: 2 processes were started together" in result.stderr
    assert ricochet.files() == ["o.toml"]


@pytest.mark.parametrize("kind", ["grid", "continuation", "pieces"])
def test_killed_at_random_times(ricochet, kind):
    text = scenario(200, 120) if kind == "grid" else continued(scenario(100, 120))
    if kind == "pieces":
        text = text.replace("count = ", "pieces = 7, overlap = 3, count = ")
    name = ricochet.write(text, "long.toml")
    assert ricochet("sweep", name, "-o", "undisturbed.h5").returncode == 0
    chance = random.Random(8)
    journal = ricochet.folder / "long.h5.journal"
    kills, size = 0, 0
    while kills < 4:
        process = start(ricochet, ricochet.program, "sweep", name, *LONG, stderr=subprocess.DEVNULL)
        # Somewhat later than the last time, also in the middle of a write.
        alive = wait_for_size(journal, size + chance.randrange(1, 25_000), process)
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        process.wait()
        if not alive or not journal.exists():
            break
        kills += 1
        size = journal.stat().st_size
        # A write that was cut short.
        if chance.random() < 0.5:
            with open(journal, "r+b") as file:
                file.truncate(size - chance.randrange(1, 200))
    assert kills >= 2
    outcome = ricochet.json("sweep", name)
    assert 0 < outcome["resumed"] < outcome["trajectories"]
    assert read(ricochet, "long.h5") == read(ricochet, "undisturbed.h5")
    assert ricochet.files() == ["long.h5", "long.toml", "undisturbed.h5"]


def rank_of(process, rank):
    """The process of one rank below mpirun."""
    for folder in pathlib.Path("/proc").iterdir():
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process.pid and f"OMPI_COMM_WORLD_RANK={rank}\0".encode() in (folder / "environ").read_bytes():
                return int(folder.name)
        except (OSError, ValueError, IndexError):
            pass
    return None


@needs_mpi
@pytest.mark.parametrize("rank", [0, 1])
def test_a_killed_rank(ricochet, long, rank):
    name, bytes_wanted = long
    process = start(ricochet, "mpirun", "--oversubscribe", "-n", "2", ricochet.program, "sweep", name, "--lanes", "1")
    journal = ricochet.folder / "long.h5.journal"
    assert wait_for_size(journal, 20_000, process)
    os.kill(rank_of(process, rank), signal.SIGKILL)
    process.communicate(timeout=600)
    assert process.returncode != 0
    assert not (ricochet.folder / "long.h5").exists()
    # The other rank works on until mpirun ends it: on a busy machine it may finish all.
    assert 0 < ricochet.json("sweep", name)["resumed"] <= 250
    assert read(ricochet, "long.h5") == bytes_wanted


def test_interrupt(ricochet, long):
    name, bytes_wanted = long
    process = start(ricochet, ricochet.program, "sweep", name, *LONG)
    assert wait_for_size(ricochet.folder / "long.h5.journal", 50_000, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 3
    assert "interrupted with" in errors and "long.h5.journal" in errors and "the same command" in errors
    assert not (ricochet.folder / "long.h5").exists()
    # What was finished is taken over.
    assert ricochet.json("sweep", name)["resumed"] > 10
    assert read(ricochet, "long.h5") == bytes_wanted


@needs_mpi
def test_interrupt_under_mpirun(ricochet):
    # mpirun takes its time to pass the signal on.
    name = ricochet.write(scenario(250, 2500), "long.toml")
    assert ricochet("sweep", name, "-o", "undisturbed.h5").returncode == 0
    bytes_wanted = read(ricochet, "undisturbed.h5")
    process = start(ricochet, "mpirun", "--oversubscribe", "-n", "2", ricochet.program, "sweep", name, "--lanes", "1")
    assert wait_for_size(ricochet.folder / "long.h5.journal", 20_000, process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode != 0
    assert ricochet.json("sweep", name)["resumed"] > 10
    assert read(ricochet, "long.h5") == bytes_wanted


def test_full_disk(ricochet, long):
    name, bytes_wanted = long

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    result = ricochet("sweep", name, preexec_fn=limit)
    assert result.returncode == 3
    assert "long.h5.journal: File too large" in result.stderr and "the same command" in result.stderr
    assert ricochet.files() == ["long.h5.journal", "long.toml", "undisturbed.h5"]
    assert ricochet.json("sweep", name)["resumed"] > 10
    assert read(ricochet, "long.h5") == bytes_wanted


def test_full_disk_at_the_end(ricochet):
    """The trajectories are there, but the result has no room: CSV is longer than the journal."""
    name = ricochet.write(scenario(), "o.toml")
    assert ricochet("sweep", name, "-o", "one.h5", "--csv", "one.csv").returncode == 0
    most = (ricochet.folder / "one.csv").stat().st_size - 1

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    result = ricochet("sweep", name, "--csv", "o.csv", preexec_fn=limit)
    assert result.returncode == 3
    assert "o.csv" in result.stderr and "kept in o.h5.journal" in result.stderr
    assert ricochet.files() == ["o.h5.journal", "o.toml", "one.csv", "one.h5"]
    assert ricochet.json("sweep", name, "--csv", "o.csv")["resumed"] == 40
    assert read(ricochet, "o.h5") == read(ricochet, "one.h5")
    assert read(ricochet, "o.csv") == read(ricochet, "one.csv")


def test_another_sweep_keeps_the_journal(ricochet, long):
    name, bytes_wanted = long
    process = start(ricochet, ricochet.program, "sweep", name, *LONG)
    journal = ricochet.folder / "long.h5.journal"
    assert wait_for_size(journal, 20_000, process)
    second = ricochet("sweep", name)
    assert second.returncode == 2 and "is in use" in second.stderr
    process.kill()
    process.communicate()
    changed = ["--set", "model.constraint.stop.restitution=0.7"]
    result = ricochet("sweep", name, *changed)
    assert result.returncode == 2
    assert "long.h5.journal" in result.stderr and "--restart" in result.stderr
    assert journal.exists()
    outcome = ricochet.json("sweep", name, *changed, "--restart")
    assert outcome["resumed"] == 0
    assert not journal.exists() and read(ricochet, "long.h5") != bytes_wanted


def test_a_file_that_changed(ricochet):
    """The contents of files decide results too: a journal from before does not fit."""
    text = scenario(200, 150).replace('force = { x = "A*cos(w*t)" }', "").replace("[initial]\nq = { x = 0.0 }", "")
    head, tail = text.split("[time]")
    (ricochet.folder / "start.csv").write_text("x\n0.05\n")
    name = ricochet.write(head + '[initial]\nq = "start.csv"\n\n[time]' + tail, "long.toml")
    process = start(ricochet, ricochet.program, "sweep", name, *LONG)
    assert wait_for_size(ricochet.folder / "long.h5.journal", 5_000, process)
    process.kill()
    process.communicate()
    (ricochet.folder / "start.csv").write_text("x\n0.06\n")
    result = ricochet("sweep", name)
    assert result.returncode == 2 and "--restart" in result.stderr
    (ricochet.folder / "start.csv").write_text("x\n0.05\n")
    assert ricochet.json("sweep", name)["resumed"] > 0


def test_a_trajectory_that_fails(ricochet):
    text = scenario(4).replace("model.parameters.w", "model.constraint.stop.restitution").replace("[2.0, 4.0]", "[0.5, 2.0]")
    name = ricochet.write(text, "o.toml")
    result = ricochet("sweep", name, "--json")
    assert result.returncode == 0, result.stderr
    assert "note: 2 of 4 trajectories failed; the first at restitution = 1.5: " in result.stderr
    outcome = json.loads(result.stdout)
    assert (outcome["status"], outcome["trajectories"], outcome["failed"]) == ("completed", 4, 2)
    assert [failure["trajectory"] for failure in outcome["failures"]] == [2, 3]
    assert outcome["failures"][0]["values"] == [1.5]
    with h5py.File(ricochet.folder / "o.h5") as file:
        assert list(file["status"][()]) == [0, 0, 1, 1]
        texts = [text.decode() for text in file["failure"][()]]
        assert texts[:2] == ["", ""] and "[0, 1]" in texts[2]
        assert list(file["first"][()]) == [0, 16, 32, 32, 32]
        assert numpy.isfinite(file["final"][:2]).all() and numpy.isnan(file["final"][2:]).all()


def test_all_trajectories_fail(ricochet):
    text = scenario(3).replace("model.parameters.w", "model.constraint.stop.restitution").replace("[2.0, 4.0]", "[1.5, 2.0]")
    result = ricochet("sweep", ricochet.write(text, "o.toml"))
    assert result.returncode == 3
    assert "error: 3 of 3 trajectories failed" in result.stderr


@pytest.mark.parametrize("record, words", [('{ section = "sqrt(-1 - x^2)" }', "it is not a number"),
                                           ('{ section = "x - 50" }', "no trajectory passes the section"),
                                           ('"impacts"', "no trajectory has an impact")])  # fmt: skip
def test_no_points(ricochet, record, words):
    text = scenario(3).replace('"stroboscopic"', record).replace('gap = "0.1 - x"', 'gap = "100 - x"')
    result = ricochet("sweep", ricochet.write(text, "o.toml"))
    assert result.returncode == 0, result.stderr
    assert result.stderr.startswith("note: there are no points: ") and words in result.stderr


def test_csv(ricochet):
    name = ricochet.write(scenario(5), "o.toml")
    assert ricochet("sweep", name, "--csv", "o.csv").returncode == 0
    with open(ricochet.folder / "o.csv", newline="", encoding="utf-8") as file, h5py.File(ricochet.folder / "o.h5") as h5:
        rows = list(csv.reader(file))
        assert rows[0] == ["w", "trajectory", *h5["points"].attrs["columns"]]
        numbers = numpy.array(rows[1:], dtype=float)
        assert (numbers[:, 2:] == h5["points"][()]).all()
        assert (numbers[:, 0] == numpy.repeat(h5["values"][:, 0], 16)).all()
        assert (numbers[:, 1] == numpy.repeat(range(5), 16)).all()


def test_statistics(ricochet):
    text = scenario(6).replace('"stroboscopic"', '"statistics"\nimpulse_bins = [0.0, 0.5, 1.0, 5.0]')
    outcome = ricochet.json("sweep", ricochet.write(text, "o.toml"), "--csv", "o.csv")
    assert outcome["record"] == "statistics"
    rows = (ricochet.folder / "o.csv").read_text().splitlines()
    with h5py.File(ricochet.folder / "o.h5") as file:
        assert len(rows) == 7
        assert rows[0].split(",")[2:] == list(file["statistics"].attrs["columns"])
        assert (numpy.array([row.split(",")[2:] for row in rows[1:]], dtype=float) == file["statistics"][()]).all()
        assert list(file["impulse_edges"][()]) == [0.0, 0.5, 1.0, 5.0]
        assert file["histogram"].shape == (6, 3)
        assert (file["histogram"][()].sum(axis=1) > 0).any()


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
@pytest.mark.parametrize("kind", ["formulas", "linear"])
def test_statistics_of_outputs(ricochet, kind, scheme):
    """They are those of the rows of a run, for each trajectory with its own parameters."""
    output = '[[output]]\nname = "power"\nformula = "A*cos(w*t)*x_dot"\n'
    model, rest = scenario(2).split("[[model.constraint]]")
    if kind == "linear":
        model = """[model]
kind = "linear"
coordinates = ["x"]
parameters = { w = 2.8, A = 1.0 }
mass = [[1.0]]
stiffness = [[1.0]]
damping = [[0.1]]
load = { x = "A*cos(w*t)" }
"""
        rest = rest.replace('gap = "0.1 - x"', "normal = { x = -1.0 }\noffset = 0.1")
    rest = rest.replace('"stroboscopic"', '"statistics"').replace('period = "2*pi/w"', "").replace('"16*2*pi/w"', "8")
    name = ricochet.write(model + "[[model.constraint]]" + rest.replace('"20*2*pi/w"', "2") + output, "o.toml")
    ricochet.json("sweep", name, "--set", f'scheme.name="{scheme}"')
    with h5py.File(ricochet.folder / "o.h5") as file:
        columns = list(file["statistics"].attrs["columns"])
        found = file["statistics"][:, columns.index("power.mean") : columns.index("power.max") + 1]
    for w, numbers in zip((2.0, 4.0), found):
        ricochet.json("run", name, "--set", f"model.parameters.w={w}", "--scheme", scheme, "--until", "10", "-o", "run.h5")
        with h5py.File(ricochet.folder / "run.h5") as file:
            t, power = file["t"][()], file["output"][:, 0]
        t, power = t[t > 2 - 1e-9], power[t > 2 - 1e-9]
        mean = lambda y: (0.5 * numpy.diff(t) * (y[1:] + y[:-1])).sum() / 8  # noqa: E731
        expected = [mean(power), mean(power**2) ** 0.5, power.min(), power.max()]
        assert numpy.allclose(numbers, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("record", ['"stroboscopic"', '"impacts"', '{ section = "x_dot" }'])
@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
def test_outputs_in_points(ricochet, record, scheme):
    """Of what is known at an instant, with each trajectory's own parameters; impulses and forces are not."""
    outputs = "".join(f'[[output]]\nname = "{name}"\nformula = "{formula}"\nunit = "{unit}"\n' for name, formula, unit in (
        ("power", "A*cos(w*t)*x_dot", "W"), ("push", "stop_impulse", "N s"), ("near", "stop_gap + 2*stop_rate", "m")))
    units = 'display = [{ name = "x", unit = "m" }, { name = "t", unit = "s" }, { name = "w", unit = "rad/s" }]\n'
    text = units + scenario(3).replace('"stroboscopic"', record) + outputs
    name = ricochet.write(text, "o.toml")
    changes = ["--set", f'scheme.name="{scheme}"']
    ricochet.json("sweep", name, *changes, "--csv", "o.csv")
    plain = ricochet.write(text.replace(outputs, ""), "plain.toml")
    ricochet.json("sweep", plain, *changes)
    with h5py.File(ricochet.folder / "o.h5") as file, h5py.File(ricochet.folder / "plain.h5") as alone:
        columns, points, first = list(file["points"].attrs["columns"]), file["points"][()], file["first"][()]
        assert columns == [*alone["points"].attrs["columns"], "power", "near"]
        # They change neither the points nor the period that is seen in them.
        assert (points[:, :-2] == alone["points"][()]).all() and (file["period"][()] == alone["period"][()]).all()
        for i, w in enumerate(file["values"][:, 0]):
            rows = points[first[i] : first[i + 1]]
            t, x, v = (rows[:, columns.index(column)] for column in ("t", "x", "x_dot"))
            assert len(rows) > 5
            if record == '"impacts"' and scheme == "moreau-jean":
                continue  # their time is that of the impact, their state that at the end of its step
            assert numpy.allclose(rows[:, -2], numpy.cos(w * t) * v, rtol=1e-9, atol=1e-7)
            assert numpy.allclose(rows[:, -1], 0.1 - x - 2 * v, rtol=1e-12, atol=1e-14)
    head = (ricochet.folder / "o.csv").read_text().splitlines()[0].split(",")
    assert {"w [rad/s]", "t [s]", "x [m]", "x_dot [m/s]", "power [W]", "near [m]"} <= set(head)
    assert ricochet("report", "o.h5", "-o", "o.html", "--svg", "o.svg").returncode == 0
    picture = (ricochet.folder / "o.svg").read_text()
    assert ">w [rad/s]<" in picture and (">impulse<" if record == '"impacts"' else ">x [m]<") in picture
    assert (ricochet.json("sweep", name, *changes, "--lanes", "1", "-o", "single.h5"))["points"] == len(points)
    with h5py.File(ricochet.folder / "single.h5") as file:
        assert (file["points"][()] == points).all()


def test_attractors_and_lyapunov(ricochet):
    axes = '[{ parameter = "initial.q.x", range = [-1.0, 0.0], count = 4 }, { parameter = "initial.v.x", values = [-1.0, 1.0] }]'
    lines = scenario(1, 200).splitlines()
    text = "\n".join(f"axis = {axes}" if line.startswith("axis") else line for line in lines)
    outcome = ricochet.json("sweep", ricochet.write(text + '\nmeasure = ["lyapunov", "attractors"]\n', "o.toml"))
    with h5py.File(ricochet.folder / "o.h5") as file:
        assert list(file.attrs["shape"]) == [4, 2]
        attractor = file["attractor"][()]
        assert attractor[0] == 0 and attractor.max() + 1 == outcome["attractors"]
        # Where the motion comes to rest at the stop, what was beside it is then the same: the exponent is -inf.
        assert not numpy.isnan(file["lyapunov"][()]).any()


def test_report(ricochet):
    name = ricochet.write(scenario(5), "o.toml")
    result = ricochet("sweep", name, "--report", "o.html")
    assert result.returncode == 0, result.stderr
    assert "o.html" in result.stdout
    page = (ricochet.folder / "o.html").read_text()
    assert "Oscillator before a stop" in page and "</html>" in page


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--lanes", "3"], ["--lanes", "1 or 8"]),
        (["--lanes", "many"], ["--lanes", "many"]),
        (["--threads", "0"], ["--threads", "1 to"]),
        (["-o", "o.csv"], ["-o", ".h5"]),
        (["-o", ""], ["-o", "empty"]),
        (["-o", "nowhere/o.h5"], ["nowhere"]),
        (["-o", "/proc/o.h5"], ["/proc/o.h5.journal"]),
        (["--csv", "o.txt"], ["--csv", ".csv"]),
        (["--csv", "nowhere/o.csv"], ["nowhere"]),
        (["--report", "nowhere/o.html"], ["nowhere"]),
        (["--set", "sweep.duration=-1"], ["sweep.duration"]),
        (["--sweeps", "1"], ["--sweeps"]),
    ],
)
def test_nonsense(ricochet, arguments, words):
    result = ricochet("sweep", ricochet.write(scenario(), "o.toml"), *arguments)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("error: ") and result.stdout == ""
    for word in words:
        assert word in result.stderr
    assert ricochet.files() == ["o.toml"]


def test_without_a_table(ricochet, ball):
    result = ricochet("sweep", ricochet.write(ball))
    assert result.returncode == 2
    assert "[sweep]" in result.stderr
    assert ricochet("sweep").returncode == 2
    assert "mpirun" in ricochet("sweep", "--help").stdout


@pytest.mark.skipif(SANITIZED, reason="a long sum: a minute under sanitizers")
def test_attractors_lie_on_the_stable_branch(ricochet):
    """The sweep of gallery:grazing against orbits that ricochet continue follows, at the same values."""
    along = ["--set", "model.parameters.a=1.15", "--along", "model.parameters.a=1.08:1.235"]
    branches = json.loads(ricochet("continue", "gallery:grazing", *along, "--json").stdout)["branches"]
    orbits = branches[0]["points"]
    assert all(orbit["stable"] and orbit["periods"] == 3 and len(orbit["impacts"]) == 2 for orbit in orbits)
    orbits = orbits[:: max(1, len(orbits) // 6)]
    values = "[" + ", ".join(repr(orbit["parameter"]) for orbit in orbits) + "]"
    axis = [f"sweep.axis[0].values={values}", "sweep.axis[0].range=[]", "sweep.axis[0].count=0",
            "sweep.axis[0].continuation=forward", 'sweep.transient="300*2*pi/w"']  # fmt: skip
    # To what event-driven's tolerance leaves; on a fixed step to the scatter of impacts at the grid.
    for scheme, step, bound in (("event-driven", 0.1, 1e-6), ("moreau-jean", 1e-3, 75e-3 / 2.51)):
        settings = [*axis, f"scheme.name={scheme}", f"time.step={step}"]
        command = [word for one in settings for word in ("--set", one)]
        assert ricochet("sweep", "gallery:grazing", *command, "-o", f"{scheme}.h5").returncode == 0
        with h5py.File(ricochet.folder / f"{scheme}.h5") as file:
            assert list(file["period"]) == [3] * len(orbits)
            assert list(file["cycle_impacts"]) == [2.0] * len(orbits)
            size = numpy.abs(file["points"][:, 1:]).max(axis=0)
            for i, orbit in enumerate(orbits):
                points = file["points"][file["first"][i] : file["first"][i + 1], 1:]
                state = numpy.array([*orbit["state"]["q"], *orbit["state"]["v"]])
                assert numpy.abs((points - state) / size).max(axis=1).min() < bound, (scheme, orbit["parameter"])
