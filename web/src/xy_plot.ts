// A plot of one quantity against another: uPlot gives axes, zoom and cursor, the curves are drawn by the owner.
import uPlot from "uplot";
import { Axis } from "./data";
import { el, once_a_frame } from "./dom";
import { Picture } from "./download";
import { log_lines, log_splits, log_ticks, ticks } from "./format";
import { at_end, when_mounted } from "./lifetime";
import { color, on_theme } from "./theme";

export type Box = [number, number, number, number]; // x from, to, y from, to

// The inside of a plot in pixels of its canvas.
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface XyOptions {
  label: string;
  x: Axis;
  y: Axis;
  height: number;
  same_scale?: boolean; // for x and y
  bounds: () => Box; // of what there is
  draw: (ctx: CanvasRenderingContext2D, x: (value: number) => number, y: (value: number) => number, area: Area) => void;
  pointed?: (x: number | null, y: number, radius: (dx: number, dy: number) => number) => void;
  clicked?: () => void; // where it points
  moved?: (x: [number, number] | null) => void; // another window of x; null: all of it
}

export class XyPlot {
  readonly host: HTMLElement;
  private plot: uPlot;
  private box: Box;
  private zoomed = false;
  private closed = false;

  constructor(private options: XyOptions) {
    this.box = options.bounds();
    const label = `${options.label}. Arrow keys move, plus and minus zoom, 0 shows all.`;
    this.host = el("div", { class: "plot", tabindex: 0, role: "group", "aria-label": label });
    this.plot = this.make();
    this.host.addEventListener("keydown", (event) => this.key(event));
    this.plot.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    const fit = (width: number) => {
      if (!this.closed && width > 50 && width !== this.plot.width) {
        this.plot.setSize({ width, height: this.plot.height });
        if (options.same_scale) this.refresh();
      }
    };
    when_mounted(() => this.host.clientWidth, fit);
    at_end(() => this.close());
    new ResizeObserver(once_a_frame(() => fit(this.host.clientWidth))).observe(this.host);
    on_theme(() => this.closed || this.plot.redraw(false));
    if (options.clicked) this.listen_to_clicks(options.clicked);
  }

  // A drag is none.
  private listen_to_clicks(clicked: () => void): void {
    let begin: [number, number] = [0, 0];
    this.plot.over.addEventListener("mousedown", (event) => (begin = [event.clientX, event.clientY]));
    this.plot.over.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - begin[0], event.clientY - begin[1]) < 4) clicked();
    });
  }

  picture(): Picture {
    return { canvas: this.plot.ctx.canvas, redraw: () => this.plot.redraw() };
  }

  // Another plot has taken its place.
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.plot.destroy();
    this.host.remove();
  }

  private make(): uPlot {
    const { x, y } = this.options;
    const axis = (of: Axis): uPlot.Axis => ({
      label: of.label,
      labelSize: 18,
      labelFont: "11.5px system-ui, sans-serif",
      stroke: () => color("muted"),
      grid: { stroke: () => color("grid"), width: 1, ...(of.log ? { filter: (_, values) => log_lines(values) } : {}) },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
      // All lines of powers come here; which are named is said in format.ts.
      ...(of.log ? { filter: (_, values) => values, splits: (_, __, from, to) => log_splits(from, to) } : {}),
      values: (_, values) => (of.log ? log_ticks(values) : ticks(values)),
    });
    return new uPlot(
      {
        width: 360,
        height: this.options.height,
        legend: { show: false },
        padding: [10, 20, 0, 0],
        scales: {
          x: { time: false, distr: x.log ? 3 : 1, range: (u) => this.fitted(u).slice(0, 2) as uPlot.Range.MinMax },
          y: { distr: y.log ? 3 : 1, range: (u) => this.fitted(u).slice(2) as uPlot.Range.MinMax },
        },
        axes: [
          { ...axis(x), size: 26, gap: 3, space: 66 },
          { ...axis(y), size: 56, gap: 4 },
        ],
        series: [{}, { paths: () => null, points: { show: false } }],
        cursor: {
          drag: { x: true, y: true, setScale: false, uni: 12 },
          points: { show: false },
          bind: { dblclick: () => () => (this.reset(), null) },
        },
        hooks: {
          setSelect: [(u) => this.selected(u)],
          setCursor: [(u) => this.pointed(u)],
          draw: [(u) => this.draw(u)],
        },
      },
      this.corners(),
      this.host,
    );
  }

  private corners(): uPlot.AlignedData {
    return [
      [this.box[0], this.box[1]],
      [this.box[2], this.box[3]],
    ];
  }

  // The box; wider or higher where both axes have one scale.
  private fitted(u: uPlot): Box {
    const { width, height } = u.bbox;
    if (!this.options.same_scale || !(width > 0) || !(height > 0)) return this.box;
    const [left, right, low, high] = this.box;
    const scale = Math.max((right - left) / width, (high - low) / height) / 2;
    const [x, y] = [(left + right) / 2, (low + high) / 2];
    return [x - scale * width, x + scale * width, y - scale * height, y + scale * height];
  }

  private draw(u: uPlot): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.options.draw(
      ctx,
      (value) => u.valToPos(value, "x", true),
      (value) => u.valToPos(value, "y", true),
      bbox,
    );
    ctx.restore();
  }

  private show(box: Box): void {
    if (this.closed || !(box[1] > box[0]) || !(box[3] > box[2])) return;
    this.box = box;
    this.plot.setData(this.corners(), true);
  }

  // Draws again; what was zoomed stays zoomed unless the data changed.
  refresh(new_data = false): void {
    if (new_data) this.zoomed = false;
    this.show(this.zoomed ? this.box : this.options.bounds());
  }

  reset(): void {
    this.zoomed = false;
    this.show(this.options.bounds());
    this.options.moved?.(null);
  }

  // Follows another plot along x.
  show_x(window: [number, number] | null, keep_y = false): void {
    const box = window && keep_y ? this.box : this.options.bounds();
    this.zoomed = window !== null;
    this.show(window ? [window[0], window[1], box[2], box[3]] : box);
  }

  get x_window(): [number, number] {
    return [this.box[0], this.box[1]];
  }

  // A new box that somebody asked for here.
  private move(box: Box): void {
    this.zoomed = true;
    this.show(box);
    this.options.moved?.(this.x_window);
  }

  private selected(u: uPlot): void {
    const { left, top, width, height } = u.select;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (width < 4 && height < 4) return;
    const wide = width >= 4 && width < u.over.clientWidth;
    const high = height >= 4 && height < u.over.clientHeight;
    this.move([
      wide ? u.posToVal(left, "x") : this.box[0],
      wide ? u.posToVal(left + width, "x") : this.box[1],
      high ? u.posToVal(top + height, "y") : this.box[2],
      high ? u.posToVal(top, "y") : this.box[3],
    ]);
  }

  // Zooms and moves in shares of the box, also on axes of powers.
  private change(factor: number, right: number, up: number, x = 0.5, y = 0.5): void {
    const part = (from: number, to: number, log: boolean | undefined, shift: number, around: number) => {
      const [a, b] = log ? [Math.log(from), Math.log(to)] : [from, to];
      const centre = a + (b - a) * around;
      const move = shift * (b - a);
      const ends = [centre + (a - centre) * factor + move, centre + (b - centre) * factor + move] as const;
      return log ? ([Math.exp(ends[0]), Math.exp(ends[1])] as const) : ends;
    };
    this.move([
      ...part(this.box[0], this.box[1], this.options.x.log, right, x),
      ...part(this.box[2], this.box[3], this.options.y.log, up, y),
    ] as Box);
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const over = this.plot.over.getBoundingClientRect();
    const turn = event.deltaY || event.deltaX;
    const factor = Math.exp(Math.max(-1, Math.min(1, turn / 200)));
    this.change(factor, 0, 0, (event.clientX - over.left) / over.width, 1 - (event.clientY - over.top) / over.height);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") this.change(1, -0.2, 0);
    else if (event.key === "ArrowRight") this.change(1, 0.2, 0);
    else if (event.key === "ArrowUp") this.change(1, 0, 0.2);
    else if (event.key === "ArrowDown") this.change(1, 0, -0.2);
    else if (event.key === "+") this.change(0.5, 0, 0);
    else if (event.key === "-") this.change(2, 0, 0);
    else if (event.key === "0" || event.key === "Home") this.reset();
    else return;
    event.preventDefault();
  }

  private pointed(u: uPlot): void {
    const { left, top } = u.cursor;
    if (!this.options.pointed) return;
    if (left === undefined || top === undefined || left < 0) return this.options.pointed(null, 0, () => Infinity);
    const [px, py] = [left, top];
    this.options.pointed(u.posToVal(px, "x"), u.posToVal(py, "y"), (x, y) =>
      Math.hypot(u.valToPos(x, "x") - px, u.valToPos(y, "y") - py),
    );
  }
}

// Room around what is drawn; axes of powers get it as a factor.
export function roomy(box: Box, x_log = false, y_log = false): Box {
  const side = (from: number, to: number, log: boolean): [number, number] => {
    if (!(from <= to)) return log ? [0.1, 1] : [0, 1];
    if (log) {
      const room = Math.max(1.15, (to / from) ** 0.06);
      return [from / room, to * room];
    }
    // What differs by round-off is one value.
    const size = Math.max(Math.abs(from), Math.abs(to));
    const span = to - from > 1e-7 * size ? to - from : 0.02 * size;
    const room = 0.06 * span + (span - (to - from)) / 2 || 1;
    return [from - room, to + room];
  };
  return [...side(box[0], box[1], x_log), ...side(box[2], box[3], y_log)] as Box;
}
