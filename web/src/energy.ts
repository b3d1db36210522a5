// The energy account as a stack: what there was and came in, and where it is now.
//   kinetic + potential + dissipated + lost in impacts + lost in friction + numerical = initial + input
import { Run } from "./data";
import { Curve } from "./time_plot";

export function energy_curves(run: Run): Curve[] {
  const kinetic = run.column("kinetic");
  const potential = run.column("potential");
  const below = potential_offset(run);

  const curves: Curve[] = [
    { name: "kinetic", color: "kinetic", value: (i) => kinetic[i]! },
    { name: "potential", color: "potential", value: (i) => potential[i]!, top: (i) => potential[i]! - below },
  ];
  if (!run.has("impact")) return curves;
  for (const [column, name] of [
    ["damping", "dissipated"],
    ["impact", "lost in impacts"],
    ["friction_work", "lost in friction"],
    ["numerical", "numerical"],
  ] as const) {
    if (column === "friction_work" && run.data.slips.length === 0) continue;
    const values = run.column(column);
    // Gains of the system are kept, losses are shown. 0 - x has no negative zero.
    curves.push({ name, color: name.replace(/ /g, "-"), value: (i) => 0 - values[i]! });
  }
  const input = run.column("input");
  // An impact at the start has taken its part before the first row.
  const initial = run.data.energy.initial ?? kinetic[0]! + potential[0]!;
  curves.push({
    name: "initial + input",
    color: "ink",
    value: (i) => initial + input[i]!,
    top: (i) => initial - below + input[i]!,
    line: true,
  });
  return curves;
}

// Only differences of potential energy mean something: where it is negative, or far from zero all the time, the stack
// counts from its lowest value. What a small violation of a stop takes below zero does not matter.
export function potential_offset(run: Run): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of run.column("potential")) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(least <= most)) return 0;
  return least < -0.02 * (Math.max(most, 0) - least) || least > 0.5 * most ? least : 0;
}
