"""check(), converge() and compare(): of scenarios, and of models with a start."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _convert, _core, _html, _plot, _scenario
from ._catalogue import as_scheme
from .models import BaseModel
from .running import _callable, task
from .solution import Solution


class CheckResult:
    """Whether a problem is well posed.

    continuous_dependence  True, False, or None where it could not be decided
    conclusion             one or two sentences
    findings               a list of (subject, verdict, sentence)
    mass, start, gradients, pairs, restitution, nonsmooth, stiffness   numbers behind them, as ricochet check --json has
    """

    def __init__(self, data: dict) -> None:
        self._data = data
        self.continuous_dependence: bool | None = data["continuous_dependence"]
        self.conclusion: str = data["conclusion"]
        self.findings = [(one["subject"], one["verdict"], one["sentence"]) for one in data["findings"]]
        for key in ("mass", "start", "gradients", "pairs", "restitution", "nonsmooth", "stiffness"):
            setattr(self, key, data[key])

    def __str__(self) -> str:
        lines = [f"{subject}: {verdict}\n  {sentence}" for subject, verdict, sentence in self.findings]
        return "\n".join([*lines, "", self.conclusion])

    def __repr__(self) -> str:
        return f"<CheckResult: continuous_dependence={self.continuous_dependence}; {self.conclusion}>"

    def _repr_html_(self) -> str:
        rows = [list(one) for one in self.findings]
        return _html.table(["subject", "verdict", "finding"], rows) + _html.table([self.conclusion], [])


class Shown:
    """What has plots, a page and files. data holds all numbers, as --json of the command line has them."""

    def __init__(self, handle: _core.Study) -> None:
        self._handle = handle
        self.data: dict = _with_nan(json.loads(handle.json()))
        self.page: dict = json.loads(handle.page())
        self.notes: tuple[str, ...] = tuple(self.page["notes"])
        self.interrupted: bool = handle.interrupted

    def plot(self, number: int = 0, ax: Any = None) -> Any:
        """One of the plots with matplotlib; plots lists their titles. Returns the figure."""
        if not -len(self.plots) <= number < len(self.plots):
            raise _core.InputError(f"number: must be 0 to {len(self.plots) - 1}, got {number}")
        return _plot.study(self.page, number, ax)

    @property
    def plots(self) -> list[str]:
        """The titles of the plots."""
        return [plot["title"] for plot in self.page["plots"]]

    def save(self, path: str | os.PathLike) -> None:
        """Writes the numbers to an HDF5 file."""
        self._handle.write(os.fspath(path))

    def report(self, path: str | os.PathLike) -> None:
        """Writes one HTML page with plots and tables; it opens offline."""
        self._handle.report(os.fspath(path))

    def _repr_html_(self) -> str:
        return _html.study(self.page)


class Study(Shown):
    """What studies of schemes share."""

    def __init__(self, handle: _core.Study) -> None:
        super().__init__(handle)
        self.refused: dict[str, str] = self.data.get("refused", {})
        self.window: tuple[float, float] = tuple(self.data["window"])
        self.reference: str = self.data["reference"]["description"]


class Convergence(Study):
    """Errors of schemes over a range of steps.

    steps    the steps, falling
    errors   {scheme: {norm: array, one a step}}
    orders   {scheme: {norm: fitted order}}; NaN where there is none
    spread   {scheme: {norm: standard error of the order}}
    """

    def __init__(self, handle: _core.Study) -> None:
        super().__init__(handle)
        self.steps: np.ndarray = np.array(self.data["steps"])
        self.orders: dict[str, dict[str, Any]] = self.data["orders"]
        self.spread: dict[str, dict[str, float]] = self.data.get("spread", {})
        self.errors: dict[str, dict[str, np.ndarray]] = {
            scheme: {norm: np.array(list_) for norm, list_ in norms.items()}
            for scheme, norms in self.data["errors"].items()
        }
        self.schemes: tuple[str, ...] = tuple(self.orders)

    def __repr__(self) -> str:
        orders = ", ".join(f"{scheme} {_order(norms)}" for scheme, norms in self.orders.items())
        return f"<Convergence: orders of q: {orders}>"


class Comparison(Study):
    """Work and precision of schemes.

    schemes          {scheme: list of points, one a step or tolerance, each a dictionary}
    recommendation   sentences drawn from the data
    """

    def __init__(self, handle: _core.Study) -> None:
        super().__init__(handle)
        self.schemes: dict[str, Any] = self.data["schemes"]
        self.recommendation: tuple[str, ...] = tuple(handle.recommendation)

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.schemes)} schemes: {' '.join(self.recommendation[:1])}>"


def check(
    problem: Any,
    q0: Any = None,
    v0: Any = None,
    t_span: Sequence[float] | None = None,
    scheme: Any = None,
    h: float | None = None,
    *,
    z0: Any = None,
    set: Mapping[str, Any] | None = None,
) -> CheckResult:
    """Is the problem well posed? A scenario, or a model with its start (that of its last run if none is given)."""
    if isinstance(problem, BaseModel):
        if problem._task is None:
            t_span = (0.0, 1.0) if t_span is None else t_span
            h = 1e-3 if h is None else h
        whole = task(problem, t_span, q0, v0, z0, scheme or _scheme_of(problem), h)
        return CheckResult(json.loads(_core.check_model(problem._handle, whole)))
    _refuse_start(q0, v0, t_span)
    scenario = _scenario.open(problem, _scenario.settings(scheme, h, None, set))
    return CheckResult(json.loads(_located(problem, scenario.check)))


def converge(
    problem: Any,
    schemes: Sequence[Any] = (),
    steps: Sequence[float] = (),
    *,
    q0: Any = None,
    v0: Any = None,
    z0: Any = None,
    t_span: Sequence[float] | None = None,
    h: float | None = None,
    window: Sequence[float] | None = None,
    reference: Any = None,
    phases: int | None = None,
    local: bool = False,
    threads: int | None = None,
    set: Mapping[str, Any] | None = None,
    progress: Any = None,
) -> Convergence:
    """Errors of schemes over a range of steps, and fitted orders, of a scenario or of a model.

    A model starts from q0, v0 over t_span, those of its last run if they are left out. reference is "exact" (known
    answers of scenarios), "event-driven", "mannshardt", a Solution or a result file. Errors are means over `phases`
    grids with steps close to each other; local gives errors of one step across an impact.
    """
    options = _options(schemes, steps, window, phases, threads)
    options["local"] = bool(local)
    return Convergence(_study("converge", problem, options, reference, progress, set, (t_span, q0, v0, z0, h, steps)))


def compare(
    problem: Any,
    schemes: Sequence[Any] = (),
    steps: Sequence[float] = (),
    tolerances: Sequence[float] = (),
    *,
    q0: Any = None,
    v0: Any = None,
    z0: Any = None,
    t_span: Sequence[float] | None = None,
    h: float | None = None,
    window: Sequence[float] | None = None,
    reference: Any = None,
    phases: int | None = None,
    accuracy: float = 1e-3,
    period: float | str | None = None,
    threads: int | None = None,
    set: Mapping[str, Any] | None = None,
    progress: Any = None,
) -> Comparison:
    """Work and precision of schemes (all that take the problem, if none are named), and a recommendation."""
    options = _options(schemes, steps, window, phases, threads)
    options["tolerances"] = _convert.numbers(list(tolerances), "tolerances").ravel().tolist()
    options["accuracy"] = _convert.number(accuracy, "accuracy")
    options["period"] = "" if period is None else str(period)
    return Comparison(_study("compare", problem, options, reference, progress, set, (t_span, q0, v0, z0, h, steps)))


def _options(schemes: Any, steps: Any, window: Any, phases: Any, threads: Any) -> dict:
    if isinstance(schemes, (str, type)) or not isinstance(schemes, Sequence):
        schemes = [schemes]
    chosen = [as_scheme(scheme) for scheme in schemes]
    values = sorted(set(_convert.numbers(list(np.atleast_1d(steps)), "steps").ravel().tolist()), reverse=True)
    for step in values:
        if not (step > 0.0 and math.isfinite(step)):
            raise _core.InputError(f"steps: must be positive, got {step}")
    return {
        "schemes": [(str(scheme), scheme.name, scheme.given) for scheme in chosen],
        "steps": values,
        "window": None if window is None else _convert.span(window, "window"),
        "phases": None if phases is None else _convert.whole(phases, "phases", 1),
        "threads": None if threads is None else _convert.whole(threads, "threads", 1),
    }


def _study(kind: str, problem: Any, options: dict, reference: Any, progress: Any, settings: Any, start: tuple) -> Any:
    progress = _callable(progress)
    recording = reference._recording if isinstance(reference, Solution) else None
    options["reference"] = "" if reference is None or recording is not None else os.fspath(reference)
    t_span, q0, v0, z0, h, steps = start
    if isinstance(problem, BaseModel):
        if h is None and problem._task is None and len(np.atleast_1d(steps)):
            h = float(np.min(steps))
        whole = task(problem, t_span, q0, v0, z0, _scheme_of(problem), h)
        return getattr(_core, f"{kind}_model")(problem._handle, whole, options, recording, progress)
    _refuse_start(q0, v0, t_span)
    if recording is not None:
        raise _core.InputError("reference: a scenario takes exact, event-driven, mannshardt or a result file")
    scenario = _scenario.open(problem, _scenario.settings(None, h, None, settings))
    return _located(problem, lambda: getattr(_core, f"{kind}_scenario")(scenario, options, progress))


def _scheme_of(model: BaseModel) -> Any:
    """That of the model's last run."""
    if model._task is None:
        return "moreau-jean"
    name, values = model._task.scheme
    return as_scheme(name) if not values else type(as_scheme(name))(**dict(values))


def _refuse_start(q0: Any, v0: Any, t_span: Any) -> None:
    for name, item in (("q0", q0), ("v0", v0), ("t_span", t_span)):
        if item is not None:
            raise _core.InputError(f"{name}: a scenario has its own; use set={{...}} to change it")


def _located(problem: Any, call: Any) -> Any:
    try:
        return call()
    except _core.ScenarioError as error:
        raise (_scenario.plain(error) if isinstance(problem, Mapping) else error) from None


def _with_nan(item: Any) -> Any:
    """JSON has no NaN: numbers that are not known are null there."""
    if isinstance(item, dict):
        return {key: _with_nan(one) for key, one in item.items()}
    if isinstance(item, list):
        return [_with_nan(one) for one in item]
    return math.nan if item is None else item


def _order(norms: dict) -> str:
    order = norms.get("q_sup", norms.get("q", math.nan))
    return f"{order:.2f}" if isinstance(order, float) else str(order)
