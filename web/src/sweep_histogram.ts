// Impacts by their impulses: for one trajectory as bars, along the axis as a map.
import uPlot from "uplot";
import { packed, shade } from "./colors";
import { labelled, options_of } from "./controls";
import { card, el } from "./dom";
import { download_buttons } from "./download";
import { count, number } from "./format";
import { series_color } from "./theme";
import { mark_chosen, near, x_roomy } from "./sweep_diagram";
import { SweepView } from "./sweep_view";
import { place_words } from "./sweep_words";
import { Area, Box, XyPlot } from "./xy_plot";

export class HistogramCard {
  readonly element: HTMLElement;
  private plot?: XyPlot;
  private place = el("div");
  private reading = el("p", { class: "reading", "aria-live": "off" }, "\u00a0");
  private along = false;
  private edges: number[];
  private ends: [number, number]; // of the bins that hold anything
  private log: boolean;
  private canvas = document.createElement("canvas");
  private pointed: number | null = null;

  constructor(private view: SweepView) {
    this.edges = finite_edges(view.sweep.data.edges);
    this.ends = this.filled();
    // Bins that grow by a factor are drawn as wide as each other.
    const [first, second, last, before] = [this.edges[0]!, this.edges[1]!, this.edges[this.edges.length - 1]!, this.edges[this.edges.length - 2]!];
    this.log = first > 0 && last - before > 3 * (second - first);
    const choose = options_of(["the chosen trajectory", "all along the axis"], 0, (k) => ((this.along = k === 1), this.make()));
    const download = download_buttons({ title: "Impulses", rows: () => this.rows(), picture: () => this.plot!.picture() });
    this.element = card("Impulses", "histogram", el("div", { class: "choose" }, labelled("of", choose)), download);
    this.element.append(this.place, this.reading);
    this.make();
    view.on("axis", () => this.make());
    view.on("slice", () => this.plot?.refresh());
    view.on("chosen", () => this.plot?.refresh(!this.along));
    view.on("window", () => this.along && this.plot?.show_x(view.window));
  }

  // Impacts between two impulses, of the chosen trajectory or of all along the axis.
  private *rows(): Generator<(string | number)[]> {
    const { view } = this;
    const bins = view.sweep.histogram();
    const of = this.along ? Array.from(view.slice) : [view.chosen];
    yield ["from", "to", ...of.map((i) => `${view.axis.name} = ${view.x_value(i)}`)];
    for (let k = 0; k < bins.length; ++k) yield [this.edges[k]!, this.edges[k + 1]!, ...of.map((i) => bins[k]![i]!)];
  }

  private filled(): [number, number] {
    const there = this.view.sweep.histogram().map((bin) => bin.some((value: number) => value > 0));
    const [first, last] = [there.indexOf(true), there.lastIndexOf(true)];
    return first < 0 ? [this.edges[0]!, this.edges[this.edges.length - 1]!] : [this.edges[first]!, this.edges[last + 1]!];
  }

  private make(): void {
    const { view } = this;
    const impulse = { label: view.sweep.title("impulse"), log: this.log };
    this.plot?.close();
    this.plot = new XyPlot({
      label: this.along ? `Impacts by impulse along ${view.axis.name}` : "Impacts by impulse of the chosen trajectory",
      x: this.along ? { label: view.axis.name, log: view.axis.log } : impulse,
      y: this.along ? impulse : { label: "impacts" },
      height: 300,
      bounds: () => this.bounds(),
      draw: (ctx, x, y, area) => (this.along ? this.map(ctx, x, y, area) : this.bars(ctx, x, y)),
      pointed: (x, y, radius) => this.look(x, y, radius),
      clicked: () => this.pointed !== null && view.choose(this.pointed),
    });
    this.place.replaceChildren(this.plot.host);
    if (this.along && view.window) this.plot.show_x(view.window);
  }

  private bounds(): Box {
    const [from, to] = this.ends;
    if (this.along) {
      const box = x_roomy(this.view, from, to);
      return [box[0], box[1], from, to];
    }
    const most = Math.max(1, ...this.view.sweep.histogram().map((bin) => bin[this.view.chosen]!));
    return [from, to, 0, 1.06 * most];
  }

  private bars(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number): void {
    ctx.fillStyle = series_color(0);
    this.view.sweep.histogram().forEach((bin, k) => {
      const [left, right, top] = [x(this.edges[k]!), x(this.edges[k + 1]!), y(bin[this.view.chosen]!)];
      const gap = Math.min(uPlot.pxRatio, 0.1 * (right - left));
      ctx.fillRect(left, top, right - left - gap, y(0) - top);
    });
  }

  // A column of pixels shows the trajectory that is nearest to it.
  private map(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, area: Area): void {
    const { view } = this;
    const bins = view.sweep.histogram();
    const [width, height] = [Math.round(area.width), Math.round(area.height)];
    this.canvas.width = width;
    this.canvas.height = height;
    const pen = this.canvas.getContext("2d")!;
    const image = pen.createImageData(width, height);
    const out = new Uint32Array(image.data.buffer);
    const { slice } = view;
    const middles = Array.from(slice, (i) => x(view.x_value(i)) - area.left);
    slice.forEach((i, k) => {
      const left = k === 0 ? 0 : (middles[k - 1]! + middles[k]!) / 2;
      const right = k + 1 === slice.length ? width : (middles[k]! + middles[k + 1]!) / 2;
      const most = Math.max(1, ...bins.map((bin) => bin[i]!));
      bins.forEach((bin, b) => {
        if (!(bin[i]! > 0)) return;
        const word = packed(shade(Math.log1p(bin[i]!) / Math.log1p(most)));
        const [top, foot] = [y(this.edges[b + 1]!) - area.top, y(this.edges[b]!) - area.top];
        for (let row = Math.max(0, Math.round(top)); row < Math.min(height, Math.round(foot)); ++row)
          out.fill(word, row * width + Math.max(0, Math.round(left)), row * width + Math.max(0, Math.min(width, Math.round(right))));
      });
    });
    pen.putImageData(image, 0, 0);
    ctx.drawImage(this.canvas, Math.round(area.left), Math.round(area.top));
    mark_chosen(view, ctx, x, area);
  }

  private look(x: number | null, y: number, radius: (x: number, y: number) => number): void {
    const { view } = this;
    this.pointed = null;
    let words = "\u00a0";
    if (x !== null) {
      const impulse = this.along ? y : x;
      const bin = this.edges.findIndex((edge, k) => impulse >= edge && impulse < (this.edges[k + 1] ?? -Infinity));
      const close = this.along ? near(view, x, (value) => radius(value, y) <= 8) : [view.chosen];
      const at = close[0];
      if (bin >= 0 && at !== undefined) {
        if (this.along) this.pointed = at;
        words = `${place_words(view.sweep, at)} \u00b7 impulses from ${number(this.edges[bin]!, 4)} to ${number(this.edges[bin + 1]!, 4)}: ${count(view.sweep.histogram()[bin]![at]!)} impacts`;
      }
    }
    this.reading.textContent = words;
  }
}

// Bins that are open at an end are drawn as wide as their neighbours.
function finite_edges(given: (number | null)[]): number[] {
  const edges = given.map((edge) => edge ?? NaN);
  const last = edges.length - 1;
  if (Number.isNaN(edges[last]!)) edges[last] = edges[last - 1]! + (edges[last - 1]! - edges[last - 2]! || 1);
  if (Number.isNaN(edges[0]!)) edges[0] = edges[1]! - (edges[2]! - edges[1]! || 1);
  return edges;
}
