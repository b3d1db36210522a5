// What the keys of a scenario are, all but those of the model and of sweeps.
#include <algorithm>

#include "scenario/keys/describe.hpp"

namespace ricochet {

static void describe(Keys& keys, Initial& initial) {
  keys.values(initial.q, "q",
              "the coordinates at the start: numbers or formulas of the parameters by coordinate, all of them where "
              "the model is made of formulas; or one for all, on bars and beams also a formula of the abscissa x; "
              "or a CSV or NPY file; or a result (.h5, .npz, .csv), from whose last state the run goes on; or "
              "\"equilibrium\", where the forces at the start time balance",
              "{ x = 1.0 }");
  keys.values(initial.v, "v", "the velocities at the start, likewise; those not given are 0", "{ x = 0.0 }");
}

static void describe(Keys& keys, Time& time) {
  keys.quantity(time.from, "from", "start of the run", "0.0");
  keys.quantity(time.until, "until", "end of the run, after its start", "3.0", true);
  keys.quantity(time.step, "step",
                "largest step h: the grid is even, and the run ends exactly at `until`; for schemes that "
                "choose their own steps, the interval at which the result is recorded",
                "1e-3", true, positive);
  keys.count(time.record_every, "record_every",
             "record every so many steps, and always the first and the last state; 0: only these two", "1");
}

static void describe(Keys& keys, Solver& solver) {
  keys.text(solver.name, "name", "the solver of the contact problems; `ricochet solvers` lists them", "\"active-set\"");
  keys.quantity(solver.tolerance, "tolerance", "largest accepted residual; the solver's own if not given", "1e-8",
                false, positive);
  keys.count(solver.max_iterations, "max_iterations",
             "iterations before a contact problem counts as failed; 0: the solver's own", "0");
  keys.quantity(solver.relaxation, "relaxation", "in (0, 2): over-relaxation of gauss-seidel", "1.2", false, positive);
}

static void describe(Keys& keys, OutputDescription& output) {
  keys.text(output.name, "name", "what it is called in results", "\"power\"", true);
  keys.formula(
      output.formula, "formula",
      "of t, coordinates, velocities, states, parameters and observations; of each constraint NAME_gap, "
      "NAME_rate, NAME_impulse, its impulse since the row before, and NAME_force, its mean force since then without "
      "impacts (hyphens in names become _); of each friction NAME_slip, NAME_friction, also an impulse, and "
      "NAME_friction_force; of each joint NAME_reaction_1 and so on, forces",
      "\"F*cos(w*t)*x_dot\"", true);
  keys.text(output.unit, "unit", "its unit", "\"W\"");
  keys.text(output.label, "label", "what it is called on axes and in tables", "\"power of the shaker\"");
}

static void describe(Keys& keys, DisplayDescription& display) {
  keys.text(display.name, "name",
            "of a coordinate, a state, a constraint or an observation; or t, force, impulse, energy", "\"x\"", true);
  keys.text(display.unit, "unit", "its unit", "\"m\"");
  keys.text(display.label, "label", "what it is called on axes and in tables", "\"tip of the tube\"");
}

static void describe(Keys& keys, KnownImpact& impact) {
  keys.quantity(impact.t, "t", "its time", "0.45", true);
  keys.text(impact.constraint, "constraint", "the name of the constraint", "\"floor\"", true);
  keys.quantity(impact.rate_minus, "rate_minus", "gap rate U before it", "-4.43");
  keys.quantity(impact.rate_plus, "rate_plus", "gap rate U after it", "3.99");
  keys.quantity(impact.impulse, "impulse", "contact impulse P", "8.42");
}

static void describe(Keys& keys, KnownSample& sample) {
  keys.quantity(sample.t, "t", "its time", "0.25", true);
  keys.row(sample.q, "q", "all coordinates, in their order", "[0.69]");
  keys.row(sample.v, "v", "all velocities, in their order", "[-2.45]");
  keys.quantities(sample.observed, "observed", "displacements that the model observes, by name", "{ tip = 1e-3 }");
  keys.quantity(sample.energy, "energy", "kinetic plus potential energy", "9.81");
}

static void describe(Keys& keys, KnownAnswer& known) {
  keys.text(known.source, "source", "where the answer comes from", "\"closed form\"", true);
  keys.row(known.window, "window", "the times from and until which the answer holds; the whole run if not given",
           "[0.0, 2.5]");
  keys.quantity(known.error, "error",
                "the largest |q − q exact| allowed at the scenario's own step: the maximum over the "
                "coordinates and over the samples, or over the recorded times where q is given as formulas",
                "1e-2", false, positive);
  keys.quantity(known.time_error, "time_error", "the largest error allowed in the times of the impacts", "1e-3", false,
                positive);
  keys.quantities(known.q, "q", "the exact motion: formulas of t, by coordinate", "{ x = \"cos(t)\" }");
  keys.quantities(known.v, "v", "its velocities: formulas of t, by coordinate", "{ x = \"-sin(t)\" }");
  keys.rows(known.impacts, "impacts", "the first impacts, one a line, in the order of time");
  keys.rows(known.samples, "samples", "states at given times, one a line, in the order of time");
}

constexpr const char* drawn_contact =
    "a contact or dry friction: what is drawn has the colour of its phase, while it sticks and while it slides";

static void describe(Keys& keys, DrawnSegment& segment) {
  keys.matrix(segment.through, "through", "two points or more, [x, y] each", "[[0.0, 0.0], [\"x\", \"y\"]]", true);
  keys.flag(segment.closed, "closed", "back to the first point, and filled", "true");
  keys.text(segment.contact, "contact", drawn_contact, "\"floor\"");
}

static void describe(Keys& keys, DrawnCircle& circle) {
  keys.row(circle.at, "at", "its centre, [x, y]", "[\"x\", \"y\"]", true);
  keys.quantity(circle.radius, "radius", "its radius", "\"R\"", true);
  keys.quantity(circle.angle, "angle", "how far it has turned, anticlockwise: it is drawn with a spoke", "\"phi\"");
  keys.text(circle.contact, "contact", drawn_contact, "\"floor\"");
}

static void describe(Keys& keys, DrawnSpring& spring) {
  keys.row(spring.from, "from", "one end, [x, y]", "[0.0, 0.0]", true);
  keys.row(spring.to, "to", "the other end, [x, y]", "[\"x\", 0.0]", true);
}

static void describe(Keys& keys, DrawnPoint& point) {
  keys.row(point.at, "at", "its place, [x, y]", "[\"x\", \"y\"]", true);
  keys.text(point.contact, "contact", drawn_contact, "\"floor\"");
}

static void describe(Keys& keys, Drawing& drawing) {
  keys.rows(drawing.segments, "segments", "straight lines and polygons");
  keys.rows(drawing.circles, "circles", "circles");
  keys.rows(drawing.springs, "springs", "springs between two points");
  keys.rows(drawing.points, "points", "points");
}

static void describe(Keys& keys, Scenario& scenario) {
  keys.text(scenario.title, "title", "one line that names the scenario", "\"Ball on a floor\"");
  keys.text(scenario.about, "about", "what it shows, in as many lines as it needs", "\"A ball falls on a floor.\"");
  keys.choice(scenario.model, "model", "the mechanical system", "", true);
  keys.table(
      scenario.initial, "initial",
      "the state at the start; required where the model is made of formulas. initial = \"equilibrium\" is short for "
      "the table with q = \"equilibrium\"",
      "\"equilibrium\"");
  keys.scheme(scenario.scheme, "scheme", "the time integrator and its parameters");
  keys.table(scenario.time, "time", "span and step of the run", "", true);
  keys.table(scenario.solver, "solver", "how the contact problems are solved");
  keys.tables(scenario.outputs, "output", "a further quantity of the result, by a formula");
  keys.rows(scenario.display, "display", "units and labels of quantities, one a line",
            "[{ name = \"x\", unit = \"m\", label = \"tip of the tube\" }]");
  keys.table(scenario.sweep, "sweep",
             "many trajectories with different values, for `ricochet sweep`; a run does not need it");
  keys.table(scenario.orbit, "orbit", "what kind of orbit `ricochet orbit` looks for; a run does not need it");
  keys.table(scenario.continuation, "continue",
             "along what `ricochet continue` follows the orbit; a run does not need it");
  keys.table(scenario.known, "known",
             "what the motion is known to be; a run does not need it, the tests of the gallery do");
  keys.table(
      scenario.draw, "draw",
      "what the page animates instead of its own figure, to one scale: numbers, or formulas of t, the coordinates, "
      "their velocities (x_dot) and the parameters. What does not move is drawn grey, as an obstacle");
}

KeyTable keys_of(Scenario& scenario) { return described(scenario); }

KeyTable InnerTables::at(std::size_t i) const { return keys(holder, i); }

KeyTable InnerTables::add() const {
  append(holder);
  return at(size() - 1);
}

const TableKey* find(const KeyTable& keys, std::string_view name) {
  const auto place = std::find_if(keys.begin(), keys.end(), [&](const TableKey& key) { return key.name == name; });
  return place == keys.end() ? nullptr : &*place;
}

std::vector<std::string> names_of(const KeyTable& keys) {
  std::vector<std::string> names;
  for (const TableKey& key : keys) names.emplace_back(key.name);
  return names;
}

}  // namespace ricochet
