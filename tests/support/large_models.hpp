// Systems of any size with few or many contacts, written by hand.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace ricochet::testing {

inline constexpr Structure linear_structure = {.constant_mass = true,
                                               .linear_force = true,
                                               .constant_load = true,
                                               .linear_gaps = true,
                                               .fixed_gaps = true,
                                               .constant_restitution = true};

inline Pattern tridiagonal_pattern(int n) {
  Pattern pattern{n, n, {0}, {}};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) pattern.row.push_back(i);
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  return pattern;
}

inline Pattern diagonal_pattern(int n) {
  Pattern pattern{n, n, {0}, {}};
  for (int j = 0; j < n; ++j) {
    pattern.row.push_back(j);
    pattern.start.push_back(j + 1);
  }
  return pattern;
}

// An elastic bar of linear elements with consistent mass, in units in which a wave needs 1 for its length; free at both
// ends. Stops, evenly spread from its left end, keep q ≥ 0 there.
class ElasticBar final : public Model {
 public:
  struct Settings {
    int elements = 10, stops = 1;
    double restitution = 0.0;
    double damping = 0.0;  // C = damping · K
    double pull = 0.0;     // force on every coordinate, towards the stops
  };
  explicit ElasticBar(const Settings& settings)
      : Model(layout_of(settings)), settings_(settings), n_(settings.elements + 1), length_(1.0 / settings.elements) {}

  void mass(double, const double*, double* M) const override { fill(M, length_ / 3.0, length_ / 6.0); }
  void force(double, const double* q, const double* v, const double*, double* F) const override {
    for (int i = 0; i < n_; ++i) F[i] = -load_of(i);
    for (int i = 0; i + 1 < n_; ++i) {
      const double pull = ((q[i + 1] - q[i]) + settings_.damping * (v[i + 1] - v[i])) / length_;
      F[i] += pull;
      F[i + 1] -= pull;
    }
  }
  void gap(double, const double* q, double* g) const override {
    for (int j = 0; j < nc(); ++j) g[j] = q[layout().gradient.row[j]];
  }
  void gap_gradient(double, const double*, double* H) const override { std::fill(H, H + nc(), 1.0); }
  void restitution(double, const double*, double* e) const override { std::fill(e, e + nc(), settings_.restitution); }
  LinearForce<double> linear_force() const override {
    LinearForce<double> linear;
    linear.K.resize(static_cast<std::size_t>(layout().stiffness.size()));
    fill(linear.K.data(), 1.0 / length_, -1.0 / length_);
    linear.K_V = linear.K;
    if (settings_.damping > 0.0)
      for (const double k : linear.K) linear.C.push_back(settings_.damping * k);
    linear.C_D = linear.C;
    return linear;
  }
  void load(double, Load<double>& load) const override {
    for (int i = 0; i < n_; ++i) load.f[i] = 0.0, load.l[i] = load_of(i);
    load.V0 = 0.0;
  }
  Energy<double> energy(double, const double* q, const double* v) const override {
    Energy<double> energy;
    for (int i = 0; i < n_; ++i) energy.potential += load_of(i) * q[i];
    for (int i = 0; i + 1 < n_; ++i) {
      energy.kinetic += length_ / 6.0 * (v[i] * v[i] + v[i] * v[i + 1] + v[i + 1] * v[i + 1]);
      energy.potential += 0.5 * (q[i + 1] - q[i]) * (q[i + 1] - q[i]) / length_;
    }
    return energy;
  }
  Power<double> power(double, const double*, const double* v, const double*) const override {
    Power<double> power;
    for (int i = 0; i + 1 < n_; ++i)
      power.damping -= settings_.damping * (v[i + 1] - v[i]) * (v[i + 1] - v[i]) / length_;
    return power;
  }

 private:
  static Layout layout_of(const Settings& settings) {
    const int n = settings.elements + 1, nc = settings.stops;
    Layout layout;
    for (int i = 0; i < n; ++i) layout.coordinates.push_back("u" + std::to_string(i));
    for (int j = 0; j < nc; ++j) layout.constraints.push_back("stop" + std::to_string(j));
    layout.structure = linear_structure;
    layout.mass = layout.stiffness = tridiagonal_pattern(n);
    layout.damping = settings.damping > 0.0 ? layout.stiffness : Pattern::empty(n, n);
    layout.gradient = {n, nc, {0}, {}};
    for (int j = 0; j < nc; ++j) {
      layout.gradient.row.push_back(j * settings.elements / std::max(1, nc - 1));
      layout.gradient.start.push_back(j + 1);
    }
    return layout;
  }
  double load_of(int i) const { return settings_.pull * length_ * (i == 0 || i == n_ - 1 ? 0.5 : 1.0); }
  // The sum of the elements' matrices with the given entries.
  void fill(double* A, double own, double beside) const {
    const Pattern& pattern = layout().stiffness;
    for (int j = 0; j < n_; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        A[k] = pattern.row[k] != j ? beside : j == 0 || j == n_ - 1 ? own : 2.0 * own;
  }

  const Settings settings_;
  const int n_;
  const double length_;
};

// Beads above each other on a floor: contact 0 is the floor, contact j lies below bead j.
class BeadColumn final : public Model {
 public:
  struct Settings {
    int beads = 10;
    double restitution = 0.0, mass = 1.0, radius = 0.5, gravity = 9.81;
  };
  explicit BeadColumn(const Settings& settings) : Model(layout_of(settings)), settings_(settings) {}

  // Heights with the given space between neighbours.
  State start(double space, double v) const {
    State state;
    for (int i = 0; i < nq(); ++i) state.q.push_back(settings_.radius * (2 * i + 1) + space * (i + 1));
    state.v.assign(state.q.size(), v);
    return state;
  }

  void mass(double, const double*, double* M) const override { std::fill(M, M + nq(), settings_.mass); }
  void force(double, const double*, const double*, const double*, double* F) const override {
    std::fill(F, F + nq(), -settings_.mass * settings_.gravity);
  }
  void gap(double, const double* q, double* g) const override {
    g[0] = q[0] - settings_.radius;
    for (int j = 1; j < nc(); ++j) g[j] = q[j] - q[j - 1] - 2.0 * settings_.radius;
  }
  void gap_gradient(double, const double*, double* H) const override {
    H[0] = 1.0;
    for (int j = 1; j < nc(); ++j) H[2 * j - 1] = -1.0, H[2 * j] = 1.0;
  }
  void gap_acceleration_terms(double, const double*, const double*, double* c) const override {
    std::fill(c, c + nc(), 0.0);
  }
  void restitution(double, const double*, double* e) const override { std::fill(e, e + nc(), settings_.restitution); }
  LinearForce<double> linear_force() const override { return {}; }
  void load(double, Load<double>& load) const override {
    for (int i = 0; i < nq(); ++i) load.f[i] = 0.0, load.l[i] = settings_.mass * settings_.gravity;
    load.V0 = 0.0;
  }
  Energy<double> energy(double, const double* q, const double* v) const override {
    Energy<double> energy;
    for (int i = 0; i < nq(); ++i) {
      energy.kinetic += 0.5 * settings_.mass * v[i] * v[i];
      energy.potential += settings_.mass * settings_.gravity * q[i];
    }
    return energy;
  }
  Power<double> power(double, const double*, const double*, const double*) const override { return {}; }

 private:
  static Layout layout_of(const Settings& settings) {
    const int n = settings.beads;
    Layout layout;
    for (int i = 0; i < n; ++i) {
      layout.coordinates.push_back("x" + std::to_string(i));
      layout.constraints.push_back(i == 0 ? "floor" : "contact" + std::to_string(i));
    }
    layout.structure = linear_structure;
    layout.mass = diagonal_pattern(n);
    layout.stiffness = layout.damping = Pattern::empty(n, n);
    layout.gradient = {n, n, {0, 1}, {0}};
    for (int j = 1; j < n; ++j) {
      layout.gradient.row.insert(layout.gradient.row.end(), {j - 1, j});
      layout.gradient.start.push_back(static_cast<int>(layout.gradient.row.size()));
    }
    return layout;
  }

  const Settings settings_;
};

}  // namespace ricochet::testing
