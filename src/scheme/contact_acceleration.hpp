// Contact forces of lasting contacts: a = M⁻¹(F + Hλ) with 0 ≤ Γ = Hᵀa + c ⊥ λ ≥ 0 on the closed ones
// (c = vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t²) [Acary 2018, (20)-(24)].
#pragma once

#include <type_traits>
#include <vector>

#include "core/iteration_matrix.hpp"
#include "core/mask_array.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "scheme/contact_problem.hpp"

namespace ricochet {

template <class Value>
class ContactAcceleration {
 public:
  explicit ContactAcceleration(const Mechanics<Value>& model, const ComplementaritySettings& solver = {})
      : model_(model),
        layout_(model.layout()),
        nq_(model.nq()),
        nc_(model.nc()),
        problem_(nq_, layout_.gradient, solver),
        M_(zeros(layout_.mass.size())),
        H_(zeros(layout_.gradient.size())),
        F_(zeros(nq_)),
        a_(zeros(nq_)),
        a_free_(zeros(nq_)),
        total_(zeros(nq_)),
        c_(zeros(nc_)),
        g_(zeros(nc_)),
        rate_(zeros(nc_)),
        b_(zeros(nc_)),
        lambda_(zeros(nc_)),
        closed_(static_cast<std::size_t>(nc_)) {
    factors_.resize(nq_, {&layout_.mass});
    if (!problem_.is_large()) X_ = zeros(nq_ * nc_);
  }

  // Which contacts are closed.
  void open_all() { closed_.assign(static_cast<std::size_t>(nc_)); }
  void close(int j, const Mask<Value>& where = true) { closed_[j] = where; }
  const Mask<Value>* closed() const { return closed_.data(); }
  bool any_closed() const {
    for (int j = 0; j < nc_; ++j)
      if (any(closed_[j])) return true;
    return false;
  }

  // Those that touch, to round-off, and do not separate.
  void close_touching(const Value& t, const Value* q, const Value* v) {
    constexpr double touch = 1e-12;
    if (nc_ == 0) return;
    model_.gap(t, q, g_.data());
    model_.gap_gradient(t, q, H_.data());
    model_.gap_time_derivative(t, q, rate_.data());
    Value size = 1.0, speed = 0.0;
    for (int i = 0; i < nq_; ++i) {
      size = larger(size, absolute(q[i]));
      speed = larger(speed, absolute(v[i]));
    }
    for (int j = 0; j < nc_; ++j) {
      const Value drift = absolute(rate_[j]);
      const Value U = rate_[j] + column_dot(layout_.gradient, H_.data(), j, v);
      closed_[j] = (g_[j] <= Value(touch) * size) & (U <= Value(touch) * (speed + drift));
    }
  }

  // False where the mass is singular or the contact problem was not solved.
  Mask<Value> solve(const Value& t, const Value* q, const Value* v, const Value* z) {
    failure_ = FailureKind::none;
    if (!prepare_mass(t, q)) return note(false, FailureKind::mass_not_positive_definite);
    model_.force(t, q, v, z, F_.data());
    for (int i = 0; i < nq_; ++i) a_[i] = total_[i] = F_[i];
    factors_.solve(a_.data());
    a_free_ = a_;
    for (int j = 0; j < nc_; ++j) lambda_[j] = 0.0;
    if (!any_closed()) return true;

    model_.gap_gradient(t, q, H_.data());
    model_.gap_acceleration_terms(t, q, v, c_.data());
    if constexpr (std::is_same_v<Value, double>)
      if (problem_.is_large()) return note(solve_large(), FailureKind::complementarity_not_solved);
    for (int j = 0; j < nc_; ++j) {
      if (!any(closed_[j])) continue;
      Value* x = X_.data() + static_cast<std::size_t>(j) * nq_;
      for (int i = 0; i < nq_; ++i) x[i] = 0.0;
      multiply_column(j, Value(1.0), x);
      factors_.solve(x);
      problem_.set_column(layout_.gradient, H_.data(), j, x);
      b_[j] = c_[j] + column_dot(layout_.gradient, H_.data(), j, a_.data());
    }
    const Mask<Value> good = problem_.solve(closed_.data(), b_.data(), lambda_.data());
    for (int j = 0; j < nc_; ++j) {
      if (!any(closed_[j])) continue;
      const Value* x = X_.data() + static_cast<std::size_t>(j) * nq_;
      for (int i = 0; i < nq_; ++i) a_[i] += x[i] * lambda_[j];
      multiply_column(j, lambda_[j], total_.data());
    }
    return note(good, FailureKind::complementarity_not_solved);
  }

  // Γ_j of a closed contact, Hᵀa + c.
  Value separation(int j) const { return c_[j] + column_dot(layout_.gradient, H_.data(), j, a_.data()); }
  // Γ without any contact force, for all contacts; at the point of the last solve().
  const Value* free_separations(const Value& t, const Value* q, const Value* v) {
    model_.gap_gradient(t, q, H_.data());
    model_.gap_acceleration_terms(t, q, v, c_.data());
    for (int j = 0; j < nc_; ++j) b_[j] = c_[j] + column_dot(layout_.gradient, H_.data(), j, a_free_.data());
    return b_.data();
  }

  const Value* value() const { return a_.data(); }            // a
  const Value* force() const { return F_.data(); }            // F
  const Value* total_force() const { return total_.data(); }  // F + Hλ
  const Value* multiplier() const { return lambda_.data(); }
  const Value* gradient() const { return H_.data(); }  // H, where a contact is closed
  const Value* mass() const { return M_.data(); }
  FailureKind failure() const { return failure_; }
  const ContactProblem<Value>& problem() const { return problem_; }

 private:
  static std::vector<Value> zeros(int n) { return std::vector<Value>(static_cast<std::size_t>(n), Value(0.0)); }

  // The same for many constraints.
  bool solve_large() {
    ImpulseResponse response{.answer = &answer_};
    if (factors_.is_definite()) response.matrix = &factors_.pattern(), response.A = factors_.values();
    problem_.large().set(response, H_.data());
    for (int j = 0; j < nc_; ++j)
      if (closed_[j]) b_[j] = separation(j);
    const bool good = problem_.solve(closed_.data(), b_.data(), lambda_.data());
    const double* push = problem_.large().push(lambda_.data());
    for (int i = 0; i < nq_; ++i) a_[i] += push[i];
    for (int j = 0; j < nc_; ++j)
      if (closed_[j]) multiply_column(j, lambda_[j], total_.data());
    return good;
  }

  bool prepare_mass(const Value& t, const Value* q) {
    if (prepared_ && layout_.structure.constant_mass) return true;
    model_.mass(t, q, M_.data());
    factors_.set_zero();
    factors_.add(0, M_.data(), Value(1.0));
    prepared_ = all(factors_.factorise());
    return prepared_;
  }
  // x += factor H_j
  void multiply_column(int j, const Value& factor, Value* x) const {
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k)
      x[layout_.gradient.row[k]] += H_[k] * factor;
  }
  Mask<Value> note(const Mask<Value>& good, FailureKind kind) {
    if (failure_ == FailureKind::none && !all(good)) failure_ = kind;
    return good;
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  const int nq_, nc_;
  ContactProblem<Value> problem_;
  IterationMatrix<Value> factors_;
  LendTo<Value, IterationMatrix<Value>> answer_{factors_};
  bool prepared_ = false;
  std::vector<Value> M_, H_, F_, a_, a_free_, total_, X_, c_, g_, rate_, b_, lambda_;
  MaskArray<Value> closed_;
  FailureKind failure_ = FailureKind::none;
};

}  // namespace ricochet
