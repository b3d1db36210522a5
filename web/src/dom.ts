// Elements without markup in strings: titles and scenario texts are only ever text.
type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

// A card with a heading; what belongs to it goes into the element returned.
export function card(title: string, className = "", ...beside: Child[]): HTMLElement {
  const heading = el("div", { class: "card-head" }, el("h2", {}, title), ...beside);
  return el("section", { class: `card ${className}`, "aria-label": title }, heading);
}

// Calls `work` at most once a frame.
export function once_a_frame(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}
