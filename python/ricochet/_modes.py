"""modes() and mechanics(): small motions about a state, and the matrices, gaps and forces behind them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _convert, _core, _html, _scenario
from .models import BaseModel
from .running import task


class Modes:
    """Natural frequencies, damping ratios and shapes, the lowest frequency first.

    frequency      Hz, undamped; omega the same in rad/s; 0 for rigid motions
    damping        damping ratios, negative where motions grow
    sigma          complex: motions are shape * exp(sigma t)
    shapes         one column a mode, one row a coordinate, with shape^H M shape = 1; complex where damping couples modes
    participation  {direction: share of the mass that moves along it, one a mode}
    gaps           {constraint: what each mode does to its gap}
    q, t           the state; is_equilibrium says whether forces balance there
    notes          what the numbers do not say
    data           all of it, as ricochet modes --json has it
    """

    def __init__(self, handle: _core.Modes) -> None:
        self._handle = handle
        self.data: dict = json.loads(handle.json())
        modes = self.data["modes"]
        self.coordinates: list[str] = self.data["coordinates"]
        self.frequency: np.ndarray = np.array([mode["frequency"] for mode in modes])
        self.omega: np.ndarray = np.array([mode["omega"] for mode in modes])
        self.damping: np.ndarray = np.array([mode["damping"] for mode in modes])
        self.sigma: np.ndarray = np.array([complex(*mode["sigma"]) for mode in modes])
        shapes = np.array([mode["shape"] for mode in modes]).reshape(len(modes), len(self.coordinates)).T
        if any("shape_imag" in mode for mode in modes):
            none = [0.0] * len(self.coordinates)
            shapes = shapes + 1j * np.array([mode.get("shape_imag", none) for mode in modes]).T
        self.shapes: np.ndarray = shapes
        self.participation: dict[str, np.ndarray] = self._by_name("participation")
        self.gaps: dict[str, np.ndarray] = self._by_name("gaps")
        self.q: np.ndarray = np.array(self.data["q"])
        self.t: float = self.data["t"]
        self.is_equilibrium: bool = self.data["is_equilibrium"]
        self.notes: tuple[str, ...] = tuple(self.data["notes"])

    def _by_name(self, key: str) -> dict[str, np.ndarray]:
        modes = self.data["modes"]
        return {name: np.array([mode[key][name] for mode in modes]) for name in (modes[0][key] if modes else ())}

    def __len__(self) -> int:
        return len(self.frequency)

    def __str__(self) -> str:
        return self._handle.summary()

    def __repr__(self) -> str:
        return f"<Modes: {len(self)}, from {self.frequency[0]:.6g} to {self.frequency[-1]:.6g} Hz>"

    def _repr_html_(self) -> str:
        rows = [
            [str(k + 1), f"{self.frequency[k]:.6g}", f"{self.omega[k]:.6g}", f"{self.damping[k]:.4g}"]
            for k in range(len(self))
        ]
        return _html.table(["mode", "Hz", "rad/s", "damping"], rows)

    def save(self, path: str | os.PathLike) -> None:
        """Writes a CSV table, one row a mode."""
        _core.write_text(os.fspath(path), self._handle.csv())

    def svg(self, path: str | os.PathLike | None = None) -> str:
        """The shapes as a picture; written to a file if one is given."""
        if path is not None:
            _core.write_text(os.fspath(path), self._handle.picture)
        return self._handle.picture


@dataclass
class Mechanics:
    """A model at a state: M dv = F dt + H dI, K = -dF/dq, C = -dF/dv, gaps g with H = dg/dq, one column a constraint.

    g_t is dg/dt at fixed q; g_joints and H_joints are those of the joints, one a row of a joint.
    """

    M: Any
    K: Any
    C: Any
    F: np.ndarray
    g: np.ndarray
    H: Any
    g_t: np.ndarray
    restitution: np.ndarray
    g_joints: np.ndarray
    H_joints: Any
    kinetic: float
    potential: float


def modes(
    problem: Any,
    q0: Any = None,
    v0: Any = None,
    *,
    about: str = "rest",
    closed: str | Sequence[str] = (),
    number: int | None = None,
    t: float | None = None,
    z0: Any = None,
    set: Mapping[str, Any] | None = None,
) -> Modes:
    """Small motions of a scenario or a model about a state.

    about is "rest" (the start, or q0, at rest), "start" (with its velocities, or v0) or "equilibrium", which is looked
    for from there. closed names constraints that are held closed. number is how many modes, all but at most 10 by
    default. For a model q0 is 0 unless it is given; a scenario's start is changed by set={"initial.q.x": 1}.
    """
    names = [closed] if isinstance(closed, str) else [str(name) for name in closed]
    count = 0 if number is None else _convert.whole(number, "number", 1)
    if isinstance(problem, BaseModel):
        return Modes(_core.model_modes(problem._handle, _state(problem, q0, v0, t, z0), about, names, count))
    _refuse_state(q0=q0, v0=v0, t=t, z0=z0)
    scenario = _scenario.open(problem, _scenario.settings(set=set))
    return Modes(_core.scenario_modes(scenario, about, names, count))


def mechanics(
    problem: Any,
    q0: Any = None,
    v0: Any = None,
    *,
    t: float | None = None,
    z0: Any = None,
    set: Mapping[str, Any] | None = None,
    sparse: bool = False,
) -> Mechanics:
    """Mass, stiffness, damping, forces and gaps of a scenario's model at its start, or of a model at (t, q0, v0).

    Matrices are arrays, or with sparse=True scipy's sparse arrays.
    """
    if isinstance(problem, BaseModel):
        handle, state = problem._handle, _state(problem, q0, v0, t, z0)
    else:
        _refuse_state(q0=q0, v0=v0, t=t, z0=z0)
        handle, state = _scenario.open(problem, _scenario.settings(set=set)).build()
    parts = _core.mechanics(handle, state)
    return Mechanics(**{key: _matrix(one, sparse) if isinstance(one, tuple) else one for key, one in parts.items()})


def _state(model: BaseModel, q0: Any, v0: Any, t: Any, z0: Any) -> _core.Task:
    own = getattr(model, "_own_start", None)
    zeros = np.zeros(len(model.coordinates))
    start = 0.0 if t is None else _convert.number(t, "t")
    q0 = q0 if q0 is not None else own if own is not None else zeros
    return task(model, (start, start + 1.0), q0, zeros if v0 is None else v0, z0, "moreau-jean", 1.0)


def _refuse_state(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise _core.InputError(f'{name}: belongs to a model; change a scenario by set={{"initial.q.x": 1}}')


def _matrix(parts: tuple, sparse: bool) -> Any:
    rows, cols, start, row, values = parts
    if sparse:
        from scipy.sparse import csc_array

        return csc_array((values, row, start), shape=(rows, cols))
    matrix = np.zeros((rows, cols))
    matrix[row, np.repeat(np.arange(cols), np.diff(start))] = values
    return matrix
