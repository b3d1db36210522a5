#!/usr/bin/env python3
"""Checks the files of the project as a whole. Prints each violation; exit code 1 if there is one.

1. No file names a folder of one particular machine.
2. Packages are listed in tools/packages.txt alone: documents point there, and a package they name is in the list.
3. One version: CMakeLists.txt and CITATION.cff agree.
"""
import pathlib
import re
import subprocess
import sys

MACHINE_PATH = re.compile(r"(?<![\w.~$}-])/(?:work|farm|root|home)/[a-z]")
PACKAGE = re.compile(r"\b(?:lib[a-z0-9.+-]+-dev|python3-[a-z0-9]+|nlohmann-json3-dev)\b")
INSTALL = re.compile(r"\bapt(?:-get)? (?:-\S+ )*install\s+([^\n`|&;]*)")
BEFORE_MAKE = {"git", "make", "ca-certificates", "sudo"}  # what it takes to get the sources and call make


def tracked_files(root):
    """The files git knows or would add; without git all files outside build folders."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
        files = [root / name for name in names if name]
    except (OSError, subprocess.CalledProcessError):
        hidden = re.compile(r"^(?:build[^/]*|\.git)/")
        files = [f for f in root.rglob("*") if not hidden.match(f.relative_to(root).as_posix())]
    return sorted(f for f in files if f.is_file())


def machine_paths(root, files):
    for file in files:
        text = file.read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if match := MACHINE_PATH.search(line):
                yield f"{file.relative_to(root)}:{number}: a path of one machine: {line[match.start():][:40]}"


def packages(root, files):
    lines = (root / "tools/packages.txt").read_text().splitlines()
    listed = {line.split()[0] for line in lines if line and not line.startswith("#")}
    documents = [f for f in files if f.suffix == ".md" and f.name != "CHANGELOG.md"]
    if not any("tools/packages.txt" in f.read_text() for f in documents):
        yield "no document points to tools/packages.txt"
    for file in documents:
        text = file.read_text()
        named = set(PACKAGE.findall(text))
        for command in INSTALL.findall(text):
            named |= {word for word in command.split() if not word.startswith(("-", "<", "$", "./"))}
        for name in sorted(named - listed - BEFORE_MAKE):
            yield f"{file.relative_to(root)}: the package {name} is not in tools/packages.txt"


def versions(root):
    build = re.search(r"project\([^)]*?VERSION\s+([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)
    citation = re.search(r"^version: \"?([\d.]+)", (root / "CITATION.cff").read_text(), re.M).group(1)
    if citation != build:
        yield f"CITATION.cff: version {citation}, but CMakeLists.txt has {build}"


def violations(root):
    root = pathlib.Path(root).resolve()
    files = tracked_files(root)
    return [*machine_paths(root, files), *packages(root, files), *versions(root)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
