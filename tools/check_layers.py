#!/usr/bin/env python3
"""Checks who includes whom. Prints each violation as file:line: sentence; exit code 1 if there is one.

    core <- {formula, complementarity, runge_kutta};  {core, formula} <- model
    {model, complementarity} <- contact; {contact, runge_kutta} <- flow <- scheme <- run <- study
    all of these <- scenario <- io <- task <- present <- report <- {cli, python, web, playground}

io has rooms of its own: core <- io/format; {run, study, io/format} <- io/result; {scenario, io/format,
io/result} <- io/attachment <- io/scenario.

Further rules: the numerics (core ... study) neither print, nor touch files, nor exit; public headers include only
ricochet, the standard library and the compiler's intrinsics; task, present and report do without HDF5.
"""
import pathlib
import re
import sys

# What a folder may include directly; everything below those is allowed too.
DIRECT = {
    "core": [],
    "formula": ["core"],
    "complementarity": ["core"],
    "runge_kutta": ["core"],
    "model": ["core", "formula"],
    "contact": ["model", "complementarity"],
    "flow": ["contact", "runge_kutta"],
    "scheme": ["flow"],
    "run": ["scheme"],
    "study": ["run"],
    "scenario": ["study"],
    "io/format": ["core"],
    "io/attachment": ["scenario", "io/format", "io/result"],
    "io/scenario": ["io/attachment"],
    "io/result": ["scenario", "io/format"],
    "task": ["io/scenario", "io/result"],
    "present": ["task"],
    "report": ["present"],
    "cli": ["report"],
    "python": ["report"],
    "web": ["report"],
    "playground": ["report"],
}
NUMERICS = {"core", "formula", "complementarity", "runge_kutta", "model", "contact", "flow", "scheme", "run", "study"}
OUTER = {"cli", "python", "web", "playground"}
WITHOUT_HDF5 = {"task", "present", "report"}
FORBIDDEN_HEADERS = {"iostream", "cstdio", "stdio.h", "fstream", "filesystem", "unistd.h"}
FORBIDDEN_CALLS = re.compile(r"\bfmt::print\b|\bstd::(?:cout|cerr|clog)\b|\bf?printf\s*\(|\b(?:std::|_)?exit\s*\(|\babort\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def allowed(folder):
    """The folder itself and all folders below it."""
    found = {folder}
    for below in DIRECT[folder]:
        found |= allowed(below)
    return found


def folder_of(path):
    """The layer of a path inside the project, or None: src/core/x.cpp and include/ricochet/core/x.hpp -> core,
    src/io/format/x.cpp -> io/format."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[:2] == ("include", "ricochet"):
        return room_of(parts[2:-1]) or "ricochet.hpp"
    if parts[0] == "src" or parts[0] == "apps":
        return room_of(parts[1:-1])
    return parts[0] if parts[0] in OUTER else None


def room_of(folders):
    """The layer of nested folders: ("io", "format") -> io/format, ("scheme", "kernel") -> scheme, () -> None."""
    joined = "/".join(folders[:2])
    return joined if joined in DIRECT else folders[0] if folders else None


def target_of(root, path, quote, name):
    """The layer an #include leads to, or None if it leads out of the project."""
    if name.startswith("ricochet/"):
        return folder_of("include/" + name)
    if quote == '"':
        for base in (pathlib.Path(path).parent, pathlib.Path("src"), pathlib.Path("include")):
            if (root / base / name).is_file():
                return folder_of((root / base / name).resolve().relative_to(root).as_posix())
    return None


def without_comments(text):
    """The text with comments blanked and line numbers kept; literals may lose a // too, which only makes it milder."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def check_file(root, path):
    own = folder_of(path)
    if own is None or own == "ricochet.hpp":
        return
    if own not in DIRECT:
        yield 1, f"{own} is not a known layer; its place belongs into tools/check_layers.py"
        return
    for number, line in enumerate(without_comments((root / path).read_text(encoding="utf-8")).splitlines(), 1):
        if own in NUMERICS and (call := FORBIDDEN_CALLS.search(line)):
            yield number, f"{own} must not print or exit ({call.group().strip()})"
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        if own in NUMERICS and name in FORBIDDEN_HEADERS:
            yield number, f"{own} must not include <{name}>: numerics neither print nor read files"
        if own in WITHOUT_HDF5 and "hdf5" in name:
            yield number, f"{own} must not include {name}: the playground is built without HDF5"
        target = target_of(root, path, quote, name)
        if target is None:
            outside = "/" in name or (name.endswith((".h", ".hpp")) and not name.endswith("intrin.h"))
            if path.startswith("include/") and outside:
                yield number, f"a public header must not include {name}: only ricochet and the standard library"
        elif target == "ricochet.hpp":
            if own not in OUTER:
                yield number, "ricochet.hpp is for those who use the library"
        elif target not in DIRECT:
            yield number, f"{name}: {target} is not a known layer"
        elif target not in allowed(own):
            yield number, f"{own} must not include {target} ({name})"


def violations(root):
    """All violations below root, as (path, line, sentence)."""
    root = pathlib.Path(root).resolve()
    found = []
    for top in ("include", "src", "apps", "python"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in {".hpp", ".cpp", ".h", ".inc"}:
                path = file.relative_to(root).as_posix()
                found += [(path, number, text) for number, text in check_file(root, path)]
    return found


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = violations(root)
    for path, number, text in found:
        print(f"{path}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
