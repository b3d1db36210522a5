// What a card shows, to take away: the picture of its plot as PNG, its numbers as CSV.
import { el } from "./dom";
import { color } from "./theme";

export interface Download {
  title: string;
  rows: () => Iterable<readonly (string | number | null | undefined)[]>; // a line of names, then numbers
  canvas?: () => HTMLCanvasElement;
}

export function download_buttons(what: Download): HTMLElement {
  const button = (kind: string, label: string, blob: () => Promise<Blob | null>) => {
    const one = el("button", { type: "button", "aria-label": `${what.title} as ${label}`, title: `Download as ${label}` }, label);
    one.addEventListener("click", () => void blob().then((made) => made && save(made, `${file_name(what.title)}.${kind}`)));
    return one;
  };
  const { canvas } = what;
  const png = () => new Promise<Blob | null>((done) => with_ground(canvas!()).toBlob(done, "image/png"));
  const csv = () => Promise.resolve(new Blob([csv_text(what.rows())], { type: "text/csv" }));
  return el("span", { class: "downloads" }, button("csv", "CSV", csv), canvas ? button("png", "PNG", png) : null);
}

// Numbers with all their digits; words that need it between quotation marks.
export function csv_text(rows: ReturnType<Download["rows"]>): string {
  let text = "";
  for (const row of rows)
    text += row.map((cell) => (typeof cell === "string" && /[",\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : (cell ?? ""))).join(",") + "\n";
  return text;
}

function file_name(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "plot";
}

// Plots are clear where nothing is drawn.
function with_ground(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = el("canvas", { width: canvas.width, height: canvas.height });
  const ctx = copy.getContext("2d")!;
  ctx.fillStyle = color("card");
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.drawImage(canvas, 0, 0);
  return copy;
}

function save(blob: Blob, name: string): void {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
