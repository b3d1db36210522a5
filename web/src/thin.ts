// Fewer points that look the same: the smallest and the largest value of each pixel column, in the order they come.
import { Numbers, row_after, row_from } from "./data";

export interface Window {
  first: number; // rows first … last are drawn
  last: number;
  bucket: number; // rows that share a pixel column; 1: all are drawn
}

export function window_of(t: Numbers, from: number, to: number, pixels: number): Window {
  // One row beyond each edge, so that lines reach it.
  let first = Math.max(0, row_from(t, from) - 1);
  const last = Math.min(t.length - 1, row_after(t, to));
  const n = last - first + 1;
  if (n <= 4 * pixels) return { first, last, bucket: 1 };
  // Buckets begin at multiples of their size: the picture does not flicker while it moves.
  const bucket = Math.ceil(n / pixels);
  first -= first % bucket;
  return { first, last, bucket };
}

export function thin_times(t: Numbers, w: Window): number[] {
  const result: number[] = [];
  if (w.bucket === 1) {
    for (let i = w.first; i <= w.last; ++i) result.push(t[i]!);
    return result;
  }
  for (let begin = w.first; begin <= w.last; begin += w.bucket) {
    const end = Math.min(begin + w.bucket, w.last + 1);
    result.push(t[begin]!, t[(begin + end) >> 1] ?? t[begin]!);
  }
  return result;
}

// Values that are not finite leave a hole.
export function thin_values(values: (row: number) => number, w: Window): (number | null)[] {
  const result: (number | null)[] = [];
  if (w.bucket === 1) {
    for (let i = w.first; i <= w.last; ++i) result.push(finite(values(i)));
    return result;
  }
  for (let begin = w.first; begin <= w.last; begin += w.bucket) {
    const end = Math.min(begin + w.bucket, w.last + 1);
    let least = Infinity;
    let most = -Infinity;
    let at_least = begin;
    let at_most = begin;
    for (let i = begin; i < end; ++i) {
      const value = values(i);
      if (value < least) (least = value), (at_least = i);
      if (value > most) (most = value), (at_most = i);
    }
    if (at_least <= at_most) result.push(finite(least), finite(most));
    else result.push(finite(most), finite(least));
  }
  return result;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
