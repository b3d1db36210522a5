"""Runs are told apart by their numbers, their complaints and their exit codes."""
import json
import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import hash_results  # noqa: E402

PROGRAM = """#!/bin/sh
case "$1 $2" in
  "gallery ") printf 'ball  Ball on a floor\\n\\nricochet gallery NAME prints one\\n' ;;
  "gallery ball") printf '[model]\\n[time]\\nuntil = 1.0\\nstep = 0.1\\n' ;;
  "schemes ") printf 'moreau  the scheme\\n\\nricochet schemes NAME explains one\\n' ;;
  *) cp {result} result.npz; echo "note: {note}" >&2 ;;
esac
"""


@pytest.fixture
def record(tmp_path):
    def write(name, numbers, note="fine"):
        np.savez(tmp_path / "source.npz", q=np.array(numbers))
        program = tmp_path / "program"
        program.write_text(PROGRAM.format(result=tmp_path / "source.npz", note=note))
        program.chmod(0o755)
        assert hash_results.main([str(tmp_path / name), "--program", str(program), "--keep"]) == 0
        return tmp_path / name

    return write


def compared(capsys, before, after):
    capsys.readouterr()
    code = hash_results.main(["--compare", str(before), str(after)])
    return code, capsys.readouterr().out


def test_the_same_numbers(record, capsys):
    code, text = compared(capsys, record("a.json", [1.0, 2.0]), record("b.json", [1.0, 2.0]))
    assert code == 0 and text == "0 runs differ\n"


def test_the_largest_difference(record, capsys):
    code, text = compared(capsys, record("a.json", [1.0, 2.0]), record("b.json", [1.0, 2.5]))
    assert code == 1
    assert "ball under moreau: q.npy differs, 0.5 of 2 at most\n" in text


def test_another_complaint(record, capsys):
    code, text = compared(capsys, record("a.json", [1.0]), record("b.json", [1.0], note="bad"))
    assert code == 1 and "ball under moreau: complaint: note: fine and note: bad\n" in text


def test_no_time_is_no_difference(record, capsys):
    before = record("a.json", [1.0])
    table = json.loads(before.read_text())
    table["ball"]["moreau"] = {"exit": "timeout"}
    after = before.with_name("b.json")
    after.write_text(json.dumps(table))
    assert compared(capsys, before, after)[0] == 0
