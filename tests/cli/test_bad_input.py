"""Bad input: exit code 2, a sentence with place, field, value and what is allowed, and nothing written."""

import pytest
from conftest import BALL

DEEP = 100_000

# What is replaced in the scenario, by what, and what the sentence must contain.
CASES = {
    # Mass.
    "negative mass": ("m = 1.0", "m = -1.0", ["ball.toml:", "model", "positive definite"]),
    "zero mass": ("m = 1.0", "m = 0.0", ["ball.toml:", "model", "positive definite"]),
    "one coordinate without a start": ('["x"]', '["x", "y"]', ["ball.toml:15:", "initial.q", "'y' is missing"]),
    # Restitution.
    "restitution above 1": ("0.9", "1.7", ["ball.toml:12:15: model.constraint.floor.restitution", "[0, 1]", "1.7"]),
    "restitution below 0": ("0.9", "-0.1", ["ball.toml:12:15: model.constraint.floor.restitution", "[0, 1]", "-0.1"]),
    "restitution not a number": ("0.9", "true", ["model.constraint.floor.restitution", "a number or a formula", "true"]),
    "restitution formula above 1": ("0.9", '"1 + x"', ["ball.toml:12:15: model.constraint.floor.restitution", "[0, 1]"]),
    "no restitution": ("restitution = 0.9", "", ["model.constraint.floor", "restitution is missing"]),
    "restitution twice": (
        "restitution = 0.9",
        "restitution = 0.9\ndissipation_index = 0.1",
        ["ball.toml:13:", "dissipation_index", "not both"],
    ),
    # Start.
    "start inside an obstacle": ("x = 1.0", "x = -0.25", ["ball.toml:15:", "initial.q", "0.25", "floor"]),
    "missing coordinate": ("{ x = 1.0 }", "{}", ["ball.toml:15:", "initial.q", "'x' is missing"]),
    "unknown coordinate": ("{ x = 1.0 }", "{ x = 1.0, y = 1 }", ["ball.toml:15:", "initial.q.y", "no coordinate 'y'"]),
    # NaN and infinity.
    "nan in a parameter": ("9.81", "nan", ["ball.toml:5:", "model.parameters.g", "finite", "nan"]),
    "infinite start": ("x = 1.0", "x = inf", ["ball.toml:15:", "initial.q.x", "finite", "inf"]),
    "infinite parameter formula": ("9.81", '"9^999999999"', ["ball.toml:5:", "model.parameters.g", "finite", "inf"]),
    "nan in the end": ("3.0", "nan", ["ball.toml:18:", "time.until", "finite", "nan"]),
    "nan restitution": ("0.9", "nan", ["ball.toml:12:", "model.constraint.floor.restitution", "finite"]),
    # Time.
    "zero step": ("1e-3", "0", ["ball.toml:19:8: time.step", "positive", "0"]),
    "negative step": ("1e-3", "-1e-3", ["ball.toml:19:8: time.step", "positive", "-0.001"]),
    "too many steps": ("1e-3", "1e-13", ["ball.toml:19:8: time.step", "1e-13", "1e12"]),
    "end before start": ("3.0", "-3.0", ["ball.toml:18:9: time.until", "later than the start", "-3"]),
    "end at start": ("until = 3.0", "from = 3.0\nuntil = 3.0", ["time.until", "later than the start 3", "3"]),
    "negative recording": ("1e-3", "1e-3\nrecord_every = -1", ["time.record_every", "0 or more", "-1"]),
    # Keys.
    "unknown key": ("until", "untill", ["ball.toml:18:1: time.untill", "unknown", "'until'"]),
    "unknown table": ("[initial]", "[intial]", ["ball.toml:14:", "unknown", "'initial'"]),
    "missing key": ("step = 1e-3", "", ["ball.toml:17:", "time", "'step'", "missing"]),
    "unknown scheme": ("[time]", '[scheme]\nname = "moreau-jaen"\n[time]', ["ball.toml:18:", "scheme.name", "moreau-jean"]),
    "unknown scheme parameter": ("[time]", "[scheme]\nthete = 1\n[time]", ["scheme.thete", "'theta'"]),
    "scheme parameter out of range": ("[time]", "[scheme]\ntheta = 2\n[time]", ["ball.toml:18:", "scheme.theta", "[0, 1]", "2"]),
    "unknown kind": ("[model]", '[model]\nkind = "lagrange"', ["model.kind", "lagrangian"]),
    # Formulas.
    "unknown name": ('"m*g*x"', '"m*g*z"', ["ball.toml:7:", "model.potential", "z", "^"]),
    "nearest name": ('"m*x_dot^2/2"', '"m*x_dott^2/2"', ["ball.toml:6:", "model.kinetic", "x_dott", "x_dot"]),
    "syntax error": ('"m*g*x"', '"m*(g*x"', ["ball.toml:7:", "model.potential", "^"]),
    "constant gap": ('gap = "x"', 'gap = "5"', ["ball.toml:11:", "model.constraint.floor.gap", "depend"]),
    "gap of the time alone": ('gap = "x"', 'gap = "1 + t"', ["ball.toml:11:", "model.constraint.floor.gap", "depend"]),
    "empty formula": ('"m*g*x"', '""', ["model.potential", "empty"]),
    "kinetic not quadratic": ('"m*x_dot^2/2"', '"m*x_dot^4"', ["ball.toml:6:", "model.kinetic", "quadratic"]),
    "circular parameters": ("m = 1.0", 'm = "a", a = "m"', ["ball.toml:5:", "model.parameters.m"]),
    "deep formula": ('"m*g*x"', '"' + "(" * 5000 + "x" + ")" * 5000 + '"', ["ball.toml:7:", "model.potential", "200"]),
    "long formula": ('"m*g*x"', '"' + "x+" * 50000 + 'x"', ["ball.toml:7:", "model.potential", "65536"]),
    "function as parameter": ("m = 1.0", "sin = 1.0, m = 1", ["model.parameters.sin", "sin"]),
    "unit behind a number": ("1e-3", '"1 ms"', ["ball.toml:19:", "time.step", "units are not read: write 1e-3 for 1 ms"]),
    "unit times a number": ("1e-3", '"1*ms"', ["time.step", "units are not read: write 1e-3 for 1 ms"]),
    "unit that is a parameter": ('"m*g*x"', '"2 m"', ["model.potential", "write 2 for 2 m", "2*m would multiply by 'm'"]),
    "decimal comma": ("g = 9.81", "g = 9,81", ["ball.toml:5:", "the decimal sign is a point: g = 9.81"]),
    "decimal comma alone": ("3.0", "3,5", ["ball.toml:18:", "the decimal sign is a point: until = 3.5"]),
    "formula without quotes": ('"m*g*x"', "m*g*x", ["ball.toml:7:", 'needs quotes: potential = "m*g*x"']),
    "formula with a number first": ('"m*g*x"', "2*m*g*x", ["ball.toml:7:", 'needs quotes: potential = "2*m*g*x"']),
    "sgn": ('"m*g*x"', '"m*g*x*sgn(x)"', ["ball.toml:7:", "unknown function 'sgn'; write sign(x)"]),
    "ln": ('"m*g*x"', '"ln(2 + x)"', ["unknown function 'ln'; write log(x)"]),
    "pow": ('"m*g*x"', '"pow(x, 2)"', ["unknown function 'pow'; write a^b"]),
    "bars": ('"m*g*x"', '"|x|"', ["write abs(x) for |x|"]),
    # Names and sizes.
    "duplicate coordinate": ('["x"]', '["x", "x"]', ["ball.toml:4:", "model.coordinates[1]", "'x'"]),
    "no coordinates": ('["x"]', "[]", ["ball.toml:4:", "model.coordinates", "at least one"]),
    "mass of a wrong size": ('kinetic = "m*x_dot^2/2"', "mass = [[1, 0], [0, 1]]", ["ball.toml:6:", "model.mass", "1"]),
    "neither kinetic nor mass": ('kinetic = "m*x_dot^2/2"', "", ["ball.toml:3:", "model", "kinetic", "mass"]),
    "force on no coordinate": ('"m*g*x"', '"m*g*x"\nforce = { y = 1 }', ["model.force.y", "'y'"]),
    # Types.
    "text for a number": ("3.0", '"three"', ["ball.toml:18:", "time.until", "three"]),
    "list for a number": ("3.0", "[3.0]", ["ball.toml:18:", "time.until", "a number or a formula", "list"]),
    "date for a number": ("3.0", "2024-01-01", ["ball.toml:18:", "time.until", "a number or a formula", "2024-01-01"]),
    "number for a name": ('"floor"', "1", ["ball.toml:10:", "name", "text", "1"]),
    "text for a list": ('["x"]', '"x"', ["ball.toml:4:", "model.coordinates", "list"]),
    "table for a list of tables": ("[[model.constraint]]", "[model.constraint]", ["model.constraint", "[[model.constraint]]"]),
}

SINGULAR = BALL.replace('["x"]', '["x", "y"]').replace("{ x = 1.0 }", "{ x = 1.0, y = 0.0 }")

# Whole files.
FILES = {
    "singular mass": (SINGULAR.replace("m*x_dot^2/2", "m*(x_dot + y_dot)^2/2"), ["positive definite"]),
    "empty file": ("", ["ball.toml", "is empty", "[model]", "[initial]", "[time]"]),
    "blank file": (" \n\n\t\n", ["ball.toml", "is empty"]),
    "random bytes": (bytes((i * 197 + 91) % 256 for i in range(5000)), ["ball.toml:1", "not a text file"]),
    "nul byte": (BALL.encode() + b"\0", ["ball.toml:20", "NUL"]),
    "invalid utf-8": (BALL.encode() + b"# \xff\n", ["ball.toml:20", "UTF-8"]),
    "not toml": ("this is not TOML", ["ball.toml:1:", "not valid TOML"]),
    "deep lists": ("a = " + "[" * DEEP, ["ball.toml:1", "nested too deeply"]),
    "deep tables": ("a = " + "{a=" * DEEP, ["ball.toml:1", "nested too deeply"]),
    "deep keys": ("a" + ".a" * DEEP + " = 1", ["ball.toml:1", "nested too deeply"]),
    "huge file": (b" " * (16 * 2**20 + 1), ["ball.toml", "16 MiB"]),
    "no tables": ('title = "x"', ["ball.toml", "[model]", "missing"]),
}

# Arguments beside a good scenario.
ARGUMENTS = {
    "set without a value": (["--set", "time.step"], ["--set time.step", "KEY=VALUE"]),
    "set of an unknown key": (["--set", "time.stp=1"], ["--set time.stp=1", "unknown", "'step'"]),
    "set out of range": (["--set", "model.constraint.floor.restitution=2"], ["--set model.constraint.floor.restitution=2", "[0, 1]"]),
    "set of an unknown constraint": (["--set", "model.constraint.flor.gap=x"], ["flor", "floor"]),
    "set of a bad formula": (["--set", "model.potential=m*g*z"], ["--set model.potential=m*g*z: model.potential", "z"]),
    "step": (["--step", "-1"], ["--step -1: time.step", "positive", "-1"]),
    "until": (["--until", "-1"], ["--until -1: time.until", "-1"]),
    "until not a number": (["--until", "soon"], ["--until soon: time.until", "soon"]),
    "scheme": (["--scheme", "moreau-jan"], ["--scheme moreau-jan: scheme.name", "did you mean moreau-jean?"]),
    "unknown ending": (["-o", "ball.xls"], ["ball.xls", ".h5", ".csv", ".npz"]),
    "no such folder": (["-o", "nowhere/ball.h5"], ["nowhere"]),
    "folder not writable": (["-o", "/proc/ball.h5"], ["/proc"]),
    "output is a folder": (["-o", "."], [".h5", ".csv", ".npz"]),
    "empty output": (["-o", ""], ["-o", "empty"]),
    "unknown option": (["--stpe", "1"], ["unknown option '--stpe'", "--step"]),
    "option without value": (["--step"], ["--step"]),
    "two scenarios": (["other.toml"], ["other.toml", "too many"]),
}


def refused(ricochet, *arguments):
    """The sentence; checks all that any refusal has in common."""
    before = ricochet.files()
    result = ricochet(*arguments, timeout=600)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert ricochet.files() == before
    # A sentence or two, and an excerpt of a formula at most.
    assert len(result.stderr.splitlines()) <= 4, result.stderr
    assert all(len(line) < 500 for line in result.stderr.splitlines()), result.stderr
    return result.stderr


@pytest.mark.parametrize("name", CASES)
def test_scenario(ricochet, ball, name):
    piece, by, expected = CASES[name]
    assert piece in ball
    sentence = refused(ricochet, "run", ricochet.write(ball.replace(piece, by, 1)))
    for word in expected:
        assert word in sentence


@pytest.mark.parametrize("name", FILES)
def test_file(ricochet, name):
    text, expected = FILES[name]
    sentence = refused(ricochet, "run", ricochet.write(text))
    for word in expected:
        assert word in sentence


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(ricochet, ball, name):
    arguments, expected = ARGUMENTS[name]
    sentence = refused(ricochet, "run", ricochet.write(ball), *arguments)
    for word in expected:
        assert word in sentence


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], ["command", "run"]),
        (["run"], ["scenario", "gallery:bouncing-ball"]),
        (["rnu", "x"], ["unknown command 'rnu'", "'run'"]),
        (["run", "nowhere.toml"], ["nowhere.toml", "no such file"]),
        (["run", "bouncing-ball"], ["bouncing-ball", "no such file", "gallery:bouncing-ball"]),
        (["run", "."], ["folder"]),
        (["run", "gallery:bouncing-bal"], ["gallery:bouncing-ball"]),
        (["run", "gallery:"], ["gallery"]),
        (["gallery", "bouncing-bal"], ["gallery:bouncing-ball"]),
        (["schemes", "moreau-jaen"], ["moreau-jean"]),
        (["schemes", "--jsno"], ["'--jsno'", "--json"]),
        (["--verion"], ["--verion"]),
    ],
)
def test_usage(ricochet, arguments, expected):
    sentence = refused(ricochet, *arguments)
    for word in expected:
        assert word in sentence


@pytest.mark.parametrize(
    "setting, path",
    [("g=1.62", "model.parameters.g"), ("until=5", "time.until"), ("restitution=0.5", "model.constraint.floor.restitution"),
     ("floor.restitution=0.5", "model.constraint.floor"), ("theta=1", "scheme.theta")],
)
def test_set_of_a_key_by_its_name_alone(ricochet, ball, setting, path):
    result = ricochet("run", ricochet.write(ball), "--set", setting)
    assert result.returncode == 2 and f"did you mean '{path}'?" in result.stderr, result.stderr


def test_a_unit_behind_a_number(ricochet, ball):
    answer = refused(ricochet, "run", ricochet.write(ball.replace("step = 1e-3", "step = 1 ms")))
    assert "units are not read" in answer and "step = 1" in answer
