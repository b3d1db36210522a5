"""What users hand over, as arrays the library takes; what it cannot take gets a sentence."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core

InputError = _core.InputError
Columns = tuple  # rows, cols, start, row, values: compressed columns


def numbers(item: Any, field: str) -> np.ndarray:
    """An array of finite or infinite reals; text, objects and complex numbers are refused."""
    try:
        array = np.asarray(item)
    except ValueError:
        raise InputError(f"{field}: must be numbers, got rows of different lengths") from None
    if array.dtype.kind not in "fiub":
        what = type(item).__name__ if array.dtype == object or array.ndim == 0 else f"an array of type {array.dtype}"
        raise InputError(f"{field}: must be numbers, got {what}")
    return np.ascontiguousarray(array, dtype=float)


def number(item: Any, field: str) -> float:
    array = numbers(item, field)
    if array.size != 1:
        raise InputError(f"{field}: must be a number, got an array of shape {array.shape}")
    return float(array.reshape(())[()])


def whole(item: Any, field: str, least: int = 0) -> int:
    value = number(item, field)
    if not (value >= least and value == int(value)):
        raise InputError(f"{field}: must be a whole number, {least} or more, got {item!r}")
    return int(value)


def vector(item: Any, names: Sequence[str], field: str, what: str = "coordinate") -> np.ndarray:
    """One number a name: a sequence in their order, a dictionary by name (others are 0), or a number for one."""
    if isinstance(item, Mapping):
        result = np.zeros(len(names))
        for name, one in item.items():
            if name not in names:
                raise InputError(f"{field}.{name}: " + _core.no_such(what, str(name), list(names)))
            result[list(names).index(name)] = number(one, f"{field}.{name}")
        return result
    array = numbers(item, field)
    if array.ndim == 0 and len(names) == 1:
        array = array.reshape(1)
    if array.shape != (len(names),):
        wanted = "1 number" if len(names) == 1 else f"{len(names)} numbers"
        raise InputError(f"{field}: must be {wanted}, one a {what}, got an array of shape {array.shape}")
    return array


def span(item: Any, field: str) -> tuple[float, float]:
    array = numbers(item, field)
    if array.shape != (2,):
        raise InputError(f"{field}: must be two numbers, from and until, got an array of shape {array.shape}")
    return float(array[0]), float(array[1])


def columns(matrix: Any, field: str) -> Columns:
    """A matrix as compressed columns: dense, sparse (scipy) or the name of a file."""
    if isinstance(matrix, (str, os.PathLike)):
        return _core.read_matrix(os.fspath(matrix))
    if hasattr(matrix, "tocsc"):
        sparse = matrix.tocsc()
        data = numbers(sparse.data, field)
        return (*sparse.shape, np.asarray(sparse.indptr), np.asarray(sparse.indices), data)
    dense = numbers(matrix, field)
    if dense.ndim == 0:
        dense = dense.reshape(1, 1)
    if dense.ndim != 2:
        raise InputError(f"{field}: must be a matrix, got an array of shape {dense.shape}")
    col, row = np.nonzero(dense.T)
    start = np.concatenate([[0], np.cumsum(np.bincount(col, minlength=dense.shape[1]))])
    return (*dense.shape, start, row, dense[row, col])


def square(matrix: Any, n: int, field: str) -> np.ndarray:
    """A dense matrix n × n."""
    dense = matrix.toarray() if hasattr(matrix, "toarray") else matrix
    array = numbers(dense, field)
    if n == 1 and array.size == 1:
        array = array.reshape(1, 1)
    if array.shape != (n, n):
        raise InputError(f"{field}: must be an array of shape ({n}, {n}), one row a coordinate, got {array.shape}")
    return array
