"""Mechanical systems: from formulas, from matrices, from Python functions, and the built-in families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _convert, _core, _scenario

InputError = _core.InputError


@dataclass
class Constraint:
    """A gap that stays open: g(t, q) >= 0.

    gap is a formula ("x - L*cos(phi)"), a function (t, q) -> g for rc.Model, or left out where `normal` gives the
    weights of the coordinates and `offset` the rest (rc.Linear). At an impact the gap rate U becomes -restitution*U;
    dissipation_index = d stands for the restitution (1 - d)/(1 + d).

    For functions: gradient (t, q) -> dg/dq or an array if it is constant, time_derivative (t, q) -> dg/dt or a number;
    what is left out is found by central differences. A name may be a list of names: one function then gives all gaps
    as an array, and its gradient has one row a gap.

    friction is Coulomb's coefficient, a number, formula or function (t, q), and acts along slip, the sliding velocity
    of the contact point: a formula linear in the velocities ("x_dot - R*phi_dot"), two of them in a list for contact in
    space; the weights of the velocities with slip_offset, second_slip and second_slip_offset for rc.Linear; or a
    function (t, q, v) for rc.Model, with slips = 2 if it gives two. The gap is then a length along the normal.
    tangential_restitution is how much of a slip that is stopped comes back. slip_gradient and slip_drift are to a slip
    what gradient and drift are to the rate of a Joint.

    compliance says how the contact gives way under the scheme penalty: {"stiffness": k} with "exponent" n (1.5: Hertz)
    and "damping" c or "hysteresis" α of the force k δⁿ (1 + α δ') + c δ', numbers or formulas of the parameters.

    member is for rc.Frame: the formulas then hold at all nodes of this member, with x, y and angle of the node.
    """

    name: str | Sequence[str]
    gap: str | Callable | None = None
    restitution: Any = None
    dissipation_index: Any = None
    normal: Any = None
    offset: Any = None
    gradient: Any = None
    time_derivative: Any = None
    friction: Any = None
    slip: Any = None
    tangential_restitution: Any = None
    slip_offset: Any = None
    second_slip: Any = None
    second_slip_offset: Any = None
    slips: int = 1
    slip_gradient: Any = None
    slip_drift: Any = None
    member: str | None = None
    compliance: Mapping[str, Any] | None = None

    @property
    def names(self) -> list[str]:
        return [self.name] if isinstance(self.name, str) else list(self.name)

    def table(self) -> dict:
        """As in a scenario file."""
        if callable(self.gap) or self.gradient is not None or self.time_derivative is not None:
            raise InputError(f"constraint {self.name}: functions are for ricochet.Model; give a formula here")
        normal = _weights(self.normal, f"constraint {self.name}.normal")
        parts = {"name": self.name, "gap": self.gap, "normal": normal, "offset": self.offset}
        impact = {key: getattr(self, key) for key in ("restitution", "dissipation_index", "compliance")}
        return {**parts, **impact, **_friction_table(self, f"constraint {self.name}"), "member": self.member}


@dataclass
class Stop:
    """Stops for one coordinate (dof, its number from 0 or its name) or one point of a bar or beam (at):
    lower <= displacement <= upper. Those of a coordinate may have friction along slip, as a Constraint of rc.Linear."""

    dof: int | str | None = None
    lower: Any = None
    upper: Any = None
    restitution: Any = None
    dissipation_index: Any = None
    name: str | None = None
    at: Any = None
    friction: Any = None
    slip: Any = None
    tangential_restitution: Any = None
    slip_offset: Any = None
    second_slip: Any = None
    second_slip_offset: Any = None
    compliance: Mapping[str, Any] | None = None

    def table(self) -> dict:
        keys = ("dof", "at", "lower", "upper", "restitution", "dissipation_index", "compliance", "name")
        return {**{key: getattr(self, key) for key in keys}, **_friction_table(self, f"stop {self.name or self.dof}")}


@dataclass
class Joint:
    """What is held in both directions: g(t, q) = 0, or a rate that is 0 and need not be the derivative of anything.

    equation is a formula or a list of them ("x^2 + y^2 - L^2"), or a function (t, q) -> g for rc.Model. rate is a
    formula that is linear in the velocities ("x_dot - R*phi_dot"), or a function (t, q, v) -> rate. rc.Linear takes
    `normal` and `offset`, normal·q + offset = 0, in place of an equation; a coordinate (dof, rc.Linear) or a point
    (at, rc.Bar and rc.Beam) is held at `displacement`. Offset and displacement may be formulas of t.

    For functions: rows says how many numbers they give; gradient (t, q) -> the coefficients of the velocities, one row
    a row, or an array if they are constant; drift (t, q) -> the rate at v = 0, which is dg/dt, or a number. What is
    left out is found by central differences.
    """

    name: str | None = None
    equation: str | Sequence[str] | Callable | None = None
    rate: str | Sequence[str] | Callable | None = None
    normal: Any = None
    offset: Any = None
    dof: int | str | None = None
    at: Any = None
    displacement: Any = None
    rows: int = 1
    gradient: Any = None
    drift: Any = None

    @property
    def _is_held(self) -> bool:
        return self.dof is not None or self.at is not None

    def table(self) -> dict:
        """As in a scenario file."""
        if callable(self.equation) or callable(self.rate) or self.gradient is not None or self.drift is not None:
            raise InputError(f"joint {self.name}: functions are for ricochet.Model; give a formula here")
        keys = ("name", "equation", "rate", "offset", "dof", "at", "displacement")
        table = {key: getattr(self, key) for key in keys}
        return {**table, "normal": _weights(self.normal, f"joint {self.name}.normal")}


@dataclass
class Friction:
    """Dry friction with a known limit: belts, brakes, bearings, Jenkins elements.

    slip is the sliding velocity, as in a Constraint: a formula or two of them, weights with slip_offset (rc.Linear), or
    a function (t, q, v) (rc.Model). limit is the largest force: a number, a formula of t and q (of t for rc.Linear), or
    a function (t, q).

    For functions: rows says how many slips there are, 1 or 2; gradient (t, q) -> the coefficients of the velocities, or
    an array; drift (t, q) -> the slip at v = 0, or a number. What is left out is found from the slip itself.
    """

    name: str
    slip: Any = None
    limit: Any = None
    slip_offset: Any = None
    second_slip: Any = None
    second_slip_offset: Any = None
    rows: int = 1
    gradient: Any = None
    drift: Any = None

    def table(self) -> dict:
        """As in a scenario file."""
        place = f"friction {self.name}"
        if callable(self.slip) or callable(self.limit) or self.gradient is not None or self.drift is not None:
            raise InputError(f"{place}: functions are for ricochet.Model; give a formula here")
        return {"name": self.name, "limit": self.limit, **_slip_table(self, place)}


@dataclass
class State:
    """An auxiliary first-order state: z' = rate, a formula of t, coordinates, velocities and states."""

    name: str
    rate: str
    initial: Any = 0.0


class BaseModel:
    """What all models share: names, and the start and span of the last run, which checks and studies fall back to."""

    coordinates: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    frictions: tuple[str, ...] = ()

    _arguments: tuple[tuple, dict[str, Any]]

    def __new__(cls, *arguments: Any, **named: Any) -> Any:
        model = super().__new__(cls)
        model._arguments = (arguments, named)  # what pickle makes it again from
        return model

    def __reduce__(self) -> tuple:
        arguments, named = self._arguments
        return _made, (type(self), arguments, named)

    def __init__(self, handle: _core.Model) -> None:
        self._handle = handle
        self._task: _core.Task | None = None  # of the last run, or of the family itself
        self.coordinates = tuple(handle.coordinates)
        self.constraints = tuple(handle.constraints)
        self.joints = tuple(handle.joints)
        self.frictions = tuple(handle.frictions)
        self.states: tuple[str, ...] = tuple(handle.states)
        self.observations: tuple[str, ...] = tuple(handle.observations)

    def _table(self) -> tuple[dict, dict] | None:
        """The model as in a scenario file with its matrices, if it can be written as one."""
        return None

    def __repr__(self) -> str:
        def listed(names: Sequence[str]) -> str:
            return ", ".join(names) if len(names) <= 6 else f"{names[0]} … {names[-1]} ({len(names)})"

        joints = f"; joints: {listed(self.joints)}" if self.joints else ""
        joints += f"; friction: {listed(self.frictions)}" if self.frictions else ""
        constraints = listed(self.constraints) or "none"
        return f"<{type(self).__name__}: {listed(self.coordinates)}; constraints: {constraints}{joints}>"


def _made(kind: type, arguments: tuple, named: dict[str, Any]) -> BaseModel:
    return kind(*arguments, **named)


class DescribedModel(BaseModel):
    """A model that a scenario file can describe."""

    def __init__(self, table: Mapping[str, Any], matrices: dict | None = None) -> None:
        self._description = {key: item for key, item in table.items() if item is not None}
        self._matrices = matrices or {}
        whole: dict[str, Any] = {"model": self._description, "time": {"until": 1.0, "step": 1.0}}
        own_start = table.get("kind", "lagrangian") not in ("lagrangian", "linear")
        if not own_start:
            whole["initial"] = {"q": 0.0}
        try:
            handle, task = _scenario.from_table(whole, matrices=self._matrices).build()
        except _core.ScenarioError as error:
            raise _scenario.plain(error) from None
        super().__init__(handle)
        self._own_start = np.asarray(task.q) if own_start else None

    def _table(self) -> tuple[dict, dict] | None:
        return self._description, self._matrices


class Lagrangian(DescribedModel):
    """A model from formulas: Lagrange's equations are derived from the energies.

    The velocity of the coordinate x is x_dot. In place of kinetic, mass gives M(t, q) as rows of formulas: then
    M q'' = force - dV/dq - dD/dq_dot as it stands. dissipation is Rayleigh's function D, force further generalised
    forces by coordinate, parameters names with values for use in all formulas.

    >>> ball = Lagrangian(coordinates=["x"], kinetic="m*x_dot^2/2", potential="m*g*x",
    ...                   constraints=[Constraint("floor", gap="x", restitution=0.9)], parameters={"m": 1, "g": 9.81})
    """

    def __init__(
        self,
        coordinates: Sequence[str],
        kinetic: str | None = None,
        potential: str | None = None,
        constraints: Sequence[Constraint] = (),
        parameters: Mapping[str, Any] | None = None,
        *,
        mass: Any = None,
        dissipation: str | None = None,
        force: Mapping[str, Any] | None = None,
        states: Sequence[State] = (),
        joints: Sequence[Joint] = (),
        frictions: Sequence[Friction] = (),
    ) -> None:
        table = {
            "coordinates": _names(coordinates, "coordinates"),
            "parameters": parameters,
            "kinetic": kinetic,
            "mass": np.atleast_2d(np.asarray(mass)).tolist() if mass is not None else None,
            "potential": potential,
            "dissipation": dissipation,
            "force": force,
            "state": [{"name": s.name, "rate": s.rate, "initial": s.initial} for s in states] or None,
            "constraint": [_constraint(c, "gap").table() for c in constraints] or None,
        }
        _add_joints(table, joints)
        _add_frictions(table, frictions)
        super().__init__(table)


class Linear(DescribedModel):
    """A linear model M q'' + C q' + K q = load(t) with gaps.

    Matrices are arrays, sparse matrices of scipy, or names of Matrix Market, NPY or NPZ files. load is a function
    t -> array, a constant array, or a dictionary {coordinate: formula of t}. constraints are Stops and Constraints with
    normal and offset, or with a formula as gap; joints have normal and offset, equations, or a dof; frictions have
    slips as weights of the velocities. Coordinates are named q0, q1, … or as given.

    Further keys are those of a scenario's [model]: parameters, rayleigh, damping_ratios, modes, loads, base, observe.
    """

    def __init__(
        self,
        M: Any,
        C: Any = None,
        K: Any = None,
        load: Any = None,
        constraints: Sequence[Constraint | Stop] = (),
        *,
        coordinates: Sequence[str] | None = None,
        joints: Sequence[Joint] = (),
        frictions: Sequence[Friction] = (),
        **further: Any,
    ) -> None:
        matrices = {}
        table: dict[str, Any] = {"kind": "linear", **further}
        if coordinates is not None:
            table["coordinates"] = _names(coordinates, "coordinates")
        for key, name, matrix in (("mass", "M", M), ("damping", "C", C), ("stiffness", "K", K)):
            if matrix is not None:
                matrices[_scenario.in_memory(key)] = _convert.columns(matrix, name)
                table[key] = _scenario.in_memory(key)
        _add_stops(table, constraints)
        _add_joints(table, joints)
        _add_frictions(table, frictions)
        if load is not None and not callable(load):
            table["load"] = load if isinstance(load, Mapping) else _constant_load(load, M, matrices)
        super().__init__(table, matrices)
        self._has_load_function = callable(load)
        if self._has_load_function:
            if further.get("modes"):
                raise InputError("load: a function cannot be combined with modes; give a formula by coordinate")
            self._handle = _core.loaded_model(self._handle, load)

    def _table(self) -> tuple[dict, dict] | None:
        return None if self._has_load_function else super()._table()


class Bar(DescribedModel):
    """An elastic bar. The keys are those of [model] with kind = "bar": elements, length, young, area, density, left,
    right, stop, loads, observe, modes, … ; constraints are Stops with at, joints Joints with at."""

    _kind = "bar"

    def __init__(self, constraints: Sequence[Stop] = (), *, joints: Sequence[Joint] = (), **keys: Any) -> None:
        table = {"kind": self._kind, **keys}
        _add_stops(table, constraints)
        _add_joints(table, joints)
        super().__init__(table)


class Beam(Bar):
    """An Euler-Bernoulli beam. The keys are those of [model] with kind = "beam"; constraints are Stops with at, joints
    Joints with at."""

    _kind = "beam"


class BeadColumn(DescribedModel):
    """Beads in a column over a floor. The keys are those of [model] with kind = "bead-column"."""

    def __init__(self, **keys: Any) -> None:
        super().__init__({"kind": "bead-column", **keys})


class BeadChain(DescribedModel):
    """Beads side by side, or a cradle. The keys are those of [model] with kind = "bead-chain"."""

    def __init__(self, **keys: Any) -> None:
        super().__init__({"kind": "bead-chain", **keys})


class Frame(DescribedModel):
    """Planar beams that may turn and bend as far as they like. The keys are those of [model] with kind = "frame": points,
    members, supports, hinges, masses, springs, loads, gravity, …; gaps, slips and equations are formulas of the
    coordinates of points and nodes, "B_y + 0.8", and a Constraint with member stands for all nodes of a member.

    >>> arm = Frame(points={"A": [0, 0], "B": [1, 0]}, supports=[{"point": "A", "kind": "pinned"}], gravity=[0, -9.81],
    ...             members=[{"name": "arm", "from": "A", "to": "B", "elements": 8, "EA": 1e4, "GA": 5e3, "EI": 2,
    ...                       "rho_A": 1, "rho_I": 1e-3}],
    ...             constraints=[Constraint("floor", gap="B_y + 0.8", restitution=0.5)])
    """

    def __init__(
        self,
        constraints: Sequence[Constraint] = (),
        *,
        joints: Sequence[Joint] = (),
        frictions: Sequence[Friction] = (),
        **keys: Any,
    ) -> None:
        table = {"kind": "frame", **keys}
        table["constraint"] = [_constraint(c, "gap").table() for c in constraints] or None
        _add_joints(table, joints)
        _add_frictions(table, frictions)
        super().__init__(table)


class Model(BaseModel):
    """A model from Python functions.

    coordinates  names, or their number
    mass         M: an array if it is constant, or a function (t, q) -> array
    force        (t, q, v) -> F, all applied and inertia forces; with states (t, q, v, z)
    constraints  Constraints with functions; or their names, with gap, gradient, restitution, time_derivative given here
                 for all of them: gap (t, q) -> array, gradient (t, q) -> array with one row a gap
    joints       Joints with functions
    frictions    Frictions with functions
    stiffness    (t, q, v) -> -dF/dq, and damping (t, q, v) -> -dF/dv: arrays or functions; central differences if left
                 out
    potential    (t, q) -> V, for the energy
    power        (t, q, v) -> (input, damping): the rates at which energy enters; found from force and potential if left
                 out, and all counted as input
    states       a dictionary of auxiliary states with their start values, and rate (t, q, v, z) -> z'

    Functions must give the same for the same arguments; they are not called twice in a row for one point. They get
    arrays of their own and may keep or change them. An exception in one ends the run and is raised unchanged.
    """

    def __init__(
        self,
        coordinates: Sequence[str] | int,
        mass: Any,
        force: Callable,
        constraints: Sequence[Constraint | str] | None = None,
        *,
        gap: Callable | None = None,
        gradient: Any = None,
        restitution: Any = None,
        time_derivative: Any = None,
        stiffness: Any = None,
        damping: Any = None,
        potential: Callable | None = None,
        power: Callable | None = None,
        states: Mapping[str, float] | None = None,
        rate: Callable | None = None,
        joints: Sequence[Joint] = (),
        frictions: Sequence[Friction] = (),
    ) -> None:
        if isinstance(coordinates, (int, np.integer)) and not isinstance(coordinates, bool):
            coordinates = [f"q{i}" for i in range(int(coordinates))]
        names = _names(coordinates, "coordinates")
        n = len(names)
        if n == 0:
            raise InputError("coordinates: is empty: a model needs at least one coordinate")
        states = dict(states or {})
        if bool(states) != (rate is not None):
            raise InputError("rate: states need a function (t, q, v, z) that gives their rates, and it needs states")
        if mass is None:
            raise InputError("mass: is missing: an array, or a function (t, q) -> array")
        blocks = _blocks(constraints, gap, gradient, restitution, time_derivative)
        constraint_names = [name for block in blocks for name in block.names]
        _names(constraint_names, "constraints")
        joint_blocks = [_joint_block(_joint(joint, "functions"), n) for joint in joints]
        _names([*constraint_names, *(joint["name"] for joint in joint_blocks)], "joints")
        friction_blocks = _contact_frictions(blocks, n) + [_friction_block(_friction(one), n) for one in frictions]
        own = [block["name"] for block in friction_blocks if block["constraint"] < 0]
        _names([*constraint_names, *(joint["name"] for joint in joint_blocks), *own], "frictions")
        parts = {
            "coordinates": names,
            "constraints": constraint_names,
            "states": _names(list(states), "states"),
            "initial": [_convert.number(z, f"states.{name}") for name, z in states.items()],
            "mass": mass if callable(mass) else _convert.square(mass, n, "mass"),
            "force": _function(force, "force"),
            "blocks": [_block(block, n) for block in blocks],
            "joints": joint_blocks,
            "frictions": friction_blocks,
        }
        for key, matrix in (("stiffness", stiffness), ("damping", damping)):
            parts[key] = matrix if matrix is None or callable(matrix) else _convert.square(matrix, n, key)
        for key, function in (("potential", potential), ("power", power), ("rate", rate)):
            parts[key] = None if function is None else _function(function, key)
        super().__init__(_core.callable_model(parts))


def _names(names: Any, field: str) -> list[str]:
    if isinstance(names, str) or not isinstance(names, (Sequence, np.ndarray)):
        raise InputError(f"{field}: must be a list of names, got {names!r}")
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(f"{field}: names must be text, got {name!r}")
        if list(names).count(name) > 1:
            raise InputError(f"{field}: the name '{name}' is taken twice")
    return [str(name) for name in names]


def _function(item: Any, field: str) -> Callable:
    if not callable(item):
        raise InputError(f"{field}: must be a function, got {type(item).__name__}")
    return item


def _constraint(item: Any, wanted: str) -> Constraint:
    if not isinstance(item, Constraint):
        raise InputError(f"constraints: must be a list of ricochet.Constraint with {wanted}, got {item!r}")
    return item


def _add_stops(table: dict, constraints: Sequence[Constraint | Stop]) -> None:
    """Stops and constraints into a [model] table, each to its kind."""
    stops = [item.table() for item in constraints if isinstance(item, Stop)]
    rows = [_constraint(item, "normal or gap").table() for item in constraints if not isinstance(item, Stop)]
    if stops:
        table["stops"] = [*table.get("stops", []), *stops]
    if rows:
        table["constraint"] = [*table.get("constraint", []), *rows]


def _joint(item: Any, wanted: str) -> Joint:
    if not isinstance(item, Joint):
        raise InputError(f"joints: must be a list of ricochet.Joint with {wanted}, got {item!r}")
    return item


def _add_joints(table: dict, joints: Sequence[Joint]) -> None:
    """Joints into a [model] table: those of a coordinate or point in the list "joints", the others in "joint"."""
    for joint in joints:
        item = _joint(joint, "equation, rate, normal, dof or at").table()
        key = "joints" if joint._is_held else "joint"
        table[key] = [*(table.get(key) or []), item]


def _friction(item: Any) -> Friction:
    if not isinstance(item, Friction):
        raise InputError(f"frictions: must be a list of ricochet.Friction, got {item!r}")
    return item


def _add_frictions(table: dict, frictions: Sequence[Friction]) -> None:
    items = [_friction(item).table() for item in frictions]
    if items:
        table["friction"] = [*(table.get("friction") or []), *items]


def _slip_table(item: Any, place: str) -> dict:
    """Formulas, or weights of the velocities."""

    def slip(key: str) -> Any:
        value = getattr(item, key)
        formulas = isinstance(value, str) or (isinstance(value, (list, tuple)) and any(isinstance(one, str) for one in value))
        return value if formulas else _weights(value, f"{place}.{key}")

    keys = ("slip", "second_slip")
    return {**{key: slip(key) for key in keys}, **{f"{key}_offset": getattr(item, f"{key}_offset") for key in keys}}


def _friction_table(item: Any, place: str) -> dict:
    functions = callable(item.friction) or callable(item.slip) or callable(item.tangential_restitution)
    if functions or getattr(item, "slip_gradient", None) is not None or getattr(item, "slip_drift", None) is not None:
        raise InputError(f"{place}: functions are for ricochet.Model; give a formula here")
    own = {"friction": item.friction, "tangential_restitution": item.tangential_restitution}
    return {**own, **_slip_table(item, place)}


def _weights(normal: Any, field: str) -> Any:
    """A normal as a table from coordinates to weights."""
    if normal is None or isinstance(normal, Mapping):
        return normal
    weights = _convert.numbers(normal, field)
    return {int(i): float(weights[i]) for i in np.flatnonzero(weights)}


def _constant_load(load: Any, M: Any, matrices: dict) -> dict:
    n = matrices[_scenario.in_memory("mass")][0]
    array = _convert.numbers(load, "load")
    if array.shape != (n,):
        raise InputError(f"load: must be {n} numbers, one a coordinate, got an array of shape {array.shape}")
    return {str(i): float(array[i]) for i in np.flatnonzero(array)} or None


def _blocks(constraints: Any, gap: Any, gradient: Any, restitution: Any, time_derivative: Any) -> list[Constraint]:
    """The constraints as functions: their own, or one for all of the names."""
    if gap is None:
        if gradient is not None or restitution is not None or time_derivative is not None:
            raise InputError("gap: is missing: gradient, restitution and time_derivative belong to it")
        return [_constraint(item, "functions") for item in constraints or []]
    if constraints is None:
        constraints = ["contact"]
        if restitution is not None and not callable(restitution) and np.ndim(restitution) == 1:
            constraints = [f"contact{i}" for i in range(len(restitution))]
    names = _names(constraints, "constraints")
    return [Constraint(names, gap, restitution, gradient=gradient, time_derivative=time_derivative)]


def _joint_block(joint: Joint, n: int) -> dict:
    """A joint as the compiled part takes it."""
    if not isinstance(joint.name, str) or not joint.name:
        raise InputError(f"joints: names must be text, got {joint.name!r}")
    place = f"joint {joint.name}"
    if joint.normal is not None or joint.offset is not None or joint._is_held or joint.displacement is not None:
        raise InputError(
            f"{place}: normal, offset, dof, at and displacement are for matrices, bars and beams; give equation or rate here"
        )
    if (joint.equation is None) == (joint.rate is None):
        raise InputError(f"{place}: give equation, a function (t, q), or rate, a function (t, q, v): one of the two")
    for key, function in (("equation", joint.equation), ("rate", joint.rate)):
        if function is not None and not callable(function):
            raise InputError(f"{place}.{key}: formulas are for ricochet.Lagrangian; give a function here")
    if isinstance(joint.rows, bool) or not isinstance(joint.rows, (int, np.integer)) or joint.rows < 1:
        raise InputError(f"{place}.rows: must be a whole number, 1 or more, got {joint.rows!r}")
    drift = joint.drift
    if drift is not None and not callable(drift):
        drift = np.ascontiguousarray(_broadcast(drift, (joint.rows,), f"{place}.drift"))
    return {
        "name": joint.name,
        "rows": int(joint.rows),
        "equation": joint.equation,
        "rate": joint.rate,
        "gradient": _gradient(joint.gradient, joint.rows, n, place),
        "drift": drift,
    }


def _slip_block(place: str, slip: Any, rows: Any, gradient: Any, drift: Any, bound: Any, key: str, n: int) -> dict:
    """Slips and their bound as the compiled part takes them."""
    if not callable(slip):
        raise InputError(f"{place}.slip: must be a function (t, q, v), got {slip!r}")
    if isinstance(rows, bool) or rows not in (1, 2):
        raise InputError(f"{place}: has one slip in the plane, or two in space, got {rows!r}")
    if drift is not None and not callable(drift):
        drift = np.ascontiguousarray(_broadcast(drift, (rows,), f"{place}.drift"))
    if not callable(bound):
        bound = np.ascontiguousarray(_broadcast(bound, (1,), f"{place}.{key}"))
        if not bound[0] >= 0.0:
            raise InputError(f"{place}.{key}: must be at least 0, got {bound[0]:g}")
    slips = {"rows": int(rows), "rate": slip, "gradient": _gradient(gradient, rows, n, place), "drift": drift}
    return {**slips, "bound": bound, "tangential_restitution": np.zeros(1)}


def _friction_block(friction: Friction, n: int) -> dict:
    if not isinstance(friction.name, str) or not friction.name:
        raise InputError(f"frictions: names must be text, got {friction.name!r}")
    place = f"friction {friction.name}"
    if friction.slip_offset is not None or friction.second_slip is not None:
        raise InputError(f"{place}: slip_offset and second_slip are for ricochet.Linear; give drift and rows here")
    if friction.limit is None:
        raise InputError(f"{place}.limit: is missing: the largest force, a number or a function (t, q)")
    slips = (friction.slip, friction.rows, friction.gradient, friction.drift)
    return {"name": friction.name, "constraint": -1, **_slip_block(place, *slips, friction.limit, "limit", n)}


def _contact_frictions(blocks: list[Constraint], n: int) -> list[dict]:
    """Those of the contacts, in their order; a coefficient that is the number 0 is none."""
    result = []
    first = 0
    for block in blocks:
        place = f"constraint {', '.join(block.names)}"
        constraint, first = first, first + len(block.names)
        if block.friction is None:
            if block.slip is not None or block.tangential_restitution is not None:
                raise InputError(f"{place}.slip: goes with friction: give friction = μ too")
            continue
        if len(block.names) != 1:
            raise InputError(f"{place}.friction: give each contact with friction a Constraint of its own")
        if block.slip is None:
            raise InputError(f"{place}.slip: is missing: the sliding velocity of the contact point, a function (t, q, v)")
        slips = (block.slip, block.slips, block.slip_gradient, block.slip_drift)
        item = _slip_block(place, *slips, block.friction, "friction", n)
        e = block.tangential_restitution
        if e is not None:
            item["tangential_restitution"] = e if callable(e) else np.ascontiguousarray(_broadcast(e, (1,), place))
        if not callable(block.friction) and item["bound"][0] == 0.0:
            continue
        result.append({"name": block.names[0], "constraint": constraint, **item})
    return result


def _gradient(gradient: Any, size: int, n: int, place: str) -> Any:
    """A function, or one row of n numbers for each of `size`."""
    if gradient is None or callable(gradient):
        return gradient
    gradient = _convert.numbers(gradient, f"{place}.gradient")
    if gradient.size != size * n or gradient.shape[-1] != n:
        raise InputError(f"{place}.gradient: must be an array of shape ({size}, {n}), got {gradient.shape}")
    return gradient


def _block(block: Constraint, n: int) -> dict:
    """A constraint as the compiled part takes it."""
    names = block.names
    place = f"constraint {', '.join(names)}"
    size = len(names)
    if block.normal is not None or block.offset is not None:
        raise InputError(f"{place}: normal and offset are for ricochet.Linear; give gap and gradient here")
    if isinstance(block.gap, str):
        raise InputError(f"{place}.gap: formulas are for ricochet.Lagrangian; give a function (t, q) here")
    restitution = block.restitution
    if block.dissipation_index is not None:
        if restitution is not None:
            raise InputError(f"{place}: give restitution or dissipation_index, not both")
        d = _convert.numbers(block.dissipation_index, f"{place}.dissipation_index")
        restitution = (1.0 - d) / (1.0 + d)
    if restitution is None:
        raise InputError(f"{place}: restitution is missing: a number in [0, 1]")

    def per_gap(item: Any, key: str) -> Any:
        if item is None or callable(item):
            return item
        return np.ascontiguousarray(_broadcast(item, (size,), f"{place}.{key}"))

    return {
        "name": place,
        "size": size,
        "gap": _function(block.gap, f"{place}.gap"),
        "gradient": _gradient(block.gradient, size, n, place),
        "time_derivative": per_gap(block.time_derivative, "time_derivative"),
        "restitution": per_gap(restitution, "restitution"),
    }


def _broadcast(item: Any, shape: tuple[int, ...], field: str) -> np.ndarray:
    array = _convert.numbers(item, field)
    if array.size != 1 and array.shape != shape:
        raise InputError(f"{field}: must be a number or {shape[0]} of them, got an array of shape {array.shape}")
    return np.broadcast_to(array.reshape(-1) if array.size == 1 else array, shape)
