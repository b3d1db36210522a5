// Contacts with friction and dry frictions: what each does between two rows, its force and what it wears.
import { Numbers, Run, slip_owner } from "./data";

export const phases = ["open", "slides", "sticks"] as const;
export type Phase = (typeof phases)[number];
// Colours in page.css.
export const phase_colors: Record<Phase, string> = { open: "none", slides: "dissipated", sticks: "lost-in-friction" };

// Of a slip that is no more than this share of the largest in the run, round-off is left.
const at_rest = 1e-9;

export class Friction {
  private slip: Numbers[];
  private impulse: Numbers[];
  private push: Numbers | null; // dry friction always acts
  private rest: number;
  private sums?: Float64Array;

  constructor(
    private run: Run,
    readonly name: string,
    readonly places: number[], // of its slips: one, in space two
  ) {
    this.slip = places.map((k) => run.column("slip", k));
    this.impulse = places.map((k) => run.column("friction", k));
    const contact = run.data.constraints.indexOf(name);
    this.push = contact >= 0 ? run.column("impulse", contact) : null;
    let most = 0;
    for (const values of this.slip) for (const value of values) most = Math.max(most, Math.abs(value));
    this.rest = at_rest * most;
  }

  // Between a row and the one before it.
  phase(row: number): Phase {
    if (this.push !== null && !(this.push[row]! > 0)) return "open";
    return this.slip.every((values) => Math.abs(values[row]!) <= this.rest) ? "sticks" : "slides";
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
  return [...places].map(([name, list]) => new Friction(run, name, list));
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
