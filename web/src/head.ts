// The top of every page, and what stands at its foot.
import { el } from "./dom";
import { is_dark, on_theme, set_theme } from "./theme";

export function page_head(title: string, kind: string, ...children: (Node | null)[]): HTMLElement {
  const theme = el("button", { type: "button", class: "tool" });
  const tell = () => {
    theme.textContent = is_dark() ? "\u2600\ufe0e Light" : "\u263e\ufe0e Dark";
  };
  theme.addEventListener("click", () => set_theme(is_dark() ? "light" : "dark"));
  on_theme(tell);
  tell();
  const print_button = el("button", { type: "button", class: "tool" }, "Print");
  print_button.addEventListener("click", () => print());
  document.title = title ? `${title} \u2013 ricochet` : "ricochet";
  return el(
    "header",
    {},
    el("div", { class: "brand" }, el("span", { class: "mark", "aria-hidden": "true" }), "ricochet", el("span", { class: "kind" }, kind)),
    el("div", { class: "tools" }, theme, print_button),
    el("h1", {}, title || "Scenario without a title"),
    ...children,
  );
}

export function page_foot(scenario: string | undefined, version: string | undefined): HTMLElement {
  const foot = el("footer");
  if (scenario) foot.append(el("details", { class: "card wide scenario" }, el("summary", {}, "Scenario"), el("pre", {}, scenario)));
  foot.append(el("p", { class: "hint" }, `Made by ricochet${version ? ` ${version}` : ""}. This file needs nothing else.`));
  return foot;
}

export function notes(lines: string[], failure?: string): HTMLElement | null {
  if (lines.length === 0 && !failure) return null;
  const list = el("ul", { class: "notes" });
  if (failure) list.append(el("li", { class: "failure" }, failure));
  for (const line of lines) list.append(el("li", {}, line));
  return list;
}
