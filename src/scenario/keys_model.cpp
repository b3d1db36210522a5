// The keys of the model, one description a kind.
#include "scenario/describe.hpp"

namespace ricochet {

constexpr const char* parameters_meaning = "names for use in formulas: values, or formulas of other parameters";

static void describe(Keys& keys, ConstraintDescription& constraint) {
  keys.text({"name", "its name in results and messages", "\"floor\"", true}, constraint.name);
  keys.formula({"gap", "g(t, q) ≥ 0: the gap, open when positive; may depend on t", "\"x\"", true}, constraint.gap);
  keys.quantity({"restitution", "e: U⁺ = −e U⁻; a number or a formula of t and q", "0.9", false, zero_to_one},
                constraint.restitution);
  keys.quantity({"dissipation_index", "d in place of the restitution: e = (1 − d)/(1 + d)", "0.05", false, zero_to_one},
                constraint.dissipation_index);
}

static void describe(Keys& keys, StateDescription& state) {
  keys.text({"name", "its name in formulas", "\"p\"", true}, state.name);
  keys.formula({"rate", "z' as a formula of t, coordinates, velocities and states", "\"-p/tau + x_dot\"", true},
               state.rate);
  keys.quantity({"initial", "its value at the start; a number or a formula of the parameters", "0.0"}, state.initial);
}

static void describe(Keys& keys, LagrangianDescription& model) {
  keys.names({"coordinates", "q; the velocity of x is x_dot in formulas", "[\"x\"]", true}, model.coordinates);
  keys.quantities({"parameters", parameters_meaning, "{ m = 1.0, g = 9.81 }"}, model.parameters);
  keys.formula({"kinetic",
                "T(t, q, q_dot), at most quadratic in the velocities: the mass matrix and the inertia "
                "terms are derived from it",
                "\"m*x_dot^2/2\""},
               model.kinetic);
  keys.matrix({"mass", "M(t, q) in place of kinetic: M q'' = force − dV/dq − dD/dq_dot, no inertia terms are derived",
               "[[\"m\"]]"},
              model.mass);
  keys.formula({"potential", "V(t, q)", "\"m*g*x\""}, model.potential);
  keys.formula({"dissipation", "D(t, q, q_dot), the Rayleigh function: force −dD/dq_dot", "\"c*x_dot^2/2\""},
               model.dissipation);
  keys.quantities({"force", "further generalised forces Q(t, q, q_dot) by coordinate", "{ x = \"A*cos(w*t)\" }"},
                  model.force);
  keys.tables({"state", "an auxiliary first-order state z, for use in forces", {}}, model.states);
  keys.tables({"constraint", "a unilateral constraint", {}}, model.constraints);
}

// A function of time under the name that it has in its place.
static void describe_signal(Keys& keys, SignalDescription& signal, std::string_view name, std::string_view meaning) {
  keys.formula({name, meaning, "\"60*sin(2*pi*18*t)\""}, signal.formula);
  keys.text({"file", "or a CSV file beside the scenario: times in its first column", "\"record.csv\""}, signal.file);
  keys.text({"column", "which column of the file, by name or number; 1, the second, if not given", "\"north\""},
            signal.column);
  keys.text({"interpolation", "between its times: linear, or cubic (a spline)", "\"cubic\""}, signal.interpolation);
  keys.text({"outside", "before its first and after its last time: zero, or hold for the value there", "\"hold\""},
            signal.outside);
  keys.quantity({"factor", "multiplies what the file gives", "1.0"}, signal.factor);
}

static void describe(Keys& keys, CoordinateLoad& load) {
  keys.quantity({"dof", "the coordinate it acts on: its number from 0, or its name", "17", true}, load.dof);
  describe_signal(keys, load.signal, "force", "the force as a formula of t");
}

static void describe(Keys& keys, PointLoad& load) {
  keys.quantity({"at", "the abscissa where it acts", "0.3", true}, load.at);
  describe_signal(keys, load.signal, "force", "the force as a formula of t");
}

static void describe(Keys& keys, BaseMotion& base) {
  describe_signal(keys, base.signal, "acceleration", "the acceleration of the base as a formula of t");
  keys.text({"unit", "of the acceleration: m/s^2, or g for multiples of 9.80665 m/s^2", "\"g\""}, base.unit);
  keys.quantities({"direction",
                   "how far each coordinate goes with a unit displacement of the base; 1 for all coordinates (on a "
                   "beam: deflections) if not given",
                   "{ 0 = 1.0, 1 = 1.0 }"},
                  base.direction);
}

static void describe(Keys& keys, ImpactDescription& impact) {
  keys.quantity({"restitution", "e: U⁺ = −e U⁻", "0.5", false, zero_to_one}, impact.restitution);
  keys.quantity({"dissipation_index", "d in place of the restitution: e = (1 − d)/(1 + d)", "0.05", false, zero_to_one},
                impact.dissipation_index);
}

static void describe(Keys& keys, RowConstraint& constraint) {
  keys.text({"name", "its name in results and messages", "\"wall\"", true}, constraint.name);
  keys.quantities(
      {"normal", "g = normal·q + offset: weights by number (from 0) or name of the coordinate", "{ 17 = -1.0 }"},
      constraint.normal);
  keys.quantity({"offset", "the gap at q = 0: a number, or a formula of t for a moving obstacle", "0.01"},
                constraint.offset);
  keys.formula({"gap", "or g(t, q) ≥ 0 as a formula of t and the coordinates' names", "\"0.01 - q17\""},
               constraint.gap);
  describe(keys, constraint.impact);
}

static void describe(Keys& keys, StopLimits& limits) {
  keys.quantity({"lower", "the displacement stays above this", "-5e-4"}, limits.lower);
  keys.quantity({"upper", "the displacement stays below this", "5e-4"}, limits.upper);
  describe(keys, limits.impact);
  keys.text({"name", "its constraints are NAME-lower and NAME-upper; stop0, stop1, … if not given", "\"guide\""},
            limits.name);
}

static void describe(Keys& keys, CoordinateStop& stop) {
  keys.quantity({"dof", "the coordinate that is stopped: its number from 0, or its name", "17", true}, stop.dof);
  describe(keys, stop.limits);
}

static void describe(Keys& keys, PointStop& stop) {
  keys.quantity({"at", "the abscissa of the point that is stopped", "0.9", true}, stop.at);
  describe(keys, stop.limits);
}

static void describe(Keys& keys, EndStop& stop) {
  keys.text({"end", "left or right", "\"left\"", true}, stop.end);
  keys.quantity({"gap", "how far the end can move before it touches", "5e-5", true}, stop.gap);
  describe(keys, stop.impact);
}

static void describe(Keys& keys, RowObservation& observation) {
  keys.text({"name", "its name in results", "\"drift\"", true}, observation.name);
  keys.quantities({"normal", "weights by number (from 0) or name of the coordinate", "{ 3 = 1.0, 2 = -1.0 }", true},
                  observation.normal);
}

static void describe(Keys& keys, PointObservation& observation) {
  keys.text({"name", "its name in results", "\"tip\"", true}, observation.name);
  keys.quantity({"at", "the abscissa of the point", "1.5", true}, observation.at);
}

// Damping and modes, which all systems with a stiffness share.
template <class Description>
static void describe_damping(Keys& keys, Description& model) {
  keys.row({"rayleigh", "[a, b]: damping a M + b K", "[0.1, 1e-4]"}, model.rayleigh);
  keys.row({"damping_ratios", "of the modes, the slowest first; the last one holds for all further modes", "[0.02]"},
           model.damping_ratios);
  keys.count({"modes", "reduce the model to its so many slowest modes; 0: do not", "0"}, model.modes);
}

static void describe(Keys& keys, LinearDescription& model) {
  keys.names({"coordinates", "names of the coordinates; q0, q1, … if not given", "[\"floor1\", \"floor2\"]"},
             model.coordinates);
  keys.quantities({"parameters", parameters_meaning, "{ F = 60.0 }"}, model.parameters);
  keys.text({"matrices", "an NPZ file with arrays M, K and perhaps C, in place of the three keys that follow",
             "\"tower.npz\""},
            model.matrices);
  keys.matrix_or_file({"mass", "M: rows, or a file: Matrix Market (.mtx), NumPy or SciPy (.npy, .npz, file.npz:name)",
                       "[[2.0, 0.0], [0.0, 1.0]]"},
                      model.mass);
  keys.matrix_or_file({"stiffness", "K, likewise", "\"K.mtx\""}, model.stiffness);
  keys.matrix_or_file({"damping", "C, likewise", "\"C.mtx\""}, model.damping);
  describe_damping(keys, model);
  keys.quantities(
      {"load", "forces as formulas of t, by number (from 0) or name of the coordinate", "{ 3 = \"F*sin(w*t)\" }"},
      model.load);
  keys.rows({"loads", "forces, also from files", {}}, model.loads);
  keys.table(
      {"base", "motion of the base: coordinates are then relative to it, and −M·direction·acceleration acts", {}},
      model.base);
  keys.rows({"stops", "two-sided or one-sided stops of a coordinate", {}}, model.stops);
  keys.rows({"observe", "displacements to record besides the coordinates", {}}, model.observe);
  keys.tables({"constraint", "a unilateral constraint: a row or a formula", {}}, model.constraints);
}

static void describe_line(Keys& keys, LineDescription& model) {
  keys.count({"elements", "how many, all of the same length", "1000", true}, model.elements);
  keys.quantity({"length", "L", "1.0", true, positive}, model.length);
  keys.quantity({"young", "E", "210e9", true, positive}, model.young);
  keys.quantity({"area", "A, of the section", "3.14e-4", true, positive}, model.area);
  keys.quantity({"density", "ρ", "7800.0", true, positive}, model.density);
}

static void describe_line_rest(Keys& keys, LineDescription& model, const char* ends) {
  keys.text({"mass", "consistent or lumped", "\"lumped\""}, model.mass);
  keys.text({"left", ends, "\"free\""}, model.left);
  keys.text({"right", ends, "\"free\""}, model.right);
  keys.quantities({"parameters", parameters_meaning, "{ F = 60.0 }"}, model.parameters);
  describe_damping(keys, model);
  keys.rows({"loads", "forces at points", {}}, model.loads);
  keys.rows({"stops", "two-sided or one-sided stops of points", {}}, model.stops);
  keys.rows({"observe", "points whose displacement is recorded", {}}, model.observe);
  keys.table({"base", "motion of the base: displacements are then relative to it", {}}, model.base);
}

static void describe(Keys& keys, BarDescription& model) {
  describe_line(keys, model);
  keys.table({"stop", "an obstacle at one end", {}}, model.stop);
  describe_line_rest(keys, model, "this end: free or fixed");
}

static void describe(Keys& keys, BeamDescription& model) {
  describe_line(keys, model);
  keys.quantity({"inertia", "I, second moment of the section", "4.6e-9", true, positive}, model.inertia);
  keys.text({"method", "hermite (cubic elements), or differences (finite differences, Paoli 2001)", "\"differences\""},
            model.method);
  keys.text({"boundary", "rows of the finite differences at a free end: second-order, or first-order as in the paper",
             "\"first-order\""},
            model.boundary);
  describe_line_rest(keys, model, "this end: free, clamped or pinned");
}

static void describe(Keys& keys, BeadColumnDescription& model) {
  keys.count({"count", "how many beads", "10", true}, model.count);
  keys.quantity({"radius", "of a bead", "0.01", true, positive}, model.radius);
  keys.quantity({"mass", "of a bead", "0.03", true, positive}, model.mass);
  keys.quantity({"gravity", "its acceleration, downwards", "9.81"}, model.gravity);
  keys.quantity({"restitution", "e of all contacts", "0.8", true, zero_to_one}, model.restitution);
  keys.quantity({"spacing",
                 "between neighbours, and over the floor, at the start; 0: at rest on each other",
                 "1e-3",
                 false,
                 {0.0}},
                model.spacing);
  keys.quantity({"floor", "its height", "0.0"}, model.floor);
  keys.quantity({"floor_restitution", "e of the contact with the floor, if it differs", "0.5", false, zero_to_one},
                model.floor_restitution);
  keys.quantities({"parameters", parameters_meaning, "{ e = 0.8 }"}, model.parameters);
}

static void describe(Keys& keys, BeadChainDescription& model) {
  keys.count({"count", "how many beads", "5", true}, model.count);
  keys.quantity({"mass", "of a bead", "0.1", true, positive}, model.mass);
  keys.quantity({"restitution", "e of all contacts", "1.0", true, zero_to_one}, model.restitution);
  keys.quantity({"spacing", "between neighbours where they hang or lie", "0.0", false, {0.0}}, model.spacing);
  keys.quantity(
      {"length", "of the threads by which they hang; without it they are free on a line", "0.2", false, positive},
      model.length);
  keys.quantity({"gravity", "its acceleration", "9.81"}, model.gravity);
  keys.quantities({"parameters", parameters_meaning, "{ e = 1.0 }"}, model.parameters);
}

KeyTable keys_of(ModelDescription& model) {
  return std::visit([](auto& description) { return described(description); }, model);
}

template <std::size_t I = 0>
static void emplace_kind(ModelDescription& model, std::size_t kind) {
  if (kind == I) model.emplace<I>();
  if constexpr (I + 1 < std::variant_size_v<ModelDescription>) emplace_kind<I + 1>(model, kind);
}

void choose_kind(ModelDescription& model, std::size_t kind) { emplace_kind(model, kind); }

}  // namespace ricochet
