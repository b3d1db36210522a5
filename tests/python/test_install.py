"""pip installs the package without network, from what the build folder holds."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ["CMakeLists.txt", "pyproject.toml", "setup.py", "README.md", "LICENSE", "python"]


def test_pip_install(tmp_path):
    build = os.environ.get("RICOCHET_BUILD_DIR")
    if not build:
        pytest.skip("RICOCHET_BUILD_DIR is not set")
    for module in ("pip", "setuptools", "wheel"):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
            pytest.skip(f"{module} is not installed")
    # A copy, so that nothing is written beside the sources.
    source = tmp_path / "source"
    source.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment.update(RICOCHET_BUILD_DIR=build, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    target = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--target", str(target), str(source)]
    result = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr
    # It works from anywhere, with its types and its version.
    code = "import ricochet as rc; print(rc.__file__, rc.__version__, rc.run('gallery:bouncing-ball', until=0.1).status)"
    environment["PYTHONPATH"] = str(target)
    result = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    file, version, status = result.stdout.split()
    assert file.startswith(str(target)) and status == "completed"
    assert (target / "ricochet" / "py.typed").exists() and (target / "ricochet" / "_core.pyi").exists()
    assert (target / f"ricochet-{version}.dist-info").is_dir()
