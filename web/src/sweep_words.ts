// What is said of one trajectory.
import { number } from "./format";
import { Quantity, Sweep } from "./sweep_data";
import { SweepView } from "./sweep_view";

export const not_settled = -1; // as a period

export function is_none(quantity: Quantity, value: number): boolean {
  return Number.isNaN(value) || (quantity.kind === "class" && value < (quantity.name === "period" ? 1 : 0));
}

export function value_words(quantity: Quantity, value: number): string {
  if (quantity.name === "attractor" && !is_none(quantity, value)) return `attractor ${value}`;
  if (quantity.kind === "class") return class_words(quantity, class_of(quantity, value));
  if (quantity.name === "lyapunov") return `\u03bb = ${number(value, 4)}`;
  return `${quantity.label} = ${number(value, 5)}`;
}

// The class of a value, from 0; −1 for none, −3 for a motion that has not settled.
export function class_of(quantity: Quantity, value: number): number {
  if (quantity.name === "period" && value === not_settled) return -3;
  return is_none(quantity, value) ? -1 : value - (quantity.name === "period" ? 1 : 0);
}

// Attractors with their period and its impacts.
export function class_words(quantity: Quantity, k: number): string {
  if (k === -2) return "failed";
  if (k === -3) return "not settled";
  if (quantity.name === "period") return k < 0 ? "not periodic" : `period ${k + 1}`;
  if (k < 0) return "no attractor";
  const about = quantity.about?.[k];
  return about ? `attractor ${k}: ${about}` : `attractor ${k}`;
}

export function place_words(sweep: Sweep, trajectory: number): string {
  return sweep.data.axes.map((axis, k) => `${axis.name} = ${number(sweep.value(trajectory, k), 6)}`).join(", ");
}

export function trajectory_words(view: SweepView, trajectory: number): string {
  const { sweep } = view;
  const words = [view.direction_of(trajectory)];
  if (sweep.has_failed(trajectory)) words.push("failed");
  for (const name of ["period", "attractor", "lyapunov"]) {
    const quantity = sweep.quantity(name);
    if (quantity) words.push(value_words(quantity, quantity.values[trajectory]!));
  }
  words.push(`trajectory ${trajectory}`);
  return words.filter((word) => word !== "").join(" \u00b7 ");
}
