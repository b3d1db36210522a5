// What the animation draws: each figure takes the coordinates at one instant and a box on the canvas.
import { Figure, FrameNode, Run, slip_owner } from "./data";
import { find_contacts, Wall, wall_at, wall_range } from "./contacts";
import { drawn } from "./drawn_figure";
import { number } from "./format";
import { Phase } from "./friction";
import { disc, extent, line, mark_phase, plane_scale } from "./pen";
import { color, series_color, with_alpha } from "./theme";

export type Value = (coordinate: number) => number;
// The instant that is drawn.
export interface Moment {
  value: Value;
  of: (column: string, place: number) => number;
  phase: (friction: string) => Phase; // open also for what has none
}
export interface Drawing {
  note: string;
  weight: number; // share of the width
  draw: (ctx: CanvasRenderingContext2D, width: number, height: number, moment: Moment) => void;
}

export function drawing_of(figure: Figure, run: Run): Drawing {
  switch (figure.figure) {
    case "pendulum": return pendulum(figure, run);
    case "plane": return plane(figure, run);
    case "beam": return beam(figure, run);
    case "bar": return bar(figure, run);
    case "frame": return frame(figure, run);
    case "draw": return drawn(figure, run);
    default: return lanes(figure, run);
  }
}

// A hatched obstacle at right angles to the motion; `side` is where it is solid.
function obstacle(ctx: CanvasRenderingContext2D, at: number, from: number, to: number, side: number, vertical: boolean) {
  const depth = 9 * side;
  const point = (along: number, across: number): [number, number] => (vertical ? [across, along] : [along, across]);
  ctx.save();
  ctx.fillStyle = with_alpha("muted", 22);
  const [x0, y0] = point(at, from);
  const [x1, y1] = point(at + depth, to);
  ctx.fillRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  ctx.strokeStyle = color("muted");
  ctx.lineWidth = 1.5;
  line(ctx, [point(at, from), point(at, to)]);
  ctx.restore();
}

// Blocks or balls on lines. Coordinates that meet share a line, set apart by the size of the bodies.
function lanes(figure: Figure, run: Run): Drawing {
  const source = figure.source ?? "q";
  const { walls, meetings } = find_contacts(run, figure.q, source, figure.walls);
  const extents = new Map(figure.q.map((k) => [k, extent(run, source, k)]));
  const spans = [...extents.values()].map(([a, b]) => b - a);
  const size = figure.radius ? 2 * figure.radius : 0.07 * (Math.max(...spans, 0) || 1);

  // Places of the bodies: those that meet are one lane, the upper one beyond the lower by its size. A radius is
  // already part of the gap.
  const lane = new Map(figure.q.map((k) => [k, k]));
  const shift = new Map(figure.q.map((k) => [k, 0]));
  for (const { lower, upper, distance } of meetings) {
    const [from, to] = [lane.get(upper)!, lane.get(lower)!];
    if (from === to) continue;
    const move = figure.radius ? 0 : shift.get(lower)! + distance + size - shift.get(upper)!;
    for (const k of figure.q)
      if (lane.get(k) === from) {
        lane.set(k, to);
        shift.set(k, shift.get(k)! + move);
      }
  }
  const order = [...new Set(figure.q.map((k) => lane.get(k)!))];
  let [least, most] = [Infinity, -Infinity];
  for (const k of figure.q) {
    least = Math.min(least, extents.get(k)![0] + shift.get(k)! - size / 2);
    most = Math.max(most, extents.get(k)![1] + shift.get(k)! + size / 2);
  }
  for (const wall of walls.filter((one) => one.slope)) {
    const [from, to] = wall_range(run, wall);
    least = Math.min(least, from + shift.get(wall.coordinate)! - size);
    most = Math.max(most, to + shift.get(wall.coordinate)! + size);
  }
  const names = source === "q" ? run.data.coordinates : run.data.observations;
  const { vertical } = figure;

  return {
    note: order.length > 1 ? "each coordinate on its own line" : "",
    weight: vertical ? 1 : 1.6,
    draw: (ctx, width, height, { value, of, phase }) => {
      const [along, across] = vertical ? [height, width] : [width, height];
      const label_room = vertical ? 0 : 46;
      const scale = (along - 40 - label_room) / (most - least || 1);
      const at = (x: number) => (vertical ? along - 20 - (x - least) * scale : label_room + 20 + (x - least) * scale);
      const room = Math.min(across / order.length, vertical ? 240 : 64);
      const begin = (across - room * order.length) / 2;
      const body = Math.max(3, size * scale);
      const thick = figure.round ? body : Math.min(room * 0.5, 60, Math.max(10, body));

      order.forEach((id, place) => {
        const centre = begin + room * (place + 0.5);
        const members = figure.q.filter((k) => lane.get(k) === id);
        ctx.strokeStyle = color("grid");
        ctx.lineWidth = 1;
        line(ctx, vertical ? [[centre, 8], [centre, along - 8]] : [[label_room + 4, centre], [along - 6, centre]]);
        for (const wall of walls.filter((one) => members.includes(one.coordinate))) {
          const half = wall.below ? -size / 2 : size / 2;
          const side = (wall.below ? -1 : 1) * (vertical ? -1 : 1);
          const touch = at(wall_at(wall, of) + shift.get(wall.coordinate)! + half);
          obstacle(ctx, touch, centre - room * 0.42, centre + room * 0.42, side, !!vertical);
        }
        for (const k of members) {
          const middle = at(value(k) + shift.get(k)!);
          ctx.fillStyle = series_color(figure.q.length > 12 ? 0 : figure.q.indexOf(k));
          if (figure.round) disc(ctx, vertical ? centre : middle, vertical ? middle : centre, body / 2);
          else {
            const [x, y, w, h] = vertical
              ? [centre - thick / 2, middle - body / 2, thick, body]
              : [middle - body / 2, centre - thick / 2, body, thick];
            ctx.beginPath();
            ctx.roundRect(x, y, w, h, 2);
            ctx.fill();
          }
          for (const [friction, held] of figure.marks ?? [])
            if (held.includes(k)) mark_phase(ctx, phase(friction), vertical ? centre : middle, vertical ? middle : centre, Math.max(body, thick) / 2 + 4);
        }
        if (!vertical) text(ctx, members.map((k) => names[k]).join(", "), 4, centre + 4, label_room - 6);
      });
    },
  };
}

function text(ctx: CanvasRenderingContext2D, words: string, x: number, y: number, room?: number): void {
  ctx.fillStyle = color("muted");
  ctx.font = "11px system-ui, sans-serif";
  if (room && ctx.measureText(words).width > room) {
    while (words.length > 1 && ctx.measureText(`${words}\u2026`).width > room) words = words.slice(0, -1);
    words += "\u2026";
  }
  ctx.fillText(words, x, y);
}

// Rods from the downward vertical; several are a chain of absolute angles.
function pendulum(figure: Figure, run: Run): Drawing {
  const lengths = figure.q.map((_, i) => figure.lengths?.[i] ?? 1);
  const reach = lengths.reduce((sum, length) => sum + length, 0) || 1;
  // A pendulum that stays below its pivot needs only half of the picture.
  const high = figure.q.some((k) => extent(run, "q", k).some((angle) => Math.cos(angle) < 0.1));
  return {
    note: "",
    weight: 1,
    draw: (ctx, width, height, { value }) => {
      const scale = Math.min(width / 2 - 16, (high ? height / 2 : height - 30) - 14) / reach;
      let [x, y] = [width / 2, high ? height / 2 : 30];
      ctx.strokeStyle = color("grid");
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.arc(x, y, reach * scale, high ? 0 : 0.15, high ? 7 : Math.PI - 0.15);
      ctx.stroke();
      ctx.fillStyle = color("muted");
      disc(ctx, x, y, 3);
      figure.q.forEach((k, i) => {
        const angle = value(k);
        const [to_x, to_y] = [x + lengths[i]! * scale * Math.sin(angle), y + lengths[i]! * scale * Math.cos(angle)];
        ctx.strokeStyle = color("ink");
        ctx.lineWidth = 2;
        line(ctx, [[x, y], [to_x, to_y]]);
        [x, y] = [to_x, to_y];
        ctx.fillStyle = series_color(i);
        disc(ctx, x, y, 8);
      });
    },
  };
}

// A point in the plane; with an angle a stick or a disc.
function plane(figure: Figure, run: Run): Drawing {
  const [kx, ky] = [figure.q[0]!, figure.q[1]!];
  const [length, radius] = [figure.lengths?.[0] ?? 0, figure.radius ?? 0];
  const { walls } = find_contacts(run, [kx, ky], "q", figure.walls);
  const [xs, ys] = [extent(run, "q", kx), extent(run, "q", ky)];
  // Obstacles near the motion are in sight.
  const span = Math.max(xs[1] - xs[0], ys[1] - ys[0]);
  for (const wall of walls) {
    const range = wall.coordinate === kx ? xs : ys;
    for (const at of wall_range(run, wall)) if (at > range[0] - span && at < range[1] + span) [range[0], range[1]] = [Math.min(range[0], at), Math.max(range[1], at)];
  }
  const room = length / 2 || 1.2 * radius || 0.08 * span || 1;
  const rubbing = run.data.slips.map(slip_owner);
  return {
    note: "",
    weight: 1.3,
    draw: (ctx, width, height, { value, of, phase }) => {
      const at = plane_scale(xs, ys, room, width, height);
      const [x, y] = [value(kx), value(ky)];
      for (const wall of walls) draw_wall(ctx, wall, wall.coordinate === kx, at, wall_at(wall, of) + (wall.below ? -radius : radius), width, height);
      draw_curves(ctx, figure.curves ?? [], at);
      ctx.fillStyle = ctx.strokeStyle = series_color(0);
      const angle = figure.q.length > 2 ? value(figure.q[2]!) : 0;
      if (length) {
        const [dx, dy] = [(length / 2) * Math.cos(angle), (length / 2) * Math.sin(angle)];
        ctx.lineWidth = 5;
        ctx.lineCap = "round";
        line(ctx, [[at.x(x - dx), at.y(y - dy)], [at.x(x + dx), at.y(y + dy)]]);
        ctx.lineCap = "butt";
      } else if (radius) {
        ctx.lineWidth = 2.5;
        ctx.beginPath();
        ctx.arc(at.x(x), at.y(y), radius * at.scale, 0, 7);
        ctx.stroke();
        line(ctx, [[at.x(x), at.y(y)], [at.x(x + radius * Math.cos(angle)), at.y(y + radius * Math.sin(angle))]]);
      } else disc(ctx, at.x(x), at.y(y), 6);
      for (const friction of new Set(rubbing)) {
        const wall = walls.find((one) => run.data.constraints[one.constraint] === friction);
        const touch = wall ? wall_at(wall, of) + (wall.below ? -radius : radius) : 0;
        mark_phase(ctx, phase(friction), at.x(wall && wall.coordinate === kx ? touch : x), at.y(wall && wall.coordinate === ky ? touch : y), wall ? 6 : 10);
      }
    },
  };
}

type Scale = ReturnType<typeof plane_scale>;

// A wall along an axis, all across the picture.
function draw_wall(ctx: CanvasRenderingContext2D, wall: Wall, upright: boolean, at: Scale, place: number, width: number, height: number): void {
  const side = (wall.below ? -1 : 1) * (upright ? 1 : -1);
  obstacle(ctx, upright ? at.x(place) : at.y(place), 8, (upright ? height : width) - 8, side, !upright);
}

// Curves in pieces: x1, y1, x2, y2.
function draw_curves(ctx: CanvasRenderingContext2D, curves: number[][], at: Scale): void {
  ctx.strokeStyle = color("muted");
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (const pieces of curves)
    for (let i = 0; i + 3 < pieces.length; i += 4) {
      ctx.moveTo(at.x(pieces[i]!), at.y(pieces[i + 1]!));
      ctx.lineTo(at.x(pieces[i + 2]!), at.y(pieces[i + 3]!));
    }
  ctx.stroke();
}

// Deformed members to scale, through their nodes; obstacles along the axes that meet a node.
function frame(figure: Figure, run: Run): Drawing {
  const members = figure.members ?? [];
  const everywhere = [...members.flat(), ...(figure.masses ?? []), ...(figure.held ?? [])];
  const { walls } = find_contacts(run, figure.q);
  const upright = new Set(everywhere.map((node) => node[0]));
  const range = (axis: 0 | 1): [number, number] => {
    let [least, most] = [Infinity, -Infinity];
    for (const node of everywhere) {
      const [from, to] = node[axis] < 0 ? [node[axis + 2]!, node[axis + 2]!] : extent(run, "q", node[axis]);
      [least, most] = [Math.min(least, from), Math.max(most, to)];
    }
    return least <= most ? [least, most] : [0, 1];
  };
  const [xs, ys] = [range(0), range(1)];
  const room = 0.08 * Math.max(xs[1] - xs[0], ys[1] - ys[0]) || 1;
  // One line for all nodes that meet it.
  const lines = new Map(walls.map((wall) => [`${upright.has(wall.coordinate)} ${wall.below} ${wall.at.toPrecision(4)}`, wall]));
  return {
    note: "",
    weight: 1.6,
    draw: (ctx, width, height, { value, phase }) => {
      const at = plane_scale(xs, ys, room, width, height);
      const place = (node: FrameNode): [number, number] => [
        at.x(node[0] < 0 ? node[2] : value(node[0])),
        at.y(node[1] < 0 ? node[3] : value(node[1])),
      ];
      for (const wall of lines.values()) draw_wall(ctx, wall, upright.has(wall.coordinate), at, wall.at, width, height);
      ctx.lineJoin = "round";
      ctx.lineCap = "round";
      ctx.lineWidth = 3;
      members.forEach((nodes, i) => {
        ctx.strokeStyle = series_color(i);
        line(ctx, nodes.map(place));
      });
      ctx.lineCap = "butt";
      ctx.fillStyle = color("ink");
      for (const node of figure.masses ?? []) disc(ctx, ...place(node), 5);
      ctx.fillStyle = color("muted");
      for (const node of figure.held ?? []) disc(ctx, ...place(node), 4);
      // Nodes that rub on a wall.
      for (const wall of walls) {
        const node = everywhere.find((one) => one[0] === wall.coordinate || one[1] === wall.coordinate);
        if (node) mark_phase(ctx, phase(run.data.constraints[wall.constraint]!), ...place(node));
      }
    },
  };
}

// Largest displacement in the run.
function amplitude(run: Run, figure: Figure): number {
  let most = 0;
  for (const k of figure.q) most = Math.max(most, ...extent(run, figure.source ?? "q", k).map(Math.abs));
  return most || 1;
}

// The deflection over the length, enlarged.
function beam(figure: Figure, run: Run): Drawing {
  const places = figure.abscissae ?? [];
  const length = figure.length ?? Math.max(...places, 1);
  const { walls } = find_contacts(run, figure.q, figure.source);
  const most = Math.max(amplitude(run, figure), ...walls.map((wall) => Math.abs(wall.at)));
  return {
    note: `deflection, at most ${number(amplitude(run, figure), 3)}, enlarged`,
    weight: 2,
    draw: (ctx, width, height, { value }) => {
      const [middle, scale] = [height / 2, (0.36 * height) / most];
      const x_at = (x: number) => 24 + (x / length) * (width - 48);
      ctx.strokeStyle = color("grid");
      ctx.lineWidth = 1;
      line(ctx, [[x_at(0), middle], [x_at(length), middle]]);
      // Nodes with what the supports hold at zero.
      const nodes = figure.q.map((k, i) => ({ x: places[i]!, w: value(k), r: slope(figure, i, value) }));
      if (figure.ends?.[0] && nodes[0]?.x !== 0) nodes.unshift({ x: 0, w: 0, r: NaN });
      if (figure.ends?.[1] && nodes[nodes.length - 1]?.x !== length) nodes.push({ x: length, w: 0, r: NaN });
      ctx.strokeStyle = color("series-0");
      ctx.lineWidth = 3;
      ctx.lineJoin = "round";
      line(ctx, curve(nodes).map(([x, w]) => [x_at(x), middle - w * scale]));
      ctx.fillStyle = color("muted");
      if (figure.ends?.[0]) ctx.fillRect(x_at(0) - 8, middle - 22, 8, 44);
      if (figure.ends?.[1]) ctx.fillRect(x_at(length), middle - 22, 8, 44);
      for (const wall of walls) {
        const x = x_at(places[figure.q.indexOf(wall.coordinate)]!);
        obstacle(ctx, middle - wall.at * scale + (wall.below ? 2 : -2), x - 9, x + 9, wall.below ? 1 : -1, true);
      }
    },
  };
}

function slope(figure: Figure, i: number, value: Value): number {
  const k = figure.slopes?.[i] ?? -1;
  return k < 0 ? NaN : value(k);
}

// Cubics where both ends have a slope, straight lines elsewhere.
function curve(nodes: { x: number; w: number; r: number }[]): [number, number][] {
  const points: [number, number][] = [];
  nodes.forEach((node, i) => {
    const before = nodes[i - 1];
    if (before && Number.isFinite(before.r + node.r) && nodes.length < 60) {
      const h = node.x - before.x;
      for (let s = 0.125; s < 1; s += 0.125) {
        const [a, b] = [s * s * (3 - 2 * s), s * (1 - s)];
        points.push([before.x + s * h, before.w * (1 - a) + node.w * a + h * b * (before.r * (1 - s) - node.r * s)]);
      }
    }
    points.push([node.x, node.w]);
  });
  return points;
}

// Cross-sections that move along the bar, enlarged; colours follow the displacement.
function bar(figure: Figure, run: Run): Drawing {
  const places = figure.abscissae ?? [];
  const length = figure.length ?? Math.max(...places, 1);
  const most = amplitude(run, figure);
  const { walls } = find_contacts(run, figure.q, figure.source);
  const enlarged = (0.12 * length) / most;
  return {
    note: `displacements, at most ${number(most, 3)}, drawn ${number(enlarged, 2)} times as large`,
    weight: 2,
    draw: (ctx, width, height, { value }) => {
      const x_at = (x: number) => width * 0.16 + (x / length) * width * 0.68;
      const [top, bottom] = [height / 2 - 34, height / 2 + 34];
      const step = Math.max(1, Math.ceil(figure.q.length / 80));
      const sections = figure.q.map((k, i) => x_at(places[i]! + enlarged * value(k)));
      if (figure.ends?.[0]) sections.unshift(x_at(0));
      if (figure.ends?.[1]) sections.push(x_at(length));
      const [first, last] = [sections[0] ?? 0, sections[sections.length - 1] ?? 0];
      ctx.fillStyle = with_alpha("series-0", 22);
      ctx.fillRect(first, top, last - first, bottom - top);
      ctx.strokeStyle = color("series-0");
      ctx.lineWidth = 1.2;
      sections.forEach((x, i) => {
        if (i % step === 0 || i === sections.length - 1) line(ctx, [[x, top], [x, bottom]]);
      });
      for (const wall of walls) {
        const place = places[figure.q.indexOf(wall.coordinate)]!;
        obstacle(ctx, x_at(place + enlarged * wall.at), top - 14, bottom + 14, wall.below ? -1 : 1, false);
      }
    },
  };
}
