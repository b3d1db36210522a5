"""ricochet: mechanical systems whose parts hit each other or their stops.

>>> import ricochet as rc
>>> sol = rc.run("gallery:bouncing-ball", scheme="moreau-jean", step=1e-3)
>>> ball = rc.Lagrangian(coordinates=["x"], kinetic="m*x_dot^2/2", potential="m*g*x",
...                      constraints=[rc.Constraint("floor", gap="x", restitution=0.9)], parameters={"m": 1, "g": 9.81})
>>> sol = rc.simulate(ball, t_span=(0, 3), q0=[1.0], v0=[0.0], scheme=rc.schemes.MoreauJean(theta=0.5), h=1e-3)
>>> sol.t, sol.q, sol.impacts, sol.ledger, sol.status  # doctest: +SKIP
"""

from . import schemes, solvers
from ._core import Error, FileError, InputError, ScenarioError, WriteError, __version__
from ._modes import Mechanics, Modes, mechanics, modes
from ._playground import playground
from .analysis import Analysis, ContactAnalysis, Distribution, QuantityAnalysis, analyse
from .models import Bar, BeadChain, BeadColumn, Beam, Constraint, Frame, Friction, Joint, Lagrangian, Linear, Model, State, Stop
from .orbits import Branches, Orbit, continue_orbit, orbit
from .running import RunWarning, gallery, load, run, simulate
from .solution import SLIP_STATUSES, Ledger, Solution, Statistics
from .studies import CheckResult, Comparison, Convergence, check, compare, converge
from .sweeps import Sweep, load_sweep, sweep

__all__ = [
    "SLIP_STATUSES",
    "Analysis",
    "Bar",
    "BeadChain",
    "BeadColumn",
    "Beam",
    "Branches",
    "CheckResult",
    "Comparison",
    "Constraint",
    "ContactAnalysis",
    "Convergence",
    "Distribution",
    "Error",
    "FileError",
    "Frame",
    "Friction",
    "InputError",
    "Joint",
    "Lagrangian",
    "Ledger",
    "Linear",
    "Mechanics",
    "Model",
    "Modes",
    "QuantityAnalysis",
    "Orbit",
    "RunWarning",
    "ScenarioError",
    "Solution",
    "State",
    "Statistics",
    "Stop",
    "Sweep",
    "WriteError",
    "__version__",
    "analyse",
    "check",
    "compare",
    "continue_orbit",
    "converge",
    "gallery",
    "load",
    "load_sweep",
    "mechanics",
    "modes",
    "orbit",
    "playground",
    "run",
    "schemes",
    "simulate",
    "solvers",
    "sweep",
]
