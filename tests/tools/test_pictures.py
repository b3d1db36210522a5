"""The plotter, the exact motions behind the pictures, and the pages that show them."""
import math
import pathlib
import re
import sys
import tomllib
import xml.etree.ElementTree as xml

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import pictures  # noqa: E402
import plotter  # noqa: E402
from plotter import Axis, Curve, Panel  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def sample(name="a < b & c"):
    x = np.linspace(0, 10, 11)
    curves = [Curve(x, np.sin(x), "#123456", name, dots=True), Curve(x, 1e9 * x, "#654321")]
    return plotter.figure("A title", [Panel(Axis("t", 0, 10), Axis("y", -1, 1), curves, levels=[0])])


# The plotter.


def test_a_figure_is_well_formed():
    root = xml.fromstring(sample())
    assert root.tag == SVG + "svg" and root.find(SVG + "title").text == "A title"
    words = [text.text for text in root.iter(SVG + "text")]
    assert {"t", "y", "a < b & c", "0", "10", "−1"} <= set(words)
    assert len([path for path in root.iter(SVG + "path") if path.get("stroke") == "#123456"]) == 4  # curve and legend


def test_a_figure_depends_on_its_data_alone():
    assert sample() == sample()
    assert sample("other") != sample()


def test_coordinates_are_short_and_near_the_frame():
    for path in xml.fromstring(sample()).iter(SVG + "path"):
        for number in re.findall(r"-?\d+(?:\.\d+)?", path.get("d")):
            assert len(number.partition(".")[2]) <= 2
            assert abs(float(number)) < 4 * plotter.WIDTH


@pytest.mark.parametrize("x, text", [(1.0, "1"), (1.5, "1.5"), (-0.001, "0"), (2.346, "2.35"), (100.0, "100")])
def test_numbers(x, text):
    assert plotter.number(x) == text


@pytest.mark.parametrize("lower, upper", [(0, 1), (-0.12, 0.08), (0, 3.5), (-1, 22), (0.4, 1.1)])
def test_ticks_are_round_and_inside(lower, upper):
    ticks = Axis("", lower, upper).ticks()
    step = ticks[1] - ticks[0]
    assert 3 <= len(ticks) <= 9
    assert lower - 1e-9 <= ticks[0] < lower + step and upper - step < ticks[-1] <= upper + 1e-9
    assert min(abs(step / 10.0 ** math.floor(math.log10(step * 1.001)) - round_one) for round_one in (1, 2, 5)) < 1e-9


def test_logarithmic_axis():
    axis = Axis("", 1e-2, 1e3, log=True)
    assert axis.ticks() == pytest.approx([0.01, 0.1, 1, 10, 100, 1000])
    assert axis.place([0.01, 10, 1000]) == pytest.approx([0, 0.6, 1])


def test_check_allows_for_rounding_only():
    assert pictures.same_but_for_rounding("M1.25 3", "M1.26 3")
    assert not pictures.same_but_for_rounding("M1.25 3", "M1.35 3")
    assert not pictures.same_but_for_rounding("M1.25 3", "L1.25 3")
    assert not pictures.same_but_for_rounding("", "M1.25 3")


def test_check_writes_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    monkeypatch.setattr(pictures, "pictures", lambda program, example: [("a.svg", sample)])
    assert pictures.main(["--check"]) == 1
    assert list(tmp_path.iterdir()) == [] and "a.svg" in capsys.readouterr().out
    assert pictures.main([]) == 0
    assert pictures.main(["--check"]) == 0
    (tmp_path / "a.svg").write_text(sample("other"))
    assert pictures.main(["--check"]) == 1


# What is drawn.


def test_exact_ball():
    known = tomllib.loads((ROOT / "gallery/lecture-ball.toml").read_text())["known"]
    for point in known["samples"]:
        assert pictures.exact_ball(point["t"], 0.5) == pytest.approx(point["q"][0], abs=1e-15)
    assert pictures.exact_ball(0.5, 0.0) == 0.75 and pictures.exact_ball(2.0, 0.0) == 0.0


def test_exact_two_balls():
    known = tomllib.loads((ROOT / "gallery/two-ball-oscillator.toml").read_text())["known"]
    impacts = pictures.exact_two_balls(2.0)
    for computed, expected in zip(impacts[1:], known["impacts"]):
        assert computed[0] == pytest.approx(expected["t"], abs=1e-13)
    for point in known["samples"]:
        energy = [energy for t, energy in impacts if t <= point["t"]][-1]
        assert energy == pytest.approx(point["energy"], abs=1e-12)


@pytest.mark.parametrize("theta", [0.5, 0.6, 1.0])
@pytest.mark.parametrize("x", [0.01, 1.0, 100.0])
def test_spectral_radius_of_the_theta_scheme(theta, x):
    expected = math.sqrt((1 + (1 - theta) ** 2 * x * x) / (1 + theta**2 * x * x))
    assert pictures.spectral_radius(pictures.theta_matrix(theta, x)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("beta, limit", [(1 / 6, 2 * math.sqrt(3)), (1 / 12, math.sqrt(6)), (0.0, 2.0)])
def test_stability_limits_of_newmark(beta, limit):
    assert pictures.spectral_radius(pictures.newmark(beta)(0.999 * limit)) == pytest.approx(1, abs=1e-7)
    assert pictures.spectral_radius(pictures.newmark(beta)(1.001 * limit)) > 1.05


@pytest.mark.parametrize(
    "matrix, limit",
    [(pictures.newmark(1 / 4), 1.0), (pictures.newmark(1.1**2 / 4, 0.6), 0.9 / 1.1), (pictures.hht(0.1), 0.9 / 1.1)]
    + [(pictures.generalized_alpha(rho), rho) for rho in (0.0, 0.5, 0.8, 1.0)],
)
def test_spectral_radius_of_fast_vibrations(matrix, limit):
    # Where three eigenvalues meet, as in generalized-alpha, the limit is reached like (h ω)^(−2/3).
    assert pictures.spectral_radius(matrix(1e4)) == pytest.approx(limit, abs=3e-3)
    assert pictures.spectral_radius(matrix(1e-3)) == pytest.approx(1, abs=1e-7)


# The pages.


def catalogue():
    """Names of the schemes, from the list in the sources."""
    text = (ROOT / "src/scheme/catalogue.cpp").read_text()
    return [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower() for name in re.findall(r"scheme_entry<struct (\w+)>", text)]


PAGES = sorted([*ROOT.glob("docs/schemes/*.md"), *ROOT.glob("docs/gallery/*.md")])
SECTIONS = ["## Equations", "## Good at, bad at", "## Order, measured", "## Energy", "## References"]


def test_the_catalogue_is_read():
    sources = "".join(file.read_text() for file in ROOT.glob("src/scheme/**/*.cpp"))
    assert {"moreau", "moreau-jean"} <= set(catalogue())
    for name in catalogue():
        assert f'"{name}"' in sources


@pytest.mark.parametrize("name", catalogue())
def test_scheme_page(name):
    lines = (ROOT / f"docs/schemes/{name}.md").read_text().splitlines()
    assert lines[0] == f"# {name}"
    places = [lines.index(section) for section in SECTIONS]
    assert places == sorted(places)
    text = "\n".join(lines)
    assert f"(../pictures/ball-{name}.svg)" in text
    assert "doi:10." in text[text.index("## References") :]
    if name in pictures.SPECTRA:
        assert f"(../pictures/spectral-{name}.svg)" in text
    assert f"({name}.md)" in (ROOT / "docs/schemes/README.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


GALLERY = [page for page in PAGES if page.parent.name == "gallery" and page.stem != "README"]


@pytest.mark.parametrize("page", GALLERY, ids=lambda page: page.stem)
def test_gallery_page_is_listed(page):
    assert f"({page.name})" in (page.parent / "README.md").read_text()
    assert "(../pictures/" in page.read_text()


def test_pictures_are_well_formed_and_shown():
    shown = "".join(page.read_text() for page in ROOT.glob("docs/**/*.md"))
    files = sorted(pictures.FOLDER.glob("*.svg"))
    assert len(files) >= len(catalogue()) + len(pictures.SPECTRA)
    for file in files:
        xml.parse(file)
        assert f"pictures/{file.name})" in shown, file.name
