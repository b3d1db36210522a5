// The formulas of a description, read into one graph with what they may depend on: energies, forces, rates of states,
// rows of constraints, joints and frictions. What is wrong with them throws InputError with its field.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/place.hpp"
#include "model/reaction_names.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "ricochet/model/compliance.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

class LagrangianFormulas {
 protected:
  using Bank = formula::Bank;
  using NodeId = formula::NodeId;
  using Symbol = formula::Symbol;
  using Nodes = std::vector<NodeId>;

  explicit LagrangianFormulas(const LagrangianDescription& description)
      : description_(description), nq_(static_cast<int>(description.coordinates.size())) {
    check_names();
    register_symbols();
    read_energies();
    read_forces();
    read_states();
    read_constraints();
    read_joints();
    read_frictions();
  }

  static constexpr unsigned bit(Bank bank) { return formula::bank_bit(bank); }
  Symbol q(int i) const { return {Bank::coordinate, i}; }
  Symbol v(int i) const { return {Bank::velocity, i}; }
  Symbol z(int i) const { return {Bank::state, i}; }
  static Symbol time() { return {Bank::time, 0}; }

  // 0 at once where the node does not depend on the symbol, as nearly all pairs of a large system.
  NodeId d(NodeId node, Symbol symbol) {
    const std::vector<Symbol>& own = symbols(node);
    return std::binary_search(own.begin(), own.end(), symbol) ? graph_.derivative(node, symbol) : zero();
  }
  const std::vector<Symbol>& symbols(NodeId node) {
    const auto [place, is_new] = symbols_.try_emplace(node);
    if (is_new) place->second = graph_.symbols(node);
    return place->second;
  }
  // The coordinates it depends on, ascending.
  std::vector<int> coordinates(NodeId node) {
    std::vector<int> places;
    for (const Symbol& symbol : symbols(node))
      if (symbol.bank == Bank::coordinate) places.push_back(symbol.index);
    return places;
  }
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

  // What pushes or pulls: U = Hᵀv + o, the rate of a position g where there is one.
  struct Rows {
    Nodes position, drift;        // g, 0 where there is none; o
    std::vector<Nodes> gradient;  // H, one entry a coordinate
    std::vector<bool> integrable;
  };

  const LagrangianDescription& description_;
  const int nq_;
  formula::Graph graph_;
  formula::SymbolTable table_;
  std::unordered_map<NodeId, std::vector<Symbol>> symbols_;  // of nodes that were asked for
  std::vector<std::pair<Symbol, NodeId>> velocities_to_zero_, all_to_zero_;

  NodeId T_ = 0, V_ = 0, D_ = 0;
  bool mass_given_ = false;
  std::vector<Nodes> M_;  // rows
  Nodes Q_, rates_, restitutions_, compliances_, bounds_, tangential_restitutions_;
  Rows contacts_, joints_, slips_;
  std::vector<Friction> frictions_;

 private:
  // What formulas may depend on: the place, also the velocities, also the states.
  static constexpr unsigned of_place = formula::bank_bit(Bank::time) | formula::bank_bit(Bank::coordinate);
  static constexpr unsigned of_motion = of_place | formula::bank_bit(Bank::velocity),
                            of_all = of_motion | formula::bank_bit(Bank::state);

  // Reading formulas: each may depend on some banks only.
  NodeId read(const Quantity& quantity, const std::string& field, unsigned allowed_banks, const std::string& what) {
    if (quantity.is_number() && !std::isfinite(quantity.number()))
      throw InputError(field, "must be a finite number, got " + quantity.text());
    return read(quantity.text(), field, allowed_banks, what);
  }

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
};

}  // namespace ricochet
