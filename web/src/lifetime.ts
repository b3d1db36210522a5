// What is shown for a while and then replaced by something newer: its listeners and plots end with it, and it is drawn as
// soon as it has its place on the page.
interface Shown {
  mounted: (() => void)[];
  ends: (() => void)[];
}
let shown: Shown | null = null;

// What `make` builds, a call for when it is in its place, and one for its end.
export function while_shown<T>(make: () => T): { made: T; mounted: () => void; end: () => void } {
  const before = shown;
  const own: Shown = { mounted: [], ends: [] };
  shown = own;
  try {
    const made = make();
    return { made, mounted: () => own.mounted.forEach((work) => work()), end: () => own.ends.forEach((work) => work()) };
  } finally {
    shown = before;
  }
}

// For parts that are not replaced these do nothing.
export function when_mounted(work: () => void): void {
  shown?.mounted.push(work);
}
export function at_end(work: () => void): void {
  shown?.ends.push(work);
}
