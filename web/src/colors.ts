// Colours as numbers, for pictures made pixel by pixel.
import { color, on_theme } from "./theme";

export type Rgb = readonly [number, number, number];

const known = new Map<string, Rgb>();
on_theme(() => known.clear());

// Of any colour that CSS knows.
export function rgb(css: string): Rgb {
  let value = known.get(css);
  if (!value) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const ctx = canvas.getContext("2d", { willReadFrequently: true })!;
    ctx.fillStyle = css;
    ctx.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = ctx.getImageData(0, 0, 1, 1).data;
    value = [r, g, b];
    known.set(css, value);
  }
  return value;
}

export function packed(of: Rgb, alpha = 255): number {
  return ((alpha << 24) | (of[2] << 16) | (of[1] << 8) | of[0]) >>> 0;
}

// Classes: the colours of curves first, then hues far from each other. −1 stands for none.
const named = 7;
export function class_color(k: number): string {
  if (k < 0) return color("none");
  if (k < named) return color(`series-${k}`);
  return `hsl(${Math.round((k - named) * 137.5 + 20) % 360} 45% 55%)`;
}

type Stops = readonly Rgb[];
// viridis by S. van der Walt and N. Smith, thinned out.
const even: Stops = [[68, 1, 84], [71, 44, 122], [59, 82, 139], [44, 113, 142], [33, 145, 140], [39, 173, 129], [94, 201, 98], [170, 220, 50], [253, 231, 37]];
// Blue below zero, red above.
const signed: Stops = [[16, 58, 120], [47, 111, 176], [126, 176, 219], [207, 224, 238], [246, 246, 244], [250, 219, 199], [239, 157, 122], [212, 82, 74], [140, 20, 40]];

export function shade(share: number, is_signed = false): Rgb {
  const stops = is_signed ? signed : even;
  const place = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const k = Math.min(stops.length - 2, Math.floor(place));
  const part = place - k;
  const [a, b] = [stops[k]!, stops[k + 1]!];
  return [0, 1, 2].map((c) => Math.round(a[c]! * (1 - part) + b[c]! * part)) as unknown as Rgb;
}
