"""Help, man pages and completions come from the same texts."""

import subprocess

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


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(ricochet, shell):
    assert "complete" in ricochet("completion", shell).stdout


def test_unknown_shell(ricochet):
    result = ricochet("completion", "tcsh")
    assert result.returncode == 2
    assert "bash, zsh and fish" in result.stderr


def test_version_says_what_was_built_in(ricochet):
    text = ricochet("--version").stdout
    assert "MPI" in text and "formulas" in text and "bits" in text
