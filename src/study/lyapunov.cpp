#include "ricochet/study/lyapunov.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "contact/contact_acceleration.hpp"
#include "contact/impact_law.hpp"

namespace ricochet {
namespace {

using Vector = std::vector<double>;

// x + factor y
void add(Vector& x, double factor, const Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
}

double norm(const Vector& x) {
  double sum = 0.0;
  for (const double entry : x) sum += entry * entry;
  return std::sqrt(sum);
}

}  // namespace

// All vectors are (q, v, z).
struct LyapunovExponent::Work {
  Work(const Model& mechanics, int count, int exponents)
      : model(mechanics),
        pieces(count),
        acceleration(mechanics),
        law(mechanics),
        n(static_cast<std::size_t>(2 * mechanics.nq() + mechanics.nz())),
        nq(static_cast<std::size_t>(mechanics.nq())) {
    for (Vector* x : {&x_, &y, &k, &sum, &plus, &minus, &f}) x->assign(n, 0.0);
    // The first in no direction in particular, the others along axes.
    const std::size_t many =
        std::clamp<std::size_t>(static_cast<std::size_t>(exponents), 1, std::max<std::size_t>(n, 1));
    for (std::vector<Vector>* all : {&delta, &d_at, &dk, &dsum}) all->assign(many, Vector(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) delta[0][i] = std::cos(1.0 + static_cast<double>(i) * 0.7);
    for (std::size_t j = 1; j < many; ++j) delta[j][j] = 1.0;
    growth.assign(many, 0.0), shifts.assign(many, 0.0);
    normalise();
    growth.assign(many, 0.0);
  }

  const double* v(const Vector& x) const { return x.data() + nq; }
  const double* z(const Vector& x) const { return x.data() + 2 * nq; }

  // f(t, x) = (v, a, rate), a with the forces of the contacts that press.
  void flow(double t, const Vector& x, Vector& to) {
    acceleration.solve(t, x.data(), v(x), z(x));
    for (std::size_t i = 0; i < nq; ++i) to[i] = x[nq + i], to[nq + i] = acceleration.value()[i];
    if (model.nz() > 0) model.state_rate(t, x.data(), v(x), z(x), to.data() + 2 * nq);
  }

  // The length s for differences along a direction: as small as their second order and round-off allow.
  double reach(const Vector& x, const Vector& direction) const {
    const double size = norm(direction);
    return size > 0.0 ? 6e-6 * std::max(1.0, norm(x)) / size : 1.0;
  }

  // Df(t, x) d
  void flow_derivative(double t, const Vector& x, const Vector& d, Vector& to) {
    const double s = reach(x, d);
    plus = x, minus = x;
    add(plus, s, d), add(minus, -s, d);
    flow(t, plus, to);
    flow(t, minus, f);
    for (std::size_t i = 0; i < n; ++i) to[i] = (to[i] - f[i]) / (2.0 * s);
  }

  // One classical Runge-Kutta step of (x, δ).
  void runge_kutta(double t, double h) {
    constexpr double nodes[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    sum = x_, dsum = delta;
    Vector& at = y;
    for (int stage = 0; stage < 4; ++stage) {
      at = x_;
      if (stage > 0) add(at, nodes[stage] * h, k);
      const double at_time = t + nodes[stage] * h;
      for (std::size_t j = 0; j < delta.size(); ++j) {
        d_at[j] = delta[j];
        if (stage > 0) add(d_at[j], nodes[stage] * h, dk[j]);
        flow_derivative(at_time, at, d_at[j], dk[j]);
        add(dsum[j], weights[stage] * h, dk[j]);
      }
      flow(at_time, at, k);
      add(sum, weights[stage] * h, k);
    }
    x_ = sum, delta = dsum;
  }

  void advance(double& t, double end) {
    if (!(end > t)) return;
    const double h = (end - t) / pieces;
    for (int piece = 0; piece < pieces; ++piece) runge_kutta(t + piece * h, h);
    t = end;
  }

  // R: the velocities after the impact.
  bool strike(double t, Vector& x, const std::vector<int>& constraints) {
    if (law.place(t, x.data()) != FailureKind::none) return false;
    law.clear();
    for (const int j : constraints) law.include(j);
    return law.strike(x.data() + nq) == FailureKind::none;
  }

  void jump(double t, const std::vector<int>& constraints) {
    if (law.place(t, x_.data()) != FailureKind::none) return;
    const int first = constraints.front();
    const double U = law.contacts().rate(first, v(x_));
    if (!(U < 0.0)) return;
    for (std::size_t j = 0; j < delta.size(); ++j) shifts[j] = -law.contacts().along(first, delta[j].data()) / U;
    acceleration.open_all();
    flow(t, x_, k);
    for (std::size_t j = 0; j < delta.size(); ++j) {
      // δ⁻ + f⁻ δt, the difference of the states at which the two motions hit
      const double dt = shifts[j];
      Vector& hit = dk[j];
      hit = delta[j];
      add(hit, dt, k);
      const double s = reach(x_, hit);
      plus = x_, minus = x_;
      add(plus, s, hit), add(minus, -s, hit);
      if (!strike(t + s * dt, plus, constraints) || !strike(t - s * dt, minus, constraints)) return;
      for (std::size_t i = 0; i < n; ++i) delta[j][i] = (plus[i] - minus[i]) / (2.0 * s);
    }
    if (!strike(t, x_, constraints)) return;
    flow(t, x_, k);
    for (std::size_t j = 0; j < delta.size(); ++j) add(delta[j], -shifts[j], k);
  }

  // Contacts that last: δ within their tangents.
  void hold(double t, const std::vector<int>& pressing) {
    if (law.place(t, x_.data()) != FailureKind::none) return;
    law.clear();
    for (const int j : pressing) law.include(j);
    // hold(v) makes U = Hᵀv + ∂g/∂t vanish: what it takes from v + δv more than from v is linear in δv.
    Vector base(nq, 0.0), held(nq);
    law.hold(base.data());
    for (Vector& one : delta)
      for (const std::size_t part : {std::size_t{0}, nq}) {
        std::copy_n(one.begin() + static_cast<std::ptrdiff_t>(part), nq, held.begin());
        law.hold(held.data());
        for (std::size_t i = 0; i < nq; ++i) one[part + i] = held[i] - base[i];
      }
  }

  // Δ = Q R by Gram and Schmidt; the growth of each is r_kk.
  void normalise() {
    for (std::size_t j = 0; j < delta.size(); ++j) {
      for (std::size_t l = 0; l < j; ++l) {
        double along = 0.0;
        for (std::size_t i = 0; i < n; ++i) along += delta[l][i] * delta[j][i];
        add(delta[j], -along, delta[l]);
      }
      const double size = norm(delta[j]);
      growth[j] += std::log(size);
      if (size > 0.0)
        for (double& entry : delta[j]) entry /= size;
    }
  }

  const Model& model;
  const int pieces;
  ContactAcceleration<double> acceleration;
  ImpactLaw law;
  const std::size_t n, nq;
  Vector x_, y, k, sum, plus, minus, f;
  std::vector<Vector> delta, d_at, dk, dsum;
  std::vector<int> together;
  Vector growth, shifts;  // of each δ; shifts are the δt of an impact
  double time = 0.0;
};

LyapunovExponent::LyapunovExponent(const Model& model, int pieces, int exponents)
    : work_(std::make_unique<Work>(model, pieces, exponents)) {}
LyapunovExponent::~LyapunovExponent() = default;
LyapunovExponent::LyapunovExponent(LyapunovExponent&&) noexcept = default;

void LyapunovExponent::follow(const State& begin, double end, const std::vector<Impact>& impacts,
                              const std::vector<int>& pressing) {
  Work& work = *work_;
  std::copy(begin.q.begin(), begin.q.end(), work.x_.begin());
  std::copy(begin.v.begin(), begin.v.end(), work.x_.begin() + work.nq);
  std::copy(begin.z.begin(), begin.z.end(), work.x_.begin() + static_cast<std::ptrdiff_t>(2 * work.nq));
  const auto press = [&] {
    work.acceleration.open_all();
    for (const int j : pressing) work.acceleration.close(j);
  };
  press();
  double t = begin.t;
  for (std::size_t i = 0; i < impacts.size();) {
    const double at = std::clamp(impacts[i].t, t, end);
    work.advance(t, at);
    work.together.clear();
    for (const double together = impacts[i].t; i < impacts.size() && impacts[i].t == together; ++i)
      work.together.push_back(impacts[i].constraint);
    work.jump(t, work.together);
    press();
  }
  work.advance(t, end);
  if (!pressing.empty()) work.hold(end, pressing);
  work.normalise();
  work.time += end - begin.t;
}

void LyapunovExponent::begin_count() {
  work_->growth.assign(work_->growth.size(), 0.0);
  work_->time = 0.0;
}

double LyapunovExponent::exponent() const {
  return work_->time > 0.0 ? work_->growth[0] / work_->time : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> LyapunovExponent::spectrum() const {
  std::vector<double> all;
  for (const double growth : work_->growth)
    all.push_back(work_->time > 0.0 ? growth / work_->time : std::numeric_limits<double>::quiet_NaN());
  std::sort(all.begin(), all.end(), std::greater<>());
  return all;
}

}  // namespace ricochet
