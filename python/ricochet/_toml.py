"""Dictionaries as TOML text, the form in which the library reads scenarios."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core


def value(item: Any, place: str = "") -> str:
    """One value: text, number, truth value, list or table."""
    if isinstance(item, np.generic):
        item = item.item()
    if isinstance(item, os.PathLike):
        item = os.fspath(item)
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, (int, float)):
        return repr(item)
    if isinstance(item, str):
        return _text(item, place)
    if isinstance(item, Mapping):
        return _table(item, place)
    if isinstance(item, np.ndarray):
        item = item.tolist()
        return value(item, place)
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(value(one, f"{place}[{i}]") for i, one in enumerate(item)) + "]"
    raise _core.InputError(f"{place}: must be text, a number, a list or a dictionary, got {type(item).__name__}")


def document(table: Mapping[str, Any]) -> str:
    """A whole document, one key a line; keys whose value is None are left out."""
    if not isinstance(table, Mapping):
        raise _core.InputError(f"a scenario is a dictionary, got {type(table).__name__}")
    return "".join(f"{_key(key, '')} = {value(item, str(key))}\n" for key, item in table.items() if item is not None)


def _table(table: Mapping[str, Any], place: str) -> str:
    entries = [
        f"{_key(key, place)} = {value(item, f'{place}.{key}' if place else str(key))}"
        for key, item in table.items()
        if item is not None
    ]
    return "{ " + ", ".join(entries) + " }" if entries else "{}"


def _key(key: Any, place: str) -> str:
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        return str(key)
    if not isinstance(key, str):
        raise _core.InputError(f"{place}: keys must be text, got {key!r}")
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else _text(key, place)


def _text(text: str, place: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _core.InputError(f"{place}: is no valid text: {text!r}") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
