"""ricochet check: the verdict in words and as JSON, and the marks that a run puts on its impacts."""

import math

import h5py
import pytest

WEDGE = """\
title = "Particle in a wedge"

[model]
coordinates = ["x", "y"]
parameters = {{ a = {angle} }}
kinetic = "(x_dot^2 + y_dot^2)/2"

[[model.constraint]]
name = "floor"
gap = "y"
restitution = {e}

[[model.constraint]]
name = "slope"
gap = "sin(a)*x - cos(a)*y"
restitution = {e}

[initial]
q = {{ x = {x}, y = {y} }}
v = {{ x = {vx}, y = {vy} }}

[time]
until = 1.5
step = 1e-3
"""


def wedge(degrees, e):
    """Aimed at the vertex."""
    angle = math.radians(degrees)
    x, y = math.cos(0.4 * angle), math.sin(0.4 * angle)
    return WEDGE.format(angle=angle, e=e, x=x, y=y, vx=-x, vy=-y)


@pytest.mark.parametrize("degrees", [60, 90, 120])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_wedge(ricochet, degrees, e):
    name = ricochet.write(wedge(degrees, e), "wedge.toml")
    check = ricochet.json("check", name)
    expected = degrees == 90 or (degrees == 60 and e == 0)
    assert check["continuous_dependence"] is expected
    (pair,) = check["pairs"]
    assert {"a", "b", "cosine", "product", "can_be_active_together", "how"} <= pair.keys()
    assert (pair["a"], pair["b"]) == ("floor", "slope")
    assert pair["cosine"] == pytest.approx(-math.cos(math.radians(degrees)), abs=1e-12)
    assert pair["can_be_active_together"] is True
    assert check["mass"] == {"positive_definite": True, "condition": 1.0, "estimated": False}
    assert check["start"]["admissible"] is True
    assert ricochet.files() == ["wedge.toml"]

    # What the run says of its impacts.
    run = ricochet.json("run", name, "-o", "wedge.h5")
    marked = sum(impact["discontinuous"] for impact in run["first_impacts"])
    assert run["discontinuous_impacts"] == marked
    assert (marked > 0) is not expected
    assert any("does not depend continuously" in note for note in run.get("notes", [])) is not expected
    with h5py.File(ricochet.folder / "wedge.h5") as file:
        assert file["impacts/discontinuous"][()].sum() == marked


def test_words(ricochet):
    result = ricochet("check", ricochet.write(wedge(120, 0.5)))
    assert result.returncode == 0 and result.stderr == ""
    text = result.stdout
    assert text.startswith("Particle in a wedge\n")
    for word in ["mass: ok", "start: ok", "gradients: ok", "angles: problem", "restitution: ok", "stiffness: ok"]:
        assert word in text
    assert "+0.5" in text and "floor, slope" in text
    assert " ".join(text.split("\n\n")[-1].split()).startswith("The motion does not depend continuously on the data")
    run = ricochet("run", "ball.toml", "--no-output")
    assert "discontinuous      2 of 2 impacts" in run.stdout
    assert "does not depend continuously" in run.stderr


def test_gallery_problems_have_verdicts(ricochet):
    assert ricochet.json("check", "gallery:bouncing-ball")["continuous_dependence"] is True
    assert ricochet.json("check", "gallery:corner")["continuous_dependence"] is True


def test_undecided_is_null(ricochet):
    text = wedge(90, 0.5).replace('gap = "y"', 'gap = "x^2 + y^2 - 0.01"')
    check = ricochet.json("check", ricochet.write(text))
    assert check["continuous_dependence"] is None
    assert "could not be decided" in check["conclusion"]


def test_start_inside_an_obstacle_is_reported(ricochet):
    name = ricochet.write(wedge(90, 0.5))
    inside = ["--set", "initial.q.y=-0.5"]
    assert ricochet("run", name, *inside).returncode == 2
    check = ricochet.json("check", name, *inside)
    assert check["start"]["admissible"] is False
    assert check["start"]["violated"] == ["floor"]
    (finding,) = [finding for finding in check["findings"] if finding["subject"] == "start"]
    assert finding["verdict"] == "problem" and "floor" in finding["sentence"]


def test_stiffness_follows_scheme_and_step(ricochet):
    name = "gallery:impact-oscillator"
    check = ricochet.json("check", name, "--scheme", "moreau", "--step", "0.1")
    stiffness = check["stiffness"]
    assert stiffness["limit"] == pytest.approx(2, rel=1e-3)
    assert stiffness["h_omega"] == pytest.approx(0.1 * stiffness["omega_max"], rel=0.05)
    assert ricochet.json("check", name, "--scheme", "moreau-jean")["stiffness"]["limit"] is None
    assert ricochet.json("check", name, "--scheme", "event-driven")["stiffness"]["chooses_steps"] is True
    far = ricochet.json("check", name, "--scheme", "moreau", "--set", "model.parameters.k=1e9")
    assert [f["verdict"] for f in far["findings"] if f["subject"] == "stiffness"] == ["problem"]


def test_kinks_in_formulas(ricochet):
    text = wedge(90, 0.0).replace('kinetic', 'potential = "abs(x) + max(y, 0)^2"\nkinetic')
    check = ricochet.json("check", ricochet.write(text))
    assert {(item["field"], item["function"]) for item in check["nonsmooth"]} == {
        ("model.potential", "abs"), ("model.potential", "max")}  # fmt: skip


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "check needs a scenario"),
        (["missing.toml"], "missing.toml"),
        (["gallery:corner", "--scheme", "moreu"], "did you mean moreau"),
        (["gallery:corner", "--step", "-1"], "time.step"),
        (["gallery:corner", "--set", "model.nonsense=1"], "nonsense"),
        (["gallery:corner", "--until", "3"], "--until"),
    ],
)
def test_bad_input(ricochet, arguments, words):
    result = ricochet("check", *arguments)
    assert result.returncode == 2 and result.stdout == ""
    assert result.stderr.startswith("error: ") and words in result.stderr


def test_help_has_examples(ricochet):
    text = ricochet("check", "--help").stdout
    assert "ricochet check" in text and "Examples:" in text and "continuous_dependence" in text
    assert "check" in ricochet("--help").stdout
