"""The time integrators. Made by python/tools/stubs.py from the catalogue."""

from typing import Literal

from ._catalogue import Scheme as Scheme

def all() -> list[type[Scheme]]: ...
def find(name: str) -> type[Scheme]: ...

class Moreau(Scheme):
    """Moreau's velocity scheme: positions first, then velocities with the force at the end of the step"""

    def __init__(self) -> None: ...

class MoreauInelastic(Scheme):
    """Moreau's scheme for inelastic impacts with the force taken at the old velocity: one projection a step"""

    def __init__(self) -> None: ...

class Mabrouk(Scheme):
    """Monteiro Marques-Mabrouk: moreau after a projected velocity step on the spot"""

    def __init__(self) -> None: ...

class FeasiblePosition(Scheme):
    """Paoli's position scheme for moving obstacles: every position is admissible, impacts are inelastic"""

    start: Literal["acceleration", "plain"]  # one of acceleration, plain
    def __init__(self, *, start: Literal["acceleration", "plain"] = "acceleration") -> None: ...

class PaoliSchatzman(Scheme):
    """Paoli-Schatzman: two-step scheme for positions with the restitution inside a projection on g ≥ 0"""

    start: Literal["acceleration", "plain"]  # one of acceleration, plain
    force: Literal["central", "mabrouk", "newmark"]  # one of central, mabrouk, newmark
    def __init__(self, *, start: Literal["acceleration", "plain"] = "acceleration", force: Literal["central", "mabrouk", "newmark"] = "central") -> None: ...

class MoreauJean(Scheme):
    """Moreau-Jean θ scheme: velocity level, impacts and contact forces in one impulse per step"""

    theta: float  # 0 to 1
    forecast: float  # 0 or more
    def __init__(self, *, theta: float = 0.5, forecast: float = 0.5) -> None: ...

class MoreauJeanDissipative(Scheme):
    """Moreau-Jean with positions moved at midpoint velocity: impacts lose energy for every theta ≥ 1/2 and every e"""

    theta: float  # 0.5 to 1
    forecast: float  # 0 or more
    def __init__(self, *, theta: float = 0.6, forecast: float = 0.5) -> None: ...

class Newmark(Scheme):
    """nonsmooth Newmark: β and γ for the smooth motion, impacts as a jump of the velocity beside it"""

    choice: Literal["average-acceleration", "linear-acceleration", "fox-goodwin", "central-difference", "damped", "custom"]  # one of average-acceleration, linear-acceleration, fox-goodwin, central-difference, damped, custom
    gamma: float  # 0.5 to 1
    beta: float  # 0 to 1
    forecast: float  # 0 or more
    def __init__(self, *, choice: Literal["average-acceleration", "linear-acceleration", "fox-goodwin", "central-difference", "damped", "custom"] = "average-acceleration", gamma: float = 0.5, beta: float = 0.25, forecast: float = 0.5) -> None: ...

class Hht(Scheme):
    """nonsmooth Hilber-Hughes-Taylor: Newmark with the force taken α h before the end of the step"""

    alpha: float  # 0 to 0.333333
    forecast: float  # 0 or more
    def __init__(self, *, alpha: float = 0.1, forecast: float = 0.5) -> None: ...

class GeneralizedAlpha(Scheme):
    """nonsmooth generalized-α: damping of fast vibrations chosen by the spectral radius ρ∞"""

    rho_infinity: float  # 0 to 1
    forecast: float  # 0 or more
    def __init__(self, *, rho_infinity: float = 0.8, forecast: float = 0.5) -> None: ...

class Nsga(Scheme):
    """nonsmooth generalized-α with contacts and joints at position and velocity level: no penetration"""

    rho_infinity: float  # 0 to 1
    def __init__(self, *, rho_infinity: float = 0.8) -> None: ...

class MoreauJeanAdaptive(Scheme):
    """Moreau-Jean with steps that follow a tolerance, by step doubling and the violation of the gaps"""

    theta: float  # 0 to 1
    forecast: float  # 0 or more
    rtol: float  # 0 or more
    atol: float  # 0 or more
    estimate: Literal["variable", "order-0", "order-1", "order-2"]  # one of variable, order-0, order-1, order-2
    violation: bool  # True or False
    violation_tolerance: float  # 0 or more
    largest_step: float  # 0 or more
    smallest_step: float  # 0 or more
    safety: float  # 0 to 1
    smallest_factor: float  # 0 to 0.9
    largest_factor: float  # 1.2 to 100
    def __init__(self, *, theta: float = 0.5, forecast: float = 0.5, rtol: float = 1e-08, atol: float = 0.0, estimate: Literal["variable", "order-0", "order-1", "order-2"] = "variable", violation: bool = True, violation_tolerance: float = 0.0, largest_step: float = 0.0, smallest_step: float = 0.0, safety: float = 0.9, smallest_factor: float = 0.2, largest_factor: float = 5.0) -> None: ...

class ExtrapolatedMoreau(Scheme):
    """Moreau's midpoint scheme, extrapolated to high order where the motion is smooth"""

    columns: int  # 1 to 6
    def __init__(self, *, columns: int = 3) -> None: ...

class D1Minus(Scheme):
    """time-discontinuous Galerkin D1-minus: velocities linear in a step, impacts at its end"""

    def __init__(self) -> None: ...

class Splitting(Scheme):
    """smooth motion by a Runge-Kutta step of high order, then the impacts at its end"""

    contact_forces: bool  # True or False
    tableau: Literal["heun", "kutta-3", "rk4", "rkf45", "dormand-prince", "dop853"]  # one of heun, kutta-3, rk4, rkf45, dormand-prince, dop853
    steps: Literal["fixed", "adaptive"]  # one of fixed, adaptive
    rtol: float  # 0 or more
    atol: float  # 0 or more
    def __init__(self, *, contact_forces: bool = True, tableau: Literal["heun", "kutta-3", "rk4", "rkf45", "dormand-prince", "dop853"] = "rkf45", steps: Literal["fixed", "adaptive"] = "fixed", rtol: float = 1e-08, atol: float = 0.0) -> None: ...

class EventDriven(Scheme):
    """impacts located on a smooth motion of order 8 or 5 with error control, contacts by index sets"""

    flow: Literal["automatic", "exact", "runge-kutta"]  # one of automatic, exact, runge-kutta
    tableau: Literal["automatic", "dormand-prince", "dop853"]  # one of automatic, dormand-prince, dop853
    rtol: float  # 1e-14 to 0.1
    atol: float  # 0 or more
    closing: float  # 1e-12 to 0.1
    gap_tolerance: float  # 0 or more
    rate_tolerance: float  # 0 to 0.01
    def __init__(self, *, flow: Literal["automatic", "exact", "runge-kutta"] = "automatic", tableau: Literal["automatic", "dormand-prince", "dop853"] = "automatic", rtol: float = 1e-08, atol: float = 0.0, closing: float = 1e-08, gap_tolerance: float = 0.0, rate_tolerance: float = 1e-10) -> None: ...

class Mannshardt(Scheme):
    """Runge-Kutta of any order at a fixed step, impacts located inside it, one Moreau step across each"""

    tableau: Literal["heun", "kutta-3", "rk4", "rkf45", "dormand-prince", "dop853", "gauss-1", "gauss-2", "gauss-3", "radau-iia-2", "radau-iia-3"]  # one of heun, kutta-3, rk4, rkf45, dormand-prince, dop853, gauss-1, gauss-2, gauss-3, radau-iia-2, radau-iia-3
    bracket: float  # 0 or more
    repeat: bool  # True or False
    def __init__(self, *, tableau: Literal["heun", "kutta-3", "rk4", "rkf45", "dormand-prince", "dop853", "gauss-1", "gauss-2", "gauss-3", "radau-iia-2", "radau-iia-3"] = "gauss-2", bracket: float = 0.0, repeat: bool = True) -> None: ...

class Penalty(Scheme):
    """compliant contacts: a spring and a damper matched to the restitution, resolved in time"""

    stiffness: float  # 0 or more
    penetration: float  # 0 or more
    steps: Literal["adaptive", "fixed"]  # one of adaptive, fixed
    slip_speed: float  # 0 or more
    tableau: Literal["dormand-prince", "dop853"]  # one of dormand-prince, dop853
    rtol: float  # 0 or more
    atol: float  # 0 or more
    flow: Literal["automatic", "exact", "runge-kutta"]  # one of automatic, exact, runge-kutta
    def __init__(self, *, stiffness: float = 0.0, penetration: float = 0.0, steps: Literal["adaptive", "fixed"] = "adaptive", slip_speed: float = 0.0, tableau: Literal["dormand-prince", "dop853"] = "dormand-prince", rtol: float = 1e-08, atol: float = 0.0, flow: Literal["automatic", "exact", "runge-kutta"] = "automatic") -> None: ...
