"""python -m ricochet, and the command ricochet of a wheel: the program, with the arguments as they are."""

import os
import sys

from ._program import program


def main():
    path = program()
    if path is None:
        sys.exit("error: the program ricochet is neither beside the Python module nor on the path; make build builds it")
    os.execv(path, ["ricochet", *sys.argv[1:]])


if __name__ == "__main__":
    main()
