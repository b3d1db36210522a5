"""Help, man pages and completions come from the same texts."""

import os
import pty
import select
import shutil
import signal
import subprocess
import time

import pytest


def verbs(ricochet):
    return [word for word in ricochet("complete", "").stdout.split() if not word.startswith("-")]


def complete(ricochet, line):
    """What bash would offer at the end of the line."""
    script = ricochet("completion", "bash").stdout + f"""
COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; _ricochet; printf '%s\\n' "${{COMPREPLY[@]}}" """
    result = subprocess.run(["bash", "-c", script], cwd=ricochet.folder, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_help_is_that_of_the_verb(ricochet):
    assert "run" in verbs(ricochet) and "help" in verbs(ricochet)
    assert ricochet("help").stdout == ricochet("--help").stdout
    for verb in verbs(ricochet):
        assert ricochet("help", verb).stdout == ricochet(verb, "--help").stdout
    wrong = ricochet("help", "rnu")
    assert wrong.returncode == 2 and "did you mean 'run'?" in wrong.stderr


def test_man_pages(ricochet):
    whole = ricochet("help", "--man").stdout
    for verb in verbs(ricochet):
        page = ricochet("help", verb, "--man").stdout
        assert page.startswith(f".TH RICOCHET\\-{verb.upper()} 1")
        assert f"ricochet\\-{verb}" in whole
        # No line is a request that troff would take for one but those of the page.
        known = (".TH", ".SH", ".TP", ".nf", ".fi")
        assert all(line.startswith(known) for line in page.splitlines() if line.startswith((".", "'")))
    assert "\\-\\-set" in ricochet("help", "run", "--man").stdout


def test_completion_in_bash(ricochet, ball):
    ricochet.write(ball)
    program = ricochet.program
    assert complete(ricochet, f"{program} conv") == ["converge"]
    assert complete(ricochet, f"{program} run --dump") == ["--dump-problems"]
    assert complete(ricochet, f"{program} run ba") == ["ball.toml"]
    assert complete(ricochet, f"{program} run ball.toml --scheme generalized") == ["generalized-alpha"]
    assert "model.parameters.g=" in complete(ricochet, f"{program} run ball.toml --set model.parameters.")
    assert complete(ricochet, f"{program} run ball.toml --set model.constraint.floor.rest") == [
        "model.constraint.floor.restitution="
    ]
    # bash takes what is behind the colon for a word of its own
    assert complete(ricochet, f"{program} run gallery:bouncing") == ["bouncing-ball"]
    assert complete(ricochet, f"{program} converge ball.toml --schemes moreau-jean,pao") == ["moreau-jean,paoli-schatzman"]
    assert complete(ricochet, f"{program} solvers lem") == ["lemke"]


LINES = {
    "ricochet conv": "converge",
    "ricochet run gallery:bouncing": "gallery:bouncing-ball",
    "ricochet run gallery:bouncing-ball --set model.constraint.floor.rest": "model.constraint.floor.restitution=",
    "ricochet run gallery:bouncing-ball --scheme paoli": "paoli-schatzman",
    "ricochet solvers lem": "lemke",
}


def with_program(ricochet, folder):
    (folder / "ricochet").symlink_to(os.path.abspath(ricochet.program))
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb"}


def test_completion_in_fish(ricochet, tmp_path):
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    (tmp_path / "r.fish").write_text(ricochet("completion", "fish").stdout)
    environment = with_program(ricochet, tmp_path)
    for line, word in LINES.items():
        script = f"source {tmp_path}/r.fish; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", script], env=environment, capture_output=True, text=True)
        assert done.stdout.split() == [word], done.stderr


def typed_in_zsh(line, folder, environment):
    """What stands on the line of an interactive zsh after the tab key."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
    shown = b""

    def wait_for(mark, seconds=600):
        nonlocal shown
        end = time.monotonic() + seconds
        while mark not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 65536)

    begin = f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -d {folder}/.dump; PS1='> '; print BE''GUN"
    try:
        os.write(terminal, begin.encode() + b"\n")
        wait_for(b"BEGUN\r\n")
        shown = b""
        os.write(terminal, line.encode() + b"\t")
        wait_for(LINES[line].encode()[-4:])
        return shown.replace(b"\a", b"").decode()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def test_completion_in_zsh(ricochet, tmp_path):
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed")
    (tmp_path / "_ricochet").write_text(ricochet("completion", "zsh").stdout)
    environment = with_program(ricochet, tmp_path)
    for line, word in LINES.items():
        assert word in typed_in_zsh(line, tmp_path, environment), line


def test_unknown_shell(ricochet):
    result = ricochet("completion", "tcsh")
    assert result.returncode == 2
    assert "bash, zsh and fish" in result.stderr


def test_version_says_what_was_built_in(ricochet):
    text = ricochet("--version").stdout
    assert "MPI" in text and "formulas" in text and "bits" in text
