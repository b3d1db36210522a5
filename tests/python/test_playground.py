"""The playground from Python: the page of the program, and its sentences."""

import json
import pathlib
import subprocess
import sys

import pytest
import ricochet as rc
from ricochet._program import program

BUILT = program() is not None and (pathlib.Path(program()).resolve().parent / "playground" / "engine.json").exists()


@pytest.mark.skipif(not BUILT, reason="this build has no engine for pages")
def test_writes_the_page(tmp_path):
    page = tmp_path / "play.html"
    rc.playground(page, "gallery:moving-table")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and len(text) < 3e6
    assert json.dumps(rc.gallery()["moving-table"])[1:-1] in text


def test_says_what_is_wrong(tmp_path):
    if program() is None:
        pytest.skip("this build has no program")
    with pytest.raises(rc.InputError, match="nowhere.toml"):
        rc.playground(tmp_path / "play.html", tmp_path / "nowhere.toml")
    assert not (tmp_path / "play.html").exists()


def test_python_m_ricochet_is_the_program():
    """Nothing is said besides what the program says: the module is not imported twice."""
    if program() is None:
        pytest.skip("this build has no program")
    done = subprocess.run([sys.executable, "-B", "-m", "ricochet", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("ricochet ") and done.stderr == ""
