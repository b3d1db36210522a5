// What all parts of a run's page share: the window of time, the time that is read, the time of the animation.
import { at_end } from "./lifetime";

type Listener = () => void;

export class View {
  from: number;
  to: number;
  now: number; // of the animation
  hover: number | null = null; // under the pointer
  playing = false;
  factor = 1; // of the animation's speed
  private window_listeners = new Set<Listener>();
  private reading_listeners = new Set<Listener>();

  constructor(
    public begin: number,
    public end: number,
  ) {
    this.from = begin;
    this.to = end;
    this.now = begin;
  }

  get reading(): number {
    return this.hover ?? this.now;
  }
  get whole(): boolean {
    return this.from <= this.begin && this.to >= this.end;
  }

  on_window(listener: Listener): void {
    this.window_listeners.add(listener);
    at_end(() => this.window_listeners.delete(listener));
  }
  on_reading(listener: Listener): void {
    this.reading_listeners.add(listener);
    at_end(() => this.reading_listeners.delete(listener));
  }

  // Another run: all of it, or the same window where that lies in it.
  cover(begin: number, end: number): void {
    const stays = !this.whole && this.from >= begin && this.to <= end;
    [this.begin, this.end] = [begin, end];
    if (!stays) [this.from, this.to] = [begin, end];
    this.now = Math.min(Math.max(this.now, begin), end);
  }

  // Keeps inside the run, and no narrower than doubles can tell apart.
  show(from: number, to: number): void {
    const span = this.end - this.begin;
    const least = Math.max(span * 1e-9, Math.abs(this.end) * 1e-13);
    let width = Math.min(Math.max(to - from, least), span);
    if (!(width > 0)) width = 1;
    from = Math.min(Math.max(from, this.begin), this.end - width);
    if (from === this.from && from + width === this.to) return;
    this.from = from;
    this.to = from + width;
    for (const listener of this.window_listeners) listener();
  }

  reset(): void {
    this.show(this.begin, this.end);
  }
  pan(share: number): void {
    const shift = share * (this.to - this.from);
    this.show(this.from + shift, this.to + shift);
  }
  zoom(factor: number, around = (this.from + this.to) / 2): void {
    this.show(around + (this.from - around) * factor, around + (this.to - around) * factor);
  }

  set_hover(t: number | null): void {
    if (t === this.hover) return;
    this.hover = t;
    this.told();
  }
  set_now(t: number): void {
    this.now = Math.min(Math.max(t, this.begin), this.end);
    this.told();
  }
  private told(): void {
    for (const listener of this.reading_listeners) listener();
  }

  // Arrow keys pan and zoom, 0 shows all. True if the key was taken.
  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "ArrowLeft") this.pan(-0.2);
    else if (event.key === "ArrowRight") this.pan(0.2);
    else if (event.key === "ArrowUp" || event.key === "+") this.zoom(0.5);
    else if (event.key === "ArrowDown" || event.key === "-") this.zoom(2);
    else if (event.key === "0" || event.key === "Home") this.reset();
    else return false;
    event.preventDefault();
    return true;
  }
}
