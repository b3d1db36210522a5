"""The documentation builds as a site, without a warning."""

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_site_builds(tmp_path):
    mkdocs = shutil.which("mkdocs")
    if not mkdocs:
        pytest.skip("mkdocs is not installed")
    result = subprocess.run(
        [mkdocs, "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "site" / "tutorials" / "first-steps.html").exists()
