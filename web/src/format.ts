// Numbers for reading.
const minus = "\u2212";

// "x [m]": what it is, and its unit if there is one.
export function with_unit(text: string, unit: string): string {
  return unit ? `${text} [${unit}]` : text;
}

// The unit that all have, or none.
export function common_unit(units: string[]): string {
  return units.length > 0 && units.every((unit) => unit === units[0]) ? units[0]! : "";
}

export function number(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "none" : value > 0 ? "\u221e" : `${minus}\u221e`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text: string;
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
    text = `${trimmed(mantissa)}e${exponent.replace("+", "")}`;
  } else {
    text = trimmed(value.toPrecision(digits));
  }
  return text.replace(/-/g, minus);
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

// Values of an axis, all with the digits that tell neighbours apart.
export function ticks(values: (number | null)[]): string[] {
  const there = values.filter((value): value is number => value !== null && Number.isFinite(value));
  const largest = Math.max(...there.map(Math.abs), 0);
  const step = there.length > 1 ? Math.abs(there[1]! - there[0]!) : largest;
  // As many decimals as it takes to write the step in full.
  let decimals = 0;
  while (decimals < 9 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals)
    ++decimals;
  const exponential = largest >= 1e5 || (largest > 0 && largest < 1e-3);
  return values.map((value) => {
    if (value === null) return "";
    if (value === 0) return "0";
    if (exponential) return number(value, Math.min(8, Math.max(2, Math.ceil(Math.log10(largest / (step || largest))) + 2)));
      return value.toFixed(decimals).replace("-", minus);
  });
}

function is_power(value: number): boolean {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
}

function decades(values: (number | null)[]): number {
  const there = values.filter((value): value is number => value !== null && value > 0);
  return Math.log10(Math.max(...there) / Math.min(...there));
}

// One to nine times the powers of ten between two values.
export function log_splits(from: number, to: number): number[] {
  const splits: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); ++power)
    for (let digit = 1; digit < 10; ++digit) {
      const value = Number(`${digit}e${power}`);
      if (value >= from && value <= to) splits.push(value);
    }
  if (splits.length > 2) return splits;
  // Within a fraction of a decade even ones.
  const step = 10 ** Math.floor(Math.log10((to - from) / 2));
  const even: number[] = [];
  for (let k = Math.ceil(from / step); k * step <= to; ++k) even.push(Number((k * step).toPrecision(12)));
  return even.length > 8 ? even.filter((_, k) => k % Math.ceil(even.length / 6) === 0) : even;
}

// Lines of an axis of powers: over many decades only the powers of ten.
export function log_lines(values: (number | null)[]): (number | null)[] {
  if (decades(values) <= 4) return values;
  return values.map((value) => (value !== null && value > 0 && is_power(value) ? value : null));
}

// Powers of ten are named; twice and five times them only where there are few, and all where even these are fewer than
// two.
export function log_ticks(values: (number | null)[]): string[] {
  const few = decades(values) < 2;
  const is_named = (value: number | null) => value !== null && value > 0 && [1, 2, 5].some((factor) => is_power(value / factor));
  const all = values.filter(is_named).length < 2;
  return values.map((value) => {
    if (value === null || value <= 0) return "";
    if (all) return number(value);
    if (few && (is_power(value / 2) || is_power(value / 5))) return number(value);
    const power = Math.log10(value);
    if (!is_power(value)) return "";
    return Math.abs(power) < 3 ? number(value) : `1e${Math.round(power)}`.replace("-", minus);
  });
}
