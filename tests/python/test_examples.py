"""Every scenario of the gallery as a script: it runs, and gives the motion of the scenario."""

import pathlib
import runpy

import numpy as np
import pytest

import ricochet as rc

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples/python").glob("*.py"))


def test_every_scenario_has_a_script():
    written = {path.stem.replace("_", "-") for path in SCRIPTS}
    assert set(rc.gallery()) - written == set()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path, capsys, tmp_path, monkeypatch):
    name = path.stem.replace("_", "-")
    if name not in rc.gallery():
        pytest.skip("not in this gallery")
    monkeypatch.chdir(tmp_path)
    sol = runpy.run_path(str(path), run_name="__main__")["sol"]
    assert capsys.readouterr().out.strip()
    known = rc.run(f"gallery:{name}")
    assert np.array_equal(sol.t, known.t) and np.array_equal(sol.q, known.q) and np.array_equal(sol.v, known.v)
    assert np.array_equal(sol.impacts, known.impacts)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_are_short(path):
    lines = [line for line in path.read_text().splitlines() if line.strip()]
    assert len(lines) <= 20 and max(map(len, lines)) <= 130
