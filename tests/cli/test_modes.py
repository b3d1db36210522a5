"""Modes from the command line."""

import csv
import json

import pytest


def modes(ricochet, *arguments):
    return json.loads(ricochet("modes", *arguments, "--json").stdout)["modes"]


@pytest.mark.parametrize("scenario", [
    "beam-pendulum", "beam-stop", "spin-up", "flexible-four-bar", "flexible-slider-crank", "rattling-rod", "guided-pipe",
    "beam-between-stops", "elastic-bar", "bead-column", "newton-cradle", "pendulum-cartesian", "double-pendulum-wall",
    "relief-valve", "pounding-buildings", "bouncing-ball", "slider-crank"])
def test_every_kind_of_model(ricochet, scenario):
    found = modes(ricochet, f"gallery:{scenario}")
    assert found
    omega = [mode["omega"] for mode in found]
    assert all(value >= 0 for value in omega)
    shares = [sum(mode["participation"].values()) for mode in found]
    assert all(-1e-9 <= share for share in shares)


def test_table_picture_and_words(ricochet):
    run = ricochet("modes", "gallery:guided-pipe", "--closed", "guide-lower", "--number", "3", "-o", "m.csv", "--svg", "m.svg")
    assert run.returncode == 0
    assert "closed: guide-lower" in run.stdout and "Table in m.csv" in run.stdout
    assert "note: the gap of 'guide-lower'" in run.stderr
    with open(ricochet.folder / "m.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["mode"] for row in rows] == ["1", "2", "3"]
    listed = modes(ricochet, "gallery:guided-pipe", "--closed", "guide-lower", "--number", "3")
    assert [float(row["omega"]) for row in rows] == [mode["omega"] for mode in listed]
    assert [mode["gaps"]["guide-lower"] for mode in listed] == pytest.approx([0.0] * 3, abs=1e-9)
    assert min(abs(float(row["w25"])) for row in rows) > 0.1
    picture = (ricochet.folder / "m.svg").read_text()
    assert picture.count("Mode ") == 3 and picture.count("<path") > 6


def test_about_equilibrium_and_a_state_of_ones_own(ricochet):
    hanging = modes(ricochet, "gallery:double-pendulum-wall", "--about", "equilibrium")
    assert hanging[0]["omega"] ** 2 == pytest.approx((2 - 2**0.5) * 9.81)
    set_ = modes(ricochet, "gallery:double-pendulum-wall", "--set", "initial.q.a=0", "--set", "initial.q.b=0")
    assert set_[0]["omega"] == pytest.approx(hanging[0]["omega"])


def test_growing_motions_are_told_and_rigid_ones_are_not(ricochet):
    """A beam on a hinge turns as a whole, with σ = 3e-16 by round-off; a pendulum that stands falls."""
    assert "unstable" not in ricochet("modes", "gallery:beam-stop").stderr
    stands = ricochet("modes", "gallery:double-pendulum-wall", "--set", "initial.q.a=pi", "--set", "initial.q.b=pi")
    assert "the state is unstable" in stands.stderr, stands.stderr


@pytest.mark.parametrize("arguments, sentence", [
    (["--closed", "guide"], "error: --closed: there is no constraint 'guide'"),
    (["--closed", "a,,b"], "error: --closed: has an empty name"),
    (["--about", "there"], "error: --about: must be rest, start or equilibrium, got 'there'"),
    (["--number", "0"], "--number"),
    (["-o", "modes.h5"], "error: -o: writes a table of modes: give it a name that ends in .csv"),
    (["--svg", ""], "error: --svg: the name of the file is empty"),
])
def test_bad_input(ricochet, arguments, sentence):
    run = ricochet("modes", "gallery:guided-pipe", *arguments)
    assert run.returncode == 2
    assert sentence in run.stderr
