// Millions of dots: counted in each pixel, then coloured once. What many dots hit is darker, and where dots of several
// colours meet, the colours mix as the dots do.
import { rgb } from "./colors";
import { Area } from "./xy_plot";

export class Pixels {
  private width = 0;
  private height = 0;
  private hits = new Uint32Array(0); // of the colour at work
  private sums: Float32Array[] = []; // red, green, blue, dots
  private canvas = document.createElement("canvas");
  total = 0;

  begin(area: Area): void {
    this.width = Math.max(1, Math.round(area.width));
    this.height = Math.max(1, Math.round(area.height));
    this.total = 0;
    const size = this.width * this.height;
    if (this.hits.length !== size) {
      this.hits = new Uint32Array(size);
      this.sums = [0, 1, 2, 3].map(() => new Float32Array(size));
    } else {
      this.hits.fill(0);
      for (const sum of this.sums) sum.fill(0);
    }
  }

  // A column of dots at x with heights a + b·value, of rows from … to − 1; both in pixels from the area's corner. With
  // `of`, only rows whose entry is `wanted`.
  column(x: number, a: number, b: number, values: ArrayLike<number>, from: number, to: number, of?: ArrayLike<number>, wanted?: number): void {
    const left = Math.round(x);
    if (!(left >= 0 && left < this.width)) return;
    const { width, height, hits } = this;
    let count = 0;
    for (let row = from; row < to; ++row) {
      if (of && of[row] !== wanted) continue;
      const y = a + b * values[row]!;
      if (!(y >= 0 && y < height)) continue; // also what is not a number
      ++hits[(y | 0) * width + left]!;
      ++count;
    }
    this.total += count;
  }

  // The dots so far were of this colour.
  color(css: string): void {
    const [r, g, b] = rgb(css);
    const [red, green, blue, dots] = this.sums as [Float32Array, Float32Array, Float32Array, Float32Array];
    const { hits } = this;
    for (let i = 0; i < hits.length; ++i) {
      const n = hits[i]!;
      if (n === 0) continue;
      red[i]! += n * r;
      green[i]! += n * g;
      blue[i]! += n * b;
      dots[i]! += n;
      hits[i] = 0;
    }
  }

  // Few dots are large and solid, many are one pixel each and let others shine through. `spacing` is the distance of
  // neighbouring columns: dots reach from one to the next, so that there are no stripes.
  paint(ctx: CanvasRenderingContext2D, area: Area, ratio: number, spacing: number): void {
    const { width, height } = this;
    const [red, green, blue, dots] = this.sums as [Float32Array, Float32Array, Float32Array, Float32Array];
    let taken = 0;
    for (let i = 0; i < dots.length; ++i) if (dots[i]! > 0) ++taken;
    const high = Math.max(1, Math.round((taken < 4e3 ? 3 : taken < 1.5e5 ? 1.6 : 1) * ratio));
    const wide = Math.max(high, Math.min(Math.ceil(3 * ratio), Math.round(spacing)));
    const share = Math.min(0.85, Math.max(0.12, (0.6 * width * height) / Math.max(1, this.total * wide * high)));
    const opacity = Float32Array.from({ length: 64 }, (_, n) => 1 - (1 - share) ** n);
    this.canvas.width = width;
    this.canvas.height = height;
    const pen = this.canvas.getContext("2d")!;
    const image = pen.createImageData(width, height);
    const out = new Uint32Array(image.data.buffer);
    for (let i = 0; i < out.length; ++i) {
      const n = dots[i]!;
      if (n === 0) continue;
      const alpha = Math.round(255 * opacity[Math.min(63, n)]!);
      const word = ((alpha << 24) | (Math.round(blue[i]! / n) << 16) | (Math.round(green[i]! / n) << 8) | Math.round(red[i]! / n)) >>> 0;
      if (wide === 1) {
        out[i] = word;
        continue;
      }
      const [x, y] = [(i % width) - ((wide - 1) >> 1), Math.floor(i / width) - ((high - 1) >> 1)];
      for (let row = Math.max(0, y); row < Math.min(height, y + high); ++row)
        for (let col = Math.max(0, x); col < Math.min(width, x + wide); ++col) {
          const at = row * width + col;
          if (out[at]! >>> 24 <= alpha) out[at] = word;
        }
    }
    pen.putImageData(image, 0, 0);
    ctx.drawImage(this.canvas, Math.round(area.left), Math.round(area.top));
  }
}
