// The motion, with play, pause, speed and a slider over the run.
import { Run } from "./data";
import { card, el, once_a_frame } from "./dom";
import { download_buttons } from "./download";
import { drawing_of } from "./figures";
import { number } from "./format";
import { Friction, Phase } from "./friction";
import { at_end, when_mounted } from "./lifetime";
import { on_theme } from "./theme";
import { View } from "./view";

const slider_steps = 1000;
const wanted_seconds = 12; // for a run that is too short or too long to be watched as it is
const factors = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

export class Player {
  readonly element: HTMLElement;
  private canvas = el("canvas", { class: "motion", role: "img", "aria-label": "The motion at the time of the slider" });
  private button: HTMLButtonElement;
  private slider: HTMLInputElement;
  private clock = el("output", { class: "clock" });
  private pace = el("span", { class: "hint" });
  private held = el("p", { class: "hint held" });
  private ended = false;
  private last = 0;
  private size: [number, number] = [0, 0]; // of the canvas: asking it in every frame would lay out the page each time
  private rate: number; // of the run's time to that of the wall

  constructor(
    private run: Run,
    private view: View,
    private frictions: Friction[],
  ) {
    const span = view.end - view.begin;
    this.rate = span >= 2 && span <= 60 ? 1 : span / wanted_seconds;
    this.button = el("button", { type: "button", class: "play", "aria-label": "Play" }, "\u25b6");
    this.button.addEventListener("click", () => this.toggle());
    this.slider = el("input", { type: "range", min: 0, max: slider_steps, value: 0, step: 1, "aria-label": "Time" });
    this.slider.addEventListener("input", () => {
      this.pause();
      view.set_now(view.begin + (Number(this.slider.value) / slider_steps) * span);
    });
    const controls = el("div", { class: "controls" }, this.button, this.slider, this.clock, this.speed());
    const download = download_buttons({ title: "Motion", picture: () => ({ canvas: this.canvas, redraw: () => draw() }) });
    this.element = card("Motion", "animation", this.pace, download);

    const drawings = run.data.animation.map((figure) => drawing_of(figure, run));
    const note = drawings.map((drawing) => drawing.note).filter(Boolean).join("; ");
    this.element.append(this.canvas, controls);
    if (frictions.length > 0) this.element.append(this.held);
    if (note) this.element.append(el("p", { class: "hint" }, note[0]!.toUpperCase() + note.slice(1) + "."));

    const weights = drawings.reduce((sum, drawing) => sum + drawing.weight, 0);
    const draw = () => {
      const ctx = this.prepared();
      if (!ctx || run.n === 0) return;
      const [width, height] = this.size;
      let left = 0;
      run.data.animation.forEach((figure, i) => {
        const share = (width * drawings[i]!.weight) / weights;
        ctx.save();
        ctx.beginPath();
        ctx.rect(left, 0, share, height);
        ctx.clip();
        ctx.translate(left, 0);
        const source = figure.source ?? "q";
        drawings[i]!.draw(ctx, share, height, {
          value: (k) => this.value(source, k),
          of: (column, k) => this.value(column, k),
          phase: (name) => {
            const friction = frictions.find((one) => one.name === name);
            return friction ? this.phase(friction) : "open";
          },
        });
        ctx.restore();
        left += share;
      });
    };
    const draw_soon = once_a_frame(draw);
    view.on_reading(() => {
      this.tell();
      draw_soon();
    });
    on_theme(draw_soon);
    const measured = () => [this.canvas.clientWidth, this.canvas.clientHeight] as [number, number];
    new ResizeObserver(() => {
      this.size = measured();
      draw_soon();
    }).observe(this.canvas);
    this.tell();
    const key = (event: KeyboardEvent) => this.key(event);
    document.addEventListener("keydown", key);
    when_mounted(measured, (size) => {
      this.size = size;
      draw();
    });
    at_end(() => {
      document.removeEventListener("keydown", key);
      this.ended = true;
    });
    if (view.playing) this.play();
  }

  private speed(): HTMLElement {
    const select = el("select", { "aria-label": "Speed" });
    for (const factor of factors) {
      const name = factor < 1 ? `1/${1 / factor}` : String(factor);
      select.append(el("option", { value: factor, selected: factor === this.view.factor }, `${name}\u00d7`));
    }
    const tell = () => {
      this.pace.textContent = `${number(this.rate * this.view.factor, 2)} \u00d7 real time`;
    };
    select.addEventListener("change", () => {
      this.view.factor = Number(select.value);
      tell();
    });
    tell();
    return select;
  }

  private prepared(): CanvasRenderingContext2D | null {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = this.size;
    if (width === 0) return null;
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
    if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
    const ctx = this.canvas.getContext("2d");
    ctx?.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx?.clearRect(0, 0, width, height);
    return ctx;
  }

  // Of the piece after the row at hand.
  private phase(friction: Friction): Phase {
    return friction.phase(Math.min(this.run.row(this.view.now) + 1, this.run.n - 1));
  }

  // Between two rows on a straight line.
  private value(source: string, coordinate: number): number {
    const values = this.run.column(source, coordinate);
    const { t } = this.run;
    const row = this.run.row(this.view.now);
    const next = Math.min(row + 1, this.run.n - 1);
    const share = next > row ? (this.view.now - t[row]!) / (t[next]! - t[row]! || 1) : 0;
    return values[row]! * (1 - share) + values[next]! * share;
  }

  private tell(): void {
    const span = this.view.end - this.view.begin || 1;
    const share = Math.round(((this.view.now - this.view.begin) / span) * slider_steps);
    if (this.view.playing) this.slider.value = String(share);
    else if (document.activeElement !== this.slider) this.slider.value = String(share);
    const text = `t = ${number(this.view.now, 4)}`;
    this.slider.setAttribute("aria-valuetext", text);
    this.clock.textContent = text;
    const named = (phase: Phase) => this.frictions.filter((one) => this.phase(one) === phase).map((one) => one.name);
    const words = (["sticks", "slides"] as const).flatMap((phase) => (named(phase).length > 0 ? [`${phase}: ${named(phase).join(", ")}`] : []));
    this.held.textContent = words.join("; ") || "nothing touches";
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.key !== " " || /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
    event.preventDefault();
    this.toggle();
  }

  toggle(): void {
    if (this.view.playing) return this.pause();
    // The window in sight is what is played; at its end it begins again.
    if (this.view.now >= this.view.to || this.view.now < this.view.from) this.view.set_now(this.view.from);
    this.play();
  }

  private play(): void {
    this.view.playing = true;
    this.button.textContent = "\u275a\u275a";
    this.button.setAttribute("aria-label", "Pause");
    this.last = performance.now();
    requestAnimationFrame((time) => this.frame(time));
  }

  private pause(): void {
    this.view.playing = false;
    this.button.textContent = "\u25b6";
    this.button.setAttribute("aria-label", "Play");
  }

  private frame(time: number): void {
    if (!this.view.playing || this.ended) return;
    const passed = Math.max(0, Math.min(0.1, (time - this.last) / 1000));
    this.last = time;
    this.view.set_now(Math.min(this.view.now + passed * this.rate * this.view.factor, this.view.to));
    if (this.view.now >= this.view.to) return this.pause();
    requestAnimationFrame((next) => this.frame(next));
  }
}
