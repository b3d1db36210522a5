// What is shown for a while and then replaced by something newer: its listeners and plots end with it, and it is drawn as
// soon as it has its place on the page.
interface Shown {
  measures: (() => () => void)[];
  ends: (() => void)[];
}
let shown: Shown | null = null;

// What `make` builds, a call for when it is in its place, and one for its end.
export function while_shown<T>(make: () => T): { made: T; mounted: () => void; end: () => void } {
  const before = shown;
  const own: Shown = { measures: [], ends: [] };
  shown = own;
  try {
    const made = make();
    return { made, mounted: () => own.measures.map((measure) => measure()).forEach((draw) => draw()), end: () => own.ends.forEach((work) => work()) };
  } finally {
    shown = before;
  }
}

// For parts that are not replaced these do nothing. All measure their places before the first one draws: then the page is
// laid out once.
export function when_mounted<T>(measure: () => T, draw: (place: T) => void): void {
  shown?.measures.push(() => {
    const place = measure();
    return () => draw(place);
  });
}
export function at_end(work: () => void): void {
  shown?.ends.push(work);
}
