import { at_end } from "./lifetime";

// Colours live in page.css; plots ask for them whenever they draw.
const listeners = new Set<() => void>();
let cache = new Map<string, string>();

export function color(name: string): string {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    cache.set(name, value);
  }
  return value;
}

export const series_count = 8;
export function series_color(k: number): string {
  return color(`series-${k % series_count}`);
}

export function with_alpha(name: string, percent: number): string {
  return `color-mix(in srgb, ${color(name)} ${percent}%, transparent)`;
}

export function on_theme(listener: () => void): void {
  listeners.add(listener);
  at_end(() => listeners.delete(listener));
}

function changed(): void {
  cache = new Map();
  for (const listener of listeners) listener();
}

export function is_dark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function set_theme(theme: "light" | "dark"): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("ricochet-theme", theme);
  } catch {
    // pages opened from a disk may have no storage
  }
  changed();
}

export function start_theme(): void {
  try {
    const stored = localStorage.getItem("ricochet-theme");
    if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
  } catch {
    // the system's choice stays
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  // Paper is light.
  let before: string | undefined;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    changed();
  });
  addEventListener("afterprint", () => {
    if (before) document.documentElement.dataset.theme = before;
    else delete document.documentElement.dataset.theme;
    changed();
  });
}
