"""ricochet analyse: the numbers against numpy on the same data, the files, the messages."""

import csv
import re

import h5py
import numpy
import pytest
from conftest import PENDULUM, data_of

TUBE = """\
title = "Tube in its support"
display = [{ name = "x", unit = "m", label = "middle of the tube" }]

[model]
coordinates = ["x", "y"]
parameters = { k = 400.0, c = 0.4, F = 12.0, w = 17.0, G = 0.02 }
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "k*x^2/2 + 10*y"
dissipation = "c*x_dot^2/2"
force = { x = "F*cos(w*t)" }

[[model.constraint]]
name = "right"
gap = "G - x"
restitution = 0.7

[[model.constraint]]
name = "floor"
gap = "y"
restitution = 0.3
friction = 0.2
slip = "x_dot"

[[output]]
name = "power"
formula = "F*cos(w*t)*x_dot"
unit = "W"

[[output]]
name = "push"
formula = "right_impulse + 2*floor_gap"

[initial]
q = { x = 0.0, y = 0.01 }

[time]
until = 8.0
step = 1e-3
"""


def welch(x, rate, n, overlap):
    """One-sided density by Welch's method, written with numpy alone."""
    taper = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(n) / n)
    hop = n - int(numpy.floor(overlap * n))
    rows = []
    for first in range(0, len(x) - n + 1, hop):
        part = x[first : first + n]
        density = numpy.abs(numpy.fft.rfft(taper * (part - part.mean()))) ** 2 / (rate * (taper**2).sum())
        density[1:-1] *= 2
        rows.append(density)
    return numpy.fft.rfftfreq(n, 1 / rate), numpy.array(rows)


def mean(t, x):
    return (0.5 * numpy.diff(t) * (x[1:] + x[:-1])).sum() / (t[-1] - t[0])


def near(a, b):
    scale = numpy.abs(numpy.asarray(b)).max()
    assert numpy.allclose(a, b, rtol=1e-10, atol=1e-10 * scale), (a, b)


@pytest.mark.parametrize("scheme", ["event-driven", "moreau-jean"])
def test_against_numpy(ricochet, scheme):
    ricochet.json("run", ricochet.write(TUBE), "--scheme", scheme, "-o", "tube.h5")
    found = ricochet.json("analyse", "tube.h5", "--quantity", "x,x_dot,power", "--segment", "1024", "--overlap", "0.75",
                          "--window", "1:7", "--force-window", "2e-3", "--bins", "7")
    with h5py.File(ricochet.folder / "tube.h5") as file:
        data = {key: file[key][()] for key in ("t", "event", "q", "v", "impulse", "output", "slip", "friction")}
        hits = {key: file["impacts"][key][()] for key in ("t", "constraint", "rate_minus", "impulse", "energy_loss")}
    rows = (data["t"] >= 1 - 1e-9) & (data["t"] <= 7 + 1e-9)
    data = {key: values[rows] for key, values in data.items()}
    t, length = data["t"], 6.0
    assert found["window"] == [pytest.approx(1), pytest.approx(7)]
    assert (scheme == "event-driven") == bool((data["event"] != 0).any())

    # Quantities.
    columns = {"x": data["q"][:, 0], "x_dot": data["v"][:, 0], "power": data["output"][:, 0]}
    for quantity in found["quantities"]:
        x = columns[quantity["name"]]
        average = mean(t, x)
        spread = numpy.sqrt(mean(t, (x - average) ** 2))
        near(quantity["mean"], average)
        near(quantity["rms"], numpy.sqrt(mean(t, x**2)))
        near(quantity["deviation"], spread)
        near([quantity["min"], quantity["max"]], [x.min(), x.max()])
        near(quantity["crest"], numpy.abs(x - average).max() / spread)
        grid = data["event"] == 0
        frequency, density = welch(x[grid], 1000.0, 1024, 0.75)
        near(found["spectra"]["frequency"], frequency)
        near(quantity["spectrogram"], density)
        near(quantity["density"], density.mean(axis=0))
    assert found["spectra"]["segments"] == len(found["spectra"]["segment_time"]) == 20
    assert found["quantities"][0]["unit"] == "m" and found["quantities"][2]["unit"] == "W"

    # Contacts.
    for j, contact in enumerate(found["contacts"]):
        mine = (hits["constraint"] == j) & (hits["t"] >= 1) & (hits["t"] <= 7)
        assert contact["impacts"] == mine.sum()
        near(contact["impact_rate"], mine.sum() / length)
        near(contact["impact_work_rate"], hits["energy_loss"][mine].sum() / length)
        near(contact["mean_force"], data["impulse"][1:, j].sum() / length)
        for name, values in (("speed", numpy.abs(hits["rate_minus"][mine])), ("impulse", hits["impulse"][mine])):
            if not len(values):
                continue
            counts, edges = numpy.histogram(values, bins=7, range=(0, values.max()))
            near(contact[name]["edges"], edges)
            assert contact[name]["counts"] == counts.tolist()
            near([contact[name]["mean"], contact[name]["median"]], [values.mean(), numpy.median(values)])
    right, floor = found["contacts"]
    assert right["impacts"] > 10 and right["contact_share"] < 1e-3
    assert floor["impacts"] == 0 and floor["contact_share"] == pytest.approx(1, abs=1e-6)
    near(floor["mean_force"], 10.0)
    near(floor["peak_force"], 10.0)
    slip, friction = data["slip"][:, 0], data["friction"][:, 0]
    near(floor["friction_work_rate"], -(0.5 * (slip[1:] + slip[:-1]) * friction[1:]).sum() / length)
    # Impacts are farther apart than the force window: the largest impulse makes the peak.
    near(right["peak_force"], hits["impulse"][(hits["constraint"] == 0) & (hits["t"] >= 1) & (hits["t"] <= 7)].max() / 2e-3)


def test_outputs_are_their_formulas(ricochet):
    ricochet.json("run", ricochet.write(TUBE), "--scheme", "event-driven", "-o", "tube.h5")
    with h5py.File(ricochet.folder / "tube.h5") as file:
        t, v, P, gap = file["t"][()], file["v"][:, 0], file["impulse"][:, 0], file["gap"][:, 1]
        assert list(file.attrs["outputs"]) == ["power", "push"]
        near(file["output"][:, 0], 12.0 * numpy.cos(17.0 * t) * v)
        near(file["output"][:, 1], P + 2 * gap)
    for name in ("tube.csv", "tube.npz"):
        ricochet.json("run", ricochet.write(TUBE), "--scheme", "event-driven", "-o", name)
        assert ricochet.json("analyse", name)["quantities"] == ricochet.json("analyse", "tube.h5")["quantities"] or (
            name == "tube.csv"  # labels are not in a CSV file
        )
    head = (ricochet.folder / "tube.csv").read_text().splitlines()[0].split(",")
    assert "x [m]" in head and "power [W]" in head and head[-1] == "event"
    names = [one["name"] for one in ricochet.json("analyse", "tube.csv")["quantities"]]
    assert names == ["power", "push", "x", "y"]


def test_outputs_of_friction_and_joints(ricochet):
    rub = '[[output]]\nname = "rub"\nformula = "-floor_slip*floor_friction"\n'
    ricochet.json("run", ricochet.write(TUBE + rub), "--until", "1", "-o", "tube.h5")
    with h5py.File(ricochet.folder / "tube.h5") as file:
        near(file["output"][:, 2], -file["slip"][:, 0] * file["friction"][:, 0])
        assert (file["output"][:, 2] > 0).any()
    pull = '[[output]]\nname = "pull"\nformula = "2*string_reaction_1"\n'
    ricochet.json("run", ricochet.write(PENDULUM + pull), "-o", "pendulum.h5")
    with h5py.File(ricochet.folder / "pendulum.h5") as file:
        near(file["output"][:, 0], 2 * file["reaction"][:, 0])
        # At the bottom the string carries m g (3 − 2 cos φ₀).
        assert abs(file["output"][()]).max() == pytest.approx(2 * 9.81 * (3 - 2 * numpy.cos(2.0)), rel=1e-3)


BLOCK = """\
[model]
coordinates = ["x", "y"]
parameters = { m = 2.0, g = 10.0, mu = 0.2 }
kinetic = "m*(x_dot^2 + y_dot^2)/2"
potential = "m*g*y"
force = { x = "30*step(t - 0.5)", y = "5*t" }

[[model.constraint]]
name = "floor"
gap = "y"
restitution = 0.4
friction = "mu"
slip = "x_dot"

[[output]]
name = "N"
formula = "floor_force"

[[output]]
name = "T"
formula = "floor_friction_force"

[initial]
q = { x = 0.0, y = 0.0 }

[time]
until = 2.0
step = 1e-2
"""
SCHEMES = ["event-driven", "mannshardt", "moreau-jean", "moreau", "newmark", "nsga", "splitting", "penalty"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forces_of_contacts(ricochet, scheme):
    """A block under a growing lift rests, then is pulled and slides: N = m g − 5 t, and friction is −μ N once it slides."""
    given = f'[scheme]\nname = "{scheme}"\n' + ("slip_speed = 1e-4\n" if scheme == "penalty" else "")
    ricochet.json("run", ricochet.write(BLOCK + given), "-o", "block.h5")
    with h5py.File(ricochet.folder / "block.h5") as file:
        t, N, T, P = file["t"][()], file["output"][:, 0], file["output"][:, 1], file["impulse"][:, 0]
        # Mean forces times intervals are the impulses.
        assert numpy.allclose(N[1:] * numpy.diff(t), P[1:], rtol=1e-9, atol=1e-12)
    exact = 20 - 5 * (t - 0.005)
    assert abs(N - exact)[2:].max() < 0.06
    assert N[0] == pytest.approx(0 if scheme == "penalty" else 20)
    slides = t > 0.52
    assert abs(T + 0.2 * exact)[slides].max() < 0.1 and abs(T[(t > 0.02) & (t < 0.49)]).max() < 1e-6


@pytest.mark.parametrize("scheme", ["event-driven", "moreau-jean", "paoli-schatzman", "penalty"])
def test_impacts_of_rigid_bodies_have_no_force(ricochet, scheme):
    """A ball that bounces: none until it rests, and then its weight. Under penalty impulses are made of forces."""
    drop = ["--set", "initial.q.y=1", "--set", "model.force.y=0", "--until", "1.4"]
    text = BLOCK
    if scheme == "paoli-schatzman":  # takes no friction
        text = text.replace('friction = "mu"\nslip = "x_dot"\n', "").replace("floor_friction_force", "0")
    given = f'[scheme]\nname = "{scheme}"\n' + ("slip_speed = 1e-4\n" if scheme == "penalty" else "")
    ricochet.json("run", ricochet.write(text + given), *drop, "-o", "drop.h5")
    with h5py.File(ricochet.folder / "drop.h5") as file:
        t, N, P = file["t"][()], file["output"][:, 0], file["impulse"][:, 0]
    assert P[t < 0.93].sum() > 10
    if scheme == "penalty":
        assert (N[1:] * numpy.diff(t)).sum() == pytest.approx(P.sum(), rel=1e-6)
    else:
        assert abs(N[t < 0.93]).max() == 0
    assert N[-1] == pytest.approx(20, rel=1e-3)


def test_tables_and_picture(ricochet):
    ricochet.json("run", ricochet.write(TUBE), "-o", "tube.h5")
    text = ricochet("analyse", "tube.h5", "--csv", "found", "--svg", "found.svg").stdout
    assert "Welch" in text and "Hann" in text and "right" in text and "peak" in text
    tables = {}
    for name in ("contacts", "distributions", "quantities", "spectrum", "spectrogram", "envelope"):
        with open(ricochet.folder / f"found.{name}.csv", newline="") as file:
            tables[name] = list(csv.reader(file))
    found = ricochet.json("analyse", "tube.h5")
    assert tables["contacts"][1][0] == "right" and float(tables["contacts"][1][2]) == found["contacts"][0]["impact_rate"]
    assert tables["spectrum"][0] == ["frequency", "power [W]", "push", "x [m]", "y"]
    assert [float(row[1]) for row in tables["spectrum"][1:]] == found["quantities"][0]["density"]
    assert len(tables["envelope"]) == found["spectra"]["segments"] + 1
    picture = (ricochet.folder / "found.svg").read_text()
    assert picture.startswith("<svg")
    # The picture has the plots of the page: spectra, of the first two quantities spectrograms, envelopes, distributions.
    assert ricochet("analyse", "tube.h5", "--report", "found.html").returncode == 0
    titles = [plot["title"] for plot in data_of(ricochet.folder / "found.html")["plots"]]
    assert [title.split(" ")[0] for title in titles] == ["Power", "Spectrogram", "Envelope", "Spectrogram", "Envelope", "Speeds", "Impulses"]
    assert all(title in picture for title in titles)
    segments = len((ricochet.folder / "found.envelope.csv").read_text().splitlines()) - 1
    paths = re.findall('<path d="(M[^"z]*)" fill="none"', picture)
    assert sum(len(path.split("L")) == segments for path in paths) == 4


def test_spectrograms(ricochet):
    """A tone that jumps from 20 to 60 Hz: the darkest cells of the picture and of the page follow it."""
    text = TUBE.replace('formula = "F*cos(w*t)*x_dot"', 'formula = "sin(2*pi*(20 + 40*step(t - 4))*t)"')
    ricochet.json("run", ricochet.write(text), "-o", "tone.h5")
    ricochet("analyse", "tone.h5", "--quantity", "power", "--segment", "256", "--report", "tone.html", "--svg", "tone.svg")
    plot = next(plot for plot in data_of(ricochet.folder / "tone.html")["plots"] if plot["title"].startswith("Spectrogram"))
    shades, box = plot["shades"], plot["shades"]["box"]
    cells = numpy.reshape(shades["decades"], (-1, shades["rows"]))
    times = box[0] + (numpy.arange(len(cells)) + 0.5) * (box[1] - box[0]) / len(cells)
    strongest = (cells.argmin(axis=1) + 0.5) * box[3] / shades["rows"]
    cell = box[3] / shades["rows"]
    assert abs(strongest[times < 3.8] - 20).max() <= cell and abs(strongest[times > 4.2] - 60).max() <= cell
    assert cells.min() == 0 and (ricochet.folder / "tone.svg").read_text().count('class="shade"') == 6


def test_pages(ricochet):
    """A page of its own, and a panel of the page of a run: both say what the JSON says, with units."""
    display = '{ name = "t", unit = "s" }, { name = "impulse", unit = "N s" }, { name = "energy", unit = "J" }, { name = "x"'
    name = ricochet.write(TUBE.replace('{ name = "x"', display))
    ricochet.json("run", name, "-o", "tube.h5", "--report", "run.html")
    assert ricochet("analyse", "tube.h5", "--report", "tube.html").returncode == 0
    pages = [data_of(ricochet.folder / "tube.html"), data_of(ricochet.folder / "run.html")["analysis"]]
    found = ricochet.json("analyse", "tube.h5", "--segment", "1024")
    for page in pages:
        contacts, quantities = page["tables"]
        assert "impulse, mean [N s]" in contacts["columns"] and "impact work rate [J/s]" in contacts["columns"]
        assert [row[0] for row in contacts["rows"]] == ["right", "floor"]
        assert [row[0] for row in quantities["rows"]] == ["power [W]", "push", "middle of the tube [m]", "y"]
        titles = [plot["title"] for plot in page["plots"]]
        assert titles[0].startswith("Power spectral density") and "Speeds of impacts" in titles
        assert page["plots"][0]["x"]["label"] == "frequency [Hz]"
        bars = page["plots"][titles.index("Speeds of impacts")]["series"][0]
        assert bars["y"][1::2][: len(found["contacts"][0]["speed"]["counts"])] == found["contacts"][0]["speed"]["counts"]
    near(pages[0]["plots"][0]["series"][0]["y"], found["quantities"][0]["density"])


def test_complaints(ricochet):
    ricochet.json("run", ricochet.write(TUBE), "-o", "tube.h5")
    for options, words in [
        (["--quantity", "xx"], "--quantity: there is no column"),
        (["--window", "9:10"], "--window: holds fewer than two recorded instants"),
        (["--segment", "100"], "--segment: must be a power of two"),
        (["--segment", "65536"], "--segment: 65536 samples are more than the 8001"),
        (["--overlap", "1"], "--overlap: must be in [0, 1)"),
        (["--force-window", "0"], "--force-window: must be a positive time"),
    ]:
        answer = ricochet("analyse", "tube.h5", *options)
        assert answer.returncode == 2 and words in answer.stderr, answer.stderr
