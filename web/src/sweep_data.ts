// A sweep: trajectories with their values, the points that were kept of them, and numbers of each.
// src/report/sweep_page_data.cpp writes it.
import { Numbers, Packed, unpack } from "./data";
import { number, with_unit } from "./format";

export interface SweepData {
  kind: "sweep";
  title: string;
  version: string;
  scheme: string;
  parameters: Record<string, unknown>;
  notes: string[];
  scenario: string;
  record: "stroboscopic" | "impacts" | "section" | "statistics";
  coordinates: string[];
  constraints: string[];
  display?: Record<string, { unit: string; label: string }>; // by name; also t, force, impulse, energy
  axes: { name: string; parameter: string; log: boolean; size: number }[];
  grid: boolean;
  both: boolean; // forward first, then backward
  count: number;
  failed: number;
  failures: [number, string][];
  rows: number; // points here
  recorded: number; // points in the file
  columns: string[]; // of points
  statistic_names: string[];
  edges: (number | null)[]; // of the histogram's bins
  values: Packed[]; // of a grid's axes; otherwise of the trajectories
  sizes?: Packed; // points of each trajectory
  points: Packed[];
  statistics: Packed[];
  histogram: Packed[]; // one column a bin
  status?: Packed;
  period?: Packed;
  lyapunov?: Packed;
  spectrum?: Packed[]; // all exponents, falling
  attractor?: Packed;
  steps?: Packed;
  impacts?: Packed;
  cycle_impacts?: Packed; // of one period
  settled_after?: Packed; // the transient that was enough
  level?: Packed; // of a refined list: how often the grid was halved there
}

// One number of every trajectory.
export interface Quantity {
  name: string;
  label: string;
  kind: "number" | "signed" | "class"; // signed: zero is in the middle of its colours
  values: Numbers;
  about?: string[]; // of a class: what attractors are like
}

// The nodes of a refined grid.
export interface Levels {
  order: number[];
  level: Numbers | null; // how often the grid was halved there
  first: number[][]; // values of the first grid, by axis
}

// How far the cell of a node reaches to its left and right: half way to where its neighbours of the same level are. The
// first grid may be uneven; `place` is where its values are drawn.
export function reach_of(value: number, first: number[], level: number, place: (value: number) => number): [number, number] {
  let k = first.length - 1;
  while (k > 0 && first[k]! > value) --k;
  const width = (i: number) => (i < 0 || i + 1 >= first.length ? 0 : Math.abs(place(first[i + 1]!) - place(first[i]!)));
  const part = 2 ** (level + 1);
  return [width(first[k] === value ? k - 1 : k) / part, width(k) / part];
}

export const direction_names = ["forward", "backward"];

export class Sweep {
  readonly n: number;
  readonly quantities: Quantity[];
  readonly first: Float64Array; // of each trajectory's points, and the end
  readonly status: Numbers;
  private axis_values: Numbers[];
  private strides: number[] = [];
  private half: number;
  private points = new Map<number, Numbers>();
  private bins?: Numbers[];
  readonly titles: string[]; // of the columns of points

  constructor(readonly data: SweepData) {
    this.n = data.count;
    this.half = data.both ? this.n / 2 : this.n;
    this.axis_values = data.values.map((packed, k) => unpack(packed, data.grid ? data.axes[k]!.size : this.n));
    // The last axis varies fastest.
    let stride = 1;
    for (let k = data.axes.length - 1; k >= 0; --k) {
      this.strides[k] = stride;
      stride *= data.axes[k]!.size;
    }
    this.status = data.status ? unpack(data.status, this.n) : new Float32Array(this.n);
    this.first = new Float64Array(this.n + 1);
    const sizes = data.sizes ? unpack(data.sizes, this.n) : new Float32Array(this.n);
    for (let i = 0; i < this.n; ++i) this.first[i + 1] = this.first[i]! + sizes[i]!;
    for (const axis of data.axes) {
      const [, kind, name] = /^initial\.([qv])\.(.+)$/.exec(axis.parameter) ?? [];
      if (name) axis.name = with_unit(axis.name, this.unit(kind === "q" ? name : `${name}_dot`));
      else if (axis.parameter.startsWith("model.parameters.")) axis.name = this.title(axis.name);
    }
    this.titles = data.columns.map((name) => this.title(name));
    this.quantities = this.all_quantities();
  }

  // The unit of a column, also of x_dot and of x.mean; "" if the scenario gives none.
  private unit(name: string): string {
    const shown = (key: string) => this.data.display?.[key]?.unit ?? "";
    const [, base = "", dot] = /^(.*?)(_dot)?(?:\.\w+)?$/.exec(name)!;
    const own = shown(name === "energy_lost" ? "energy" : base);
    return !dot ? own : own && shown("t") ? `${own}/${shown("t")}` : "";
  }

  // What an axis says of a column: "deflection [mm]", "x_dot [mm/s]", "deflection.mean [mm]".
  title(name: string): string {
    const dot = name.indexOf(".");
    const base = dot > 0 ? name.slice(0, dot) : name;
    return with_unit(`${this.data.display?.[base]?.label || base}${name.slice(base.length)}`, this.unit(name));
  }

  private all_quantities(): Quantity[] {
    const { data } = this;
    const list: Quantity[] = [];
    const add = (name: string, label: string, kind: Quantity["kind"], packed?: Packed) => {
      if (packed) list.push({ name, label, kind, values: unpack(packed, this.n) });
    };
    add("attractor", "attractor", "class", data.attractor);
    if (list.length > 0) list[0]!.about = this.attractor_words(list[0]!.values);
    add("lyapunov", "largest Lyapunov exponent", "signed", data.lyapunov);
    data.spectrum?.forEach((packed, k) => add(`Lyapunov exponents.${k + 1}`, `\u03bb${k + 1}`, "signed", packed));
    if (data.record !== "statistics") add("period", "period", "class", data.period);
    add("cycle_impacts", "impacts of a period", "number", data.cycle_impacts);
    add("settled_after", with_unit("settled after", data.display?.["t"]?.unit ?? ""), "number", data.settled_after);
    data.statistic_names.forEach((name, k) => add(name, this.title(name), "number", data.statistics[k]));
    if (!data.statistic_names.includes("impacts")) add("impacts", "impacts", "number", data.impacts);
    add("steps", "steps", "number", data.steps);
    return list;
  }

  // What the first trajectory on each attractor says of it.
  private attractor_words(attractor: Numbers): string[] {
    const { data } = this;
    if (!data.period) return [];
    const period = unpack(data.period, this.n);
    const impacts = data.cycle_impacts ? unpack(data.cycle_impacts, this.n) : null;
    const words: string[] = [];
    for (let i = 0; i < this.n; ++i) {
      const k = attractor[i]!;
      if (!(k >= 0) || words[k] !== undefined) continue;
      const many = impacts?.[i] ?? NaN;
      const hits = Number.isNaN(many) ? "" : `, ${number(many, 3)} impact${many === 1 ? "" : "s"}`;
      words[k] = period[i]! > 0 ? `period ${period[i]}${hits}` : "not periodic";
    }
    return words;
  }

  quantity(name: string): Quantity | undefined {
    return this.quantities.find((one) => one.name === name);
  }

  is_backward(trajectory: number): boolean {
    return trajectory >= this.half;
  }

  // Its place on an axis of the grid.
  place(trajectory: number, axis: number): number {
    return Math.floor((trajectory % this.half) / this.strides[axis]!) % this.data.axes[axis]!.size;
  }

  at(backward: boolean, places: number[]): number {
    return places.reduce((sum, place, k) => sum + place * this.strides[k]!, backward ? this.half : 0);
  }

  value(trajectory: number, axis: number): number {
    return this.axis_values[axis]![this.data.grid ? this.place(trajectory, axis) : trajectory]!;
  }

  // The values of an axis of the grid; of a sample those of all trajectories.
  axis(axis: number): Numbers {
    return this.axis_values[axis]!;
  }

  has_failed(trajectory: number): boolean {
    return this.status[trajectory] !== 0;
  }

  column(k: number): Numbers {
    let values = this.points.get(k);
    if (!values) {
      values = unpack(this.data.points[k]!, this.data.rows);
      this.points.set(k, values);
    }
    return values;
  }

  // Of two refined axes, coarse ones first, with the values of the first grid; otherwise as they come.
  get by_level(): Levels {
    const order = Array.from({ length: this.n }, (_, i) => i);
    if (!this.data.level) return { order, level: null, first: [] };
    const level = unpack(this.data.level, this.n);
    order.sort((a, b) => level[a]! - level[b]! || a - b);
    const coarse = order.filter((i) => level[i] === 0);
    const first = this.data.axes.map((_, k) => [...new Set(coarse.map((i) => this.value(i, k)))].sort((a, b) => a - b));
    return { order, level, first };
  }

  histogram(): Numbers[] {
    return (this.bins ??= this.data.histogram.map((packed) => unpack(packed, this.n)));
  }
}
