"""The program under test, and the scenario the tests begin from."""

import json
import os
import pathlib
import re
import subprocess

import pytest

PROGRAM = os.path.abspath(os.environ.get("RICOCHET", "build/ricochet"))
# With a sanitizer the program takes ten times as long or more: what is to take a while is shortened.
SANITIZED = b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


def pytest_collection_modifyitems(items):
    """One case in so many, where GoogleTest is told the same (tools/test.sh)."""
    items[:] = items[:: int(os.environ.get("GTEST_TOTAL_SHARDS", "1"))]


BALL = """\
title = "Ball on a floor"

[model]
coordinates = ["x"]
parameters = { m = 1.0, g = 9.81 }
kinetic = "m*x_dot^2/2"
potential = "m*g*x"

[[model.constraint]]
name = "floor"
gap = "x"
restitution = 0.9

[initial]
q = { x = 1.0 }

[time]
until = 3.0
step = 1e-3
"""


PENDULUM = """\
title = "Pendulum in Cartesian coordinates"

[model]
coordinates = ["x", "y"]
parameters = { m = 1.0, l = 1.0, g = 9.81 }
kinetic = "m*(x_dot^2 + y_dot^2)/2"
potential = "m*g*y"

[[model.joint]]
name = "string"
equation = "(x^2 + y^2 - l^2)/(2*l)"

[initial]
q = { x = "l*sin(2.0)", y = "-l*cos(2.0)" }

[time]
until = 2.0
step = 1e-3
"""


def data_of(page):
    """What a page draws."""
    text = page.read_text()
    if "This page is plain" in text:
        pytest.skip("plain pages draw nothing")
    return json.loads(re.search(r'id="ricochet-data"[^>]*>(.*?)</script>', text, re.S).group(1))


class Ricochet:
    """Runs the program in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.program = PROGRAM

    def write(self, text, name="ball.toml"):
        """A scenario file."""
        data = text if isinstance(text, bytes) else text.encode()
        (self.folder / name).write_bytes(data)
        return name

    def __call__(self, *arguments, timeout=600, **options):
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(
            [self.program, *arguments],
            cwd=self.folder,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=timeout,
            **options,
        )

    def json(self, *arguments):
        """The JSON of a command that must succeed."""
        result = self(*arguments, "--json")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def ricochet(tmp_path):
    return Ricochet(tmp_path)


@pytest.fixture
def ball():
    return BALL


@pytest.fixture
def pendulum():
    """On a string of length 1, let go at an angle of 2 rad; the string is a joint."""
    return PENDULUM
