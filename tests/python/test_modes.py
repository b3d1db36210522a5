"""modes() and mechanics() against closed forms and against numpy."""

import numpy as np
import pytest

import ricochet as rc

PENDULUM = {
    "coordinates": ["a", "b"],
    "kinetic": "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
    "potential": "-2*9.81*cos(a) - 9.81*cos(b)",
}


def test_double_pendulum():
    modes = rc.modes(rc.Lagrangian(**PENDULUM))
    assert modes.omega == pytest.approx(np.sqrt((2 + np.array([-1, 1]) * np.sqrt(2)) * 9.81), rel=1e-12)
    assert modes.frequency == pytest.approx(modes.omega / (2 * np.pi))
    assert modes.is_equilibrium and not modes.notes
    assert "moves most" in str(modes) and len(modes) == 2
    upright = rc.modes(rc.Lagrangian(**PENDULUM), q0=[np.pi, np.pi])
    assert upright.sigma[0].real > 0 and "unstable" in upright.notes[0]


def test_modes_are_those_of_the_matrices():
    frame = rc.Frame(
        points={"A": [0, 0], "B": [1, 0.5]},
        members=[dict(name="arm", **{"from": "A"}, to="B", elements=4, EA=1e4, GA=5e3, EI=2, rho_A=1, rho_I=1e-3)],
        supports=[dict(point="A", kind="clamped")],
        constraints=[rc.Constraint("shelf", gap="B_y - 0.5", restitution=0.5)],
    )
    at = rc.mechanics(frame)
    assert at.M.shape == at.K.shape == (12, 12) and at.C.shape == (12, 12)
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(at.M, at.K)).real)
    modes = rc.modes(frame, number=12)
    assert modes.omega == pytest.approx(np.sqrt(squares), rel=1e-8)
    assert modes.shapes.T @ at.M @ modes.shapes == pytest.approx(np.eye(12), abs=1e-10)
    assert modes.gaps["shelf"] == pytest.approx(at.H[:, 0] @ modes.shapes, abs=1e-12)
    assert set(modes.participation) == {"x", "y"} or len(modes.participation) == 12
    # With the shelf closed: on the null space of H.
    Q = np.linalg.svd(at.H)[0][:, 1:]
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(Q.T @ at.M @ Q, Q.T @ at.K @ Q)).real)
    closed = rc.modes(frame, closed="shelf", number=12)
    assert closed.omega == pytest.approx(np.sqrt(squares), rel=1e-8)
    assert at.g == pytest.approx([0.0]) and at.restitution == pytest.approx([0.5]) and at.kinetic == 0.0


def test_scenarios_and_files(tmp_path):
    modes = rc.modes("gallery:guided-pipe", closed="guide-lower", number=3)
    assert len(modes) == 3 and modes.participation["w"].shape == (3,)
    modes.save(tmp_path / "modes.csv")
    table = np.genfromtxt(tmp_path / "modes.csv", delimiter=",", names=True)
    assert table["frequency"] == pytest.approx(modes.frequency)
    assert modes.svg(tmp_path / "modes.svg").startswith("<svg")
    assert (tmp_path / "modes.svg").read_text().count("Mode ") == 3
    at = rc.mechanics("gallery:pendulum-cartesian")
    assert at.H_joints.shape == (2, 1) and at.g_joints == pytest.approx([0.0], abs=1e-15)
    scipy = pytest.importorskip("scipy.sparse")
    assert scipy.issparse(rc.mechanics("gallery:guided-pipe", sparse=True).K)


def test_damping_couples():
    C, K = np.array([[0.6, 0.0], [0.0, 0.0]]), np.array([[2.0, -1.0], [-1.0, 2.0]])
    modes = rc.modes(rc.Linear(M=np.eye(2), C=C, K=K))
    state = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]])
    wanted = [s for s in np.linalg.eigvals(state) if s.imag > 0]
    assert sorted(modes.sigma, key=abs) == pytest.approx(sorted(wanted, key=abs), rel=1e-12)
    assert np.iscomplexobj(modes.shapes)


@pytest.mark.parametrize("call, sentence", [
    (lambda: rc.modes("gallery:guided-pipe", closed="guide"), "guide-lower"),
    (lambda: rc.modes("gallery:guided-pipe", about="here"), "about: must be rest, start or equilibrium"),
    (lambda: rc.modes("gallery:guided-pipe", q0=[0.0]), "q0: belongs to a model"),
    (lambda: rc.modes(rc.Lagrangian(**PENDULUM), number=0), "number: must be a whole number, 1 or more"),
    (lambda: rc.modes(rc.Lagrangian(**PENDULUM), q0=[1.0]), "q0: must be 2 numbers"),
])
def test_bad_input(call, sentence):
    with pytest.raises(rc.InputError, match=sentence.replace("(", r"\(")):
        call()
