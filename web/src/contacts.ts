// Which obstacle a constraint is, found from the data: a wall for one coordinate, or two coordinates that meet.
import { Figure, Numbers, Run } from "./data";
import { extent_of } from "./pen";

export interface Wall {
  constraint: number;
  coordinate: number;
  at: number; // value of the coordinate where the gap closes
  below: boolean; // the coordinate stays above it
  slope?: number; // of the gap: it moves, and is at q - gap/slope
}

export interface Meeting {
  constraint: number;
  lower: number; // coordinates
  upper: number;
  distance: number; // gap = upper - lower + distance
}

const rows_looked_at = 200;
const coordinates_tried = 1000;
const pairs_of_all = 16; // coordinates up to which every pair is tried

function sampled(values: Numbers): number[] {
  const step = Math.max(1, Math.floor(values.length / rows_looked_at));
  const result: number[] = [];
  for (let i = 0; i < values.length; i += step) result.push(values[i]!);
  return result;
}

function is_constant(values: number[]): boolean {
  const size = Math.max(...values.map(Math.abs));
  return values.every((value) => Math.abs(value - values[0]!) <= Math.max(1e-9, 1e-6 * size));
}

// gap = slope x + offset for all rows, or null.
function straight(x: number[], gap: number[]): [number, number] | null {
  const n = x.length;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / n;
  const [x_mean, gap_mean] = [mean(x), mean(gap)];
  let [xx, xg] = [0, 0];
  for (let i = 0; i < n; ++i) {
    xx += (x[i]! - x_mean) ** 2;
    xg += (x[i]! - x_mean) * (gap[i]! - gap_mean);
  }
  if (!(xx > 0)) return null;
  const slope = xg / xx;
  const offset = gap_mean - slope * x_mean;
  const size = Math.max(...x.map((value, i) => Math.abs(slope * value) + Math.abs(gap[i]!)));
  // Columns have seven digits.
  const fits = x.every((value, i) => Math.abs(slope * value + offset - gap[i]!) <= 1e-5 * size);
  return fits && Math.abs(slope) > 1e-6 ? [slope, offset] : null;
}

// Some walls are known from formulas.
export function find_contacts(run: Run, coordinates: number[], source = "q", known: Figure["walls"] = [], meet = true): { walls: Wall[]; meetings: Meeting[] } {
  const walls: Wall[] = known.map(([constraint, coordinate, slope]) => ({ constraint, coordinate, at: 0, below: slope > 0, slope }));
  const meetings: Meeting[] = [];
  if (run.n < 3) return { walls, meetings };
  const columns = new Map(coordinates.map((k) => [k, sampled(run.column(source, k))]));
  for (let c = 0; c < Math.min(run.data.constraints.length, 200); ++c) {
    if (known.some(([constraint]) => constraint === c)) continue;
    const gap = sampled(run.column("gap", c));
    const wall = wall_of(columns, gap, c);
    if (wall) walls.push(wall);
    else if (meet) {
      const meeting = meeting_of(coordinates, columns, gap, c);
      if (meeting) meetings.push(meeting);
    }
  }
  return { walls, meetings };
}

// Where a wall is, and the range of its places in the run.
export function wall_at(wall: Wall, of: (column: string, place: number) => number): number {
  return wall.slope ? of("q", wall.coordinate) - of("gap", wall.constraint) / wall.slope : wall.at;
}

export function wall_range(run: Run, wall: Wall): [number, number] {
  if (!wall.slope) return [wall.at, wall.at];
  const [q, gap, slope] = [run.column("q", wall.coordinate), run.column("gap", wall.constraint), wall.slope];
  return extent_of(Float64Array.from(q, (value, row) => value - gap[row]! / slope));
}

function wall_of(columns: Map<number, number[]>, gap: number[], constraint: number): Wall | null {
  for (const [coordinate, x] of columns) {
    const line = straight(x, gap);
    if (line) return { constraint, coordinate, at: -line[1] / line[0], below: line[0] > 0 };
  }
  return null;
}

function meeting_of(
  coordinates: number[],
  columns: Map<number, number[]>,
  gap: number[],
  constraint: number,
): Meeting | null {
  const reach = coordinates.length <= pairs_of_all ? coordinates.length : 1;
  for (let a = 0; a < coordinates.length; ++a)
    for (let b = a + 1; b <= Math.min(a + reach, coordinates.length - 1); ++b) {
      const [lower, upper] = [columns.get(coordinates[a]!)!, columns.get(coordinates[b]!)!];
      const apart = upper.map((value, i) => value - lower[i]!);
      // Neighbours that move, and stay together all the time.
      if (b === a + 1 && is_constant(apart) && is_constant(gap) && !is_constant(upper))
        return { constraint, lower: coordinates[a]!, upper: coordinates[b]!, distance: gap[0]! - apart[0]! };
      const line = straight(apart, gap);
      if (!line || Math.abs(Math.abs(line[0]) - 1) > 1e-4) continue;
      return line[0] > 0
        ? { constraint, lower: coordinates[a]!, upper: coordinates[b]!, distance: line[1] }
        : { constraint, lower: coordinates[b]!, upper: coordinates[a]!, distance: line[1] };
    }
  return null;
}

// Coordinates worth looking at first: those that stops meet, where there are only stops, and those that are observed.
export function coordinates_of_interest(run: Run): number[] {
  const { coordinates, observations } = run.data;
  const tried = coordinates.map((_, k) => k).slice(0, coordinates_tried);
  const { walls } = find_contacts(run, tried, "q", [], false);
  const found = new Set(walls.length === run.data.constraints.length ? walls.map((wall) => wall.coordinate) : []);
  observations.forEach((_, k) => {
    const observed = sampled(run.column("observed", k));
    const size = Math.max(...observed.map(Math.abs));
    const same = tried.find((j) => sampled(run.column("q", j)).every((value, i) => Math.abs(value - observed[i]!) <= 1e-6 * size));
    if (size > 0 && same !== undefined) found.add(same);
  });
  return [...found].sort((a, b) => a - b);
}
