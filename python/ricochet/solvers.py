"""The solvers of contact problems, one class each: rc.solvers.Lemke(). help() of one explains it."""

from __future__ import annotations

from . import _catalogue, _core
from ._catalogue import Solver

_by_name = {entry["name"]: _catalogue.solver_class(entry, __name__) for entry in _core.solvers()}
globals().update({kind.__name__: kind for kind in _by_name.values()})
__all__ = ["Solver", "all", "find", *(kind.__name__ for kind in _by_name.values())]


def all() -> list[type[Solver]]:  # noqa: A001: reads as rc.solvers.all()
    """Every solver, in the order of the catalogue."""
    return list(_by_name.values())


def find(name: str) -> type[Solver]:
    """The class of a solver by its name in a scenario: find("lemke")."""
    if name not in _by_name:
        _core.check_solver(name, 0.0, 0, 1.0)  # names the nearest one
    return _by_name[name]
