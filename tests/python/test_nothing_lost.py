"""What is written never replaces what was read."""

import os

import h5py
import pytest

import ricochet as rc

BALL = """\
[model]
kind = "linear"
mass = [[1.0]]
stiffness = [[4.0]]
loads = [{ dof = 0, file = "load.csv" }]
[[model.constraint]]
name = "stop"
normal = { 0 = 1.0 }
offset = 0.5
restitution = 0.5
[time]
until = 1.0
step = 0.01
[sweep]
axis = [{ parameter = "model.constraint.stop.restitution", range = [0.1, 0.9], count = 2 }]
record = "impacts"
transient = 0.1
duration = 0.5
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "load.csv").write_text("\n".join(["t,f", *(f"{0.01 * i},{i}" for i in range(101))]))
    (tmp_path / "a.toml").write_text(BALL)
    os.link("a.toml", "hard.h5")
    os.symlink("load.csv", "soft.csv")
    rc.run("a.toml").save("r.h5")
    os.link("r.h5", "other.h5")
    return tmp_path


def study(**options):
    return rc.converge("a.toml", steps=[0.02, 0.01], phases=1, **options)


@pytest.mark.parametrize(
    "write",
    [
        lambda: rc.run("a.toml", output="hard.h5"),
        lambda: rc.run("a.toml", output="soft.csv"),
        lambda: rc.run("a.toml").save("load.csv"),
        lambda: rc.run("a.toml").save("hard.h5"),
        lambda: rc.run("a.toml").report("a.toml"),
        lambda: rc.load("r.h5").report("r.h5"),
        lambda: rc.load("r.h5").save("other.h5"),
        lambda: study().save("hard.h5"),
        lambda: study().report("soft.csv"),
        lambda: study(reference="r.h5").save("other.h5"),
        lambda: rc.sweep("a.toml", output="hard.h5"),
        lambda: rc.sweep("a.toml", output="new.h5", csv="load.csv"),
    ],
)
def test_outputs_never_replace_inputs(folder, write):
    def files():
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    before = files()
    with pytest.raises(rc.InputError, match="would replace"):
        write()
    assert files() == before


def test_other_files_are_written(folder):
    solution = rc.run("a.toml", output="one.h5")
    solution.save("two.h5")
    solution.report("page.html")
    study().save("study.h5")
    rc.load("one.h5").save("three.h5")
    assert all(h5py.is_hdf5(name) for name in ("one.h5", "two.h5", "three.h5", "study.h5"))
