"""ricochet converge and compare from outside."""

import signal
import subprocess

import h5py
import pytest
from conftest import data_of


def test_units_on_pages(ricochet, ball):
    shown = '[[display]]\nname = "t"\nunit = "s"\n[[display]]\nname = "x"\nunit = "mm"\nlabel = "height"\n[[display]]\nname = "energy"\nunit = "J"\n'
    driven = ball.replace('gap = "x"', 'gap = "x - 0.1*sin(9*t)"') + shown + '[orbit]\nperiod = "2*pi/9"\n'
    name = ricochet.write(driven.replace("restitution = 0.9", "restitution = 0.3").replace("x = 1.0", "x = 0.2"))
    options = ["--schemes", "moreau-jean", "--steps", "4e-3,2e-3", "--window", "0:0.1", "--report", "page.html"]
    assert ricochet("converge", name, *options).returncode == 0
    page = data_of(ricochet.folder / "page.html")
    assert page["plots"][0]["x"]["label"] == "step [s]"
    assert page["tables"][0]["columns"][-1] == "energy"  # an order has no unit
    assert ricochet("orbit", name, "--report", "orbit.html").returncode == 0
    plot = data_of(ricochet.folder / "orbit.html")["plots"][0]
    assert [plot["x"]["label"], plot["y"]["label"]] == ["height [mm]", "x' [mm/s]"]


def test_converge_json(ricochet):
    arguments = ["gallery:lecture-ball", "--schemes", "moreau-jean,mannshardt:bracket=1", "--steps", "0.04:4"]
    study = ricochet.json("converge", *arguments, "--window", "0:1.6", "-o", "study.h5", "--report", "page.html")
    assert study["steps"] == [0.04, 0.02, 0.01, 0.005]
    assert set(study["orders"]) == {"moreau-jean", "mannshardt:bracket=1"}
    orders = study["orders"]["moreau-jean"]
    assert set(orders) == {"q_sup", "q_l1", "q_l2", "v_l1", "v_l2", "v_hausdorff", "energy"}
    assert orders["q_sup"] == pytest.approx(1.1, abs=0.2)
    assert study["orders"]["mannshardt:bracket=1"]["q_sup"] > 4
    assert len(study["errors"]["moreau-jean"]["q_sup"]) == 4
    assert study["spread"]["moreau-jean"]["q_sup"] > 0
    assert study["reference"]["kind"] == "exact"
    with h5py.File(ricochet.folder / "study.h5") as file:
        assert list(file["steps"]) == study["steps"]
        assert list(file["errors/moreau-jean/q_sup"]) == study["errors"]["moreau-jean"]["q_sup"]
        assert file["errors/moreau-jean/q_sup"].attrs["order"] == orders["q_sup"]
    page = (ricochet.folder / "page.html").read_text()
    assert "moreau-jean" in page and "</html>" in page
    # The file keeps its page.
    assert ricochet("report", "study.h5").returncode == 0
    assert (ricochet.folder / "study.html").read_text() == page
    with h5py.File(ricochet.folder / "study.h5", "r+") as file:
        file.attrs["page"] = '{"title": 3}'
    result = ricochet("report", "study.h5")
    assert result.returncode == 2 and "the page that the study keeps is damaged" in result.stderr


def test_converge_text(ricochet, ball):
    result = ricochet("converge", ricochet.write(ball), "--steps", "0.02,0.01", "--phases", "2")
    assert result.returncode == 0, result.stderr
    assert "event-driven at rtol 1e-13" in result.stdout
    assert "Fitted orders" in result.stdout
    assert ricochet.files() == ["ball.toml"]


def test_converge_against_a_file(ricochet):
    assert ricochet("run", "gallery:impact-oscillator", "--scheme", "event-driven", "-o", "fine.h5").returncode == 0
    arguments = ["gallery:impact-oscillator", "--steps", "0.04:3", "--window", "0:3"]
    by_file = ricochet.json("converge", *arguments, "--reference", "fine.h5")
    exact = ricochet.json("converge", *arguments)
    assert by_file["orders"]["moreau-jean"]["q_sup"] == pytest.approx(exact["orders"]["moreau-jean"]["q_sup"], abs=1e-3)


@pytest.mark.parametrize("verb", ["converge", "compare"])
def test_window_before_time_zero(ricochet, ball, verb):
    arguments = ["--set", "time.from=-2", "--set", "time.until=-1", "--schemes", "moreau-jean", "--steps", "0.02:2", "--phases", "2"]
    study = ricochet.json(verb, ricochet.write(ball), *arguments, "--window=-2:-1")
    assert study["window"] == [-2, -1] and study["notes"] == []


def test_local(ricochet):
    study = ricochet.json("converge", "gallery:lecture-ball", "--local", "--steps", "0.01:4", "--phases", "4")
    assert study["t_impact"] == pytest.approx(1)
    assert study["sigma"] == [0.125, 0.375, 0.625, 0.875]
    assert study["orders"]["moreau-jean"]["v_by_sigma"] == pytest.approx([1, 1, 0, 0], abs=0.1)


def test_compare(ricochet):
    arguments = ["--steps", "0.02:2", "--tolerances", "1e-4,1e-8", "--phases", "2", "-o", "work.h5"]
    study = ricochet.json("compare", "gallery:impact-oscillator", *arguments)
    assert study["chaotic"] is False
    assert "moreau-inelastic" in study["refused"]
    assert len(study["schemes"]["moreau-jean"]) == 2
    first, second = study["schemes"]["event-driven"]
    assert first["tolerance"] == 1e-4 and second["error"] < 1e-6
    assert first["seconds"] > 0 and first["force_evaluations"] > 0
    assert study["recommendation"][0].startswith("Cheapest for an error of 0.001 of the size of q: ")
    with h5py.File(ricochet.folder / "work.h5") as file:
        assert list(file["schemes/moreau-jean/h"]) == [0.02, 0.01]


def test_compare_ends_with_the_recommendation(ricochet):
    result = ricochet("compare", "gallery:impact-oscillator", "--schemes", "moreau-jean,moreau-inelastic", "--steps", "0.01")
    assert result.returncode == 0, result.stderr
    assert result.stdout.index("Work and precision") < result.stdout.index("No scheme reaches")
    assert "moreau-inelastic does not take this problem" in result.stdout


def test_chaos(ricochet):
    arguments = ["--schemes", "event-driven,moreau-jean", "--tolerances", "1e-6", "--steps", "0.01", "--period", "2*pi/w"]
    study = ricochet.json("compare", "gallery:chaotic-oscillator", *arguments)
    assert study["chaotic"] is True
    assert 50 < study["reference"]["agreed_until"] < 400
    assert study["statistics"]["impact_rate"] == pytest.approx(0.46, abs=0.05)
    (point,) = study["schemes"]["moreau-jean"]
    assert point["agrees_until"] < study["reference"]["agreed_until"]
    assert point["rate_error"] < 0.2 and point["phase_distance"] < 0.3
    assert "part at t = " in study["recommendation"][0]


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["converge"], "converge needs a scenario"),
        (["compare"], "compare needs a scenario"),
        (["compare", "gallery:corner", "--suite"], "a scenario or --suite, not both"),
        (["compare", "--suite", "--window", "0:1"], "--window: cannot be given with --suite"),
        (["converge", "gallery:corner", "--schemes", "moreau-jan"], "did you mean moreau-jean?"),
        (["converge", "gallery:corner", "--schemes", "moreau-jean:theta=2"], "theta must be in [0, 1], got 2"),
        (["converge", "gallery:corner", "--steps", "0.1,fast"], '--steps: "fast" is not a number'),
        (["converge", "gallery:corner", "--steps", "7"], "--steps: 7 is longer than the window"),
        (["converge", "gallery:corner", "--steps", "-1"], "--steps: must be positive, got -1"),
        (["converge", "gallery:corner", "--window", "0:9"], "--window: must lie in the run, from 0 to 2, got 0:9"),
        (["converge", "gallery:corner", "--phases", "17"], "--phases: must be a whole number from 1 to 16, got 17"),
        (["compare", "gallery:corner", "--phases", "17"], "--phases: must be a whole number from 1 to 16, got 17"),
        (["converge", "gallery:corner", "--local", "--phases", "0"], "--phases: must be a whole number from 1 to 1000, got 0"),
        (["converge", "gallery:corner", "--reference", "guess"], '"guess" is neither exact, event-driven'),
        (["converge", "gallery:corner", "--reference", "none.h5"], "none.h5"),
        (["converge", "gallery:pendulum-wall", "--reference", "exact"], "has no formulas for its motion"),
        (["converge", "gallery:corner", "-o", "study.csv"], "must end in .h5"),
        (["converge", "gallery:corner", "--local", "--steps", "1.5"], "no impact of the reference"),
        (["compare", "gallery:corner", "--accuracy", "2"], "--accuracy: must be between 0 and 1, got 2"),
        (["compare", "gallery:corner", "--period", "0"], "--period: must be a positive number, got 0"),
    ],
)
def test_bad_input(ricochet, arguments, sentence):
    result = ricochet(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert sentence in result.stderr
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    assert ricochet.files() == []


def test_hausdorff_order_on_a_moving_table(ricochet):
    """Before the impacts accumulate (at 1.4) the graphs of v come closer with order 1, against a computed reference whose
    own graph is known to round-off: it was sampled, with a floor of 0.041, and the points below it were dropped."""
    outcome = ricochet.json("converge", "gallery:moving-table", "--schemes", "moreau-jean", "--steps", "3.2e-3:5",
                            "--phases", "8", "--window", "0:0.8")  # fmt: skip
    assert outcome["reference"]["floor"]["v_hausdorff"] < 1e-11
    assert outcome["points"]["moreau-jean"]["v_hausdorff"] == 5
    assert outcome["orders"]["moreau-jean"]["v_hausdorff"] == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("verb", ["converge", "compare"])
def test_a_reference_that_takes_very_long_says_so(ricochet, ball, verb):
    name = ricochet.write(ball.replace("m*g*x", "m*g*x - x*sin(1e9*t)"), "wild.toml")
    process = subprocess.Popen([ricochet.program, verb, name], cwd=ricochet.folder, encoding="utf-8",
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    assert process.stderr.readline().startswith("note: the reference: a little after t = ")
    process.send_signal(signal.SIGINT)
    assert "interrupted" in process.communicate(timeout=600)[1]
    assert process.returncode == 3
