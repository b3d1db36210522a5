"""analyse(): impact rates, forces, wear and spectra of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import _convert, _core
from .solution import Solution


@dataclass(frozen=True, eq=False)
class Distribution:
    """Of speeds or impulses: counts[k] impacts from edges[k] to edges[k + 1]."""

    mean: float
    rms: float
    median: float
    largest: float
    edges: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True, eq=False)
class ContactAnalysis:
    """One constraint. Rates are by the length of the window.

    contact_share       of the time in which it pushes without an impact
    mean_force          all of its impulses by the length of the window
    peak_force          the largest mean over the force window; None for rigid contacts without one
    impact_work_rate    energy lost in impacts; friction_work_rate: that which friction takes
    """

    name: str
    impacts: int
    impact_rate: float
    speed: Distribution
    impulse: Distribution
    contact_share: float
    mean_force: float
    peak_force: float | None
    impact_work_rate: float
    friction_work_rate: float


@dataclass(frozen=True, eq=False)
class QuantityAnalysis:
    """One column: density at Analysis.frequency, one row of spectrogram, lower and upper a segment."""

    name: str
    unit: str
    label: str
    mean: float
    rms: float
    deviation: float
    min: float
    max: float
    crest: float
    density: np.ndarray
    spectrogram: np.ndarray
    upper: np.ndarray
    lower: np.ndarray


class Analysis:
    """What a run says about its contacts and its vibrations; analysis["floor"], analysis["x"] by name.

    Spectra are Welch's: `segments` of `segment` samples, without their mean, under Hann's window, overlapping by the share
    `overlap`; one-sided densities at `frequency`, the segments' middles at `segment_time`.
    """

    def __init__(self, text: str) -> None:
        data = json.loads(text)
        self.data: dict = data
        self.window: tuple[float, float] = tuple(data["window"])
        self.force_window: float | None = data["force_window"]
        self.notes: tuple[str, ...] = tuple(data["notes"])
        spectra = data["spectra"]
        self.sampling: float = spectra["sampling"]
        self.segment: int = spectra["segment"]
        self.segments: int = spectra["segments"]
        self.overlap: float = spectra["overlap"]
        self.frequency: np.ndarray = np.array(spectra["frequency"])
        self.segment_time: np.ndarray = np.array(spectra["segment_time"])
        self.contacts: dict[str, ContactAnalysis] = {one["name"]: _contact(one) for one in data["contacts"]}
        self.quantities: dict[str, QuantityAnalysis] = {
            one["name"]: QuantityAnalysis(**{key: _array(value) for key, value in one.items()})
            for one in data["quantities"]
        }

    def __getitem__(self, name: str) -> ContactAnalysis | QuantityAnalysis:
        found = self.contacts.get(name) or self.quantities.get(name)
        if found is None:
            raise KeyError(_core.no_such("contact or quantity", str(name), [*self.contacts, *self.quantities]))
        return found

    def __repr__(self) -> str:
        start, end = self.window
        return f"<Analysis from {start:.6g} to {end:.6g}: {', '.join([*self.contacts, *self.quantities])}>"


def analyse(
    result: Solution | str | os.PathLike,
    quantities: Sequence[str] | None = None,
    window: Sequence[float] | None = None,
    *,
    force_window: float | None = None,
    segment: int = 0,
    overlap: float = 0.5,
    bins: int = 20,
) -> Analysis:
    """Impact rates, distributions, contact time, forces and wear of each constraint; mean, RMS, extremes, crest factor,
    spectrum, spectrogram and envelope of quantities: of a solution or of a result file.

    quantities are columns by name ("x", "x_dot", "floor.gap", an output), by default what the model observes, the
    outputs and the coordinates (unless they are more than six). window = (from, until) cuts out a part. Peak forces are means over force_window,
    the time that an impact would last; only compliant contacts have them without it. segment is a number of samples, a
    power of two.
    """
    if not isinstance(result, (Solution, str, os.PathLike)):
        raise _core.InputError(f"result: must be a solution or the name of a result file, got {type(result).__name__}")
    recording = result._recording if isinstance(result, Solution) else _core.load(os.fspath(result))
    text = recording.analyse(
        list(quantities or []),
        _convert.span(window, "window") if window is not None else None,
        _convert.number(force_window, "force_window") if force_window is not None else None,
        _convert.whole(segment, "segment"),
        _convert.number(overlap, "overlap"),
        _convert.whole(bins, "bins"),
    )
    return Analysis(text)


def _array(value: object) -> object:
    return np.array(value, dtype=float) if isinstance(value, list) else value


def _contact(data: dict) -> ContactAnalysis:
    parts = {key: Distribution(**{k: _array(v) for k, v in data[key].items()}) for key in ("speed", "impulse")}
    return ContactAnalysis(**(data | parts))
