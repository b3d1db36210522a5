// From numbers of trajectories to colours, and the key that says which.
import { class_color, packed, rgb, Rgb, shade } from "./colors";
import { class_style } from "./sweep_diagram";
import { el } from "./dom";
import { number } from "./format";
import { color } from "./theme";
import { Quantity } from "./sweep_data";
import { class_of, class_words, is_none } from "./sweep_words";

const listed_at_most = 16;

export class ColorKey {
  private least = Infinity;
  private most = -Infinity;
  private counts = new Map<number, number>(); // of classes
  private total = 0;

  // Of these trajectories.
  constructor(
    private quantity: Quantity,
    private failed: (trajectory: number) => boolean,
    trajectories: Iterable<number>,
  ) {
    for (const i of trajectories) {
      ++this.total;
      const value = quantity.values[i]!;
      if (quantity.kind === "class") {
        const k = failed(i) ? -2 : class_of(quantity, value);
        this.counts.set(k, (this.counts.get(k) ?? 0) + 1);
      } else if (!failed(i) && Number.isFinite(value)) {
        this.least = Math.min(this.least, value);
        this.most = Math.max(this.most, value);
      }
    }
    if (quantity.kind === "signed" && this.most >= this.least) {
      this.most = Math.max(Math.abs(this.least), Math.abs(this.most)) || 1;
      this.least = -this.most;
    }
  }

  rgb(trajectory: number): Rgb {
    const value = this.quantity.values[trajectory]!;
    if (this.failed(trajectory)) return rgb(color("muted"));
    if (is_none(this.quantity, value)) return rgb(color("none"));
    if (this.quantity.kind === "class") return rgb(class_color(class_of(this.quantity, value)));
    return shade(this.most > this.least ? (value - this.least) / (this.most - this.least) : 0.5, this.quantity.kind === "signed");
  }

  word(trajectory: number): number {
    return packed(this.rgb(trajectory));
  }

  element(): HTMLElement {
    return this.quantity.kind === "class" ? this.class_list() : this.scale();
  }

  // Classes with the share of each: for basins of attraction, their sizes.
  private class_list(): HTMLElement {
    const classes = [...this.counts.keys()].sort((a, b) => a - b);
    const list = el("div", { class: "legend key" });
    for (const k of classes.slice(0, listed_at_most)) {
      const share = `${number((100 * this.counts.get(k)!) / this.total, 3)} %`;
      const style = `background: ${k === -2 ? "var(--muted)" : class_style(k)}`;
      list.append(el("span", { class: "curve" }, el("span", { class: "swatch dot", style }), class_words(this.quantity, k), el("span", { class: "reading" }, share)));
    }
    if (classes.length > listed_at_most) list.append(el("span", { class: "hint" }, `and ${classes.length - listed_at_most} more`));
    return list;
  }

  private scale(): HTMLElement {
    const stops = Array.from({ length: 17 }, (_, k) => {
      const [r, g, b] = shade(k / 16, this.quantity.kind === "signed");
      return `rgb(${r} ${g} ${b})`;
    });
    const bar = el("span", { class: "scale", style: `background: linear-gradient(to right, ${stops.join(", ")})`, "aria-hidden": "true" });
    const there = this.most >= this.least;
    const end = (value: number) => el("span", { class: "reading" }, there ? number(value, 4) : "none");
    return el("div", { class: "legend key" }, el("span", {}, this.quantity.label), end(this.least), bar, end(this.most));
  }
}
