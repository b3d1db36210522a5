// What all parts of a sweep's page share: which trajectories are drawn, along which axis, in what window of it, and the
// one that is chosen.
import { direction_names, Sweep } from "./sweep_data";

type Listener = () => void;

export class SweepView {
  x = 0; // the axis that is drawn along
  fixed: (number | null)[]; // places on the others; null: all of them
  directions = [true, true];
  window: [number, number] | null = null;
  chosen: number;
  private slice_cache: Int32Array | null = null;
  private listeners = { axis: [] as Listener[], slice: [] as Listener[], window: [] as Listener[], chosen: [] as Listener[] };

  constructor(readonly sweep: Sweep) {
    const { axes } = sweep.data;
    // Starts are shown all at once: what ends in different motions is seen then.
    this.fixed = axes.map((axis) => (axis.parameter.startsWith("initial.") ? null : Math.floor(axis.size / 2)));
    const middle = axes.map((axis) => Math.floor(axis.size / 2));
    this.chosen = sweep.data.grid ? sweep.at(false, middle) : (this.slice[Math.floor(this.slice.length / 2)] ?? 0);
  }

  on(what: keyof SweepView["listeners"], listener: Listener): void {
    this.listeners[what].push(listener);
  }
  private tell(what: keyof SweepView["listeners"]): void {
    for (const listener of this.listeners[what]) listener();
  }

  get axis(): { name: string; log: boolean } {
    return this.sweep.data.axes[this.x]!;
  }

  x_value(trajectory: number): number {
    return this.sweep.value(trajectory, this.x);
  }

  // Trajectories that are drawn, in the order of the axis.
  get slice(): Int32Array {
    if (this.slice_cache) return this.slice_cache;
    const { sweep } = this;
    const list: number[] = [];
    for (let i = 0; i < sweep.n; ++i) if (this.is_drawn(i)) list.push(i);
    const values = Float64Array.from({ length: sweep.n }, (_, i) => this.x_value(i));
    list.sort((a, b) => values[a]! - values[b]! || a - b);
    return (this.slice_cache = Int32Array.from(list));
  }

  private is_drawn(trajectory: number): boolean {
    const { sweep } = this;
    if (sweep.data.both && !this.directions[sweep.is_backward(trajectory) ? 1 : 0]) return false;
    if (!sweep.data.grid) return true;
    return this.fixed.every((place, k) => k === this.x || place === null || place === sweep.place(trajectory, k));
  }

  // Several values of another axis are drawn over each other, so that lines would jump between them.
  get is_overlaid(): boolean {
    return !this.sweep.data.grid || this.fixed.some((place, k) => k !== this.x && place === null);
  }

  set_axis(k: number): void {
    this.x = k;
    this.window = null;
    this.slice_cache = null;
    this.tell("axis");
  }

  fix(axis: number, place: number | null): void {
    if (this.fixed[axis] === place) return;
    this.fixed[axis] = place;
    this.slice_changed();
  }

  show_directions(forward: boolean, backward: boolean): void {
    this.directions = [forward, backward];
    this.slice_changed();
  }

  private slice_changed(): void {
    this.slice_cache = null;
    this.tell("slice");
  }

  set_window(window: [number, number] | null): void {
    this.window = window;
    this.tell("window");
  }

  // The slice follows, so that what is chosen is always seen.
  choose(trajectory: number): void {
    if (trajectory === this.chosen) return;
    this.chosen = trajectory;
    if (this.sweep.data.grid) {
      let moved = false;
      this.fixed.forEach((place, k) => {
        const now = this.sweep.place(trajectory, k);
        if (place !== null && k !== this.x && place !== now) moved = true;
        if (place !== null) this.fixed[k] = now;
      });
      if (moved) this.slice_changed();
    }
    this.tell("chosen");
  }

  direction_of(trajectory: number): string {
    return this.sweep.data.both ? direction_names[this.sweep.is_backward(trajectory) ? 1 : 0]! : "";
  }
}
