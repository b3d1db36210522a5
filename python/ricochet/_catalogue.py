"""Classes made from the library's catalogues: names, defaults, ranges and documentation come from there alone."""

from __future__ import annotations

import inspect
import math
from typing import Any

from . import _core


def is_flag(spec: dict) -> bool:
    """Whether a parameter is True or False; "on" and "off" say the same."""
    return isinstance(spec["default"], bool)


class Scheme:
    """A time integrator with its parameters. Use one of the classes of ricochet.schemes."""

    name: str = ""
    summary: str = ""
    order: str = ""
    reference: str = ""
    chooses_steps: bool = False  # of an object: with its parameters
    inelastic_only: bool = False
    takes_states: bool = False
    locates_impacts: bool = False
    _parameters: tuple = ()

    def __init__(self, **parameters: Any) -> None:
        specs = {spec["name"]: spec for spec in self._parameters}
        for key in parameters:
            if key not in specs:
                # The library's own sentence, with the nearest parameter.
                _core.check_scheme(self.name, [(key, 0.0)])
        self._given = {key: value_of(specs[key], item) for key, item in parameters.items()}
        self.chooses_steps = _core.check_scheme(self.name, self.given)["chooses_steps"]

    @property
    def given(self) -> list[tuple[str, Any]]:
        """The parameters that were given."""
        return list(self._given.items())

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, given and default."""
        return {spec["name"]: self._given.get(spec["name"], spec["default"]) for spec in self._parameters}

    def __getattr__(self, key: str) -> Any:
        if not key.startswith("_") and key in (parameters := self.parameters):
            return parameters[key]
        raise AttributeError(f"{type(self).__name__} has no attribute {key!r}")

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={item!r}" for key, item in self._given.items())
        return f"{type(self).__name__}({inside})"

    def __str__(self) -> str:
        return ":".join([self.name, *(f"{key}={spoken(item)}" for key, item in self.given)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scheme) and (self.name, self._given) == (other.name, other._given)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self._given.items()))))


def value_of(spec: dict, item: Any) -> Any:
    """A given value as the type of its parameter, as far as it can be one; the library refuses the rest."""
    if is_flag(spec) and isinstance(item, str) and item in ("on", "off", "true", "false"):
        return item in ("on", "true")
    if isinstance(item, str) or (is_flag(spec) and isinstance(item, bool)):
        return item
    try:
        number = float(item)
        return int(number) if spec["whole"] and number.is_integer() else number
    except (TypeError, ValueError):
        raise _core.InputError(f"scheme.{spec['name']}: must be a number, got {item!r}") from None


def spoken(item: Any) -> str:
    """A value as the command line has it."""
    if isinstance(item, bool):
        return "on" if item else "off"
    return item if isinstance(item, str) else repr(item)


class Solver:
    """A solver of contact problems with its settings. Use one of the classes of ricochet.solvers."""

    name: str = ""
    summary: str = ""
    reference: str = ""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None:
        self.tolerance, self.max_iterations, self.relaxation = float(tolerance), int(max_iterations), float(relaxation)
        _core.check_solver(self.name, self.tolerance, self.max_iterations, self.relaxation)

    def __repr__(self) -> str:
        defaults = {"tolerance": 0.0, "max_iterations": 0, "relaxation": 1.0}
        given = [f"{key}={getattr(self, key)!r}" for key, item in defaults.items() if getattr(self, key) != item]
        return f"{type(self).__name__}({', '.join(given)})"


def class_name(name: str) -> str:
    """moreau-jean -> MoreauJean"""
    return "".join(part.capitalize() for part in name.split("-"))


def allowed(spec: dict) -> str:
    """The range of a parameter in words."""
    if is_flag(spec):
        return "True or False"
    if spec["words"]:
        return "one of " + ", ".join(spec["words"])
    lower, upper = spec["lower"], spec["upper"]
    if math.isinf(lower) and math.isinf(upper):
        return "any number"
    if math.isinf(upper):
        return f"{lower:g} or more"
    if math.isinf(lower):
        return f"at most {upper:g}"
    return f"{lower:g} to {upper:g}"


def scheme_doc(entry: dict) -> str:
    """The documentation of a scheme's class."""
    lines = [entry["summary"][:1].upper() + entry["summary"][1:].rstrip(".") + ".", "", entry["explanation"], ""]
    lines.append(f"Order: {entry['order']}.")
    if entry["traits"]["chooses_steps"]:
        lines.append("It chooses its steps: h is the interval at which the result is recorded.")
    if entry["parameters"]:
        lines += ["", "Parameters", "----------"]
        for spec in entry["parameters"]:
            lines.append(f"{spec['name']} : {allowed(spec)}, default {spec['default']!r}")
            lines.append(f"    {spec['symbol'] + ': ' if spec['symbol'] else ''}{spec['meaning']}")
    return "\n".join([*lines, "", f"Reference: {entry['reference']}"])


def scheme_class(entry: dict, module: str) -> type:
    parameters = [
        inspect.Parameter(spec["name"], inspect.Parameter.KEYWORD_ONLY, default=spec["default"])
        for spec in entry["parameters"]
    ]
    body = {
        "__doc__": scheme_doc(entry),
        "__module__": module,
        "__signature__": inspect.Signature(parameters),
        "_parameters": tuple(entry["parameters"]),
        **{key: entry[key] for key in ("name", "summary", "order", "reference")},
        **entry["traits"],
    }
    return type(class_name(entry["name"]), (Scheme,), body)


def solver_class(entry: dict, module: str) -> type:
    own = f"{entry['tolerance']:g}"
    doc = (
        f"{entry['summary'][:1].upper() + entry['summary'][1:].rstrip('.')}.\n\n{entry['explanation']}\n\n"
        f"Parameters\n----------\ntolerance : positive, or 0 for its own, {own}\n    largest accepted residual\n"
        "max_iterations : 1 or more, or 0 for its own\nrelaxation : between 0 and 2\n    of gauss-seidel\n\n"
        f"Reference: {entry['reference']}"
    )
    body = {"__doc__": doc, "__module__": module, **{key: entry[key] for key in ("name", "summary", "reference")}}
    return type(class_name(entry["name"]), (Solver,), body)


def as_scheme(item: Any) -> Scheme:
    """A scheme by its name ("moreau-jean", "moreau-jean:theta=1"), its class or itself."""
    from . import schemes

    if isinstance(item, Scheme):
        return item
    if isinstance(item, type) and issubclass(item, Scheme):
        return item()
    if not isinstance(item, str):
        raise _core.InputError(f"scheme: must be a name or one of ricochet.schemes, got {item!r}")
    name, *values = item.split(":")
    if values:
        _, name, given = _core.parse_schemes(item)[0]
        return schemes.find(name)(**dict(given))
    return schemes.find(name)()


def as_solver(item: Any) -> Solver:
    """A solver by its name, its class or itself."""
    from . import solvers

    if isinstance(item, Solver):
        return item
    if isinstance(item, type) and issubclass(item, Solver):
        return item()
    if not isinstance(item, str):
        raise _core.InputError(f"solver: must be a name or one of ricochet.solvers, got {item!r}")
    return solvers.find(item)()
