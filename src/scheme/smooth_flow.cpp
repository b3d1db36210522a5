#include "scheme/smooth_flow.hpp"

#include <algorithm>

namespace ricochet {

SmoothFlow::SmoothFlow(const Model& model)
    : model_(model),
      layout_(model.layout()),
      nq_(model.nq()),
      nc_(model.nc()),
      nz_(model.nz()),
      has_work_(has_work()),
      closed_(static_cast<std::size_t>(nc_), 0),
      M_(zeros(layout_.mass.size())),
      H_(zeros(layout_.gradient.size())),
      c_(zeros(nc_)),
      g_t_(zeros(nc_)),
      a_(zeros(nq_)),
      magnitude_(zeros(nq_)),
      X_(zeros(nq_ * std::min(nc_, ContactSystem::few))),
      W_(zeros(std::min(nc_, ContactSystem::few) * std::min(nc_, ContactSystem::few))),
      b_(zeros(nc_)),
      Gamma_(zeros(nc_)),
      lambda_(zeros(nc_)) {
  index_.reserve(static_cast<std::size_t>(nc_));
  mass_.resize(nq_, {&layout_.mass});
  prepare_linear();
  if (nc_ <= ContactSystem::few) return;
  many_ = std::make_unique<ContactSystem>(nq_, layout_.gradient, ComplementaritySettings{});
  held_ = std::make_unique<bool[]>(static_cast<std::size_t>(nc_));
}

void SmoothFlow::prepare_linear() {
  constexpr int largest = 6;
  const Structure& structure = layout_.structure;
  if (!structure.linear_force || !structure.constant_mass || !structure.constant_load || nz_ > 0 || nq_ > largest)
    return;
  const std::vector<double> origin = zeros(nq_);
  if (!factorise_mass(0.0, origin.data())) return;
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
  is_single_ = nq_ == 1 && !has_work_;
}

// False only if neither forces nor obstacles can ever do work: a linear force from a constant potential alone.
bool SmoothFlow::has_work() const {
  const Structure& structure = layout_.structure;
  if (!structure.linear_force || !structure.constant_load || !structure.constant_mass || !structure.fixed_gaps)
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

void SmoothFlow::pack(const State& state, std::vector<double>& y) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::copy(state.q.begin(), state.q.end(), y.begin());
  std::copy(state.v.begin(), state.v.end(), y.begin() + nq_);
  std::copy(state.z.begin(), state.z.end(), y.begin() + 2 * nq_);
}

void SmoothFlow::unpack(const double* y, State& state) const {
  std::copy(y, y + nq_, state.q.begin());
  std::copy(y + nq_, y + 2 * nq_, state.v.begin());
  std::copy(y + 2 * nq_, y + 2 * nq_ + nz_, state.z.begin());
}

bool SmoothFlow::factorise_mass(double t, const double* q) {
  if (mass_ready_ && layout_.structure.constant_mass) return true;
  model_.mass(t, q, M_.data());
  mass_.set_zero();
  mass_.add(0, M_.data(), 1.0);
  mass_ready_ = mass_.factorise();
  if (nq_ == 1) inverse_mass_ = 1.0 / M_[0];
  return mass_ready_;
}

bool SmoothFlow::operator()(double t, const double* y, double* dy, double* lambda) {
  ++evaluations_;
  failure_ = FailureKind::none;
  const double *q = y, *v = y + nq_, *z = y + 2 * nq_;
  if (is_linear_) {
    for (int i = 0; i < nq_; ++i) {
      double a = a_linear_[i];
      for (int j = 0; j < nq_; ++j) a -= A_[j * nq_ + i] * q[j] + B_[j * nq_ + i] * v[j];
      a_[i] = a;
    }
  } else {
    if (!factorise_mass(t, q)) {
      failure_ = FailureKind::mass_not_positive_definite;
      return false;
    }
    model_.force(t, q, v, z, a_.data());
    if (nq_ == 1) {
      a_[0] *= inverse_mass_;
    } else {
      mass_.solve(a_.data());
    }
  }
  for (int i = 0; i < nq_; ++i) magnitude_[i] = std::abs(a_[i]);
  for (int j = 0; j < nc_; ++j) lambda[j] = 0.0;
  if (count_ > 0 && !solve_contacts(t, q, v, lambda)) return false;
  for (int i = 0; i < nq_; ++i) {
    dy[i] = v[i];
    dy[nq_ + i] = a_[i];
  }
  if (nz_ > 0) model_.state_rate(t, q, v, z, dy + 2 * nq_);
  if (has_work_ && skips_work_) {
    dy[motion_size()] = dy[motion_size() + 1] = 0.0;
  } else if (has_work_) {
    const Power<double> power = model_.power(t, q, v, z);
    double obstacles = 0.0;
    for (int j = 0; j < nc_ && count_ > 0; ++j) obstacles -= g_t_[j] * lambda[j];
    dy[motion_size()] = power.input + obstacles;
    dy[motion_size() + 1] = power.damping;
  }
  for (int j = 0; j < nc_ && carries_impulses_; ++j) dy[impulse_begin() + j] = lambda[j];
  return true;
}

void SmoothFlow::place_contacts(double t, const double* q, const double* v) {
  model_.gap_gradient(t, q, H_.data());
  model_.gap_acceleration_terms(t, q, v, c_.data());
  model_.gap_time_derivative(t, q, g_t_.data());
}

// W λ = −(Hᵀa + c) on the closed contacts; then a += M⁻¹Hλ.
bool SmoothFlow::solve_contacts(double t, const double* q, const double* v, double* lambda) {
  place_contacts(t, q, v);
  index_.clear();
  for (int j = 0; j < nc_; ++j)
    if (closed_[j]) index_.push_back(j);
  const int m = count_;
  if (m > ContactSystem::few) return solve_many(lambda);
  for (int k = 0; k < m; ++k) {
    double* x = X_.data() + static_cast<std::size_t>(k) * static_cast<std::size_t>(nq_);
    std::fill(x, x + nq_, 0.0);
    const int j = index_[k];
    for (int e = layout_.gradient.start[j]; e < layout_.gradient.start[j + 1]; ++e) x[layout_.gradient.row[e]] = H_[e];
    mass_.solve(x);
    for (int i = 0; i < m; ++i)
      W_[static_cast<std::size_t>(k * m + i)] = column_dot(layout_.gradient, H_.data(), index_[i], x);
    b_[k] = -(c_[j] + column_dot(layout_.gradient, H_.data(), j, a_.data()));
  }
  if (!solve_redundant(W_, b_)) {
    failure_ = FailureKind::complementarity_not_solved;
    return false;
  }
  for (int k = 0; k < m; ++k) {
    lambda[index_[k]] = b_[k];
    const double* x = X_.data() + static_cast<std::size_t>(k) * static_cast<std::size_t>(nq_);
    for (int i = 0; i < nq_; ++i) {
      a_[i] += x[i] * b_[k];
      magnitude_[i] += std::abs(x[i] * b_[k]);
    }
  }
  return true;
}

bool SmoothFlow::solve_many(double* lambda) {
  ImpulseResponse response{.answer = &answer_};
  if (mass_.is_definite()) response.matrix = &mass_.pattern(), response.A = mass_.values();
  many_->set(response, H_.data());
  for (int j = 0; j < nc_; ++j) {
    held_[static_cast<std::size_t>(j)] = closed_[j] != 0;
    b_[j] = closed_[j] != 0 ? -(c_[j] + column_dot(layout_.gradient, H_.data(), j, a_.data())) : 0.0;
  }
  if (!many_->solve_equalities(held_.get(), b_.data(), lambda)) {
    failure_ = FailureKind::complementarity_not_solved;
    return false;
  }
  const double* push = many_->push(lambda);
  for (int i = 0; i < nq_; ++i) {
    a_[i] += push[i];
    magnitude_[i] += std::abs(push[i]);
  }
  return true;
}

// x := W⁻¹ x by LDLᵀ; where contacts are redundant the pivot vanishes and that contact carries nothing.
bool SmoothFlow::solve_redundant(const std::vector<double>& W, std::vector<double>& x) {
  const int m = count_;
  double* L = W_.data();
  const auto at = [m, L](int i, int k) -> double& { return L[static_cast<std::size_t>(k * m + i)]; };
  double largest = 0.0;
  for (int k = 0; k < m; ++k) largest = std::max(largest, W[static_cast<std::size_t>(k * m + k)]);
  if (!(largest > 0.0)) return false;
  for (int k = 0; k < m; ++k) {
    const double pivot = at(k, k);
    const bool redundant = !(pivot > 1e-13 * largest);
    for (int i = k + 1; i < m; ++i) {
      const double factor = redundant ? 0.0 : at(i, k) / pivot;
      for (int l = k + 1; l <= i; ++l) at(i, l) -= factor * at(l, k);
    }
    for (int i = k + 1; i < m; ++i) at(i, k) = redundant ? 0.0 : at(i, k) / pivot;
    at(k, k) = redundant ? 0.0 : 1.0 / pivot;
  }
  for (int k = 0; k < m; ++k)
    for (int i = k + 1; i < m; ++i) x[i] -= at(i, k) * x[k];
  for (int k = 0; k < m; ++k) x[k] *= at(k, k);
  for (int k = m - 1; k >= 0; --k)
    for (int i = k + 1; i < m; ++i) x[k] -= at(i, k) * x[i];
  return true;
}

const double* SmoothFlow::separations(double t, const double* y) {
  place_contacts(t, y, y + nq_);
  for (int j = 0; j < nc_; ++j) Gamma_[j] = c_[j] + column_dot(layout_.gradient, H_.data(), j, a_.data());
  return Gamma_.data();
}

}  // namespace ricochet
