"""The documentation builds as a site, without a warning."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
GALLERY = {file.stem for file in (ROOT / "gallery").glob("*.toml")}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("site")
    mkdocs = shutil.which("mkdocs")
    if not mkdocs:
        pytest.skip("mkdocs is not installed")
    result = subprocess.run(
        [mkdocs, "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    return tmp_path / "site"


def test_front_page(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="play.html"' in text
    for door in ("engineer", "researcher", "dynamicist", "first-steps"):
        assert f'href="tutorials/{door}.html"' in text
    # Every scheme of the catalogue has its page in the table.
    for page in (ROOT / "docs/schemes").glob("[a-z]*.md"):
        assert f'href="schemes/{page.stem}.html"' in text, page.stem


def test_links_lead_somewhere(site):
    """Links and pictures of all pages; mkdocs looks only at those of Markdown. play.html is made by tools/site.sh."""
    missing = []
    for page in site.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link) or link.startswith("//") or page.name == "404.html":
                continue
            if pathlib.PurePosixPath(link).name != "play.html" and not (page.parent / link).exists():
                missing.append(f"{page.relative_to(site)}: {link}")
    assert not missing


def test_buttons_open_scenarios(site):
    text = (site / "gallery" / "gear-rattle.html").read_text(encoding="utf-8")
    assert 'href="../play.html#g=gear-rattle"' in text
    names = {name for page in site.rglob("*.html") for name in re.findall(r"#g=([a-z0-9-]+)", page.read_text(encoding="utf-8"))}
    assert len(names) > 30 and names <= GALLERY


def test_menu_fits_on_a_line(site):
    """Seven short words at most."""
    names = [next(iter(entry)) for entry in yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]]
    assert len(names) <= 7 and sum(map(len, names)) <= 50


def test_search_and_colours(site):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any("moreau-jean" in entry["text"] for entry in index["docs"])
    assert 'class="codehilite"' in (site / "tutorials" / "first-steps.html").read_text(encoding="utf-8")
    assert 'class="mf"' in (site / "tutorials" / "first-steps.html").read_text(encoding="utf-8")
