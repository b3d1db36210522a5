"""Files of sweeps in the layout of docs/result-files.md, made without running one:

    sweep_files.py KIND FILE

    diagram     one axis, forward and backward, exponent, period, two failures
    million     a million points
    basins      two axes of starts, attractors
    statistics  statistics with a histogram of impulses
    sample      a Latin hypercube of three axes
"""

import sys

import h5py
import numpy as np

SCENARIO = 'title = "A sweep"\n[sweep]\ntransient = 100.0\n'


def names(owner, attribute, values):
    owner.attrs.create(attribute, list(values), dtype=h5py.string_dtype())


def write(path, record, axes, values, points=None, columns=(), **more):
    """`axes`: (name, key, values of a grid, logarithmic); `points`: rows of each trajectory."""
    values = np.asarray(values, dtype=float)
    count = len(values)
    with h5py.File(path, "w") as file:
        text = {"record": record, "title": more.pop("title"), "scenario": SCENARIO, "version": "0.1.0", "scheme": "moreau-jean"}
        for name, value in text.items():
            file.attrs[name] = value
        file.attrs["both_directions"] = int(more.pop("both", False))
        file.attrs["shape"] = np.asarray(more.pop("shape"), dtype=np.int64)
        names(file, "coordinates", ["x"])
        names(file, "constraints", ["stop"])
        file["values"] = values
        names(file["values"], "columns", [axis[0] for axis in axes])
        for name, key, grid, logarithmic in axes:
            axis = file.create_dataset(f"axes/{name}", data=np.asarray(grid, dtype=float))
            axis.attrs["parameter"] = key
            axis.attrs["logarithmic"] = int(logarithmic)
        failure = more.pop("failure", {})
        file["status"] = np.array([1 if i in failure else 0 for i in range(count)], dtype=np.int32)
        sentences = [failure.get(i, "") for i in range(count)]
        file.create_dataset("failure", data=sentences, dtype=h5py.string_dtype())
        if points is not None:
            sizes = [len(rows) for rows in points]
            file["first"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            file["points"] = np.concatenate(points)
            names(file["points"], "columns", columns)
        for name, (data, data_names) in more.pop("tables", {}).items():
            file[name] = data
            if data_names:
                names(file[name], "columns", data_names)
        file["steps"] = np.full(count, 20000, dtype=np.int64)
        file["impacts"] = np.full(count, 300, dtype=np.int64)
        for name, data in more.items():
            file[name] = data


def period_of(rows):
    """How soon the first column repeats; 0 if it does not."""
    for period in range(1, 17):
        if np.all(np.abs(rows[period:] - rows[:-period]) < 1e-6):
            return period
    return 0


def logistic(rates, kept, start=0.3):
    """Points, exponents and periods of x -> r x (1 - x)."""
    x = np.full(len(rates), start)
    for _ in range(1000):
        x = rates * x * (1 - x)
    rows = np.empty((kept, len(rates)))
    sums = np.zeros(len(rates))
    for k in range(kept):
        sums += np.log(np.maximum(np.abs(rates * (1 - 2 * x)), 1e-12))
        rows[k] = x
        x = rates * x * (1 - x)
    return rows.T, sums / kept


def diagram(path, count=600, kept=100, both=True):
    rates = np.linspace(2.8, 4.0, count)
    rows, exponents = logistic(rates, kept)
    # Backward another branch is followed below r = 3.2.
    other = np.where((rates < 3.2)[:, None], 0.35 - 0.1 * (rates[:, None] - 2.8), rows)
    rows = np.concatenate([rows, other]) if both else rows
    exponents = np.concatenate([exponents, exponents]) if both else exponents
    t = np.arange(kept) * 1.0
    failure = {100: "x'' is not finite at t = 12.5", 101: "the solver found no solution: <b>residual</b> 0.3"}
    points = [np.column_stack([t, x, 2 * np.roll(x, 1) - 1]) for x in rows]
    for i in failure:
        points[i] = points[i][:0]
    write(
        path,
        "stroboscopic",
        [("r", "model.parameters.r", rates, False)],
        np.concatenate([rates, rates])[: len(rows), None],
        points,
        ["t", "x", "x_dot"],
        title="Oscillator with a stop",
        both=both,
        shape=[2, count] if both else [count],
        failure=failure,
        lyapunov=exponents,
        period=np.array([period_of(x) for x in rows], dtype=np.int64),
    )


def million(path):
    count, kept = 2000, 500
    rates = np.linspace(3.4, 4.0, count)
    rows, exponents = logistic(rates, kept)
    t = np.arange(kept) * 1.0
    write(
        path,
        "section",
        [("r", "model.parameters.r", rates, False)],
        rates[:, None],
        [np.column_stack([t, x, 2 * np.roll(x, 1) - 1]) for x in rows],
        ["t", "x", "x_dot"],
        title="A million points",
        shape=[count],
        lyapunov=exponents,
        period=np.array([period_of(x) for x in rows], dtype=np.int64),
    )


def basins(path, n=120):
    """Newton's method for z^3 = 1: three basins."""
    x, y = np.linspace(-2, 2, n), np.linspace(-1.5, 1.5, n - 20)
    z = (x[:, None] + 1j * y[None, :]).ravel()
    start = z.copy()
    for _ in range(40):
        z = z - (z**3 - 1) / (3 * z**2 + 1e-300)
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    distance = np.abs(z[:, None] - roots[None, :])
    attractor = np.where(distance.min(axis=1) < 1e-6, distance.argmin(axis=1), -1)
    write(
        path,
        "stroboscopic",
        [("x", "initial.q.x", x, False), ("x_dot", "initial.v.x", y, False)],
        np.column_stack([start.real, start.imag]),
        [np.array([[k, w.real, w.imag] for k in range(2)]) for w in z],
        ["t", "x", "x_dot"],
        title="Basins",
        shape=[len(x), len(y)],
        attractor=attractor.astype(np.int64),
        period=np.ones(len(z), dtype=np.int64),
        lyapunov=-np.abs(start) / 3 + 0.2,
    )


def statistics(path):
    w = np.geomspace(0.1, 10, 150)
    amplitude = 1 / np.sqrt((1 - w**2) ** 2 + 0.01 * w**2)
    amplitude = np.minimum(amplitude, 2.0)
    edges = np.geomspace(1e-3, 1, 25)
    bins = np.exp(-((np.log(edges[:-1])[None, :] - np.log(0.02 + 0.1 * amplitude)[:, None]) ** 2)) * 200
    data = np.column_stack([0.1 * amplitude, amplitude / np.sqrt(2), -amplitude, amplitude, 0 * w, w * amplitude, 12 * w, w, 0.1 * w, 0.3 * w, w**2])
    heads = ["x.mean", "x.rms", "x.min", "x.max", "x_dot.mean", "x_dot.rms", "impacts", "impacts_per_period", "impulse.mean", "impulse.max", "energy_lost"]
    write(
        path,
        "statistics",
        [("w", "model.parameters.w", w, True)],
        w[:, None],
        title="Statistics",
        shape=[len(w)],
        tables={"statistics": (data, heads), "histogram": (np.floor(bins), None)},
        impulse_edges=edges,
    )


def sample(path):
    generator = np.random.default_rng(7)
    values = generator.random((400, 3))
    data = np.column_stack([values[:, 0] ** 2 + values[:, 1], values[:, 1], values[:, 2]])
    write(
        path,
        "statistics",
        [(name, f"model.parameters.{name}", [], False) for name in "abc"],
        values,
        title="Sample",
        shape=[400],
        tables={"statistics": (data, ["x.mean", "x.min", "x.max"])},
    )


KINDS = {"diagram": diagram, "million": million, "basins": basins, "statistics": statistics, "sample": sample}

if __name__ == "__main__":
    KINDS[sys.argv[1]](sys.argv[2])
