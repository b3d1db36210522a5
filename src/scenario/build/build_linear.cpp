// kind = "linear": matrices, loads, gaps as rows or formulas.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/place.hpp"
#include "model/reaction_names.hpp"
#include "model/reduce.hpp"
#include "ricochet/core/error.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/build/coordinates.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

constexpr std::uint64_t most_modes = 10'000;

void read_matrices(const LinearDescription& description, const Sources& sources, LinearSystemData& system) {
  const auto given = [](const MatrixSource& source) {
    const auto* rows = std::get_if<0>(&source);
    return !rows || !rows->empty();
  };
  if (!description.matrices.empty()) {
    for (const auto& [source, key] : {std::pair{&description.mass, "mass"},
                                      {&description.stiffness, "stiffness"},
                                      {&description.damping, "damping"}})
      if (given(*source)) throw InputError(key, "cannot be given together with matrices, which names a file for all");
    const auto array = [&](const char* name) { return description.matrices + ":" + name; };
    system.mass = sources.matrix(array("M"), "matrices");
    system.stiffness = sources.matrix(array("K"), "matrices");
    if (sources.files("matrices").has_matrix(array("C"), "matrices"))
      system.damping = sources.matrix(array("C"), "matrices");
    return;
  }
  if (!given(description.mass))
    throw InputError("", "needs mass, a list of rows or a file, or matrices, an NPZ file with M and K");
  system.mass = sources.matrix(description.mass, "mass");
  if (given(description.stiffness)) system.stiffness = sources.matrix(description.stiffness, "stiffness");
  if (given(description.damping)) system.damping = sources.matrix(description.damping, "damping");
}

void name_coordinates(const LinearDescription& description, LinearSystemData& system) {
  const std::size_t n = static_cast<std::size_t>(system.mass.rows());
  if (n == 0) throw InputError("mass", "is empty: a model needs at least one coordinate");
  for (std::size_t i = 0; i < n && description.coordinates.empty(); ++i)
    system.coordinates.push_back(fmt::format("q{}", i));
  if (description.coordinates.empty()) return;
  if (description.coordinates.size() != n)
    throw InputError("coordinates",
                     fmt::format("has {} names, the mass matrix {} rows", description.coordinates.size(), n));
  const std::size_t repeated = first_repeated(description.coordinates);
  for (std::size_t i = 0; i < n; ++i) {
    check_name(description.coordinates[i], path_to("coordinates", i), false);
    if (i == repeated)
      throw InputError(path_to("coordinates", i),
                       fmt::format("the name '{}' is taken twice", description.coordinates[i]));
  }
  system.coordinates = description.coordinates;
}

void add_loads(const LinearDescription& description, const Coordinates& coordinates, const Sources& sources,
               LinearSystemData& system) {
  for (const auto& [name, force] : description.load) {
    const std::string field = "load." + name;
    SignalDescription signal;
    signal.formula = force.text();
    system.loads.push_back(sources.load({{coordinates.find(name, field), 1.0}}, signal, "load", name.c_str()));
  }
  for (std::size_t i = 0; i < description.loads.size(); ++i) {
    const CoordinateLoad& load = description.loads[i];
    const std::string field = path_to("loads", i);
    system.loads.push_back(
        sources.load({{coordinates.find(load.dof, field + ".dof"), 1.0}}, load.signal, field, "force"));
  }
  if (!description.base) return;
  std::vector<double> direction(system.coordinates.size(), description.base->direction.empty() ? 1.0 : 0.0);
  for (const auto& [i, weight] : coordinates.row(description.base->direction, sources, "base.direction"))
    direction[i] = weight;
  system.loads.push_back(base_load(*description.base, system.mass, direction, sources));
}

// Rows with numbers, and stops.
bool is_plain(const RowConstraint& constraint, const Sources& sources) {
  if (!constraint.gap.empty()) return false;
  if (constraint.offset.is_number()) return true;
  try {
    sources.value(constraint.offset, "");
    return true;
  } catch (const InputError&) {
    return false;  // of t, or wrong: the formula reader says which
  }
}

void check_row(const RowConstraint& constraint, const std::string& field) {
  check_name(constraint.name, field + ".name", true);
  if (constraint.gap.empty() == constraint.normal.empty())
    throw InputError(field, "needs normal, the weights of the coordinates, or gap, a formula: one of the two");
}

std::string row_text(const SparseVector& normal, const std::string& offset, const std::vector<std::string>& names) {
  std::string text = "(" + offset + ")";
  for (const auto& [i, weight] : normal) text += fmt::format(" + ({})*{}", to_text(weight), names[i]);
  return text;
}

LinearSlip row_slip(const NamedQuantities& slip, const Quantity& offset, const Coordinates& coordinates,
                    const Sources& sources, const std::string& field) {
  LinearSlip row{coordinates.row(slip, sources, field)};
  if (std::all_of(row.direction.begin(), row.direction.end(), [](const auto& entry) { return entry.second == 0.0; }))
    throw InputError(field, "is zero: it is the velocity with which the surfaces slide");
  row.motion = motion_of(offset, 1.0, sources.parameters(), field + "_offset");
  if (!row.motion)
    row.offset = sources.value(offset, field + "_offset");
  else
    row.poles = time_poles(offset.formula(), sources.parameters());
  return row;
}

// The slips and the bound, whose key is friction or limit.
LinearFriction row_friction(const SlipRows& slips, const Quantity& bound, const char* key,
                            const Coordinates& coordinates, const Sources& sources, const std::string& field) {
  LinearFriction friction;
  friction.slips.push_back(row_slip(slips.slip, slips.slip_offset, coordinates, sources, field + ".slip"));
  if (!slips.second_slip.empty())
    friction.slips.push_back(
        row_slip(slips.second_slip, slips.second_slip_offset, coordinates, sources, field + ".second_slip"));
  const std::string place = field + "." + key;
  friction.bound_motion = motion_of(bound, 1.0, sources.parameters(), place);
  if (!friction.bound_motion) friction.bound = sources.value(bound, place, not_negative);
  return friction;
}

// Friction of a contact; without μ, or with the number 0, it has none.
std::optional<LinearFriction> contact_friction(const ContactFriction& given, const Coordinates& coordinates,
                                               const Sources& sources, const std::string& field) {
  if (!given.friction) {
    if (!given.slips.slip.empty()) throw InputError(field + ".slip", "goes with friction: give friction = μ too");
    if (given.tangential_restitution)
      throw InputError(field + ".tangential_restitution", "goes with friction: give friction = μ too");
    return std::nullopt;
  }
  if (given.slips.slip.empty())
    throw InputError(field + ".slip",
                     "is missing: friction acts along the sliding velocity of the contact point, such as "
                     "{ 5 = 1.0, 2 = -1.0 }");
  LinearFriction friction = row_friction(given.slips, *given.friction, "friction", coordinates, sources, field);
  if (given.tangential_restitution)
    friction.tangential_restitution =
        sources.value(*given.tangential_restitution, field + ".tangential_restitution", zero_to_one);
  if (given.friction->is_number() && friction.bound == 0.0) return std::nullopt;
  return friction;
}

NamedQuantities as_quantities(const Compliance& law) {
  if (law.stiffness == 0.0) return {};
  NamedQuantities result = {{"stiffness", law.stiffness}, {"exponent", law.exponent}};
  if (law.damping >= 0.0) result.emplace_back("damping", law.damping);
  if (law.hysteresis >= 0.0) result.emplace_back("hysteresis", law.hysteresis);
  return result;
}

void add_constraints(const LinearDescription& description, const Coordinates& coordinates, const Sources& sources,
                     LinearSystemData& system) {
  bool all_plain = true;
  for (std::size_t i = 0; i < description.constraints.size(); ++i) {
    check_row(description.constraints[i], path_to("constraint", i));
    all_plain = all_plain && is_plain(description.constraints[i], sources);
  }
  // Which constraint it belongs to follows from the order: those of rows first, then those of stops.
  const auto add_friction = [&](std::optional<LinearFriction> friction, std::size_t constraint) {
    if (!friction) return;
    friction->constraint = static_cast<int>(constraint);
    system.frictions.push_back(std::move(*friction));
  };
  for (std::size_t i = 0; i < description.constraints.size(); ++i)
    add_friction(contact_friction(description.constraints[i].friction, coordinates, sources, path_to("constraint", i)),
                 i);
  std::vector<LinearGap> stops;
  for (std::size_t i = 0; i < description.stops.size(); ++i) {
    const CoordinateStop& stop = description.stops[i];
    const std::string field = path_to("stops", i);
    const std::size_t first = stops.size();
    add_stop(stop.limits, {{coordinates.find(stop.dof, field + ".dof"), 1.0}}, i, field, sources, stops);
    const std::optional<LinearFriction> friction = contact_friction(stop.friction, coordinates, sources, field);
    for (std::size_t j = first; j < stops.size(); ++j) add_friction(friction, description.constraints.size() + j);
  }

  std::vector<ConstraintDescription> curved;
  for (std::size_t i = 0; i < description.constraints.size(); ++i) {
    const RowConstraint& row = description.constraints[i];
    const std::string field = path_to("constraint", i);
    const SparseVector normal = coordinates.row(row.normal, sources, field + ".normal");
    if (all_plain) {
      system.gaps.push_back({row.name, normal, sources.value(row.offset, field + ".offset"),
                             sources.restitution(row.impact, field), sources.compliance(row.impact, field)});
    } else {
      curved.push_back({row.name, row.gap.empty() ? row_text(normal, row.offset.text(), system.coordinates) : row.gap,
                        row.impact.restitution, row.impact.dissipation_index});
      curved.back().compliance = row.impact.compliance;
    }
  }
  if (all_plain) {
    system.gaps.insert(system.gaps.end(), stops.begin(), stops.end());
    return;
  }
  for (const LinearGap& stop : stops) {
    curved.push_back({stop.name, row_text(stop.normal, to_text(stop.offset), system.coordinates), stop.restitution});
    curved.back().compliance = as_quantities(stop.compliance);
  }
  LagrangianDescription formulas;
  formulas.parameters = description.parameters;
  formulas.constraints = std::move(curved);
  system.curved_gaps = curved_rows(std::move(formulas), coordinates);
}

void check_joint(const RowJoint& joint, const SparseVector& normal, const std::string& field) {
  if (!joint.normal.empty() && !joint.equation.empty())
    throw InputError(field + ".equation", "give normal or equation, not both: two joints may hold both");
  if (joint.normal.empty() && joint.equation.empty())
    throw InputError(field, "holds nothing: give normal, the weights of the coordinates, or equation, g(t, q) = 0");
  if (!joint.equation.empty() && joint.offset != Quantity(0.0))
    throw InputError(field + ".offset", "belongs to normal: put it into the equation");
  if (joint.equation.empty() &&
      std::all_of(normal.begin(), normal.end(), [](const auto& entry) { return entry.second == 0.0; }))
    throw InputError(field + ".normal", "is zero: such a joint holds nothing");
}

// Rows, in the order of the file; if one of them is curved, all of them as formulas.
void add_joints(const LinearDescription& description, const Coordinates& coordinates, const Sources& sources,
                RowNames& names, LinearSystemData& system) {
  LagrangianDescription formulas;
  bool curved = false;
  const auto add_row = [&](LinearJoint joint, const std::string& offset) {
    formulas.joints.push_back({joint.name, {row_text(joint.normal, offset, system.coordinates)}});
    system.joints.push_back(std::move(joint));
  };
  for (std::size_t i = 0; i < description.joints.size(); ++i) {
    const RowJoint& joint = description.joints[i];
    const std::string field = path_to("joint", i);
    names.take(joint.name, field + ".name");
    const SparseVector normal = coordinates.row(joint.normal, sources, field + ".normal");
    check_joint(joint, normal, field);
    if (joint.equation.empty()) {
      add_row(row_joint(joint.name, normal, joint.offset, 1.0, sources, field + ".offset"), joint.offset.text());
    } else {
      formulas.joints.push_back({joint.name, joint.equation});
      curved = true;
    }
  }
  for (std::size_t i = 0; i < description.held.size(); ++i) {
    const CoordinateJoint& joint = description.held[i];
    const std::string field = path_to("joints", i);
    add_row(held_joint(joint.held, {{coordinates.find(joint.dof, field + ".dof"), 1.0}}, i, names, sources, field),
            "-(" + joint.held.displacement.text() + ")");
  }
  if (!curved) return;
  formulas.parameters = description.parameters;
  system.joints.clear();
  system.curved_joints = curved_rows(std::move(formulas), coordinates);
}

void refuse_twice(const LinearSystemData& system) {
  std::vector<std::string> constraints;
  for (const LinearGap& gap : system.gaps) constraints.push_back(gap.name);
  if (system.curved_gaps.model) constraints = system.curved_gaps.model->layout().constraints;
  if (const std::size_t i = first_repeated(constraints); i < constraints.size())
    throw InputError("", fmt::format("there are two constraints named '{}': give names that differ", constraints[i]));
  std::vector<std::string> observed = system.coordinates;
  for (const LinearObservation& observation : system.observations) observed.push_back(observation.name);
  if (const std::size_t i = first_repeated(observed); i < observed.size())
    throw InputError("observe", fmt::format("the name '{}' is already taken", observed[i]));
}

SparseMatrix with_modal_damping(const LinearSystemData& system, const std::vector<double>& ratios) {
  constexpr int largest = 400;
  if (system.mass.rows() > largest)
    throw InputError("damping_ratios", fmt::format("for over {} coordinates the damping would be a full matrix: reduce "
                                                   "the model with modes = …, or give rayleigh = [a, b]",
                                                   largest));
  const ModalBasis basis = lowest_modes(system.stiffness, system.mass, system.mass.rows());
  const SparseMatrix C = modal_damping(system.mass, basis, ratios);
  return system.damping.rows() == 0 ? C : add(system.damping, 1.0, C, 1.0);
}

}  // namespace

void finish(LinearSystemData system, const DampingChoice& choice, const Sources& sources, BuiltModel& built) {
  refuse_twice(system);
  const std::vector<double> rayleigh = sources.values(choice.rayleigh, "rayleigh", {0.0});
  const std::vector<double> ratios = sources.values(choice.ratios, "damping_ratios", {0.0});
  const bool has_stiffness = system.stiffness.rows() > 0;
  if (!rayleigh.empty()) {
    if (rayleigh.size() != 2)
      throw InputError("rayleigh", fmt::format("must be [a, b], damping a M + b K, got {} numbers", rayleigh.size()));
    const SparseMatrix C = has_stiffness ? add(system.mass, rayleigh[0], system.stiffness, rayleigh[1])
                                         : add(system.mass, rayleigh[0], system.mass, 0.0);
    system.damping = system.damping.rows() == 0 ? C : add(system.damping, 1.0, C, 1.0);
  }
  if ((choice.modes > 0 || !ratios.empty()) && !has_stiffness)
    throw InputError(choice.modes > 0 ? "modes" : "damping_ratios", "needs a stiffness: without it there are no modes");

  built.coordinates = system.coordinates;
  if (choice.modes == 0) {
    if (!ratios.empty()) system.damping = with_modal_damping(system, ratios);
    built.model = linear(std::move(system));
    return;
  }
  const std::uint64_t most = std::min<std::uint64_t>(most_modes, static_cast<std::uint64_t>(system.mass.rows()));
  if (choice.modes > most) throw InputError("modes", fmt::format("must be at most {}, got {}", most, choice.modes));
  const std::size_t joints =
      system.curved_joints.model ? static_cast<std::size_t>(system.curved_joints.model->nb()) : system.joints.size();
  if (choice.modes < joints)
    throw InputError("modes", fmt::format("{} modes cannot follow {} joints: take more modes", choice.modes, joints));
  if (!is_symmetric(system.stiffness, 1e-9)) throw InputError("modes", "needs a symmetric stiffness");
  built.basis = lowest_modes(system.stiffness, system.mass, static_cast<int>(choice.modes));
  built.mass = system.mass;
  built.model = linear(reduced(system, *built.basis, ratios));
}

BuiltModel build_model(const LinearDescription& description, const Attachments* files) {
  const Sources sources(description.parameters, files);
  BuiltModel built;
  LinearSystemData system;
  read_matrices(description, sources, system);
  name_coordinates(description, system);
  const Coordinates coordinates(system.coordinates);
  add_loads(description, coordinates, sources, system);
  add_constraints(description, coordinates, sources, system);
  RowNames names(system);
  add_joints(description, coordinates, sources, names, system);
  for (std::size_t i = 0; i < description.frictions.size(); ++i)
    names.take(description.frictions[i].name, path_to("friction", i) + ".name");
  const std::vector<std::string> rows = names.all();
  const ParameterSymbols parameters(sources.parameters());
  for (std::size_t i = 0; i < description.frictions.size(); ++i) {
    const RowFriction& row = description.frictions[i];
    const std::string field = path_to("friction", i);
    refuse_reactions(row.limit, parameters.table, rows, "t", field + ".limit");
    system.frictions.push_back(row_friction(row.slips, row.limit, "limit", coordinates, sources, field));
    system.frictions.back().name = row.name;
  }
  for (std::size_t i = 0; i < description.observe.size(); ++i) {
    const RowObservation& row = description.observe[i];
    check_name(row.name, path_to("observe", i, "name"), true);
    system.observations.push_back({row.name, coordinates.row(row.normal, sources, path_to("observe", i, "normal"))});
  }
  finish(std::move(system), {description.rayleigh, description.damping_ratios, description.modes}, sources, built);
  built.parameters = sources.parameters();
  return built;
}

}  // namespace ricochet
