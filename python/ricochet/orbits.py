"""orbit() and continue_orbit(): periodic orbits of scenarios, and their branches along a parameter."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core, _scenario
from .models import BaseModel
from .studies import Shown, _located


class Orbit(Shown):
    """A periodic orbit.

    period        its length in time
    impacts       a list of dictionaries, those of one period: t, constraint, rate_minus, rate_plus
    multipliers   Floquet multipliers, complex, the largest first
    stable        all of them are inside the unit circle
    residual      of its equations, relative to the sizes of the unknowns
    rms           of each coordinate over one period
    t, q, v       the state on it: at a whole number of periods of the load, or where its first arc begins
    """

    def __init__(self, handle: _core.Study) -> None:
        super().__init__(handle)
        if "failure" in self.data:
            raise _core.Error(self.data["failure"])
        self.period: float = self.data["period"]
        self.impacts: list[dict[str, Any]] = self.data["impacts"]
        self.multipliers: np.ndarray = _multipliers(self.data)
        self.stable: bool = self.data["stable"]
        self.admissible: bool = self.data["admissible"]
        self.residual: float = self.data["residual"]
        self.rms: np.ndarray = np.array(self.data["rms"])
        self.t: float = self.data["state"]["t"]
        self.q: np.ndarray = np.array(self.data["state"]["q"])
        self.v: np.ndarray = np.array(self.data["state"]["v"])

    def __repr__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        return f"<Orbit of period {self.period:.6g} with {len(self.impacts)} impacts, {kind}>"


class Branches(Shown):
    """Branches of orbits along a parameter.

    branches   a list of dictionaries of arrays, one entry a point: parameter, period, stable, impacts (their number),
               q, v, rms, multipliers
    points     special points: dictionaries with kind, parameter, branch, index, sentence
    curves     with a second parameter, those of folds, flips and grazing: dictionaries with kind, first and second (arrays
               of both parameters), begin and end (why it ends there)
    """

    def __init__(self, handle: _core.Study) -> None:
        super().__init__(handle)
        if "failure" in self.data:
            raise _core.Error(self.data["failure"])
        self.parameter: str = self.data["parameter"]
        self.points: list[dict[str, Any]] = self.data["points"]
        self.branches: list[dict[str, np.ndarray]] = [_arrays(branch["points"]) for branch in self.data["branches"]]
        self.curves: list[dict[str, Any]] = [
            {**curve, "first": np.array(curve["first"]), "second": np.array(curve["second"])}
            for curve in self.data.get("curves", [])
        ]

    def __repr__(self) -> str:
        found = ", ".join(f"{point['kind']} at {point['parameter']:.6g}" for point in self.points)
        return f"<{len(self.branches)} branches along {self.parameter}: {found}>"


def orbit(scenario: Any, *, set: Mapping[str, Any] | None = None) -> Orbit:
    """The periodic orbit that a scenario settles on, or the one close to [initial] with set={"orbit.guess": 1}."""
    return Orbit(_located(scenario, lambda: _core.orbit_scenario(_opened(scenario, set))))


def continue_orbit(
    scenario: Any,
    along: str | None = None,
    range: Sequence[float] | None = None,  # noqa: A002
    *,
    branches: bool | None = None,
    second: str | None = None,
    second_range: Sequence[float] | None = None,
    sweep: str | os.PathLike | None = None,
    set: Mapping[str, Any] | None = None,
    output: str | os.PathLike | None = None,
    restart: bool = False,
) -> Branches:
    """Follows the orbit of a scenario along a key such as "model.parameters.w", both ways within the range.

    With branches, orbits that begin at flips and at grazing are followed too. With a second key and its range, folds,
    flips and grazing are followed as curves in both. What is not given is that of [continue]. sweep is the result file of
    a stroboscopic sweep along the same key: report() and plot() show its points behind the branches.

    With output (.h5) steps are kept in a journal beside it until the result is there: after an interrupt or a kill the
    same call goes on from it, with restart from the beginning.
    """
    given = {
        "continue.along": along,
        "continue.range": None if range is None else list(range),
        "continue.branches": branches,
        "continue.second": second,
        "continue.second_range": None if second_range is None else list(second_range),
    }
    settings = {**(set or {}), **{key: value for key, value in given.items() if value is not None}}
    return Branches(_located(scenario, lambda: _core.continue_scenario(_opened(scenario, settings), os.fspath(output or ""), restart, os.fspath(sweep or ""))))


def _opened(scenario: Any, settings: Mapping[str, Any] | None) -> Any:
    if isinstance(scenario, BaseModel):
        raise _core.InputError("scenario: orbits are those of scenarios: a file name, gallery:NAME or a dictionary")
    return _scenario.open(scenario, _scenario.settings(None, None, None, settings))


def _multipliers(data: Mapping[str, Any]) -> np.ndarray:
    return np.array([complex(one["re"], one["im"]) for one in data["multipliers"]])


def _arrays(points: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    return {
        "parameter": np.array([point["parameter"] for point in points]),
        "period": np.array([point["period"] for point in points]),
        "stable": np.array([point["stable"] for point in points], dtype=bool),
        "impacts": np.array([len(point["impacts"]) for point in points], dtype=int),
        "q": np.array([point["state"]["q"] for point in points]),
        "v": np.array([point["state"]["v"] for point in points]),
        "rms": np.array([point["rms"] for point in points]),
        "multipliers": np.array([_multipliers(point) for point in points]),
    }
