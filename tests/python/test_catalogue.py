"""Schemes and solvers as classes made from the catalogue."""

import inspect
import json

import pytest

import ricochet as rc


def test_all_of_the_program(program):
    for verb, module in (("schemes", rc.schemes), ("solvers", rc.solvers)):
        listed = json.loads(program(verb, "--json").stdout)
        assert [kind.name for kind in module.all()] == [entry["name"] for entry in listed]
        assert all(kind.summary == entry["summary"] for kind, entry in zip(module.all(), listed))


def test_names():
    assert rc.schemes.MoreauJean.name == "moreau-jean" and rc.schemes.D1Minus.name == "d1-minus"
    assert rc.schemes.find("hht") is rc.schemes.Hht and rc.solvers.find("lemke") is rc.solvers.Lemke
    assert set(rc.schemes.__all__) >= {kind.__name__ for kind in rc.schemes.all()}


@pytest.mark.parametrize("kind", rc.schemes.all())
def test_defaults_ranges_and_documentation(kind):
    scheme = kind()
    signature = inspect.signature(kind)
    assert scheme.parameters == {name: p.default for name, p in signature.parameters.items()}
    for spec in kind._parameters:
        name = spec["name"]
        assert name in kind.__doc__ and spec["meaning"] in kind.__doc__
        assert getattr(scheme, name) == spec["default"]
        assert kind(**{name: spec["default"]}).given == [(name, spec["default"])]
        wrong = "nonsense" if spec["words"] else spec["upper"] * 2 + 1
        if wrong != float("inf"):
            with pytest.raises(rc.InputError, match=f"scheme.{name}: "):
                kind(**{name: wrong})
        with pytest.raises(rc.InputError, match=f"scheme.{name}: "):
            kind(**{name: [1.0]})
    assert kind.reference in kind.__doc__ and kind.order in kind.__doc__


def test_unknown_parameters():
    with pytest.raises(rc.InputError, match="did you mean theta"):
        rc.schemes.MoreauJean(teta=1.0)
    with pytest.raises(rc.InputError, match="theta"):
        rc.schemes.MoreauJean(theta=1.5)
    with pytest.raises(AttributeError):
        rc.schemes.MoreauJean().teta
    with pytest.raises(rc.InputError, match="tolerance"):
        rc.solvers.Lemke(tolerance=-1.0)


def test_schemes_are_values():
    a = rc.schemes.MoreauJean(theta=1)
    assert a == rc.schemes.MoreauJean(theta=1.0) != rc.schemes.MoreauJean() and len({a, rc.schemes.MoreauJean(theta=1.0)}) == 1
    assert repr(a) == "MoreauJean(theta=1.0)" and str(a) == "moreau-jean:theta=1.0"
    assert repr(rc.solvers.Lemke(tolerance=1e-9)) == "Lemke(tolerance=1e-09)"


def test_flags_are_bools():
    for off in (False, "off", "false"):
        scheme = rc.schemes.Mannshardt(repeat=off)
        assert scheme.repeat is False and str(scheme) == "mannshardt:repeat=off"
    assert rc.schemes.Mannshardt().repeat is True
    assert rc.schemes.ExtrapolatedMoreau(columns=4).columns == 4
    with pytest.raises(rc.InputError, match="scheme.repeat: must be one of on, off, got the number 2"):
        rc.schemes.Mannshardt(repeat=2)
    with pytest.raises(rc.InputError, match="scheme.columns: must be a whole number, got 2.5"):
        rc.schemes.ExtrapolatedMoreau(columns=2.5)


def test_whether_steps_are_chosen_depends_on_parameters():
    assert not rc.schemes.Splitting().chooses_steps and rc.schemes.Splitting(steps="adaptive").chooses_steps
    assert rc.schemes.Penalty().chooses_steps and not rc.schemes.Penalty(steps="fixed").chooses_steps
