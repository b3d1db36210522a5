// What a card shows, to take away: the picture of its plot as PNG and SVG, its numbers as CSV.
import { el } from "./dom";
import { svg_picture } from "./svg_picture";
import { color } from "./theme";

// A canvas, and how all of it is drawn again.
export interface Picture {
  canvas: HTMLCanvasElement;
  redraw: () => void;
}

export interface Download {
  title: string;
  rows?: () => Iterable<readonly (string | number | null | undefined)[]>; // a line of names, then numbers
  picture?: () => Picture;
}

export function download_buttons(what: Download): HTMLElement {
  const button = (kind: string, blob: () => Promise<Blob | null>) => {
    const label = kind.toUpperCase();
    const one = el("button", { type: "button", "aria-label": `${what.title} as ${label}`, title: `Download as ${label}` }, label);
    one.addEventListener("click", () => void blob().then((made) => made && save(made, `${file_name(what.title)}.${kind}`)));
    return one;
  };
  const { rows, picture } = what;
  const list = el("span", { class: "downloads" });
  if (rows) list.append(button("csv", () => Promise.resolve(new Blob([csv_text(rows())], { type: "text/csv" }))));
  if (picture)
    list.append(
      button("png", () => new Promise<Blob | null>((done) => with_ground(picture().canvas).toBlob(done, "image/png"))),
      button("svg", async () => {
        const { canvas, redraw } = picture();
        const text = await svg_picture(canvas.getContext("2d")!, redraw);
        redraw();
        return new Blob([text], { type: "image/svg+xml" });
      }),
    );
  return list;
}

// Numbers with all their digits; words that need it between quotation marks.
export function csv_text(rows: ReturnType<NonNullable<Download["rows"]>>): string {
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

export function save_text(text: string, name: string): void {
  save(new Blob([text], { type: "text/plain" }), name);
}

function save(blob: Blob, name: string): void {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
