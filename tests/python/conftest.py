"""The module under test, the program beside it, and the problems the tests begin from."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import ricochet as rc

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("RICOCHET")


@pytest.fixture
def program(tmp_path):
    """Runs the program in a folder of its own."""
    if not PROGRAM:
        pytest.skip("the program was not built")

    def run(*arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=600)

    return run


def make_ball(e=0.9):
    return rc.Lagrangian(
        coordinates=["x"],
        kinetic="m*x_dot^2/2",
        potential="m*g*x",
        constraints=[rc.Constraint("floor", gap="x", restitution=e)],
        parameters={"m": 1, "g": 9.81},
    )


@pytest.fixture
def pendulum():
    """On a string of length 1, let go at an angle of 2 rad; the string is a joint."""
    return {
        "model": {
            "coordinates": ["x", "y"],
            "parameters": {"m": 1, "l": 1, "g": 9.81},
            "kinetic": "m*(x_dot^2 + y_dot^2)/2",
            "potential": "m*g*y",
            "joint": [{"name": "string", "equation": "(x^2 + y^2 - l^2)/(2*l)"}],
        },
        "initial": {"q": {"x": "l*sin(2.0)", "y": "-l*cos(2.0)"}},
        "time": {"until": 2.0, "step": 1e-3},
    }


@pytest.fixture
def ball():
    return make_ball()


@pytest.fixture
def functions():
    """The same ball from Python functions, with its derivatives."""
    return rc.Model(
        ["x"],
        mass=[[1.0]],
        force=lambda t, q, v: np.array([-9.81]),
        constraints=[rc.Constraint("floor", gap=lambda t, q: q[0], gradient=[1.0], time_derivative=0.0, restitution=0.9)],
        stiffness=[[0.0]],
        damping=[[0.0]],
        potential=lambda t, q: 9.81 * q[0],
    )


def fly(model, until=3.0, h=1e-3, **options):
    return rc.simulate(model, t_span=(0, until), q0=[1.0], v0=[0.0], h=h, **options)
