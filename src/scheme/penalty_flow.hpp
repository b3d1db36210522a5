// The motion with compliant contacts as an ODE for the engines of runge_kutta/: y = (q, v, z, work, impulses, works),
//
//     q' = v,   M v' = F + H λ,   λ_j = −k_j g_j − c_j U_j on the contacts that are in touch, 0 on the others,
//     z' = rate(t, q, v, z),   work' = (input, damping),   impulse_j' = λ_j,   work_j' = λ_j U_j.
//
// Who is in touch does not change inside a step, so that f is smooth in it: the caller stops where a gap passes 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class PenaltyFlow {
 public:
  explicit PenaltyFlow(const Model& model)
      : model_(model),
        layout_(model.layout()),
        nq_(model.nq()),
        nc_(model.nc()),
        nz_(model.nz()),
        springs_(static_cast<std::size_t>(nc_)),
        M_(zeros(layout_.mass.size())),
        H_(zeros(layout_.gradient.size())),
        g_(zeros(nc_)),
        U_(zeros(nc_)),
        g_t_(zeros(nc_)),
        c_(zeros(nc_)),
        a_(zeros(nq_)),
        x_(zeros(nq_)) {
    mass_.resize(nq_, {&layout_.mass});
  }

  int motion_size() const { return 2 * nq_ + nz_; }
  int size() const { return motion_size() + 2 + 2 * nc_; }

  void touch(int j, double k, double c) {
    touching_ += springs_[j].touching ? 0 : 1;
    springs_[j] = {true, k, c};
  }
  void part(int j) {
    touching_ -= springs_[j].touching ? 1 : 0;
    springs_[j] = {};
  }
  bool touches(int j) const { return springs_[j].touching; }
  int touching() const { return touching_; }

  // y from a state, with works and impulses at 0; and back.
  void pack(const State& state, std::vector<double>& y) const {
    std::copy(state.q.begin(), state.q.end(), y.begin());
    std::copy(state.v.begin(), state.v.end(), y.begin() + nq_);
    std::copy(state.z.begin(), state.z.end(), y.begin() + 2 * nq_);
    std::fill(y.begin() + motion_size(), y.end(), 0.0);
  }
  void unpack(const double* y, State& state) const {
    std::copy(y, y + nq_, state.q.begin());
    std::copy(y + nq_, y + 2 * nq_, state.v.begin());
    std::copy(y + 2 * nq_, y + motion_size(), state.z.begin());
  }
  double& input(double* y) const { return y[motion_size()]; }
  double& damping(double* y) const { return y[motion_size() + 1]; }
  double& impulse(double* y, int j) const { return y[motion_size() + 2 + j]; }
  double& work(double* y, int j) const { return y[motion_size() + 2 + nc_ + j]; }

  // False if M is not positive definite.
  bool operator()(double t, const double* y, double* dy) {
    const double *q = y, *v = y + nq_, *z = y + 2 * nq_;
    ++evaluations_;
    if (!factorise_mass(t, q)) return false;
    model_.force(t, q, v, z, a_.data());
    std::fill(dy + motion_size() + 2, dy + size(), 0.0);
    const double obstacles = touching_ > 0 ? push(t, q, v, dy) : 0.0;
    mass_.solve(a_.data());
    std::copy(v, v + nq_, dy);
    std::copy(a_.begin(), a_.end(), dy + nq_);
    if (nz_ > 0) model_.state_rate(t, q, v, z, dy + 2 * nq_);
    const Power<double> power = model_.power(t, q, v, z);
    dy[motion_size()] = power.input + obstacles;
    dy[motion_size() + 1] = power.damping;
    return true;
  }

  // Gaps and rates of all contacts.
  void measure(double t, const double* y) {
    if (nc_ == 0) return;
    model_.gap(t, y, g_.data());
    model_.gap_gradient(t, y, H_.data());
    model_.gap_time_derivative(t, y, g_t_.data());
    for (int j = 0; j < nc_; ++j) U_[j] = g_t_[j] + column_dot(layout_.gradient, H_.data(), j, y + nq_);
  }
  double gap(int j) const { return g_[j]; }
  double rate(int j) const { return U_[j]; }
  double along(int j, const double* x) const { return column_dot(layout_.gradient, H_.data(), j, x); }  // H_jᵀx

  // The size of what a gap is made of, after measure() at q.
  double gap_size(int j, const double* q) const {
    double sum = 0.0, size = 0.0;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) {
      const double part = H_[k] * q[layout_.gradient.row[k]];
      sum += part, size += std::abs(part);
    }
    return size + std::abs(g_[j] - sum);
  }

  // g_j'' with the forces that act now; after measure() and an evaluation at the same point.
  double separation(int j, double t, const double* y) {
    model_.gap_acceleration_terms(t, y, y + nq_, c_.data());
    return c_[j] + along(j, a_.data());
  }
  // 1/(HᵀM⁻¹H); after measure() at the same point. Infinite if the gradient is zero, negative if M is not definite.
  double effective_mass(int j, double t, const double* q) {
    if (!factorise_mass(t, q)) return -1.0;
    std::fill(x_.begin(), x_.end(), 0.0);
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) x_[layout_.gradient.row[k]] = H_[k];
    mass_.solve(x_.data());
    return 1.0 / along(j, x_.data());
  }
  std::uint64_t evaluations() const { return evaluations_; }
  const double* acceleration() const { return a_.data(); }

 private:
  struct Spring {
    bool touching = false;
    double k = 0.0, c = 0.0;
  };
  static std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }

  bool factorise_mass(double t, const double* q) {
    if (ready_ && layout_.structure.constant_mass) return true;
    model_.mass(t, q, M_.data());
    mass_.set_zero();
    mass_.add(0, M_.data(), 1.0);
    return ready_ = is_definite_(layout_.mass, M_.data()) && mass_.factorise();
  }

  // a += H λ, impulses and works; the power of moving obstacles, −∂g/∂tᵀ λ.
  double push(double t, const double* q, const double* v, double* dy) {
    double obstacles = 0.0;
    model_.gap(t, q, g_.data());
    model_.gap_gradient(t, q, H_.data());
    model_.gap_time_derivative(t, q, g_t_.data());
    for (int j = 0; j < nc_; ++j) {
      const Spring& spring = springs_[j];
      if (!spring.touching) continue;
      const double U = g_t_[j] + column_dot(layout_.gradient, H_.data(), j, v);
      const double lambda = -spring.k * g_[j] - spring.c * U;
      for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k)
        a_[layout_.gradient.row[k]] += H_[k] * lambda;
      impulse(dy, j) = lambda;
      work(dy, j) = lambda * U;
      obstacles -= g_t_[j] * lambda;
    }
    return obstacles;
  }

  const Model& model_;
  const Layout& layout_;
  const int nq_, nc_, nz_;
  std::vector<Spring> springs_;
  int touching_ = 0;
  std::vector<double> M_, H_, g_, U_, g_t_, c_, a_, x_;
  IterationMatrix<double> mass_;
  DefinitenessTest<double> is_definite_;
  bool ready_ = false;
  std::uint64_t evaluations_ = 0;
};

}  // namespace ricochet
