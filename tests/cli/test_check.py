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


LINEAR = """\
[model]
kind = "linear"
mass = [[1.0]]
stiffness = [[1.0]]
coordinates = ["x"]
{rows}

[initial]
q = { x = 0.5 }

[time]
until = 1.0
step = 1e-3
"""


def wall(offset, name="wall", normal=1.0):
    return f'[[model.constraint]]\nname = "{name}"\nnormal = {{ x = {normal} }}\noffset = "{offset}"\nrestitution = 0.5\n'


def rubs(friction):
    return wall("0") + f'friction = "{friction}"\nslip = {{ x = 1.0 }}\n'


def belt(limit):
    return f'[[model.friction]]\nname = "belt"\nslip = {{ x = 1.0 }}\nlimit = "{limit}"\n'


def pin(offset):
    return f'[[model.joint]]\nname = "pin"\nnormal = {{ x = 1.0 }}\noffset = "{offset}"\n'


def driven(displacement):
    return f'[[model.joints]]\ndof = 0\ndisplacement = "{displacement}"\n'


LINE = """\
[model]
kind = "bar"
elements = 4
length = 1.0
young = 1.0
area = 1.0
density = 1.0
left = "fixed"
{rows}

[time]
until = 1.0
step = 1e-3
"""


# Formulas of the time in models that are no formulas themselves: what ends, has a pole or leaves its bounds.
@pytest.mark.parametrize(
    "rows, subject, words",
    [
        ('load = { x = "sqrt(0.5 - t)" }', "values", "The force on x is nan at t = 0.5 "),
        ('[[model.loads]]\ndof = 0\nforce = "log(0.5 - t)"', "values", "The force on x is"),
        ('load = { x = "1/(t - 0.77123)" }', "values", "The load x may have no value, or become infinite, near t = 0.77"),
        ('[model.base]\nacceleration = "log(0.5 - t)"', "values", "The force on x is"),
        ('[model.base]\nacceleration = "tan(2*t)"', "values", "The acceleration of the base may have no value"),
        (wall("sqrt(0.5 - t)"), "values", "of the gap of wall is"),
        (wall("1/(t - 0.77123)^2"), "values", "The gap of wall may have no value"),
        (pin("-0.5*sqrt(1 - 4*t^2)"), "values", "of pin is"),
        (pin("-0.5 + t^2/(t - 0.77123)"), "values", "The joint pin may have no value"),
        (driven("0.5*sqrt(1 - 4*t^2)"), "values", "of joint0 is"),
        (wall("0") + wall("1.0 - 2.5*exp(-1e6*(t - 0.51234)^2)", "lid", -1.0),
         "walls", "wall and lid exclude each other at t = 0.51"),
        (rubs("0.3 - t"), "friction", "The coefficient of friction of wall is -"),
        (rubs("0.3 - exp(-1e6*(t - 0.51234)^2)"), "friction", "The coefficient of friction of wall is -"),
        (belt("1 - 2*t"), "friction", "The limit of belt is -"),
        (belt("sqrt(0.5 - t)"), "friction", "The limit of belt is nan at t = 0.5;"),
    ],
)  # fmt: skip
def test_formulas_of_linear_models(ricochet, rows, subject, words):
    check = ricochet.json("check", ricochet.write(LINEAR.replace("{rows}", rows)))
    told = [f["sentence"] for f in check["findings"] if f["subject"] == subject and f["verdict"] != "ok"]
    assert len(told) == 1 and words in told[0]
    assert check["continuous_dependence"] is None
    assert "could not be decided" in check["conclusion"]


def test_formulas_of_lines(ricochet):
    def check(formula):
        rows = f'[[model.loads]]\nat = 1.0\nforce = "{formula}"\n'
        return ricochet.json("check", ricochet.write(LINE.replace("{rows}", rows)))

    assert check("1/(t - 0.77123)")["continuous_dependence"] is None
    assert check("sqrt(0.5 - t)")["continuous_dependence"] is None
    assert check("sin(t)")["conclusion"] == "The motion depends continuously on the data. Nothing else was found."


# What is sound is said without reservation.
@pytest.mark.parametrize(
    "rows",
    [
        'load = { x = "sin(t)" }\n' + wall("0.1*sin(t)"),
        rubs("0.3 + 0.1*sin(t)"),
        belt("1 - 0.5*t"),
        pin("-0.5*cos(t)"),
        wall("0") + wall("1.0 - 0.5*exp(-1e6*(t - 0.51234)^2)", "lid", -1.0),
    ],
)
def test_sound_formulas_of_linear_models(ricochet, rows):
    check = ricochet.json("check", ricochet.write(LINEAR.replace("{rows}", rows)))
    assert check["continuous_dependence"] is True
    assert check["conclusion"].startswith("The motion depends continuously on the data.")


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
