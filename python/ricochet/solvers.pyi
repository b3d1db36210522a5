"""The solvers of contact problems. Made by python/tools/stubs.py from the catalogue."""

from ._catalogue import Solver as Solver

def all() -> list[type[Solver]]: ...
def find(name: str) -> type[Solver]: ...

class Automatic(Solver):
    """chooses by size, form and whether the last step's contacts are at hand"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...

class Lemke(Solver):
    """exact pivoting for small dense problems"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...

class ActiveSet(Solver):
    """primal-dual active set (semismooth Newton) with a safeguard that always ends"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...

class InteriorPoint(Solver):
    """predictor-corrector for large or cold problems"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...

class GaussSeidel(Solver):
    """projected Gauss-Seidel with over-relaxation, for comparison"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...

class AlartCurnier(Solver):
    """Newton's method for friction on Alart and Curnier's equations"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...

class ProjectedGradient(Solver):
    """accelerated projected gradient with restart, for comparison"""

    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...
