// Contacts at one instant: the impact law, and what keeps closed contacts closed. For schemes that treat events at
// nodes; no allocation after construction.
#pragma once

#include <vector>

#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"
#include "core/mask_array.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "scheme/contact_problem.hpp"

namespace ricochet {

class ImpactLaw {
 public:
  explicit ImpactLaw(const Model& model, const ComplementaritySettings& solver = {});

  // M, H, g, ∂g/∂t and e at (t, q).
  FailureKind place(double t, const double* q);
  double gap(int j) const { return g_[j]; }
  double drift(int j) const { return g_t_[j]; }  // ∂g/∂t
  double restitution(int j) const { return e_[j]; }
  double rate(int j, const double* v) const { return g_t_[j] + column_dot(layout_.gradient, H_.data(), j, v); }
  const double* gradient() const { return H_.data(); }

  // Who takes part in what follows; `soft` ones lose their rate whatever their restitution is.
  void clear();
  void include(int j, bool soft = false);
  bool is_included(int j) const { return included_[j]; }
  bool any_included() const { return count_ > 0; }

  // U⁺ = U⁻ + W P, 0 ≤ U⁺ + e U⁻ ⊥ P ≥ 0, v⁺ = v⁻ + M⁻¹ H P on those included (Acary 2018, (27)).
  FailureKind strike(double* v);
  double rate_minus(int j) const { return U_minus_[j]; }
  double rate_plus(int j) const { return U_plus_[j]; }
  double impulse(int j) const { return P_[j]; }
  // The largest |U⁻| of those included: rates that are round-off of it are zero.
  double fastest() const;
  // Whether another one included breaks continuous dependence together with j (scheme/impact.hpp).
  bool meets_discontinuity(int j) const;

  // v := v + M⁻¹ H P with U = 0 for those included, P of either sign: drift of contacts that are closed anyway.
  FailureKind hold(double* v);

  // q := q + M⁻¹ H ν with g = 0 for those included, by Newton's method; places itself at the result.
  FailureKind close_gaps(double t, double* q);

  const ContactProblem<double>& problem() const { return problem_; }
  const double* restitutions() const { return e_.data(); }

 private:
  static std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }
  double* column(int j) { return X_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(nq_); }
  void respond();
  void add_push(double* x);
  void solve_equalities(const std::vector<double>& target);
  void multiply(const std::vector<double>& x, std::vector<double>& Wx) const;
  bool meets_discontinuity_large(int j) const;

  const Model& model_;
  const Layout& layout_;
  const int nq_, nc_;
  std::vector<double> M_, H_, g_, g_t_, e_, X_, U_minus_, U_plus_, b_, P_, r_, p_, Wp_;
  IterationMatrix<double> factors_;
  SolveWith<IterationMatrix<double>> answer_{factors_};
  DefinitenessTest<double> is_definite_;
  ContactProblem<double> problem_;
  MaskArray<double> included_, soft_;
  int count_ = 0;
  bool prepared_ = false;
};

}  // namespace ricochet
