// A canvas drawn once more as SVG: what the drawing calls paint is written down, the canvas itself keeps colours, widths
// and transformations. Text stays text: the picture is made of elements, not of strings.
import { color } from "./theme";

const space = "http://www.w3.org/2000/svg";

function svg_element(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

const short = (value: number) => (Math.round(value * 100) / 100).toString();

// The commands of a path.
class Trail {
  d = "";
  moveTo(x: number, y: number) { this.d += `M${short(x)} ${short(y)}`; }
  lineTo(x: number, y: number) { this.d += `${this.d ? "L" : "M"}${short(x)} ${short(y)}`; }
  closePath() { this.d += "Z"; }
  bezierCurveTo(...points: number[]) { this.d += `C${points.map(short).join(" ")}`; }
  quadraticCurveTo(...points: number[]) { this.d += `Q${points.map(short).join(" ")}`; }
  rect(x: number, y: number, w: number, h: number) { this.d += `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}Z`; }
  roundRect(x: number, y: number, w: number, h: number) { this.rect(x, y, w, h); }
  arc(x: number, y: number, r: number, from: number, to: number) {
    const at = (angle: number) => `${short(x + r * Math.cos(angle))} ${short(y + r * Math.sin(angle))}`;
    const whole = Math.abs(to - from) >= 2 * Math.PI - 1e-9;
    const end = whole ? from + Math.PI : to;
    const large = Math.abs(end - from) > Math.PI ? 1 : 0;
    this.d += `${this.d && !whole ? "L" : "M"}${at(from)}A${short(r)} ${short(r)} 0 ${large} 1 ${at(end)}`;
    if (whole) this.d += `A${short(r)} ${short(r)} 0 0 1 ${at(from)}Z`;
  }
}
const trail_calls = ["moveTo", "lineTo", "closePath", "bezierCurveTo", "quadraticCurveTo", "rect", "roundRect", "arc"] as const;

// Paths that remember their commands.
function recording_path(Original: typeof Path2D): typeof Path2D {
  class Recording extends Original {
    trail = new Trail();
    constructor(path?: Path2D | string) {
      super(path as Path2D);
      if (path instanceof Recording) this.trail.d = path.trail.d;
      for (const name of trail_calls) {
        const real = Original.prototype[name] as (...values: number[]) => void;
        (this as unknown as Record<string, unknown>)[name] = (...values: number[]) => {
          (this.trail[name] as (...values: number[]) => void)(...values);
          real.apply(this, values);
        };
      }
    }
    addPath(path: Path2D): void {
      if (path instanceof Recording) this.trail.d += path.trail.d;
      super.addPath(path);
    }
  }
  return Recording;
}

const trail_of = (path: Path2D): string => (path as unknown as { trail?: Trail }).trail?.d ?? "";

// color(srgb r g b / a) is not known to all who read SVG.
function plain_color(style: unknown): string {
  const match = /^color\(srgb ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+)(?: \/ ([\d.e+-]+))?\)$/.exec(String(style));
  if (!match) return String(style);
  const [r, g, b] = match.slice(1, 4).map((part) => Math.round(255 * Number(part)));
  return `rgba(${r}, ${g}, ${b}, ${match[4] ?? 1})`;
}

class Recorder {
  private trail = new Trail();
  private clip = "";
  private clips: string[] = [];
  private defs = svg_element("defs", {});
  readonly picture: SVGElement;

  constructor(private ctx: CanvasRenderingContext2D) {
    const { width, height } = ctx.canvas;
    const ratio = devicePixelRatio || 1;
    this.picture = svg_element("svg", { xmlns: space, viewBox: `0 0 ${width} ${height}`, width: width / ratio, height: height / ratio });
    this.picture.append(this.defs, svg_element("rect", { width, height, fill: color("card") }));
  }

  private add(node: SVGElement, transformed = true): void {
    const { a, b, c, d, e, f } = this.ctx.getTransform();
    if (transformed && !(a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0))
      node.setAttribute("transform", `matrix(${[a, b, c, d, e, f].map((value) => Number(value.toFixed(4))).join(" ")})`);
    if (this.ctx.globalAlpha !== 1) node.setAttribute("opacity", String(this.ctx.globalAlpha));
    if (!this.clip) return this.picture.append(node);
    const group = svg_element("g", { "clip-path": `url(#${this.clip})` });
    group.append(node);
    this.picture.append(group);
  }

  // The calls that take the place of the canvas's own.
  calls(): Record<string, (...values: never[]) => void> {
    const { ctx } = this;
    const path_of = (path: unknown) => (typeof path === "object" && path !== null ? trail_of(path as Path2D) : this.trail.d);
    const steps = Object.fromEntries(trail_calls.map((name) => [name, (...values: number[]) => (this.trail[name] as (...values: number[]) => void)(...values)]));
    return {
      ...steps,
      beginPath: () => (this.trail = new Trail()),
      stroke: (path?: Path2D) => {
        const d = path_of(path);
        if (!d) return;
        const dash = ctx.getLineDash();
        const line = { d, fill: "none", stroke: plain_color(ctx.strokeStyle), "stroke-width": short(ctx.lineWidth), "stroke-linejoin": ctx.lineJoin, "stroke-linecap": ctx.lineCap };
        this.add(svg_element("path", dash.length > 0 ? { ...line, "stroke-dasharray": dash.join(" ") } : line));
      },
      fill: (path?: Path2D) => {
        if (path_of(path)) this.add(svg_element("path", { d: path_of(path), fill: plain_color(ctx.fillStyle) }));
      },
      fillRect: (x: number, y: number, w: number, h: number) =>
        this.add(svg_element("rect", { x: short(Math.min(x, x + w)), y: short(Math.min(y, y + h)), width: short(Math.abs(w)), height: short(Math.abs(h)), fill: plain_color(ctx.fillStyle) })),
      fillText: (words: string, x: number, y: number) => {
        const anchor = { left: "start", start: "start", right: "end", end: "end", center: "middle" }[ctx.textAlign];
        const baseline = { top: "hanging", hanging: "hanging", middle: "central", bottom: "auto", alphabetic: "auto", ideographic: "auto" }[ctx.textBaseline];
        const size = /([\d.]+)px/.exec(ctx.font)?.[1] ?? "11";
        const node = svg_element("text", { x: short(x), y: short(y), fill: plain_color(ctx.fillStyle), "font-size": size, "font-family": "system-ui, sans-serif", "text-anchor": anchor, "dominant-baseline": baseline });
        node.textContent = words;
        this.add(node);
      },
      clip: (path?: unknown) => {
        const id = `clip${this.defs.childElementCount}`;
        const region = svg_element("clipPath", this.clip ? { id, "clip-path": `url(#${this.clip})` } : { id });
        region.append(svg_element("path", { d: path_of(path) }));
        this.defs.append(region);
        this.clip = id;
      },
      save: () => {
        this.clips.push(this.clip);
        CanvasRenderingContext2D.prototype.save.call(ctx);
      },
      restore: () => {
        this.clip = this.clips.pop() ?? "";
        CanvasRenderingContext2D.prototype.restore.call(ctx);
      },
      drawImage: (image: HTMLCanvasElement, x: number, y: number, w?: number, h?: number) =>
        this.add(svg_element("image", { href: image.toDataURL(), x: short(x), y: short(y), width: w ?? image.width, height: h ?? image.height })),
      clearRect: () => undefined,
    };
  }
}

// `draw` draws on the canvas, at once or in the microtasks that it starts; the canvas is to be drawn again afterwards.
export async function svg_picture(ctx: CanvasRenderingContext2D, draw: () => void): Promise<string> {
  const recorder = new Recorder(ctx);
  const calls = recorder.calls();
  const own = ctx as unknown as Record<string, unknown>;
  const Original = window.Path2D;
  window.Path2D = recording_path(Original);
  Object.assign(own, calls);
  try {
    draw();
    await Promise.resolve();
    await Promise.resolve();
  } finally {
    for (const name of Object.keys(calls)) delete own[name];
    window.Path2D = Original;
  }
  return new XMLSerializer().serializeToString(recorder.picture);
}
