// The playground: a scenario as text and sliders, its motion at once. The engine computes in a worker.
import { Run, RunData, SchemeChoice } from "./data";
import { card, el } from "./dom";
import { save_text } from "./download";
import { Editor, with_number } from "./editor";
import { Answer, Engine, is_problem, NumberKey, Question } from "./engine";
import { page_head, notes } from "./head";
import { ImpactTable } from "./impact_table";
import { Knobs } from "./knobs";
import { while_shown } from "./lifetime";
import { fragment_of, Shared, shared_of } from "./link";
import { facts_of, run_columns, scheme_line, toolbar } from "./run_page";
import { View } from "./view";

export interface PlaygroundData {
  kind: "playground";
  title: string;
  version: string;
  schemes: SchemeChoice[];
  gallery: { name: string; title: string; text: string }[];
  scenario?: string; // to begin with; otherwise one of the gallery
}

const first_shown = "bouncing-ball";
const drawn_first = new Set(["Motion", "Coordinates"]);
const quiet = 160; // ms without a change after which the rest is drawn
const typing = 250; // ms after the last key

// One run on the page: what moves with a slider is drawn at once, the rest when it rests.
class RunView {
  readonly element = el("section", { class: "run-view" });
  private first = el("div");
  private rest = el("div", { class: "rest" });
  private ends: (() => void)[] = [];
  private late = 0;
  view?: View;

  constructor(private brief: () => boolean) {
    this.element.append(this.first, this.rest);
  }

  show(data: RunData, view: View | undefined): View {
    const run = new Run(data);
    const [from, to] = [run.from, run.to > run.from ? run.to : run.from + 1];
    if (view) view.cover(from, to);
    const shown = (this.view = view ?? moving(new View(from, to)));
    clearTimeout(this.late);
    this.ends.forEach((end) => end());
    const first = this.put(this.first, () => [
      scheme_line(run),
      notes(data.notes, data.failure),
      facts_of(run),
      run.n > 0 ? run_columns(run, shown, (title) => drawn_first.has(title)) : null,
    ]);
    this.ends = [first];
    this.rest.classList.add("older");
    this.late = window.setTimeout(() => this.show_rest(run, shown), quiet);
    return shown;
  }

  private show_rest(run: Run, view: View): void {
    const brief = this.brief();
    const wanted = (title: string) => !drawn_first.has(title) && (!brief || ["Velocities", "Energy", "Phase portrait"].includes(title));
    this.rest.classList.remove("older");
    this.ends.push(
      this.put(this.rest, () => [
        run.n > 0 ? run_columns(run, view, wanted) : null,
        brief ? null : toolbar(view),
        new ImpactTable(run, view).element,
      ]),
    );
  }

  // Returns the end of what is put there.
  private put(place: HTMLElement, make: () => (HTMLElement | null)[]): () => void {
    const { made, mounted, end } = while_shown(make);
    place.replaceChildren(...made.filter((part) => part !== null));
    mounted();
    return end;
  }

  clear(): void {
    clearTimeout(this.late);
    this.ends.forEach((end) => end());
    this.ends = [];
    this.first.replaceChildren();
    this.rest.replaceChildren();
  }
}

// What is new moves, unless its reader wants it still.
function moving(view: View): View {
  view.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  return view;
}

// Everything but the gallery: also what a live report has.
export class Bench {
  readonly edit = el("section", { class: "edit", "aria-label": "Scenario" });
  readonly show = el("section", { class: "show", "aria-label": "Motion" });
  private editor: Editor;
  private knobs: Knobs;
  private set = new Map<string, string>();
  private scheme = el("select", { "aria-label": "Scheme" });
  private beside = el("select", { "aria-label": "Compare with" });
  private views = [new RunView(() => this.comparing), new RunView(() => true)] as const;
  private verdict = card("Is the problem well posed?", "verdict text");
  private busy = el("span", { class: "busy hint", role: "status" });
  private own_scheme = ""; // of the text
  private name: string | undefined; // in the gallery, while it is as it was there
  private timer = 0;
  private answer?: Answer;

  constructor(
    private engine: Engine,
    private changed: (title: string) => void,
  ) {
    this.editor = new Editor(() => {
      this.name = undefined;
      this.later(typing);
    });
    this.knobs = new Knobs((key, value) => this.turn(key, value));
    for (const select of [this.scheme, this.beside]) select.addEventListener("change", () => void this.run());
    const tools = el("div", { class: "tools" }, ...this.tools());
    this.edit.append(
      el("div", { class: "choices-line" }, labelled("Scheme", this.scheme), labelled("beside", this.beside), this.busy),
      this.knobs.element,
      this.editor.element,
      tools,
      this.verdict,
    );
    this.show.append(this.views[0].element);
  }

  private get comparing(): boolean {
    return this.beside.value !== "";
  }

  offer(schemes: SchemeChoice[]): void {
    const options = () => schemes.map(({ name, summary }) => el("option", { value: name, title: summary }, name));
    this.scheme.replaceChildren(el("option", { value: "" }, "of the text"), ...options());
    this.beside.replaceChildren(el("option", { value: "" }, "nothing"), ...options());
  }

  // Another scenario.
  async open(shared: Shared & { text: string }, name?: string): Promise<void> {
    this.set = new Map(shared.set ?? []);
    this.knobs.forget();
    this.scheme.value = shared.scheme ?? "";
    this.beside.value = shared.beside ?? "";
    this.editor.text = shared.text;
    this.name = name;
    for (const one of this.views) if (one.view) one.view = undefined;
    await this.run();
  }

  // What a stored result shows before anything is changed.
  show_stored(data: RunData): void {
    this.views[0].view = this.views[0].show(data, undefined);
  }

  private question(scheme = this.scheme.value): Question {
    return { text: this.editor.text, set: [...this.set], ...(scheme ? { scheme } : {}) };
  }

  // A number of the text is changed there; others are set over it.
  private turn(key: NumberKey, value: number): void {
    const text = key.line && !this.set.has(key.key) && !this.scheme.value ? with_number(this.editor.text, key.line, key.column ?? 1, written(value)) : null;
    if (text !== null) {
      const grown = text.length - this.editor.text.length;
      for (const one of this.answer?.numbers ?? []) if (one.line === key.line && one.column! > key.column!) one.column! += grown;
      this.editor.text = text;
    } else {
      this.set.set(key.key, written(value));
    }
    this.name = undefined;
    void this.run();
  }

  private later(delay: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(), delay);
  }

  async run(): Promise<void> {
    clearTimeout(this.timer);
    const begun = performance.now();
    const slow = setTimeout(() => (this.busy.textContent = "computing\u2026"), 200);
    const [answer, other] = await Promise.all([
      this.engine.run(this.question()),
      this.comparing ? this.engine.run(this.question(this.beside.value), "beside") : null,
    ]);
    clearTimeout(slow);
    if (answer === null) return; // overtaken
    this.busy.textContent = "";
    if (is_problem(answer)) return this.fail(answer.error, answer.line, answer.column);
    this.editor.show(null);
    this.answer = answer;
    this.show.classList.remove("older");
    const view = (this.views[0].view = this.views[0].show(answer.page, this.views[0].view));
    this.show_beside(other, view);
    this.knobs.show(answer.numbers);
    this.own_scheme = answer.page.scheme;
    this.scheme.options[0]!.textContent = this.scheme.value ? "of the text" : this.own_scheme;
    this.changed(answer.page.title);
    document.documentElement.dataset.answered = String(Math.round(performance.now() - begun));
    this.ask_verdict();
  }

  private show_beside(other: Awaited<ReturnType<Engine["run"]>>, view: View): void {
    const [, second] = this.views;
    this.show.classList.toggle("two", this.comparing);
    if (!this.comparing) {
      second.clear();
      second.element.remove();
      return;
    }
    if (!other) return;
    if (!second.element.isConnected) this.show.append(second.element);
    if (is_problem(other)) {
      second.clear();
      second.element.firstElementChild!.replaceChildren(el("p", { class: "failure" }, `${this.beside.value}: ${other.error}`));
    } else second.show(other.page, view);
  }

  private fail(error: string, line?: number, column?: number): void {
    this.editor.show({ error, line, column });
    this.show.classList.add("older");
    this.verdict.replaceChildren(this.verdict.firstElementChild!);
  }

  private verdict_timer = 0;
  private ask_verdict(): void {
    clearTimeout(this.verdict_timer);
    this.verdict_timer = window.setTimeout(async () => {
      const answer = await this.engine.check(this.question());
      if (answer === null) return;
      const parts = is_problem(answer)
        ? [el("p", {}, answer.error)]
        : [
            el("p", {}, answer.check.conclusion),
            el("details", {}, el("summary", {}, "Findings"), el("dl", { class: "findings" }, ...answer.check.findings.flatMap((one) => [el("dt", { class: one.verdict }, `${one.subject}: ${one.verdict}`), el("dd", {}, one.sentence)]))),
          ];
      const open = this.verdict.querySelector("details")?.open ?? false;
      this.verdict.replaceChildren(this.verdict.firstElementChild!, ...parts);
      const details = this.verdict.querySelector("details");
      if (details) details.open = open;
    }, 400);
  }

  private shared(): Shared {
    const more = { ...(this.scheme.value ? { scheme: this.scheme.value } : {}), ...(this.beside.value ? { beside: this.beside.value } : {}) };
    if (this.name) return { gallery: this.name, ...more };
    return { text: this.editor.text, ...(this.set.size > 0 ? { set: [...this.set] } : {}), ...more };
  }

  private tools(): HTMLElement[] {
    const button = (name: string, title: string, work: (button: HTMLButtonElement) => void) => {
      const one = el("button", { type: "button", title }, name);
      one.addEventListener("click", () => work(one));
      return one;
    };
    const stem = () => (this.name ?? this.answer?.page.title ?? "scenario").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
    return [
      button("Link", "An address that carries this scenario", async (one) => {
        history.replaceState(null, "", await fragment_of(this.shared()));
        await navigator.clipboard?.writeText(location.href).catch(() => undefined);
        one.textContent = "In the address bar";
        setTimeout(() => (one.textContent = "Link"), 2000);
      }),
      button("TOML", "Download the scenario", () => save_text(this.set.size > 0 || this.scheme.value ? (this.answer?.text ?? this.editor.text) : this.editor.text, `${stem()}.toml`)),
      button("CSV", "Download the motion", async () => {
        const answer = await this.engine.csv(this.question());
        if (answer && !is_problem(answer)) save_text(answer.csv, `${stem()}.csv`);
      }),
    ];
  }
}

function labelled(words: string, control: HTMLElement): HTMLElement {
  return el("label", { class: "control" }, el("span", {}, words), control);
}

// A number as TOML takes it, and as the program writes it.
function written(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function gallery_list(gallery: PlaygroundData["gallery"], choose: (name: string) => void): { element: HTMLElement; mark: (name?: string) => void } {
  const list = el("ul");
  const buttons = new Map<string, HTMLElement>();
  const words = new Map<string, string>();
  for (const { name, title } of gallery) {
    const button = el("button", { type: "button", "data-name": name }, el("strong", {}, title), el("span", {}, name));
    words.set(name, `${name} ${title}`.toLowerCase());
    button.addEventListener("click", () => choose(name));
    buttons.set(name, button);
    list.append(el("li", {}, button));
  }
  const find = el("input", { type: "search", placeholder: "find a scenario", "aria-label": "Find a scenario" });
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    for (const [name, button] of buttons) button.parentElement!.hidden = !words.get(name)!.includes(wanted);
  });
  const fold = el("details", { class: "gallery", open: innerWidth > 1000 }, el("summary", {}, "Gallery"), find, list);
  const mark = (name?: string) => buttons.forEach((button, key) => button.setAttribute("aria-current", String(key === name)));
  return { element: fold, mark };
}

export function playground(data: PlaygroundData, engine: Engine): HTMLElement {
  const bench = new Bench(engine, (title) => (document.title = `${title} \u2013 ricochet`));
  bench.offer(data.schemes);
  const text_of = (name: string) => data.gallery.find((one) => one.name === name)?.text;
  const choose = async (name: string) => {
    gallery.mark(name);
    if (innerWidth <= 1000) gallery.element.removeAttribute("open");
    await bench.open({ text: text_of(name) ?? "" }, name);
  };
  const gallery = gallery_list(data.gallery, (name) => {
    history.replaceState(null, "", `#g=${encodeURIComponent(name)}`);
    void choose(name);
  });
  const follow = async () => {
    const shared = await shared_of(location.hash);
    const named = shared?.gallery !== undefined ? text_of(shared.gallery) : undefined;
    if (named !== undefined) {
      gallery.mark(shared!.gallery);
      return bench.open({ ...shared, text: named }, shared!.gallery);
    }
    gallery.mark();
    if (shared?.text !== undefined) return bench.open({ ...shared, text: shared.text });
    if (data.scenario) return bench.open({ text: data.scenario });
    return choose(first_shown);
  };
  addEventListener("hashchange", () => void follow());
  void follow().then(() => (document.documentElement.dataset.playing = String(Math.round(performance.now()))));
  return el("main", { class: "playground" }, page_head(data.title, "playground"), el("div", { class: "bench" }, gallery.element, bench.edit, bench.show));
}

// The page of a run that can be changed: as it was stored, until something is.
export function live_run(data: RunData, engine: Engine): HTMLElement {
  const bench = new Bench(engine, () => undefined);
  const page = el("main", { class: "playground live" }, page_head(data.title, "live run"), el("div", { class: "bench" }, bench.edit, bench.show));
  bench.show_stored(data);
  bench.offer(data.schemes ?? []);
  void bench.open({ text: data.scenario });
  return page;
}
