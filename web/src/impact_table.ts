// All impacts, sorted by any column, in pages: a hundred thousand of them are no more work than twenty.
import { Numbers, Run } from "./data";
import { card, el } from "./dom";
import { download_buttons } from "./download";
import { common_unit, count, number, with_unit } from "./format";
import { at_end } from "./lifetime";
import { View } from "./view";

const page_size = 15;
const printed_at_most = 200;
const slip_statuses = ["", "stick", "slide", "reverse"];

interface ColumnSpec {
  key: string;
  title: string;
}

export class ImpactTable {
  readonly element: HTMLElement;
  private columns: ColumnSpec[];
  private order: Uint32Array;
  private sorted_by = "t";
  private falling = false;
  private page = 0;
  private only = -1; // constraint
  private body = el("tbody");
  private head = el("tr");
  private pager = el("div", { class: "pager" });

  constructor(
    private run: Run,
    private view: View,
  ) {
    const rate = common_unit(run.data.constraints.map((name) => run.rate_unit(name)));
    this.columns = [
      { key: "t", title: with_unit("t", run.unit("t")) },
      { key: "constraint", title: "constraint" },
      { key: "rate_minus", title: with_unit("rate before", rate) },
      { key: "rate_plus", title: with_unit("rate after", rate) },
      { key: "impulse", title: with_unit("impulse", run.unit("impulse")) },
      { key: "energy_loss", title: with_unit("energy lost", run.unit("energy")) },
    ];
    if (run.data.impacts.status)
      this.columns.push(
        { key: "slip_minus", title: "slip before" },
        { key: "slip_plus", title: "slip after" },
        { key: "friction_impulse", title: with_unit("friction", run.unit("impulse")) },
        { key: "status", title: "status" },
      );
    if (run.data.impacts.discontinuous) this.columns.push({ key: "discontinuous", title: "discontinuous" });
    this.order = this.sorted();
    const download = download_buttons({ title: "Impacts", rows: () => this.rows() });
    this.element = card("Impacts", "impacts wide", this.filter(), run.impacts.count > 0 ? download : null);
    if (run.impacts.count === 0) {
      this.element.append(el("p", { class: "hint" }, "No impacts."));
      return;
    }
    const caption = el("caption", { class: "unseen" }, "Impacts; the headings sort, times show the impact in the plots");
    const table = el("table", {}, caption, el("thead", {}, this.head), this.body);
    this.element.append(el("div", { class: "scrolled" }, table), this.pager);
    this.show();
    const [longer, shorter] = [() => this.show(printed_at_most), () => this.show()];
    addEventListener("beforeprint", longer);
    addEventListener("afterprint", shorter);
    at_end(() => {
      removeEventListener("beforeprint", longer);
      removeEventListener("afterprint", shorter);
    });
  }

  private filter(): HTMLElement | null {
    if (this.run.data.constraints.length < 2) return null;
    const select = el("select", { "aria-label": "Constraint" }, el("option", { value: -1 }, "all constraints"));
    this.run.data.constraints.forEach((name, k) => select.append(el("option", { value: k }, this.run.label(name))));
    select.addEventListener("change", () => {
      this.only = Number(select.value);
      this.order = this.sorted();
      this.page = 0;
      this.show();
    });
    return select;
  }

  // Equal values stay in the order of time.
  private sorted(): Uint32Array {
    const { constraint } = this.run.impacts;
    let rows = Uint32Array.from({ length: this.run.impacts.count }, (_, i) => i);
    if (this.only >= 0) rows = rows.filter((i) => constraint[i] === this.only);
    const keys: Numbers = this.run.impact(this.sorted_by);
    const sign = this.falling ? -1 : 1;
    return rows.sort((a, b) => sign * (keys[a]! - keys[b]!) || a - b);
  }

  private sort(key: string): void {
    this.falling = key === this.sorted_by ? !this.falling : key !== "t" && key !== "constraint";
    this.sorted_by = key;
    this.order = this.sorted();
    this.page = 0;
    this.show();
    this.head.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  }

  private show(size = page_size): void {
    this.show_head();
    const begin = size === page_size ? this.page * page_size : 0;
    this.body.replaceChildren(...Array.from(this.order.slice(begin, begin + size), (i) => this.row(i)));
    this.show_pager();
  }

  private show_head(): void {
    this.head.replaceChildren(
      ...this.columns.map(({ key, title }) => {
        const sorted = key === this.sorted_by;
        const arrow = sorted ? (this.falling ? " \u2193" : " \u2191") : "";
        const button = el("button", { type: "button", "data-key": key }, title + arrow);
        button.addEventListener("click", () => this.sort(key));
        const order = sorted ? (this.falling ? "descending" : "ascending") : "none";
        return el("th", { scope: "col", "aria-sort": order, class: key === "constraint" ? "word" : "" }, button);
      }),
    );
  }

  // All that are listed, in their order.
  private *rows(): Generator<(string | number)[]> {
    yield this.columns.map(({ title }) => title);
    for (const i of this.order)
      yield this.columns.map(({ key }) => {
        const value = this.run.impact(key)[i]!;
        return key === "constraint" ? (this.run.data.constraints[value] ?? value) : key === "status" ? (slip_statuses[value] ?? "") : value;
      });
  }

  private row(i: number): HTMLElement {
    return el(
      "tr",
      {},
      ...this.columns.map(({ key }) => {
        const value = this.run.impact(key)[i]!;
        if (key === "constraint") return el("td", { class: "word" }, this.run.label(this.run.data.constraints[value] ?? String(value)));
        if (key === "status") return el("td", { class: "word" }, slip_statuses[value] ?? "");
        if (key === "discontinuous") return el("td", {}, value ? "yes" : "");
        if (key !== "t") return el("td", {}, number(value));
        const button = el("button", { type: "button", class: "link", title: "show this impact" }, number(value, 8));
        button.addEventListener("click", () => this.look(value));
        return el("td", {}, button);
      }),
    );
  }

  // The plots around one impact.
  private look(t: number): void {
    const width = Math.min(this.view.to - this.view.from, (this.view.end - this.view.begin) / 20);
    this.view.show(t - width / 2, t + width / 2);
    this.view.set_now(t);
  }

  private show_pager(): void {
    const pages = Math.max(1, Math.ceil(this.order.length / page_size));
    const go = (name: string, label: string, to: number) => {
      const off = to < 0 || to >= pages || to === this.page;
      const button = el("button", { type: "button", "aria-label": label, disabled: off }, name);
      button.addEventListener("click", () => {
        this.page = to;
        this.show();
        this.pager.querySelector<HTMLButtonElement>(`[aria-label="${label}"]:not(:disabled)`)?.focus();
      });
      return button;
    };
    const first = this.page * page_size;
    const last = Math.min(first + page_size, this.order.length);
    this.pager.replaceChildren(
      go("\u00ab", "First page", 0),
      go("\u2039", "Previous page", this.page - 1),
      el("span", { "aria-live": "polite" }, `${count(first + 1)} to ${count(last)} of ${count(this.order.length)}`),
      go("\u203a", "Next page", this.page + 1),
      go("\u00bb", "Last page", pages - 1),
    );
  }
}
