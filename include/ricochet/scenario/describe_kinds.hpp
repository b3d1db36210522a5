// The keys of the kinds of model besides formulas; see describe.hpp.
#pragma once

#include <string_view>

#include "ricochet/scenario/key.hpp"
#include "ricochet/scenario/model_kinds.hpp"

namespace ricochet {

inline constexpr const char* parameters_meaning = "names for use in formulas: values, or formulas of other parameters";

// A function of time under the name that it has in its place.
template <class Visitor>
void describe_signal(Visitor& visit, SignalDescription& signal, std::string_view name, std::string_view meaning) {
  visit.formula({name, meaning, "\"60*sin(2*pi*18*t)\""}, signal.formula);
  visit.text({"file", "or a CSV file beside the scenario: times in its first column", "\"record.csv\""}, signal.file);
  visit.text({"column", "which column of the file, by name or number; 1, the second, if not given", "\"north\""},
             signal.column);
  visit.text({"interpolation", "between its times: linear, or cubic (a spline)", "\"cubic\""}, signal.interpolation);
  visit.text({"outside", "before its first and after its last time: zero, or hold for the value there", "\"hold\""},
             signal.outside);
  visit.quantity({"factor", "multiplies what the file gives", "1.0"}, signal.factor);
}

template <class Visitor>
void describe(Visitor& visit, CoordinateLoad& load) {
  visit.quantity({"dof", "the coordinate it acts on: its number from 0, or its name", "17", true}, load.dof);
  describe_signal(visit, load.signal, "force", "the force as a formula of t");
}

template <class Visitor>
void describe(Visitor& visit, PointLoad& load) {
  visit.quantity({"at", "the abscissa where it acts", "0.3", true}, load.at);
  describe_signal(visit, load.signal, "force", "the force as a formula of t");
}

template <class Visitor>
void describe(Visitor& visit, BaseMotion& base) {
  describe_signal(visit, base.signal, "acceleration", "the acceleration of the base as a formula of t");
  visit.text({"unit", "of the acceleration: m/s^2, or g for multiples of 9.80665 m/s^2", "\"g\""}, base.unit);
  visit.quantities({"direction",
                    "how far each coordinate goes with a unit displacement of the base; 1 for all coordinates (on a "
                    "beam: deflections) if not given",
                    "{ 0 = 1.0, 1 = 1.0 }"},
                   base.direction);
}

template <class Visitor>
void describe(Visitor& visit, ImpactDescription& impact) {
  visit.quantity({"restitution", "e: U⁺ = −e U⁻", "0.5", false, zero_to_one}, impact.restitution);
  visit.quantity(
      {"dissipation_index", "d in place of the restitution: e = (1 − d)/(1 + d)", "0.05", false, zero_to_one},
      impact.dissipation_index);
}

template <class Visitor>
void describe(Visitor& visit, RowConstraint& constraint) {
  visit.text({"name", "its name in results and messages", "\"wall\"", true}, constraint.name);
  visit.quantities(
      {"normal", "g = normal·q + offset: weights by number (from 0) or name of the coordinate", "{ 17 = -1.0 }"},
      constraint.normal);
  visit.quantity({"offset", "the gap at q = 0: a number, or a formula of t for a moving obstacle", "0.01"},
                 constraint.offset);
  visit.formula({"gap", "or g(t, q) ≥ 0 as a formula of t and the coordinates' names", "\"0.01 - q17\""},
                constraint.gap);
  describe(visit, constraint.impact);
}

template <class Visitor>
void describe(Visitor& visit, StopLimits& limits) {
  visit.quantity({"lower", "the displacement stays above this", "-5e-4"}, limits.lower);
  visit.quantity({"upper", "the displacement stays below this", "5e-4"}, limits.upper);
  describe(visit, limits.impact);
  visit.text({"name", "its constraints are NAME-lower and NAME-upper; stop0, stop1, … if not given", "\"guide\""},
             limits.name);
}

template <class Visitor>
void describe(Visitor& visit, CoordinateStop& stop) {
  visit.quantity({"dof", "the coordinate that is stopped: its number from 0, or its name", "17", true}, stop.dof);
  describe(visit, stop.limits);
}

template <class Visitor>
void describe(Visitor& visit, PointStop& stop) {
  visit.quantity({"at", "the abscissa of the point that is stopped", "0.9", true}, stop.at);
  describe(visit, stop.limits);
}

template <class Visitor>
void describe(Visitor& visit, EndStop& stop) {
  visit.text({"end", "left or right", "\"left\"", true}, stop.end);
  visit.quantity({"gap", "how far the end can move before it touches", "5e-5", true}, stop.gap);
  describe(visit, stop.impact);
}

template <class Visitor>
void describe(Visitor& visit, RowObservation& observation) {
  visit.text({"name", "its name in results", "\"drift\"", true}, observation.name);
  visit.quantities({"normal", "weights by number (from 0) or name of the coordinate", "{ 3 = 1.0, 2 = -1.0 }", true},
                   observation.normal);
}

template <class Visitor>
void describe(Visitor& visit, PointObservation& observation) {
  visit.text({"name", "its name in results", "\"tip\"", true}, observation.name);
  visit.quantity({"at", "the abscissa of the point", "1.5", true}, observation.at);
}

// Damping and modes, which all systems with a stiffness share.
template <class Visitor, class Description>
void describe_damping(Visitor& visit, Description& model) {
  visit.row({"rayleigh", "[a, b]: damping a M + b K", "[0.1, 1e-4]"}, model.rayleigh);
  visit.row({"damping_ratios", "of the modes, the slowest first; the last one holds for all further modes", "[0.02]"},
            model.damping_ratios);
  visit.count({"modes", "reduce the model to its so many slowest modes; 0: do not", "0"}, model.modes);
}

template <class Visitor>
void describe(Visitor& visit, LinearDescription& model) {
  visit.names({"coordinates", "names of the coordinates; q0, q1, … if not given", "[\"floor1\", \"floor2\"]"},
              model.coordinates);
  visit.quantities({"parameters", parameters_meaning, "{ F = 60.0 }"}, model.parameters);
  visit.text({"matrices", "an NPZ file with arrays M, K and perhaps C, in place of the three keys that follow",
              "\"tower.npz\""},
             model.matrices);
  visit.matrix_or_file({"mass", "M: rows, or a file: Matrix Market (.mtx), NumPy or SciPy (.npy, .npz, file.npz:name)",
                        "[[2.0, 0.0], [0.0, 1.0]]"},
                       model.mass);
  visit.matrix_or_file({"stiffness", "K, likewise", "\"K.mtx\""}, model.stiffness);
  visit.matrix_or_file({"damping", "C, likewise", "\"C.mtx\""}, model.damping);
  describe_damping(visit, model);
  visit.quantities(
      {"load", "forces as formulas of t, by number (from 0) or name of the coordinate", "{ 3 = \"F*sin(w*t)\" }"},
      model.load);
  visit.rows({"loads", "forces, also from files", {}}, model.loads);
  visit.table(
      {"base", "motion of the base: coordinates are then relative to it, and −M·direction·acceleration acts", {}},
      model.base);
  visit.rows({"stops", "two-sided or one-sided stops of a coordinate", {}}, model.stops);
  visit.rows({"observe", "displacements to record besides the coordinates", {}}, model.observe);
  visit.tables({"constraint", "a unilateral constraint: a row or a formula", {}}, model.constraints);
}

template <class Visitor>
void describe_line(Visitor& visit, LineDescription& model) {
  visit.count({"elements", "how many, all of the same length", "1000", true}, model.elements);
  visit.quantity({"length", "L", "1.0", true, positive}, model.length);
  visit.quantity({"young", "E", "210e9", true, positive}, model.young);
  visit.quantity({"area", "A, of the section", "3.14e-4", true, positive}, model.area);
  visit.quantity({"density", "ρ", "7800.0", true, positive}, model.density);
}

template <class Visitor>
void describe_line_rest(Visitor& visit, LineDescription& model, const char* ends) {
  visit.text({"mass", "consistent or lumped", "\"lumped\""}, model.mass);
  visit.text({"left", ends, "\"free\""}, model.left);
  visit.text({"right", ends, "\"free\""}, model.right);
  visit.quantities({"parameters", parameters_meaning, "{ F = 60.0 }"}, model.parameters);
  describe_damping(visit, model);
  visit.rows({"loads", "forces at points", {}}, model.loads);
  visit.rows({"stops", "two-sided or one-sided stops of points", {}}, model.stops);
  visit.rows({"observe", "points whose displacement is recorded", {}}, model.observe);
  visit.table({"base", "motion of the base: displacements are then relative to it", {}}, model.base);
}

template <class Visitor>
void describe(Visitor& visit, BarDescription& model) {
  describe_line(visit, model);
  visit.table({"stop", "an obstacle at one end", {}}, model.stop);
  describe_line_rest(visit, model, "this end: free or fixed");
}

template <class Visitor>
void describe(Visitor& visit, BeamDescription& model) {
  describe_line(visit, model);
  visit.quantity({"inertia", "I, second moment of the section", "4.6e-9", true, positive}, model.inertia);
  visit.text({"method", "hermite (cubic elements), or differences (finite differences, Paoli 2001)", "\"differences\""},
             model.method);
  visit.text({"boundary", "rows of the finite differences at a free end: second-order, or first-order as in the paper",
              "\"first-order\""},
             model.boundary);
  describe_line_rest(visit, model, "this end: free, clamped or pinned");
}

template <class Visitor>
void describe(Visitor& visit, BeadColumnDescription& model) {
  visit.count({"count", "how many beads", "10", true}, model.count);
  visit.quantity({"radius", "of a bead", "0.01", true, positive}, model.radius);
  visit.quantity({"mass", "of a bead", "0.03", true, positive}, model.mass);
  visit.quantity({"gravity", "its acceleration, downwards", "9.81"}, model.gravity);
  visit.quantity({"restitution", "e of all contacts", "0.8", true, zero_to_one}, model.restitution);
  visit.quantity({"spacing",
                  "between neighbours, and over the floor, at the start; 0: at rest on each other",
                  "1e-3",
                  false,
                  {0.0}},
                 model.spacing);
  visit.quantity({"floor", "its height", "0.0"}, model.floor);
  visit.quantity({"floor_restitution", "e of the contact with the floor, if it differs", "0.5", false, zero_to_one},
                 model.floor_restitution);
  visit.quantities({"parameters", parameters_meaning, "{ e = 0.8 }"}, model.parameters);
}

template <class Visitor>
void describe(Visitor& visit, BeadChainDescription& model) {
  visit.count({"count", "how many beads", "5", true}, model.count);
  visit.quantity({"mass", "of a bead", "0.1", true, positive}, model.mass);
  visit.quantity({"restitution", "e of all contacts", "1.0", true, zero_to_one}, model.restitution);
  visit.quantity({"spacing", "between neighbours where they hang or lie", "0.0", false, {0.0}}, model.spacing);
  visit.quantity(
      {"length", "of the threads by which they hang; without it they are free on a line", "0.2", false, positive},
      model.length);
  visit.quantity({"gravity", "its acceleration", "9.81"}, model.gravity);
  visit.quantities({"parameters", parameters_meaning, "{ e = 1.0 }"}, model.parameters);
}

}  // namespace ricochet
