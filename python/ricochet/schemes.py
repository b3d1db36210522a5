"""The time integrators, one class each: rc.schemes.MoreauJean(theta=0.5). help() of one explains it."""

from __future__ import annotations

from . import _catalogue, _core
from ._catalogue import Scheme

_by_name = {entry["name"]: _catalogue.scheme_class(entry, __name__) for entry in _core.catalogue()}
globals().update({kind.__name__: kind for kind in _by_name.values()})
__all__ = ["Scheme", "all", "find", *(kind.__name__ for kind in _by_name.values())]


def all() -> list[type[Scheme]]:  # noqa: A001: reads as rc.schemes.all()
    """Every scheme, in the order of the catalogue."""
    return list(_by_name.values())


def find(name: str) -> type[Scheme]:
    """The class of a scheme by its name on the command line: find("moreau-jean")."""
    if name not in _by_name:
        _core.check_scheme(name, [])  # names the nearest one
    return _by_name[name]
