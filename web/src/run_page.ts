// The page of one run.
import { Chooser } from "./chooser";
import { coordinates_of_interest } from "./contacts";
import { Player } from "./animation";
import { Run, RunData, StudyData } from "./data";
import { el } from "./dom";
import { energy_curves, potential_offset } from "./energy";
import { common_unit, count, number, with_unit } from "./format";
import { frictions_of, joint_phase, phase_colors } from "./friction";
import { friction_plots } from "./friction_plots";
import { notes, page_foot, page_head } from "./head";
import { ImpactTable } from "./impact_table";
import { at_end } from "./lifetime";
import { friction_portrait, phase_portrait } from "./phase";
import { study_parts } from "./study_page";
import { Band, Curve, TimePlot, TimePlotOptions } from "./time_plot";
import { View } from "./view";

export function run_page(data: RunData): HTMLElement {
  const run = new Run(data);
  const view = new View(run.from, run.to > run.from ? run.to : run.from + 1);
  const page = el("main", {}, head(run));
  if (run.n > 0) page.append(toolbar(view), run_columns(run, view));
  if (data.analysis) page.append(analysis_panel(data.analysis));
  page.append(new ImpactTable(run, view).element, page_foot(data.scenario, data.version));
  return page;
}

// What `ricochet analyse` says of the whole run, made when it is opened.
function analysis_panel(data: StudyData): HTMLElement {
  const panel = el("details", { class: "analysis" }, el("summary", {}, "Analysis: impact rates, forces, wear, spectra"));
  const fill = () => panel.append(notes(data.notes ?? []) ?? "", ...(data.text ?? []).map((line) => el("p", { class: "hint" }, line)), ...study_parts(data));
  panel.addEventListener("toggle", fill, { once: true });
  return panel;
}

function head(run: Run): HTMLElement {
  const { data } = run;
  return page_head(data.title, "run", scheme_line(run), facts_of(run), notes(data.notes, data.failure));
}

// How it ended, by which scheme.
export function scheme_line(run: Run): HTMLElement {
  const { data } = run;
  const parameters = Object.entries(data.parameters).map(([name, value]) => `${name} = ${String(value)}`);
  const state = el("span", { class: `status ${data.status}` }, data.status);
  return el("p", { class: "scheme" }, state, el("strong", {}, data.scheme), parameters.join(", "));
}

// Steps, impacts, the energy account.
export function facts_of(run: Run): HTMLElement {
  const { data } = run;
  const facts = el("dl", { class: "facts" });
  const fact = (name: string, value: string, title = "") =>
    facts.append(el("div", { title }, el("dt", {}, name), el("dd", {}, value)));
  fact("time", `${number(run.from)} to ${number(run.to)} ${run.unit("t")}`.trimEnd());
  if (data.steps !== null) fact("steps", count(data.steps));
  fact("recorded", count(data.recorded), "instants in the result file");
  fact("impacts", count(run.impacts.count));
  for (const [name, key] of [
    ["energy at start", "initial"],
    ["input", "input"],
    ["damping", "damping"],
    ["lost in impacts", "impact"],
    ["lost in friction", "friction"],
    ["numerical", "numerical"],
    ["energy at end", "final"],
  ] as const) {
    if (key === "friction" && data.slips.length === 0) continue;
    const value = data.energy[key];
    if (value === null || value === undefined) continue;
    const lost = name.startsWith("lost");
    // 0 - x has no negative zero.
    fact(name, `${number(lost ? 0 - value : value, 5)} ${run.unit("energy")}`.trimEnd(), lost ? "what they took from the system" : "a gain of the system");
  }
  return facts;
}

// Where in the run the plots are, and how to move.
export function toolbar(view: View): HTMLElement {
  const place = el("output", { class: "place", "aria-live": "polite" });
  const whole = el("button", { type: "button" }, "Whole run");
  whole.addEventListener("click", () => view.reset());
  const tool = (name: string, label: string, action: () => void) => {
    const button = el("button", { type: "button", "aria-label": label, title: label }, name);
    button.addEventListener("click", action);
    return button;
  };
  const tell = () => {
    place.textContent = `t ${number(view.from, 6)} to ${number(view.to, 6)}`;
    whole.disabled = view.whole;
  };
  view.on_window(tell);
  tell();
  return el(
    "nav",
    { class: "toolbar", "aria-label": "Window of time" },
    tool("\u2190", "Earlier", () => view.pan(-0.3)),
    tool("\u2192", "Later", () => view.pan(0.3)),
    tool("+", "Zoom in", () => view.zoom(0.5)),
    tool("\u2212", "Zoom out", () => view.zoom(2)),
    whole,
    place,
    el("span", { class: "hint" }, "Drag over a plot to zoom, double-click for the whole run, space plays."),
  );
}

// Plots that are made again when other names are chosen, at the same place.
class Slot {
  private plot?: TimePlot;
  readonly element = el("div", { class: "slot" });
  constructor(
    private run: Run,
    private view: View,
    private options: () => TimePlotOptions | null,
  ) {
    at_end(() => this.plot?.close());
    this.fill();
  }
  fill(): void {
    this.plot?.close();
    this.plot = undefined;
    const options = this.options();
    if (!options || (options.curves.length === 0 && !options.lanes)) return;
    this.plot = new TimePlot(this.run, this.view, options);
    this.element.append(this.plot.element);
  }
}

function all(names: string[]): number[] {
  return names.map((_, k) => k).slice(0, 8);
}

// Where all are drawn each has its own colour, chosen ones have those that come next.
function series_name(names: string[], k: number, i: number): string {
  return `series-${(names.length > 8 ? i : k) % 8}`;
}

// What an axis shows: its curves, as far as there is room.
function named(chosen: number[], names: string[]): string {
  const words = chosen.map((k) => names[k]!).join(", ");
  return words.length <= 24 ? words : `${words.slice(0, 22).replace(/,?[^,]*$/, "")}, \u2026`;
}

function largest(run: Run, column: string): number {
  let most = 0;
  for (let k = 0; k < Math.min(run.data.coordinates.length, 16); ++k)
    for (const value of run.column(column, k)) if (Math.abs(value) > most) most = Math.abs(value);
  return most;
}

// The parts of a run's page, all or those whose titles are wanted.
export function run_columns(run: Run, view: View, wanted: (title: string) => boolean = () => true): HTMLElement {
  const { coordinates, constraints, slips, joints, states, observations } = run.data;
  const curves = (column: string, places: number[], names: string[]): Curve[] =>
    places.map((k, i) => {
      const values = run.column(column, k);
      return { name: run.label(names[k]!), color: series_name(names, k, i), value: (row: number) => values[row]! };
    });
  // What an axis is called: its curves or a word, and the unit that all of them have.
  const axis = (words: string, chosen: number[], names: string[], unit: (name: string) => string = (name) => run.unit(name)) =>
    with_unit(words, common_unit(chosen.map((k) => unit(names[k]!))));

  const slots: Slot[] = [];
  const slot = (options: () => TimePlotOptions | null) => {
    const title = options()?.title;
    if (title === undefined || !wanted(title)) return "";
    slots.push(new Slot(run, view, options));
    return slots[slots.length - 1]!.element;
  };
  const again = () => slots.forEach((one) => one.fill());
  // What is stopped or observed is drawn first; of a beam's other unknowns the deflections, not the rotations.
  const shape = run.data.animation.find((figure) => (figure.figure === "beam" || figure.figure === "bar") && !figure.source);
  const interesting = coordinates_of_interest(run);
  const drawn = new Chooser("Coordinates", coordinates, interesting.length > 0 ? interesting : (shape?.q ?? []), again);
  const watched = new Chooser("Constraints", constraints, [], again);
  const frictions = frictions_of(run);
  const bands: Band[] = (["sticks", "slides"] as const).map((name) => ({
    name,
    color: phase_colors[name],
    rows: (row) => joint_phase(frictions, row) === name,
  }));
  const shaded = frictions.length > 0 ? bands : undefined;
  const sliding = new Chooser("Slips", slips, [], again);
  const held = new Chooser("Joints", joints, [], again);

  const left = el("div", { class: "column" });
  const right = el("div", { class: "column side" });
  for (const [chooser, title] of [[drawn, "Coordinates"], [watched, "Gaps"], [sliding, "Slips"], [held, "Reactions"]] as const)
    if (chooser.element && wanted(title)) left.append(chooser.element);
  // What was asked for comes first.
  if (observations.length > 0)
    left.append(
      slot(() => ({ title: "Observed", y: axis("displacement", all(observations), observations), curves: curves("observed", all(observations), observations), marks: true })),
    );
  left.append(
    slot(() => ({ title: "Coordinates", y: axis(named(drawn.chosen, coordinates.map((name) => run.label(name))), drawn.chosen, coordinates), curves: curves("q", drawn.chosen, coordinates), marks: true, height: 220, bands: shaded })),
    slot(() => ({ title: "Velocities", y: axis("velocity", drawn.chosen, coordinates, (name) => run.rate_unit(name)), curves: curves("v", drawn.chosen, coordinates), bands: shaded })),
  );
  // Outputs of one unit share a plot.
  const outputs = run.data.outputs ?? [];
  const units = [...new Set(outputs.map((name) => run.unit(name)))];
  for (const unit of units) {
    const places = outputs.flatMap((name, k) => (run.unit(name) === unit ? [k] : [])).slice(0, 8);
    left.append(slot(() => ({ title: unit ? `Outputs in ${unit}` : "Outputs", y: axis(named(places, outputs.map((name) => run.label(name))), places, outputs), curves: curves("output", places, outputs), marks: true })));
  }
  if (constraints.length > 0) {
    const [forces, blows] = (["force", "blow"] as const).map((kind) => () =>
      watched.chosen.map((k, i): Curve => ({ name: run.label(constraints[k]!), color: series_name(constraints, k, i), value: run[kind]("impulse", k) })),
    ) as [() => Curve[], () => Curve[]];
    const [held_long, struck] = [forces, blows].map((kind) => kind().some((curve) => run.acts(curve.value)));
    left.append(slot(() => ({ title: "Gaps", y: axis("gap", watched.chosen, constraints), curves: curves("gap", watched.chosen, constraints), least: 1e-9 * largest(run, "q") })));
    if (held_long) left.append(slot(() => ({ title: "Contact forces", y: with_unit("mean force", run.unit("force")), curves: forces(), height: 170 })));
    if (struck || !held_long) left.append(slot(() => ({ title: "Impulses", y: with_unit("impulse", run.unit("impulse")), curves: blows(), stems: true, height: 150 })));
  }
  if (shaded) left.append(...friction_plots(run, view, frictions, () => sliding.chosen, shaded).map(slot));
  if (joints.length > 0)
    left.append(slot(() => ({ title: "Reactions", y: with_unit("reaction", run.unit("force")), curves: curves("reaction", held.chosen, joints), marks: true })));
  if (states.length > 0)
    left.append(slot(() => ({ title: "Auxiliary states", y: axis(named(all(states), states.map((name) => run.label(name))), all(states), states), curves: curves("z", all(states), states) })));

  if (run.data.animation.length > 0 && wanted("Motion")) right.append(new Player(run, view, frictions).element);
  if (wanted("Phase portrait")) right.append(phase_portrait(run, view, frictions, coordinates.length > 8 ? drawn.chosen[0] : undefined));
  if (slips.length > 0 && wanted("Friction against slip")) right.append(friction_portrait(run, view, frictions));
  if (run.has("kinetic") && wanted("Energy")) {
    const stack = new TimePlot(run, view, { title: "Energy", y: with_unit("energy", run.unit("energy")), curves: energy_curves(run), stacked: true, height: 240 });
    const offset = potential_offset(run);
    if (offset !== 0)
      stack.element.append(el("p", { class: "hint" }, `The stack counts potential energy from its lowest value, ${number(offset, 4)}.`));
    right.append(stack.element);
  }
  return el("div", { class: "columns" }, left, right);
}
