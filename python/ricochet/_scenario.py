"""Scenarios from files, from the gallery and from dictionaries."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _convert, _core, _toml
from ._catalogue import as_scheme

SOURCE = "scenario"
PLACE = re.compile(rf"^{SOURCE}:\d+:\d+: |^{SOURCE}: ")
MATRICES = ("mass", "damping", "stiffness")


def plain(error: _core.ScenarioError) -> _core.ScenarioError:
    """The same complaint without line and column of a text that the user has not written."""
    return _core.ScenarioError(PLACE.sub("", str(error)))


def settings(scheme: Any = None, step: Any = None, until: Any = None, set: Mapping[str, Any] | None = None) -> list:
    """Values over those of a scenario, as the library takes them: key, TOML, how messages name it."""
    items = []
    if scheme is not None:
        scheme = as_scheme(scheme)
        items.append(("scheme", _toml.value({"name": scheme.name}), f"scheme={scheme.name}"))
        items += [(f"scheme.{key}", _toml.value(item), f"scheme.{key}={item}") for key, item in scheme.given]
    if set is not None and not isinstance(set, Mapping):
        raise _core.InputError(f"set: must be a dictionary of dotted keys, got {type(set).__name__}")
    for key, item in (set or {}).items():
        if not isinstance(key, str):
            raise _core.InputError(f"set: keys must be text such as 'time.step', got {key!r}")
        items.append((key, _toml.value(item, key), f"set {key}={item}"))
    for key, name, item in (("time.step", "step", step), ("time.until", "until", until)):
        if item is not None:
            items.append((key, _toml.value(item, name), f"{name}={item}"))
    return items


def from_table(table: Mapping[str, Any], items: list | None = None, matrices: dict | None = None) -> _core.Scenario:
    """A scenario as a dictionary with the tables of a file. Arrays and sparse matrices may stand for its matrices."""
    matrices = dict(matrices or {})
    table = _with_matrices(table, matrices)
    try:
        return _core.parse_scenario(_toml.document(table), SOURCE, items or [], matrices)
    except _core.ScenarioError as error:
        raise plain(error) from None


def open(scenario: Any, items: list, files: Sequence[str | os.PathLike] = ()) -> _core.Scenario:  # noqa: A001
    """A path, "gallery:NAME" or a dictionary. files: folders that a scenario file may read from besides its own."""
    if isinstance(scenario, Mapping):
        return from_table(scenario, items)
    if isinstance(scenario, (str, os.PathLike)):
        return _core.open_scenario(os.fspath(scenario), items, folders(files))
    raise _core.InputError(f"a scenario is a file name, gallery:NAME or a dictionary, got {type(scenario).__name__}")


def folders(files: Sequence[str | os.PathLike]) -> list[str]:
    """Checked as --files is on the command line."""
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    for folder in files:
        if not os.path.isdir(folder):
            raise _core.InputError(f"files: {os.fspath(folder)}: there is no such folder")
    return [os.fspath(folder) for folder in files]


def in_memory(key: str) -> str:
    return f"python-{key}.npy"


def _with_matrices(table: Mapping[str, Any], matrices: dict) -> Mapping[str, Any]:
    """Arrays for the matrices of a linear model are handed over as they are."""
    model = table.get("model") if isinstance(table, Mapping) else None
    if not isinstance(model, Mapping) or model.get("kind") != "linear":
        return table
    changed = dict(model)
    for key in MATRICES:
        if isinstance(model.get(key), np.ndarray) or hasattr(model.get(key), "tocsc"):
            matrices[in_memory(key)] = _convert.columns(model[key], f"model.{key}")
            changed[key] = in_memory(key)
    return {**table, "model": changed}
