// Reads the data that the page carries, and builds the page.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import { RunData, StudyData } from "./data";
import { el } from "./dom";
import { run_page } from "./run_page";
import { study_page } from "./study_page";
import { SweepData } from "./sweep_data";
import { sweep_page } from "./sweep_page";
import { start_theme } from "./theme";

function page_of(data: RunData | SweepData | StudyData): HTMLElement {
  if (data.kind === "run") return run_page(data as RunData);
  if (data.kind === "sweep") return sweep_page(data as SweepData);
  return study_page(data as StudyData);
}

function start(): void {
  start_theme();
  const holder = document.getElementById("ricochet-data");
  const place = document.getElementById("ricochet-page");
  if (!holder || !place) return;
  try {
    const data = JSON.parse(holder.textContent ?? "") as RunData | SweepData | StudyData;
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
