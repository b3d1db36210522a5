// Numbers of each trajectory along the axis of the diagram, in the same window.
import uPlot from "uplot";
import { labelled, options_of } from "./controls";
import { card, el } from "./dom";
import { download_buttons } from "./download";
import { number } from "./format";
import { color, series_color } from "./theme";
import { Quantity } from "./sweep_data";
import { mark_chosen, mark_failed, near, Own, plot_along, x_roomy } from "./sweep_diagram";
import { SweepView } from "./sweep_view";
import { is_none, trajectory_words } from "./sweep_words";
import { Area, Box, XyPlot } from "./xy_plot";

// Quantities with a common scale: x.mean, x.rms, x.min and x.max are curves of one plot.
export interface Group {
  name: string;
  curves: Quantity[];
}

export function groups_of(quantities: Quantity[]): Group[] {
  const groups: Group[] = [];
  for (const quantity of quantities) {
    const dot = quantity.name.lastIndexOf(".");
    const name = dot > 0 ? quantity.label.replace(/\.(mean|rms|min|max)(?= \[|$)/, "") : quantity.label;
    const group = groups.find((one) => one.name === name);
    if (group) group.curves.push(quantity);
    else groups.push({ name, curves: [quantity] });
  }
  return groups;
}

// Names of the model stay as they are.
function title_of(group: Group): string {
  return group.curves[0]!.kind === "number" ? group.name : `${group.name[0]!.toUpperCase()}${group.name.slice(1)}`;
}

export class CurvesCard {
  readonly element: HTMLElement;
  private plot?: XyPlot;
  private place = el("div");
  private legend = el("div", { class: "legend" });
  private reading = el("p", { class: "reading", "aria-live": "off" }, "\u00a0");
  private hidden = new Set<Quantity>();
  private pointed: number | null = null;
  private own: Own = { moves: false };
  private group: Group;

  constructor(
    private view: SweepView,
    groups: Group[],
    at_first: number,
  ) {
    this.group = groups[at_first]!;
    const choose = options_of(groups.map((group) => group.name), at_first, (k) => ((this.group = groups[k]!), this.make()));
    const download = download_buttons({ title: "Along the axis", rows: () => this.rows(), picture: () => this.plot!.picture() });
    this.element = card("Along the axis", "curves", el("div", { class: "choose" }, labelled("shows", choose)), download);
    this.element.append(this.legend, this.place, this.reading);
    this.make();
    view.on("axis", () => this.make());
    view.on("slice", () => this.plot?.show_x(view.window));
    view.on("chosen", () => this.plot?.refresh());
    view.on("window", () => this.own.moves || this.plot?.show_x(view.window));
  }

  private make(): void {
    const { view, group } = this;
    this.show_legend();
    this.element.querySelector("h2")!.textContent = `${title_of(group)} along ${view.axis.name}`;
    this.plot?.close();
    this.plot = plot_along(view, this.own, {
      label: `${group.name} along ${view.axis.name}`,
      y: { label: group.name },
      height: 260,
      bounds: () => this.bounds(),
      draw: (ctx, x, y, area) => this.draw(ctx, x, y, area),
      pointed: (x, y, radius) => this.look(x, y, radius),
      clicked: () => this.pointed !== null && view.choose(this.pointed),
    });
    this.place.replaceChildren(this.plot.host);
    if (view.window) this.plot.show_x(view.window);
  }

  private show_legend(): void {
    const { curves } = this.group;
    const entries: HTMLElement[] = curves.map((curve, k) => {
      const button = el(
        "button",
        { type: "button", class: "curve", "aria-pressed": String(!this.hidden.has(curve)), title: "show or hide" },
        el("span", { class: "swatch", style: `background: var(--series-${k % 8})` }),
        curve.label,
      );
      button.addEventListener("click", () => {
        if (!this.hidden.delete(curve)) this.hidden.add(curve);
        button.setAttribute("aria-pressed", String(!this.hidden.has(curve)));
        this.plot?.show_x(this.view.window);
      });
      return button;
    });
    if (curves.length === 1) entries.length = 0;
    if (curves[0]!.name === "period") entries.push(el("span", { class: "hint" }, "0: not periodic, \u22121: not settled"));
    if (this.view.sweep.data.both) entries.push(el("span", { class: "hint" }, "backward is pale"));
    this.legend.hidden = entries.length === 0;
    this.legend.replaceChildren(...entries);
  }

  private *rows(): Generator<(string | number)[]> {
    const { view } = this;
    yield [view.axis.name, ...this.group.curves.map((curve) => curve.label)];
    for (const i of view.slice) yield [view.x_value(i), ...this.group.curves.map((curve) => curve.values[i]!)];
  }

  private shown(): [Quantity, number][] {
    return this.group.curves.map((curve, k) => [curve, k] as [Quantity, number]).filter(([curve]) => !this.hidden.has(curve));
  }

  // Of what is in the window.
  private bounds(): Box {
    const { view } = this;
    const [from, to] = view.window ?? [-Infinity, Infinity];
    let [least, most] = [Infinity, -Infinity];
    for (const [{ values, kind }] of this.shown()) {
      if (kind === "class") least = Math.min(least, 0);
      for (const i of view.slice) {
        const [x, value] = [view.x_value(i), values[i]!];
        if (x < from || x > to || !Number.isFinite(value)) continue;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    return x_roomy(view, least, most);
  }

  private draw(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, area: Area): void {
    const { view } = this;
    for (const [curve, k] of this.shown()) {
      if (curve.kind === "signed") this.zero_line(ctx, y, area);
      for (const backward of view.sweep.data.both ? [true, false] : [false]) {
        const list = Array.from(view.slice).filter((i) => view.sweep.is_backward(i) === backward);
        ctx.globalAlpha = backward ? 0.45 : 1;
        ctx.strokeStyle = ctx.fillStyle = series_color(k);
        if (curve.kind === "class" || view.is_overlaid) this.dots(ctx, x, y, curve, list);
        else this.line(ctx, x, y, curve, list);
      }
      ctx.globalAlpha = 1;
    }
    mark_failed(view, ctx, x, area);
    mark_chosen(view, ctx, x, area);
  }

  private zero_line(ctx: CanvasRenderingContext2D, y: (value: number) => number, area: Area): void {
    ctx.strokeStyle = color("muted");
    ctx.lineWidth = uPlot.pxRatio;
    ctx.beginPath();
    ctx.moveTo(area.left, y(0));
    ctx.lineTo(area.left + area.width, y(0));
    ctx.stroke();
  }

  private line(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, curve: Quantity, list: number[]): void {
    ctx.lineWidth = 1.3 * uPlot.pxRatio;
    ctx.beginPath();
    let pen = false;
    for (const i of list) {
      const value = curve.values[i]!;
      if (!Number.isFinite(value)) {
        pen = false;
        continue;
      }
      const [px, py] = [x(this.view.x_value(i)), y(value)];
      if (pen) ctx.lineTo(px, py);
      else ctx.moveTo(px, py);
      pen = true;
    }
    ctx.stroke();
    if (list.length <= 60) this.dots(ctx, x, y, curve, list);
  }

  // What has none, such as the period of chaos, is faint.
  private dots(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, curve: Quantity, list: number[]): void {
    const size = (list.length > 1000 ? 2 : 3) * uPlot.pxRatio;
    const alpha = ctx.globalAlpha;
    for (const i of list) {
      const value = curve.values[i]!;
      if (!Number.isFinite(value)) continue;
      ctx.globalAlpha = alpha * (is_none(curve, value) ? 0.4 : 1);
      ctx.fillRect(x(this.view.x_value(i)) - size / 2, y(value) - size / 2, size, size);
    }
    ctx.globalAlpha = alpha;
  }

  private look(x: number | null, y: number, radius: (x: number, y: number) => number): void {
    const { view } = this;
    this.pointed = null;
    let nearest = Infinity;
    const close = x === null ? [] : near(view, x, (value) => radius(value, y) <= 8);
    for (const i of close)
      for (const [{ values }] of this.shown()) {
        const distance = radius(view.x_value(i), values[i]!);
        if (distance < nearest) [nearest, this.pointed] = [distance, i];
      }
    const at = this.pointed;
    const values = at === null ? "" : this.shown().filter(([curve]) => !["period", "attractor", "lyapunov"].includes(curve.name)).map(([curve]) => `${curve.label} = ${number(curve.values[at]!, 5)}`).join(", ");
    this.reading.textContent =
      at === null ? "\u00a0" : [`${view.axis.name} = ${number(view.x_value(at))}`, values, trajectory_words(view, at)].filter((word) => word !== "").join(" \u00b7 ");
  }
}
