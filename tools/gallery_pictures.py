"""The pictures of the gallery's scenarios: what event-driven makes of them, one function a page."""
import numpy as np

from plotter import BLUE, GREEN, GREY, ORANGE, Axis, Curve, Panel, figure, run, sweep


def motion(program, name, interval, *options):
    """The scenario under event-driven, recorded at the interval."""
    return run(program, f"gallery:{name}", "--scheme", "event-driven", "--step", repr(interval), *options)


def gear_rattle(program):
    result = motion(program, "gear-rattle", 2e-4, "--until", "0.12")
    t, time = 1e3 * result["t"], Axis("t in ms", 0, 120)
    speed = [
        Curve(t, 0.04 * result["a_dot"], GREY, "driver", 2.4),
        Curve(t, 0.08 * result["b_dot"], BLUE, "loose gear"),
    ]
    play = Curve(t, 1e3 * result["driving-flank.gap"], BLUE)
    return figure(
        "Two gears that rattle in their backlash",
        [
            Panel(time, Axis("play in mm", -0.02, 0.22), [play], 150, levels=[0, 0.2]),
            Panel(time, Axis("speed of the teeth in m/s", 3.0, 3.4), speed, 170, "right"),
        ],
    )


def energy_harvester(program):
    result = motion(program, "energy-harvester", 4e-3, "--until", "3")
    time = Axis("t in s", 0, 3)
    tip = Curve(result["t"], 1e3 * result["x"], BLUE)
    voltage = Curve(result["t"], result["u"], ORANGE)
    return figure(
        "Piezo cantilever between stops",
        [
            Panel(time, Axis("tip in mm", -5.5, 5.5), [tip], 150, levels=[-5, 5]),
            Panel(time, Axis("voltage in V", -70, 70), [voltage], 150, levels=[0]),
        ],
    )


def relief_valve(program):
    result = motion(program, "relief-valve", 0.02, "--until", "10")
    lift, pressure = Curve(result["t"], result["lift"], BLUE), Curve(result["t"], result["pressure"], ORANGE)
    time = Axis("t", 0, 10)
    return figure(
        "Relief valve that chatters on its seat",
        [
            Panel(time, Axis("lift", -0.2, 3.5), [lift], 150, levels=[0]),
            Panel(time, Axis("pressure", 0, 32), [pressure], 150, levels=[10]),
        ],
    )


def newton_cradle(program):
    def panel(label, *options):
        result = run(program, "gallery:newton-cradle", *options, "--step", "0.02")
        names = [("x1", "first", BLUE, 1.6), ("x2", "second", ORANGE, 3.4), ("x3", "third", GREEN, 1.6)]
        curves = [Curve(result["t"], result[x], colour, name, width) for x, name, colour, width in names]
        return Panel(Axis("t", 0, 4), Axis(label, -1.1, 1.1), curves, 140, "left", [0])

    exact = ["--scheme", "event-driven"]
    return figure(
        "Newton's cradle: three answers",
        [
            panel("touching", *exact),
            panel("0.01 apart", *exact, "--set", "model.parameters.spacing=0.01"),
            panel("touching, springs", "--scheme", "penalty"),
        ],
    )


def falling_stick(program):
    result = motion(program, "falling-stick", 2.5e-3, "--until", "1.1")
    ends = [
        Curve(result["t"], result["left-end.gap"], BLUE, "left end"),
        Curve(result["t"], result["right-end.gap"], ORANGE, "right end"),
    ]
    return figure(
        "Heights of the ends of a falling stick",
        [
            Panel(Axis("t in s", 0, 1.1), Axis("height in m", -0.05, 1.2), ends, 200, levels=[0]),
            Panel(Axis("t in s", 0.4, 1.1), Axis("height in m", -0.01, 0.25), ends, 170, "none", levels=[0]),
        ],
    )


def rotating_beam(program):
    result = motion(program, "rotating-beam", 4e-3, "--until", "2")
    time = Axis("t in s", 0, 2)
    tip, bend = Curve(result["t"], result["stop.gap"], BLUE), Curve(result["t"], result["bend"], ORANGE)
    return figure(
        "A rotating flexible beam that hits a stop",
        [
            Panel(time, Axis("tip to stop in m", -0.03, 0.52), [tip], 150, levels=[0]),
            Panel(time, Axis("deflection in m", -0.2, 0.1), [bend], 150, levels=[0]),
        ],
    )


def clearance_joint(program):
    result = motion(program, "clearance-joint", 2e-3, "--until", "1")
    time = Axis("t in s", 0, 1)
    pin = [Curve(result["t"], 1e3 * result["x"], GREY, "x", 1.4), Curve(result["t"], 1e3 * result["y"], BLUE, "y")]
    force = Curve(result["t"], result["hole.impulse"] / 2e-3, ORANGE)
    return figure(
        "A pin in a hole that is too wide",
        [
            Panel(time, Axis("pin in mm", -22, 22), pin, 170, "right", [-20, 20]),
            Panel(time, Axis("joint force in N", 0, 200), [force], 170, levels=[9.81]),
        ],
    )


def slider_crank_stop(program):
    result = motion(program, "slider-crank-stop", 1e-3)
    time = Axis("t in s", 0, 0.8)
    slider = Curve(result["t"], result["xs"], BLUE)
    pin = Curve(result["t"], 1e-3 * result["piston-pin.reaction.1"], ORANGE)
    return figure(
        "Slider-crank whose slider meets a stop",
        [
            Panel(time, Axis("slider in m", 0.25, 0.75), [slider], 150, levels=[0.68]),
            Panel(time, Axis("force of its pin in kN", -0.25, 0.25), [pin], 150, levels=[0]),
        ],
    )


def slider_crank_clearance(program):
    result = motion(program, "slider-crank-clearance", 2.5e-4)
    x = result["xr"] + 0.25 * np.cos(result["rod"]) - result["xs"]
    y = result["yr"] + 0.25 * np.sin(result["rod"])
    place = [Curve(result["t"], 1e3 * x, GREY, "x", 1.4), Curve(result["t"], 1e3 * y, BLUE, "y")]
    force = Curve(result["t"], 1e-3 * result["piston-pin.impulse"] / 2.5e-4, ORANGE)
    time = Axis("t in s", 0, 0.25)
    return figure(
        "The loose pin of a slider-crank",
        [
            Panel(time, Axis("pin in its hole in mm", -6, 9), place, 180, "right", [-5, 5]),
            Panel(time, Axis("force in kN", 0, 1), [force], 150),
        ],
    )


def falling_chain(program):
    result = motion(program, "falling-chain", 1e-2)

    def shape(t, colour, width=2.0):
        row = int(np.argmin(np.abs(result["t"] - t)))
        ends = [[result[f"{x}{i}"][row] for x in "xya"] for i in (1, 2, 3, 4)]
        x, y, a = np.array(ends).T
        x, y = x - 0.125 * np.cos(a), y - 0.125 * np.sin(a)
        last = x[-1] + 0.25 * np.cos(a[-1]), y[-1] + 0.25 * np.sin(a[-1])
        return Curve(np.append(x, last[0]), np.append(y, last[1]), colour, f"t = {t:g} s", width, dots=True)

    shapes = [shape(0, GREY), shape(0.23, GREEN), shape(0.27, ORANGE), shape(0.5, BLUE)]
    return figure(
        "A chain that falls on a floor",
        [Panel(Axis("x in m", -0.15, 1.05), Axis("y in m", -0.03, 0.5), shapes, 300, "right", levels=[0])],
    )


def andrews_squeezer(program):
    result = motion(program, "andrews-squeezer", 1e-4)
    time = Axis("t in ms", 0, 30)
    angles = [("gamma", GREY), ("phi", ORANGE), ("delta", GREEN), ("epsilon", BLUE)]
    turned = [Curve(1e3 * result["t"], result[name], colour, name) for name, colour in angles]
    force = Curve(1e3 * result["t"], result["lever.reaction.1"], BLUE)
    return figure(
        "Andrews' squeezer",
        [
            Panel(time, Axis("angles in rad", -0.7, 2.2), turned, 200, "right"),
            Panel(time, Axis("force on the lever in N", -220, 20), [force], 150, levels=[0]),
        ],
    )


def table_chatter(program):
    result = motion(program, "table-chatter", 2.5e-3, "--until", "1.2")
    table = Curve(result["t"], 0.09 * np.sin(12 * result["t"]), GREY, "table", 2.4)
    ball = Curve(result["t"], result["x"], BLUE, "ball")
    near = motion(program, "table-chatter", 2.5e-4, "--until", "0.42")
    gap = Curve(near["t"], 1e3 * near["table.gap"], BLUE)
    return figure(
        "A ball that chatters to rest on a table in every period",
        [
            Panel(Axis("t in s", 0, 1.2), Axis("height in m", -0.1, 0.13), [table, ball], 180),
            Panel(Axis("t in s", 0.31, 0.42), Axis("gap in mm", -0.5, 5.5), [gap], 130, levels=[0]),
        ],
    )


def pounding_buildings(program):
    result = motion(program, "pounding-buildings", 0.02, "--until", "12")
    time = Axis("t in s", 0, 12)
    floors = [
        Curve(result["t"], 100 * result["a2"], BLUE, "soft frame"),
        Curve(result["t"], 100 * result["b2"], ORANGE, "stiff frame"),
    ]
    gap = Curve(result["t"], 100 * result["floor2.gap"], BLUE)
    return figure(
        "Two buildings that pound in an earthquake",
        [
            Panel(time, Axis("second floors in cm", -6, 6), floors, 160, levels=[0]),
            Panel(time, Axis("gap in cm", -0.5, 10), [gap], 130, levels=[0]),
        ],
    )


def bead_column(program):
    result = motion(program, "bead-column", 5e-4)
    colours = [BLUE, ORANGE, GREEN, GREY]
    curves = [
        Curve(1e3 * result["t"], 1e3 * (result[f"y{i}"] - 0.01 - 0.02 * i), colours[i % 4], width=1.3) for i in range(10)
    ]
    return figure(
        "Column of beads that drops on a floor",
        [Panel(Axis("t in ms", 0, 120), Axis("height over rest in mm", -1, 21), curves, 220, levels=[0])],
    )


def points(x, y, colour, name="", size=1.0):
    return Curve(x, y, colour, name, size, line=False, dots=True)


def grazing(program):
    result = sweep(
        program, "gallery:grazing", "sweep.axis[0].count=61", "time.step=2e-3", 'sweep.duration="12*2*pi/w"'
    )
    half = result["trajectory"].max() // 2
    up = result["trajectory"] <= half
    curves = [
        points(result["a"][~up], result["x"][~up], ORANGE, "going down"),
        points(result["a"][up], result["x"][up], BLUE, "going up"),
    ]
    return figure(
        "Grazing of a forced oscillator on a stop",
        [Panel(Axis("amplitude of the free motion", 0.7, 1.3), Axis("x once a period", -6.5, 3.2), curves, 300, levels=[1])],
    )


def basins(program):
    result = sweep(program, "gallery:basins", "sweep.axis[0].count=24", "sweep.axis[1].count=24")
    # The last point of each trajectory tells where it ended: the motion of period 1 has one point.
    last = np.append(result["trajectory"][1:] != result["trajectory"][:-1], True)
    q, v, x = result["initial.q.x"][last], result["initial.v.x"][last], result["x"][last]
    one = np.abs(x + 0.652) < 0.01
    curves = [points(q[one], v[one], ORANGE, "period 1", 2.4), points(q[~one], v[~one], BLUE, "period 3", 2.4)]
    return figure(
        "Two motions under one load",
        [Panel(Axis("x at the start", -2.05, 0.05), Axis("velocity at the start", -2.1, 2.6), curves, 320)],
    )


def relief_valve_sweep(program):
    result = sweep(program, "gallery:relief-valve-sweep", "sweep.axis[0].count=99", "sweep.skip=60", "sweep.points=12")
    return figure(
        "Relief valve: its maxima over the flow",
        [Panel(Axis("flow", 0, 10), Axis("largest lift", 0, 9), [points(result["flow"], result["lift"], BLUE)], 260)],
    )


# By the names of their files.
def mechanisms(program):
    result = motion(program, "slider-crank", 1e-3)
    t, time = result["t"], Axis("t in s", 0, 0.5)
    names = [("crank-pin.reaction.1", BLUE, "horizontal"), ("crank-pin.reaction.2", ORANGE, "vertical")]
    forces = [Curve(t, result[name], colour, label) for name, colour, label in names]
    return figure(
        "Slider-crank",
        [
            Panel(time, Axis("slider in m", 0.25, 0.75), [Curve(t, result["xs"], BLUE)], 130, levels=[0.3, 0.7]),
            Panel(time, Axis("force of the crank pin in N", -1000, 700), forces, 170, "right", levels=[0]),
        ],
    )


GALLERY = {
    "mechanisms": mechanisms,
    "gear-rattle": gear_rattle,
    "energy-harvester": energy_harvester,
    "relief-valve": relief_valve,
    "newton-cradle": newton_cradle,
    "falling-stick": falling_stick,
    "rotating-beam": rotating_beam,
    "clearance-joint": clearance_joint,
    "slider-crank-stop": slider_crank_stop,
    "slider-crank-clearance": slider_crank_clearance,
    "falling-chain": falling_chain,
    "andrews-squeezer": andrews_squeezer,
    "table-chatter": table_chatter,
    "pounding-buildings": pounding_buildings,
    "bead-column": bead_column,
    "grazing": grazing,
    "basins": basins,
    "relief-valve-sweep": relief_valve_sweep,
}
