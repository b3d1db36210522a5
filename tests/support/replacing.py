"""A folder in which results and scenarios have several names, and what must not be written there: for the program and
for the module."""

import os

SCENARIO = """\
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


def lay_out(folder, run):
    """run(scenario, output) makes the result."""
    (folder / "load.csv").write_text("\n".join(["t,f", *(f"{0.01 * i},{i}" for i in range(101))]))
    (folder / "a.toml").write_text(SCENARIO)
    (folder / "s.csv").write_text(SCENARIO)
    run("a.toml", "r.h5")
    run("a.toml", "k.csv")
    (folder / "below").mkdir()
    os.symlink("a.toml", folder / "soft.h5")
    os.symlink("../a.toml", folder / "below" / "soft.h5")
    os.link(folder / "a.toml", folder / "hard.h5")
    os.symlink("load.csv", folder / "soft.csv")
    os.symlink("r.h5", folder / "soft.html")
    os.link(folder / "r.h5", folder / "other.h5")
    # What a result as CSV has beside it, and where links lead.
    for name in ("w", "v"):
        (folder / f"{name}.toml").write_text(SCENARIO.replace("load.csv", f"{name}.impacts.csv"))
    (folder / "b.impacts.csv").write_text(SCENARIO)
    (folder / "w.impacts.csv").write_text((folder / "load.csv").read_text())
    os.symlink("load.csv", folder / "v.impacts.csv")
    os.symlink("below/../w.csv", folder / "far.csv")
    os.symlink("k.csv", folder / "near.csv")


def files(folder):
    """What is there."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


# What is done to which file, and what it would write or read besides.
CASES = [
    ("run", "a.toml", {"output": "hard.h5"}),
    ("run", "a.toml", {"output": "soft.h5"}),
    ("run", "a.toml", {"output": "below/soft.h5"}),
    ("run", "a.toml", {"output": "load.csv"}),
    ("run", "a.toml", {"output": "soft.csv"}),
    ("run", "a.toml", {"report": "a.toml"}),
    ("run", "a.toml", {"report": "./below/../a.toml"}),
    ("run", "s.csv", {"output": "s.csv"}),
    ("report", "r.h5", {"output": "r.h5"}),
    ("report", "r.h5", {"output": "soft.html"}),
    ("converge", "a.toml", {"output": "hard.h5"}),
    ("converge", "a.toml", {"report": "soft.csv"}),
    ("converge", "a.toml", {"reference": "r.h5", "output": "other.h5"}),
    ("compare", "a.toml", {"output": "soft.h5"}),
    ("run", "w.toml", {"output": "w.csv"}),
    ("run", "w.toml", {"output": "far.csv"}),
    ("run", "v.toml", {"output": "v.csv"}),
    ("run", "b.impacts.csv", {"output": "b.csv"}),
    ("report", "k.csv", {"output": "k.impacts.csv"}),
    ("report", "near.csv", {"output": "k.impacts.csv"}),
    ("converge", "a.toml", {"reference": "k.csv", "report": "k.impacts.csv"}),
    ("sweep", "a.toml", {"output": "hard.h5"}),
    ("sweep", "a.toml", {"output": "new.h5", "csv": "load.csv"}),
]
