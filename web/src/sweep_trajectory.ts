// One trajectory: its numbers, and its points in the plane of two columns.
import uPlot from "uplot";
import { labelled, options_of } from "./controls";
import { card, el } from "./dom";
import { download_buttons } from "./download";
import { number } from "./format";
import { series_color } from "./theme";
import { SweepView } from "./sweep_view";
import { place_words, value_words } from "./sweep_words";
import { Box, roomy, XyPlot } from "./xy_plot";

// A slider over the trajectories that are drawn, and what is known of the chosen one.
export function trajectory_card(view: SweepView): HTMLElement {
  const { sweep } = view;
  const element = card("Chosen trajectory", "trajectory");
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Trajectory" });
  const head = el("output", { class: "place" });
  const list = el("dl", { class: "numbers" });
  const failure = el("p", { class: "failure" });
  const tell = () => {
    const i = view.chosen;
    slider.max = String(Math.max(0, view.slice.length - 1));
    slider.value = String(Math.max(0, view.slice.indexOf(i)));
    head.textContent = [place_words(sweep, i), view.direction_of(i)].filter((word) => word !== "").join(", ");
    const facts: [string, string][] = [["trajectory", String(i)]];
    for (const quantity of sweep.quantities) {
      const value = quantity.values[i]!;
      facts.push([quantity.label, quantity.kind === "class" ? value_words(quantity, value).replace(/^(period|attractor) /, "") : number(value)]);
    }
    if (sweep.data.rows > 0) facts.push(["points here", String(sweep.first[i + 1]! - sweep.first[i]!)]);
    list.replaceChildren(...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    const sentence = sweep.data.failures.find(([trajectory]) => trajectory === i)?.[1];
    failure.textContent = sweep.has_failed(i) ? sentence || "It failed." : "";
  };
  slider.addEventListener("input", () => {
    const i = view.slice[Number(slider.value)];
    if (i !== undefined) view.choose(i);
  });
  view.on("chosen", tell);
  view.on("slice", tell);
  view.on("axis", tell);
  tell();
  element.append(el("div", { class: "controls" }, slider), head, failure, list);
  element.append(el("p", { class: "hint" }, "Click into a plot to choose the trajectory there."));
  return element;
}

// Its section: one column over another.
export class SectionCard {
  readonly element: HTMLElement;
  private plot?: XyPlot;
  private place = el("div");
  private columns: [number, number];
  private extents: [number, number][] = []; // of all points

  constructor(private view: SweepView) {
    const { data } = view.sweep;
    const q = Math.max(0, data.columns.indexOf(data.coordinates[0] ?? ""));
    const v = data.columns.indexOf(`${data.coordinates[0]}_dot`);
    this.columns = [q, v >= 0 ? v : Math.min(q + 1, data.columns.length - 1)];
    const choose = (which: 0 | 1) => options_of(this.view.sweep.titles, this.columns[which], (k) => ((this.columns[which] = k), this.make()));
    const download = download_buttons({ title: "Points of the chosen trajectory", rows: () => this.numbers(), picture: () => this.plot!.picture() });
    this.element = card("Points of the chosen trajectory", "section", el("div", { class: "choose" }, labelled("across", choose(0)), labelled("up", choose(1))), download);
    this.element.append(this.place);
    this.make();
    view.on("chosen", () => this.plot?.refresh(true));
  }

  private make(): void {
    const names = this.columns.map((k) => this.view.sweep.titles[k]!) as [string, string];
    this.plot?.close();
    this.plot = new XyPlot({
      label: `Points of the chosen trajectory: ${names[1]} over ${names[0]}`,
      x: { label: names[0] },
      y: { label: names[1] },
      height: 300,
      bounds: () => this.bounds(),
      draw: (ctx, x, y) => {
        const [from, to] = this.rows();
        const [xs, ys] = this.columns.map((k) => this.view.sweep.column(k));
        const size = (to - from > 2000 ? 1.5 : 3.5) * uPlot.pxRatio;
        ctx.fillStyle = series_color(0);
        ctx.globalAlpha = to - from > 2e4 ? 0.4 : 1;
        for (let row = from; row < to; ++row) ctx.fillRect(x(xs![row]!) - size / 2, y(ys![row]!) - size / 2, size, size);
        ctx.globalAlpha = 1;
      },
    });
    this.place.replaceChildren(this.plot.host);
  }

  private *numbers(): Generator<(string | number)[]> {
    const { sweep } = this.view;
    yield this.columns.map((k) => sweep.titles[k]!);
    for (let [row, to] = this.rows(); row < to; ++row) yield this.columns.map((k) => sweep.column(k)[row]!);
  }

  private rows(): [number, number] {
    const { first } = this.view.sweep;
    return [first[this.view.chosen]!, first[this.view.chosen + 1]!];
  }

  // Not narrower than a share of what all trajectories take: the points of a periodic motion differ by rounding alone.
  private bounds(): Box {
    const [from, to] = this.rows();
    const side = (k: number) => {
      const values = this.view.sweep.column(k);
      const [least, most] = ends(values, from, to);
      const [all_least, all_most] = (this.extents[k] ??= ends(values, 0, values.length));
      const missing = Math.max(0, 0.02 * (all_most - all_least) - (most - least)) / 2;
      return [least - missing, most + missing];
    };
    return roomy([...side(this.columns[0]), ...side(this.columns[1])] as Box);
  }
}

function ends(values: ArrayLike<number>, from: number, to: number): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let row = from; row < to; ++row) {
    const value = values[row]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
