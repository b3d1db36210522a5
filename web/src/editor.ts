// A scenario as text, with the error shown where it is.
import { el } from "./dom";
import { Problem } from "./engine";

export class Editor {
  readonly element: HTMLElement;
  private area = el("textarea", { class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Scenario" });
  private back = el("pre", { class: "code behind", "aria-hidden": "true" });
  private message = el("p", { class: "error-here", role: "alert", hidden: true });
  private problem: Problem | null = null;

  constructor(changed: (text: string) => void) {
    this.element = el("div", { class: "editor" }, this.back, this.area, this.message);
    this.area.addEventListener("input", () => {
      this.show(null);
      changed(this.area.value);
    });
    this.area.addEventListener("scroll", () => this.place());
    new ResizeObserver(() => this.place()).observe(this.area);
  }

  get text(): string {
    return this.area.value;
  }
  set text(text: string) {
    if (text === this.area.value) return;
    const { scrollTop, scrollLeft, selectionStart } = this.area;
    this.area.value = text;
    this.area.selectionStart = this.area.selectionEnd = Math.min(selectionStart, text.length);
    this.area.scrollTo(scrollLeft, scrollTop);
  }

  // The line is marked, the sentence stands below it.
  show(problem: Problem | null): void {
    this.problem = problem;
    this.message.hidden = problem === null;
    this.area.setAttribute("aria-invalid", String(problem !== null));
    this.back.replaceChildren();
    if (!problem) return;
    const { line, column, error } = problem;
    this.message.textContent = line ? `Line ${line}${column ? `, column ${column}` : ""}: ${error}` : error;
    if (line) {
      const lines = this.text.split("\n");
      const at = offset(lines[line - 1] ?? "", column ?? 1);
      const rest = (lines[line - 1] ?? "").slice(at);
      const word = /^[^\s,;=\]})]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
      this.back.append(
        lines.slice(0, line - 1).map((one) => `${one}\n`).join(""),
        el("mark", { class: "line" }, (lines[line - 1] ?? "").slice(0, at), el("mark", { class: "word" }, word || " "), rest.slice(word.length) || " "),
      );
      const height = parseFloat(getComputedStyle(this.area).lineHeight);
      const top = (line - 1) * height;
      if (document.activeElement !== this.area && (top < this.area.scrollTop || top > this.area.scrollTop + this.area.clientHeight - 3 * height))
        this.area.scrollTop = Math.max(0, top - 3 * height);
    }
    this.place();
  }

  private place(): void {
    this.back.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    const { line } = this.problem ?? {};
    const style = getComputedStyle(this.area);
    const height = parseFloat(style.lineHeight);
    const top = line ? line * height + parseFloat(style.paddingTop) - this.area.scrollTop : 0;
    const room = this.area.clientHeight - this.message.offsetHeight;
    this.message.style.top = `${Math.max(0, Math.min(top + 2, room))}px`;
  }
}

// Columns count characters, strings of the page their halves.
export function offset(line: string, column: number): number {
  return Array.from(line).slice(0, column - 1).join("").length;
}

const number_here = /[+-]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;

// The text with another number at a place; null if there is none.
export function with_number(text: string, line: number, column: number, value: string): string | null {
  const lines = text.split("\n");
  const old = lines[line - 1];
  if (old === undefined) return null;
  number_here.lastIndex = offset(old, column);
  const found = number_here.exec(old);
  if (!found) return null;
  lines[line - 1] = old.slice(0, found.index) + value + old.slice(found.index + found[0].length);
  return lines.join("\n");
}
