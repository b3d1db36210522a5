// Which of many names are drawn. Few are all drawn, and there is nothing to choose.
import { el } from "./dom";

const all_up_to = 8;
const drawn_at_first = 4;
const listed_at_most = 300;

export class Chooser {
  chosen: number[];
  readonly element: HTMLElement | null = null;

  constructor(
    what: string,
    private names: string[],
    preferred: number[],
    private changed: () => void,
  ) {
    this.chosen = names.map((_, k) => k);
    if (names.length <= all_up_to) return;
    // Few that are preferred are all drawn, of many some that lie apart.
    this.chosen = 0 < preferred.length && preferred.length <= all_up_to ? preferred : spread(preferred.length > 0 ? preferred : this.chosen);
    this.element = this.make(what);
  }

  private make(what: string): HTMLElement {
    const summary = el("summary");
    const list = el("div", { class: "choices", role: "group", "aria-label": what });
    const filter = el("input", { type: "search", placeholder: "find a name", "aria-label": `Find in ${what}` });
    const tell = () => (summary.textContent = `${what}: ${this.chosen.length} of ${this.names.length} drawn`);
    const show = () => {
      const wanted = filter.value.trim().toLowerCase();
      const found = this.names.map((_, k) => k).filter((k) => this.names[k]!.toLowerCase().includes(wanted));
      list.replaceChildren(...found.slice(0, listed_at_most).map((k) => this.choice(k, tell)));
      if (found.length > listed_at_most) list.append(el("span", { class: "hint" }, `and ${found.length - listed_at_most} more`));
    };
    filter.addEventListener("input", show);
    tell();
    show();
    return el("details", { class: "chooser" }, summary, filter, list);
  }

  private choice(k: number, tell: () => void): HTMLElement {
    const box = el("input", { type: "checkbox", checked: this.chosen.includes(k) });
    box.addEventListener("change", () => {
      this.chosen = this.names.map((_, i) => i).filter((i) => (i === k ? box.checked : this.chosen.includes(i)));
      tell();
      this.changed();
    });
    return el("label", {}, box, this.names[k]);
  }
}

function spread(places: number[]): number[] {
  const n = Math.min(drawn_at_first, places.length);
  return Array.from({ length: n }, (_, i) => places[Math.round((i * (places.length - 1)) / Math.max(1, n - 1))]!);
}
