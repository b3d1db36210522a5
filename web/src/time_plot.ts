// A plot against time: shares its window and its cursor with all others, marks impacts, reads exact values.
import uPlot from "uplot";
import { Run, row_after, row_from } from "./data";
import { card, el, once_a_frame } from "./dom";
import { download_buttons } from "./download";
import { number, ticks, with_unit } from "./format";
import { at_end, when_mounted } from "./lifetime";
import { color, on_theme, series_color, with_alpha } from "./theme";
import { thin_times, thin_values, window_of } from "./thin";
import { View } from "./view";

export interface Curve {
  name: string;
  color: string; // a name in page.css
  value: (row: number) => number; // exact, for reading
  top?: (row: number) => number; // what is drawn, if it is not the value itself
  line?: boolean; // in a stack: a line over it, not a layer
}

// Shaded where it holds, from each row back to the one before it.
export interface Band {
  name: string;
  color: string;
  rows: (row: number) => boolean;
  lane?: number;
}

export interface TimePlotOptions {
  title: string;
  curves: Curve[];
  stacked?: boolean;
  stems?: boolean; // impulses
  marks?: boolean; // dots on the curves at impacts
  bands?: Band[];
  lanes?: string[]; // instead of a scale: bands side by side with their names
  y?: string; // what the scale shows
  least?: number; // of its height: below is round-off
  height?: number;
  beside?: HTMLElement;
}

const lines_at_most = 60; // impacts in sight that get a line each
const dots_at_most = 120; // on all curves together
const legend_at_most = 24;

export class TimePlot {
  readonly element: HTMLElement;
  private plot: uPlot;
  private host: HTMLElement;
  private now_line = el("div", { class: "now-line" });
  private readings: HTMLElement[] = [];
  private shown: boolean[];
  private closed = false;
  private filled = false;

  constructor(
    private run: Run,
    private view: View,
    private options: TimePlotOptions,
  ) {
    this.shown = options.curves.map(() => true);
    this.host = el("div", { class: "plot", tabindex: 0, role: "group", "aria-label": this.label() });
    const download = download_buttons({ title: options.title, rows: () => this.rows(), picture: () => ({ canvas: this.plot.ctx.canvas, redraw: () => this.plot.redraw() }) });
    this.element = card(options.title, "time-plot", options.beside ?? null, download);
    this.element.append(this.legend(), this.host);
    this.plot = this.make_plot();
    this.host.addEventListener("keydown", (event) => view.key(event));
    this.plot.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.plot.over.append(this.now_line);

    const resize = once_a_frame(() => this.resize(this.host.clientWidth));
    new ResizeObserver(resize).observe(this.host);
    view.on_window(once_a_frame(() => this.refresh()));
    view.on_reading(once_a_frame(() => this.read()));
    on_theme(() => this.closed || this.plot.redraw(false));
    when_mounted(() => this.host.clientWidth, (width) => this.resize(width));
    at_end(() => this.close());
    this.read();
  }

  private label(): string {
    return (
      `${this.options.title} against time. Arrow keys left and right move the window, ` +
      "up and down zoom, 0 shows the whole run."
    );
  }

  // Names that show and hide their curve, with the value at the cursor.
  private legend(): HTMLElement {
    const list = el("div", { class: "legend", role: "group", "aria-label": `Curves of ${this.options.title}` });
    this.options.curves.slice(0, legend_at_most).forEach((curve, k) => {
      const reading = el("span", { class: "reading" });
      const button = el(
        "button",
        { type: "button", class: "curve", "aria-pressed": "true", title: "show or hide" },
        el("span", { class: "swatch", style: `background: var(--${curve.color})` }),
        el("span", {}, curve.name),
        reading,
      );
      button.addEventListener("click", () => {
        this.shown[k] = !this.shown[k];
        button.setAttribute("aria-pressed", String(this.shown[k]));
        if (this.options.stacked) this.refresh();
        else this.plot.setSeries(k + 1, { show: this.shown[k] });
      });
      this.readings.push(reading);
      list.append(button);
    });
    const named = new Map((this.options.bands ?? []).map((band) => [band.name, band.color]));
    for (const [name, shade] of named)
      list.append(el("span", { class: "curve" }, el("span", { class: "swatch band", style: `background: var(--${shade})` }), name));
    return list;
  }

  private make_plot(): uPlot {
    const { stacked, stems, lanes } = this.options;
    const title = (label: string) => ({ label, labelSize: 16, labelFont: "11px system-ui, sans-serif" });
    const axis: uPlot.Axis = {
      stroke: () => color("muted"),
      grid: { stroke: () => color("grid"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
      values: (_, values) => ticks(values),
    };
    const series = this.options.curves.map((curve): uPlot.Series => {
      const layer = stacked && !curve.line;
      return {
        label: curve.name,
        stroke: () => (layer ? with_alpha(curve.color, 80) : color(curve.color)),
        width: layer ? 1 : curve.line ? 1.5 : 1.4,
        dash: curve.line ? [5, 4] : undefined,
        points: { show: false },
        spanGaps: false,
        pxAlign: 0,
        paths: stems ? stem_paths : undefined,
      };
    });
    const layers = stacked ? this.options.curves.findIndex((curve) => curve.line) : 0;
    const count = layers < 0 ? this.options.curves.length : layers;
    const bands: uPlot.Band[] = [];
    for (let k = 1; k < count; ++k)
      bands.push({ series: [k + 1, k], fill: () => with_alpha(this.options.curves[k]!.color, 45) });
    if (stacked && series[0]) {
      series[0].fill = () => with_alpha(this.options.curves[0]!.color, 45);
      series[0].fillTo = 0;
    }
    const options: uPlot.Options = {
      width: 400,
      height: this.options.height ?? 190,
      legend: { show: false },
      padding: [8, 16, 0, 0],
      scales: {
        x: { time: false, range: () => [this.view.from, this.view.to] },
        y: { range: (_, least, most) => (lanes ? [0, lanes.length] : padded(least, most, this.options.least ?? 0, stacked || stems)) },
      },
      axes: [
        { ...axis, ...title(with_unit("t", this.run.unit("t"))), size: 26, gap: 3 },
        { ...axis, ...(this.options.y ? title(this.options.y) : {}), size: 56, gap: 4, ...(lanes ? lane_axis(lanes) : {}) },
      ],
      series: [{}, ...series],
      bands,
      cursor: {
        y: false,
        sync: { key: "ricochet", setSeries: false, scales: ["x", null] },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
        bind: { dblclick: () => () => (this.view.reset(), null) },
      },
      hooks: {
        setSelect: [(u) => this.selected(u)],
        setCursor: [(u) => this.pointed(u)],
        drawAxes: [(u) => (this.shade(u), this.mark_impacts(u))],
        draw: [(u) => this.mark_dots(u)],
      },
    };
    // Filled when its size is known.
    return new uPlot(options, [[], ...this.options.curves.map(() => [])] as uPlot.AlignedData, this.host);
  }

  private values(pixels: number): uPlot.AlignedData {
    const w = window_of(this.run.t, this.view.from, this.view.to, pixels);
    const times = thin_times(this.run.t, w);
    const { stacked } = this.options;
    const columns = this.options.curves.map((curve, k) => {
      const drawn = this.drawn(curve, k);
      return stacked || this.shown[k] ? thin_values(drawn, w) : times.map(() => null);
    });
    return [times, ...columns] as uPlot.AlignedData;
  }

  // In a stack each layer lies on those before it that are shown.
  private drawn(curve: Curve, k: number): (row: number) => number {
    const own = curve.top ?? curve.value;
    if (!this.options.stacked || curve.line) return own;
    const layers = this.options.curves.slice(0, k + 1).filter((_, i) => this.shown[i]);
    const tops = layers.map((layer) => layer.top ?? layer.value);
    if (tops.length === 1) return tops[0]!;
    return (row) => {
      let sum = 0;
      for (const top of tops) sum += top(row);
      return sum;
    };
  }

  // What is recorded in the window.
  private *rows(): Generator<(string | number)[]> {
    yield [with_unit("t", this.run.unit("t")), ...this.options.curves.map((curve) => curve.name)];
    const end = row_after(this.run.t, this.view.to);
    for (let row = row_from(this.run.t, this.view.from); row < end; ++row)
      yield [this.run.t[row]!, ...this.options.curves.map((curve) => curve.value(row))];
  }

  // Another plot has taken its place.
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.plot.destroy();
    this.element.remove();
  }

  refresh(): void {
    if (this.closed) return;
    this.plot.setData(this.values(Math.max(200, Math.round(this.plot.bbox.width))), true);
    this.read();
  }

  private resize(width: number): void {
    if (this.closed || width < 50 || (this.filled && width === this.plot.width)) return;
    this.plot.setSize({ width, height: this.plot.height });
    this.filled = true;
    this.refresh();
  }

  // A part chosen with the pointer.
  private selected(u: uPlot): void {
    const { left, width } = u.select;
    if (width > 3) this.view.show(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private pointed(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    this.view.set_hover(left < 0 ? null : u.posToVal(left, "x"));
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const turn = event.deltaY || event.deltaX;
    const left = event.clientX - this.plot.over.getBoundingClientRect().left;
    this.view.zoom(Math.exp(Math.max(-1, Math.min(1, turn / 200))), this.plot.posToVal(left, "x"));
  }

  // Values of the row at the cursor, and the line of the animation.
  private read(): void {
    if (this.run.n === 0 || this.closed) return;
    const row = this.run.row(this.view.reading);
    this.options.curves.forEach((curve, k) => {
      const reading = this.readings[k];
      if (reading) reading.textContent = number(curve.value(row), 5);
    });
    const left = this.plot.valToPos(this.view.now, "x");
    const inside = this.view.now >= this.view.from && this.view.now <= this.view.to;
    this.now_line.style.transform = `translateX(${left}px)`;
    this.now_line.style.display = inside && this.view.now > this.view.begin ? "" : "none";
  }

  private shade(u: uPlot): void {
    const { ctx, bbox } = u;
    const { t, n } = this.run;
    const [first, end] = [Math.max(1, row_from(t, this.view.from)), Math.min(row_after(t, this.view.to) + 1, n)];
    const place = (row: number) => u.valToPos(Math.min(Math.max(t[row]!, this.view.from), this.view.to), "x", true);
    const high = bbox.height / (this.options.lanes?.length ?? 1);
    ctx.save();
    for (const band of this.options.bands ?? []) {
      ctx.fillStyle = with_alpha(band.color, band.lane === undefined ? 16 : 60);
      const top = bbox.top + high * (band.lane ?? 0);
      for (let row = first; row < end; ++row) {
        const begin = row;
        while (row < end && band.rows(row)) ++row;
        if (row === begin) continue;
        const inset = band.lane === undefined ? 0 : 0.15 * high;
        ctx.fillRect(place(begin - 1), top + inset, place(row - 1) - place(begin - 1), high - 2 * inset);
      }
    }
    ctx.restore();
  }

  private impacts_in_sight(): [number, number] {
    const { t } = this.run.impacts;
    return [row_from(t, this.view.from), row_after(t, this.view.to)];
  }

  // A tick at the foot for each impact, coloured by constraint; a faint line while there are few.
  private mark_impacts(u: uPlot): void {
    const [first, end] = this.impacts_in_sight();
    if (first >= end) return;
    const { ctx, bbox } = u;
    const ratio = uPlot.pxRatio;
    const foot = bbox.top + bbox.height;
    const { t, constraint } = this.run.impacts;
    const many = this.run.data.constraints.length > 1;
    ctx.save();
    ctx.lineWidth = ratio;
    let last = -Infinity;
    for (let i = first; i < end; ++i) {
      const x = Math.round(u.valToPos(t[i]!, "x", true));
      if (x === last) continue;
      last = x;
      if (end - first <= lines_at_most) {
        ctx.strokeStyle = with_alpha("impact", 22);
        stroke(ctx, x, bbox.top, foot);
      }
      ctx.strokeStyle = many ? series_color(constraint[i]!) : color("impact");
      stroke(ctx, x, foot - 7 * ratio, foot);
    }
    ctx.restore();
  }

  // Dots on the curves.
  private mark_dots(u: uPlot): void {
    if (!this.options.marks) return;
    const [first, end] = this.impacts_in_sight();
    if ((end - first) * this.options.curves.length > dots_at_most || this.run.n === 0) return;
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = color("impact");
    for (let i = first; i < end; ++i) {
      const t = this.run.impacts.t[i]!;
      const row = row_from(this.run.t, t);
      this.options.curves.forEach((curve, k) => {
        if (!this.shown[k]) return;
        const x = u.valToPos(t, "x", true);
        const y = u.valToPos(between(this.run, curve.value, row, t), "y", true);
        ctx.beginPath();
        ctx.arc(x, y, 2.2 * uPlot.pxRatio, 0, 7);
        ctx.fill();
      });
    }
    ctx.restore();
  }
}

// Names in the middle of lanes, the first on top.
function lane_axis(names: string[]): uPlot.Axis {
  return {
    splits: () => names.map((_, k) => k + 0.5),
    values: () => [...names].reverse().map((name) => (name.length > 9 ? `${name.slice(0, 8)}\u2026` : name)),
    grid: { show: false },
  };
}

// The value at a time between two rows.
export function between(run: Run, value: (row: number) => number, row: number, t: number): number {
  if (row <= 0) return value(0);
  if (row >= run.n) return value(run.n - 1);
  const t0 = run.t[row - 1]!;
  const share = (t - t0) / (run.t[row]! - t0 || 1);
  return value(row - 1) * (1 - share) + value(row) * share;
}

function stroke(ctx: CanvasRenderingContext2D, x: number, from: number, to: number): void {
  ctx.beginPath();
  ctx.moveTo(x, from);
  ctx.lineTo(x, to);
  ctx.stroke();
}

// Room around what is drawn. What differs by round-off is one value.
function padded(least: number | null, most: number | null, height: number, from_zero = false): [number, number] {
  if (least === null || most === null) return [0, 1];
  if (from_zero) {
    least = Math.min(least, 0);
    most = Math.max(most, 0);
  }
  const size = Math.max(Math.abs(least), Math.abs(most));
  const span = Math.max(most - least > 1e-7 * size ? most - least : 0.02 * size, height);
  const room = 0.06 * span + (span - (most - least)) / 2 || 1;
  return [from_zero && least === 0 ? 0 : least - room, most + room];
}

// Lines from zero up to each value.
function stem_paths(u: uPlot, k: number, first: number, last: number): uPlot.Series.Paths {
  const path = new Path2D();
  const [times, values] = [u.data[0], u.data[k] as (number | null)[]];
  const zero = u.valToPos(0, "y", true);
  for (let i = first; i <= last; ++i) {
    const value = values[i];
    if (value === null || value === undefined || value === 0) continue;
    const x = u.valToPos(times[i]!, "x", true);
    path.moveTo(x, zero);
    path.lineTo(x, u.valToPos(value, "y", true));
  }
  return { stroke: path };
}
