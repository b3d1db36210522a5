"""sweep(): many trajectories over the values of parameters, and what their long-term motion looks like."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _convert, _core, _html, _plot, _scenario
from ._catalogue import as_scheme, as_solver
from .models import BaseModel
from .running import RunWarning, _callable, task


class Sweep:
    """The result of a sweep. Row i of an array belongs to trajectory i.

    axes        {name: values} of a grid, the last one running fastest;  parameters: {name: key of the scenario}
    values      the values of each trajectory, one column an axis;  shape: of the grid (2 comes first where a
                continuation runs both ways, forward first)
    points      rows of all trajectories one after the other, with the names `columns`; those of trajectory i are
                points_of(i), or points[first[i]:first[i + 1]]
    statistics  one row a trajectory, with the names `statistics_columns`; histogram over impulse_edges
    final       the last states, with the names `state_columns`
    period      the points repeat after so many; 0: they do not; -1: not settled, the transient was too short to tell
    cycle_impacts   impacts of one period, where there is one
    settled_after   with transient="settled": how long the transient was; NaN where it lasted to settle_within
    attractor   which trajectories end in the same motion; along a parameter the number of its branch; -1: none
    level       with refine over two axes: how often the grid was halved there (empty otherwise)
    lyapunov    the largest exponent;  spectrum: all of them, one row a trajectory (measure=["spectrum"])
    steps, impacts
    state       0 done, 1 failed, -1 not run;  failures: {trajectory: why}
    status      "completed", "interrupted" or "failed"

    sweep["x"] is a column of the points (or statistics), sweep.axis("w") the value of an axis at each point.
    """

    def __init__(self, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        self.title: str = about["title"]
        self.scheme: str = about["scheme"]
        self.record: str = about["record"]
        self.status: str = about["status"]
        self.axes: dict[str, np.ndarray] = dict(about["axes"])
        self.parameters: dict[str, str] = dict(about["parameters"])
        self.shape: tuple[int, ...] = tuple(int(n) for n in about["shape"])
        self.columns: tuple[str, ...] = tuple(about["columns"])
        self.statistics_columns: tuple[str, ...] = tuple(about["statistics_columns"])
        self.state_columns: tuple[str, ...] = tuple(about["state_columns"])
        self.failures: dict[int, str] = {int(i): why for i, why in about["failures"]}
        self.values: np.ndarray = arrays["values"]
        self.first: np.ndarray = arrays["first"]
        self.points: np.ndarray = arrays["points"]
        self.statistics: np.ndarray = arrays["statistics"]
        self.histogram: np.ndarray = arrays["histogram"]
        self.impulse_edges: np.ndarray = arrays["impulse_edges"]
        self.final: np.ndarray = arrays["final"]
        self.cycle_impacts: np.ndarray = arrays["cycle_impacts"]
        self.settled_after: np.ndarray = arrays["settled_after"]
        self.lyapunov: np.ndarray = arrays["lyapunov"]
        self.spectrum: np.ndarray = arrays["spectrum"]
        self.period: np.ndarray = arrays["period"]
        self.steps: np.ndarray = arrays["steps"]
        self.impacts: np.ndarray = arrays["impacts"]
        self.state: np.ndarray = arrays["state"]
        self.attractor: np.ndarray = arrays["attractor"]
        self.level: np.ndarray = arrays["level"]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def _rows(self) -> tuple[np.ndarray, tuple[str, ...]]:
        """Points, or statistics where those were recorded."""
        if self.record == "statistics":
            return self.statistics, self.statistics_columns
        return self.points, self.columns

    def points_of(self, trajectory: int) -> np.ndarray:
        """The points of one trajectory."""
        trajectory = range(len(self))[trajectory]
        return self.points[self.first[trajectory] : self.first[trajectory + 1]]

    def __getitem__(self, name: str) -> np.ndarray:
        rows, names = self._rows
        if name not in names:
            raise KeyError(_core.no_such("column", str(name), list(names)))
        return rows[:, names.index(name)]

    def axis(self, name: str | None = None) -> np.ndarray:
        """The value of an axis (the first one by default) at each row: of its trajectory."""
        names = list(self.parameters)
        name = names[0] if name is None else name
        if name not in names:
            raise KeyError(_core.no_such("axis", str(name), names))
        values = self.values[:, names.index(name)]
        return values if self.record == "statistics" else np.repeat(values, np.diff(self.first))

    def plot(self, column: str | None = None, axis: str | None = None, ax: Any = None) -> Any:
        """A column against an axis with matplotlib: a bifurcation diagram. Returns the figure."""
        column = self._rows[1][0] if column is None else column
        if column == "t" and len(self._rows[1]) > 1:
            column = self._rows[1][1]
        axis = next(iter(self.parameters)) if axis is None else axis
        return _plot.scatter(self.axis(axis), self[column], axis, column, self.title, ax)

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, one row a point (a trajectory, for statistics), with the values of the axes in front."""
        names = {name: self.axis(name) for name in self.parameters}
        return _plot.pandas().DataFrame({**names, **{name: self[name] for name in self._rows[1]}})

    def __repr__(self) -> str:
        over = ", ".join(self.parameters)
        return f"<Sweep over {over}: {len(self)} trajectories, {self.record}, {len(self.points)} points, {self.status}>"

    def _repr_html_(self) -> str:
        rows = [[name, len(values), float(values.min()), float(values.max())] for name, values in self.axes.items()]
        return f"<p>{_html.html.escape(repr(self))}</p>" + _html.table(["axis", "values", "from", "until"], rows)


def sweep(
    problem: Any,
    axes: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    *,
    transient: Any = None,
    duration: Any = None,
    record: Any = None,
    period: Any = None,
    measure: Sequence[str] | None = None,
    q0: Any = None,
    v0: Any = None,
    scheme: Any = None,
    h: float | None = None,
    solver: Any = "automatic",
    set: Mapping[str, Any] | None = None,
    output: str | os.PathLike | None = None,
    csv: str | os.PathLike | None = None,
    restart: bool = False,
    threads: int | None = None,
    lanes: int | None = None,
    progress: Any = None,
    **further: Any,
) -> Sweep:
    """Runs one trajectory for each value of a parameter, or for each combination of several, on all cores.

    problem is a scenario (its [sweep] table may hold everything), or a model of formulas, matrices or a built-in
    family, with q0, v0 and h. axes maps keys to values, or to tables: {"model.parameters.a": np.linspace(1, 2, 50)} or
    {"a": {"range": [1, 2], "count": 50, "continuation": "both"}}; a name without a dot is a parameter of the model.
    transient, duration, record, period, measure and further keys are those of the [sweep] table.

    Ctrl-C returns what there is. With output (.h5) finished trajectories are kept in a journal beside it: an
    interrupted sweep raises KeyboardInterrupt, and the same call goes on from there.
    """
    given = {"transient": transient, "duration": duration, "record": record, "period": period, "measure": measure}
    given.update(further)
    table = {key: item for key, item in given.items() if item is not None}
    if axes is not None:
        table["axis"] = _axes(axes)
    if isinstance(problem, BaseModel):
        scenario = _model_scenario(problem, table, q0, v0, scheme, h, solver, set)
    else:
        if q0 is not None or v0 is not None:
            raise _core.InputError("q0: a scenario has its own; use set={...} to change it")
        items = _scenario.settings(scheme, h, None, set)
        scenario = _with_table(problem, table, items)
    threads = 0 if threads is None else _convert.whole(threads, "threads", 1)
    lanes = _core.lane_count if lanes is None else _convert.whole(lanes, "lanes", 1)
    if lanes not in (1, _core.lane_count):
        raise _core.InputError(f"lanes: must be 1 or {_core.lane_count}, got {lanes}")
    made = isinstance(problem, (BaseModel, Mapping)) or bool(table)
    try:
        if output is None:
            data = _core.sweep_memory(scenario, threads, lanes, _callable(progress))
            result = Sweep(data.about, data.arrays)
        else:
            result = _to_file(scenario, os.fspath(output), csv, threads, lanes, restart, progress)
    except _core.ScenarioError as error:
        raise (_scenario.plain(error) if made else error) from None
    if result.status == "interrupted":
        done = np.count_nonzero(result.state >= 0)
        warnings.warn(f"interrupted with {done} of {len(result)} trajectories done", RunWarning, stacklevel=2)
    return result


def load_sweep(path: str | os.PathLike) -> Sweep:
    """Reads the result file of a sweep."""
    data = _core.load_sweep(os.fspath(path))
    return Sweep(data.about, data.arrays)


def _axes(axes: Any) -> list[dict]:
    if not isinstance(axes, Mapping):
        return [dict(axis) for axis in axes]
    result = []
    for key, item in axes.items():
        if not isinstance(item, Mapping):
            item = {"values": _convert.numbers(item, f"axes.{key}").ravel().tolist()}
        result.append({"parameter": key if "." in key else f"model.parameters.{key}", **item})
    return result


def _with_table(problem: Any, table: dict, items: list) -> _core.Scenario:
    """A scenario with parts of its [sweep] table replaced."""
    if not table:
        return _scenario.open(problem, items)
    if isinstance(problem, Mapping):
        return _scenario.from_table({**problem, "sweep": {**problem.get("sweep", {}), **table}}, items)
    from . import _toml

    more = [(f"sweep.{key}", _toml.value(item, f"sweep.{key}"), f"{key}={item}") for key, item in table.items()]
    return _scenario.open(problem, [*items, *more])


def _model_scenario(
    model: Any, table: dict, q0: Any, v0: Any, scheme: Any, h: Any, solver: Any, set_: Any
) -> _core.Scenario:
    description = model._table()
    if description is None:
        raise _core.InputError("model: a sweep needs one that a scenario can describe: formulas instead of functions")
    if scheme is None:
        scheme = "moreau-jean" if model._task is None else _last_scheme(model)
    whole = task(model, (0.0, 1.0) if model._task is None else None, q0, v0, None, scheme, h)
    model_table, matrices = description
    name, values = whole.scheme
    start, end = whole.span
    document: dict[str, Any] = {"model": model_table, "scheme": {"name": name, **dict(values)}, "sweep": table}
    if not model_table.get("modes"):
        names = model.coordinates
        document["initial"] = {"q": dict(zip(names, whole.q)), "v": dict(zip(names, whole.v))}
    document["time"] = {"from": start, "until": end, "step": whole.h}
    solver = as_solver(solver)
    if solver.name != "automatic":
        document["solver"] = {"name": solver.name}
    return _scenario.from_table(document, _scenario.settings(set=set_), matrices)


def _last_scheme(model: BaseModel) -> Any:
    name, values = model._task.scheme
    return type(as_scheme(name))(**dict(values))


def _to_file(scenario: Any, path: str, csv: Any, threads: int, lanes: int, restart: bool, progress: Any) -> Sweep:
    table = "" if csv is None else os.fspath(csv)
    text = _core.sweep_file(scenario, path, table, threads, lanes, bool(restart), _callable(progress))
    outcome = json.loads(text)
    if outcome["status"] != "interrupted":
        return load_sweep(path)
    # What is done is in the journal: the same call goes on from there.
    left = f"not all of {outcome['trajectories']} trajectories were run"
    raise KeyboardInterrupt(f"{left}; the same call goes on from the journal of {path}")

