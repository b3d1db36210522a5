// One quantity against another for the window of time in sight: the phase portrait of a coordinate, friction against
// slip. Velocity jumps have a colour of their own; where something sticks or slides the motion is shaded.
import uPlot from "uplot";
import { Numbers, Run } from "./data";
import { card, el, once_a_frame } from "./dom";
import { download_buttons } from "./download";
import { number, with_unit } from "./format";
import { Friction, joint_phase, Phase, phase_colors } from "./friction";
import { color, with_alpha } from "./theme";
import { View } from "./view";
import { Box, roomy, XyPlot } from "./xy_plot";

interface Portrait {
  title: string;
  style: string; // of its card
  what: string; // what one of the names is
  names: string[];
  first?: number; // the name shown at first
  x: (k: number) => Numbers;
  y: (k: number) => Numbers;
  jumps?: boolean; // impacts are drawn
  labels: (name: string) => [string, string];
  phase?: (k: number, row: number) => Phase; // of friction
}

// `first`: the coordinate shown at first, unless something is observed.
export function phase_portrait(run: Run, view: View, frictions: Friction[], first?: number): HTMLElement {
  const { coordinates, observations } = run.data;
  const n = coordinates.length;
  const observed = run.has("observed_rate") ? observations : [];
  return portrait(run, view, {
    title: "Phase portrait",
    jumps: true,
    style: "phase",
    what: "Coordinate",
    names: [...coordinates, ...observed],
    first: observed.length > 0 ? n : first,
    x: (k) => (k < n ? run.column("q", k) : run.column("observed", k - n)),
    y: (k) => (k < n ? run.column("v", k) : run.column("observed_rate", k - n)),
    labels: (name) => [with_unit(run.label(name), run.unit(name)), with_unit(`velocity of ${run.label(name)}`, run.rate_unit(name))],
    phase: frictions.length > 0 ? (_, row) => joint_phase(frictions, row) : undefined,
  });
}

export function friction_portrait(run: Run, view: View, frictions: Friction[]): HTMLElement {
  const forces = run.data.slips.map((_, k) => Float64Array.from(run.t, (_, row) => run.force("friction", k)(row)));
  const owner = run.data.slips.map((_, k) => frictions.find((one) => one.places.includes(k))!);
  return portrait(run, view, {
    title: "Friction against slip",
    style: "phase",
    what: "Slip",
    names: run.data.slips,
    first: Math.max(0, forces.findIndex((values) => values.some((value) => Math.abs(value) > 0))),
    x: (k) => run.column("slip", k),
    y: (k) => forces[k]!,
    labels: (name) => [name, with_unit("force of friction", run.unit("force"))],
    phase: (k, row) => owner[k]!.phase(row),
  });
}

function portrait(run: Run, view: View, of: Portrait): HTMLElement {
  const select = el("select", { "aria-label": `${of.what} of ${of.title}` });
  of.names.forEach((name, k) => select.append(el("option", { value: k }, name)));
  if (of.first !== undefined) select.value = String(of.first);
  const reading = el("span", { class: "reading" });
  const entry = (name: string, text: string) =>
    el("span", { class: "curve" }, el("span", { class: "swatch", style: `background: var(--${name})` }), text);
  const key = el(
    "div",
    { class: "legend" },
    entry("series-0", "motion"),
    of.jumps ? entry("impact", "velocity jumps") : null,
    ...(of.phase ? (["sticks", "slides"] as const).map((phase) => entry(phase_colors[phase], phase)) : []),
    reading,
  );
  function* numbers() {
    const [q, v, name] = [of.x(chosen()), of.y(chosen()), of.names[chosen()] ?? ""];
    yield ["t", ...of.labels(name)];
    for (let [row, end] = rows(); row <= end; ++row) yield [run.t[row]!, q[row]!, v[row]!];
  }
  const download = download_buttons({ title: of.title, rows: numbers, picture: () => plot!.picture() });
  const element = card(of.title, of.style, of.names.length > 1 ? select : null, download);
  const chosen = () => Number(select.value || 0);
  const rows = (): [number, number] => [run.row(view.from), Math.min(run.n - 1, run.row(view.to) + 1)];

  const bounds = (): Box => {
    const [q, v] = [of.x(chosen()), of.y(chosen())];
    const box: Box = [Infinity, -Infinity, Infinity, -Infinity];
    for (let [i, end] = rows(); i <= end; ++i) {
      if (!Number.isFinite(q[i]! + v[i]!)) continue;
      if (q[i]! < box[0]) box[0] = q[i]!;
      if (q[i]! > box[1]) box[1] = q[i]!;
      if (v[i]! < box[2]) box[2] = v[i]!;
      if (v[i]! > box[3]) box[3] = v[i]!;
    }
    return roomy(box);
  };

  // From each row of a phase back to the one before it; what is at rest is a point.
  const shade = (ctx: CanvasRenderingContext2D, wanted: Phase, place: (row: number) => [number, number]) => {
    const path = new Path2D();
    let pen = false;
    for (let [i, end] = rows(); i <= end; ++i) {
      const [from, to] = [place(Math.max(0, i - 1)), place(i)];
      if (of.phase!(chosen(), i) !== wanted || !Number.isFinite(to[0] + to[1])) {
        pen = false;
        continue;
      }
      if (!pen) path.moveTo(...(run.quiet(i) && Number.isFinite(from[0] + from[1]) ? from : to));
      path.lineTo(to[0] + 0.01, to[1]); // a line without length would not be drawn
      pen = true;
    }
    ctx.save();
    ctx.lineWidth = 7 * uPlot.pxRatio;
    ctx.lineCap = ctx.lineJoin = "round";
    ctx.strokeStyle = with_alpha(phase_colors[wanted], 45);
    ctx.stroke(path);
    ctx.restore();
  };

  // One pass: pieces of motion in one path, jumps in another; points closer than a pixel are left out.
  const draw = (ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number) => {
    const [q, v, jump] = [of.x(chosen()), of.y(chosen()), run.jump_after()];
    const [motion, jumps] = [new Path2D(), new Path2D()];
    const [x0, x1, y0, y1] = [x(0), x(1) - x(0), y(0), y(1) - y(0)];
    if (of.phase)
      for (const phase of ["slides", "sticks"] as const) shade(ctx, phase, (row) => [x0 + x1 * q[row]!, y0 + y1 * v[row]!]);
    let pen = false;
    let [last_x, last_y] = [0, 0];
    for (let [i, end] = rows(); i <= end; ++i) {
      const [px, py] = [x0 + x1 * q[i]!, y0 + y1 * v[i]!];
      if (!Number.isFinite(px + py)) {
        pen = false;
        continue;
      }
      if (!pen) motion.moveTo(px, py);
      else if (jump[i] || Math.abs(px - last_x) + Math.abs(py - last_y) > 0.7 || i === end) motion.lineTo(px, py);
      else continue;
      [pen, last_x, last_y] = [true, px, py];
      if (of.jumps && jump[i] && i < end) {
        const [next_x, next_y] = [x0 + x1 * q[i + 1]!, y0 + y1 * v[i + 1]!];
        if (Number.isFinite(next_x + next_y)) {
          jumps.moveTo(px, py);
          jumps.lineTo(next_x, next_y);
        }
        pen = false;
      }
    }
    ctx.lineWidth = 1.3 * uPlot.pxRatio;
    ctx.strokeStyle = color("series-0");
    ctx.stroke(motion);
    ctx.lineWidth = uPlot.pxRatio;
    ctx.strokeStyle = color("impact");
    ctx.stroke(jumps);
  };

  let plot: XyPlot | undefined;
  const dot = el("div", { class: "phase-dot" });
  const make = () => {
    plot?.host.remove();
    const name = of.names[chosen()] ?? "";
    const [x, y] = of.labels(name);
    plot = new XyPlot({
      label: `${of.title}: ${name}`,
      x: { label: x },
      y: { label: y },
      height: 300,
      bounds,
      draw: (ctx, x, y) => {
        draw(ctx, x, y);
        place = (q, v) => [x(q), y(v)];
      },
    });
    element.append(plot.host);
    plot.host.querySelector(".u-wrap")?.append(dot);
    read();
  };
  let place: ((q: number, v: number) => [number, number]) | undefined;
  const read = () => {
    if (run.n === 0) return;
    const row = run.row(view.reading);
    const [q, v] = [of.x(chosen())[row]!, of.y(chosen())[row]!];
    reading.textContent = `t ${number(run.t[row]!, 5)}: ${number(q, 5)}, ${number(v, 5)}`;
    const [px, py] = place?.(q, v) ?? [-99, -99];
    dot.style.transform = `translate(${px / uPlot.pxRatio}px, ${py / uPlot.pxRatio}px)`;
  };
  select.addEventListener("change", make);
  element.append(key);
  make();
  view.on_window(once_a_frame(() => (plot?.refresh(true), read())));
  view.on_reading(once_a_frame(read));
  return element;
}
