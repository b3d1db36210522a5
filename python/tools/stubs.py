#!/usr/bin/env python3
"""Writes ricochet/schemes.pyi and ricochet/solvers.pyi from the catalogues. The module must be on PYTHONPATH.

    PYTHONPATH=build/python python3 python/tools/stubs.py            writes them
    PYTHONPATH=build/python python3 python/tools/stubs.py --check    only says which are out of date
"""

import pathlib
import sys

from ricochet import _catalogue, _core

HEAD = '''"""{title} Made by python/tools/stubs.py from the catalogue."""

from typing import Literal

from ._catalogue import {base} as {base}

def all() -> list[type[{base}]]: ...
def find(name: str) -> type[{base}]: ...
'''


def scheme_stub(entry):
    lines = [f"class {_catalogue.class_name(entry['name'])}(Scheme):", f'    """{entry["summary"]}"""', ""]
    arguments = []
    for spec in entry["parameters"]:
        words = ", ".join(f'"{word}"' for word in spec["words"])
        kind = "bool" if _catalogue.is_flag(spec) else f"Literal[{words}]" if words else "int" if spec["whole"] else "float"
        default = f'"{spec["default"]}"' if isinstance(spec["default"], str) else repr(spec["default"])
        lines.append(f"    {spec['name']}: {kind}  # {_catalogue.allowed(spec)}")
        arguments.append(f"{spec['name']}: {kind} = {default}")
    inside = ", *, " + ", ".join(arguments) if arguments else ""
    return "\n".join([*lines, f"    def __init__(self{inside}) -> None: ..."]) + "\n"


def solver_stub(entry):
    return (
        f'class {_catalogue.class_name(entry["name"])}(Solver):\n    """{entry["summary"]}"""\n\n'
        "    def __init__(self, tolerance: float = 0.0, max_iterations: int = 0, relaxation: float = 1.0) -> None: ...\n"
    )


def stubs():
    """The text of each file by its name."""
    schemes = HEAD.format(title="The time integrators.", base="Scheme")
    solvers = HEAD.format(title="The solvers of contact problems.", base="Solver").replace("from typing import Literal\n\n", "")
    return {
        "schemes.pyi": schemes + "".join("\n" + scheme_stub(entry) for entry in _core.catalogue()),
        "solvers.pyi": solvers + "".join("\n" + solver_stub(entry) for entry in _core.solvers()),
    }


def main():
    folder = pathlib.Path(__file__).resolve().parents[1] / "ricochet"
    bad = [name for name, text in stubs().items() if not (folder / name).exists() or (folder / name).read_text() != text]
    if "--check" in sys.argv:
        print("".join(f"{name} is out of date: run python/tools/stubs.py\n" for name in bad), end="")
        return 1 if bad else 0
    for name, text in stubs().items():
        (folder / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
