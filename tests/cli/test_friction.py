"""Friction in scenarios: names, keys on the command line, sweeps."""

import h5py
import pytest
from conftest import SANITIZED

BELT = """
[model]
coordinates = ["x"]
parameters = { m = 1.0, k = 1.0, v_b = 0.5, F_0 = 1.0, alpha = 0.2 }
kinetic = "m*x_dot^2/2"
potential = "k*x^2/2"
force = { x = "alpha*(x_dot - v_b)" }
[[model.friction]]
name = "belt"
slip = "x_dot - v_b"
limit = "F_0"
[initial]
q = { x = 0.0 }
v = { x = 0.5 }
[time]
until = 3.0
step = 1e-3
"""


def test_names_are_taken_once(ricochet):
    wall = '[[model.constraint]]\nname = "belt"\ngap = "x + 9"\nrestitution = 0.5\n'
    run = ricochet("run", ricochet.write(BELT.replace("[initial]", wall + "[initial]")))
    assert run.returncode == 2
    assert "model.friction.belt.name: the name 'belt' is taken by a constraint, joint or friction" in run.stderr
    twice = '[[model.friction]]\nname = "belt"\nslip = "x_dot"\nlimit = 1.0\n[initial]'
    run = ricochet("run", ricochet.write(BELT.replace("[initial]", twice)))
    assert run.returncode == 2 and "the name 'belt' is taken" in run.stderr


def test_a_limit_with_a_reaction(ricochet):
    wall = '[[model.constraint]]\nname = "wall"\ngap = "x + 9"\nrestitution = 0.5\n'
    text = BELT.replace("[initial]", wall + "[initial]").replace('"F_0"', '"0.3*wall.reaction"')
    run = ricochet("run", ricochet.write(text))
    assert run.returncode == 2 and "cannot contain the reaction of 'wall'" in run.stderr


def test_set(ricochet):
    """It sticks until the spring pulls with the limit, at t = limit/(k v_b)."""
    scenario = ricochet.write(BELT)
    for limit, x in [(0.5, None), (1.2, 2.4)]:
        run = ricochet.json("run", scenario, "--set", f"model.friction.belt.limit={limit}", "--until", "2.4")
        if x:
            assert run["final"]["v"][0] == pytest.approx(0.5, abs=1e-12)
            assert run["final"]["q"][0] == pytest.approx(1.2, abs=1e-9)
        else:
            assert run["final"]["v"][0] < 0.4
    run = ricochet("run", scenario, "--set", "model.friction.belt.limt=1")
    assert run.returncode == 2 and "limit" in run.stderr
    run = ricochet("run", scenario, "--set", "model.friction.belt.limit=-1")
    assert run.returncode == 2 and "model.friction.belt.limit: must be " in run.stderr


# Sweeps run in lanes where a model allows it: numbers that friction depends on may vary from lane to lane.
@pytest.mark.parametrize("key", ["model.friction.belt.limit", "model.parameters.F_0"])
def test_sweep(ricochet, key):
    limits = [0.25, 0.5, 2.0]
    sweep = f"""
[sweep]
axis = [{{ parameter = "{key}", values = {limits} }}]
duration = 3.0
period = 3.0
record = "stroboscopic"
"""
    scenario = ricochet.write(BELT + sweep)
    run = ricochet("sweep", scenario, "-o", "s.h5")
    assert run.returncode == 0, run.stderr
    with h5py.File(ricochet.folder / "s.h5", "r") as file:
        x = file["points"][:, list(file["points"].attrs["columns"]).index("x")]
    single = [ricochet.json("run", scenario, "--set", f"{key}={limit}")["final"]["q"][0] for limit in limits]
    assert x.tolist() == single


# Where all slips of the brick vanish their directions turn without bound, and implicit tables have no second solution
# near the first: what an attempt has reached must not be solved for again.
@pytest.mark.skipif(SANITIZED, reason="a long sum: a minute and a half under sanitizers")
def test_a_brick_comes_to_rest_under_an_implicit_table(ricochet):
    run = ricochet.json(
        "run", "gallery:brick-three-feet", "--scheme", "mannshardt", "--set", "scheme.tableau=gauss-2", "--step", "0.01",
        "--no-output",
    )  # fmt: skip
    assert run["status"] == "completed"
    expected = [0.1792787869675812, -0.010710132229091061, 0.05, 0.0, 0.0, 0.9352719043998173]
    assert run["final"]["q"] == pytest.approx(expected, abs=1e-7)
    assert run["final"]["v"] == pytest.approx([0.0] * 6, abs=1e-6)


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
def test_reaction_at_the_start_carries_friction(ricochet, scheme):
    """A block is drawn along a floor at constant speed: the joint pulls with μ m g, from the first row on."""
    text = """
[model]
coordinates = ["x", "y"]
kinetic = "x_dot^2 + y_dot^2"
potential = "20*y"
constraint = [{ name = "floor", gap = "y", restitution = 0.0, friction = 0.3, slip = "x_dot" }]
joint = [{ name = "rope", equation = "x - t" }]
[initial]
q = { x = 0.0, y = 0.0 }
v = { x = 1.0 }
[time]
until = 0.5
step = 1e-2
"""
    ricochet.json("run", ricochet.write(text), "--scheme", scheme, "-o", "drawn.h5")
    with h5py.File(ricochet.folder / "drawn.h5") as file:
        assert abs(file["reaction"][:, 0]) == pytest.approx(6.0, rel=1e-9)
