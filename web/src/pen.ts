// Strokes and scales that the figures share.
import { Numbers, Run } from "./data";
import { Phase, phase_colors } from "./friction";
import { color } from "./theme";

export type Range = [number, number];

export function extent_of(values: Numbers): Range {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [0, 0];
}

export function extent(run: Run, source: string, coordinate: number): Range {
  return extent_of(run.column(source, coordinate));
}

export function line(ctx: CanvasRenderingContext2D, points: [number, number][]): void {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
  ctx.stroke();
}

export function disc(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath();
  ctx.arc(x, y, Math.max(1, radius), 0, 7);
  ctx.fill();
}


// One scale for x and y, the ranges in the middle of the picture.
export function plane_scale(xs: Range, ys: Range, room: number, width: number, height: number) {
  const [w, h] = [xs[1] - xs[0] + 2 * room, ys[1] - ys[0] + 2 * room];
  const scale = Math.min((width - 20) / w, (height - 20) / h);
  return {
    scale,
    x: (x: number) => width / 2 + (x - (xs[0] + xs[1]) / 2) * scale,
    y: (y: number) => height / 2 - (y - (ys[0] + ys[1]) / 2) * scale,
  };
}

// A ring around a contact that sticks or slides.
export function mark_phase(ctx: CanvasRenderingContext2D, phase: Phase, x: number, y: number, radius = 7): void {
  if (phase === "open") return;
  ctx.save();
  ctx.strokeStyle = color(phase_colors[phase]);
  ctx.lineWidth = phase === "sticks" ? 4 : 2;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.stroke();
  ctx.restore();
}
