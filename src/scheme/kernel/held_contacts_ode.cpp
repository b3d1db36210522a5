#include "scheme/kernel/held_contacts_ode.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace ricochet {

void HeldContactsOde::prepare_linear() {
  constexpr int largest = 6;
  const Structure& structure = layout_.structure;
  if (!structure.linear_force || !structure.constant_mass || !structure.constant_load || nz_ > 0 || nq_ > largest)
    return;
  const std::vector<double> origin = zeros(nq_);
  if (!mass_.place(0.0, origin.data())) return;
  const LinearForce<double> linear = model_.linear_force();
  const auto divided = [&](const Pattern& pattern, const std::vector<double>& K) {
    std::vector<double> columns = zeros(nq_ * nq_);
    for (int j = 0; j < nq_; ++j) {
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) columns[j * nq_ + pattern.row[k]] = K[k];
      mass_.solve(columns.data() + j * nq_);
    }
    return columns;
  };
  A_ = divided(layout_.stiffness, linear.K);
  B_ = divided(layout_.damping, linear.C);
  a_linear_ = zeros(nq_);
  model_.force(0.0, origin.data(), origin.data(), nullptr, a_linear_.data());
  mass_.solve(a_linear_.data());
  is_linear_ = true;
  is_single_ = nq_ == 1 && !has_free_work_ && held_ == nc_;
}

// False only if neither forces nor obstacles can ever do work: a linear force from a constant potential alone.
bool HeldContactsOde::find_free_work() const {
  const Structure& structure = layout_.structure;
  if (!structure.linear_force || !structure.constant_load || !structure.constant_mass || !structure.fixed_gaps ||
      (model_.nb() > 0 && !structure.fixed_joints))
    return true;
  const LinearForce<double> linear = model_.linear_force();
  const auto nonzero = [](const std::vector<double>& x) {
    return std::any_of(x.begin(), x.end(), [](double entry) { return entry != 0.0; });
  };
  std::vector<double> f = zeros(nq_), l = zeros(nq_);
  Load<double> load{f.data(), l.data(), 0.0};
  model_.load(0.0, load);
  return linear.K != linear.K_V || nonzero(linear.C) || nonzero(f);
}

// The right-hand side where nothing is closed, and there are no joints.
bool HeldContactsOde::fly(double t, const double* y, double* dy) {
  ++evaluations_;
  failure_ = FailureKind::none;
  if (!ricochet::fly(model_, mass_, t, y, dy)) return lose_mass();
  for (int i = 0; i < nq_; ++i) magnitude_[i] = std::abs(dy[nq_ + i]);
  if (has_free_work_) set_works(t, y, 0.0, dy);
  return true;
}

bool HeldContactsOde::operator()(double t, const double* y, double* dy, double* lambda) {
  ++evaluations_;
  failure_ = FailureKind::none;
  const double *q = y, *v = y + nq_;
  if (is_linear_) {
    for (int i = 0; i < nq_; ++i) {
      double a = a_linear_[i];
      for (int j = 0; j < nq_; ++j) a -= A_[j * nq_ + i] * q[j] + B_[j * nq_ + i] * v[j];
      a_[i] = a;
    }
  } else if (!free_acceleration(model_, mass_, t, y, a_.data())) {
    return lose_mass();
  }
  for (int i = 0; i < nq_; ++i) magnitude_[i] = std::abs(a_[i]);
  for (int j = 0; j < nr_; ++j) lambda_[j] = 0.0;
  const bool acts = is_held() || has_joints();
  if (acts && !solve_contacts(t, q, v)) return false;
  set_motion(t, y, a_.data(), dy);
  if (carries_works() && skips_account_) {
    dy[motion_size()] = dy[motion_size() + 1] = 0.0;
  } else if (carries_works()) {
    set_works(t, y, acts ? contacts_.obstacle_work(lambda_.data()) : 0.0, dy);
  }
  if (carries_friction()) {
    double work = 0.0, surfaces = 0.0;
    for (int r = held_; r < nr_; ++r) {
      if (lambda_[r] == 0.0) continue;
      work += contacts_.rate(r, v) * lambda_[r];
      surfaces -= contacts_.obstacle_rate(r) * lambda_[r];
    }
    dy[motion_size()] += surfaces;
    dy[motion_size() + 2] = work;
  }
  for (int j = 0; j < nc_ && carries_impulses_; ++j) dy[impulse_begin() + j] = lambda_[j];
  for (int r = held_; r < nr_ && carries_impulses_; ++r) dy[impulse_begin() + nc_ + r - held_] = lambda_[r];
  if (lambda == nullptr) return true;
  std::copy(lambda_.begin(), lambda_.begin() + nc_, lambda);
  for (int k = 0; k < modes_.size(); ++k) lambda[nc_ + k] = this->acts(k) ? margin(t, v, k) : 1.0;
  return true;
}

void HeldContactsOde::reactions(const State& state, double* lambda) {
  std::vector<double> y = zeros(size(true)), dy = y;
  pack(state, y);
  if ((*this)(state.t, y.data(), dy.data(), nullptr)) std::copy(lambda_.begin() + nc_, lambda_.begin() + held_, lambda);
}

// W λ = −(Hᵀa + c) on joints, closed contacts and what sticks; then a += M⁻¹Hλ.
bool HeldContactsOde::solve_contacts(double t, const double* q, const double* v) {
  contacts_.place_obstacles(t, q);
  contacts_.place_accelerations(t, q, v);
  if (!(has_friction() ? solve_friction(t, q, v) : solve_normal())) return false;
  const bool sticks = modes_.any_sticks() && !delassus_.is_large();
  if (sticks) find_noise();
  std::fill(push_.begin(), push_.end(), 0.0);
  delassus_.add_push(lambda_.data(), push_.data());
  add_magnitude();
  for (int i = 0; i < nq_; ++i) {
    a_[i] += push_[i];
    if (sticks && std::abs(a_[i]) <= noise_[i]) a_[i] = 0.0;
  }
  return true;
}

// What the rows push with, each by itself: where feet turn a body this way and that, round-off is that of each.
void HeldContactsOde::add_magnitude() {
  if (delassus_.is_large()) {
    for (int i = 0; i < nq_; ++i) magnitude_[i] += std::abs(push_[i]);
    return;
  }
  for (int j = 0; j < nr_; ++j)
    for (int i = 0; i < nq_ && lambda_[j] != 0.0; ++i) magnitude_[i] += std::abs(delassus_.column(j)[i] * lambda_[j]);
}

// Round-off of a + M⁻¹Hλ. It counts as 0 where something sticks: a body at rest has no position to come back to along
// its slips. Where all slide, stages that are solved for need a right-hand side that is smooth to the last place. Rows
// of one contact are solved for together: a push along its slips is off by what the others are, in units of √W_jj.
void HeldContactsOde::find_noise() {
  constexpr double last_places = 64.0 * epsilon;
  const auto unit = [&](int row) { return std::sqrt(delassus_.diagonal(row)); };
  for (int j = 0; j < nr_; ++j) size_[j] = std::abs(lambda_[j]);
  for (int k = 0; k < modes_.size(); ++k) {
    const FrictionModes::Entry& entry = modes_[k];
    if (entry.contact < 0 || !acts(k)) continue;
    double largest = size_[entry.contact] * unit(entry.contact);
    for (int m = 0; m < entry.rows; ++m) largest = std::max(largest, size_[entry.row + m] * unit(entry.row + m));
    for (int m = 0; m < entry.rows; ++m) size_[entry.row + m] = largest / unit(entry.row + m);
  }
  for (int i = 0; i < nq_; ++i) noise_[i] = last_places * std::abs(a_[i]);
  for (int j = 0; j < nr_; ++j)
    for (int i = 0; i < nq_ && size_[j] != 0.0; ++i)
      noise_[i] += last_places * std::abs(delassus_.column(j)[i] * size_[j]);
}

bool HeldContactsOde::solve_normal() {
  delassus_.set(mass_.factors(), contacts_.gradients(), closed_.data());
  for (int j = 0; j < nr_; ++j) b_[j] = closed_[j] ? -contacts_.acceleration(j, a_.data()) : 0.0;
  if (delassus_.solve_equalities(closed_.data(), b_.data(), lambda_.data())) return true;
  failure_ = FailureKind::complementarity_not_solved;
  return false;
}

// Slides are built into the equations.
bool HeldContactsOde::solve_friction(double t, const double* q, const double* v) {
  contacts_.place_bounds(t, q);
  modes_.turn(contacts_, v);
  for (int j = 0; j < nr_; ++j) needed_[j] = closed_[j];
  for (int k = 0; k < modes_.size(); ++k) {
    bounds_[k] = contacts_.bound(k);
    if (!acts(k)) continue;
    if (!(bounds_[k] >= 0.0)) {
      failure_ = FailureKind::friction_out_of_range;
      return false;
    }
    for (int m = 0; m < modes_[k].rows; ++m) needed_[modes_[k].row + m] = true;
  }
  delassus_.set(mass_.factors(), contacts_.gradients(), needed_.data());
  for (int j = 0; j < nr_; ++j) {
    if (!needed_[j]) continue;
    b_[j] = contacts_.acceleration(j, a_.data());
    size_[j] = contacts_.size_along(j, a_.data());
  }
  if (friction_->solve({delassus_, closed_.data(), b_.data(), size_.data(), bounds_.data()}, modes_, lambda_.data()))
    return true;
  failure_ = FailureKind::complementarity_not_solved;
  return false;
}

// How far friction k is from the end of its mode.
double HeldContactsOde::margin(double t, const double* v, int k) const {
  constexpr double force_round_off = 1e-11;
  const FrictionModes::Entry& entry = modes_[k];
  if (entry.mode == FrictionMode::slide)
    return slip_along(k, v) + entry.floor + slip_acceleration_noise(k) * std::abs(t - set_out_at_);
  const double terms = FrictionModes::size_along(entry, contacts_, magnitude_.data());
  const double noise = force_round_off * (std::abs(bound(k)) + terms / delassus_.diagonal(entry.row));
  return bound(k) - FrictionModes::norm(friction_force(k)) + noise;
}

}  // namespace ricochet
