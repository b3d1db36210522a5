"""Files that are read are never replaced, files of others never opened, signals keep what was computed."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
import zipfile

import h5py
import numpy
import pytest
from conftest import SANITIZED

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import replacing  # noqa: E402
from hostile import (  # noqa: E402
    external_link, external_storage, huge, long_and_empty, many_texts, one_piece, shared_text, soft_to_external, virtual,
    wide_and_empty, wide_pieces,
)  # fmt: skip

SWEEP = """
[sweep]
axis = [{ parameter = "model.parameters.g", range = [5.0, 10.0], count = 2 }]
record = "impacts"
transient = 0.1
duration = 0.5
"""


@pytest.fixture
def folder(ricochet):
    replacing.lay_out(ricochet.folder, lambda scenario, output: ricochet("run", scenario, "-o", output))
    return ricochet


def command(verb, given, options):
    words = [verb, given] + (["--steps", "0.1:2"] if verb in ("converge", "compare") else [])
    words += ["--schemes", "moreau-jean"] if verb == "compare" else []
    words += ["--window", "0:0.1"] if "reference" in options else []
    return words + [word for name, value in options.items() for word in (f"--{name}", value)]


@pytest.mark.parametrize(
    "words",
    [
        *(command(*case) for case in replacing.CASES),
        "run a.toml -o same.csv --report same.csv".split(),
        "run a.toml -o same.csv --report below/../same.csv".split(),
        "report r.h5 --svg r.h5".split(),
        "report r.h5 -o p.html --svg ./p.html".split(),
        "sweep a.toml -o w.h5 --report a.toml".split(),
        "sweep a.toml -o w.h5 --csv w.h5".split(),
        "sweep a.toml -o w.h5 --report w.h5.journal".split(),
        "sweep a.toml -o dangling.h5 --report made.h5.journal".split(),
        "run a.toml -o n.csv --report n.impacts.csv".split(),
        "run a.toml -o a.h5 --report a-problem-1.hdf5 --dump-problems 1".split(),
        "run d.toml --no-output --dump-problems 1".split(),
        "analyse y.spectrum.csv --csv y".split(),
        "analyse k.csv --report k.impacts.csv".split(),
        "analyse r.h5 --csv z --report z.contacts.csv".split(),
        "solve p.hdf5 -o p.hdf5".split(),
        "solve p.hdf5 -o soft.hdf5".split(),
        "solve hard.hdf5 -o p.hdf5".split(),
        "continue a.toml -o o.h5 --report o.h5.journal".split(),
    ],
    ids=" ".join,
)
def test_outputs_never_replace_inputs(folder, words):
    os.symlink("made.h5", folder.folder / "dangling.h5")
    for ending in (".csv", ".impacts.csv"):
        (folder.folder / f"y.spectrum{ending}").write_bytes((folder.folder / f"k{ending}").read_bytes())
    # A load file of that name, and a contact problem by three.
    (folder.folder / "d-problem-1.hdf5").write_bytes((folder.folder / "r.h5").read_bytes())
    folder.write(replacing.SCENARIO.replace('"load.csv"', '"d-problem-1.hdf5", column = "q0"'), "d.toml")
    (folder.folder / "p.hdf5").write_bytes(b"not looked at")
    os.symlink("p.hdf5", folder.folder / "soft.hdf5")
    os.link(folder.folder / "p.hdf5", folder.folder / "hard.hdf5")
    before = replacing.files(folder.folder)
    result = folder(*words)
    assert result.returncode == 2, result.stderr
    assert "would replace" in result.stderr or "already" in result.stderr, result.stderr
    assert replacing.files(folder.folder) == before


def test_a_dangling_link_is_followed(ricochet, ball):
    name = ricochet.write(ball)
    os.symlink("made.h5", ricochet.folder / "link.h5")
    os.symlink("circle.h5", ricochet.folder / "circle.h5")
    assert ricochet("run", name, "-o", "link.h5", "--until", "0.1").returncode == 0
    assert (ricochet.folder / "link.h5").is_symlink() and not (ricochet.folder / "made.h5").is_symlink()
    assert h5py.is_hdf5(ricochet.folder / "made.h5")
    assert ricochet("run", name, "-o", "circle.h5", "--until", "0.1").returncode == 2


@pytest.mark.parametrize("name", ["t", "q", "gap"])
@pytest.mark.parametrize("spoil", [external_link, soft_to_external, external_storage, virtual, huge, many_texts])
def test_result_files_of_others_open_nothing_else(ricochet, ball, spoil, name):
    assert ricochet("run", ricochet.write(ball), "-o", "other.h5", "--until", "0.1").returncode == 0
    (ricochet.folder / "secret.bin").write_bytes(numpy.linspace(0, 1, 1000).tobytes())
    (ricochet.folder / "hostile.h5").write_bytes((ricochet.folder / "other.h5").read_bytes())
    with h5py.File(ricochet.folder / "hostile.h5", "r+") as file:
        spoil(file, name)
    result = ricochet("report", "hostile.h5")
    assert result.returncode == 2, result.stdout
    assert result.stderr.startswith("error: hostile.h5: ")
    assert "bad_alloc" not in result.stderr
    assert not (ricochet.folder / "hostile.html").exists()


@pytest.mark.parametrize("spoil, name", [
    (one_piece, "t"), (wide_pieces, "gap"), (wide_and_empty, "q"), (wide_and_empty, "gap"), (long_and_empty, "gap"),
    (shared_text, "t"),
])  # fmt: skip
def test_small_files_take_little(ricochet, ball, spoil, name):
    """Memory is bounded by what the file holds, and the time is that of reading it once."""
    assert ricochet("run", ricochet.write(ball), "-o", "hostile.h5", "--until", "0.1").returncode == 0
    with h5py.File(ricochet.folder / "hostile.h5", "r+") as file:
        spoil(file, name)
    limit = 0 if SANITIZED else 3 << 29  # of addresses
    result = ricochet("report", "hostile.h5", timeout=120, preexec_fn=lambda: limit_addresses(limit))
    assert result.returncode == 2, result.stderr
    # A sanitizer says first where memory ended.
    told = result.stderr.splitlines()[-1] if SANITIZED else result.stderr
    assert told.startswith("error: hostile.h5: ")
    assert not (ricochet.folder / "hostile.html").exists()


def limit_addresses(most):
    if most:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@pytest.mark.parametrize("shape", [(1 << 40, 0), (0, 1 << 24)])
def test_arrays_without_elements(ricochet, ball, shape):
    assert ricochet("run", ricochet.write(ball), "-o", "ball.npz", "--until", "0.1").returncode == 0
    with zipfile.ZipFile(ricochet.folder / "ball.npz") as given, zipfile.ZipFile(ricochet.folder / "h.npz", "w") as made:
        for entry in given.infolist():
            data = given.read(entry.filename)
            if entry.filename == "gap.npy":
                head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
                data = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()
            made.writestr(entry.filename, data)
    result = ricochet("report", "h.npz")
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("error: h.npz: gap: has ")


def test_no_reader_outlives_the_program(ricochet, ball):
    """The child that reads a file holds the pipes of its parent: who waits for their end waits for it."""
    assert ricochet("run", ricochet.write(ball), "-o", "slow.h5", "--until", "0.1").returncode == 0
    # Pieces of one row take a while.
    with h5py.File(ricochet.folder / "slow.h5", "r+") as file:
        del file["q"]
        file.create_dataset("q", (100_000, 1), "f8", chunks=(1, 1), compression="gzip")[...] = 0.0
    process = subprocess.Popen([ricochet.program, "report", "slow.h5"], cwd=ricochet.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)  # fmt: skip
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    readers = []
    while process.poll() is None:
        before, readers = readers, children.read_text().split()
        if readers and readers == before:
            break
        time.sleep(0.02)
    # One that is held would never end by itself.
    for reader in readers:
        os.kill(int(reader), signal.SIGSTOP)
    process.kill()
    try:
        process.communicate(timeout=600)  # until nobody holds the pipes
    finally:
        for reader in readers:
            if state_of(reader) == "T":
                os.kill(int(reader), signal.SIGKILL)


def state_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


# Where text turns to the right and to the left.
MARKS = "\u202e\u2066\u200e\u200f\u061c\u2028\u2029\ufeff"
TURNED = "".join(f"\\u{ord(c):04x}mark" for c in MARKS)
CONTROLS = "\\u001b[31mred\\u0007\\u009b2J\\u007f\\u0001"


def test_control_characters_reach_neither_terminal_nor_picture(ricochet, ball):
    text = ball.replace("Ball on a floor", f"Ball {CONTROLS}{TURNED}")
    name = ricochet.write(text)
    shown = [
        ricochet("run", name, "--until", "1", "--report", "ball.html"),
        ricochet("check", name),
        ricochet("run", name, "--until", "1", "--json"),
        ricochet("report", "ball.h5", "--svg", "ball.svg"),
        ricochet("run", "no\x1b[31m.toml"),
        ricochet("run", name, "--set", "model.constraint[0].restitution=7"),
    ]
    for result in shown:
        for output in (result.stdout, result.stderr):
            assert not any(ord(c) < 32 and c not in "\n\t" or 0x7F <= ord(c) < 0xA0 for c in output), output
            assert not any(c in MARKS for c in output), output
    assert json.loads(shown[2].stdout)["title"] == "Ball \x1b[31mred\x07\x9b2J\x7f\x01" + "".join(c + "mark" for c in MARKS)
    xml.etree.ElementTree.parse(ricochet.folder / "ball.svg")


def interrupted(ricochet, number, *arguments):
    """A run that is told to end once its result has been begun."""
    process = subprocess.Popen([ricochet.program, "run", *arguments], cwd=ricochet.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")  # fmt: skip
    while not any("partial" in path.name for path in ricochet.folder.iterdir()):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=600)
    return process.returncode, stderr


@pytest.mark.parametrize("scheme", ["event-driven", "mannshardt", "penalty", "moreau-jean-adaptive", "moreau-jean"])
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_signals_leave_a_result(ricochet, ball, scheme, number):
    name = ricochet.write(ball)
    # It bounces for ever.
    long = ["--set", "model.constraint.floor.restitution=1", "--until", "1e6"]
    long += ["--step", "1e-5" if scheme == "moreau-jean" else "1"]
    code, stderr = interrupted(ricochet, number, name, "--scheme", scheme, *long)
    assert code == 3, stderr
    assert "interrupted at t = " in stderr
    with h5py.File(ricochet.folder / "ball.h5") as file:
        assert file.attrs["status"] == "interrupted"
        assert numpy.all(numpy.isfinite(file["q"]))


@pytest.mark.parametrize("solver", ["lemke", "gauss-seidel", "projected-gradient"])
@pytest.mark.parametrize("scheme", ["moreau-jean", "newmark", "nsga"])
def test_signals_act_within_one_step(ricochet, scheme, solver):
    """A column at rest whose contact problem takes minutes: the run ends before its first step does."""
    size = ["--set", f"model.count={1900 if solver == 'lemke' else 20000}", "--set", "model.spacing=0"]
    arguments = ["gallery:bead-column", "--scheme", scheme, "--set", f"solver.name={solver}", "--step", "0.1", *size]
    code, stderr = interrupted(ricochet, signal.SIGTERM, *arguments, "--until", "2", "-o", "big.h5")
    assert code == 3, stderr
    assert "interrupted at t = " in stderr
    with h5py.File(ricochet.folder / "big.h5") as file:
        assert file.attrs["status"] == "interrupted"
        assert len(file["t"]) < 20 and numpy.all(numpy.isfinite(file["q"]))


@pytest.mark.parametrize(
    "study", ["converge --reference event-driven", "converge --reference mannshardt --local", "compare --schemes moreau"]
)
def test_signals_end_a_study_in_its_reference(ricochet, study):
    """The reference of ten million seconds is not finished before minutes are over."""
    verb, *options = study.split()
    command = [verb, "gallery:chaotic-oscillator", "--set", "time.until=1e7", "--steps", "1e-2:2", *options]
    process = subprocess.Popen([ricochet.program, *command], cwd=ricochet.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, encoding="utf-8")  # fmt: skip
    time.sleep(2.0)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=600)
    # Before the study begins the signal ends the program at once.
    assert process.returncode in (3, -signal.SIGTERM), stderr
    if process.returncode == 3:
        assert stderr.splitlines()[-1].startswith("error: interrupted")


def test_signals_end_a_long_sum_of_works(ricochet, ball):
    """The work of a force that turns 1e12 times a second, in a flight in closed form."""
    text = ball.replace('potential = "m*g*x"', 'potential = "m*x^2/2"\nforce = { x = "cos(1e12*t)" }')
    name = ricochet.write(text.replace("[time]", '[scheme]\nname = "event-driven"\nflow = "exact"\n[time]'))
    process = subprocess.Popen([ricochet.program, "run", name], cwd=ricochet.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, encoding="utf-8")  # fmt: skip
    time.sleep(2.0)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=600)
    # Before the run begins the signal ends the program at once; a program that sums faster has finished.
    assert process.returncode in (0, 3, -signal.SIGTERM), stderr
    if process.returncode == 3:
        assert "interrupted at t = " in stderr


def test_a_hangup_that_is_ignored_stays_so(ricochet, ball):
    name = ricochet.write(ball)
    until = "4" if SANITIZED else "100"
    process = subprocess.Popen(["nohup", ricochet.program, "run", name, "--until", until, "--step", "1e-5"],
                               cwd=ricochet.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL)  # fmt: skip
    time.sleep(0.1)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=600) == 0


def test_parameters_in_any_order(ricochet, ball):
    """Each refers to the next one, and the work is that of one pass."""
    count = 20_000
    chain = ", ".join(f'p{i} = "p{i + 1} + 1"' for i in range(count))
    name = ricochet.write(ball.replace("g = 9.81", f'g = "p0 - {count}", {chain}, p{count} = 9.81'))
    run = ricochet.json("run", name, "--until", "0.1", "--no-output")
    assert run["final"]["q"][0] == pytest.approx(1 - 9.81 * 0.1**2 / 2, abs=1e-3)
    circle = ball.replace("g = 9.81", 'g = "p0", p0 = "p1", p1 = "2*p0"')
    result = ricochet("run", ricochet.write(circle))
    assert result.returncode == 2 and "depends on itself" in result.stderr


@pytest.mark.parametrize("start, step", [("1e16", "1e-3"), ("1e16", "0.9"), ("-1e9", "1e-8"), ("1e300", "1")])
def test_steps_that_time_does_not_resolve(ricochet, ball, start, step):
    until = float(start) + 1000 * float(step)
    name = ricochet.write(ball.replace("until = 3.0", f"from = {float(start)!r}\nuntil = {until!r}"))
    result = ricochet("run", name, "--step", step)
    assert result.returncode == 2, result.stderr
    assert "step" in result.stderr or "until" in result.stderr
    assert "h5" not in " ".join(ricochet.files())


@pytest.mark.parametrize("record", ["stroboscopic", "impacts", "statistics"])
@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
@pytest.mark.parametrize("period", ["1e-300", "1e-14", "1e-12", "1e-9"])
def test_a_period_that_passes_too_often(ricochet, ball, period, scheme, record):
    name = ricochet.write(ball + SWEEP.replace('"impacts"', f'"{record}"\nperiod = {period}'))
    result = ricochet("sweep", name, "--set", f"scheme.name={scheme}")
    assert result.returncode in (2, 3)
    assert "period" in result.stderr
