// Reads the data that the page carries, and builds the page.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./playground.css";
import { RunData, StudyData } from "./data";
import { el } from "./dom";
import { Engine } from "./engine";
import { live_run, playground, PlaygroundData } from "./playground";
import { run_page } from "./run_page";
import { study_page } from "./study_page";
import { SweepData } from "./sweep_data";
import { sweep_page } from "./sweep_page";
import { start_theme } from "./theme";

type PageData = RunData | SweepData | StudyData | PlaygroundData;

function page_of(data: PageData): HTMLElement {
  const engine = Engine.of_page();
  if (data.kind === "playground" && engine) return playground(data as PlaygroundData, engine);
  if (data.kind === "run") return engine ? live_run(data as RunData, engine) : run_page(data as RunData);
  if (data.kind === "sweep") return sweep_page(data as SweepData);
  return study_page(data as StudyData);
}

function start(): void {
  start_theme();
  const holder = document.getElementById("ricochet-data");
  const place = document.getElementById("ricochet-page");
  if (!holder || !place) return;
  try {
    const data = JSON.parse(holder.textContent ?? "") as PageData;
    holder.remove(); // the text is not needed any more, and may be large
    place.replaceChildren(page_of(data));
    // When the plots have their sizes and are drawn.
    const drawn = () => (document.documentElement.dataset.ready = String(Math.round(performance.now())));
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn)));
  } catch (error) {
    place.replaceChildren(el("p", { class: "failure" }, `This page is damaged: ${String(error)}`));
    throw error;
  }
}

start();
