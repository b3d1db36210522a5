// Contacts with friction and dry frictions: what each does between two rows, its force and what it wears.
import { Numbers, Run, slip_owner } from "./data";

// In the order of their numbers in the data.
export const phases = ["open", "slides", "sticks"] as const;
export type Phase = (typeof phases)[number];
// Colours in page.css.
export const phase_colors: Record<Phase, string> = { open: "none", slides: "dissipated", sticks: "lost-in-friction" };

export class Friction {
  private slip: Numbers[];
  private impulse: Numbers[];
  private phases: Numbers;
  private sums?: Float64Array;

  constructor(
    private run: Run,
    readonly name: string,
    readonly places: number[], // of its slips: one, in space two
    place: number, // its own, of all frictions
  ) {
    this.slip = places.map((k) => run.column("slip", k));
    this.impulse = places.map((k) => run.column("friction", k));
    this.phases = run.column("phase", place);
  }

  // Between a row and the one before it.
  phase(row: number): Phase {
    return phases[Math.round(this.phases[row]!)]!;
  }

  // |mean slip| · |impulse| between a row and the one before it: what is worn away.
  work(row: number): number {
    if (row === 0) return 0;
    const slip = Math.hypot(...this.slip.map((values) => (values[row - 1]! + values[row]!) / 2));
    return slip * Math.hypot(...this.impulse.map((values) => values[row]!));
  }

  // Impacts have no power: their work is in the mean alone.
  power(row: number): number {
    return this.run.quiet(row) ? this.work(row) / (this.run.t[row]! - this.run.t[row - 1]!) : NaN;
  }

  // Over the rows between two times.
  mean_power(from: number, to: number): number {
    if (!this.sums) {
      this.sums = new Float64Array(this.run.n);
      for (let row = 1; row < this.run.n; ++row) this.sums[row] = this.sums[row - 1]! + this.work(row);
    }
    const [first, last] = [this.run.row(from), this.run.row(to)];
    const span = this.run.t[last]! - this.run.t[first]!;
    return span > 0 ? (this.sums[last]! - this.sums[first]!) / span : 0;
  }
}

export function frictions_of(run: Run): Friction[] {
  const places = new Map<string, number[]>();
  run.data.slips.forEach((name, k) => {
    const owner = slip_owner(name);
    places.set(owner, [...(places.get(owner) ?? []), k]);
  });
  return [...places].map(([name, list], place) => new Friction(run, name, list, place));
}

// What the most held of them does.
export function joint_phase(frictions: Friction[], row: number): Phase {
  let most = 0;
  for (const one of frictions) {
    most = Math.max(most, phases.indexOf(one.phase(row)));
    if (most === 2) break;
  }
  return phases[most]!;
}
