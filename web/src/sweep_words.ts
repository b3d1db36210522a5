// What is said of one trajectory.
import { number } from "./format";
import { Quantity, Sweep } from "./sweep_data";
import { SweepView } from "./sweep_view";

export function is_none(quantity: Quantity, value: number): boolean {
  return Number.isNaN(value) || (quantity.kind === "class" && value < (quantity.name === "period" ? 1 : 0));
}

export function value_words(quantity: Quantity, value: number): string {
  if (quantity.name === "period") return is_none(quantity, value) ? "not periodic" : `period ${value}`;
  if (quantity.name === "attractor") return is_none(quantity, value) ? "no attractor" : `attractor ${value}`;
  if (quantity.name === "lyapunov") return `\u03bb = ${number(value, 4)}`;
  return `${quantity.label} = ${number(value, 5)}`;
}

// The class of a value, from 0; −1 for none.
export function class_of(quantity: Quantity, value: number): number {
  return is_none(quantity, value) ? -1 : value - (quantity.name === "period" ? 1 : 0);
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
