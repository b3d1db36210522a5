// A chain of rods with pins, the first one pinned to the origin: every link in Cartesian coordinates (x, y, a) with two
// rows of joints, and the same chain in its angles, where no joints are left and the mass matrix is full.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"
#include "support/large_models.hpp"

namespace ricochet::testing {

// Rods of length l and mass m under gravity g. Pin k holds the left end of link k:
//   x_k − l/2 cos a_k − (x_{k−1} + l/2 cos a_{k−1}) = 0, and the same with y and sin.
class LinkChain final : public Model {
 public:
  struct Settings {
    int links = 10;
    double length = 1.0, mass = 1.0, gravity = 9.81;
  };
  explicit LinkChain(const Settings& settings) : Model(layout_of(settings.links)), s_(settings) {}

  // A wave along the chain: angles ½ sin(k/10) with rates cos(k/10).
  State wave() const {
    State state;
    double x = 0.0, y = 0.0, x_dot = 0.0, y_dot = 0.0;
    for (int k = 0; k < s_.links; ++k) {
      const double a = 0.5 * std::sin(0.1 * k), a_dot = std::cos(0.1 * k);
      const double dx = s_.length * std::cos(a), dy = s_.length * std::sin(a);
      state.q.insert(state.q.end(), {x + 0.5 * dx, y + 0.5 * dy, a});
      state.v.insert(state.v.end(), {x_dot - 0.5 * dy * a_dot, y_dot + 0.5 * dx * a_dot, a_dot});
      x += dx, y += dy, x_dot -= dy * a_dot, y_dot += dx * a_dot;
    }
    return state;
  }

  void mass(double, const double*, double* M) const override {
    for (int k = 0; k < s_.links; ++k) M[3 * k] = M[3 * k + 1] = s_.mass, M[3 * k + 2] = inertia();
  }
  void force(double, const double*, const double*, const double*, double* F) const override {
    for (int k = 0; k < s_.links; ++k) F[3 * k] = F[3 * k + 2] = 0.0, F[3 * k + 1] = -s_.mass * s_.gravity;
  }
  void joint(double, const double* q, double* g) const override {
    const double r = 0.5 * s_.length;
    for (int k = 0; k < s_.links; ++k, q += 3) {
      g[2 * k] = q[0] - r * std::cos(q[2]);
      g[2 * k + 1] = q[1] - r * std::sin(q[2]);
      if (k == 0) continue;
      g[2 * k] -= q[-3] + r * std::cos(q[-1]);
      g[2 * k + 1] -= q[-2] + r * std::sin(q[-1]);
    }
  }
  void joint_gradient(double, const double* q, double* H) const override {
    const double r = 0.5 * s_.length;
    for (int k = 0; k < s_.links; ++k, q += 3) {
      if (k > 0) *H++ = -1.0, *H++ = r * std::sin(q[-1]);
      *H++ = 1.0, *H++ = r * std::sin(q[2]);
      if (k > 0) *H++ = -1.0, *H++ = -r * std::cos(q[-1]);
      *H++ = 1.0, *H++ = -r * std::cos(q[2]);
    }
  }
  void joint_drift(double, const double*, double* o) const override { std::fill(o, o + nb(), 0.0); }
  void joint_acceleration_terms(double, const double* q, const double* v, double* c) const override {
    const double r = 0.5 * s_.length;
    const auto turn = [r](const double* at, const double* rate) { return r * rate[2] * rate[2] * std::cos(at[2]); };
    const auto lift = [r](const double* at, const double* rate) { return r * rate[2] * rate[2] * std::sin(at[2]); };
    for (int k = 0; k < s_.links; ++k, q += 3, v += 3) {
      c[2 * k] = turn(q, v) + (k > 0 ? turn(q - 3, v - 3) : 0.0);
      c[2 * k + 1] = lift(q, v) + (k > 0 ? lift(q - 3, v - 3) : 0.0);
    }
  }
  LinearForce<double> linear_force() const override { return {}; }
  void load(double, Load<double>& load) const override {
    for (int i = 0; i < nq(); ++i) load.f[i] = 0.0, load.l[i] = i % 3 == 1 ? s_.mass * s_.gravity : 0.0;
    load.V0 = 0.0;
  }
  Energy<double> energy(double, const double* q, const double* v) const override {
    Energy<double> energy;
    for (int k = 0; k < s_.links; ++k, q += 3, v += 3) {
      energy.kinetic += 0.5 * (s_.mass * (v[0] * v[0] + v[1] * v[1]) + inertia() * v[2] * v[2]);
      energy.potential += s_.mass * s_.gravity * q[1];
    }
    return energy;
  }
  Power<double> power(double, const double*, const double*, const double*) const override { return {}; }

 private:
  double inertia() const { return s_.mass * s_.length * s_.length / 12.0; }
  static Layout layout_of(int links) {
    Layout layout;
    const int n = 3 * links;
    layout.joint_gradient = {n, 2 * links, {0}, {}};
    for (int k = 0; k < links; ++k) {
      const std::string number = std::to_string(k);
      for (const char* name : {"x", "y", "a"}) layout.coordinates.push_back(name + number);
      layout.joints.push_back({"pin" + number, 2});
      for (const int row : {0, 1}) {
        std::vector<int>& at = layout.joint_gradient.row;
        if (k > 0) at.insert(at.end(), {3 * k - 3 + row, 3 * k - 1});
        at.insert(at.end(), {3 * k + row, 3 * k + 2});
        layout.joint_gradient.start.push_back(static_cast<int>(at.size()));
      }
    }
    layout.structure = linear_structure;
    layout.structure.fixed_joints = true;
    layout.mass = diagonal_pattern(n);
    layout.stiffness = layout.damping = Pattern::empty(n, n);
    return layout;
  }

  const Settings s_;
};

// M_ij = m l² (N − 1 − max(i, j) + ½) cos(a_i − a_j) with ⅓ in place of ½ for i = j; N links, a dense matrix.
class ChainInAngles final : public Model {
 public:
  explicit ChainInAngles(const LinkChain::Settings& settings) : Model(layout_of(settings.links)), s_(settings) {}

  State wave() const {
    State state;
    for (int k = 0; k < s_.links; ++k) {
      state.q.push_back(0.5 * std::sin(0.1 * k));
      state.v.push_back(std::cos(0.1 * k));
    }
    return state;
  }

  void mass(double, const double* q, double* M) const override {
    for (int j = 0; j < s_.links; ++j)
      for (int i = 0; i < s_.links; ++i) *M++ = weight(i, j) * std::cos(q[i] - q[j]);
  }
  void force(double, const double* q, const double* v, const double*, double* F) const override {
    for (int i = 0; i < s_.links; ++i) {
      F[i] = -s_.mass * s_.gravity * s_.length * (s_.links - i - 0.5) * std::cos(q[i]);
      for (int j = 0; j < s_.links; ++j)
        if (j != i) F[i] -= weight(i, j) * std::sin(q[i] - q[j]) * v[j] * v[j];
    }
  }
  Energy<double> energy(double, const double* q, const double* v) const override {
    Energy<double> energy;
    for (int i = 0; i < s_.links; ++i) {
      energy.potential += s_.mass * s_.gravity * s_.length * (s_.links - i - 0.5) * std::sin(q[i]);
      for (int j = 0; j < s_.links; ++j) energy.kinetic += 0.5 * weight(i, j) * std::cos(q[i] - q[j]) * v[i] * v[j];
    }
    return energy;
  }
  Power<double> power(double, const double*, const double*, const double*) const override { return {}; }

 private:
  // Of ½ Σ m |Σ_{j<k} l e(a_j)' + l/2 e(a_k)'|² + ½ Σ m l²/12 a_k'².
  double weight(int i, int j) const {
    const double beyond = s_.links - 1 - std::max(i, j);
    const double own = i == j ? 1.0 / 3.0 : 0.5;
    return s_.mass * s_.length * s_.length * (beyond + own);
  }
  static Layout layout_of(int links) {
    Layout layout;
    for (int k = 0; k < links; ++k) layout.coordinates.push_back("a" + std::to_string(k));
    return layout;
  }

  const LinkChain::Settings s_;
};

}  // namespace ricochet::testing
