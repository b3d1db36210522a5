// The page of a study: plots of one quantity against another, clouds of points, tables, text.
import uPlot from "uplot";
import { bytes_of, Scatter, Shades, StudyData, StudyPlot as Plot } from "./data";
import { card, el } from "./dom";
import { number } from "./format";
import { notes, page_foot, page_head } from "./head";
import { color, series_color } from "./theme";
import { Download, download_buttons } from "./download";
import { Box, roomy, XyPlot } from "./xy_plot";

type Table = NonNullable<StudyData["tables"]>[number];

export function study_page(data: StudyData): HTMLElement {
  const page = el("main", {}, page_head(data.title, data.kind, notes(data.notes ?? [])));
  if (data.text?.length) page.append(el("section", { class: "card wide text" }, ...data.text.map((line) => el("p", {}, line))));
  page.append(...study_parts(data), page_foot(data.scenario, data.version));
  return page;
}

// Its plots and tables.
export function study_parts(data: StudyData): HTMLElement[] {
  const grid = el("div", { class: "grid" });
  const shown = el("section", { class: "grid details", "aria-live": "polite", hidden: "" });
  const show = (k: number) => {
    const detail = data.details?.[k];
    if (!detail) return;
    shown.removeAttribute("hidden");
    shown.replaceChildren(el("h2", { class: "wide" }, detail.title), ...detail.plots.map((plot) => series_plot(plot)));
  };
  (data.plots ?? []).forEach((plot, k) => {
    grid.append(series_plot(plot, data.details ? show : undefined));
    if (k === 0 && data.details) grid.append(shown);
  });
  const clouds = data.scatter ? (Array.isArray(data.scatter) ? data.scatter : [data.scatter]) : [];
  for (const cloud of clouds) grid.append(scatter_plot(cloud));
  return [grid, ...(data.tables ?? []).map(study_table)];
}

interface Line {
  name: string;
  note: string;
  points: [number, number][];
  details: number[]; // of points; -1: none
  dots: boolean;
  begins: boolean[]; // whether a point is not joined with the one before
  dashed: boolean;
  unmarked: boolean;
  color: number;
  slope: number | null;
}

// Points that an axis of powers cannot show are left out.
function lines_of(plot: Plot): Line[] {
  const fits = (value: number | null | undefined, log?: boolean): value is number =>
    typeof value === "number" && Number.isFinite(value) && (!log || value > 0);
  return plot.series.map((series, k) => {
    const points: [number, number][] = [];
    const begins: boolean[] = [];
    const details: number[] = [];
    let gap = true;
    series.x.forEach((x, i) => {
      const y = series.y[i];
      const shown = fits(x, plot.x.log) && fits(y, plot.y.log);
      if (shown) {
        points.push([x, y]);
        begins.push(gap);
        details.push(series.details?.[i] ?? -1);
      }
      gap = !shown;
    });
    // An axis of powers has no place for 0.
    const zeros = plot.y.log ? series.y.filter((y) => y === 0).length : 0;
    const fitted = plot.x.log && plot.y.log ? slope(points) : null;
    const own = series.note ?? (fitted === null ? "" : `slope ${fitted.toFixed(2).replace("-", "\u2212")}`);
    const note = zeros === 0 ? own : `${own}${own && ", "}${zeros === series.y.length ? "all 0" : `${zeros} at 0`}`;
    return { name: series.name, note, points, details, dots: series.dots ?? false, begins, dashed: series.dashed ?? false, unmarked: series.unmarked ?? false, color: k, slope: fitted };
  });
}

// Of the straight line through the logarithms.
export function slope(points: [number, number][]): number | null {
  if (points.length < 2) return null;
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (k: 0 | 1) => logs.reduce((sum, point) => sum + point[k], 0) / logs.length;
  const [x_mean, y_mean] = [mean(0), mean(1)];
  const xx = logs.reduce((sum, [x]) => sum + (x - x_mean) ** 2, 0);
  const xy = logs.reduce((sum, [x, y]) => sum + (x - x_mean) * (y - y_mean), 0);
  return xx > 0 ? xy / xx : null;
}

function bounds_of(lines: Line[], plot: Plot): Box {
  const box: Box = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { points } of lines)
    for (const [x, y] of points) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.max(box[1], x);
      box[2] = Math.min(box[2], y);
      box[3] = Math.max(box[3], y);
    }
  if (plot.shades) return plot.shades.box;
  if (plot.y.decades) box[2] = Math.max(box[2], box[3] / 10 ** plot.y.decades);
  return roomy(box, plot.x.log, plot.y.log);
}

// The stronger the fuller, a shade for each of six decades.
const shades_shown = 6;
const column_of = ({ box, rows, decades }: Shades, k: number): [number, number] => {
  const wide = (box[1] - box[0]) / (decades.length / rows);
  return [box[0] + Math.floor(k / rows) * wide, wide];
};
const row_of = ({ box, rows }: Shades, k: number): [number, number] => {
  const high = (box[3] - box[2]) / rows;
  return [box[2] + (k % rows) * high, high];
};
function draw_shades(ctx: CanvasRenderingContext2D, shades: Shades, x: (value: number) => number, y: (value: number) => number): void {
  ctx.fillStyle = color("series-0");
  for (let shade = 0; shade < shades_shown; ++shade) {
    ctx.globalAlpha = 1 - shade / shades_shown;
    ctx.beginPath();
    shades.decades.forEach((below, k) => {
      if (Math.floor(below) !== shade) return;
      // Whole pixels: cells neither overlap nor part.
      const [[from_x, wide], [from_y, high]] = [column_of(shades, k), row_of(shades, k)];
      const [left, top] = [Math.round(x(from_x)), Math.round(y(from_y + high))];
      ctx.rect(left, top, Math.round(x(from_x + wide)) - left, Math.round(y(from_y)) - top);
    });
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}
function* shades_rows(plot: Plot, shades: Shades) {
  yield [plot.x.label, plot.y.label, "decades below the strongest"];
  for (const [k, below] of shades.decades.entries()) {
    const [[left, wide], [low, high]] = [column_of(shades, k), row_of(shades, k)];
    yield [left + wide / 2, low + high / 2, below];
  }
}

// A shape for each curve: with eight colours they repeat after twenty-four.
const shapes: { glyph: string; corners: [number, number][] }[] = [
  { glyph: "\u25cf", corners: [] },
  { glyph: "\u25a0", corners: [[-1, -1], [1, -1], [1, 1], [-1, 1]] },
  { glyph: "\u25b2", corners: [[0, -1.3], [1.2, 0.9], [-1.2, 0.9]] },
  { glyph: "\u25c6", corners: [[0, -1.4], [1.2, 0], [0, 1.4], [-1.2, 0]] },
  { glyph: "\u25bc", corners: [[0, 1.3], [1.2, -0.9], [-1.2, -0.9]] },
  { glyph: "\u2716", corners: [[0, -0.5], [0.9, -1.4], [1.4, -0.9], [0.5, 0], [1.4, 0.9], [0.9, 1.4], [0, 0.5], [-0.9, 1.4], [-1.4, 0.9], [-0.5, 0], [-1.4, -0.9], [-0.9, -1.4]] },
];

function mark(ctx: CanvasRenderingContext2D, k: number, x: number, y: number): void {
  const size = 2.9 * uPlot.pxRatio;
  const { corners } = shapes[k % shapes.length]!;
  ctx.beginPath();
  if (corners.length === 0) ctx.arc(x, y, size, 0, 7);
  else corners.forEach(([dx, dy]) => ctx.lineTo(x + dx * size, y + dy * size));
  ctx.fill();
}

// Straight lines of whole orders beside curves that come close to them: below the lowest such curve.
interface Guide {
  order: number;
  at: [number, number];
  slope: number;
}
const orders = [0.5, 1, 2, 3, 4];

function guides_of(lines: Line[], plot: Plot): Guide[] {
  if (!plot.x.log || !plot.y.log) return [];
  const heights = lines.flatMap((line) => line.points.map(([, y]) => y));
  const below = Math.min(1.5, (Math.max(...heights) / Math.min(...heights)) ** 0.1); // the box goes no further down
  return orders.flatMap((order) => {
    const near = lines.filter((line) => line.points.length > 2 && line.slope !== null && Math.abs(Math.abs(line.slope) - order) < 0.25);
    if (near.length === 0) return [];
    const slope = order * Math.sign(near[0]!.slope!);
    const [from, to] = [Math.min(...near.flatMap((line) => line.points.map(([x]) => x))), Math.max(...near.flatMap((line) => line.points.map(([x]) => x)))];
    const x = Math.sqrt(from * to);
    // The lowest of the curves where the guide is drawn.
    const y = Math.min(...near.flatMap((line) => line.points.map(([px, py]) => py * (x / px) ** slope))) / below;
    return [{ order, at: [x, y], slope }];
  });
}

function draw_guide(ctx: CanvasRenderingContext2D, guide: Guide, x: (value: number) => number, y: (value: number) => number, box: Box): void {
  const { at, slope, order } = guide;
  const value = (px: number) => at[1] * (px / at[0]) ** slope;
  const [from, to] = [box[0] * (box[1] / box[0]) ** 0.12, box[0] * (box[1] / box[0]) ** 0.88];
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color("muted");
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([6 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(x(from), y(value(from)));
  ctx.lineTo(x(to), y(value(to)));
  ctx.stroke();
  ctx.font = `${11 * uPlot.pxRatio}px system-ui, sans-serif`;
  // Below the curves that it goes with, on the side where nothing else is.
  ctx.textAlign = slope > 0 ? "left" : "right";
  ctx.fillText(`order ${order}`, x(at[0]) + 8 * Math.sign(slope) * uPlot.pxRatio, y(at[1]) + 10 * uPlot.pxRatio);
  ctx.restore();
}

// `show`: what a click on a point with a detail does.
function series_plot(plot: Plot, show?: (detail: number) => void): HTMLElement {
  const lines = lines_of(plot);
  let detail = -1; // of the point under the cursor
  const hidden = new Set<Line>();
  const download: Download = {
    title: plot.title,
    rows: () => plot.shades ? shades_rows(plot, plot.shades) : [["curve", plot.x.label, plot.y.label], ...lines.flatMap((line) => line.points.map(([x, y]) => [line.name, x, y]))],
    picture: () => xy.picture(),
  };
  const element = card(plot.title, "", download_buttons(download));
  const legend = el("div", { class: "legend", role: "group", "aria-label": `Curves of ${plot.title}` });
  const reading = el("p", { class: "reading", "aria-live": "off" }, "\u00a0");
  const xy = new XyPlot({
    label: plot.title,
    x: plot.x,
    y: plot.y,
    height: 340,
    same_scale: plot.same_scale ?? false,
    bounds: () => bounds_of(lines.filter((line) => !hidden.has(line)), plot),
    draw: (ctx, x, y) => {
      const seen = lines.filter((line) => !hidden.has(line));
      if (plot.shades) draw_shades(ctx, plot.shades, x, y);
      for (const guide of guides_of(seen, plot)) draw_guide(ctx, guide, x, y, bounds_of(seen, plot));
      for (const line of seen.filter((line) => line.dots)) draw_dots(ctx, line, x, y);
      for (const line of lines) {
        if (hidden.has(line) || line.dots) continue;
        ctx.strokeStyle = ctx.fillStyle = series_color(line.color);
        ctx.lineWidth = 1.6 * uPlot.pxRatio;
        if (plot.lines !== false) {
          ctx.beginPath();
          ctx.setLineDash(line.dashed ? [5 * uPlot.pxRatio, 4 * uPlot.pxRatio] : []);
          line.points.forEach(([px, py], i) => (line.begins[i] ? ctx.moveTo(x(px), y(py)) : ctx.lineTo(x(px), y(py))));
          ctx.stroke();
          ctx.setLineDash([]);
        }
        if (!line.unmarked) for (const [px, py] of line.points) mark(ctx, line.color, x(px), y(py));
      }
    },
    pointed: (px, _, radius) => {
      let [nearest, words] = [24, "\u00a0"];
      detail = -1;
      if (px !== null)
        for (const line of lines)
          (hidden.has(line) ? [] : line.points).forEach(([x, y], k) => {
            if (radius(x, y) >= nearest) return;
            nearest = radius(x, y);
            words = `${line.name}: ${number(x, 4)}, ${number(y, 4)}`;
            if (line.points.length === 1 && line.note) words += `: ${line.note}`;
            detail = line.details[k]!;
          });
      reading.textContent = words + (show && detail >= 0 ? "; click shows the orbit" : "");
    },
    ...(show ? { clicked: () => show(detail) } : {}),
  });
  for (const line of lines) {
    const button = el(
      "button",
      { type: "button", class: "curve", "aria-pressed": "true", title: "show or hide" },
      el("span", { class: "glyph", style: `color: var(--${line.dots ? "muted" : `series-${line.color % 8}`})` }, line.dots ? "\u00b7" : line.unmarked ? (line.dashed ? "\u2505" : "\u2501") : shapes[line.color % shapes.length]!.glyph),
      line.name,
      el("span", { class: "reading" }, line.note),
    );
    button.addEventListener("click", () => {
      if (!hidden.delete(line)) hidden.add(line);
      button.setAttribute("aria-pressed", String(!hidden.has(line)));
      xy.refresh();
    });
    legend.append(button);
  }
  element.append(legend, xy.host, reading);
  return element;
}

// Points behind curves: small, in the colour of words that matter less.
function draw_dots(ctx: CanvasRenderingContext2D, line: Line, x: (value: number) => number, y: (value: number) => number): void {
  ctx.fillStyle = color("muted");
  ctx.globalAlpha = 0.5;
  const size = 1.6 * uPlot.pxRatio;
  for (const [px, py] of line.points) ctx.fillRect(x(px) - size / 2, y(py) - size / 2, size, size);
  ctx.globalAlpha = 1;
}

// Millions of points: darker where there are more.
function scatter_plot(cloud: Scatter): HTMLElement {
  const points = new Float32Array(bytes_of(cloud.points));
  const box: Box = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    if (x < box[0]) box[0] = x;
    if (x > box[1]) box[1] = x;
    if (y < box[2]) box[2] = y;
    if (y > box[3]) box[3] = y;
  }
  function* rows() {
    yield [cloud.x.label, cloud.y.label];
    for (let i = 0; i + 1 < points.length; i += 2) yield [points[i]!, points[i + 1]!];
  }
  const element = card(cloud.title, "wide", download_buttons({ title: cloud.title, rows, picture: () => xy.picture() }));
  const xy = new XyPlot({
    label: cloud.title,
    x: cloud.x,
    y: cloud.y,
    height: 520,
    bounds: () => roomy(box, cloud.x.log, cloud.y.log),
    draw: (ctx, x, y) => {
      ctx.fillStyle = color("series-0");
      ctx.globalAlpha = Math.max(0.06, Math.min(1, 4e4 / (points.length / 2)));
      const size = (points.length > 2e5 ? 1 : 1.6) * uPlot.pxRatio;
      for (let i = 0; i + 1 < points.length; i += 2) ctx.fillRect(x(points[i]!), y(points[i + 1]!), size, size);
    },
  });
  element.append(xy.host);
  return element;
}

function study_table(table: Table): HTMLElement {
  const numeric = table.columns.map((_, k) => table.rows.every((row) => row[k] === "" || size(row[k]) !== null));
  const cell = (value: string | number | null | undefined) => (typeof value === "number" ? number(value, 5) : (value ?? ""));
  const word = (k: number) => (numeric[k] ? "" : "word");
  const body = el("tbody");
  let [sorted_by, falling] = [-1, false];
  const heads = table.columns.map((title, k) => {
    const button = el("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      falling = sorted_by === k ? !falling : false;
      sorted_by = k;
      show();
    });
    return el("th", { scope: "col", class: word(k) }, button);
  });
  const show = () => {
    const rows = [...table.rows];
    const sign = falling ? -1 : 1;
    if (sorted_by >= 0) rows.sort((a, b) => sign * compare(a[sorted_by], b[sorted_by]));
    heads.forEach((head, k) => head.setAttribute("aria-sort", k !== sorted_by ? "none" : falling ? "descending" : "ascending"));
    body.replaceChildren(...rows.map((row) => el("tr", {}, ...row.map((value, k) => el("td", { class: word(k) }, cell(value))))));
  };
  show();
  const element = card(table.title, "wide", download_buttons({ title: table.title, rows: () => [table.columns, ...table.rows] }));
  element.append(el("div", { class: "scrolled" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)));
  return element;
}

// The number that a cell shows, also with a remark behind it; NaN for an empty one, null for words.
function size(cell: string | number | null | undefined): number | null {
  if (typeof cell !== "string") return cell ?? NaN;
  const match = /^[-+\u2212]?(\d+\.?\d*|\.\d+)(e[-+\u2212]?\d+)?(?= |$)/i.exec(cell);
  return match ? Number(match[0].replace(/\u2212/g, "-")) : null;
}

function compare(a: string | number | null | undefined, b: string | number | null | undefined): number {
  const [x, y] = [size(a), size(b)];
  if (x !== null && y !== null && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
