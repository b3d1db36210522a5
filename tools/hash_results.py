#!/usr/bin/env python3
"""Shows that a change of the sources left the numbers alone: every run of the gallery under every scheme, bit for bit.

    tools/hash_results.py --program build/ricochet before.json     before the change
    tools/hash_results.py --program build/ricochet after.json      after it
    tools/hash_results.py --compare before.json after.json         lists what differs; exit code 1 if anything does

A run becomes its exit code, its complaint if it has one, and the SHA-256 of every array of its result. With --keep the
results stay beside the JSON file, in a folder of its name, and --compare says how large the differences are.
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import zipfile

AS_WRITTEN = "as written"  # the scheme that the scenario names, with the parameters it gives
VARIANTS = [  # parameters that lead through other code than the defaults do
    "moreau-inelastic:e=0",
    "feasible-position:e=0",
    "feasible-position:start=plain:e=0",
    "paoli-schatzman:force=mabrouk",
    "paoli-schatzman:force=newmark",
    "newmark:choice=central-difference",
    "moreau-jean-adaptive:estimate=order-1",
    "extrapolated-moreau:columns=6",
    "splitting:steps=adaptive",
    "splitting:contact_forces=off",
    "mannshardt:tableau=rk4",
    "mannshardt:tableau=radau-iia-3",
    "penalty:steps=fixed",
]


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def scenarios(program):
    """Name and text of every scenario that can be run."""
    names = [line.split()[0] for line in output(program, "gallery").split("\n\n")[0].splitlines()]
    return [(name, tomllib.loads(output(program, "gallery", name))) for name in names]


def schemes(program):
    return [line.split()[0] for line in output(program, "schemes").split("\n\n")[0].splitlines()]


def command(program, name, scenario, scheme, limits):
    until = min(scenario["time"]["until"], limits.steps * scenario["time"]["step"]) * limits.until_factor
    scheme_name, *parameters = scheme.split(":")
    words = [program, "run", f"gallery:{name}", "-o", "result.npz", "--until", repr(until)]
    if scheme != AS_WRITTEN:
        words += ["--scheme", scheme_name]
    for parameter in parameters:
        words += inelastic(scenario) if parameter == "e=0" else ["--set", f"scheme.{parameter}"]
    return words


def inelastic(scenario):
    """For schemes that take no other impacts."""
    names = [constraint["name"] for constraint in scenario["model"].get("constraint", [])]
    return [word for name in names for word in ("--set", f"model.constraint.{name}.restitution=0")]


def hashes(file):
    with zipfile.ZipFile(file) as archive:
        return {entry: hashlib.sha256(archive.read(entry)).hexdigest() for entry in sorted(archive.namelist())}


def kept(results, name, scheme):
    return results / f"{name}.{scheme.replace(' ', '-').replace(':', '.')}.npz"


def outcome(words, limits, keep_as):
    """Exit code, complaint and arrays of one run."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            return {"exit": "timeout"}
        found = {"exit": done.returncode, "complaint": done.stderr.strip()}
        result = pathlib.Path(folder) / "result.npz"
        if result.exists():
            found["arrays"] = hashes(result)
            if keep_as:
                keep_as.write_bytes(result.read_bytes())
        return found


def run_all(options):
    program = str(pathlib.Path(options.program).resolve())
    results = options.json[0].with_suffix("") if options.keep else None
    if results:
        results.mkdir(parents=True, exist_ok=True)
    table = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, scenario in scenarios(program):
            if options.only and name not in options.only:
                continue
            table[name] = {}
            for scheme in [AS_WRITTEN, *schemes(program), *VARIANTS]:
                words = command(program, name, scenario, scheme, options)
                table[name][scheme] = pool.submit(outcome, words, options, results and kept(results, name, scheme))
        table = {name: {scheme: run.result() for scheme, run in row.items()} for name, row in table.items()}
    options.json[0].write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    runs = [run for row in table.values() for run in row.values()]
    late = sum(run["exit"] == "timeout" for run in runs)
    print(f"{len(runs)} runs, {late} of them stopped after {options.seconds:g} s")
    return 0


def largest_difference(before, after, array):
    """How far the numbers of an array are apart, as text; empty where that cannot be said."""
    if not before.exists() or not after.exists():
        return ""
    import numpy  # only here: hashing needs none

    first, second = (numpy.load(file)[array.removesuffix(".npy")] for file in (before, after))
    if first.shape != second.shape:
        return f", shapes {first.shape} and {second.shape}"
    if first.dtype.kind not in "fiu":
        return f": {first!s:.80} and {second!s:.80}" if first.ndim == 0 else ""
    return f", {numpy.abs(first - second).max():.3g} of {numpy.abs(first).max():.3g} at most"


def differences(before, after):
    """Pairs of scenario, scheme and what is not the same. A run that one side had no time for says nothing."""
    tables = [json.loads(file.read_text()) for file in (before, after)]
    folders = [file.with_suffix("") for file in (before, after)]
    for name, scheme in sorted({(name, scheme) for table in tables for name in table for scheme in table[name]}):
        runs = [table.get(name, {}).get(scheme) for table in tables]
        if None in runs:
            yield name, scheme, "only in one of the two"
        elif runs[0] != runs[1] and "timeout" not in (runs[0]["exit"], runs[1]["exit"]):
            for key in ("exit", "complaint"):
                if runs[0][key] != runs[1][key]:
                    yield name, scheme, f"{key}: {runs[0][key]} and {runs[1][key]}"
            arrays = [run.get("arrays", {}) for run in runs]
            for array in sorted({*arrays[0], *arrays[1]}):
                if arrays[0].get(array) != arrays[1].get(array):
                    size = ""
                    if array in arrays[0] and array in arrays[1]:
                        size = largest_difference(*(kept(folder, name, scheme) for folder in folders), array)
                    yield name, scheme, f"{array} differs{size}"


def compare(before, after):
    found = list(differences(before, after))
    for name, scheme, what in found:
        print(f"{name} under {scheme}: {what}")
    print(f"{len({(name, scheme) for name, scheme, _ in found})} runs differ")
    return 1 if found else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="+", type=pathlib.Path, help="the file to write, or the two to compare")
    parser.add_argument("--compare", action="store_true", help="compare two files")
    parser.add_argument("--program", default="build/ricochet")
    parser.add_argument("--keep", action="store_true", help="keep the results, so that differences can be measured")
    parser.add_argument("--only", action="append", metavar="SCENARIO", help="this scenario only; may be repeated")
    parser.add_argument("--steps", type=int, default=10000, help="runs end after this many of the scenario's steps")
    parser.add_argument("--until-factor", type=float, default=1.0, help="shortens every run")
    parser.add_argument("--seconds", type=float, default=20.0, help="a run that takes longer counts as not made")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    if len(options.json) != (2 if options.compare else 1):
        parser.error("one JSON file to write, or two to compare")
    return compare(*options.json) if options.compare else run_all(options)


if __name__ == "__main__":
    sys.exit(main())
