"""Solutions: views of the run's own memory, safe after everything else is gone; tables, pages, pictures."""

import gc
import sys
import types

import numpy as np
import pytest

import ricochet as rc
from conftest import fly

ARRAYS = ["t", "q", "v", "z", "gap", "rate", "impulse", "slip", "friction", "reaction", "observed", "observed_rate"]


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_are_views(ball):
    sol = fly(ball)
    for name in ("t", "q", "v", "gap", "rate", "impulse"):
        array = getattr(sol, name)
        assert address(array) == sol._recording.address(name) == address(getattr(sol, name)), name
        assert not array.flags.owndata and not array.flags.writeable and array.flags.c_contiguous
    for name in rc.solution.EnergySeries.names:
        stored = "friction_work" if name == "friction" else name
        assert address(getattr(sol.energy, name)) == sol._recording.address(stored)
    assert np.shares_memory(sol.impacts, sol.impacts) and not sol.impacts.flags.owndata
    assert np.shares_memory(sol["x"], sol.q) and np.shares_memory(sol["floor.gap"], sol.gap)


def test_shapes():
    sol = rc.run("gallery:energy-harvester", until=0.01)
    n = len(sol)
    assert [getattr(sol, name).shape for name in ARRAYS] == [(n,), (n, 1), (n, 1), (n, 1), (n, 2), (n, 2), (n, 2), (n, 0), (n, 0), (n, 0), (n, 0), (n, 0)]
    free = rc.simulate(rc.Lagrangian(["x"], "x_dot^2/2"), (0, 1), [0.0], h=0.5)
    assert free.gap.shape == (3, 0) and free.impacts.shape == (0,) and free.z.shape == (3, 0)


def test_arrays_are_read_only(ball):
    sol = fly(ball)
    for array in (sol.q, sol.impacts, sol.energy.total):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_arrays_outlive_the_solution(ball):
    sol = fly(ball)
    kept = {name: getattr(sol, name) for name in ("t", "q", "impulse")}
    impacts, column, part = sol.impacts, sol["x"], sol.energy.total[10:20:2]
    copies = {name: array.copy() for name, array in kept.items()}, impacts.copy(), column.copy(), part.copy()
    del sol
    gc.collect()
    # Memory that is free now would be used by these.
    others = [fly(ball).q + 1.0 for _ in range(20)]
    assert others
    assert all(np.array_equal(kept[name], copies[0][name]) for name in kept)
    assert np.array_equal(impacts, copies[1]) and np.array_equal(column, copies[2]) and np.array_equal(part, copies[3])


def test_memory_is_freed(ball):
    """Neither solutions nor arrays hold on to memory: 100 runs of 8 MB take no more than a few."""
    resource = pytest.importorskip("resource")

    def used():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(3):
        fly(ball, h=5e-5).q.sum()
    before = used()
    for _ in range(40):
        fly(ball, h=5e-5).q.sum()
    assert used() - before < 40_000  # kB


def test_reactions_of_joints(pendulum, tmp_path):
    sol = rc.run(pendulum)
    assert sol.joints == ("string.reaction.1",) and sol.reaction.shape == (len(sol), 1)
    assert address(sol.reaction) == sol._recording.address("reaction") and not sol.reaction.flags.writeable
    assert sol.reaction[0, 0] == pytest.approx(-9.81 * np.cos(2.0), rel=1e-14)
    assert sol["string.reaction.1"][-1] == pytest.approx(-37.59465531542795, rel=0.01)
    names = list(sol.columns())
    assert names[5:7] == ["string.reaction.1", "energy.kinetic"]
    for ending in ("h5", "npz", "csv"):
        sol.save(tmp_path / f"run.{ending}")
        loaded = rc.load(tmp_path / f"run.{ending}")
        assert loaded.joints == sol.joints and np.array_equal(loaded.reaction, sol.reaction), ending
    sol.report(tmp_path / "run.html")
    assert "string.reaction.1" in (tmp_path / "run.html").read_text(encoding="utf-8")


# In the plane and in space.
@pytest.mark.parametrize("slips", [("x_dot - R*phi_dot",), ("x_dot - R*phi_dot", "z_dot")])
def test_slips_and_friction(slips, tmp_path):
    scenario = {
        "model": {
            "coordinates": ["x", "z", "y", "phi"],
            "parameters": {"m": 1.0, "R": 0.2, "g": 9.81},
            "kinetic": "m*(x_dot^2 + y_dot^2 + z_dot^2)/2 + m*R^2*phi_dot^2/4",
            "potential": "m*g*y",
            "constraint": [{"name": "floor", "gap": "y - R", "restitution": 0.5, "friction": 0.15, "slip": list(slips)}],
            "friction": [{"name": "brake", "slip": "phi_dot - 1", "limit": 1e-3}],
        },
        "initial": {"q": {"x": 0.0, "z": 0.0, "y": 1.2, "phi": 0.0}, "v": {"x": 3.0, "z": 1.0, "phi": -10.0}},
        "time": {"until": 1.0, "step": 1e-3},
    }
    sol = rc.run(scenario)
    names = ["floor.slip"] if len(slips) == 1 else ["floor.slip.1", "floor.slip.2"]
    assert sol.slips == (*names, "brake.slip") and sol.slip.shape == sol.friction.shape == (len(sol), len(slips) + 1)
    assert np.allclose(sol.slip[:, 0], sol["x_dot"] - 0.2 * sol["phi_dot"], rtol=1e-14, atol=1e-14)
    assert sol["brake.friction"] is not None and np.array_equal(sol["brake.slip"], sol.slip[:, -1])
    assert sol.energy.friction[-1] == sol.ledger.friction < 0
    impact = sol.impacts[0]
    assert np.linalg.norm(impact["friction_impulse"]) == pytest.approx(0.15 * impact["impulse"], rel=1e-9)
    assert rc.SLIP_STATUSES[impact["status"]] == "slide" and np.shape(impact["slip_minus"]) == ((), (2,))[len(slips) - 1]
    for ending in ("h5", "npz", "csv"):
        sol.save(tmp_path / f"run.{ending}")
        loaded = rc.load(tmp_path / f"run.{ending}")
        assert loaded.slips == sol.slips and list(loaded.columns()) == list(sol.columns())
        assert np.array_equal(loaded.slip, sol.slip) and np.array_equal(loaded.friction, sol.friction), ending
        assert all(np.array_equal(loaded.impacts[name], sol.impacts[name]) for name in sol.impacts.dtype.names), ending
    assert list(sol.columns()) == (tmp_path / "run.csv").read_text().split("\n")[0].split(",")
    assert "slide" in sol._repr_html_() and "friction" in sol._repr_html_()


def test_impacts_are_records(ball):
    impacts = fly(ball).impacts
    assert impacts.dtype.names == ("t", "constraint", "rate_minus", "rate_plus", "impulse", "energy_loss", "discontinuous")
    assert impacts["constraint"].dtype == np.int32 and impacts["discontinuous"].dtype == bool
    # m ΔU, and the weight for one step.
    assert np.allclose(impacts["impulse"], impacts["rate_plus"] - impacts["rate_minus"], rtol=0, atol=9.82e-3)


def test_columns(ball):
    sol = fly(ball)
    names = ["t", "x", "x_dot", "floor.gap", "floor.rate", "floor.impulse", "energy.kinetic", "energy.potential", "energy.total", "event"]
    assert list(sol.columns()) == names
    with pytest.raises(KeyError, match="did you mean"):
        sol["floor.gapp"]
    with pytest.raises(AttributeError, match="kinetic"):
        sol.energy.kinetik


def test_record_every(ball):
    assert len(fly(ball, record_every=10)) == 301
    few = fly(ball, record_every=0)
    assert len(few) == 2 and len(few.impacts) == 4
    assert np.array_equal(few.q[-1], fly(ball).q[-1])


def test_html(ball):
    sol = fly(ball)
    html = sol._repr_html_()
    assert "<svg" in html and "rate_minus" in html and html.count("<table") == html.count("</table>") == 2
    assert "<script>" not in rc.run("gallery:bouncing-ball", set={"title": "<script>"})._repr_html_()
    assert "4 impacts" in repr(sol)


def test_report(ball, tmp_path):
    fly(ball).report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().lower().startswith("<!doctype html>")
    with pytest.raises(rc.FileError):
        fly(ball).report(tmp_path / "missing" / "page.html")


# matplotlib and pandas: real ones where they are, otherwise stand-ins that note what is asked of them.

class Axes:
    def __init__(self, figure):
        self.figure, self.curves, self.labels = figure, [], {}

    def plot(self, x, y, **options):
        assert len(x) == len(y)
        self.curves.append((np.asarray(x), np.asarray(y), options.get("label")))

    def __getattr__(self, name):
        if name.startswith("set_"):
            return lambda value: self.labels.__setitem__(name[4:], value)
        if name == "legend":
            return lambda **options: None
        raise AttributeError(name)


class Figure:
    axes = ()


@pytest.fixture
def pyplot(monkeypatch):
    def subplots(rows=1, cols=1, squeeze=True, **options):
        figure = Figure()
        axes = np.array([[Axes(figure) for _ in range(cols)] for _ in range(rows)])
        figure.axes = list(axes.ravel())
        return figure, axes if not squeeze else axes[0, 0]

    module = types.ModuleType("matplotlib.pyplot")
    module.subplots = subplots
    parent = types.ModuleType("matplotlib")
    parent.pyplot = module
    monkeypatch.setitem(sys.modules, "matplotlib", parent)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", module)


def test_plots(pyplot, ball):
    sol = fly(ball)
    panels = sol.plot().axes
    assert [len(ax.curves) for ax in panels] == [1, 1, 3]
    assert np.array_equal(panels[0].curves[0][1], sol.q[:, 0]) and panels[-1].labels["xlabel"] == "t"
    assert [ax.curves[0][2] for ax in sol.plot("x", "floor.gap").axes] == ["x", "floor.gap"]
    portrait = sol.phase_portrait().axes[0]
    assert np.array_equal(portrait.curves[0][0], sol["x"]) and portrait.labels == {"xlabel": "x", "ylabel": "x_dot"}
    own = Axes(Figure())
    assert sol.phase_portrait("x", ax=own) is own.figure and len(own.curves) == 1
    with pytest.raises(KeyError):
        sol.plot("y")


def test_plots_with_matplotlib(ball):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = fly(ball).plot()
    assert len(figure.axes) == 3 and len(fly(ball).phase_portrait().axes) == 1
    matplotlib.pyplot.close("all")


def test_without_matplotlib_and_pandas(monkeypatch, ball):
    for name in ("matplotlib", "matplotlib.pyplot", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="a plot needs matplotlib, which is not installed"):
        fly(ball).plot()
    with pytest.raises(ImportError, match="a data frame needs pandas, which is not installed"):
        fly(ball).to_dataframe()


def test_data_frame(monkeypatch, ball):
    class Frame(dict):
        def set_index(self, name):
            self.index = self.pop(name)
            return self

    module = types.ModuleType("pandas")
    module.DataFrame = Frame
    monkeypatch.setitem(sys.modules, "pandas", module)
    sol = fly(ball)
    frame = sol.to_dataframe()
    assert np.array_equal(frame.index, sol.t) and np.array_equal(frame["x"], sol.q[:, 0])
    assert sol.impacts_dataframe()["constraint"] == ["floor"] * 4


def test_data_frame_with_pandas(ball):
    pytest.importorskip("pandas")
    sol = fly(ball)
    frame = sol.to_dataframe()
    assert list(frame.columns)[:2] == ["x", "x_dot"] and frame.index.name == "t" and len(frame) == 3001
    assert list(sol.impacts_dataframe()["constraint"]) == ["floor"] * 4


def test_analyse():
    """Rates, means and extremes against the solution's own columns; what is no result is refused."""
    model = rc.Lagrangian(
        coordinates=["x"], kinetic="x_dot^2", potential="4*x^2", dissipation="0.2*x_dot^2", force={"x": "cos(1.5*t)"},
        constraints=[rc.Constraint("stop", gap="0.1 - x", restitution=0.6)],
    )  # fmt: skip
    solution = rc.simulate(model, t_span=(0, 30), q0=[0.0], scheme="event-driven", h=0.01)
    found = rc.analyse(solution, window=(5, 30), force_window=0.01)
    hits = solution.impacts[solution.impacts["t"] >= 5]
    stop = found["stop"]
    assert stop.impacts == len(hits) > 5 and stop.impact_rate == pytest.approx(len(hits) / 25, rel=1e-12)
    assert stop.speed.mean == pytest.approx(np.abs(hits["rate_minus"]).mean(), rel=1e-12)
    assert stop.mean_force == pytest.approx(hits["impulse"].sum() / 25, rel=1e-12)
    assert stop.impact_work_rate == pytest.approx(hits["energy_loss"].sum() / 25, rel=1e-12)
    assert stop.peak_force == pytest.approx(hits["impulse"].max() / 0.01, rel=1e-12)
    assert found["x"].max == pytest.approx(0.1, abs=1e-12)
    with pytest.raises(rc.InputError, match="must be a solution or the name of a result file, got int"):
        rc.analyse(5)
