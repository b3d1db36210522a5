#include "scheme/impact_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/scheme/impact.hpp"

namespace ricochet {

ImpactLaw::ImpactLaw(const Model& model, const ComplementaritySettings& solver)
    : model_(model),
      layout_(model.layout()),
      nq_(model.nq()),
      nc_(model.nc()),
      M_(zeros(layout_.mass.size())),
      H_(zeros(layout_.gradient.size())),
      g_(zeros(nc_)),
      g_t_(g_),
      e_(g_),
      U_minus_(g_),
      U_plus_(g_),
      b_(g_),
      P_(g_),
      r_(g_),
      p_(g_),
      Wp_(g_),
      problem_(nq_, layout_.gradient, solver),
      included_(static_cast<std::size_t>(nc_)),
      soft_(static_cast<std::size_t>(nc_)) {
  factors_.resize(nq_, {&layout_.mass});
  if (!problem_.is_large()) X_ = zeros(nq_ * nc_);
}

FailureKind ImpactLaw::place(double t, const double* q) {
  if (!prepared_ || !layout_.structure.constant_mass) {
    model_.mass(t, q, M_.data());
    factors_.set_zero();
    factors_.add(0, M_.data(), 1.0);
    prepared_ = is_definite_(layout_.mass, M_.data()) && factors_.factorise();
    if (!prepared_) return FailureKind::mass_not_positive_definite;
  }
  model_.gap(t, q, g_.data());
  model_.gap_gradient(t, q, H_.data());
  model_.gap_time_derivative(t, q, g_t_.data());
  model_.restitution(t, q, e_.data());
  return FailureKind::none;
}

void ImpactLaw::clear() {
  included_.assign(static_cast<std::size_t>(nc_));
  soft_.assign(static_cast<std::size_t>(nc_));
  count_ = 0;
}

void ImpactLaw::include(int j, bool soft) {
  if (!included_[j]) ++count_;
  included_[j] = true;
  soft_[j] = soft;
}

// X = M⁻¹H and W = HᵀX.
void ImpactLaw::respond() {
  if (problem_.is_large()) {
    ImpulseResponse response{.answer = &answer_};
    if (factors_.is_definite()) response.matrix = &factors_.pattern(), response.A = factors_.values();
    return problem_.large().set(response, H_.data());
  }
  for (int j = 0; j < nc_; ++j) {
    if (!included_[j]) continue;
    double* x = column(j);
    std::fill(x, x + nq_, 0.0);
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) x[layout_.gradient.row[k]] = H_[k];
    factors_.solve(x);
    problem_.set_column(layout_.gradient, H_.data(), j, x);
  }
}

// x += X P
void ImpactLaw::add_push(double* x) {
  if (problem_.is_large()) {
    const double* push = problem_.large().push(P_.data());
    for (int i = 0; i < nq_; ++i) x[i] += push[i];
    return;
  }
  for (int j = 0; j < nc_; ++j)
    for (int i = 0; i < nq_ && P_[j] != 0.0; ++i) x[i] += column(j)[i] * P_[j];
}

FailureKind ImpactLaw::strike(double* v) {
  for (int j = 0; j < nc_; ++j) {
    P_[j] = 0.0;
    if (!included_[j]) continue;
    if (!(e_[j] >= 0.0 && e_[j] <= 1.0)) return FailureKind::restitution_out_of_range;
    U_minus_[j] = rate(j, v);
    b_[j] = (soft_[j] ? 1.0 : 1.0 + e_[j]) * U_minus_[j];
  }
  respond();
  if (!problem_.solve(included_.data(), b_.data(), P_.data())) return FailureKind::complementarity_not_solved;
  add_push(v);
  for (int j = 0; j < nc_; ++j)
    if (included_[j]) U_plus_[j] = rate(j, v);
  return FailureKind::none;
}

double ImpactLaw::fastest() const {
  double fastest = 0.0;
  for (int j = 0; j < nc_; ++j)
    if (included_[j]) fastest = std::max(fastest, std::abs(U_minus_[j]));
  return fastest;
}

bool ImpactLaw::meets_discontinuity(int j) const {
  if (problem_.is_large()) return meets_discontinuity_large(j);
  for (int k = 0; k < nc_; ++k) {
    if (k == j || !included_[k]) continue;
    const double cosine = problem_.at(j, k) / std::sqrt(problem_.at(j, j) * problem_.at(k, k));
    if (breaks_continuity(cosine, std::max(e_[j], e_[k]))) return true;
  }
  return false;
}

bool ImpactLaw::meets_discontinuity_large(int j) const {
  ContactSystem& system = problem_.large();
  const double own = system.own(j);
  bool breaks = false;
  system.each_entry(j, [&](int k, double W) {
    if (breaks || k == j || !included_[k]) return;
    breaks = breaks_continuity(W / std::sqrt(own * system.own(k)), std::max(e_[j], e_[k]));
  });
  return breaks;
}

void ImpactLaw::multiply(const std::vector<double>& x, std::vector<double>& Wx) const {
  for (int j = 0; j < nc_; ++j) Wx[j] = included_[j] ? problem_.row_dot(j, x.data()) : 0.0;
}

// W P = target by conjugate gradients: W may be singular where contacts are redundant, the target then fits. With many
// of them by factors, as the iterations grow with their number.
void ImpactLaw::solve_equalities(const std::vector<double>& target) {
  if (problem_.is_large()) {
    if (!problem_.large().solve_equalities(included_.data(), target.data(), P_.data()))
      std::fill(P_.begin(), P_.end(), 0.0);
    return;
  }
  double first = 0.0;
  for (int j = 0; j < nc_; ++j) {
    P_[j] = 0.0;
    r_[j] = p_[j] = included_[j] ? target[j] : 0.0;
    first += r_[j] * r_[j];
  }
  double size = first;
  for (int iteration = 0; iteration < 2 * count_ + 10; ++iteration) {
    if (!(size > 1e-30 * first) || !(size > std::numeric_limits<double>::min())) return;
    multiply(p_, Wp_);
    const double curvature = dot(nc_, p_.data(), Wp_.data());
    if (!(curvature > 0.0)) return;
    const double length = size / curvature;
    double next = 0.0;
    for (int j = 0; j < nc_; ++j) {
      P_[j] += length * p_[j];
      r_[j] -= length * Wp_[j];
      next += r_[j] * r_[j];
    }
    for (int j = 0; j < nc_; ++j) p_[j] = r_[j] + next / size * p_[j];
    size = next;
  }
}

FailureKind ImpactLaw::hold(double* v) {
  for (int j = 0; j < nc_; ++j) {
    if (!included_[j]) continue;
    U_minus_[j] = rate(j, v);
    b_[j] = -U_minus_[j];
  }
  respond();
  solve_equalities(b_);
  add_push(v);
  for (int j = 0; j < nc_; ++j)
    if (included_[j]) U_plus_[j] = rate(j, v);
  return FailureKind::none;
}

FailureKind ImpactLaw::close_gaps(double t, double* q) {
  constexpr int most_iterations = 20;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    double largest = 0.0, size = 1.0;
    for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(q[i]));
    for (int j = 0; j < nc_; ++j) {
      if (!included_[j]) continue;
      largest = std::max(largest, std::abs(g_[j]));
      b_[j] = -g_[j];
    }
    if (largest <= 4.0 * epsilon * size) return FailureKind::none;
    // Round-off keeps it from falling further.
    if (largest >= 0.5 * last && largest <= 1e4 * epsilon * size) return FailureKind::none;
    last = largest;
    respond();
    solve_equalities(b_);
    add_push(q);
    if (const FailureKind kind = place(t, q); kind != FailureKind::none) return kind;
  }
  return FailureKind::drift_not_projected;
}

}  // namespace ricochet
