"""Result files as others see them: h5py, numpy and csv must find the same run in all three formats."""

import csv
import json
import os
import resource
import signal
import subprocess
import time

import h5py
import numpy
import pytest

ENERGY = ["kinetic", "potential", "total"]
IMPACTS = ["t", "constraint", "rate_minus", "rate_plus", "impulse", "energy_loss", "discontinuous"]
TERMS = ["input", "damping", "impact", "friction", "numerical"]
DATASETS = ["t", "event", "q", "v", "gap", "rate", "impulse", *(f"energy/{name}" for name in ENERGY),
            *(f"ledger/{name}" for name in TERMS), *(f"impacts/{name}" for name in IMPACTS)]  # fmt: skip
LEDGER = ["initial", "final", *TERMS]
TEXTS = ["scenario", "version", "title", "scheme", "scheme_parameters", "display", "units", "status"]
LISTS = ["coordinates", "states", "constraints", "slips", "joints", "observations", "outputs"]
GRID = ["--until", "3", "--step", "1e-3", "--set", "time.record_every=1"]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.fixture
def results(ricochet):
    """One run in the three formats."""
    for ending in ["h5", "csv", "npz"]:
        run = ricochet("run", "gallery:bouncing-ball", *GRID, "-o", f"ball.{ending}")
        assert run.returncode == 0, run.stderr
    assert ricochet.files() == ["ball.csv", "ball.h5", "ball.impacts.csv", "ball.npz"]
    with h5py.File(ricochet.folder / "ball.h5", "r") as h5, numpy.load(ricochet.folder / "ball.npz") as npz:
        yield h5, npz, rows_of(ricochet.folder / "ball.csv"), rows_of(ricochet.folder / "ball.impacts.csv")


def test_names_and_shapes(results):
    h5, npz, _, _ = results
    found = []
    h5.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None)
    assert sorted(found) == sorted(DATASETS)
    n, impacts = len(h5["t"]), len(h5["impacts/t"])
    assert n == 3001
    assert impacts > 0
    for name in DATASETS:
        rows = impacts if name.startswith("impacts/") else n
        matrix = name in ["q", "v", "gap", "rate", "impulse"]
        for data in [h5[name], npz[name]]:
            assert data.shape == ((rows, 1) if matrix else (rows,)), name
            assert data.dtype == ("int32" if name in ["event", "impacts/constraint", "impacts/discontinuous"] else "float64"), name
    scalars = [*TEXTS, *LISTS, "steps", *(f"energy/{term}" for term in LEDGER)]
    assert sorted(npz.files) == sorted(DATASETS + scalars)


def test_attributes(results):
    h5, npz, _, _ = results
    for name in TEXTS:
        assert isinstance(h5.attrs[name], str)
        assert npz[name].shape == () and npz[name].dtype.kind == "U"
        assert npz[name][()] == h5.attrs[name]
    for name in LISTS:
        assert all(isinstance(text, str) for text in h5.attrs[name])
        assert list(npz[name]) == list(h5.attrs[name])
    assert "[model]" in h5.attrs["scenario"]
    assert h5.attrs["scheme"] == "moreau-jean"
    assert {"theta", "forecast"} <= json.loads(h5.attrs["scheme_parameters"]).keys()
    assert h5.attrs["status"] == "completed"
    assert "failure" not in h5.attrs
    assert list(h5.attrs["coordinates"]) == ["x"]
    assert list(h5.attrs["states"]) == []
    assert list(h5.attrs["constraints"]) == ["floor"]
    assert h5.attrs["steps"] == npz["steps"] == 3000
    for name in DATASETS:
        assert isinstance(h5[name].attrs["units"], str)


def test_ledger(results):
    h5, npz, _, _ = results
    ledger = h5["energy"].attrs
    for term in LEDGER:
        assert npz[f"energy/{term}"] == ledger[term]
    gains = sum(ledger[term] for term in TERMS)
    assert ledger["final"] - ledger["initial"] == pytest.approx(gains, abs=1e-9)
    assert h5["energy/total"][0] == pytest.approx(ledger["initial"], rel=1e-12)
    assert h5["energy/total"][-1] == pytest.approx(ledger["final"], rel=1e-12)
    for term in TERMS:
        assert h5[f"ledger/{term}"][0] == 0
        assert h5[f"ledger/{term}"][-1] == pytest.approx(ledger[term], rel=1e-12, abs=1e-14)
    total = sum(h5[f"ledger/{term}"][:] for term in TERMS)
    assert numpy.abs(h5["energy/total"][:] - ledger["initial"] - total).max() < 1e-12 * ledger["initial"]


def test_first_and_last_state_are_recorded(results):
    h5, _, _, _ = results
    t = h5["t"][()]
    assert t[0] == 0.0
    assert t[-1] == 3.0
    assert (numpy.diff(t) > 0).all()
    assert h5["q"][0, 0] == 1.0


def test_formats_agree_bit_for_bit(results):
    h5, npz, rows, impact_rows = results
    for name in DATASETS:
        assert h5[name][()].tobytes() == npz[name].tobytes(), name

    names = ["t", "x", "x_dot", "floor.gap", "floor.rate", "floor.impulse", *(f"energy.{name}" for name in ENERGY)]
    assert rows[0] == [*names, "event"]
    columns = ["t", "q", "v", "gap", "rate", "impulse", *(f"energy/{name}" for name in ENERGY)]
    for name, texts in zip(columns, zip(*rows[1:])):
        assert numpy.array([float(text) for text in texts]).tobytes() == h5[name][()].tobytes(), name

    assert impact_rows[0] == IMPACTS
    for name, texts in zip(IMPACTS, zip(*impact_rows[1:])):
        if name == "constraint":
            assert list(texts) == [h5.attrs["constraints"][k] for k in h5["impacts/constraint"]]
        else:
            numbers = numpy.array([float(text) for text in texts], dtype=h5[f"impacts/{name}"].dtype)
            assert numbers.tobytes() == h5[f"impacts/{name}"][()].tobytes(), name


def test_the_same_run_gives_the_same_bytes(ricochet):
    for name in ["a.h5", "b.h5"]:
        assert ricochet("run", "gallery:bouncing-ball", "-o", name).returncode == 0
    assert (ricochet.folder / "a.h5").read_bytes() == (ricochet.folder / "b.h5").read_bytes()


def test_auxiliary_states(ricochet, ball):
    state = '[[model.state]]\nname = "p"\nrate = "-p"\ninitial = 2.0\n\n[[model.constraint]]'
    scenario = ricochet.write(ball.replace("[[model.constraint]]", state))
    for ending in ["h5", "csv"]:
        run = ricochet("run", scenario, "-o", f"ball.{ending}")
        assert run.returncode == 0, run.stderr
    with h5py.File(ricochet.folder / "ball.h5", "r") as h5:
        assert list(h5.attrs["states"]) == ["p"]
        assert h5["z"].shape == (len(h5["t"]), 1)
        assert h5["z"][0, 0] == 2.0
        rows = rows_of(ricochet.folder / "ball.csv")
        assert rows[0][:4] == ["t", "x", "x_dot", "p"]
        assert [float(row[3]) for row in rows[1:]] == list(h5["z"][:, 0])


def test_without_constraints_the_shapes_stay(ricochet, ball):
    head, rest = ball.split("[[model.constraint]]")
    scenario = ricochet.write(head + rest[rest.index("[initial]") :])
    for ending in ["h5", "npz"]:
        run = ricochet("run", scenario, "-o", f"ball.{ending}")
        assert run.returncode == 0, run.stderr
    with h5py.File(ricochet.folder / "ball.h5", "r") as h5, numpy.load(ricochet.folder / "ball.npz") as npz:
        for file in [h5, npz]:
            assert file["gap"].shape == (3001, 0)
            assert file["impacts/t"].shape == (0,)


@pytest.mark.parametrize("name", ["ball.txt", "ball"])
def test_another_ending_is_refused(ricochet, name):
    run = ricochet("run", "gallery:bouncing-ball", "-o", name)
    assert run.returncode == 2
    for ending in [".h5", ".csv", ".npz"]:
        assert ending in run.stderr
    assert ricochet.files() == []


@pytest.mark.parametrize("ending", ["h5", "csv", "npz"])
def test_folder_that_does_not_exist(ricochet, ending):
    run = ricochet("run", "gallery:bouncing-ball", "-o", f"nowhere/ball.{ending}")
    assert run.returncode == 2
    assert f"nowhere/ball.{ending}" in run.stderr
    assert ricochet.files() == []


@pytest.mark.parametrize("ending", ["h5", "csv", "npz"])
def test_full_disk(ricochet, ending):
    """A limit on the size of files stands for a disk that fills up during the run."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    name = f"ball.{ending}"
    run = ricochet("run", "gallery:bouncing-ball", "--step", "1e-5", "-o", name, preexec_fn=limit)
    assert run.returncode == 3
    assert name in run.stderr
    assert "File too large" in run.stderr
    (partial,) = [file for file in ricochet.files() if file.startswith(f".{name}.")]
    assert partial in run.stderr
    assert name not in ricochet.files()
    if ending == "h5":
        with h5py.File(ricochet.folder / partial, "r") as file:
            assert len(file["t"]) > 0


# Thrown with back spin onto a floor; a brake that turns with 1 rad/s rubs at it.
DISK = """
[model]
coordinates = ["x", "y", "phi"]
parameters = { m = 1.0, R = 0.2, g = 9.81 }
kinetic = "m*(x_dot^2 + y_dot^2)/2 + m*R^2*phi_dot^2/4"
potential = "m*g*y"
[[model.constraint]]
name = "floor"
gap = "y - R"
restitution = 0.5
friction = 0.15
slip = "x_dot - R*phi_dot"
[[model.friction]]
name = "brake"
slip = "phi_dot - 1"
limit = 1e-3
[initial]
q = { x = 0.0, y = 1.2, phi = 0.0 }
v = { x = 3.0, phi = -10.0 }
[time]
until = 1.0
step = 1e-3
"""


def test_slips_and_friction(ricochet):
    scenario = ricochet.write(DISK)
    for ending in ["h5", "csv", "npz"]:
        run = ricochet("run", scenario, "-o", f"disk.{ending}")
        assert run.returncode == 0, run.stderr
    assert "slip before" in run.stdout and "slide" in run.stdout and "+ friction" in run.stdout
    told = ricochet.json("run", scenario)
    with h5py.File(ricochet.folder / "disk.h5", "r") as h5, numpy.load(ricochet.folder / "disk.npz") as npz:
        assert list(h5.attrs["slips"]) == list(npz["slips"]) == told["slips"] == ["floor.slip", "brake.slip"]
        slip, friction, v = h5["slip"][()], h5["friction"][()], h5["v"][()]
        assert slip.shape == friction.shape == (1001, 2)
        assert numpy.array_equal(slip, npz["slip"]) and numpy.array_equal(friction, npz["friction"])
        assert numpy.allclose(slip, numpy.column_stack([v[:, 0] - 0.2 * v[:, 2], v[:, 2] - 1]), rtol=1e-14, atol=1e-14)
        # The brake slips: its limit for each step, against the slip.
        assert numpy.allclose(friction[1:, 1], -1e-3 * 1e-3 * numpy.sign(slip[1:, 1]), rtol=1e-12)
        impacts = {name: h5[f"impacts/{name}"][()] for name in h5["impacts"]}
        first = told["first_impacts"][0]
        for name in ["slip_minus", "slip_plus", "friction_impulse"]:
            assert impacts[name].shape == impacts["t"].shape and impacts[name][0] == first[name]
            assert numpy.array_equal(impacts[name], npz[f"impacts/{name}"])
        assert impacts["status"].dtype == "int32" and impacts["status"][0] == 2 and first["status"] == "slide"
        # On the cone, and what was lost along both directions.
        assert first["friction_impulse"] == pytest.approx(-0.15 * first["impulse"], rel=1e-12)
        loss = -((first["rate_minus"] + first["rate_plus"]) * first["impulse"]
                 + (first["slip_minus"] + first["slip_plus"]) * first["friction_impulse"]) / 2  # fmt: skip
        assert first["energy_loss"] == pytest.approx(loss, rel=1e-12)
        assert h5["ledger/friction"][-1] == told["energy"]["friction"] == h5["energy"].attrs["friction"] < 0
    head, *rows = rows_of(ricochet.folder / "disk.csv")
    assert head[7:14] == [f"floor.{key}" for key in ["gap", "rate", "impulse", "slip", "friction"]] + [
        "brake.slip", "brake.friction"]  # fmt: skip
    assert [float(row[10]) for row in rows] == slip[:, 0].tolist()
    assert [float(row[13]) for row in rows] == friction[:, 1].tolist()
    head, *rows = rows_of(ricochet.folder / "disk.impacts.csv")
    assert head[7:] == ["slip_minus", "slip_plus", "friction_impulse", "status"] and rows[0][10] == "slide"
    for ending in ["h5", "npz", "csv"]:
        assert ricochet("report", f"disk.{ending}", "-o", f"{ending}.html").returncode == 0
        page = (ricochet.folder / f"{ending}.html").read_text(encoding="utf-8")
        assert "brake.slip" in page or "built without npm" in page


def test_slips_in_space(ricochet):
    text = DISK.replace('["x", "y", "phi"]', '["x", "z", "y", "phi"]').replace("(x_dot^2", "(x_dot^2 + z_dot^2")
    text = text.replace('"x_dot - R*phi_dot"', '["x_dot - R*phi_dot", "z_dot"]').replace("{ x = 3.0,", "{ x = 3.0, z = 4.0,").replace("{ x = 0.0,", "{ x = 0.0, z = 0.0,")
    scenario = ricochet.write(text)
    told = ricochet.json("run", scenario, "-o", "a.h5")
    assert told["slips"] == ["floor.slip.1", "floor.slip.2", "brake.slip"]
    first = told["first_impacts"][0]
    with h5py.File(ricochet.folder / "a.h5", "r") as h5:
        assert h5["impacts/slip_minus"].shape == (told["impacts"], 2)
        assert h5["impacts/friction_impulse"][0].tolist() == first["friction_impulse"]
    assert numpy.hypot(*first["friction_impulse"]) == pytest.approx(0.15 * first["impulse"], rel=1e-9)


def test_reactions_of_joints(ricochet, pendulum):
    """The same in every format, under names that say which joint and which row."""
    scenario = ricochet.write(pendulum, "pendulum.toml")
    for ending in ["h5", "csv", "npz"]:
        run = ricochet("run", scenario, "-o", f"run.{ending}")
        assert run.returncode == 0, run.stderr
        page = ricochet("report", f"run.{ending}", "-o", f"{ending}.html")
        assert page.returncode == 0, page.stderr
        assert "string.reaction.1" in (ricochet.folder / f"{ending}.html").read_text(encoding="utf-8")
    with h5py.File(ricochet.folder / "run.h5", "r") as h5, numpy.load(ricochet.folder / "run.npz") as npz:
        reaction = h5["reaction"][()]
        assert reaction.shape == (2001, 1) and reaction.dtype == "float64"
        assert list(h5.attrs["joints"]) == list(npz["joints"]) == ["string.reaction.1"]
        assert h5["reaction"].attrs["units"] == "impulse/time"
        assert numpy.array_equal(reaction, npz["reaction"])
    head, *rows = rows_of(ricochet.folder / "run.csv")
    assert head[:6] == ["t", "x", "y", "x_dot", "y_dot", "string.reaction.1"]
    assert [float(row[5]) for row in rows] == reaction[:, 0].tolist()
    # At the start, at rest, the string holds its share of the weight.
    assert reaction[0, 0] == pytest.approx(-9.81 * numpy.cos(2.0), rel=1e-14)


def wait_for_rows(folder, pattern, least):
    """The temporary file, once it has some size."""
    for _ in range(600):
        for path in folder.glob(pattern):
            if path.stat().st_size > least:
                return path
        time.sleep(0.05)
    raise AssertionError(f"no {pattern} of {least} bytes")


@pytest.mark.parametrize("ending, least", [("h5", 2_000_000), ("csv", 1_000_000)])
def test_killed_run_can_be_read(ricochet, ending, least):
    name = f"ball.{ending}"
    command = [ricochet.program, "run", "gallery:bouncing-ball", "--until", "1e5", "-o", name]
    process = subprocess.Popen(command, cwd=ricochet.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        partial = wait_for_rows(ricochet.folder, f".{name}.{process.pid}.partial", least)
        assert process.poll() is None
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not (ricochet.folder / name).exists()
    if ending == "h5":
        with h5py.File(partial, "r") as file:
            assert file.attrs["status"] == "interrupted"
            t, q = file["t"][()], file["q"][()]
            assert len(t) > 1000 and len(q) > 1000
            assert t[0] == 0.0 and q[0, 0] == 1.0
            assert (numpy.diff(t) > 0).all()
    else:
        rows = rows_of(partial)
        assert len(rows) > 1000
        # The kill may come within a write, which then ends anywhere: only the last row may be cut.
        assert all(len(row) == len(rows[0]) for row in rows[:-1])
