"""run(), simulate(), load() and the gallery."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _convert, _core, _scenario
from ._catalogue import as_scheme, as_solver
from .models import BaseModel
from .solution import Solution

Progress = Callable[[int, int], Any]


class RunWarning(UserWarning):
    """A run that failed or was interrupted: the solution holds what there is. With
    warnings.simplefilter("error", ricochet.RunWarning) it is raised as an exception."""


def run(
    scenario: str | os.PathLike | Mapping[str, Any],
    scheme: Any = None,
    step: float | str | None = None,
    until: float | str | None = None,
    set: Mapping[str, Any] | None = None,
    *,
    files: str | os.PathLike | Sequence[str | os.PathLike] = (),
    output: str | os.PathLike | None = None,
    dump_problems: int = 0,
    progress: Progress | None = None,
) -> Solution:
    """Runs a scenario: a file, "gallery:NAME", or a dictionary with the tables of a file.

    scheme replaces the whole [scheme] table, step and until those of [time]; set takes dotted keys such as
    {"model.parameters.g": 1.62, "model.constraint.floor.restitution": 0.5}. files are folders that a scenario file may
    read from besides its own. output names a result file (.h5, .npz or .csv) that is written while the run goes on;
    dump_problems=N writes the N hardest contact problems as FCLIB files NAME-problem-1.hdf5, … beside it, and
    solution.problems tells of them. progress(step, steps) is called at most ten times a second; if it
    returns False the run ends there. Ctrl-C ends the run and returns what there is, with status "interrupted".
    """
    items = _scenario.settings(scheme, step, until, set)
    file = _scenario.open(scenario, items, files)
    try:
        recording = file.run(_callable(progress), *_files(output, dump_problems))
    except _core.ScenarioError as error:
        raise (_scenario.plain(error) if isinstance(scenario, Mapping) else error) from None
    return _finished(Solution(recording))


def simulate(
    model: BaseModel,
    t_span: Sequence[float] | None = None,
    q0: Any = None,
    v0: Any = None,
    scheme: Any = "moreau-jean",
    h: float | None = None,
    *,
    z0: Any = None,
    record_every: int = 1,
    solver: Any = "automatic",
    output: str | os.PathLike | None = None,
    dump_problems: int = 0,
    progress: Progress | None = None,
) -> Solution:
    """Runs a model from (q0, v0) over t_span = (from, until) with steps of at most h.

    q0, v0 and z0 are sequences in the order of the coordinates (states), or dictionaries by name; v0 is 0 by default.
    scheme is a name or one of ricochet.schemes, solver a name or one of ricochet.solvers. Every record_every-th state
    is recorded, 0: only the first and the last. output, dump_problems, progress and Ctrl-C are as in run().
    """
    if h is None:
        last = getattr(model, "_task", None)
        hint = f"; that of the last run was h={last.h:g}" if last is not None else ""
        raise _core.InputError(f"h: the step is missing: a positive number{hint}")
    whole = task(model, t_span, q0, v0, z0, scheme, h, record_every, solver)
    text = _text(model, whole, record_every)
    path, problems = _files(output, dump_problems)
    recording = _core.simulate(model._handle, whole, "", text() if path else "", _callable(progress), path, problems)
    model._task = whole
    return _finished(Solution(recording, text))


def task(
    model: Any,
    t_span: Any,
    q0: Any,
    v0: Any,
    z0: Any,
    scheme: Any,
    h: Any,
    record_every: Any = 1,
    solver: Any = "automatic",
) -> _core.Task:
    """What simulate() computes, checked. What is left out is that of the model's last run."""
    if not isinstance(model, BaseModel):
        kind = type(model).__name__
        raise _core.InputError(f"model: must be one of ricochet's models, got {kind}; run() takes scenarios")
    last = model._task
    own_start = getattr(model, "_own_start", None)
    if q0 is None:
        q0 = own_start if own_start is not None else last.q if last is not None else None
        v0 = last.v if v0 is None and last is not None and own_start is None else v0
    if q0 is None:
        raise _core.InputError("q0: where does the motion start? Give one number a coordinate")
    if t_span is None and last is None:
        raise _core.InputError("t_span: is missing: two numbers, from and until")
    if h is None and last is None:
        raise _core.InputError("h: the step is missing: a positive number")
    start, end = _convert.span(t_span, "t_span") if t_span is not None else last.span
    scheme, solver = as_scheme(scheme), as_solver(solver)
    return _core.Task(
        from_=start,
        until=end,
        step=_convert.number(h, "h") if h is not None else last.h,
        record_every=_convert.whole(record_every, "record_every"),
        q=_convert.vector(q0, model.coordinates, "q0"),
        v=_convert.vector(v0, model.coordinates, "v0") if v0 is not None else np.zeros(len(model.coordinates)),
        z=_convert.vector(z0 if z0 is not None else model._handle.initial_states, model.states, "z0", "state"),
        scheme=scheme.name,
        values=scheme.given,
        solver=solver.name,
        tolerance=solver.tolerance,
        max_iterations=solver.max_iterations,
        relaxation=solver.relaxation,
    )


def _files(output: Any, dump_problems: Any) -> tuple[str, int]:
    problems = _convert.whole(dump_problems, "dump_problems")
    if problems > 0 and output is None:
        raise _core.InputError("dump_problems: needs output, the result file beside which the problems are written")
    return os.fspath(output) if output is not None else "", problems


def load(path: str | os.PathLike) -> Solution:
    """Reads a result file (.h5, .npz, .csv). What the file does not hold is NaN."""
    return Solution(_core.load(os.fspath(path)))


class Gallery(dict):
    """The scenarios that come with ricochet: titles by name. run("gallery:NAME") runs one, text(NAME) prints it."""

    def __init__(self) -> None:
        entries = _core.gallery()
        super().__init__({name: title for name, title, _ in entries})
        self._texts = {name: text for name, _, text in entries}

    def text(self, name: str) -> str:
        """The file of a scenario."""
        name = name.removeprefix("gallery:")
        if name not in self._texts:
            _core.open_scenario("gallery:" + name, [])  # names the nearest one
        return self._texts[name]


def gallery() -> Gallery:
    """The scenarios that come with ricochet: a dictionary of titles by name."""
    return Gallery()


def _callable(progress: Any) -> Any:
    if progress is not None and not callable(progress):
        raise _core.InputError(f"progress: must be a function (step, steps), got {type(progress).__name__}")
    return progress


def _finished(solution: Solution) -> Solution:
    if solution.status == "failed":
        warnings.warn(solution.failure, RunWarning, stacklevel=3)
    if solution.status == "interrupted":
        where = f"at t = {solution.t[-1]:.6g}" if len(solution) else "before it began"
        warnings.warn(f"interrupted {where}", RunWarning, stacklevel=3)
    return solution


def _text(model: BaseModel, whole: _core.Task, record_every: int) -> Callable[[], str]:
    """The scenario file that describes a run of a model, written when somebody asks."""

    def text() -> str:
        description = model._table()
        if description is None:
            return ""
        table, matrices = description
        name, values = whole.scheme
        start, end = whole.span
        document: dict[str, Any] = {"model": table, "scheme": {"name": name, **dict(values)}}
        if not table.get("modes"):
            names = model.coordinates
            document["initial"] = {"q": dict(zip(names, whole.q)), "v": dict(zip(names, whole.v))}
        document["time"] = {"from": start, "until": end, "step": whole.h, "record_every": int(record_every)}
        return _scenario.from_table(document, matrices=matrices).text

    return text
