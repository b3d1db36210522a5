"""What is written never replaces what was read, and files of others end in a sentence."""

import pathlib
import sys

import h5py
import pytest

import ricochet as rc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hostile  # noqa: E402
import replacing  # noqa: E402


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    replacing.lay_out(tmp_path, lambda scenario, output: rc.run(scenario).save(output))
    return tmp_path


def study(verb, given, **options):
    return getattr(rc, verb)(given, schemes=["moreau-jean"], steps=[0.02, 0.01], phases=1, **options)


def write(verb, given, output=None, report=None, csv=None, **options):
    """As the program does with these options."""
    if verb == "report":
        return rc.load(given).report(output)
    if verb == "sweep":
        return rc.sweep(given, output=output, csv=csv)
    result = rc.run(given) if verb == "run" else study(verb, given, **options)
    return result.report(report) if report else result.save(output)


def refuses(folder, act):
    before = replacing.files(folder)
    with pytest.raises(rc.InputError, match="would replace"):
        act()
    assert replacing.files(folder) == before


@pytest.mark.parametrize("verb, given, options", replacing.CASES)
def test_outputs_never_replace_inputs(folder, verb, given, options):
    refuses(folder, lambda: write(verb, given, **options))


@pytest.mark.parametrize("output", ["hard.h5", "soft.csv"])
def test_outputs_of_a_run_in_progress(folder, output):
    refuses(folder, lambda: rc.run("a.toml", output=output))


def test_a_result_does_not_replace_the_file_it_is_from(folder):
    refuses(folder, lambda: rc.load("r.h5").save("other.h5"))


def test_other_files_are_written(folder):
    solution = rc.run("a.toml", output="one.h5")
    solution.save("two.h5")
    solution.report("page.html")
    study("converge", "a.toml").save("study.h5")
    rc.load("one.h5").save("three.h5")
    assert all(h5py.is_hdf5(name) for name in ("one.h5", "two.h5", "three.h5", "study.h5"))


GRID = {"model.parameters.g": [5.0, 10.0]}


@pytest.mark.parametrize("read, names", [(rc.load, ["t", "gap"]), (rc.load_sweep, ["steps", "points"])])
def test_files_of_others(tmp_path, read, names):
    """What leads elsewhere, or takes far more room than the file, is not read."""
    good = tmp_path / "other.h5"
    if read is rc.load:
        rc.run("gallery:bouncing-ball", until=0.1).save(good)
    else:
        rc.sweep("gallery:bouncing-ball", GRID, transient=0.1, duration=1.0, record="impacts", output=good)
    read(good)
    (tmp_path / "secret.bin").write_bytes(bytes(1 << 16))
    elsewhere = (hostile.external_link, hostile.soft_to_external, hostile.external_storage, hostile.virtual)
    cases = [(spoil, name) for spoil in (*elsewhere, hostile.huge) for name in names]
    for spoil, name in [*cases, (hostile.one_piece, names[0]), (hostile.shared_text, names[0])]:
        path = tmp_path / "hostile.h5"
        path.write_bytes(good.read_bytes())
        with h5py.File(path, "r+") as file:
            spoil(file, name)
        with pytest.raises(rc.FileError, match="hostile.h5: "):
            read(path)
