"""The program ricochet, which comes with the module."""

import pathlib
import shutil


def program():
    """The program that came with this module, or else the one on the path."""
    beside = pathlib.Path(__file__).with_name("_ricochet")
    return str(beside) if beside.exists() else shutil.which("ricochet")
