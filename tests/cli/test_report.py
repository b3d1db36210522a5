"""ricochet report and run --report from outside."""

import base64
import json
import pathlib
import struct
import subprocess
import sys
import xml.etree.ElementTree

import pytest


@pytest.fixture
def result(ricochet, ball):
    ricochet.write(ball)
    assert ricochet("run", "ball.toml").returncode == 0
    return "ball.h5"


def page(ricochet, name):
    return (ricochet.folder / name).read_text(encoding="utf-8")


def test_page_beside_the_caller(ricochet, result):
    answer = ricochet("report", result)
    assert answer.returncode == 0, answer.stderr
    assert "page" in answer.stdout and "ball.html" in answer.stdout
    text = page(ricochet, "ball.html")
    assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
    assert "Ball on a floor" in text
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("ending", ["h5", "npz", "csv"])
def test_every_format(ricochet, ball, ending):
    ricochet.write(ball)
    answer = ricochet("run", "ball.toml", "-o", f"r.{ending}", "--report", "r.html")
    assert answer.returncode == 0, answer.stderr
    assert "r.html" in answer.stdout
    assert "floor" in page(ricochet, "r.html")


def test_picture(ricochet, result):
    assert ricochet("report", result, "-o", "a.html", "--svg", "a.svg").returncode == 0
    text = page(ricochet, "a.svg")
    assert text.startswith("<svg") and "Phase portrait" in text and "Energy" in text


def test_same_result_same_page(ricochet, result):
    ricochet("report", result, "-o", "a.html")
    ricochet("report", result, "-o", "b.html")
    assert page(ricochet, "a.html") == page(ricochet, "b.html")


def test_json_of_a_run_stays_alone(ricochet, ball):
    ricochet.write(ball)
    assert ricochet.json("run", "ball.toml", "--report", "ball.html")["status"] == "completed"
    assert "ball.html" in ricochet.files()


def test_pictures_of_friction_are_well_formed(ricochet):
    assert ricochet("run", "gallery:belt-stick-slip", "-o", "belt.npz").returncode == 0
    assert ricochet("report", "belt.npz", "-o", "belt.html", "--svg", "belt.svg").returncode == 0
    text = page(ricochet, "belt.svg")
    xml.etree.ElementTree.fromstring(text)
    assert "Wear power" in text and "mean 0.49" in text  # 9.89 J in 20 s


def numbers(packed):
    """A column of a page's data, as web/src/data.ts unpacks it."""
    raw = base64.b64decode(packed["f4"])
    return [packed.get("base", 0.0) + value for value in struct.unpack(f"<{len(raw) // 4}f", raw)]


def test_modes_are_put_together_to_a_shape(ricochet):
    ricochet("run", "gallery:beam-between-stops", "--set", "time.step=1e-4", "--report", "beam.html")
    text = page(ricochet, "beam.html")
    if "ricochet-data" not in text:
        pytest.skip("plain pages have no animation")
    data = json.loads(text.split('id="ricochet-data">')[1].split("</script>")[0])
    [figure] = data["animation"]
    assert figure["figure"] == "beam" and figure["source"] == "drawn"
    drawn, observed = data["columns"]["drawn"], data["columns"]["observed"]
    for name, x in [("tip", 0.5), ("middle", 0.25)]:
        node = min(range(len(figure["q"])), key=lambda k: abs(figure["abscissae"][k] - x))
        assert figure["abscissae"][node] == pytest.approx(x)
        shape = numbers(drawn[figure["q"][node]])
        assert shape == pytest.approx(numbers(observed[data["observations"].index(name)]), abs=1e-9)
        assert max(map(abs, shape)) > 5e-4


def test_a_run_that_fails_has_a_page(ricochet, ball):
    # x'' = x^3 leaves every bound in finite time.
    text = ball.replace('"m*g*x"', '"-x^4/4"').replace("until = 3.0", "until = 100.0").replace("1e-3", "1e-2")
    answer = ricochet("run", ricochet.write(text), "--report", "ball.html", "--set", "scheme.theta=0")
    assert answer.returncode == 3
    assert "failed" in page(ricochet, "ball.html")


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "is empty"),
        (b"nothing of this kind", "is not an HDF5 file"),
        (b"\x89HDF\r\n\x1a\n" + bytes(200), "HDF5 file"),
    ],
)
def test_files_that_are_no_results(ricochet, content, words):
    (ricochet.folder / "x.h5").write_bytes(content)
    answer = ricochet("report", "x.h5")
    assert answer.returncode == 2
    assert answer.stderr.startswith("error: x.h5: ") and words in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert ricochet.files() == ["x.h5"]


def test_cut_and_changed_results(ricochet, result):
    whole = (ricochet.folder / result).read_bytes()
    (ricochet.folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    answer = ricochet("report", "cut.h5")
    assert answer.returncode == 2 and answer.stderr.startswith("error: cut.h5: ")
    for k in range(0, 4000, 401):
        broken = bytearray(whole)
        for i in range(k, k + 8):
            broken[i] ^= 0x5A
        (ricochet.folder / "broken.h5").write_bytes(broken)
        answer = ricochet("report", "broken.h5")
        assert answer.returncode in (0, 2), (k, answer)


def test_foreign_files(ricochet):
    h5py = pytest.importorskip("h5py")
    with h5py.File(ricochet.folder / "other.h5", "w") as file:
        file["data"] = [1, 2, 3]
    answer = ricochet("report", "other.h5")
    assert answer.returncode == 2 and "not the result of a run of ricochet: it has no t" in answer.stderr
    numpy = pytest.importorskip("numpy")
    numpy.savez(ricochet.folder / "other.npz", data=[1, 2, 3])
    answer = ricochet("report", "other.npz")
    assert answer.returncode == 2 and "not the result of a run of ricochet: it has no t" in answer.stderr


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["report"], "report needs a result file"),
        (["report", "none.h5"], "none.h5: cannot be read"),
        (["report", "."], "is a folder"),
        (["report", "ball.toml"], "no result file"),
        (["run", "ball.toml", "--report", ""], "the name of the page is empty"),
        (["run", "ball.toml", "--report", "a.html", "--no-output"], "needs the result file"),
        (["run", "ball.toml", "--report", "nowhere/a.html"], "nowhere"),
    ],
)
def test_bad_requests(ricochet, ball, arguments, words):
    ricochet.write(ball)
    answer = ricochet(*arguments)
    assert answer.returncode == 2 and words in answer.stderr
    assert ricochet.files() == ["ball.toml"]


@pytest.fixture
def sweep(ricochet):
    """A file of a sweep of the given kind."""
    pytest.importorskip("h5py")
    maker = pathlib.Path(__file__).parents[1] / "web" / "sweep_files.py"

    def make(kind):
        subprocess.run([sys.executable, "-B", maker, kind, ricochet.folder / f"{kind}.h5"], check=True)
        return f"{kind}.h5"

    return make


@pytest.mark.parametrize(
    "kind, words",
    [
        ("diagram", ["forward", "backward", ">r</text>"]),
        ("basins", ["2: period 1", ">x_dot</text>"]),
        ("statistics", ["x.mean", ">w</text>"]),
    ],
)
def test_sweeps(ricochet, sweep, kind, words):
    answer = ricochet("report", sweep(kind), "--svg", "a.svg")
    assert answer.returncode == 0, answer.stderr
    text = page(ricochet, f"{kind}.html")
    assert text.startswith("<!DOCTYPE html>") and '"kind":"sweep"' in text or "This page is plain" in text
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")
    picture = page(ricochet, "a.svg")
    assert picture.startswith("<svg") and all(word in picture for word in words)
    assert picture.count("h0") <= 20500


def test_cut_and_changed_sweeps(ricochet, sweep):
    whole = (ricochet.folder / sweep("basins")).read_bytes()
    (ricochet.folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    answer = ricochet("report", "cut.h5")
    assert answer.returncode == 2 and answer.stderr.startswith("error: cut.h5: ")
    for k in range(0, 4000, 401):
        broken = bytearray(whole)
        for i in range(k, k + 8):
            broken[i] ^= 0x5A
        (ricochet.folder / "broken.h5").write_bytes(broken)
        answer = ricochet("report", "broken.h5")
        assert answer.returncode in (0, 2), (k, answer)
