"""python -m ricochet, and the command ricochet of a wheel: the program, with the arguments as they are."""

import os
import pathlib
import shutil
import sys


def program():
    """The program that came with this module, or else the one on the path."""
    beside = pathlib.Path(__file__).with_name("_ricochet")
    return str(beside) if beside.exists() else shutil.which("ricochet")


def main():
    path = program()
    if path is None:
        sys.exit("error: the program ricochet is neither beside the Python module nor on the path; make build builds it")
    os.execv(path, ["ricochet", *sys.argv[1:]])


if __name__ == "__main__":
    main()
