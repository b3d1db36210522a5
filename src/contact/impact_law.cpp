#include "contact/impact_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/contact/impact.hpp"

namespace ricochet {
namespace {

ComplementaritySettings settings_for(const Layout& layout, ComplementaritySettings solver) {
  if (layout.nf() > 0) solver.matrix = ContactMatrix::dense;
  return solver;
}

}  // namespace

ImpactLaw::ImpactLaw(const Model& model, const ComplementaritySettings& solver)
    : layout_(model.layout()),
      nc_(model.nc()),
      held_(nc_ + model.nb()),
      nr_(layout_.rows.cols),
      contacts_(model),
      mass_(model),
      resolution_(model),
      delassus_(model.nq(), layout_, settings_for(layout_, solver), 0, ContactRows::with_slips) {
  for (int j = 0; j < nr_; ++j) joints_[j] = j >= nc_ && j < held_;
}

FailureKind ImpactLaw::place(double t, const double* q) {
  if (!mass_.place(t, q)) return FailureKind::mass_not_positive_definite;
  contacts_.place_gaps(t, q);
  contacts_.place_rates(t, q);
  contacts_.place_restitutions(t, q);
  contacts_.place_bounds(t, q);
  return contacts_.is_finite() ? FailureKind::none : FailureKind::not_finite;
}

void ImpactLaw::clear() {
  for (int j = 0; j < nr_; ++j) {
    included_[j] = j >= nc_ && j < held_;
    soft_[j] = false;
  }
  count_ = held_ - nc_;
}

void ImpactLaw::include(int j, bool soft) {
  if (!included_[j]) ++count_;
  included_[j] = true;
  soft_[j] = soft;
}

FailureKind ImpactLaw::strike(double* v, double duration) {
  for (int j = 0; j < nr_; ++j) {
    P_[j] = 0.0;
    if (!included_[j]) continue;
    const double e = j < nc_ ? contacts_.restitution(j) : 0.0;
    if (!(e >= 0.0 && e <= 1.0)) return FailureKind::restitution_out_of_range;
    U_minus_[j] = contacts_.rate(j, v);
    b_[j] = (j < nc_ && soft_[j] ? 1.0 : 1.0 + e) * U_minus_[j];
  }
  for (const SlipRow& slip : slips_) {
    const bool is_dry = slip.contact < 0;
    included_[slip.row] = is_dry ? duration > 0.0 : static_cast<bool>(included_[slip.contact]);
    bounds_[slip.friction] = (is_dry ? duration : 1.0) * contacts_.bound(slip.friction);
    if (!included_[slip.row]) continue;
    const double e = contacts_.tangential_restitution(slip.friction);
    if (!(e >= 0.0 && e <= 1.0 && bounds_[slip.friction] >= 0.0)) return FailureKind::friction_out_of_range;
    U_minus_[slip.row] = contacts_.rate(slip.row, v);
    b_[slip.row] = (!is_dry && soft_[slip.contact] ? 1.0 : 1.0 + e) * U_minus_[slip.row];
  }
  respond();
  if (!delassus_.solve(included_.data(), b_.data(), P_.data(), bounds_.data()))
    return FailureKind::complementarity_not_solved;
  delassus_.add_push(P_.data(), v);
  for (int j = 0; j < nr_; ++j)
    if (included_[j]) U_plus_[j] = contacts_.rate(j, v);
  return FailureKind::none;
}

void ImpactLaw::push_held(int j) {
  std::fill(x_.begin(), x_.end(), 0.0);
  std::fill(unit_.begin(), unit_.end(), 0.0);
  unit_[j] = 1.0;
  delassus_.add_push(unit_.data(), x_.data());
  for (int k = nc_; k < held_; ++k) target_[k] = -contacts_.along(k, x_.data());
  if (delassus_.solve_equalities(joints_.data(), target_.data(), unit_.data()))
    delassus_.add_push(unit_.data(), x_.data());
}

bool ImpactLaw::meets_discontinuity(int j) {
  const double own = own_product(j);
  bool breaks = false;
  each_product(j, [&](int k, double W) {
    if (breaks || k == j || !included_[k]) return;
    breaks = breaks_continuity(W / std::sqrt(own * own_product(k)),
                               std::max(contacts_.restitution(j), contacts_.restitution(k)));
  });
  return breaks;
}

void ImpactLaw::project(const bool* rows, double* x) {
  delassus_.set(mass_.factors(), contacts_.gradients(), rows);
  for (int j = 0; j < nr_; ++j) b_[j] = -b_[j];
  if (!delassus_.solve_equalities(rows, b_.data(), P_.data())) std::fill(P_.begin(), P_.end(), 0.0);
  delassus_.add_push(P_.data(), x);
}

FailureKind ImpactLaw::hold(double* v) {
  for (int j = 0; j < nr_; ++j)
    if (included_[j]) b_[j] = U_minus_[j] = contacts_.rate(j, v);
  project(included_.data(), v);
  for (int j = 0; j < nr_; ++j)
    if (included_[j]) U_plus_[j] = contacts_.rate(j, v);
  return FailureKind::none;
}

// What the impulses of the last projection, which may cancel in a light body, did to each gap.
void ImpactLaw::add_push_sizes() {
  for (int j = 0; j < nr_; ++j)
    if (placed_[j]) delassus_.each_entry(j, [&](int k, double W) { resolution_.size(k) += std::abs(W * P_[j]); });
}

bool ImpactLaw::is_resolved(double t, const double* q) {
  std::fill(x_.begin(), x_.end(), 0.0);
  project(placed_.data(), x_.data());
  for (int j = 0; j < nr_; ++j) b_[j] = -b_[j];
  return resolution_.is_reached(t, q, x_.data(), b_.data(), contacts_, placed_);
}

FailureKind ImpactLaw::close_gaps(double t, double* q) {
  constexpr int most_iterations = 20;
  double last = std::numeric_limits<double>::infinity();
  for (int j = 0; j < nr_; ++j) placed_[j] = included_[j] && (j < nc_ || (j < held_ && joint_has_position_[j - nc_]));
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (int j = 0; j < held_; ++j)
      if (placed_[j]) b_[j] = contacts_.gap(j);
    const double largest = resolution_.largest(t, q, b_.data(), contacts_, placed_, iteration == 0);
    if (largest <= 4.0) return FailureKind::none;
    // Round-off keeps it from falling further.
    if (largest >= 0.5 * last && (largest <= most_round_off || is_resolved(t, q))) return FailureKind::none;
    last = largest;
    project(placed_.data(), q);
    if (iteration > 0) add_push_sizes();
    if (const FailureKind kind = place(t, q); kind != FailureKind::none) return kind;
  }
  return FailureKind::drift_not_projected;
}

}  // namespace ricochet
