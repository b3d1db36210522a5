// The keys of the model, one description a kind.
#include "scenario/keys/describe.hpp"

namespace ricochet {

constexpr const char* compliance_meaning =
    "how the contact gives way under penalty: stiffness k, exponent n (1.5: Hertz), damping c or hysteresis α of the "
    "force k δⁿ (1 + α δ') + c δ'; with neither c nor α the restitution decides";
constexpr const char* compliance_example = "{ stiffness = 2e6, damping = 30.0 }";
constexpr const char* parameters_meaning = "names for use in formulas: values, or formulas of other parameters";

static void describe(Keys& keys, ConstraintDescription& constraint) {
  keys.text(constraint.name, "name", "its name in results and messages", "\"floor\"", true);
  keys.formula(constraint.gap, "gap", "g(t, q) ≥ 0: the gap, open when positive; may depend on t", "\"x\"", true);
  keys.quantity(constraint.restitution, "restitution", "e: U⁺ = −e U⁻; a number or a formula of t and q", "0.9", false,
                zero_to_one);
  keys.quantity(constraint.dissipation_index, "dissipation_index", "d in place of the restitution: e = (1 − d)/(1 + d)",
                "0.05", false, zero_to_one);
  keys.quantity(constraint.friction, "friction",
                "Coulomb's μ ≥ 0, a number or a formula of t and q; the gap is then a length along the normal", "0.3");
  keys.formulas(constraint.slip, "slip",
                "the sliding velocity of the contact point, linear in the velocities; in space a list of two, the "
                "Cartesian components of one velocity in the plane of contact",
                "\"x_dot - R*phi_dot\"");
  keys.quantity(constraint.tangential_restitution, "tangential_restitution",
                "e_T: how much of a slip that is stopped comes back", "0.0", false, zero_to_one);
  keys.quantities(constraint.compliance, "compliance", compliance_meaning, compliance_example);
}

static void describe(Keys& keys, FrictionDescription& friction) {
  keys.text(friction.name, "name", "its name in results and messages", "\"belt\"", true);
  keys.formulas(friction.slip, "slip", "the sliding velocity, linear in the velocities; in space a list of two",
                "\"x_dot - v_b\"", true);
  keys.quantity(friction.limit, "limit", "the largest force, at least 0: a number or a formula of t and q", "\"mu*N\"",
                true);
}

static void describe(Keys& keys, JointDescription& joint) {
  keys.text(joint.name, "name", "its name in results and messages", "\"pin\"", true);
  keys.formulas(joint.equation, "equation", "g(t, q) = 0, one or more rows; a joint that is driven depends on t",
                "[\"x - l*sin(phi)\", \"y + l*cos(phi)\"]");
  keys.formulas(joint.rate, "rate", "or a rate that is 0: linear in the velocities, and the derivative of no position",
                "\"x_dot - R*phi_dot\"");
}

static void describe(Keys& keys, StateDescription& state) {
  keys.text(state.name, "name", "its name in formulas", "\"p\"", true);
  keys.formula(state.rate, "rate", "z' as a formula of t, coordinates, velocities and states", "\"-p/tau + x_dot\"",
               true);
  keys.quantity(state.initial, "initial", "its value at the start; a number or a formula of the parameters", "0.0");
}

static void describe(Keys& keys, LagrangianDescription& model) {
  keys.names(model.coordinates, "coordinates", "q; the velocity of x is x_dot in formulas", "[\"x\"]", true);
  keys.quantities(model.parameters, "parameters", parameters_meaning, "{ m = 1.0, g = 9.81 }");
  keys.formula(model.kinetic, "kinetic",
               "T(t, q, q_dot), at most quadratic in the velocities: the mass matrix and the inertia "
               "terms are derived from it",
               "\"m*x_dot^2/2\"");
  keys.matrix(model.mass, "mass",
              "M(t, q) in place of kinetic: M q'' = force − dV/dq − dD/dq_dot, no inertia terms are derived",
              "[[\"m\"]]");
  keys.formula(model.potential, "potential", "V(t, q)", "\"m*g*x\"");
  keys.formula(model.dissipation, "dissipation", "D(t, q, q_dot), the Rayleigh function: force −dD/dq_dot",
               "\"c*x_dot^2/2\"");
  keys.quantities(model.force, "force", "further generalised forces Q(t, q, q_dot) by coordinate",
                  "{ x = \"A*cos(w*t)\" }");
  keys.tables(model.states, "state", "an auxiliary first-order state z, for use in forces");
  keys.tables(model.constraints, "constraint", "a unilateral constraint");
  keys.tables(model.joints, "joint", "a joint: held in both directions");
  keys.tables(model.frictions, "friction",
              "dry friction with a known limit: belts, brakes, bearings, Jenkins elements");
}

// A function of time under the name that it has in its place.
static void describe_signal(Keys& keys, SignalDescription& signal, std::string_view name, std::string_view meaning) {
  keys.formula(signal.formula, name, meaning, "\"60*sin(2*pi*18*t)\"");
  keys.text(signal.file, "file", "or a CSV file beside the scenario: times in its first column", "\"record.csv\"");
  keys.text(signal.column, "column", "which column of the file, by name or number; 1, the second, if not given",
            "\"north\"");
  keys.text(signal.interpolation, "interpolation", "between its times: linear, or cubic (a spline)", "\"cubic\"");
  keys.text(signal.outside, "outside", "before its first and after its last time: zero, or hold for the value there",
            "\"hold\"");
  keys.quantity(signal.factor, "factor", "multiplies what the file gives", "1.0");
}

static void describe(Keys& keys, CoordinateLoad& load) {
  keys.quantity(load.dof, "dof", "the coordinate it acts on: its number from 0, or its name", "17", true);
  describe_signal(keys, load.signal, "force", "the force as a formula of t");
}

static void describe(Keys& keys, PointLoad& load) {
  keys.quantity(load.at, "at", "the abscissa where it acts", "0.3", true);
  describe_signal(keys, load.signal, "force", "the force as a formula of t");
}

static void describe(Keys& keys, BaseMotion& base) {
  describe_signal(keys, base.signal, "acceleration", "the acceleration of the base as a formula of t");
  keys.text(base.unit, "unit", "of the acceleration: m/s^2, or g for multiples of 9.80665 m/s^2", "\"g\"");
  keys.quantities(base.direction, "direction",
                  "how far each coordinate goes with a unit displacement of the base; 1 for all coordinates (on a "
                  "beam: deflections) if not given",
                  "{ 0 = 1.0, 1 = 1.0 }");
}

static void describe(Keys& keys, ImpactDescription& impact) {
  keys.quantity(impact.restitution, "restitution", "e: U⁺ = −e U⁻", "0.5", false, zero_to_one);
  keys.quantity(impact.dissipation_index, "dissipation_index", "d in place of the restitution: e = (1 − d)/(1 + d)",
                "0.05", false, zero_to_one);
  keys.quantities(impact.compliance, "compliance", compliance_meaning, compliance_example);
}

static void describe(Keys& keys, SlipRows& slips, bool required = false) {
  keys.quantities(slips.slip, "slip",
                  "the sliding velocity, slip·v + slip_offset: weights by number (from 0) or name of the coordinate",
                  "{ 5 = 1.0, 2 = -1.0 }", required);
  keys.quantity(slips.slip_offset, "slip_offset",
                "the slip at v = 0: a number, or a formula of t; minus the velocity of a surface that moves", "0.0");
  keys.quantities(slips.second_slip, "second_slip",
                  "for contact in space: with slip the Cartesian components of one velocity in the plane of contact",
                  "{ 6 = 1.0 }");
  keys.quantity(slips.second_slip_offset, "second_slip_offset", "likewise", "0.0");
}

static void describe(Keys& keys, ContactFriction& friction) {
  keys.quantity(friction.friction, "friction",
                "Coulomb's μ ≥ 0, a number or a formula of t; the gap is then a length along the normal", "0.3");
  describe(keys, friction.slips);
  keys.quantity(friction.tangential_restitution, "tangential_restitution",
                "e_T: how much of a slip that is stopped comes back", "0.0", false, zero_to_one);
}

static void describe(Keys& keys, RowConstraint& constraint) {
  keys.text(constraint.name, "name", "its name in results and messages", "\"wall\"", true);
  keys.quantities(constraint.normal, "normal",
                  "g = normal·q + offset: weights by number (from 0) or name of the coordinate", "{ 17 = -1.0 }");
  keys.quantity(constraint.offset, "offset", "the gap at q = 0: a number, or a formula of t for a moving obstacle",
                "0.01");
  keys.formula(constraint.gap, "gap", "or g(t, q) ≥ 0 as a formula of t and the coordinates' names", "\"0.01 - q17\"");
  describe(keys, constraint.impact);
  describe(keys, constraint.friction);
}

static void describe(Keys& keys, RowFriction& friction) {
  keys.text(friction.name, "name", "its name in results and messages", "\"brake\"", true);
  describe(keys, friction.slips, true);
  keys.quantity(friction.limit, "limit", "the largest force, at least 0: a number or a formula of t", "20.0", true);
}

static void describe(Keys& keys, RowJoint& joint) {
  keys.text(joint.name, "name", "its name in results and messages", "\"link\"", true);
  keys.quantities(joint.normal, "normal", "normal·q + offset = 0: weights by number (from 0) or name of the coordinate",
                  "{ 17 = 1.0, 4 = -1.0 }");
  keys.quantity(joint.offset, "offset", "a number, or a formula of t for a joint that is driven", "0.0");
  keys.formulas(joint.equation, "equation",
                "or g(t, q) = 0, one or more rows: formulas of t and the coordinates' names", "\"q17^2 + q4^2 - L^2\"");
}

static void describe(Keys& keys, StopLimits& limits) {
  keys.quantity(limits.lower, "lower", "the displacement stays above this", "-5e-4");
  keys.quantity(limits.upper, "upper", "the displacement stays below this", "5e-4");
  describe(keys, limits.impact);
  keys.text(limits.name, "name", "its constraints are NAME-lower and NAME-upper; stop0, stop1, … if not given",
            "\"guide\"");
}

static void describe(Keys& keys, CoordinateStop& stop) {
  keys.quantity(stop.dof, "dof", "the coordinate that is stopped: its number from 0, or its name", "17", true);
  describe(keys, stop.limits);
  describe(keys, stop.friction);
}

static void describe(Keys& keys, PointStop& stop) {
  keys.quantity(stop.at, "at", "the abscissa of the point that is stopped", "0.9", true);
  describe(keys, stop.limits);
}

static void describe(Keys& keys, HeldDisplacement& held) {
  keys.quantity(held.displacement, "displacement",
                "where it is held: a number, or a formula of t for a joint that is driven", "0.0");
  keys.text(held.name, "name", "its name in results and messages; joint0, joint1, … if not given", "\"pin\"");
}

static void describe(Keys& keys, CoordinateJoint& joint) {
  keys.quantity(joint.dof, "dof", "the coordinate that is held: its number from 0, or its name", "17", true);
  describe(keys, joint.held);
}

static void describe(Keys& keys, PointJoint& joint) {
  keys.quantity(joint.at, "at", "the abscissa of the point whose displacement is held", "0.3", true);
  describe(keys, joint.held);
}

static void describe(Keys& keys, EndStop& stop) {
  keys.text(stop.end, "end", "left or right", "\"left\"", true);
  keys.quantity(stop.gap, "gap", "how far the end can move before it touches", "5e-5", true);
  describe(keys, stop.impact);
}

static void describe(Keys& keys, RowObservation& observation) {
  keys.text(observation.name, "name", "its name in results", "\"drift\"", true);
  keys.quantities(observation.normal, "normal", "weights by number (from 0) or name of the coordinate",
                  "{ 3 = 1.0, 2 = -1.0 }", true);
}

static void describe(Keys& keys, PointObservation& observation) {
  keys.text(observation.name, "name", "its name in results", "\"tip\"", true);
  keys.quantity(observation.at, "at", "the abscissa of the point", "1.5", true);
}

// Damping and modes, which all systems with a stiffness share.
template <class Description>
static void describe_damping(Keys& keys, Description& model) {
  keys.row(model.rayleigh, "rayleigh", "[a, b]: damping a M + b K", "[0.1, 1e-4]");
  keys.row(model.damping_ratios, "damping_ratios",
           "of the modes, the slowest first; the last one holds for all further modes", "[0.02]");
  keys.count(model.modes, "modes", "reduce the model to its so many slowest modes; 0: do not", "0");
}

static void describe(Keys& keys, LinearDescription& model) {
  keys.names(model.coordinates, "coordinates", "names of the coordinates; q0, q1, … if not given",
             "[\"floor1\", \"floor2\"]");
  keys.quantities(model.parameters, "parameters", parameters_meaning, "{ F = 60.0 }");
  keys.text(model.matrices, "matrices",
            "an NPZ file with arrays M, K and perhaps C, in place of the three keys that follow", "\"tower.npz\"");
  keys.matrix_or_file(model.mass, "mass",
                      "M: rows, or a file: Matrix Market (.mtx), NumPy or SciPy (.npy, .npz, file.npz:name)",
                      "[[2.0, 0.0], [0.0, 1.0]]");
  keys.matrix_or_file(model.stiffness, "stiffness", "K, likewise", "\"K.mtx\"");
  keys.matrix_or_file(model.damping, "damping", "C, likewise", "\"C.mtx\"");
  describe_damping(keys, model);
  keys.quantities(model.load, "load", "forces as formulas of t, by number (from 0) or name of the coordinate",
                  "{ 3 = \"F*sin(w*t)\" }");
  keys.rows(model.loads, "loads", "forces, also from files");
  keys.table(model.base, "base",
             "motion of the base: coordinates are then relative to it, and −M·direction·acceleration acts");
  keys.rows(model.stops, "stops", "two-sided or one-sided stops of a coordinate");
  keys.rows(model.held, "joints", "coordinates that are held or driven");
  keys.rows(model.observe, "observe", "displacements to record besides the coordinates");
  keys.tables(model.constraints, "constraint", "a unilateral constraint: a row or a formula");
  keys.tables(model.joints, "joint", "a joint, held in both directions: a row or formulas");
  keys.tables(model.frictions, "friction", "dry friction with a known limit: belts, brakes, Jenkins elements");
}

static void describe_line(Keys& keys, LineDescription& model) {
  keys.count(model.elements, "elements", "how many, all of the same length", "1000", true);
  keys.quantity(model.length, "length", "L", "1.0", true, positive);
  keys.quantity(model.young, "young", "E", "210e9", true, positive);
  keys.quantity(model.area, "area", "A, of the section", "3.14e-4", true, positive);
  keys.quantity(model.density, "density", "ρ", "7800.0", true, positive);
}

static void describe_line_rest(Keys& keys, LineDescription& model, const char* ends) {
  keys.text(model.mass, "mass", "consistent or lumped", "\"lumped\"");
  keys.text(model.left, "left", ends, "\"free\"");
  keys.text(model.right, "right", ends, "\"free\"");
  keys.quantities(model.parameters, "parameters", parameters_meaning, "{ F = 60.0 }");
  describe_damping(keys, model);
  keys.rows(model.loads, "loads", "forces at points");
  keys.rows(model.stops, "stops", "two-sided or one-sided stops of points");
  keys.rows(model.held, "joints", "points whose displacement is held or driven");
  keys.rows(model.observe, "observe", "points whose displacement is recorded");
  keys.table(model.base, "base", "motion of the base: displacements are then relative to it");
}

static void describe(Keys& keys, BarDescription& model) {
  describe_line(keys, model);
  keys.table(model.stop, "stop", "an obstacle at one end");
  describe_line_rest(keys, model, "this end: free or fixed");
}

static void describe(Keys& keys, BeamDescription& model) {
  describe_line(keys, model);
  keys.quantity(model.inertia, "inertia", "I, second moment of the section", "4.6e-9", true, positive);
  keys.text(model.method, "method", "hermite (cubic elements), or differences (finite differences, Paoli 2001)",
            "\"differences\"");
  keys.text(model.boundary, "boundary",
            "rows of the finite differences at a free end: second-order, or first-order as in the paper",
            "\"first-order\"");
  describe_line_rest(keys, model, "this end: free, clamped or pinned");
}

static void describe(Keys& keys, BeadColumnDescription& model) {
  keys.count(model.count, "count", "how many beads", "10", true);
  keys.quantity(model.radius, "radius", "of a bead", "0.01", true, positive);
  keys.quantity(model.mass, "mass", "of a bead", "0.03", true, positive);
  keys.quantity(model.gravity, "gravity", "its acceleration, downwards", "9.81");
  keys.quantity(model.restitution, "restitution", "e of all contacts", "0.8", true, zero_to_one);
  keys.quantity(model.spacing, "spacing",
                "between neighbours, and over the floor, at the start; 0: at rest on each other", "1e-3", false,
                not_negative);
  keys.quantity(model.floor, "floor", "its height", "0.0");
  keys.quantity(model.floor_restitution, "floor_restitution", "e of the contact with the floor, if it differs", "0.5",
                false, zero_to_one);
  keys.quantities(model.parameters, "parameters", parameters_meaning, "{ e = 0.8 }");
}

static void describe(Keys& keys, BeadChainDescription& model) {
  keys.count(model.count, "count", "how many beads", "5", true);
  keys.quantity(model.mass, "mass", "of a bead", "0.1", true, positive);
  keys.quantity(model.restitution, "restitution", "e of all contacts", "1.0", true, zero_to_one);
  keys.quantity(model.spacing, "spacing", "between neighbours where they hang or lie", "0.0", false, not_negative);
  keys.quantity(model.length, "length", "of the threads by which they hang; without it they are free on a line", "0.2",
                false, positive);
  keys.quantity(model.gravity, "gravity", "its acceleration", "9.81");
  keys.quantities(model.parameters, "parameters", parameters_meaning, "{ e = 1.0 }");
}

static void describe(Keys& keys, MemberDescription& member) {
  keys.text(member.name, "name", "its name: node 3 has the coordinates NAME_3_x, NAME_3_y and NAME_3_angle", "\"arm\"",
            true);
  keys.text(member.from, "from", "the point where it begins, its node 0", "\"A\"", true);
  keys.text(member.to, "to", "the point where it ends", "\"B\"", true);
  keys.count(member.elements, "elements", "how many, all of the same length", "8", true);
  keys.quantity(member.young, "young", "E; with area, inertia and density, or EA and so on in their place", "2.1e11",
                false, positive);
  keys.quantity(member.area, "area", "A, of the section", "1e-4", false, positive);
  keys.quantity(member.inertia, "inertia", "I, second moment of the section", "1e-9", false, positive);
  keys.quantity(member.density, "density", "ρ", "7850.0", false, not_negative);
  keys.quantity(member.poisson, "poisson", "ν: G = E/(2 (1 + ν))", "0.3");
  keys.quantity(member.shear_factor, "shear_factor", "k: GA = k G A", "0.833", false, positive);
  keys.quantity(member.EA, "EA", "the stiffness against stretching", "2.1e7", false, positive);
  keys.quantity(member.GA, "GA", "against shearing", "6.7e6", false, positive);
  keys.quantity(member.EI, "EI", "against bending", "210.0", false, positive);
  keys.quantity(member.rho_A, "rho_A", "the mass a length", "0.785", false, not_negative);
  keys.quantity(member.rho_I, "rho_I", "the rotary inertia a length", "7.85e-6", false, not_negative);
  keys.quantity(
      member.turn, "turn",
      "the angle by which it turns from its beginning to its end when undeformed, to the left if positive: an "
      "arc of a circle",
      "1.57");
  keys.quantity(member.damping, "damping",
                "η, a time: the forces of the section are those of strains ε + η ε_t, and so on", "1e-4", false,
                not_negative);
}

static void describe(Keys& keys, FrameSupport& support) {
  keys.text(support.point, "point", "which point", "\"A\"", true);
  keys.text(support.kind, "kind",
            "clamped (place and angle), pinned (place), roller (moves along its direction), or driven (place held, "
            "but for what the formulas x, y and angle say)",
            "\"pinned\"", true);
  keys.row(support.direction, "direction", "of a roller: along which it moves", "[1.0, 0.0]");
  keys.formula(support.x, "x", "of a driven one: where it is, its x as a formula of t", "\"0.01*sin(40*t)\"");
  keys.formula(support.y, "y", "of a driven one: where it is, its y as a formula of t", "\"0.01*sin(40*t)\"");
  keys.formula(support.angle, "angle", "of a driven one: how far it has turned, as a formula of t; free if not given",
               "\"6*t\"");
}

static void describe(Keys& keys, PointMass& mass) {
  keys.text(mass.point, "point", "which point", "\"C\"", true);
  keys.quantity(mass.mass, "mass", "its mass", "0.2", true, not_negative);
  keys.quantity(mass.inertia, "inertia", "its moment of inertia", "1e-4", false, not_negative);
}

static void describe(Keys& keys, PointSpring& spring) {
  keys.text(spring.point, "point", "which point", "\"B\"", true);
  keys.flag(
      spring.angle, "angle",
      "true: it resists turning, at a hinge that of the two members against each other; false: it draws the point "
      "back to its place",
      "true");
  keys.row(spring.direction, "direction", "along which it draws; in all directions if not given", "[0.0, 1.0]");
  keys.quantity(spring.stiffness, "stiffness", "force a length, or moment an angle", "5.0", true, not_negative);
  keys.quantity(spring.damping, "damping", "of the damper beside it", "0.0", false, not_negative);
}

static void describe(Keys& keys, FrameLoad& load) {
  keys.text(load.point, "point", "where it acts", "\"C\"", true);
  keys.row(load.force, "force", "[X, Y] as formulas of t", "[\"0\", \"-3*sin(40*t)\"]");
  keys.quantity(load.moment, "moment", "a moment as a formula of t", "\"0.1*t\"");
}

static void describe(Keys& keys, FrameConstraint& constraint) {
  describe(keys, constraint.contact);
  keys.text(
      constraint.member, "member",
      "all nodes of this member at once that can move: x, y and angle in the formulas are those of each node; the "
      "constraint of node 3 is NAME-3",
      "\"arm\"");
}

static void describe(Keys& keys, FrameDescription& model) {
  keys.points(model.points, "points", "where the members begin and end: names with [x, y]",
              "{ A = [0.0, 0.0], B = [1.0, 0.0] }", true);
  keys.rows(model.members, "members", "beams between points, straight or arcs");
  keys.rows(model.supports, "supports", "points that are held or driven");
  keys.names(model.hinges, "hinges", "points where members meet without sharing their angle", "[\"B\"]");
  keys.rows(model.masses, "masses", "masses at points");
  keys.rows(model.springs, "springs", "springs at points");
  keys.rows(model.loads, "loads", "forces and moments at points, in directions that do not turn");
  keys.row(model.gravity, "gravity", "its acceleration, [x, y]; none if not given", "[0.0, -9.81]");
  keys.text(model.mass, "mass", "of the elements: consistent or lumped", "\"lumped\"");
  keys.quantity(model.mass_damping, "mass_damping", "α: a force −α M v", "0.0", false, not_negative);
  keys.quantities(model.parameters, "parameters", parameters_meaning, "{ F = 60.0 }");
  keys.rows(model.observe, "observe", "displacements to record besides the coordinates");
  keys.tables(model.constraints, "constraint",
              "a unilateral constraint: formulas of the coordinates of points and nodes, such as C_y and arm_3_x");
  keys.tables(model.joints, "joint", "a joint: held in both directions");
  keys.tables(model.frictions, "friction", "dry friction with a known limit: brakes, bearings");
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
