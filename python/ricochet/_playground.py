"""The playground: the program as a page for the browser."""

from __future__ import annotations

import os
import subprocess

from . import _core
from ._program import program


def playground(path: str | os.PathLike = "playground.html", scenario: str | os.PathLike | None = None) -> None:
    """Writes the program as one HTML page, which opens offline: the gallery, sliders, the motion while they move.

    It begins with a scenario, a file or "gallery:NAME", where one is given. The page is made by the program ricochet
    that came with this module, or else the one on the path.
    """
    command = program()
    if command is None:
        raise _core.Error("the program ricochet is neither beside the Python module nor on the path; make build builds it")
    words = [] if scenario is None else [os.fspath(scenario)]
    done = subprocess.run([command, "playground", *words, "-o", os.fspath(path)], capture_output=True, text=True)
    if done.returncode != 0:
        raise _core.InputError(done.stderr.strip().removeprefix("error: "))
