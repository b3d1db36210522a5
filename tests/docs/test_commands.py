"""Every command of the documentation runs. A page's files and commands live in one folder, in the order of the page.

Files: a fenced block after the comment <!-- file: NAME -->. Commands: lines that begin with "$ " in any fenced block,
and every line of a block marked sh; a line that ends in a backslash goes on. Only commands that begin with ricochet,
python3 or cat are run. The comment <!-- not run: why --> before a block leaves it out.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"<!-- file: (\S+) -->\s*\Z")
SKIP = re.compile(r"<!-- not run: [^>]+ -->\s*\Z")
FIRST_WORDS = ("ricochet ", "python3 ", "cat ")


def commands_of(language, text):
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    for line in lines:
        command = line[2:] if line.startswith("$ ") else line if language == "sh" else ""
        if command.startswith(FIRST_WORDS):
            yield command


def steps_of(page):
    """("file", name, text) and ("command", line), in the order of the page."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        before = text[: block.start()]
        name = FILE.search(before)
        if name:
            yield "file", name.group(1), block.group(2)
        elif not SKIP.search(before):
            for command in commands_of(block.group(1), block.group(2)):
                yield "command", command, None


def needs_engine(command):
    return command.startswith("ricochet playground") or "--live" in command


def has_engine():
    return (pathlib.Path(os.environ["RICOCHET"]).parent / "playground" / "engine.json").exists()


def with_program(folder):
    """An environment in which ricochet and python3 are the ones under test."""
    tools = folder / ".bin"
    tools.mkdir()
    (tools / "ricochet").symlink_to(os.path.abspath(os.environ["RICOCHET"]))
    (tools / "python3").symlink_to(sys.executable)
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page, tmp_path):
    environment = with_program(tmp_path)
    for kind, what, text in steps_of(page):
        if needs_engine(what) and not has_engine():
            continue
        if kind == "file":
            (tmp_path / what).write_text(text, encoding="utf-8")
            continue
        result = subprocess.run(["sh", "-c", what], cwd=tmp_path, env=environment, capture_output=True, timeout=600)
        assert result.returncode == 0, f"{what}\n{result.stdout.decode()}\n{result.stderr.decode()}"


def blocks_of(page, language):
    """Its fenced blocks of a language, as they are printed."""
    return [block.group(2) for block in FENCE.finditer(page.read_text(encoding="utf-8")) if block.group(1) == language]


def test_readme_by_copy_and_paste(tmp_path):
    """Each block of commands goes into one shell, as it is printed. Of make it is asked whether there is such a goal:
    that it works is what the whole of a test run shows."""
    environment = with_program(tmp_path)
    (tmp_path / ".bin" / "make").write_text(f'#!/bin/sh\nexec {shutil.which("make")} -C "{ROOT}" --dry-run "$@" >/dev/null\n')
    (tmp_path / ".bin" / "make").chmod(0o755)
    if not has_engine():
        # Without the engine it has to say so, and what to do.
        result = subprocess.run(["ricochet", "playground"], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert result.returncode == 2 and "make playground" in result.stderr
    lines = [
        line
        for block in blocks_of(ROOT / "README.md", "sh")
        for line in block.splitlines(keepends=True)
        if has_engine() or not needs_engine(line)
    ]
    result = subprocess.run(["sh", "-e", "-c", "".join(lines)], cwd=tmp_path, env=environment, capture_output=True, timeout=900)
    assert result.returncode == 0, result.stdout.decode() + result.stderr.decode()
    assert (tmp_path / "ball.html").exists()


def test_python_of_the_readme(tmp_path):
    module = pathlib.Path(os.environ["RICOCHET"]).resolve().parent / "python"
    if not list(module.glob("ricochet/_core*.so")):
        pytest.skip("this build has no Python module")
    for block in blocks_of(ROOT / "README.md", "python"):
        environment = {**os.environ, "PYTHONPATH": str(module)}
        result = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr


def test_there_are_commands():
    found = [step for page in PAGES for step in steps_of(page) if step[0] == "command"]
    assert len(found) > 20
