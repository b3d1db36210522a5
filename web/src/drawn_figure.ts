// What a scenario's own [draw] table says: lines, circles, springs and points, to one scale. What does not move is grey.
import { DrawnItem, DrawnNumber, Figure, Run } from "./data";
import { Drawing, Moment } from "./figures";
import { phase_colors } from "./friction";
import { disc, extent, line, plane_scale, Range } from "./pen";
import { color, series_color } from "./theme";

const coils = 7;

// Its places in pairs; a circle has its radius and angle behind them.
function places_of(item: DrawnItem): [DrawnNumber, DrawnNumber][] {
  const count = item.kind === "circle" ? 1 : Math.floor(item.values.length / 2);
  return Array.from({ length: count }, (_, i) => [item.values[2 * i]!, item.values[2 * i + 1]!]);
}

function range_of(run: Run, value: DrawnNumber): Range {
  return typeof value === "number" ? [value, value] : extent(run, "drawn", value[0]);
}

function ranges(run: Run, items: DrawnItem[]): [Range, Range] {
  const all: [Range, Range] = [[Infinity, -Infinity], [Infinity, -Infinity]];
  for (const item of items) {
    const around = item.kind === "circle" ? range_of(run, item.values[2]!)[1] : 0;
    for (const place of places_of(item))
      place.forEach((value, axis) => {
        const [from, to] = range_of(run, value);
        all[axis]![0] = Math.min(all[axis]![0], from - around);
        all[axis]![1] = Math.max(all[axis]![1], to + around);
      });
  }
  return all.map(([from, to]) => (from <= to ? [from, to] : [0, 1])) as [Range, Range];
}

export function drawn(figure: Figure, run: Run): Drawing {
  const items = figure.items ?? [];
  const [xs, ys] = ranges(run, items);
  const room = 0.04 * Math.max(xs[1] - xs[0], ys[1] - ys[0]) || 1;
  const moves = items.map((item) => item.values.some((value) => typeof value !== "number"));
  // Each thing that moves has a colour; what stands still comes first, below it.
  let next = 0;
  const colors = moves.map((one, k) => (!one ? -1 : items[k]!.kind === "segment" || items[k]!.kind === "circle" ? next++ : 0));
  const order = items.map((_, k) => k).sort((a, b) => Number(moves[a]) - Number(moves[b]) || a - b);
  return {
    note: "",
    weight: 1.6,
    draw: (ctx, width, height, moment) => {
      const at = plane_scale(xs, ys, room, width, height);
      const value = (one: DrawnNumber) => (typeof one === "number" ? one : moment.of("drawn", one[0]));
      const point = ([x, y]: [DrawnNumber, DrawnNumber]): [number, number] => [at.x(value(x)), at.y(value(y))];
      for (const k of order) {
        const item = items[k]!;
        const paint = paint_of(item, colors[k]!, moment);
        ctx.strokeStyle = ctx.fillStyle = paint;
        ctx.lineWidth = moves[k] ? 2.5 : 1.5;
        ctx.lineJoin = ctx.lineCap = "round";
        const points = places_of(item).map(point);
        if (item.kind === "segment") polygon(ctx, points, !!item.closed, paint);
        else if (item.kind === "spring") line(ctx, zigzag(points[0]!, points[1]!));
        else if (item.kind === "point") disc(ctx, ...points[0]!, 5);
        else circle(ctx, points[0]!, Math.abs(value(item.values[2]!)) * at.scale, item.values[3] === undefined ? null : value(item.values[3]), moves[k]!);
      }
      ctx.lineCap = "butt";
    },
  };
}

// A contact that acts has the colour of its phase.
function paint_of(item: DrawnItem, k: number, moment: Moment): string {
  const phase = item.contact ? moment.phase(item.contact) : "open";
  if (phase !== "open") return color(phase_colors[phase]);
  if (item.kind === "spring" || k < 0) return color("muted");
  return item.kind === "point" ? color("ink") : series_color(k);
}

function polygon(ctx: CanvasRenderingContext2D, points: [number, number][], closed: boolean, paint: string): void {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
  if (closed) {
    ctx.closePath();
    ctx.fillStyle = `color-mix(in srgb, ${paint} 30%, transparent)`;
    ctx.fill();
  }
  ctx.stroke();
}

function circle(ctx: CanvasRenderingContext2D, [x, y]: [number, number], radius: number, angle: number | null, moves: boolean): void {
  ctx.beginPath();
  ctx.arc(x, y, Math.max(1, radius), 0, 2 * Math.PI);
  if (moves) {
    ctx.save();
    ctx.globalAlpha = 0.25;
    ctx.fill();
    ctx.restore();
  }
  ctx.stroke();
  if (angle !== null) line(ctx, [[x, y], [x + radius * Math.cos(angle), y - radius * Math.sin(angle)]]);
}

function zigzag([x0, y0]: [number, number], [x1, y1]: [number, number]): [number, number][] {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const wide = Math.min(7, 0.2 * length + 2);
  const [nx, ny] = [(-(y1 - y0) / length) * wide, ((x1 - x0) / length) * wide];
  const along = (share: number, side: number): [number, number] => [x0 + (x1 - x0) * share + side * nx, y0 + (y1 - y0) * share + side * ny];
  const middle = Array.from({ length: 2 * coils }, (_, i) => along(0.12 + (0.76 * (i + 0.5)) / (2 * coils), i % 2 ? 1 : -1));
  return [[x0, y0], along(0.12, 0), ...middle, along(0.88, 0), [x1, y1]];
}
