"""Sweeps that refine themselves: where they look closer, and the same bytes however they run."""

import random
import signal
import subprocess

import h5py
import numpy
import pytest

from test_sweep import LONG, SANITIZED, continued, mpirun, needs_mpi, read, scenario, start, wait_for_size

BASINS = """\
title = "Two wells"

[model]
coordinates = ["x"]
kinetic = "x_dot^2/2"
potential = "x^4/4 - x^2/2"
dissipation = "0.25*x_dot^2"

[initial]
q = { x = 0.5 }

[scheme]
name = "moreau-jean"

[time]
until = 1.0
step = 2e-2

[sweep]
axis = [
  { parameter = "initial.q.x", range = [-2.0, 2.1], count = 8 },
  { parameter = "initial.v.x", range = [-2.0, 2.0], count = 8 },
]
refine = { budget = 300 }
transient = 100.0
duration = 8.0
record = "stroboscopic"
period = 1.0
measure = ["attractors"]
"""


def refined(text, budget):
    return text.replace("[sweep]\n", f"[sweep]\nrefine = {{ budget = {budget} }}\n")


KINDS = {
    "axis": refined(scenario(15), 60),
    "continued": refined(continued(scenario(15)), 60),
    "plane": BASINS,
}


@pytest.mark.parametrize("kind", KINDS)
def test_same_bytes_however_it_runs(ricochet, kind):
    if SANITIZED and kind == "plane":
        pytest.skip("a long sum: a minute under sanitizers")
    name = ricochet.write(KINDS[kind], "s.toml")
    outcome = ricochet.json("sweep", name, "-o", "a.h5", "--threads", "1", "--lanes", "1")
    assert outcome["added"] > 0 and outcome["resumed"] == 0
    for options in (["--threads", "2", "--lanes", "1"], ["--threads", "1"], ["--threads", "3"]):
        assert ricochet("sweep", name, "-o", "b.h5", *options).returncode == 0
        assert read(ricochet, "b.h5") == read(ricochet, "a.h5"), options


@needs_mpi
@pytest.mark.parametrize("kind", KINDS)
def test_same_bytes_under_mpirun(ricochet, kind):
    name = ricochet.write(KINDS[kind], "s.toml")
    assert ricochet("sweep", name, "-o", "a.h5").returncode == 0
    result = mpirun(ricochet, 3, "sweep", name, "-o", "b.h5")
    assert result.returncode == 0, result.stderr
    assert read(ricochet, "b.h5") == read(ricochet, "a.h5")


@pytest.mark.parametrize("kind", ["axis", "continued"])
def test_same_bytes_after_kills(ricochet, kind):
    """Wherever it is stopped, also in later generations."""
    text = scenario(20, 300)
    name = ricochet.write(refined(text if kind == "axis" else continued(text), 150), "long.toml")
    assert ricochet("sweep", name, "-o", "undisturbed.h5").returncode == 0
    chance = random.Random(3)
    journal = ricochet.folder / "long.h5.journal"
    kills, size = 0, 0
    while kills < 4:
        process = start(ricochet, ricochet.program, "sweep", name, *LONG, stderr=subprocess.DEVNULL)
        alive = wait_for_size(journal, size + chance.randrange(1, 12_000), process)
        process.send_signal(signal.SIGINT if kills % 2 else signal.SIGKILL)
        process.communicate()
        if not alive or not journal.exists():
            break
        kills += 1
        size = journal.stat().st_size
    assert kills >= 2
    outcome = ricochet.json("sweep", name)
    assert 0 < outcome["resumed"] < outcome["trajectories"]
    assert read(ricochet, "long.h5") == read(ricochet, "undisturbed.h5")


def test_an_axis_gets_finer_where_periods_change(ricochet):
    name = ricochet.write(KINDS["axis"], "s.toml")
    outcome = ricochet.json("sweep", name)
    assert 15 < outcome["trajectories"] <= 75 and outcome["added"] == outcome["trajectories"] - 15
    with h5py.File(ricochet.folder / "s.h5") as file:
        w, period, impacts = file["values"][:, 0], file["period"][:], file["cycle_impacts"][:]
        assert list(file.attrs["shape"]) == [len(w)]
    assert (numpy.diff(w) > 0).all()
    # Everything that was added lies in a cell of the first grid whose ends or middles differ.
    first = numpy.linspace(2.0, 4.0, 15)
    assert numpy.isin(numpy.round(first, 9), numpy.round(w, 9)).all()
    for low, high in zip(first[:-1], first[1:]):
        inside = (w > low - 1e-9) & (w < high + 1e-9)
        if inside.sum() > 2:
            assert len({*zip(period[inside], numpy.nan_to_num(impacts[inside], nan=-1))}) > 1


def test_a_boundary_of_basins_is_followed(ricochet):
    """Nodes of level k lie within its cells of the stable manifold of the saddle; the two sides are told by the well."""
    name = ricochet.write(BASINS, "s.toml")
    outcome = ricochet.json("sweep", name)
    assert 200 < outcome["added"] <= 300 and outcome["attractors"] == 2
    with h5py.File(ricochet.folder / "s.h5") as file:
        values, level, attractor = file["values"][:], file["level"][:], file["attractor"][:]
    assert (level[:64] == 0).all() and (level[64:] > 0).all() and level.max() >= 2
    for i in numpy.flatnonzero(level >= 2):
        size = numpy.array([4.1, 4.0]) / 7 * 2.0 ** (1 - level[i])  # of the cell that was cut
        near = (numpy.abs(values - values[i]) <= size * 1.001).all(axis=1)
        assert set(attractor[near]) == {0, 1}, (values[i], level[i])
    result = ricochet("report", "s.h5", "--svg", "s.svg")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "change, words",
    [
        (("budget = 300", "budget = 0"), ["sweep.refine.budget", "1 or more"]),
        (("{ budget = 300 }", '"impacts"'), ["sweep.refine", "must be a table", "impacts"]),
        (("budget = 300", "budget = -3"), ["budget"]),
        (("budget = 300", "budget = 1.5"), ["budget"]),
        (("budget = 300", "budget = 2000000000"), ["sweep.refine.budget", "at most 1e9"]),
        (("{ budget = 300 }", "300"), ["refine"]),
        (("{ budget = 300 }", "{}"), ["budget"]),
        (("[-2.0, 2.0], count = 8 },\n]", "[-2.0, 2.0], count = 1 },\n]"), ["sweep.axis[1]", "two values"]),
    ],
)
def test_nonsense(ricochet, change, words):
    result = ricochet("sweep", ricochet.write(BASINS.replace(*change), "s.toml"))
    assert result.returncode == 2
    for word in words:
        assert word in result.stderr, result.stderr
