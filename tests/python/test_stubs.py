"""The stubs name what the modules have, no more and no less."""

import ast
import importlib
import os
import pathlib
import subprocess
import sys

import pytest

import ricochet as rc

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(rc.__file__).parent
STUBS = sorted(path.stem for path in PACKAGE.glob("*.pyi"))


def public(names):
    return {name for name in names if not name.startswith("_") or name == "__version__"}


def stub_names(body):
    """What a stub defines: {name: the names inside it, for classes}."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = set(stub_names(node.body))
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = None
        elif isinstance(node, ast.ImportFrom):
            found.update({alias.asname: None for alias in node.names if alias.asname})
    return found


def own_names(thing):
    return public(vars(thing)) | public(getattr(thing, "__dataclass_fields__", {}))


@pytest.mark.parametrize("name", STUBS)
def test_stub_agrees_with_its_module(name):
    module = importlib.import_module(f"ricochet.{name}")
    stub = stub_names(ast.parse((PACKAGE / f"{name}.pyi").read_text()).body)
    here = getattr(module, "__all__", None) or [
        key for key, item in vars(module).items() if getattr(item, "__module__", "").startswith(("ricochet", "builtins"))
    ]
    modules = {"numpy", "annotations", "Any", "Callable", "dataclass"}
    missing = public(here) - set(stub) - modules
    assert not missing, f"missing in the stub: {missing}"
    for key, inside in stub.items():
        if key.startswith("_") and key != "__version__":
            continue
        assert hasattr(module, key), f"{key} is only in the stub"
        if inside is None or name in ("schemes", "solvers"):  # whose parameters are looked at below
            continue
        kind = getattr(module, key)
        exceptions = {"field", "message"} if issubclass(kind, Exception) else set()
        energies = set(getattr(kind, "names", ())) if key == "EnergySeries" else set()
        assert public(inside) - exceptions - energies <= public(dir(kind)) | own_names(kind), key
        assert own_names(kind) - public(inside) == set(), key


def test_catalogue_stubs_are_up_to_date():
    """Names, defaults, words and ranges: the files are what python/tools/stubs.py writes now."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-B", ROOT / "python/tools/stubs.py", "--check"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_there_are_stubs():
    assert {"_core", "schemes", "solvers", "solution"} <= set(STUBS) and (PACKAGE / "py.typed").exists()


def test_everything_is_documented():
    for name in rc.__all__:
        if name != "__version__":
            assert getattr(rc, name).__doc__, name
