"""The solvers of contact problems from the command line."""

import json


def test_list_and_explanations(ricochet):
    result = ricochet("solvers", "--json")
    assert result.returncode == 0
    names = [entry["name"] for entry in json.loads(result.stdout)]
    assert names == ["automatic", "lemke", "active-set", "interior-point", "gauss-seidel", "alart-curnier",
                     "projected-gradient"]
    for name in names:
        text = ricochet("solvers", name)
        assert text.returncode == 0
        assert name in text.stdout and "tolerance" in text.stdout


def test_every_solver_can_be_chosen(ricochet):
    finals = {}
    for entry in json.loads(ricochet("solvers", "--json").stdout):
        result = ricochet("run", "gallery:corner", "--json", "--no-output", "--set", f"solver.name={entry['name']}")
        assert result.returncode == 0, result.stderr
        finals[entry["name"]] = json.loads(result.stdout)["final"]["q"]
    for q in finals.values():
        assert abs(q[0] - finals["lemke"][0]) < 1e-5


def test_bad_settings_are_refused(ricochet):
    for setting, word in [
        ("solver.name=lemkee", "lemke"),
        ("solver.tolerance=-1", "positive"),
        ("solver.tolerance=2", "(0, 1)"),
        ("solver.relaxation=2", "(0, 2)"),
        ("solver.nam=lemke", "name"),
    ]:
        result = ricochet("run", "gallery:corner", "--no-output", "--set", setting)
        assert result.returncode == 2, setting
        assert word in result.stderr, result.stderr
