"""Cases that share a program: each is named and counted, whatever the one before it did."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Prints as GoogleTest does. Every case does what its name says.
PROGRAM = """\
#!{python}
import fnmatch, os, sys, time
chosen, _, without = sys.argv[1].removeprefix("--gtest_filter=").partition("-")
code = 0
for case in {cases}:
    name = "Suite." + case
    if not fnmatch.fnmatch(name, chosen) or any(fnmatch.fnmatch(name, out) for out in without.split(":")):
        continue
    print(f"[ RUN      ] {{name}}", flush=True)
    print(f"said by {{case}}", flush=True)
    if "Dies" in case:
        os.abort()
    if "Hangs" in case:
        time.sleep(600)
    word = "  FAILED  " if "Fails" in case else "  SKIPPED " if "Skips" in case else "       OK "
    code = code or "Fails" in case
    print(f"[{{word}}] {{name}}{{', whatever' * ('Odd' in case)}} (3 ms)", flush=True)
sys.exit({leaks} or code)
"""


def run(tmp_path, *cases, chosen="Suite.*", without="", seconds=600, leaks=0):
    program = tmp_path / "program"
    program.write_text(PROGRAM.format(python=sys.executable, cases=cases, leaks=leaks))
    program.chmod(0o755)
    return subprocess.run([sys.executable, "-B", ROOT / "tests" / "run_cases.py", program, str(seconds), chosen, without],
                          capture_output=True, text=True, timeout=300)  # fmt: skip


def test_what_passes_is_counted_and_silent(tmp_path):
    result = run(tmp_path, "A", "B", "Skips", "Long", without="*Long*")
    assert (result.returncode, result.stdout) == (0, "2 passed, 0 failed, 1 skipped\n")


def test_what_fails_is_shown(tmp_path):
    result = run(tmp_path, "A", "FailsOne", "B", "FailsTwo")
    assert result.returncode == 1
    assert re.findall(r"said by (\w+)", result.stdout) == ["FailsOne", "FailsTwo"]
    assert "[  FAILED  ] Suite.FailsTwo" in result.stdout
    assert result.stdout.endswith("\n2 passed, 2 failed, 0 skipped\n")


def test_a_case_that_ends_the_program_hides_no_other(tmp_path):
    result = run(tmp_path, "A", "Dies", "B", "Fails", "DiesAgain")
    assert result.returncode == 1
    assert re.findall(r"said by (\w+)", result.stdout) == ["Dies", "Fails", "DiesAgain"]
    assert "[  FAILED  ] Suite.DiesAgain: the program ended with -6" in result.stdout
    assert result.stdout.endswith("\n2 passed, 3 failed, 0 skipped\n")


def test_a_case_that_never_ends_hides_no_other(tmp_path):
    result = run(tmp_path, "A", "Hangs", "B", seconds=5)
    assert "[  FAILED  ] Suite.Hangs: the program ended with -9" in result.stdout
    assert result.stdout.endswith("\n2 passed, 1 failed, 0 skipped\n")


def test_an_end_that_is_not_understood_is_a_failure(tmp_path):
    result = run(tmp_path, "A", "Odd", "B")
    assert "[  FAILED  ] Suite.Odd: its end is not understood" in result.stdout
    assert result.stdout.endswith("\n2 passed, 1 failed, 0 skipped\n")


def test_what_a_sanitizer_says_at_the_end_is_a_failure(tmp_path):
    for code in 1, 23:
        result = run(tmp_path, "A", "B", leaks=code)
        assert result.returncode == 1
        assert f"after Suite.B: the program ended with {code}" in result.stdout
        assert result.stdout.endswith("\n2 passed, 1 failed, 0 skipped\n")


def test_no_case_at_all_is_a_failure(tmp_path):
    assert run(tmp_path, "A", chosen="Other.*").returncode == 1


LOG = """\
1/4 Testing: unit.A
Output:
3 passed, 0 failed, 1 skipped
Test Passed.
2/4 Testing: cli.run
1 failed, 5 passed, 2 errors in 0.12s
Test Failed.
3/4 Testing: tools.layers
Test Passed.
4/4 Testing: example.one
Segmentation fault
Test Failed.
"""


def test_cases_are_counted(tmp_path):
    function = re.search(r"^cases\(\) \{.*?^\}", (ROOT / "tools" / "test.sh").read_text(), re.M | re.S)[0]
    (tmp_path / "log").write_text(LOG)
    result = subprocess.run(["bash", "-c", f"{function}\ncases log"], cwd=tmp_path, capture_output=True, text=True)
    assert result.stdout == "9 4\n", result.stderr
