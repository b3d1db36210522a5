// What the page is given: names and numbers. Columns are unpacked when they are first drawn.

// How a column is packed; src/report/page_data.cpp writes these.
export type Packed =
  | { same: number } // one value in all rows
  | { even: [number, number] } // from the first to the last row in equal steps
  | { f8: string } // base64 of little-endian float64
  | { f4: string; base?: number } // base64 of float32, to be added to the base
  | { rows: string; f4: string }; // zero but in these rows (uint32)

// Places of x and y among the coordinates, -1 where they are held; x and y there.
export type FrameNode = [number, number, number, number];

export interface Figure {
  figure: "lanes" | "pendulum" | "plane" | "beam" | "bar" | "column" | "frame" | "draw";
  q: number[]; // coordinates that it shows
  source?: "q" | "observed" | "drawn";
  lengths?: number[]; // pendulum: of its rods; plane: of a stick
  abscissae?: number[]; // beam, bar: of each entry of q
  slopes?: number[]; // beam: rotations at the same places, -1 where there is none
  length?: number;
  ends?: [boolean, boolean]; // held at zero
  members?: FrameNode[][]; // frame: the nodes of each
  held?: FrameNode[]; // frame: points with a support
  masses?: FrameNode[];
  radius?: number;
  round?: boolean;
  vertical?: boolean;
  walls?: [number, number, number][]; // constraint, coordinate, slope of the gap: at q - gap/slope, which may move
  curves?: number[][]; // obstacles in the plane: pieces x1, y1, x2, y2
  marks?: [string, number[]][]; // frictions with the coordinates that they hold
  items?: DrawnItem[]; // draw
}

// A number, or a column of what is drawn.
export type DrawnNumber = number | [number];

// x and y of its places, then the radius and perhaps the angle of a circle.
export interface DrawnItem {
  kind: "point" | "segment" | "circle" | "spring";
  values: DrawnNumber[];
  closed?: boolean;
  contact?: string;
}

export interface Axis {
  label: string;
  log?: boolean;
  decades?: number; // of powers: how far below the largest value it goes at most
}

export interface SchemeChoice {
  name: string;
  summary: string;
}

export interface RunData {
  kind: "run";
  schemes?: SchemeChoice[]; // in a page with the engine
  title: string;
  version: string;
  scheme: string;
  parameters: Record<string, unknown>;
  status: string;
  failure?: string;
  notes: string[];
  steps: number | null;
  rows: number;
  recorded: number;
  coordinates: string[];
  states: string[];
  constraints: string[];
  slips: string[]; // "floor.slip", in space "floor.slip.1" and "floor.slip.2"
  joints: string[]; // the reactions of their rows: "pin.reaction.1"
  observations: string[];
  outputs?: string[];
  display?: Record<string, { unit: string; label: string }>; // by name; also t, force, impulse, energy
  energy: Record<string, number | null>;
  scenario: string;
  columns: Record<string, Packed | Packed[]>;
  impacts: { count: number } & Record<string, Packed | number>;
  animation: Figure[];
  analysis?: StudyData; // what the motion says of contacts and vibrations
}

export interface StudySeries {
  name: string;
  x: (number | null)[];
  y: (number | null)[];
  note?: string;
  dashed?: boolean;
  unmarked?: boolean; // no marks at the points
  dots?: boolean; // not joined, behind all others
  details?: number[]; // of each point; -1: none
}

export interface StudyPlot {
  title: string;
  x: Axis;
  y: Axis;
  lines?: boolean;
  same_scale?: boolean; // circles are round
  series: StudySeries[];
  shades?: Shades;
}

// Cells that fill a box (x from, to, y from, to), column by column: how many decades each is below the strongest.
export interface Shades {
  box: [number, number, number, number];
  rows: number;
  decades: number[];
}

export interface StudyData {
  kind: string;
  title: string;
  version?: string;
  text?: string[];
  notes?: string[];
  plots?: StudyPlot[];
  details?: { title: string; plots: StudyPlot[] }[]; // what a click on a point shows
  scatter?: Scatter | Scatter[];
  tables?: { title: string; columns: string[]; rows: (string | number | null)[][] }[];
  scenario?: string;
}

export interface Scatter {
  title: string;
  x: Axis;
  y: Axis;
  points: string; // base64 of float32 pairs
}

export type Numbers = Float32Array | Float64Array;

const places = new Uint8Array(128);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((c, i) => {
  places[c.charCodeAt(0)] = i;
});

export function bytes_of(text: string): ArrayBuffer {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const size = (text.length / 4) * 3 - padding;
  const bytes = new Uint8Array(size);
  let to = 0;
  for (let i = 0; i < text.length; i += 4) {
    const word =
      (places[text.charCodeAt(i)]! << 18) |
      (places[text.charCodeAt(i + 1)]! << 12) |
      (places[text.charCodeAt(i + 2)]! << 6) |
      places[text.charCodeAt(i + 3)]!;
    bytes[to] = word >> 16;
    bytes[to + 1] = (word >> 8) & 255; // writes beyond the end are dropped
    bytes[to + 2] = word & 255;
    to += 3;
  }
  return bytes.buffer;
}

export function unpack(column: Packed, n: number): Numbers {
  if ("same" in column) return new Float32Array(n).fill(column.same);
  if ("even" in column) {
    const [from, to] = column.even;
    const values = new Float64Array(n);
    for (let i = 0; i < n; ++i) values[i] = from + ((to - from) * i) / Math.max(1, n - 1);
    return values;
  }
  if ("f8" in column) return new Float64Array(bytes_of(column.f8));
  const values = new Float32Array(bytes_of(column.f4));
  if ("rows" in column) {
    const result = new Float32Array(n);
    new Uint32Array(bytes_of(column.rows)).forEach((row, k) => {
      result[row] = values[k]!;
    });
    return result;
  }
  return column.base ? Float64Array.from(values, (value) => value + column.base!) : values;
}

// "floor" of "floor.slip" and "floor.slip.1".
export function slip_owner(name: string): string {
  return name.replace(/\.slip(\.\d)?$/, "");
}

// A run with its columns by name and position.
export class Run {
  readonly n: number;
  readonly t: Numbers;
  readonly impacts: { count: number; t: Numbers; constraint: Numbers };
  private unpacked = new Map<string, Numbers>();
  private jumps?: Uint8Array;
  private crowded?: boolean;

  constructor(readonly data: RunData) {
    this.n = data.rows;
    this.t = this.column("t");
    this.impacts = { count: data.impacts.count, t: this.impact("t"), constraint: this.impact("constraint") };
  }

  get from(): number {
    return this.n > 0 ? this.t[0]! : 0;
  }
  get to(): number {
    return this.n > 0 ? this.t[this.n - 1]! : 1;
  }

  has(name: string): boolean {
    return this.data.columns[name] !== undefined;
  }

  column(name: string, place = 0): Numbers {
    const packed = this.data.columns[name];
    const one = Array.isArray(packed) ? packed[place] : packed;
    return this.remember(`${name}/${place}`, one, this.n);
  }

  impact(name: string): Numbers {
    return this.remember(`impacts/${name}`, this.data.impacts[name] as Packed, this.data.impacts.count);
  }

  // Whether time passes between a row and the one before it, without an impact; where most pieces have one, all count.
  quiet(row: number): boolean {
    if (!(row > 0 && this.t[row]! > this.t[row - 1]!)) return false;
    const jumps = this.jump_after();
    this.crowded ??= jumps.reduce((sum, one) => sum + one, 0) > 0.5 * this.n;
    return this.crowded || !jumps[row - 1];
  }

  // The mean force of impulses between a row and the one before it; none where an impact lies between.
  force(column: "impulse" | "friction", place: number): (row: number) => number {
    const impulse = this.column(column, place);
    return (row) => (this.quiet(row) ? impulse[row]! / (this.t[row]! - this.t[row - 1]!) : NaN);
  }

  // The impulses that have no force: those of impacts.
  blow(column: "impulse" | "friction", place: number): (row: number) => number {
    const impulse = this.column(column, place);
    return (row) => (row > 0 && !this.quiet(row) ? impulse[row]! : 0);
  }

  // Whether a value is something else than 0 in some row.
  acts(value: (row: number) => number): boolean {
    for (let row = 0; row < this.n; ++row) if (Math.abs(value(row)) > 0) return true;
    return false;
  }

  private remember(key: string, packed: Packed | undefined, n: number): Numbers {
    let values = this.unpacked.get(key);
    if (!values) {
      values = packed ? unpack(packed, n) : new Float32Array(n);
      this.unpacked.set(key, values);
    }
    return values;
  }

  // Units and labels that the scenario gives; "" and the name itself if it gives none.
  unit(name: string): string {
    return this.data.display?.[name]?.unit ?? "";
  }
  label(name: string): string {
    return this.data.display?.[name]?.label || name;
  }
  // "mm/s" of a coordinate in mm and a time in s; nothing if one of them has no unit.
  rate_unit(name: string): string {
    const [length, time] = [this.unit(name), this.unit("t")];
    return length && time ? `${length}/${time}` : "";
  }

  // The last row at or before a time, from 0.
  row(t: number): number {
    return Math.max(0, row_after(this.t, t) - 1);
  }

  // 1 for rows between which and the next an impact lies.
  jump_after(): Uint8Array {
    if (!this.jumps) {
      this.jumps = new Uint8Array(this.n);
      for (const t of this.impacts.t) this.jumps[this.jump_row(t)] = 1;
    }
    return this.jumps;
  }

  // The piece with the impact. Of a located one the states before and after it are rows of one time. Another at a
  // recorded time may belong to the piece before or after it: where the velocities change more.
  private jump_row(t: number): number {
    const next = Math.min(row_from(this.t, t), this.n - 1);
    if (this.t[next] === t && this.t[next + 1] === t) return next;
    const row = Math.max(0, next - 1);
    const step = this.t[next]! - this.t[row]!;
    const at = Math.abs(this.t[next]! - t) < 1e-6 * step ? next : Math.abs(t - this.t[row]!) < 1e-6 * step ? row : -1;
    if (at < 1 || at + 1 >= this.n) return row;
    return this.change(at) > this.change(at - 1) ? at : at - 1;
  }

  private change(row: number): number {
    let sum = 0;
    for (let k = 0; k < Math.min(this.data.coordinates.length, 16); ++k) {
      const v = this.column("v", k);
      sum += Math.abs(v[row + 1]! - v[row]!);
    }
    return sum;
  }
}

// The first entry beyond a value, and the first at or beyond it, in a column that grows.
export function row_after(values: Numbers, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function row_from(values: Numbers, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
