// The bifurcation diagram: the points of every trajectory over its value on an axis.
import uPlot from "uplot";
import { class_color } from "./colors";
import { card, el, once_a_frame } from "./dom";
import { download_buttons } from "./download";
import { number } from "./format";
import { Pixels } from "./pixels";
import { color } from "./theme";
import { direction_names, Quantity } from "./sweep_data";
import { SweepView } from "./sweep_view";
import { class_of, class_words, trajectory_words } from "./sweep_words";
import { Area, Box, roomy, XyOptions, XyPlot } from "./xy_plot";
import { labelled, options_of } from "./controls";

const classes_at_most = 24; // colours of one picture; further classes share them

// How points are coloured: the class of a trajectory, or of each point.
interface Coloring {
  name: string;
  of_trajectory?: (trajectory: number) => number;
  of_point?: ArrayLike<number>;
  words: (k: number) => string;
}

export class Diagram {
  readonly element: HTMLElement;
  private plot?: XyPlot;
  private pixels = new Pixels();
  private y: number;
  private coloring: Coloring;
  private colorings: Coloring[];
  private pointed: { trajectory: number; row: number } | null = null;
  private place = el("div");
  private legend = el("div", { class: "legend key" });
  private reading = el("p", { class: "reading", "aria-live": "off" }, "\u00a0");
  private own: Own = { moves: false };

  constructor(private view: SweepView) {
    const { data } = view.sweep;
    // At impacts the coordinate is at its stop.
    const named = data.columns.indexOf(data.record === "impacts" ? "impulse" : (data.coordinates[0] ?? ""));
    this.y = named >= 0 ? named : data.columns.length - 1;
    this.colorings = this.all_colorings();
    this.coloring = this.colorings[0]!;
    const quantity = options_of(this.view.sweep.titles, this.y, (k) => ((this.y = k), this.make()));
    const coloring = options_of(this.colorings.map((one) => one.name), 0, (k) => this.set_coloring(k));
    this.element = card(
      "Bifurcation diagram",
      "wide diagram",
      el("div", { class: "choose" }, labelled("shows", quantity), this.colorings.length > 1 ? labelled("coloured by", coloring) : null),
      download_buttons({ title: "Bifurcation diagram", rows: () => this.rows(), picture: () => this.plot!.picture() }),
    );
    this.element.append(this.legend, this.place, this.reading);
    this.show_legend();
    this.make();
    view.on("axis", () => this.make());
    view.on("slice", () => this.plot?.refresh());
    view.on("chosen", () => this.plot?.refresh());
    view.on("window", () => this.own.moves || this.plot?.show_x(view.window, true));
  }

  private *rows(): Generator<(string | number)[]> {
    const { view } = this;
    const { first } = view.sweep;
    const values = view.sweep.column(this.y);
    yield [view.axis.name, view.sweep.titles[this.y]!];
    for (const i of view.slice) for (let row = first[i]!; row < first[i + 1]!; ++row) yield [view.x_value(i), values[row]!];
  }

  private all_colorings(): Coloring[] {
    const { sweep } = this.view;
    const list: Coloring[] = [];
    if (sweep.data.both)
      list.push({ name: "direction", of_trajectory: (i) => (sweep.is_backward(i) ? 1 : 0), words: (k) => direction_names[k]! });
    const by_class = (quantity: Quantity | undefined) => {
      if (!quantity) return;
      list.push({ name: quantity.label, of_trajectory: (i) => class_of(quantity, quantity.values[i]!), words: (k) => class_words(quantity, k) });
    };
    by_class(sweep.quantity("attractor"));
    const plain = { name: "nothing", of_trajectory: () => 0, words: () => "" };
    const constraint = sweep.data.columns.indexOf("constraint");
    if (list.length === 0) list.push(plain);
    by_class(sweep.quantity("period"));
    if (constraint >= 0 && sweep.data.constraints.length > 1)
      list.push({ name: "constraint", of_point: sweep.column(constraint), words: (k) => sweep.data.constraints[k] ?? `constraint ${k}` });
    if (!list.includes(plain)) list.push(plain);
    return list;
  }

  private set_coloring(k: number): void {
    this.coloring = this.colorings[k]!;
    this.show_legend();
    this.plot?.refresh();
  }

  // Classes that there are, none first.
  private classes(): number[] {
    const { sweep } = this.view;
    const { of_trajectory } = this.coloring;
    if (!of_trajectory) return sweep.data.constraints.map((_, k) => k);
    const there = new Set<number>();
    for (let i = 0; i < sweep.n; ++i) there.add(of_trajectory(i));
    return [...there].sort((a, b) => a - b);
  }

  private show_legend(): void {
    const classes = this.classes();
    this.legend.hidden = this.coloring.name === "nothing";
    this.legend.replaceChildren(
      ...classes.slice(0, classes_at_most).map((k) =>
        el("span", { class: "curve" }, el("span", { class: "swatch dot", style: `background: ${class_style(k)}` }), this.coloring.words(k)),
      ),
    );
    if (this.coloring.name === "direction")
      this.legend.append(el("span", { class: "curve" }, el("span", { class: "swatch dot", style: "background: color-mix(in srgb, var(--series-0), var(--series-1))" }), "both"));
    if (classes.length > classes_at_most) this.legend.append(el("span", { class: "hint" }, `and ${classes.length - classes_at_most} more`));
  }

  private make(): void {
    const { view } = this;
    const { data } = view.sweep;
    this.plot?.close();
    this.plot = plot_along(view, this.own, {
      label: `Bifurcation diagram: ${data.columns[this.y]} over ${view.axis.name}`,
      y: { label: view.sweep.titles[this.y]! },
      height: 520,
      bounds: () => this.bounds(),
      draw: (ctx, x, y, area) => this.draw(ctx, x, y, area),
      pointed: (x, y, radius) => this.look(x, y, radius),
      clicked: () => this.pointed && view.choose(this.pointed.trajectory),
    });
    this.place.replaceChildren(this.plot.host);
    if (view.window) this.plot.show_x(view.window);
  }

  private bounds(): Box {
    const { view } = this;
    const { first } = view.sweep;
    const values = view.sweep.column(this.y);
    let [least, most] = [Infinity, -Infinity];
    for (const i of view.slice)
      for (let row = first[i]!; row < first[i + 1]!; ++row) {
        const value = values[row]!;
        if (value < least) least = value;
        if (value > most && value < Infinity) most = value;
      }
    return x_roomy(view, least, most);
  }

  private draw(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, area: Area): void {
    const { view, pixels, coloring } = this;
    const { first } = view.sweep;
    const values = view.sweep.column(this.y);
    const a = y(0) - area.top;
    const b = y(1) - y(0);
    // Trajectories with their columns of pixels, by class.
    const groups = new Map<number, [number, number][]>();
    let [columns, last] = [0, NaN];
    for (const i of view.slice) {
      const left = x(view.x_value(i)) - area.left;
      if (!(left > -1 && left < area.width + 1)) continue;
      if (left !== last) ++columns;
      last = left;
      const k = coloring.of_trajectory ? coloring.of_trajectory(i) : 0;
      const group = groups.get(k) ?? groups.set(k, []).get(k)!;
      group.push([i, left]);
    }
    pixels.begin(area);
    for (const [k, group] of groups) {
      for (const wanted of coloring.of_point ? this.classes() : [k]) {
        for (const [i, left] of group) pixels.column(left, a, b, values, first[i]!, first[i + 1]!, coloring.of_point, wanted);
        pixels.color(class_color(wanted));
      }
    }
    pixels.paint(ctx, area, uPlot.pxRatio, area.width / Math.max(1, columns));
    mark_failed(view, ctx, x, area);
    mark_chosen(view, ctx, x, area);
  }

  // The nearest point; trajectories beyond 12 pixels are not looked at.
  private look = ((): ((x: number | null, y: number, radius: (x: number, y: number) => number) => void) => {
    let ask: () => void = () => {};
    const later = once_a_frame(() => ask());
    return (x, y, radius) => {
      ask = () => this.find(x, y, radius);
      later();
    };
  })();

  private find(x: number | null, y: number, radius: (x: number, y: number) => number): void {
    const { view } = this;
    const { first, data } = view.sweep;
    const values = view.sweep.column(this.y);
    this.pointed = null;
    let nearest = 12;
    for (const i of x === null ? [] : near(view, x, (value) => radius(value, y) <= 12)) {
      for (let row = first[i]!; row < first[i + 1]!; ++row) {
        const distance = radius(view.x_value(i), values[row]!);
        if (distance < nearest) {
          nearest = distance;
          this.pointed = { trajectory: i, row };
        }
      }
    }
    const at = this.pointed;
    this.reading.textContent = at
      ? `${view.axis.name} = ${number(view.x_value(at.trajectory))}, ${data.columns[this.y]} = ${number(values[at.row]!)} \u00b7 ${trajectory_words(view, at.trajectory)}`
      : "\u00a0";
  }
}

// Trajectories around a value on the axis, outwards as long as they are close.
export function near(view: SweepView, x: number, is_close: (value: number) => boolean): number[] {
  const { slice } = view;
  let [low, high] = [0, slice.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.x_value(slice[middle]!) < x) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let k = low; k < slice.length && is_close(view.x_value(slice[k]!)); ++k) found.push(slice[k]!);
  for (let k = low - 1; k >= 0 && is_close(view.x_value(slice[k]!)); --k) found.push(slice[k]!);
  return found;
}

// Whether a plot itself moves the window that all follow.
export interface Own {
  moves: boolean;
}

// A plot over the axis of the view, which moves the windows of all others.
export function plot_along(view: SweepView, own: Own, options: Omit<XyOptions, "x" | "moved">): XyPlot {
  const moved = (window: [number, number] | null): void => {
    own.moves = true;
    view.set_window(window);
    own.moves = false;
  };
  return new XyPlot({ ...options, x: { label: view.axis.name, log: view.axis.log }, moved });
}

// All of the axis, exactly or with room for one value, and y with room.
export function x_roomy(view: SweepView, least: number, most: number): Box {
  const { slice } = view;
  const box = roomy([view.x_value(slice[0] ?? 0), view.x_value(slice[slice.length - 1] ?? 0), least, most], view.axis.log);
  if (slice.length > 1) {
    const [from, to] = [view.x_value(slice[0]!), view.x_value(slice[slice.length - 1]!)];
    if (to > from) [box[0], box[1]] = [from, to];
  }
  return box;
}

// Ticks at the foot.
export function mark_failed(view: SweepView, ctx: CanvasRenderingContext2D, x: (value: number) => number, area: Area): void {
  if (view.sweep.data.failed === 0) return;
  ctx.fillStyle = color("impact");
  const [width, height] = [2 * uPlot.pxRatio, 8 * uPlot.pxRatio];
  for (const i of view.slice)
    if (view.sweep.has_failed(i)) ctx.fillRect(x(view.x_value(i)) - width / 2, area.top + area.height - height, width, height);
}

export function mark_chosen(view: SweepView, ctx: CanvasRenderingContext2D, x: (value: number) => number, area: Area): void {
  ctx.strokeStyle = color("accent");
  ctx.globalAlpha = 0.6;
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([4 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  const at = Math.round(x(view.x_value(view.chosen))) + 0.5;
  ctx.beginPath();
  ctx.moveTo(at, area.top);
  ctx.lineTo(at, area.top + area.height);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

// In a style that follows the theme.
export function class_style(k: number): string {
  return k < 0 ? "var(--none)" : k < 7 ? `var(--series-${k})` : class_color(k);
}
