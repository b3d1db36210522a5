"""Pictures with matplotlib and tables with pandas, where they are installed."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

MOST_CURVES = 6


def _needed(module: str, what: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise ImportError(f"{what} needs {package}, which is not installed") from None


def pyplot() -> Any:
    return _needed("matplotlib.pyplot", "a plot")


def pandas() -> Any:
    return _needed("pandas", "a data frame")


def _panels(count: int, axes: Any) -> tuple[Any, list]:
    if axes is not None:
        axes = np.atleast_1d(axes).ravel().tolist()
        return axes[0].figure, axes
    size = (7.0, 2.2 * count + 0.6)
    figure, axes = pyplot().subplots(count, 1, sharex=True, squeeze=False, figsize=size, constrained_layout=True)
    return figure, list(axes[:, 0])


def solution(sol: Any, names: tuple[str, ...], axes: Any) -> Any:
    """Chosen columns one below the other, or displacements, velocities and energy."""
    if names:
        panels = [(name, {name: sol[name]}) for name in names]
    else:
        shown = sol.coordinates[:MOST_CURVES]
        panels = [
            ("coordinates", {name: sol.q[:, j] for j, name in enumerate(shown)}),
            ("velocities", {f"{name}_dot": sol.v[:, j] for j, name in enumerate(shown)}),
            ("energy", {key: getattr(sol.energy, key) for key in ("kinetic", "potential", "total")}),
        ]
    figure, axes = _panels(len(panels), axes)
    for ax, (label, curves) in zip(axes, panels):
        for name, y in curves.items():
            ax.plot(sol.t, y, label=name, linewidth=1.0)
        ax.set_ylabel(label)
        if len(curves) > 1:
            ax.legend(fontsize="small")
    axes[-1].set_xlabel("t")
    if sol.title:
        axes[0].set_title(sol.title)
    return figure


def phase_portrait(sol: Any, name: str | None, ax: Any) -> Any:
    name = sol.coordinates[0] if name is None else name
    x, x_dot = sol[name], sol[f"{name}_dot"]
    figure = None
    if ax is None:
        figure, ax = pyplot().subplots(figsize=(5.0, 4.5), constrained_layout=True)
    ax.plot(x, x_dot, linewidth=0.8)
    ax.set_xlabel(name)
    ax.set_ylabel(f"{name}_dot")
    return figure if figure is not None else ax.figure


def study(page: dict, number: int, ax: Any) -> Any:
    """One plot of a study's page."""
    plot = page["plots"][number]
    figure = None
    if ax is None:
        figure, ax = pyplot().subplots(figsize=(6.5, 4.5), constrained_layout=True)
    for series in plot["series"]:
        noted = series["note"] and len(series["x"]) > 1  # sentences of single points are in the page's tables
        label = series["name"] + (f" ({series['note']})" if noted else "")
        points = [[np.nan if value is None else value for value in series[axis]] for axis in ("x", "y")]
        if series.get("dots"):
            ax.plot(*points, linestyle="none", marker=".", markersize=1.5, color="gray", zorder=0, label=label)
            continue
        style = "--" if series.get("dashed") else "-"
        marker = "" if series.get("unmarked") else "o"
        ax.plot(*points, linestyle=style, marker=marker, markersize=3, linewidth=1.0, label=label)
    if plot.get("same_scale"):
        ax.set_aspect("equal", adjustable="datalim")
    for axis in ("x", "y"):
        getattr(ax, f"set_{axis}label")(plot[axis]["label"])
        if plot[axis]["log"]:
            getattr(ax, f"set_{axis}scale")("log")
    ax.set_title(plot["title"])
    ax.legend(fontsize="small")
    return figure if figure is not None else ax.figure


def scatter(x: Any, y: Any, x_label: str, y_label: str, title: str, ax: Any) -> Any:
    """Points of a sweep."""
    figure = None
    if ax is None:
        figure, ax = pyplot().subplots(figsize=(7.0, 4.5), constrained_layout=True)
    ax.plot(x, y, linestyle="none", marker=".", markersize=1.5, color="black")
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    ax.set_title(title)
    return figure if figure is not None else ax.figure
