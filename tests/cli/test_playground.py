"""ricochet playground and report --live, as far as no browser is needed; tests/web has the rest."""

import os
import pathlib
import shutil
import subprocess

import pytest


def alone(ricochet, folder):
    """The program where nothing is beside it."""
    shutil.copy(os.path.abspath(ricochet.program), folder / "ricochet")
    return folder / "ricochet"


def test_without_an_engine_it_says_what_is_missing(ricochet, tmp_path):
    program = alone(ricochet, tmp_path)
    for words in (["playground"], ["playground", "gallery:bouncing-ball", "-o", "play.html"]):
        result = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == 2
        assert "emscripten" in result.stderr and "make playground" in result.stderr
    assert not list(tmp_path.glob("*.html"))


def test_the_engine_lies_beside_the_program(ricochet, tmp_path):
    engine = pathlib.Path(ricochet.program).resolve().parent / "playground" / "engine.json"
    if not engine.exists():
        pytest.skip("this build has no engine for pages")
    # As it is installed: bin/ and share/.
    (tmp_path / "bin").mkdir()
    (tmp_path / "share" / "ricochet").mkdir(parents=True)
    program = alone(ricochet, tmp_path / "bin")
    shutil.copy(engine, tmp_path / "share" / "ricochet" / "engine.json")
    subprocess.run([program, "playground"], cwd=tmp_path, check=True, capture_output=True)
    page = (tmp_path / "playground.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 3_000_000
    policy = "script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:;"
    assert policy in page and "default-src 'none'" in page


def test_bad_input(ricochet):
    for words, said in (
        (["playground", "nowhere.toml"], "no such file"),
        (["playground", "-o", ""], "empty"),
        (["playground", "gallery:boncing-ball"], "bouncing-ball"),
    ):
        result = ricochet(*words)
        assert result.returncode == 2 and said in result.stderr
