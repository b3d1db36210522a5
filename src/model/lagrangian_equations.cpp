#include "model/lagrangian_equations.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/place.hpp"
#include "formula/poles.hpp"
#include "formula/time_terms.hpp"
#include "model/reaction_names.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/model/compliance.hpp"

namespace ricochet {
namespace {

using formula::Bank;
using formula::Graph;
using formula::NodeId;
using formula::Symbol;
using Nodes = std::vector<NodeId>;

constexpr unsigned bit(Bank bank) { return formula::bank_bit(bank); }
// What formulas may depend on: the place, also the velocities, also the states.
constexpr unsigned of_place = bit(Bank::time) | bit(Bank::coordinate);
constexpr unsigned of_motion = of_place | bit(Bank::velocity), of_all = of_motion | bit(Bank::state);

class Derivation {
 public:
  explicit Derivation(const LagrangianDescription& description)
      : description_(description), nq_(static_cast<int>(description.coordinates.size())) {}

  std::shared_ptr<const LagrangianEquations> run() {
    check_names();
    register_symbols();
    read_energies();
    read_forces();
    read_states();
    read_constraints();
    read_joints();
    read_frictions();
    derive_mass();
    derive_force();
    return assemble();
  }

 private:
  Symbol q(int i) const { return {Bank::coordinate, i}; }
  Symbol v(int i) const { return {Bank::velocity, i}; }
  Symbol z(int i) const { return {Bank::state, i}; }
  static Symbol time() { return {Bank::time, 0}; }

  // Reading formulas: each may depend on some banks only.
  NodeId read(const Quantity& quantity, const std::string& field, unsigned allowed_banks, const std::string& what) {
    if (quantity.is_number() && !std::isfinite(quantity.number()))
      throw InputError(field, "must be a finite number, got " + quantity.text());
    return read(quantity.text(), field, allowed_banks, what);
  }

  NodeId d(NodeId node, Symbol symbol) { return graph_.derivative(node, symbol); }
  NodeId sum(NodeId a, NodeId b) { return graph_.add(a, b); }
  NodeId product(NodeId a, NodeId b) { return graph_.multiply(a, b); }
  NodeId negative(NodeId a) { return graph_.negate(a); }
  NodeId zero() { return graph_.number(0.0); }
  NodeId at_rest(NodeId node) { return graph_.substitute(node, velocities_to_zero_); }
  NodeId at_origin(NodeId node) { return graph_.substitute(node, all_to_zero_); }
  bool all_constant(const Nodes& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return graph_.is_constant(node); });
  }
  bool all_zero(const Nodes& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return graph_.is_zero(node); });
  }
  bool depends(const Nodes& nodes, Bank bank) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) { return (graph_.banks(node) & bit(bank)) != 0; });
  }

  formula::Tape tape(Nodes outputs) const { return formula::Tape(graph_, std::move(outputs)); }

  void check_names() const {
    if (description_.coordinates.empty())
      throw InputError("coordinates", "is empty: a model needs at least one coordinate");
    if (description_.kinetic.empty() && description_.mass.empty())
      throw InputError("kinetic", "is missing: give the kinetic energy, or mass = [[…]] in its place");
    if (!description_.kinetic.empty() && !description_.mass.empty())
      throw InputError("mass", "cannot be given together with kinetic: choose one of the two");
  }

  void add_symbol(const std::string& name, Symbol symbol, const std::string& field) {
    try {
      table_.add(name, symbol);
    } catch (const Error& error) {
      throw InputError(field, error.what());
    }
  }

  void register_symbols() {
    for (int i = 0; i < nq_; ++i) {
      const std::string field = path_to("coordinates", i);
      add_symbol(description_.coordinates[i], q(i), field);
      add_symbol(description_.coordinates[i] + "_dot", v(i), field);
      velocities_to_zero_.emplace_back(v(i), zero());
      all_to_zero_.emplace_back(q(i), zero());
      all_to_zero_.emplace_back(v(i), zero());
    }
    for (std::size_t i = 0; i < description_.states.size(); ++i)
      add_symbol(description_.states[i].name, z(static_cast<int>(i)), path_to("state", i, "name"));
    for (std::size_t i = 0; i < description_.parameters.size(); ++i) {
      const std::string& name = description_.parameters[i].first;
      add_symbol(name, {Bank::parameter, static_cast<int>(i)}, "parameters." + name);
    }
  }

  NodeId read(const std::string& text, const std::string& field, unsigned allowed_banks, const std::string& what) {
    const formula::NodeId node = formula::parse(graph_, text, table_, field);
    const unsigned extra = graph_.banks(node) & ~(allowed_banks | bit(Bank::parameter));
    const auto refuse = [&](Bank bank, const char* name) {
      if ((extra & bit(bank)) != 0) throw InputError(field, what + " must not depend on " + name);
    };
    refuse(Bank::time, "the time t");
    refuse(Bank::coordinate, "the coordinates");
    refuse(Bank::velocity, "the velocities");
    refuse(Bank::state, "the auxiliary states");
    refuse_infinite(node, field);
    return node;
  }

  // A number that no double can hold would only show up later, as a motion that is not finite.
  void refuse_infinite(NodeId node, const std::string& field) const {
    const formula::Tape compiled = tape({node});
    for (const double literal : compiled.literals())
      if (!std::isfinite(literal)) throw InputError(field, "contains a number that is not finite: " + to_text(literal));
  }

  void read_energies() {
    mass_given_ = !description_.mass.empty();
    T_ = mass_given_ ? zero() : read(description_.kinetic, "kinetic", of_motion, "the kinetic energy");
    V_ = description_.potential.empty() ? zero()
                                        : read(description_.potential, "potential", of_place, "the potential energy");
    D_ = description_.dissipation.empty()
             ? zero()
             : read(description_.dissipation, "dissipation", of_motion, "the dissipation function");
    if (mass_given_) read_mass();
  }

  void read_mass() {
    const std::size_t n = static_cast<std::size_t>(nq_);
    if (description_.mass.size() != n)
      throw InputError("mass", "has " + std::to_string(description_.mass.size()) + " rows, must have " +
                                   std::to_string(n) + ", one a coordinate");
    for (std::size_t i = 0; i < n; ++i) {
      const std::string row = path_to("mass", i);
      if (description_.mass[i].size() != n)
        throw InputError(row, "has " + std::to_string(description_.mass[i].size()) + " entries, must have " +
                                  std::to_string(n) + ", one a coordinate");
      M_.emplace_back();
      for (std::size_t j = 0; j < n; ++j)
        M_[i].push_back(read(description_.mass[i][j], path_to(row, j), of_place, "the mass"));
    }
  }

  void read_forces() {
    Q_.assign(nq_, zero());
    const auto& names = description_.coordinates;
    std::vector<bool> given(names.size(), false);
    for (const auto& [name, quantity] : description_.force) {
      const auto found = std::find(names.begin(), names.end(), name);
      const std::string field = "force." + name;
      if (found == names.end()) {
        const std::string_view near = nearest(name, names);
        throw InputError(field,
                         "is not a coordinate" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
      }
      const std::size_t i = static_cast<std::size_t>(found - names.begin());
      if (given[i]) throw InputError(field, "is given twice");
      given[i] = true;
      Q_[i] = read(quantity, field, of_all, "a force");
    }
  }

  void read_states() {
    for (std::size_t i = 0; i < description_.states.size(); ++i)
      rates_.push_back(read(description_.states[i].rate, path_to("state", i, "rate"), of_all, "a rate"));
  }

  void read_constraints() {
    for (std::size_t i = 0; i < description_.constraints.size(); ++i) {
      const ConstraintDescription& constraint = description_.constraints[i];
      const std::string field = path_to("constraint", i, "gap");
      const NodeId g = read(constraint.gap, field, of_place, "a gap");
      if ((graph_.banks(g) & bit(Bank::coordinate)) == 0)
        throw InputError(field, "does not depend on any coordinate: such a gap constrains nothing");
      add_position(contacts_, g);
      restitutions_.push_back(read_restitution(constraint, path_to("constraint", i)));
      read_compliance(constraint.compliance, path_to("constraint", i, "compliance"));
    }
  }

  // What pushes or pulls: U = Hᵀv + o, the rate of a position g where there is one.
  struct Rows {
    Nodes position, drift;        // g, 0 where there is none; o
    std::vector<Nodes> gradient;  // H, one entry a coordinate
    std::vector<bool> integrable;
  };
  void add_position(Rows& rows, NodeId g) {
    rows.position.push_back(g);
    rows.drift.push_back(d(g, time()));
    rows.gradient.emplace_back();
    for (int i = 0; i < nq_; ++i) rows.gradient.back().push_back(d(g, q(i)));
    rows.integrable.push_back(true);
  }

  void read_joints() {
    for (std::size_t i = 0; i < description_.joints.size(); ++i) {
      const JointDescription& joint = description_.joints[i];
      if (joint.equation.empty() == joint.rate.empty())
        throw InputError(path_to("joint", i), joint.rate.empty()
                                                  ? "holds nothing: give equation, g(t, q) = 0, or rate, linear in the "
                                                    "velocities"
                                                  : "has an equation and a rate: choose one of the two");
      for (std::size_t k = 0; k < joint.equation.size(); ++k) read_equation(joint, i, k);
      for (std::size_t k = 0; k < joint.rate.size(); ++k) read_rate(joint, i, k);
    }
  }
  // The field of text k of a list that may also be one text.
  static std::string field_of(const std::vector<std::string>& texts, const std::string& list, std::size_t k) {
    return texts.size() == 1 ? list : path_to(list, k);
  }
  void read_equation(const JointDescription& joint, std::size_t i, std::size_t k) {
    const std::string field = field_of(joint.equation, path_to("joint", i, "equation"), k);
    const NodeId g = read(joint.equation[k], field, of_place, "the equation of a joint");
    if ((graph_.banks(g) & bit(Bank::coordinate)) == 0)
      throw InputError(field, "does not depend on any coordinate: such a joint holds nothing");
    add_position(joints_, g);
  }
  void read_rate(const JointDescription& joint, std::size_t i, std::size_t k) {
    const std::string field = field_of(joint.rate, path_to("joint", i, "rate"), k);
    if (!add_rate(joints_, read(joint.rate[k], field, of_motion, "the rate of a joint"), field))
      throw InputError(field,
                       "does not depend on any velocity: such a joint holds nothing; for g(t, q) = 0 there is "
                       "equation");
  }
  // A row that is a rate only, linear in the velocities. False if it depends on none.
  bool add_rate(Rows& rows, NodeId U, const std::string& field) {
    Nodes H;
    for (int j = 0; j < nq_; ++j) {
      H.push_back(d(U, v(j)));
      if ((graph_.banks(H.back()) & bit(Bank::velocity)) != 0)
        throw InputError(field, "must be linear in the velocities: its derivative with respect to " +
                                    description_.coordinates[j] + "_dot still depends on a velocity");
    }
    const bool depends = !all_zero(H);
    rows.position.push_back(zero());
    rows.drift.push_back(at_rest(U));
    rows.gradient.push_back(std::move(H));
    rows.integrable.push_back(false);
    return depends;
  }

  // Those of contacts first. A contact with μ = 0, the number, has none: its motion is the one without friction.
  void read_frictions() {
    for (std::size_t i = 0; i < description_.constraints.size(); ++i) {
      const ConstraintDescription& constraint = description_.constraints[i];
      const std::string field = path_to("constraint", i);
      if (!constraint.friction) {
        const char* extra = !constraint.slip.empty()            ? ".slip"
                            : constraint.tangential_restitution ? ".tangential_restitution"
                                                                : "";
        if (*extra != 0) throw InputError(field + extra, "goes with friction: give friction = μ too");
        continue;
      }
      if (constraint.slip.empty())
        throw InputError(field + ".slip",
                         "is missing: friction acts along the sliding velocity of the contact point, such as "
                         "\"x_dot - R*phi_dot\"; two in a list for contact in space");
      read_friction({.name = constraint.name, .constraint = static_cast<int>(i)}, constraint.slip, *constraint.friction,
                    field, ".friction", "a coefficient of friction");
      read_tangential_restitution(constraint, field + ".tangential_restitution");
      if (constraint.friction->is_number() && constraint.friction->number() == 0.0) drop_last_friction();
    }
    for (std::size_t i = 0; i < description_.frictions.size(); ++i) {
      const FrictionDescription& friction = description_.frictions[i];
      const std::string field = path_to("friction", i);
      if (friction.slip.empty())
        throw InputError(field + ".slip", "is missing: give the sliding velocity, such as \"x_dot - v_b\"");
      refuse_reactions(friction.limit, table_, names_of_rows(), "t and q", field + ".limit");
      read_friction({.name = friction.name}, friction.slip, friction.limit, field, ".limit", "the limit of friction");
      tangential_restitutions_.push_back(zero());
    }
  }
  std::vector<std::string> names_of_rows() const {
    std::vector<std::string> names;
    const auto add = [&](const auto& all) {
      for (const auto& one : all) names.push_back(one.name);
    };
    add(description_.constraints);
    add(description_.joints);
    add(description_.frictions);
    return names;
  }
  void read_friction(Friction friction, const std::vector<std::string>& slip, const Quantity& bound,
                     const std::string& field, const char* key, const std::string& what) {
    if (slip.size() > 2)
      throw InputError(field + ".slip",
                       "has " + std::to_string(slip.size()) + " slips: one in the plane, or two in space");
    for (std::size_t k = 0; k < slip.size(); ++k) {
      const std::string place = field_of(slip, field + ".slip", k);
      if (!add_rate(slips_, read(slip[k], place, of_motion, "a slip"), place))
        throw InputError(place, "does not depend on any velocity: it is the velocity with which the surfaces slide");
    }
    if (bound.is_number() && !(bound.number() >= 0.0))
      throw InputError(field + key, "must be at least 0, got " + bound.text());
    bounds_.push_back(read(bound, field + key, of_place, what));
    friction.rows = static_cast<int>(slip.size());
    frictions_.push_back(std::move(friction));
  }
  void read_tangential_restitution(const ConstraintDescription& constraint, const std::string& field) {
    const Quantity e = constraint.tangential_restitution.value_or(Quantity(0.0));
    if (e.is_number() && !(e.number() >= 0.0 && e.number() <= 1.0))
      throw InputError(field, "must be in [0, 1], got " + e.text());
    tangential_restitutions_.push_back(read(e, field, of_place, "a restitution"));
  }
  void drop_last_friction() {
    const std::size_t rows = slips_.position.size() - static_cast<std::size_t>(frictions_.back().rows);
    slips_.position.resize(rows);
    slips_.drift.resize(rows);
    slips_.gradient.resize(rows);
    slips_.integrable.resize(rows);
    frictions_.pop_back();
    bounds_.pop_back();
    tangential_restitutions_.pop_back();
  }

  // e as given, or e = (1 − d)/(1 + d) from the dissipation index.
  NodeId read_restitution(const ConstraintDescription& constraint, const std::string& field) {
    const bool has_e = constraint.restitution.has_value(), has_d = constraint.dissipation_index.has_value();
    if (has_e && has_d)
      throw InputError(field + ".dissipation_index",
                       "cannot be given together with restitution: choose one of the two");
    if (!has_e && !has_d)
      throw InputError(field + ".restitution",
                       "is missing: give e in [0, 1], or dissipation_index = d with e = (1 - d)/(1 + d)");
    const std::string key = field + (has_e ? ".restitution" : ".dissipation_index");
    const Quantity& quantity = has_e ? *constraint.restitution : *constraint.dissipation_index;
    if (quantity.is_number() && !(quantity.number() >= 0.0 && quantity.number() <= 1.0))
      throw InputError(key, "must be in [0, 1], got " + quantity.text());
    const NodeId given = read(quantity, key, of_place, "a restitution");
    if (has_e) return given;
    return graph_.divide(graph_.subtract(graph_.number(1.0), given), graph_.add(graph_.number(1.0), given));
  }

  void read_compliance(const NamedQuantities& given, const std::string& field) {
    check_compliance(given, field);
    const Compliance defaults;
    for (const auto& [name, value] : {std::pair{"stiffness", defaults.stiffness},
                                      {"exponent", defaults.exponent},
                                      {"damping", defaults.damping},
                                      {"hysteresis", defaults.hysteresis}}) {
      const auto found =
          std::find_if(given.begin(), given.end(), [&, n = name](const auto& item) { return item.first == n; });
      compliances_.push_back(found == given.end() ? graph_.number(value)
                                                  : read(found->second, field + "." + name, 0, "a compliance"));
    }
  }

  void derive_mass() {
    if (mass_given_) return;
    for (int i = 0; i < nq_; ++i) {
      M_.emplace_back();
      const NodeId momentum = d(T_, v(i));
      for (int j = 0; j < nq_; ++j) {
        // M_ji is M_ij, to the node.
        const NodeId entry = j < i ? M_[j][i] : d(momentum, v(j));
        if ((graph_.banks(entry) & bit(Bank::velocity)) != 0)
          throw InputError("kinetic",
                           "must be at most quadratic in the velocities: its second derivative with respect to " +
                               description_.coordinates[i] + "_dot and " + description_.coordinates[j] +
                               "_dot still depends on a velocity");
        M_[i].push_back(entry);
      }
    }
  }

  void derive_force() {
    for (int i = 0; i < nq_; ++i) {
      NodeId F = Q_[i];
      if (!mass_given_) {
        const NodeId momentum = d(T_, v(i));
        F = sum(F, d(T_, q(i)));
        for (int j = 0; j < nq_; ++j) F = graph_.subtract(F, product(d(momentum, q(j)), graph_.symbol(v(j))));
        F = graph_.subtract(F, d(momentum, time()));
      }
      F = graph_.subtract(F, d(V_, q(i)));
      F = graph_.subtract(F, d(D_, v(i)));
      F_.push_back(F);
    }
  }

  // Entries by columns; those that are zero for every motion are left out of the pattern.
  Nodes matrix(int rows, int cols, const auto& entry, Pattern& pattern) {
    pattern = {rows, cols, {0}, {}};
    Nodes nodes;
    for (int j = 0; j < cols; ++j) {
      for (int i = 0; i < rows; ++i) {
        const NodeId node = entry(i, j);
        if (graph_.is_zero(node)) continue;
        pattern.row.push_back(i);
        nodes.push_back(node);
      }
      pattern.start.push_back(static_cast<int>(nodes.size()));
    }
    return nodes;
  }

  Nodes in_pattern(const Pattern& pattern, const auto& entry) {
    Nodes nodes;
    for (int j = 0; j < pattern.cols; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) nodes.push_back(entry(pattern.row[k], j));
    return nodes;
  }

  std::shared_ptr<const LagrangianEquations> assemble() {
    auto equations = std::make_shared<LagrangianEquations>();
    Layout& layout = equations->layout;
    layout.coordinates = description_.coordinates;
    for (const auto& [name, value] : description_.parameters) equations->parameters.push_back(name);

    // Mass, force and its derivatives.
    const Nodes M = matrix(
        nq_, nq_, [&](int i, int j) { return M_[i][j]; }, layout.mass);
    const Nodes K = matrix(
        nq_, nq_, [&](int i, int j) { return negative(d(F_[i], q(j))); }, layout.stiffness);
    const Nodes C = matrix(
        nq_, nq_, [&](int i, int j) { return negative(d(F_[i], v(j))); }, layout.damping);
    layout.structure.constant_mass = all_constant(M);
    layout.structure.linear_force = all_constant(K) && all_constant(C);
    for (const NodeId F : F_)
      if (graph_.has_jumps(F, static_cast<formula::Banks>(bit(Bank::coordinate) | bit(Bank::velocity))))
        layout.structure.linear_force = false;
    (*equations)[Part::mass] = tape(M);
    (*equations)[Part::force] = tape(F_);
    Nodes both = K;
    both.insert(both.end(), C.begin(), C.end());
    (*equations)[Part::jacobians] = tape(both);

    assemble_states(*equations);
    assemble_constraints(*equations);

    // E = T₂ + (V − T₀).
    NodeId kinetic = zero(), input = zero(), damping = zero();
    for (int i = 0; i < nq_; ++i)
      for (int j = 0; j < nq_; ++j)
        kinetic = sum(kinetic, product(M_[i][j], product(graph_.symbol(v(i)), graph_.symbol(v(j)))));
    kinetic = product(graph_.number(0.5), kinetic);
    (*equations)[Part::energy] = tape({kinetic, graph_.subtract(V_, at_rest(T_))});

    // dE/dt = vᵀQ − ∂T/∂t + ∂V/∂t − vᵀ ∂D/∂v; with a given mass, ½ vᵀ (dM/dt) v in place of −∂T/∂t.
    for (int i = 0; i < nq_; ++i) {
      const NodeId speed = graph_.symbol(v(i));
      input = sum(input, product(speed, Q_[i]));
      damping = graph_.subtract(damping, product(speed, d(D_, v(i))));
      if (mass_given_) input = sum(input, product(d(kinetic, q(i)), speed));
    }
    input = sum(input, d(V_, time()));
    input = mass_given_ ? sum(input, d(kinetic, time())) : graph_.subtract(input, d(T_, time()));
    (*equations)[Part::power] = tape({input, damping});

    Nodes infinite = F_, own;
    infinite.insert(infinite.end(), rates_.begin(), rates_.end());
    for (const Rows* rows : {&contacts_, &joints_, &slips_}) add_values(*rows, infinite);
    for (int i = 0; i < nq_; ++i) own.push_back(M_[i][i]);
    Nodes poles = formula::poles(graph_, infinite);
    const Nodes massless = formula::zeros(graph_, own);
    poles.insert(poles.end(), massless.begin(), massless.end());
    (*equations)[Part::poles] = tape(poles);

    assemble_linear(K, C, *equations);
    return equations;
  }

  void assemble_states(LagrangianEquations& equations) {
    const int nz = static_cast<int>(rates_.size());
    for (const StateDescription& state : description_.states) equations.layout.states.push_back(state.name);
    equations[Part::rate] = tape(rates_);
    Nodes all;
    for (int j = 0; j < nz; ++j)
      for (int i = 0; i < nq_; ++i) all.push_back(d(F_[i], z(j)));
    for (const bool velocities : {false, true})
      for (int j = 0; j < nq_; ++j)
        for (int i = 0; i < nz; ++i) all.push_back(d(rates_[i], velocities ? v(j) : q(j)));
    for (int j = 0; j < nz; ++j)
      for (int i = 0; i < nz; ++i) all.push_back(d(rates_[i], z(j)));
    equations[Part::state_jacobians] = tape(all);
  }

  void assemble_constraints(LagrangianEquations& equations) {
    Layout& layout = equations.layout;
    for (const ConstraintDescription& constraint : description_.constraints)
      layout.constraints.push_back(constraint.name);
    const Nodes H = assemble_rows(contacts_, layout.gradient, Part::gap, equations);
    layout.structure.linear_gaps = all_constant(H) && !has_jumps(contacts_.position);
    layout.structure.fixed_gaps = !depends(contacts_.position, Bank::time);
    layout.structure.constant_restitution = all_constant(restitutions_);
    equations[Part::restitution] = tape(restitutions_);
    equations[Part::compliance] = tape(compliances_);

    for (const JointDescription& joint : description_.joints)
      layout.joints.push_back({.name = joint.name,
                               .rows = static_cast<int>(joint.equation.size() + joint.rate.size()),
                               .has_position = !joint.equation.empty()});
    const Nodes H_B = assemble_rows(joints_, layout.joint_gradient, Part::joint, equations);
    layout.structure.linear_joints = all_constant(H_B) && !has_jumps(joints_.position);
    layout.structure.fixed_joints = all_zero(joints_.drift);

    layout.frictions = frictions_;
    const Nodes H_S = assemble_rows(slips_, layout.slip_gradient, Part::slip_position, equations);
    layout.structure.linear_slips = all_constant(H_S);
    layout.structure.fixed_slips = all_zero(slips_.drift);
    layout.structure.constant_friction = all_constant(bounds_) && all_constant(tangential_restitutions_);
    equations[Part::friction_bound] = tape(bounds_);
    equations[Part::tangential_restitution] = tape(tangential_restitutions_);
  }

  bool has_jumps(const Nodes& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
      return graph_.has_jumps(node, static_cast<formula::Banks>(bit(Bank::coordinate)));
    });
  }

  // g, H, o and c of rows, as four parts from `first` on; H is returned.
  Nodes assemble_rows(const Rows& rows, Pattern& pattern, Part first, LagrangianEquations& equations) {
    const int n = static_cast<int>(rows.position.size());
    const Nodes H = matrix(
        nq_, n, [&](int i, int j) { return rows.gradient[j][i]; }, pattern);
    Nodes c;
    for (int j = 0; j < n; ++j) c.push_back(acceleration_terms(rows, j));
    std::size_t part = static_cast<std::size_t>(first);
    for (const Nodes& nodes : {rows.position, H, rows.drift, c}) equations.tapes[part++] = tape(nodes);
    return H;
  }

  // What rows are made of: their positions, or the terms of their rates.
  static void add_values(const Rows& rows, Nodes& nodes) {
    for (std::size_t j = 0; j < rows.position.size(); ++j) {
      nodes.push_back(rows.integrable[j] ? rows.position[j] : rows.drift[j]);
      if (!rows.integrable[j]) nodes.insert(nodes.end(), rows.gradient[j].begin(), rows.gradient[j].end());
    }
  }

  // c = ∂o/∂t + (∂o/∂q + ∂H/∂t)ᵀ v + vᵀ (∂H/∂q) v, for a gap vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t².
  NodeId acceleration_terms(const Rows& rows, int j) {
    const NodeId o = rows.drift[j];
    NodeId terms = d(o, time());
    for (int i = 0; i < nq_; ++i) {
      const NodeId vi = graph_.symbol(v(i)), H = rows.gradient[j][i];
      const NodeId slope = rows.integrable[j] ? product(graph_.number(2.0), product(d(o, q(i)), vi))
                                              : product(sum(d(o, q(i)), d(H, time())), vi);
      terms = sum(terms, slope);
      for (int k = 0; k < nq_; ++k) terms = sum(terms, product(d(H, q(k)), product(vi, graph_.symbol(v(k)))));
    }
    return terms;
  }

  // F = f(t) − l(t) − K q − C v with V − T₀ = ½ qᵀ K_V q + lᵀq + c and D = ½ vᵀ C_D v + …: only if K_V and C_D
  // are constant too.
  void assemble_linear(const Nodes& K, const Nodes& C, LagrangianEquations& equations) {
    Structure& structure = equations.layout.structure;
    structure.linear_force = structure.linear_force && structure.constant_mass && !depends(F_, Bank::state);
    if (!structure.linear_force) return;
    const NodeId potential = graph_.subtract(V_, at_rest(T_));
    const auto K_V = [&](int i, int j) { return d(d(potential, q(i)), q(j)); };
    const auto C_D = [&](int i, int j) { return d(d(D_, v(i)), v(j)); };
    const Pattern &stiffness = equations.layout.stiffness, &damping = equations.layout.damping;
    Pattern K_V_pattern, C_D_pattern;
    const Nodes K_V_all = matrix(nq_, nq_, K_V, K_V_pattern), C_D_all = matrix(nq_, nq_, C_D, C_D_pattern);
    const auto inside = [](const Pattern& part, const Pattern& whole) {
      for (int j = 0; j < part.cols; ++j)
        if (!std::includes(whole.row.begin() + whole.start[j], whole.row.begin() + whole.start[j + 1],
                           part.row.begin() + part.start[j], part.row.begin() + part.start[j + 1]))
          return false;
      return true;
    };
    // A part that other forces cancel entry by entry leaves the pattern: rare, and the general path is right too.
    if (!all_constant(K_V_all) || !all_constant(C_D_all) || !inside(K_V_pattern, stiffness) ||
        !inside(C_D_pattern, damping)) {
      structure.linear_force = false;
      return;
    }
    Nodes constants = K;
    const auto append = [&](const Nodes& nodes) { constants.insert(constants.end(), nodes.begin(), nodes.end()); };
    append(in_pattern(stiffness, K_V));
    append(C);
    append(in_pattern(damping, C_D));
    equations[Part::linear] = tape(constants);

    Nodes load, l;
    for (int i = 0; i < nq_; ++i) l.push_back(at_origin(d(potential, q(i))));
    for (int i = 0; i < nq_; ++i) load.push_back(sum(at_origin(F_[i]), l[i]));
    load.insert(load.end(), l.begin(), l.end());
    load.push_back(at_origin(potential));
    structure.constant_load = all_constant(load);
    equations[Part::load] = tape(load);
    if (equations.layout.linear_rows()) assemble_terms(equations);
  }

  // Forces and rows at q = 0, v = 0 as sums of terms, if all of them are.
  void assemble_terms(LagrangianEquations& equations) {
    Nodes sums = F_, all;
    sums.insert(sums.end(), contacts_.position.begin(), contacts_.position.end());
    for (const Rows* rows : {&joints_, &slips_})
      for (std::size_t j = 0; j < rows->position.size(); ++j) {
        sums.push_back(rows->integrable[j] ? rows->position[j] : rows->drift[j]);
        if (!rows->integrable[j] && depends({sums.back()}, Bank::coordinate)) return;
      }
    std::vector<std::vector<int>> powers;
    for (const NodeId node : sums) {
      const std::optional<std::vector<formula::TimeTermNodes>> terms = formula::time_terms(graph_, at_origin(node));
      if (!terms) return;
      powers.emplace_back();
      for (const formula::TimeTermNodes& term : *terms) {
        powers.back().push_back(term.power);
        for (const NodeId part : {term.rate, term.frequency, term.cosine, term.sine}) all.push_back(part);
      }
    }
    equations[Part::terms] = tape(all);
    equations.powers = std::move(powers);
  }

  const LagrangianDescription& description_;
  const int nq_;
  Graph graph_;
  formula::SymbolTable table_;
  std::vector<std::pair<Symbol, NodeId>> velocities_to_zero_, all_to_zero_;

  NodeId T_ = 0, V_ = 0, D_ = 0;
  bool mass_given_ = false;
  std::vector<Nodes> M_;  // rows
  Nodes Q_, F_, rates_, restitutions_, compliances_, bounds_, tangential_restitutions_;
  Rows contacts_, joints_, slips_;
  std::vector<Friction> frictions_;
};

}  // namespace

std::shared_ptr<const LagrangianEquations> derive_equations(const LagrangianDescription& description) {
  return Derivation(description).run();
}

}  // namespace ricochet
