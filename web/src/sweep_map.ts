// The plane of two axes, coloured by a number of each trajectory: basins of attraction, periods, exponents, statistics.
import uPlot from "uplot";
import { ColorKey } from "./color_key";
import { labelled, options_of } from "./controls";
import { Numbers } from "./data";
import { card, el } from "./dom";
import { download_buttons } from "./download";
import { number } from "./format";
import { color } from "./theme";
import { Levels, Quantity, reach_of } from "./sweep_data";
import { SweepView } from "./sweep_view";
import { trajectory_words, value_words } from "./sweep_words";
import { Area, Box, roomy, XyPlot } from "./xy_plot";

export class SweepMap {
  readonly element: HTMLElement;
  private plot?: XyPlot;
  private place = el("div");
  private key_place = el("div");
  private reading = el("p", { class: "reading", "aria-live": "off" }, "\u00a0");
  private quantity: Quantity;
  private axes: [number, number] = [0, 1];
  private backward = false;
  private key!: ColorKey;
  private pointed: number | null = null;
  private canvas = document.createElement("canvas");
  private levels?: Levels;

  constructor(private view: SweepView) {
    const { sweep } = view;
    const { data } = sweep;
    this.quantity = sweep.quantities[0]!;
    const names = data.axes.map((axis) => axis.name);
    const quantity = options_of(sweep.quantities.map((one) => one.label), 0, (k) => ((this.quantity = sweep.quantities[k]!), this.make()));
    const axis = (which: 0 | 1) =>
      options_of(names, which, (k) => {
        const other = which === 0 ? 1 : 0;
        if (this.axes[other] === k) this.axes[other] = this.axes[which];
        this.axes[which] = k;
        selects.forEach((select, i) => (select.value = String(this.axes[i]!)));
        this.make();
      });
    const selects = [axis(0), axis(1)];
    const direction = options_of(["forward", "backward"], 0, (k) => ((this.backward = k === 1), this.make()));
    this.element = card(
      "Map",
      "wide map",
      el(
        "div",
        { class: "choose" },
        labelled("shows", quantity),
        ...(names.length > 2 ? [labelled("across", selects[0]!), labelled("up", selects[1]!)] : []),
        data.both ? labelled("direction", direction) : null,
      ),
      download_buttons({ title: "Map", rows: () => this.rows(), picture: () => this.plot!.picture() }),
    );
    this.element.append(this.key_place, this.place, this.reading);
    this.make();
    view.on("slice", () => (names.length > 2 ? this.make() : undefined));
    view.on("chosen", () => this.plot?.refresh());
  }

  private make(): void {
    const { data } = this.view.sweep;
    const [a, b] = this.axes.map((k) => data.axes[k]!) as [(typeof data.axes)[0], (typeof data.axes)[0]];
    this.key = new ColorKey(this.quantity, (i) => this.view.sweep.has_failed(i), this.drawn());
    this.key_place.replaceChildren(this.key.element());
    this.plot?.close();
    this.plot = new XyPlot({
      label: `Map of ${this.quantity.label} over ${a.name} and ${b.name}`,
      x: { label: a.name, log: a.log },
      y: { label: b.name, log: b.log },
      height: 540,
      bounds: () => this.bounds(),
      draw: (ctx, x, y, area) => (data.grid ? this.cells(ctx, x, y, area) : this.dots(ctx, x, y)),
      pointed: (x, y, radius) => this.look(x, y, radius),
      clicked: () => this.pointed !== null && this.view.choose(this.pointed),
    });
    this.place.replaceChildren(this.plot.host);
  }

  // The trajectory of a cell; further axes stand where the diagram has them.
  private at(i: number, j: number): number {
    const { sweep, fixed } = this.view;
    const places = sweep.data.axes.map((_, k) => fixed[k] ?? 0);
    places[this.axes[0]] = i;
    places[this.axes[1]] = j;
    return sweep.at(this.backward, places);
  }

  private *drawn(): Generator<number> {
    const { sweep } = this.view;
    if (!sweep.data.grid) for (let i = 0; i < sweep.n; ++i) yield i;
    else
      for (let i = 0; i < sweep.axis(this.axes[0]).length; ++i)
        for (let j = 0; j < sweep.axis(this.axes[1]).length; ++j) yield this.at(i, j);
  }

  private *rows(): Generator<(string | number)[]> {
    const { sweep } = this.view;
    yield [...this.axes.map((k) => sweep.data.axes[k]!.name), this.quantity.label];
    for (const i of this.drawn()) yield [...this.axes.map((k) => sweep.value(i, k)), this.quantity.values[i]!];
  }

  private bounds(): Box {
    const { sweep } = this.view;
    const side = (k: number) => {
      const { log } = sweep.data.axes[k]!;
      const values = sweep.axis(k);
      if (sweep.data.grid) {
        const edges = edges_of(values, log);
        const [from, to] = [edges[0]!, edges[edges.length - 1]!];
        return [Math.min(from, to), Math.max(from, to)];
      }
      let [least, most] = [Infinity, -Infinity];
      for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
      return roomy([least, most, 0, 1], log).slice(0, 2);
    };
    return [...side(this.axes[0]), ...side(this.axes[1])] as Box;
  }

  // Which cell each column and each row of pixels is in, then a colour for each pixel.
  private cells(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, area: Area): void {
    const { sweep } = this.view;
    const [width, height] = [Math.round(area.width), Math.round(area.height)];
    const columns = cells_of(sweep.axis(this.axes[0]), sweep.data.axes[this.axes[0]]!.log, (value) => x(value) - area.left, width);
    const rows = cells_of(sweep.axis(this.axes[1]), sweep.data.axes[this.axes[1]]!.log, (value) => y(value) - area.top, height);
    this.canvas.width = width;
    this.canvas.height = height;
    const pen = this.canvas.getContext("2d")!;
    const image = pen.createImageData(width, height);
    const out = new Uint32Array(image.data.buffer);
    const words = new Uint32Array(columns.length);
    let last = -1;
    for (let row = 0; row < height; ++row) {
      const j = rows[row]!;
      if (j < 0) continue;
      if (j !== last) this.color_row(columns, j, words);
      last = j;
      out.set(words, row * width);
    }
    pen.putImageData(image, 0, 0);
    ctx.drawImage(this.canvas, Math.round(area.left), Math.round(area.top));
    this.cross(ctx, x, y);
  }

  private color_row(columns: Int32Array, j: number, words: Uint32Array): void {
    let [last, word] = [-1, 0];
    columns.forEach((i, k) => {
      if (i !== last) word = i < 0 ? 0 : this.key.word(this.at(i, j));
      last = i;
      words[k] = word;
    });
  }

  private dots(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number): void {
    const { sweep } = this.view;
    const size = (sweep.n > 2e4 ? 2 : sweep.n > 2e3 ? 4 : 7) * uPlot.pxRatio;
    const { order, level, first } = (this.levels ??= sweep.by_level);
    const half: [number, number] = [size / 2, size / 2];
    for (const i of order) {
      const [r, g, b] = this.key.rgb(i);
      ctx.fillStyle = `rgb(${r} ${g} ${b})`;
      // Around a node of a refined grid lies a cell; elsewhere a sample is a dot.
      const [u, v] = this.axes.map((k) => sweep.value(i, k)) as [number, number];
      const [left, right] = level ? reach_of(u, first[this.axes[0]]!, level[i]!, x) : half;
      const [below, above] = level ? reach_of(v, first[this.axes[1]]!, level[i]!, y) : half;
      // Whole pixels, so that no gap shows between them.
      const [x0, y0] = [Math.floor(x(u) - left), Math.floor(y(v) - above)];
      ctx.fillRect(x0, y0, Math.ceil(x(u) + right) - x0, Math.ceil(y(v) + below) - y0);
    }
    this.cross(ctx, x, y);
  }

  // The chosen trajectory.
  private cross(ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number): void {
    const { sweep, chosen } = this.view;
    const [px, py, r] = [x(sweep.value(chosen, this.axes[0])), y(sweep.value(chosen, this.axes[1])), 6 * uPlot.pxRatio];
    for (const [style, width] of [[color("card"), 4], [color("ink"), 1.6]] as const) {
      ctx.strokeStyle = style;
      ctx.lineWidth = width * uPlot.pxRatio;
      ctx.beginPath();
      ctx.arc(px, py, r, 0, 7);
      ctx.stroke();
    }
  }

  private look(x: number | null, y: number, radius: (x: number, y: number) => number): void {
    const { view } = this;
    const { sweep } = view;
    const [a, b] = this.axes;
    this.pointed = null;
    if (x !== null && sweep.data.grid) {
      const [i, j] = [cell_at(sweep.axis(a), sweep.data.axes[a]!.log, x), cell_at(sweep.axis(b), sweep.data.axes[b]!.log, y)];
      if (i >= 0 && j >= 0) this.pointed = this.at(i, j);
    } else if (x !== null) {
      let nearest = 16;
      for (let i = 0; i < sweep.n; ++i) {
        const distance = radius(sweep.value(i, a), sweep.value(i, b));
        if (distance < nearest) [nearest, this.pointed] = [distance, i];
      }
    }
    const at = this.pointed;
    if (at === null) this.reading.textContent = "\u00a0";
    else {
      const own = ["period", "attractor", "lyapunov"].includes(this.quantity.name) ? "" : `${value_words(this.quantity, this.quantity.values[at]!)} \u00b7 `;
      const place = this.axes.map((k) => `${sweep.data.axes[k]!.name} = ${number(sweep.value(at, k))}`).join(", ");
      this.reading.textContent = `${place} \u00b7 ${own}${trajectory_words(view, at)}`;
    }
  }
}

// Half way between values; beyond the first and the last as far as within.
export function edges_of(values: Numbers, log: boolean): number[] {
  const n = values.length;
  const between = (i: number, k: number, share: number) =>
    log ? values[i]! * (values[k]! / values[i]!) ** share : values[i]! + (values[k]! - values[i]!) * share;
  if (n < 2) return [log ? values[0]! / 1.1 : values[0]! - 0.5, log ? values[0]! * 1.1 : values[0]! + 0.5];
  const edges = [between(0, 1, -0.5)];
  for (let i = 0; i + 1 < n; ++i) edges.push(between(i, i + 1, 0.5));
  edges.push(between(n - 1, n - 2, -0.5));
  return edges;
}

// The cell of each pixel, −1 outside.
function cells_of(values: Numbers, log: boolean, pixel: (value: number) => number, size: number): Int32Array {
  const cells = new Int32Array(size).fill(-1);
  const edges = edges_of(values, log).map(pixel);
  for (let i = 0; i < values.length; ++i) {
    const [from, to] = [Math.min(edges[i]!, edges[i + 1]!), Math.max(edges[i]!, edges[i + 1]!)];
    cells.fill(i, Math.max(0, Math.round(from)), Math.max(0, Math.min(size, Math.round(to))));
  }
  return cells;
}

function cell_at(values: Numbers, log: boolean, value: number): number {
  const edges = edges_of(values, log);
  for (let i = 0; i < values.length; ++i)
    if (value >= Math.min(edges[i]!, edges[i + 1]!) && value < Math.max(edges[i]!, edges[i + 1]!)) return i;
  return -1;
}
