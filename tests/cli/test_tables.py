"""Tables in formulas, folders of --files, results as start, contacts that give way."""

import math

import numpy
import pytest

TIME = "[time]\nuntil = 2.0\nstep = 1e-2\n"
FINE = '[scheme]\nname = "event-driven"\nrtol = 1e-11\n'


def oscillator(force, gap='"x + 0.5"', scheme=FINE, more=""):
    """2 x'' + 10 x = force, with a stop; force and gap in quotes of either kind."""
    return (
        '[model]\ncoordinates = ["x"]\nkinetic = "x_dot^2"\npotential = "5*x^2"\n'
        f'force = {{ x = {force} }}\n[[model.constraint]]\nname = "stop"\ngap = {gap}\n'
        f"restitution = 0.5\n{more}[initial]\nq = {{ x = 0.3 }}\n{scheme}{TIME}"
    )


def refusal(ricochet, *arguments):
    result = ricochet(*arguments, "--no-output")
    assert result.returncode == 2
    return result.stderr


@pytest.fixture
def record(ricochet):
    t = numpy.linspace(0.0, 2.5, 26)
    east, north = 3.0 * numpy.sin(4.0 * t), numpy.round(numpy.cos(3.0 * t), 6)
    rows = "\n".join(f"{a!r},{b!r},{c!r}" for a, b, c in zip(t.tolist(), east.tolist(), north.tolist()))
    ricochet.write("time,east,north\n" + rows + "\n", "record.csv")
    return t, east, north


def final(ricochet, text, *arguments):
    return ricochet.json("run", ricochet.write(text, "s.toml"), "--no-output", *arguments)["final"]


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_a_record_is_the_load_that_linear_models_read(ricochet, record, interpolation):
    formula = final(ricochet, oscillator(f"'table(\"record.csv\", t, \"north\", \"{interpolation}\")'"))
    matrices = (
        '[model]\nkind = "linear"\nmass = [[2.0]]\nstiffness = [[10.0]]\n'
        f'loads = [{{ dof = 0, file = "record.csv", column = "north", interpolation = "{interpolation}" }}]\n'
        f'stops = [{{ dof = 0, lower = -0.5, restitution = 0.5 }}]\n[initial]\nq = {{ q0 = 0.3 }}\n{FINE}{TIME}'
    )
    exact = final(ricochet, matrices)
    assert formula["q"] == pytest.approx(exact["q"], abs=1e-8)
    assert formula["v"] == pytest.approx(exact["v"], abs=1e-7)


def test_a_table_of_the_place_is_a_spring(ricochet):
    ricochet.write("x f\n-10 -100\n10 100\n", "spring.dat")
    curve = oscillator("\"-table('spring.dat', x)\"").replace('potential = "5*x^2"\n', "")
    formula = oscillator('"-10*x"').replace('potential = "5*x^2"\n', "")
    for scheme in ("event-driven", "moreau-jean", "newmark"):
        a, b = (final(ricochet, text, "--scheme", scheme) for text in (curve, formula))
        assert a["q"] == pytest.approx(b["q"], abs=1e-9), scheme


def test_a_base_that_moves_as_a_table_says(ricochet):
    t = numpy.linspace(0.0, 2.5, 501)
    rows = "\n".join(f"{a!r} {0.1 * math.sin(5.0 * a)!r}" for a in t.tolist())
    ricochet.write(rows + "\n", "base.txt")
    text = oscillator('"0"', gap="\"x + 0.2 - table('base.txt', t, 'cubic')\"")
    known = oscillator('"0"', gap='"x + 0.2 - 0.1*sin(5*t)"')
    assert final(ricochet, text)["q"] == pytest.approx(final(ricochet, known)["q"], abs=1e-7)


def test_peer_records(ricochet):
    values = [0.01 * math.sin(0.3 * i) for i in range(251)]
    lines = [" ".join(f"{x:14.7E}" for x in values[i : i + 5]) for i in range(0, len(values), 5)]
    for head in ("NPTS=    251, DT=   .0100 SEC", "  251   0.0100   NPTS, DT"):
        ricochet.write("PEER NGA\nA quake, a station\nACCELERATION TIME HISTORY IN UNITS OF G\n" + head + "\n" + "\n".join(lines) + "\n", "quake.AT2")
        rows = "\n".join(f"{0.01 * i!r},{float(f'{x:.7E}')!r}" for i, x in enumerate(values))
        ricochet.write("t,a\n" + rows + "\n", "quake.csv")
        texts = [oscillator(f"'-2*9.81*table(\"{name}\", t)'") for name in ("quake.AT2", "quake.csv")]
        assert final(ricochet, texts[0]) == final(ricochet, texts[1])
    ricochet.write("a\nb\nc\nNPTS= 3, DT= .01 SEC\n1.0 2.0\n", "short.at2")
    message = refusal(ricochet, "run", ricochet.write(oscillator("'table(\"short.at2\", t)'"), "s.toml"))
    assert "short.at2: has 2 values, but its fourth line announces 3" in message


@pytest.mark.parametrize(
    "formula, words",
    [
        ("table('gone.csv', t)", "gone.csv: there is no such file in the scenario's folder"),
        ("table('recrod.csv', t)", "did you mean record.csv?"),
        ("table('record.csv', t, 'nroth')", "'record.csv' has no column 'nroth'; did you mean 'north'? It has time, east, north"),
        ("table('record.csv', t, '7')", "'record.csv' has no column '7'"),
        ("table('back.csv', t)", "'back.csv': points must increase, but point 2 is 2 and point 3 is 1"),
        ("table('one.csv', t)", "'one.csv' must have two columns or more"),
        ("table('../record.csv', t)", "--files DIR allows another one"),
        ("table('record.pdf', t)", "numbers are read from a file that ends in .csv"),
    ],
)
def test_what_is_wrong_with_a_table(ricochet, record, formula, words):
    ricochet.write("0,1\n2,1\n1,1\n", "back.csv")
    ricochet.write("1\n2\n", "one.csv")
    ricochet.write("1,2\n", "record.pdf")
    message = refusal(ricochet, "run", ricochet.write(oscillator(f'"{formula}"'), "s.toml"))
    assert words in message
    assert "s.toml:5" in message and "model.force.x" in message


def test_check_tells_where_a_run_leaves_a_table(ricochet, record):
    text = oscillator("\"table('record.csv', t, 'north')\"")
    path = ricochet.write(text, "s.toml")
    subjects = [item["subject"] for item in ricochet.json("check", path)["findings"]]
    assert "tables" not in subjects and "smoothness" in subjects
    findings = ricochet.json("check", path, "--set", "time.until=4")["findings"]
    (told,) = [item["sentence"] for item in findings if item["subject"] == "tables"]
    assert "The table record.csv goes from 0 to 2.5, and the run asks for 0 to 4" in told
    assert f"it is {record[2][-1]:.4g} behind its end" in told


def test_folders_of_files(ricochet, record):
    away = ricochet.folder / "away"
    away.mkdir()
    (ricochet.folder / "record.csv").rename(away / "quake.csv")
    path = ricochet.write(oscillator("\"table('quake.csv', t, 'north')\""), "s.toml")
    assert "there is no such file in the scenario's folder" in refusal(ricochet, "run", path)
    here = ricochet.json("run", path, "--no-output", "--files", str(away))["final"]
    (away / "quake.csv").rename(ricochet.folder / "quake.csv")
    assert ricochet.json("run", path, "--no-output")["final"] == here
    assert "--files" in refusal(ricochet, "run", path, "--files", "nowhere")


def test_a_result_as_start(ricochet):
    text = oscillator("'cos(3*t)'")
    whole = final(ricochet, text)
    path = ricochet.write(text, "first.toml")
    ricochet.json("run", path, "--until", "1", "-o", "half.h5")
    # The same from other formats, with a unit in the header too.
    with_unit = 'display = [{ name = "x", unit = "m" }]\n' + text
    ends = []
    for name, source in (("half.h5", text), ("half.npz", text), ("half.csv", text), ("units.csv", with_unit)):
        ricochet.json("run", ricochet.write(source, "first.toml"), "--until", "1", "-o", name)
        again = ricochet.write(text.replace("q = { x = 0.3 }", f'q = "{name}"'), "again.toml")
        ends.append(ricochet.json("run", again, "--no-output")["final"])
        assert f"follows from '{name}'" in refusal(ricochet, "run", again, "--set", "initial.v.x=1")
        other = ricochet.write(text.replace("q = { x = 0.3 }", f'q = "{name}"').replace("x", "y"), "other.toml")
        assert "is the result of another model: it has no 'y'" in refusal(ricochet, "run", other)
        assert "is a result" in refusal(ricochet, "run", path, "--set", f"initial.v={name}")
    assert all(end == ends[0] for end in ends)
    later = ricochet.write(text.replace("q = { x = 0.3 }", 'q = "half.h5"'), "later.toml")
    rest = ricochet.json("run", later, "-o", "rest.csv")
    assert rest["final"]["q"] == pytest.approx(whole["q"], abs=1e-9)
    assert rest["final"]["v"] == pytest.approx(whole["v"], abs=1e-8)
    with open(ricochet.folder / "rest.csv") as file:
        rows = [line for line in file if line[0] not in "#t"]
    assert float(rows[0].split(",")[0]) == 1.0
    assert "must be later than 1, where the result ends" in refusal(ricochet, "run", later, "--until", "0.5")
    assert "follows from 'half.h5'" in refusal(ricochet, "run", later, "--set", "initial.v.x=1")
    other = ricochet.write(text.replace("q = { x = 0.3 }", 'q = "half.h5"').replace("x", "y"), "other.toml")
    assert "is the result of another model: it has no 'y'" in refusal(ricochet, "run", other)


def test_contacts_that_give_way(ricochet):
    penalty = '[scheme]\nname = "penalty"\n'
    text = oscillator('"0"', scheme=penalty, more="compliance = { stiffness = 2e4, damping = 20.0 }\n")
    path = ricochet.write(text, "s.toml")
    zeta = 20.0 / (2.0 * math.sqrt(2e4 * 2.0))
    e = math.exp(-math.pi * zeta / math.sqrt(1 - zeta**2))
    (told,) = [item["sentence"] for item in ricochet.json("check", path)["findings"] if item["subject"] == "compliance"]
    assert f"has the restitution {e:.4g} (damping ratio {zeta:.4g})" in told
    assert "rigid schemes take its restitution, 0.5" in told
    notes = ricochet.json("run", path, "--no-output", "--set", "initial.v.x=-4")["notes"]
    assert f"stop: its compliance implies a restitution of {e:.4g}" in notes
