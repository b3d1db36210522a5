// Small controls with their names.
import { el } from "./dom";

export function options_of(names: string[], chosen: number, changed: (k: number) => void): HTMLSelectElement {
  const select = el("select", {}, ...names.map((name, k) => el("option", { value: k, selected: k === chosen }, name)));
  select.addEventListener("change", () => changed(Number(select.value)));
  return select;
}

export function labelled(words: string, control: HTMLElement, ...more: (HTMLElement | string)[]): HTMLLabelElement {
  return el("label", { class: "control" }, el("span", {}, words), control, ...more);
}
