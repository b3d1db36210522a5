"""ricochet run: what it prints, writes and returns."""

import json
import os
import re
import resource
import signal
import subprocess
import time

import h5py
import numpy
import pytest
from conftest import SANITIZED

KEYS = {
    "scenario", "scheme", "status", "t_end", "steps", "impacts", "discontinuous_impacts", "first_impacts", "coordinates",
    "constraints", "final", "violation_max", "energy", "seconds", "title", "version",
}  # fmt: skip
ENERGY = {"initial", "final", "input", "damping", "impact", "friction", "numerical"}


def test_json(ricochet, ball):
    run = ricochet.json("run", ricochet.write(ball))
    assert KEYS <= run.keys()
    assert "failure" not in run and "joints" not in run and "reaction" not in run["final"]
    assert run["scenario"] == "ball.toml"
    assert run["title"] == "Ball on a floor"
    assert run["scheme"] == "moreau-jean"
    assert run["status"] == "completed"
    assert run["t_end"] == 3.0
    assert run["steps"] == 3000
    assert run["coordinates"] == ["x"]
    assert run["constraints"] == ["floor"]
    assert run["energy"].keys() == ENERGY
    assert len(run["final"]["q"]) == len(run["final"]["v"]) == 1

    # Four impacts at sqrt(2/g) (1 + 2 e + …), and the account closes.
    assert run["impacts"] == len(run["first_impacts"]) == 4
    first = run["first_impacts"][0]
    assert first.keys() == {"t", "constraint", "rate_minus", "rate_plus", "impulse", "energy_loss", "discontinuous"}
    assert first["constraint"] == "floor"
    assert first["t"] == pytest.approx((2 / 9.81) ** 0.5, abs=2e-3)
    assert first["rate_plus"] == pytest.approx(-0.9 * first["rate_minus"], rel=1e-12)
    energy = run["energy"]
    gains = energy["input"] + energy["damping"] + energy["impact"] + energy["numerical"]
    assert energy["final"] - energy["initial"] == pytest.approx(gains, abs=1e-11)
    assert ricochet.files() == ["ball.h5", "ball.toml"]


def test_json_of_joints(ricochet, pendulum):
    run = ricochet.json("run", ricochet.write(pendulum, "pendulum.toml"))
    assert run["joints"] == ["string.reaction.1"] and run["constraints"] == []
    # The force at the end, from elliptic functions; the scheme gives its mean over the last step.
    assert run["final"]["reaction"] == pytest.approx([-37.59465531542795], rel=0.01)


def test_text(ricochet):
    result = ricochet("run", "gallery:bouncing-ball")
    assert result.returncode == 0
    assert ricochet.files() == ["bouncing-ball.h5"]
    for piece in ["Ball on a floor", "moreau-jean: theta = 0.5", "floor", "0.452", "initial", "= final",
                  "largest violation", "bouncing-ball.h5", "3000 steps"]:  # fmt: skip
        assert piece in result.stdout
    assert "\x1b" not in result.stdout + result.stderr
    assert "\r" not in result.stderr  # no progress line without a terminal


def test_many_impacts_are_cut_short(ricochet):
    result = ricochet("run", "gallery:bouncing-ball", "--until", "8", "--no-output")
    assert "… and " in result.stdout
    run = ricochet.json("run", "gallery:bouncing-ball", "--until", "8", "--no-output")
    assert run["impacts"] > 10
    assert len(run["first_impacts"]) == min(run["impacts"], 100)


def test_no_output(ricochet, ball):
    run = ricochet.json("run", ricochet.write(ball), "--no-output")
    assert run["status"] == "completed"
    assert ricochet.files() == ["ball.toml"]


def test_stem_goes_to_the_current_folder(ricochet, ball):
    (ricochet.folder / "below").mkdir()
    ricochet.write(ball, "below/other.name.toml")
    ricochet.json("run", "below/other.name.toml")
    assert ricochet.files() == ["below", "other.name.h5"]


def test_step_and_until(ricochet, ball):
    run = ricochet.json("run", ricochet.write(ball), "--step", "0.3", "--until", "1", "--no-output")
    assert run["steps"] == 4
    assert run["t_end"] == 1.0
    run = ricochet.json("run", "ball.toml", "--step", "1/g", "--until", "pi", "--no-output")
    assert run["t_end"] == pytest.approx(3.141592653589793, rel=1e-15)


def test_set(ricochet, ball):
    moon = ricochet.json("run", ricochet.write(ball), "--set", "model.parameters.g=1.62", "--set", "time.until = 2",
                         "--set=model.constraint.floor.restitution=0.5", "--no-output")  # fmt: skip
    assert moon["t_end"] == 2.0
    impact = moon["first_impacts"][0]
    assert impact["t"] == pytest.approx((2 / 1.62) ** 0.5, abs=2e-3)
    assert impact["rate_plus"] == pytest.approx(-0.5 * impact["rate_minus"])

    # Whole lists and tables.
    run = ricochet.json("run", "ball.toml", "--set", "model.parameters={m = 2.0, g = 5}", "--set", "model.force={x='m'}",
                        "--set", 'model.coordinates=["x"]', "--no-output")  # fmt: skip
    assert run["energy"]["initial"] == 10.0

    # Formulas, words and new keys.
    run = ricochet.json("run", "ball.toml", "--set", "model.potential=m*g*x + x^2/2", "--set", "title=Two words",
                        "--set", "initial.v.x=-2", "--no-output")  # fmt: skip
    assert run["title"] == "Two words"
    assert run["energy"]["initial"] == pytest.approx(9.81 + 0.5 + 2.0)


def test_the_result_carries_the_scenario_that_ran(ricochet, ball):
    ricochet.json("run", ricochet.write(ball))
    with h5py.File(ricochet.folder / "ball.h5") as file:
        assert file.attrs["scenario"] == ball
    ricochet.json("run", "ball.toml", "--until", "1", "-o", "changed.h5")
    with h5py.File(ricochet.folder / "changed.h5") as file:
        text = file.attrs["scenario"]
    again = ricochet.json("run", ricochet.write(text, "changed.toml"), "--no-output")
    assert again["t_end"] == 1.0


def test_scheme_replaces_the_whole_table(ricochet, ball):
    name = ricochet.write(ball + "[scheme]\ntheta = 1.0\n")
    run = ricochet.json("run", name, "--no-output")
    assert run["parameters"]["theta"] == 1.0
    run = ricochet.json("run", name, "--scheme", "moreau-jean", "--no-output")
    assert run["parameters"]["theta"] == 0.5
    run = ricochet.json("run", name, "--set", "scheme.forecast=1", "--scheme", "moreau-jean", "--no-output")
    assert run["parameters"] == {"theta": 0.5, "forecast": 1.0}


def test_record_every(ricochet, ball):
    for every, rows in [("1", 3001), ("7", 430), ("0", 2), ("100000", 2)]:
        ricochet.json("run", ricochet.write(ball), "--set", f"time.record_every={every}")
        with h5py.File(ricochet.folder / "ball.h5") as file:
            assert len(file["t"]) == rows
            assert file["t"][0] == 0.0
            assert file["t"][-1] == 3.0


def test_same_bytes_every_time(ricochet, ball):
    results = []
    for name in ["a.csv", "b.csv"]:
        ricochet.json("run", ricochet.write(ball), "-o", name)
        results.append((ricochet.folder / name).read_bytes())
    assert results[0] == results[1]


LONG = ["--set", "time.until=1e9", "--set", "time.record_every=100000"]


def wait_for_partial(folder, seconds=600):
    """Until the run has begun: its temporary file is there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if any(path.name != "ball.toml" for path in folder.iterdir()):
            time.sleep(0.3)
            return
        time.sleep(0.02)
    raise AssertionError("the run did not begin")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_keeps_what_was_computed(ricochet, ball, number):
    ricochet.write(ball)
    process = subprocess.Popen([ricochet.program, "run", "ball.toml", "--json", *LONG], cwd=ricochet.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")  # fmt: skip
    wait_for_partial(ricochet.folder)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == 3
    assert "interrupted at t = " in stderr
    run = json.loads(stdout)
    assert run["status"] == "interrupted"
    assert 0 < run["t_end"] < 1e9
    assert ricochet.files() == ["ball.h5", "ball.toml"]
    with h5py.File(ricochet.folder / "ball.h5") as file:
        assert file["t"][-1] == run["t_end"]
        assert file["q"].shape == (len(file["t"]), 1)
        assert file.attrs["status"] == "interrupted"


def test_a_killed_run_leaves_no_result(ricochet, ball):
    ricochet.write(ball)
    process = subprocess.Popen([ricochet.program, "run", "ball.toml", *LONG], cwd=ricochet.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    wait_for_partial(ricochet.folder)
    process.kill()
    process.wait(timeout=600)
    assert not (ricochet.folder / "ball.h5").exists()


def test_friction_as_a_force_is_told_before_the_run(ricochet, ball):
    """Schemes may take very long for it: whoever waits should know why."""
    text = ball.replace('potential = "m*g*x"', 'force = { x = "-sign(x_dot)" }').replace("until = 3.0", "until = 0.01")
    result = ricochet("run", ricochet.write(text), "--scheme", "penalty", "--no-output", "--json")
    assert result.stderr.startswith("note: model.force.x jumps with a velocity: that is dry friction"), result.stderr
    assert result.stderr.count("dry friction") == 1
    assert sum("dry friction" in note for note in json.loads(result.stdout)["notes"]) == 1


def test_fixed_steps_that_are_too_long_for_a_stiff_model_blame_no_contact(ricochet):
    """Penalty told of a contact without a name where none had begun."""
    result = ricochet("run", "gallery:beam-stop", "--scheme", "penalty", "--set", "scheme.steps=fixed")
    assert result.returncode == 3, result.stderr
    assert "events follow each other without time going on" in result.stderr


def test_a_run_that_becomes_infinite_keeps_its_data(ricochet, ball):
    # x'' = x^3 leaves every bound in finite time.
    text = ball.replace('"m*g*x"', '"-x^4/4"').replace("until = 3.0", "until = 100.0").replace("1e-3", "1e-2")
    result = ricochet("run", ricochet.write(text), "--json", "--set", "scheme.theta=0")
    assert result.returncode == 3, result.stderr
    assert "error: stopped at t = " in result.stderr
    run = json.loads(result.stdout)
    assert run["status"] == "failed"
    assert run["failure"]["message"]
    assert 0 < run["failure"]["t"] < 100
    assert "t = " in run["failure"]["message"]
    with h5py.File(ricochet.folder / "ball.h5") as file:
        assert file.attrs["status"] == "failed"
        assert len(file["t"]) > 1
        assert numpy.all(numpy.isfinite(file["q"]))


@pytest.mark.parametrize("name", ["ball.h5", "ball.csv", "ball.npz"])
def test_a_full_disk_is_a_failed_run(ricochet, ball, name):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    result = ricochet("run", ricochet.write(ball), "--until", "1000", "-o", name, preexec_fn=limit)
    assert result.returncode == 3
    assert result.stderr.startswith("error: ")
    assert name in result.stderr
    assert not (ricochet.folder / name).exists()


def test_locale(ricochet, ball):
    # A decimal comma, where the machine has such a locale; the C library falls back to C otherwise.
    ricochet.write(ball)
    outputs = []
    for name in ["C", "de_DE.UTF-8", "xx_YY.nonsense", ""]:
        environment = dict(os.environ, LC_ALL=name, LANG=name)
        result = ricochet("run", "ball.toml", "-o", "ball.csv", "--set", "time.step=0.25", env=environment)
        assert result.returncode == 0, result.stderr
        outputs.append((ricochet.folder / "ball.csv").read_text())
    assert len(set(outputs)) == 1
    assert "0.25," in outputs[0]


def test_standard_output_that_cannot_be_written(ricochet, ball):
    ricochet.write(ball)
    with open("/dev/full", "w") as full:
        result = ricochet("run", "ball.toml", stdout=full)
    assert result.returncode == 3
    assert "standard output" in result.stderr

    read, write = os.pipe()
    os.close(read)
    result = ricochet("run", "ball.toml", "--json", stdout=write)
    os.close(write)
    assert result.returncode == 3
    assert "standard output" in result.stderr


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_closed_streams(ricochet, ball, stream):
    ricochet.write(ball)
    result = subprocess.run(["sh", "-c", f'exec "$0" run ball.toml {stream}>&-', ricochet.program], cwd=ricochet.folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)  # fmt: skip
    assert result.returncode == (3 if stream == 1 else 0)
    # The result is whole: no message went into it.
    with h5py.File(ricochet.folder / "ball.h5") as file:
        assert len(file["t"]) == 3001


def test_help_and_version(ricochet):
    version = ricochet("--version")
    assert version.returncode == 0
    assert version.stdout.startswith("ricochet 0.")
    for arguments in [["--help"], ["run", "--help"], ["gallery", "--help"], ["schemes", "-h"]]:
        result = ricochet(*arguments)
        assert result.returncode == 0
        assert "Examples:" in result.stdout
        assert result.stderr == ""
    assert "--set" in ricochet("run", "--help").stdout


def test_gallery(ricochet):
    listing = ricochet("gallery")
    assert listing.returncode == 0
    entries = ricochet.json("gallery")
    assert {"name": "bouncing-ball", "title": "Ball on a floor"} in entries
    for entry in entries:
        assert entry["name"] in listing.stdout
        assert entry["title"] in listing.stdout
        text = ricochet("gallery", entry["name"]).stdout
        assert "[model]" in text
        # What is printed runs like the scenario itself.
        for file in re.findall(r'file = "([^"]+)"', text):
            ricochet.write(ricochet("gallery", file).stdout, file)
        name = ricochet.write(text, "printed.toml")
        if SANITIZED and entries.index(entry) % 4 != 0:
            continue
        quick = ["--no-output", "--set", "time.until=0.01", "--set", "time.step=0.001", "--set", "time.from=0"]
        assert ricochet.json("run", name, *quick)["final"] == ricochet.json("run", f"gallery:{entry['name']}", *quick)["final"]


def test_schemes(ricochet):
    listing = ricochet("schemes")
    assert listing.returncode == 0
    entries = ricochet.json("schemes")
    assert "moreau-jean" in [entry["name"] for entry in entries]
    for entry in entries:
        assert entry["name"] in listing.stdout
        assert entry["summary"] in listing.stdout
        page = ricochet("schemes", entry["name"])
        assert page.returncode == 0
        for piece in [entry["order"], *[parameter["name"] for parameter in entry["parameters"]]]:
            assert piece in page.stdout
        assert ricochet.json("schemes", entry["name"]) == entry


def test_progress_line_on_a_terminal(ricochet, ball):
    import pty

    ricochet.write(ball)
    ours, theirs = pty.openpty()
    process = subprocess.Popen([ricochet.program, "run", "ball.toml", "--no-output", "--until", "1e6"],
                               cwd=ricochet.folder, stdout=subprocess.DEVNULL, stderr=theirs)  # fmt: skip
    os.close(theirs)
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=600)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.returncode == 3
    assert b" %" in shown and b"steps/s" in shown and b"left" in shown


OPPOSITE = """
[model]
coordinates = ["x", "y"]
kinetic = "x_dot^2/2 + y_dot^2/2"
potential = "9.81*y"
constraint = [
  { name = "outside", gap = "sqrt(x^2 + y^2) - 1", restitution = 0.0 },
  { name = "inside", gap = "3 - 3*sqrt(x^2 + y^2)", restitution = 0.0 },
  { name = "floor", gap = "y + 2", restitution = 0.0 },
]
[initial]
q = { x = 1.0, y = 0.0 }
[time]
until = 0.1
step = 1e-3
"""


@pytest.mark.parametrize("scheme", ["moreau-jean", "feasible-position", "event-driven", "mannshardt", "penalty"])
def test_opposite_gaps_are_called_a_joint(ricochet, scheme):
    done = ricochet("run", ricochet.write(OPPOSITE), "--scheme", scheme)
    assert done.returncode == 0, done.stderr
    assert "the gaps of outside and inside are opposite and both closed" in done.stderr
    assert "it is a joint, not two contacts: give it as [[model.joint]] in their place" in done.stderr
    # With room between them they are two contacts.
    done = ricochet("run", ricochet.write(OPPOSITE.replace("3 - 3*", "3.1 - 3*")), "--scheme", scheme)
    assert "opposite" not in done.stderr


def test_infinite_derivative_is_named(ricochet):
    valve = ("run", "gallery:relief-valve", "--set", "model.state.pressure.initial=0")
    failed = ricochet(*valve)
    assert failed.returncode == 3
    assert "the derivative of pressure' by pressure is not finite here" in failed.stderr
    assert "smaller step" not in failed.stderr
    assert ricochet(*valve, "--scheme", "event-driven").returncode == 0


@pytest.mark.parametrize("scheme", ["moreau", "paoli-schatzman"])
def test_beyond_the_stability_limit(ricochet, scheme):
    """Explicit in positions: h ω = 6.97 blows up, and the run says why and what step would do. Below it converges."""
    answer = ricochet("run", "gallery:beam-stop", "--set", f'scheme={{name="{scheme}"}}', "--no-output")
    assert answer.returncode == 3, answer.stderr
    assert f"h·ω = 6.966; {scheme} is unstable beyond 2: the step must be below 0.0005742" in answer.stderr
    told = [line for line in answer.stderr.splitlines() if line.startswith("note:")]
    assert len(told) == len(set(told)), "each note once"
    found = [
        ricochet.json("run", "gallery:beam-stop", "--set", f'scheme={{name="{scheme}"}}', "--step", step, "--no-output")["energy"]
        for step in ("4e-4", "1e-4")
    ]
    # What event-driven tells the load puts in.
    assert all(energy["input"] == pytest.approx(1.41773, rel=5e-4) for energy in found)
    assert abs(found[1]["numerical"]) < 0.2 * abs(found[0]["numerical"]) < 0.01


def test_numerical_energy_of_a_mechanism_under_moreau(ricochet):
    """Andrews' squeezer: the motor's work is its torque times the way of the crank, the rest goes with the step."""
    for step, least, most in (("1e-4", 0.1, 0.2), ("1e-5", 0.01, 0.03)):
        ricochet.json("run", "gallery:andrews-squeezer", "--set", 'scheme={name="moreau"}', "--step", step, "-o", "run.h5")
        with h5py.File(ricochet.folder / "run.h5") as file:
            beta, energy = file["q"][:, 0], dict(file["energy"].attrs)
        assert energy["input"] == pytest.approx(0.033 * (beta[-1] - beta[0]), rel=1e-9)
        assert least < -energy["numerical"] < most


def test_moreau_leaves_a_curve(ricochet):
    """Around a hole: each step goes along the tangent and none comes back, h v²/(2r) in a second. The note says so."""
    whirl = ["run", "gallery:tube-support", "--set", 'scheme={name="moreau"}', "--step", "1e-5"]
    assert "step by step, lasting contact on a curved surface" in ricochet(*whirl, "--no-output").stderr
    ricochet.json(*whirl, "--until", "0.02", "-o", "whirl.h5")
    with h5py.File(ricochet.folder / "whirl.h5") as file:
        assert -file["gap"][-1, 0] / 0.02 == pytest.approx(1e-5 * (5e-4 * 2 * numpy.pi * 30) ** 2 / (2 * 5e-4), rel=0.01)
