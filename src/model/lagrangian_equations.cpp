#include "model/lagrangian_equations.hpp"

#include "formula/poles.hpp"
#include "formula/time_terms.hpp"
#include "model/lagrangian_formulas.hpp"

namespace ricochet {
namespace {

class Derivation : LagrangianFormulas {
 public:
  explicit Derivation(const LagrangianDescription& description) : LagrangianFormulas(description) {}

  std::shared_ptr<const LagrangianEquations> run() {
    derive_mass();
    derive_force();
    return assemble();
  }

 private:
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
        if (!graph_.is_zero(M_[i][j]))
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
      for (const int k : coordinates(H)) terms = sum(terms, product(d(H, q(k)), product(vi, graph_.symbol(v(k)))));
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
    Nodes slopes, drags;
    for (int i = 0; i < nq_; ++i) slopes.push_back(d(potential, q(i))), drags.push_back(d(D_, v(i)));
    const auto K_V = [&](int i, int j) { return d(slopes[i], q(j)); };
    const auto C_D = [&](int i, int j) { return d(drags[i], v(j)); };
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
    for (const NodeId slope : slopes) l.push_back(at_origin(slope));
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

  Nodes F_;
};

}  // namespace

std::shared_ptr<const LagrangianEquations> derive_equations(const LagrangianDescription& description) {
  return Derivation(description).run();
}

}  // namespace ricochet
