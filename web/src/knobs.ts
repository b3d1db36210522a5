// A slider and a field for every number of a scenario.
import { el } from "./dom";
import { NumberKey } from "./engine";

const groups: [string, (key: string) => boolean][] = [
  ["Parameters", (key) => key.startsWith("model.parameters.")],
  ["Contacts", (key) => key.startsWith("model.constraint") || key.startsWith("model.friction")],
  ["Model", (key) => key.startsWith("model.")],
  ["Start", (key) => key.startsWith("initial.")],
  ["Scheme and time", () => true],
];
const shown_at_most = 60;

export class Knobs {
  readonly element = el("div", { class: "knobs" });
  private numbers: NumberKey[] = [];
  private moved = new Map<string, { slider: HTMLInputElement; field: HTMLInputElement; log: boolean }>();

  constructor(private changed: (key: NumberKey, value: number) => void) {}

  // New sliders where there are other keys; otherwise the values go to those that are there.
  show(numbers: NumberKey[]): void {
    const same = numbers.length === this.numbers.length && numbers.every((one, k) => one.key === this.numbers[k]!.key);
    this.numbers = numbers;
    if (!same) return this.make();
    for (const one of numbers) {
      const parts = this.moved.get(one.key);
      if (!parts) continue;
      if (parts.field !== document.activeElement) parts.field.value = shown(one.value);
      if (parts.slider !== document.activeElement) parts.slider.value = String(position(one.value, parts.log));
    }
  }

  // Other scenario: ranges are made anew even if the keys are the same.
  forget(): void {
    this.numbers = [];
  }

  private make(): void {
    this.moved.clear();
    const left = [...this.numbers.slice(0, shown_at_most)];
    const parts = groups.map(([title, belongs]) => {
      const own = left.filter((one) => belongs(one.key));
      own.forEach((one) => left.splice(left.indexOf(one), 1));
      if (own.length === 0) return null;
      return el("fieldset", {}, el("legend", {}, title), ...own.map((one) => this.knob(one)));
    });
    const more = this.numbers.length - shown_at_most;
    this.element.replaceChildren(...parts.filter((part) => part !== null), ...(more > 0 ? [el("p", { class: "hint" }, `${more} more numbers stand in the text.`)] : []));
  }

  private knob(one: NumberKey): HTMLElement {
    const log = one.key === "time.step" && one.value > 0;
    const [from, to] = range_of(one).map((value) => position(value, log)) as [number, number];
    const label = short_name(one.key);
    const slider = el("input", { type: "range", min: from, max: to, step: "any", value: position(one.value, log), "aria-label": label, "data-key": one.key });
    const field = el("input", { type: "text", inputmode: "decimal", value: shown(one.value), "aria-label": `${label} as a number` });
    // The key as it is now: its place in the text may have moved.
    const tell = (value: number) => this.changed(this.numbers.find((now) => now.key === one.key) ?? one, value);
    slider.addEventListener("input", () => {
      const raw = Number(slider.value);
      const value = rounded(log ? 10 ** raw : raw, log ? 10 ** raw : (to - from) / 400);
      field.value = String(value);
      tell(value);
    });
    field.addEventListener("change", () => {
      const value = Number(field.value);
      if (field.value.trim() === "" || !Number.isFinite(value)) return void (field.value = shown(this.numbers.find((now) => now.key === one.key)?.value ?? one.value));
      slider.value = String(position(value, log));
      tell(value);
    });
    this.moved.set(one.key, { slider, field, log });
    return el("label", { class: "knob", title: one.key }, el("span", {}, label), slider, field);
  }
}

// Short enough for its field.
function shown(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function position(value: number, log: boolean): number {
  return log ? Math.log10(value) : value;
}

// As far as its key allows, around its value.
function range_of({ key, value, lower, upper }: NumberKey): [number, number] {
  if (key === "time.step" && value > 0) return [value / 30, value * 10];
  const size = Math.abs(value);
  let [from, to] = value > 0 ? [0, 3 * size] : value < 0 ? [-3 * size, 0] : [-2, 2];
  if (key.startsWith("initial.") && size > 0) [from, to] = [-2 * size, 2 * size];
  if (lower !== null) from = Math.max(lower, lower > 0 ? lower : Math.min(from, value));
  if (upper !== null && upper - from <= 10 * Math.max(size, 1)) to = upper;
  if (lower !== null && from < lower) from = lower;
  if (key === "time.until") from = value / 20;
  return [from, Math.max(to, from + (size || 1) * 1e-3)];
}

// As few digits as the step of a slider needs.
function rounded(value: number, step: number): number {
  const digits = Math.max(0, Math.min(15, Math.ceil(-Math.log10(step)) + 1));
  return Number(Math.abs(value) >= 1e6 || step >= 1 ? value.toPrecision(4) : value.toFixed(digits));
}

// "floor: restitution", "x at the start", "m".
export function short_name(key: string): string {
  const words = key.split(".");
  if (key.startsWith("model.parameters.")) return words.slice(2).join(".");
  if (key.startsWith("initial.q.")) return words.slice(2).join(".");
  if (key.startsWith("initial.v.")) return `${words.slice(2).join(".")}_dot`;
  if (key.startsWith("model.constraint.")) return `${words.slice(2, -1).join(".")}: ${words[words.length - 1]!}`;
  if (key.startsWith("model.")) return words.slice(1).join(".");
  return words.slice(1).join(".") || key;
}
