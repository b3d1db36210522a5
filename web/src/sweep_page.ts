// The page of a sweep.
import { labelled, options_of } from "./controls";
import { card, el } from "./dom";
import { count, number } from "./format";
import { notes, page_foot, page_head } from "./head";
import { Sweep, SweepData } from "./sweep_data";
import { CurvesCard, groups_of } from "./sweep_curves";
import { Diagram } from "./sweep_diagram";
import { HistogramCard } from "./sweep_histogram";
import { SweepMap } from "./sweep_map";
import { SectionCard, trajectory_card } from "./sweep_trajectory";
import { SweepView } from "./sweep_view";
import { place_words } from "./sweep_words";

export function sweep_page(data: SweepData): HTMLElement {
  const sweep = new Sweep(data);
  const page = el("main", {}, head(sweep));
  if (sweep.n > 0) page.append(...parts(sweep));
  page.append(page_foot(data.scenario, data.version));
  return page;
}

function head(sweep: Sweep): HTMLElement {
  const { data } = sweep;
  const parameters = Object.entries(data.parameters).map(([name, value]) => `${name} = ${String(value)}`);
  const scheme = el("p", { class: "scheme" }, el("strong", {}, data.scheme), parameters.join(", "));
  const facts = el("dl", { class: "facts" });
  const fact = (name: string, value: string, title = "") =>
    facts.append(el("div", { title }, el("dt", {}, name), el("dd", {}, value)));
  const sum = (name: string) => {
    const quantity = sweep.quantity(name);
    return quantity && Array.from(quantity.values).reduce((total, value) => total + (value || 0), 0);
  };
  data.axes.forEach((axis, k) => {
    const values = sweep.axis(k);
    let [least, most] = [Infinity, -Infinity];
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
    const many = data.grid ? `, ${count(values.length)} values` : "";
    fact(axis.name, least === most ? number(least) : `${number(least)} to ${number(most)}${many}`, `${axis.parameter}${axis.log ? ", logarithmic" : ""}`);
  });
  fact("trajectories", count(sweep.n), data.both ? "half of them backward" : "");
  if (data.failed > 0) fact("failed", count(data.failed));
  fact("recorded", data.record);
  if (data.recorded > 0) fact("points", count(data.recorded));
  const [steps, impacts] = [sum("steps"), sum("impacts")];
  if (steps !== undefined) fact("steps", count(steps));
  if (impacts !== undefined) fact("impacts", count(impacts));
  return page_head(data.title, sweep.n === 1 ? "section" : "sweep", scheme, facts, notes(data.notes));
}

function parts(sweep: Sweep): HTMLElement[] {
  const { data } = sweep;
  const view = new SweepView(sweep);
  const grid = el("div", { class: "grid" });
  const has_points = data.rows > 0 && data.columns.length > 0;
  const map = data.axes.length > 1 && sweep.quantities.length > 0 ? new SweepMap(view).element : null;
  // Basins are what such a sweep is for.
  const map_first = map !== null && (data.attractor !== undefined || !has_points);
  if (map && map_first) grid.append(map);
  // Over initial values there is no bifurcation.
  const along_parameter = sweep.n > 1 && data.axes.some((axis) => !axis.parameter.startsWith("initial."));
  if (has_points && along_parameter) grid.append(new Diagram(view).element);
  if (has_points && sweep.n === 1) grid.append(new SectionCard(view).element);
  if (sweep.n > 1) for (const one of curves(view, has_points)) grid.append(one);
  if (map && !map_first) grid.append(map);
  grid.append(trajectory_card(view));
  if (has_points && data.columns.length > 1 && sweep.n > 1) grid.append(new SectionCard(view).element);
  if (data.histogram.length > 0) grid.append(new HistogramCard(view).element);
  if (data.failed > 0) grid.append(failures(view));
  return sweep.n > 1 ? [toolbar(view), grid] : [grid];
}

// Beside points the exponent and the period; of statistics the first groups.
function curves(view: SweepView, has_points: boolean): HTMLElement[] {
  const groups = groups_of(view.sweep.quantities);
  const place = (name: string) => groups.findIndex((group) => group.curves.some((curve) => curve.name === name));
  const exponents = view.sweep.data.spectrum?.length ? "Lyapunov exponents.1" : "lyapunov";
  let wanted = [exponents, "period"].map(place).filter((k) => k >= 0);
  if (!has_points) {
    const { statistic_names: names, coordinates } = view.sweep.data;
    const output = names.find((name) => /\.mean$/.test(name) && name !== "impulse.mean" && !coordinates.some((one) => name === `${one}.mean` || name === `${one}_dot.mean`));
    const rate = view.sweep.quantity("impacts_per_period")?.values.every((value) => Number.isNaN(value)) ? "impacts" : "impacts_per_period";
    wanted = [names[0] ?? "", names.find((name) => name.includes("_dot.")) ?? "", output ?? "", rate, exponents].map(place).filter((k) => k >= 0);
  }
  if (wanted.length === 0 && groups.length > 0) wanted = [0];
  return wanted.map((k) => new CurvesCard(view, groups, k).element);
}

// Along which axis, at which values of the others, in which direction.
function toolbar(view: SweepView): HTMLElement {
  const { data } = view.sweep;
  const bar = el("nav", { class: "toolbar", "aria-label": "What is drawn" });
  if (data.axes.length > 1) bar.append(labelled("along", options_of(data.axes.map((axis) => axis.name), 0, (k) => view.set_axis(k))));
  if (data.grid && data.axes.length > 1) data.axes.forEach((_, k) => bar.append(axis_slider(view, k)));
  if (data.both) {
    const choices: [boolean, boolean][] = [[true, true], [true, false], [false, true]];
    bar.append(labelled("direction", options_of(["both", "forward", "backward"], 0, (k) => view.show_directions(...choices[k]!))));
  }
  const place = el("output", { class: "place", "aria-live": "polite" });
  const whole = el("button", { type: "button" }, "Whole axis");
  whole.addEventListener("click", () => view.set_window(null));
  const tell = () => {
    const { window, slice } = view;
    const ends = window ?? [view.x_value(slice[0] ?? 0), view.x_value(slice[slice.length - 1] ?? 0)];
    place.textContent = `${view.axis.name} ${number(ends[0])} to ${number(ends[1])}`;
    whole.disabled = window === null;
  };
  for (const what of ["window", "axis", "slice"] as const) view.on(what, tell);
  tell();
  bar.append(whole, place, el("span", { class: "hint" }, "Drag over a plot to zoom, double-click for all of it, click to choose a trajectory."));
  return bar;
}

// The place on an axis that is not drawn along; or all of its values over each other.
function axis_slider(view: SweepView, k: number): HTMLElement {
  const axis = view.sweep.data.axes[k]!;
  const slider = el("input", { type: "range", min: 0, max: axis.size - 1, step: 1, "aria-label": axis.name });
  const all = el("input", { type: "checkbox", "aria-label": `All values of ${axis.name}` });
  const words = el("output", { class: "place" });
  const element = el("span", { class: "control" }, el("span", {}, axis.name), slider, words, el("label", { class: "control" }, all, "all"));
  const tell = () => {
    const place = view.fixed[k] ?? null;
    all.checked = place === null;
    slider.disabled = place === null;
    if (place !== null) slider.value = String(place);
    words.textContent = place === null ? "" : number(view.sweep.axis(k)[place]!, 4);
    element.hidden = view.x === k;
  };
  slider.addEventListener("input", () => view.fix(k, Number(slider.value)));
  all.addEventListener("change", () => view.fix(k, all.checked ? null : Number(slider.value)));
  view.on("slice", tell);
  view.on("axis", tell);
  tell();
  return element;
}

function failures(view: SweepView): HTMLElement {
  const { data } = view.sweep;
  const element = card("Failed trajectories", "wide failures");
  const body = el("tbody");
  for (const [trajectory, sentence] of data.failures) {
    const button = el("button", { type: "button", class: "link" }, String(trajectory));
    button.addEventListener("click", () => view.choose(trajectory));
    body.append(
      el(
        "tr",
        {},
        el("td", {}, button),
        el("td", { class: "word" }, place_words(view.sweep, trajectory)),
        el("td", { class: "word sentence" }, sentence || "It failed."),
      ),
    );
  }
  const titles = ["trajectory", "values", "why"].map((title, k) => el("th", { scope: "col", class: k > 0 ? "word" : "" }, title));
  element.append(el("div", { class: "scrolled" }, el("table", {}, el("thead", {}, el("tr", {}, ...titles)), body)));
  if (data.failed > data.failures.length)
    element.append(el("p", { class: "hint" }, `The first ${data.failures.length} of ${count(data.failed)}; the file has all.`));
  return element;
}
