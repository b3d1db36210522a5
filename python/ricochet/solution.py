"""What a run gives: the motion, every impact, an energy account that closes, how it ended."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core, _html, _plot


SLIP_STATUSES = tuple(_core.slip_statuses)


@dataclass(frozen=True)
class Ledger:
    """The energy account of a run: final - initial = input + damping + impact + friction + numerical, all as gains.

    numerical is what the scheme itself adds or takes; with numerical_is_remainder it is what is left over.
    algorithmic_initial and _final are the energy that newmark and hht keep in linear motion, None for other schemes.
    """

    initial: float
    final: float
    input: float
    damping: float
    impact: float
    friction: float
    numerical: float
    numerical_is_remainder: bool
    algorithmic_initial: float | None
    algorithmic_final: float | None
    turnover: float


@dataclass(frozen=True)
class Statistics:
    """Work done in a run. accepted and rejected are the steps of schemes that choose their own."""

    steps: int
    accepted: int
    rejected: int
    newton_iterations: int
    force_evaluations: int
    contact_problems: int
    seconds: float


class EnergySeries:
    """Energies over time, one number a recorded instant: kinetic, potential, total; and the account from the start to
    each instant: input, damping, impact, friction, numerical."""

    __slots__ = ("_recording",)
    names = ("kinetic", "potential", "total", "input", "damping", "impact", "friction", "numerical")

    def __init__(self, recording: _core.Recording) -> None:
        self._recording = recording

    def __getattr__(self, name: str) -> np.ndarray:
        if name in EnergySeries.names:
            return self._recording.array("friction_work" if name == "friction" else name)
        raise AttributeError(f"the energies are {', '.join(self.names)}; there is no {name!r}")

    def __repr__(self) -> str:
        return f"<energies of {len(self.total)} instants: {', '.join(self.names)}>"

    def __dir__(self) -> list[str]:
        return list(self.names)


class Solution:
    """The result of a run.

    t            recorded times, n of them
    event        0 for instants of the grid, -1 and +1 for the states before and after an impact that the scheme located
    q, v         coordinates and velocities (after an impact if there is one at that time), n rows
    z            auxiliary states
    gap, rate    gaps and their rates, one column a constraint
    impulse      contact impulses since the previous recorded instant
    slip         sliding velocities, one column a slip, in the order of slips
    friction     impulses of friction along them since the previous recorded instant
    reaction     forces of the joints' rows, in the order of joints; of schemes in velocities the mean over the last step
    observed, observed_rate   what the model observes
    output       what the scenario's [[output]] tables name, one column each, in the order of outputs
    units, labels             how quantities are shown, by name
    impacts      one record an impact: t, constraint (its number), rate_minus, rate_plus, impulse, energy_loss,
                 discontinuous; where contacts have friction also slip_minus, slip_plus, friction_impulse (two numbers each
                 in space) and status (its number in ricochet.SLIP_STATUSES: none, stick, slide, reverse)
    energy       energies and the account over time;  ledger: the account of the whole run
    status       "completed", "interrupted" or "failed";  failure: why, in a sentence
    problems     the hardest contact problems, where dump_problems asked for them: file, t, contacts, status, iterations,
                 residual of each
    notes, statistics, violation_max, h

    Arrays are read-only views of the run's own memory, which lives as long as any of them. sol["x"], sol["x_dot"],
    sol["floor.gap"], sol["floor.slip"], sol["pin.reaction.1"] are columns by name.
    """

    def __init__(self, recording: _core.Recording, text: Callable[[], str] | None = None) -> None:
        self._recording = recording
        self._text = text

    def __reduce__(self) -> tuple:
        self.scenario  # noqa: B018: the text belongs to it
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "solution.h5")
            self._recording.save(path)
            with open(path, "rb") as file:
                return _restored, (file.read(), {key: getattr(self._recording, key) for key in _Restored.kept})

    # Arrays.
    t = property(lambda self: self._recording.array("t"), doc="recorded times")
    event = property(
        lambda self: self._recording.array("event").astype(np.int8), doc="-1, +1 before and after a located impact, else 0"
    )
    q = property(lambda self: self._recording.array("q"), doc="coordinates, one row an instant")
    v = property(lambda self: self._recording.array("v"), doc="velocities")
    z = property(lambda self: self._recording.array("z"), doc="auxiliary states")
    gap = property(lambda self: self._recording.array("gap"), doc="gaps, one column a constraint")
    rate = property(lambda self: self._recording.array("rate"), doc="gap rates, positive when opening")
    impulse = property(lambda self: self._recording.array("impulse"), doc="contact impulses since the last instant")
    slip = property(lambda self: self._recording.array("slip"), doc="sliding velocities, one column a slip")
    friction = property(lambda self: self._recording.array("friction"), doc="impulses of friction since the last instant")
    reaction = property(lambda self: self._recording.array("reaction"), doc="forces of joints, one column a row")
    observed = property(lambda self: self._recording.array("observed"), doc="displacements that the model observes")
    observed_rate = property(lambda self: self._recording.array("observed_rate"), doc="and their velocities")
    output = property(lambda self: self._recording.array("output"), doc="named outputs, one column each")
    impacts = property(lambda self: self._recording.impacts, doc="one record an impact")
    problems = property(lambda self: self._recording.problems, doc="the hardest contact problems that were written")

    # Names.
    coordinates = property(lambda self: tuple(self._recording.coordinates))
    states = property(lambda self: tuple(self._recording.states))
    constraints = property(lambda self: tuple(self._recording.constraints))
    slips = property(lambda self: tuple(self._recording.slips), doc="floor.slip, in space floor.slip.1, floor.slip.2")
    joints = property(lambda self: tuple(self._recording.joints), doc="the rows of joints: pin.reaction.1, …")
    observations = property(lambda self: tuple(self._recording.observations))
    outputs = property(lambda self: tuple(self._recording.outputs), doc="the names of the outputs")
    units = property(lambda self: {name: unit for name, unit, _ in self._recording.display if unit})
    labels = property(lambda self: {name: label for name, _, label in self._recording.display if label})
    title = property(lambda self: self._recording.title)
    scheme = property(lambda self: self._recording.scheme, doc="the name of the scheme")

    # How it went.
    status = property(lambda self: self._recording.status, doc="completed, interrupted or failed")
    failure = property(lambda self: self._recording.failure, doc="why a run failed, in a sentence")
    failure_kind = property(lambda self: self._recording.failure_kind)
    notes = property(lambda self: tuple(self._recording.notes), doc="remarks, one sentence each")
    h = property(lambda self: self._recording.h, doc="the even step")
    violation_max = property(lambda self: self._recording.violation_max, doc="deepest entry into an obstacle")

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the scheme."""
        return {name: _number_or_text(value) for name, value in self._recording.parameters}

    @property
    def energy(self) -> EnergySeries:
        """Energies over time."""
        return EnergySeries(self._recording)

    @property
    def ledger(self) -> Ledger:
        """The energy account of the whole run."""
        return Ledger(**self._recording.energy)

    @property
    def statistics(self) -> Statistics:
        """Work done."""
        return Statistics(**self._recording.statistics)

    @property
    def scenario(self) -> str:
        """What was run, as the text of a scenario file; empty for models of Python functions."""
        if self._text is not None:
            self._recording.scenario_text = self._text()
            self._text = None
        return self._recording.scenario_text

    def columns(self) -> dict[str, np.ndarray]:
        """Every column by its name, in the order of a CSV result file."""
        result = {"t": self.t}
        result.update(_named(self.coordinates, self.q, ""))
        result.update(_named(self.coordinates, self.v, "_dot"))
        result.update(_named(self.states, self.z, ""))
        slips = _by_owner(self.slips)
        for j, name in enumerate(self.constraints):
            result.update({f"{name}.{key}": getattr(self, key)[:, j] for key in ("gap", "rate", "impulse")})
            result.update(self._slip_columns(slips.pop(name, [])))
        for places in slips.values():
            result.update(self._slip_columns(places))
        result.update(_named(self.joints, self.reaction, ""))
        result.update(_named(self.outputs, self.output, ""))
        result.update({f"energy.{key}": getattr(self.energy, key) for key in ("kinetic", "potential", "total")})
        result.update(_named(self.observations, self.observed, ""))
        result.update(_named(self.observations, self.observed_rate, "_dot"))
        result["event"] = self.event
        return result

    def _slip_columns(self, places: list[int]) -> dict[str, np.ndarray]:
        columns = {self.slips[k]: self.slip[:, k] for k in places}
        return columns | {_friction_name(self.slips[k]): self.friction[:, k] for k in places}

    def __getitem__(self, name: str) -> np.ndarray:
        columns = self.columns()
        if name not in columns:
            raise KeyError(_core.no_such("column", str(name), list(columns)))
        return columns[name]

    def __len__(self) -> int:
        return len(self.t)

    def save(self, path: str | os.PathLike) -> None:
        """Writes a result file: .h5, .npz or .csv, as ricochet run does."""
        self.scenario  # noqa: B018: the text belongs into the file
        self._recording.save(os.fspath(path))

    def report(self, path: str | os.PathLike) -> None:
        """Writes one HTML page with plots, animation, energy account and impacts; it opens offline."""
        self.scenario  # noqa: B018
        self._recording.page(os.fspath(path))

    def to_dataframe(self) -> Any:
        """The motion as a pandas DataFrame with the columns of a CSV result file, indexed by time."""
        return _plot.pandas().DataFrame(self.columns()).set_index("t")

    def impacts_dataframe(self) -> Any:
        """The impacts as a pandas DataFrame, with the names of the constraints."""
        columns = {}
        for name in self.impacts.dtype.names:
            values = self.impacts[name]
            columns.update({name: values} if values.ndim == 1 else _named((".1", ".2"), values, "", name))
        frame = _plot.pandas().DataFrame(columns)
        frame["constraint"] = [self.constraints[j] for j in self.impacts["constraint"]]
        if "status" in columns:
            frame["status"] = [SLIP_STATUSES[k] for k in self.impacts["status"]]
        return frame

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Columns against time with matplotlib: those named, or the coordinates (at most six), velocities and energy.
        Returns the figure."""
        return _plot.solution(self, names, axes)

    def phase_portrait(self, name: str | None = None, ax: Any = None) -> Any:
        """Velocity against displacement of a coordinate, the first one by default. Returns the figure."""
        return _plot.phase_portrait(self, name, ax)

    def _repr_html_(self) -> str:
        return _html.solution(self)

    def __repr__(self) -> str:
        title = f"{self.title}: " if self.title else ""
        end = f"t = {self.t[-1]:.6g}" if len(self) else "nothing"
        size = f"{len(self)} instants, {len(self.impacts)} impacts"
        return f"<Solution: {title}{self.scheme}, {self.status} to {end}, {size}>"


class _Restored:
    """A recording out of a pickle: what a result file does not hold comes beside it."""

    kept = ("h", "problems", "status", "failure", "failure_kind", "notes", "energy", "statistics", "violation_max")

    def __init__(self, recording: _core.Recording, beside: dict[str, Any]) -> None:
        self._recording = recording
        self.__dict__.update(beside)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._recording, name)


def _restored(data: bytes, beside: dict[str, Any]) -> Solution:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "solution.h5")
        with open(path, "wb") as file:
            file.write(data)
        return Solution(_Restored(_core.load(path), beside))


def _named(names: tuple[str, ...], values: np.ndarray, ending: str, beginning: str = "") -> dict[str, np.ndarray]:
    return {beginning + name + ending: values[:, j] for j, name in enumerate(names)}


def _by_owner(slips: tuple[str, ...]) -> dict[str, list[int]]:
    """The places of the slips of each friction: floor.slip, or floor.slip.1 and floor.slip.2."""
    places: dict[str, list[int]] = {}
    for k, name in enumerate(slips):
        places.setdefault(name.rpartition(".slip")[0], []).append(k)
    return places


def _friction_name(slip: str) -> str:
    owner, _, number = slip.rpartition(".slip")
    return f"{owner}.friction{number}"


def _number_or_text(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text
