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
  figure: "lanes" | "pendulum" | "plane" | "beam" | "bar" | "column" | "frame";
  q: number[]; // coordinates that it shows
  source?: "q" | "observed";
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
}

export interface Axis {
  label: string;
  log?: boolean;
}

export interface RunData {
  kind: "run";
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
  energy: Record<string, number | null>;
  scenario: string;
  columns: Record<string, Packed | Packed[]>;
  impacts: { count: number } & Record<string, Packed | number>;
  animation: Figure[];
}

export interface StudyData {
  kind: string;
  title: string;
  version?: string;
  text?: string[];
  notes?: string[];
  plots?: {
    title: string;
    x: Axis;
    y: Axis;
    lines?: boolean;
    series: { name: string; x: (number | null)[]; y: (number | null)[]; note?: string }[];
  }[];
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

  // The force of friction along a slip: the impulse between two rows by the time between them.
  force(place: number): Numbers {
    const key = `force/${place}`;
    const impulse = this.column("friction", place);
    const force =
      this.unpacked.get(key) ?? Float64Array.from(impulse, (P, i) => P / (i > 0 ? this.t[i]! - this.t[i - 1]! : NaN));
    this.unpacked.set(key, force);
    return force;
  }

  // Whether a slip sticks in a row: it is no more than round-off while its contact pushes; dry friction always acts.
  sticks(place: number): (row: number) => boolean {
    const slip = this.column("slip", place);
    const contact = this.data.constraints.indexOf(slip_owner(this.data.slips[place]!));
    const push = contact >= 0 ? this.column("impulse", contact) : null;
    let most = 0;
    for (const value of slip) most = Math.max(most, Math.abs(value));
    return (row) => Math.abs(slip[row]!) <= 1e-9 * most && (push === null || push[row]! > 0);
  }

  // The same of each contact and dry friction, all of its slips.
  sticking(): [string, (row: number) => boolean][] {
    const owners = new Map<string, ((row: number) => boolean)[]>();
    this.data.slips.forEach((name, k) => {
      const owner = slip_owner(name);
      owners.set(owner, [...(owners.get(owner) ?? []), this.sticks(k)]);
    });
    return [...owners].map(([name, slips]) => [name, (row) => slips.every((sticks) => sticks(row))]);
  }

  private remember(key: string, packed: Packed | undefined, n: number): Numbers {
    let values = this.unpacked.get(key);
    if (!values) {
      values = packed ? unpack(packed, n) : new Float32Array(n);
      this.unpacked.set(key, values);
    }
    return values;
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

  // The piece with the impact. One at a recorded time may belong to the piece before or after it: where the velocities
  // change more.
  private jump_row(t: number): number {
    const next = Math.min(row_from(this.t, t), this.n - 1);
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
