// What friction does against time: slips and forces, the impulses of impacts, the power that wears, phases of contacts.
import { Run } from "./data";
import { Friction, phase_colors } from "./friction";
import { Band, Curve, TimePlotOptions } from "./time_plot";
import { View } from "./view";

const lanes_at_most = 40;

// `slips`: columns that are drawn.
export function friction_plots(run: Run, view: View, frictions: Friction[], slips: () => number[], bands: Band[]): (() => TimePlotOptions | null)[] {
  const { data } = run;
  const name = (k: number) => data.slips[k]!.replace(/\.slip(\.\d)?$/, ".friction$1");
  const curves = (label: (k: number) => string, value: (k: number) => (row: number) => number) => () =>
    slips().map((k): Curve => ({ name: label(k), color: `series-${k % 8}`, value: value(k) }));
  const sliding = (k: number) => {
    const values = run.column("slip", k);
    return (row: number) => values[row]!;
  };
  const strike = data.slips.some((_, k) => run.acts(run.blow("friction", k)));
  const slip = curves((k) => data.slips[k]!, sliding);
  const push = curves(name, (k) => run.force("friction", k));
  const blow = curves(name, (k) => run.blow("friction", k));
  return [
    () => ({ title: "Slips", y: "sliding velocity", curves: slip(), bands }),
    () => ({ title: "Friction force", y: "mean force", curves: push(), height: 170, bands }),
    () => (strike ? { title: "Friction impulses of impacts", y: "impulse", curves: blow(), stems: true, height: 150 } : null),
    () => ({ title: "Wear power", y: "|slip| · |friction|", curves: wear(frictions, slips(), view), height: 170, bands }),
    () => phases_plot(frictions),
  ];
}

function wear(frictions: Friction[], slips: number[], view: View): Curve[] {
  const chosen = frictions.filter((one) => one.places.some((k) => slips.includes(k)));
  return chosen.flatMap((one): Curve[] => {
    const color = `series-${one.places[0]! % 8}`;
    return [
      { name: one.name, color, value: (row) => one.power(row) },
      { name: `mean of ${one.name}`, color, value: () => one.mean_power(view.from, view.to), line: true },
    ];
  });
}

// One lane each: with a single one the bands of the other plots say it all.
function phases_plot(frictions: Friction[]): TimePlotOptions | null {
  if (frictions.length < 2) return null;
  const shown = frictions.slice(0, lanes_at_most);
  const bands = shown.flatMap((one, lane) =>
    (["sticks", "slides"] as const).map((name): Band => ({ name, color: phase_colors[name], rows: (row) => one.phase(row) === name, lane })),
  );
  return { title: "Phases of contacts", curves: [], bands, lanes: shown.map((one) => one.name), height: 60 + 22 * shown.length };
}
