// The keys of the tables [orbit] and [continue].
#include "scenario/keys/describe.hpp"

namespace ricochet {

void describe(Keys& keys, OrbitDescription& orbit) {
  keys.quantity(orbit.period, "period",
                "the period of the load, a number or a formula of the parameters; that of [sweep] if not given. "
                "Without one nothing may depend on time, and the period of the orbit is found",
                "\"2*pi/w\"", false, positive);
  keys.text(orbit.section, "section",
            "a formula of coordinates, velocities, states, parameters and t that passes 0, rising, in every round: the "
            "state of the orbit is told there, and motions without a load and without impacts are followed from there",
            "\"x\"");
  keys.text(orbit.start, "start",
            "a file with the state to begin with in place of [initial], its last row: the result of a run, or of an "
            "orbit; columns t, x, x_dot and so on",
            "\"orbit.h5\"");
  keys.count(orbit.longest, "longest",
             "a motion may repeat after so many periods of the load, or impacts where there is no load", "16");
  keys.quantity(orbit.settle, "settle",
                "how long the motion may take to settle, likewise a formula; 1000 periods of the load if not given, or "
                "what the run lasts where there is no load",
                "\"200*2*pi/w\"", false, positive);
  keys.count(orbit.guess, "guess",
             "[initial] is close to an orbit already: it is taken as it is, over so many periods of the load, or "
             "impacts; finds unstable orbits too. 0: the motion is followed until it repeats",
             "1");
  keys.names(orbit.drift, "drift", "coordinates that come back shifted by an amount that is found", "[\"y\"]");
  keys.quantities(orbit.shift, "shift", "coordinates that come back shifted by a given amount", "{ phi = \"2*pi\" }");
}

void describe(Keys& keys, ContinueDescription& table) {
  keys.text(table.along, "along",
            "the key along which orbits are followed, written as for --set: a number of the model",
            "\"model.parameters.w\"");
  keys.row(table.range, "range", "between which values; it holds the value of the scenario", "[2.0, 4.0]");
  keys.quantity(table.step, "step",
                "the largest step along a branch, as a part of the range and of the sizes of the motion", "0.02", false,
                positive);
  keys.count(table.points, "points", "the most points of a branch, each way", "2000");
  keys.flag(table.branches, "branches", "follow the orbits that begin at flips and at grazing too", "true");
  keys.text(table.second, "second",
            "the key of a second parameter: folds, flips and grazing are followed as curves in both",
            "\"model.parameters.A\"");
  keys.row(table.second_range, "second_range", "between which values of it; it holds the value of the scenario",
           "[0.0, 1.0]");
}

}  // namespace ricochet
