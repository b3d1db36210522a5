// What the keys of a scenario are, all but those of the model and of sweeps.
#include <algorithm>

#include "scenario/describe.hpp"

namespace ricochet {

static void describe(Keys& keys, Initial& initial) {
  keys.values({"q",
               "the coordinates at the start: numbers or formulas of the parameters by coordinate, all of them where "
               "the model is made of formulas; or one for all, on bars and beams also a formula of the abscissa x; "
               "or a CSV or NPY file",
               "{ x = 1.0 }"},
              initial.q);
  keys.values({"v", "the velocities at the start, likewise; those not given are 0", "{ x = 0.0 }"}, initial.v);
}

static void describe(Keys& keys, Time& time) {
  keys.quantity({"from", "start of the run", "0.0"}, time.from);
  keys.quantity({"until", "end of the run, after its start", "3.0", true}, time.until);
  keys.quantity({"step",
                 "largest step h: the grid is even, and the run ends exactly at `until`; for schemes that "
                 "choose their own steps, the interval at which the result is recorded",
                 "1e-3", true, positive},
                time.step);
  keys.count(
      {"record_every", "record every so many steps, and always the first and the last state; 0: only these two", "1"},
      time.record_every);
}

static void describe(Keys& keys, Solver& solver) {
  keys.text({"name", "the solver of the contact problems; `ricochet solvers` lists them", "\"active-set\""},
            solver.name);
  keys.quantity({"tolerance", "largest accepted residual; the solver's own if not given", "1e-8", false, positive},
                solver.tolerance);
  keys.count({"max_iterations", "iterations before a contact problem counts as failed; 0: the solver's own", "0"},
             solver.max_iterations);
  keys.quantity({"relaxation", "in (0, 2): over-relaxation of gauss-seidel", "1.2", false, positive},
                solver.relaxation);
}

static void describe(Keys& keys, KnownImpact& impact) {
  keys.quantity({"t", "its time", "0.45", true}, impact.t);
  keys.text({"constraint", "the name of the constraint", "\"floor\"", true}, impact.constraint);
  keys.quantity({"rate_minus", "gap rate U before it", "-4.43"}, impact.rate_minus);
  keys.quantity({"rate_plus", "gap rate U after it", "3.99"}, impact.rate_plus);
  keys.quantity({"impulse", "contact impulse P", "8.42"}, impact.impulse);
}

static void describe(Keys& keys, KnownSample& sample) {
  keys.quantity({"t", "its time", "0.25", true}, sample.t);
  keys.row({"q", "all coordinates, in their order", "[0.69]"}, sample.q);
  keys.row({"v", "all velocities, in their order", "[-2.45]"}, sample.v);
  keys.quantities({"observed", "displacements that the model observes, by name", "{ tip = 1e-3 }"}, sample.observed);
  keys.quantity({"energy", "kinetic plus potential energy", "9.81"}, sample.energy);
}

static void describe(Keys& keys, KnownAnswer& known) {
  keys.text({"source", "where the answer comes from", "\"closed form\"", true}, known.source);
  keys.row({"window", "the times from and until which the answer holds; the whole run if not given", "[0.0, 2.5]"},
           known.window);
  keys.quantity({"error",
                 "the largest |q − q exact| allowed at the scenario's own step: the maximum over the "
                 "coordinates and over the samples, or over the recorded times where q is given as formulas",
                 "1e-2", false, positive},
                known.error);
  keys.quantity({"time_error", "the largest error allowed in the times of the impacts", "1e-3", false, positive},
                known.time_error);
  keys.quantities({"q", "the exact motion: formulas of t, by coordinate", "{ x = \"cos(t)\" }"}, known.q);
  keys.quantities({"v", "its velocities: formulas of t, by coordinate", "{ x = \"-sin(t)\" }"}, known.v);
  keys.rows({"impacts", "the first impacts, one a line, in the order of time", {}}, known.impacts);
  keys.rows({"samples", "states at given times, one a line, in the order of time", {}}, known.samples);
}

static void describe(Keys& keys, Scenario& scenario) {
  keys.text({"title", "one line that names the scenario", "\"Ball on a floor\""}, scenario.title);
  keys.text({"about", "what it shows, in as many lines as it needs", "\"A ball falls on a floor.\""}, scenario.about);
  keys.choice({"model", "the mechanical system", {}, true}, scenario.model);
  keys.table({"initial", "the state at the start; required where the model is made of formulas", {}}, scenario.initial);
  keys.scheme({"scheme", "the time integrator and its parameters", {}}, scenario.scheme);
  keys.table({"time", "span and step of the run", {}, true}, scenario.time);
  keys.table({"solver", "how the contact problems are solved", {}}, scenario.solver);
  keys.table({"sweep", "many trajectories with different values, for `ricochet sweep`; a run does not need it", {}},
             scenario.sweep);
  keys.table({"known", "what the motion is known to be; a run does not need it, the tests of the gallery do", {}},
             scenario.known);
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
