#include "flow/linear_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr int terms_of_series = 24;  // 1.5ⁿ/n! is below round-off from n = 24 on
constexpr double series_reach = 1.5;
// |D|/|2μ + 2γ|² of secular forms, at most: the i-th term adds the i-th of Catalan's numbers, up to 4ⁱ, times this to
// the power i.
constexpr double near_resonance = 0.04;

}  // namespace

// Σ a_k (σ + s)^k e^{μ(σ + s)} in powers of s.
void LinearFlow::shift(Group& group, double t, double t_low, int n) const {
  const double sigma = t - group.origin;
  const Complex phase = group.phase = exponential(group.mu, sigma, t_low);
  const auto shifted = [&](const std::vector<Complex>& from, std::vector<Complex>& to, int columns) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = phase * from[i];
    // Horner's scheme, again and again: the coefficients at σ.
    for (int first = 0; first + 1 < group.powers; ++first)
      for (int k = group.powers - 2; k >= first; --k)
        for (int i = 0; i < columns; ++i)
          to[static_cast<std::size_t>(k * columns + i)] +=
              (sigma + t_low) * to[static_cast<std::size_t>((k + 1) * columns + i)];
  };
  if (group.is_forced) shifted(group.modal, group.modal_now, n);
  if (group.is_direct) shifted(group.direct, group.direct_now, channels_);
  if (!group.drift.empty()) shifted(group.drift, group.drift_now, static_cast<int>(group.drift.size()) / group.powers);
}

void LinearFlow::add_polynomial(const Decomposition& parts, int rate, const Complex& lambda, int m, const Complex* p,
                                int degree) {
  const double* shape = parts.shapes.col(m);
  for (int n = 0; n <= degree; ++n) {
    Complex* c = arc_.coefficients(rate, n);
    for (int i = 0; i < nq_; ++i) c[i] += shape[i] * p[n];
    Complex slope = lambda * p[n];
    if (n < degree) slope += (n + 1.0) * p[n + 1];
    for (int j = 0; j < watched_; ++j) c[nq_ + j] += parts.watch_x(j, m) * p[n] + parts.watch_v(j, m) * slope;
  }
}

void LinearFlow::add_mode(const Decomposition& parts, int m, double x, double v) {
  constexpr double cancellation = 16.0;
  const Mode& mode = parts.modes[static_cast<std::size_t>(m)];
  const double c = 2.0 * mode.gamma, x0 = std::abs(x), v0 = std::abs(v);
  double widest = std::sqrt(std::abs(mode.square));
  bool in_series = mode.kind == Mode::Kind::pair || (mode.kind == Mode::Kind::over && widest * expected_ < 0.5);
  for (std::size_t g = 0; g < parts.groups.size(); ++g) {
    const Group& group = parts.groups[g];
    in_series_[g] = false;
    const auto a = [&](int n) { return group.modes(n, parts.n)[m]; };
    bool acts = false;
    for (int n = 0; n < group.powers && group.is_forced; ++n) acts = acts || a(n) != Complex{};
    if (!acts) continue;
    const Complex& mu = group.mu;
    const Complex D = mu * mu + c * mu + Complex{mode.k, 0.0}, slope{2.0 * mu.re + c, 2.0 * mu.im};
    const double size = std::max(mode.size, magnitude(mu)), D_size = magnitude(D);
    // direct
    int degree = group.powers - 1;
    bool good = D_size > 0.0;
    for (int n = degree; n >= 0 && good; --n) {
      Complex rest = a(n);
      if (n + 1 <= degree) rest = rest - (n + 1.0) * (slope * p_[n + 1]);
      if (n + 2 <= degree) rest = rest - ((n + 2.0) * (n + 1.0)) * p_[n + 2];
      p_[n] = rest / D;
    }
    const double most = cancellation * (v0 + size * x0),
                 way = cancellation * (x0 + v0 * (expected_ > 0.0 ? std::min(1.0 / size, expected_) : 1.0 / size));
    if (good) good = magnitude(p_[0]) <= way && (degree == 0 || magnitude(p_[1]) <= most);
    if (const double slope_size = good ? 0.0 : magnitude(slope); D_size < near_resonance * slope_size * slope_size) {
      // secular: P_i by P_i' = R, (2μ + 2γ) R + R' = −D P_{i−1}
      const double delta = D_size / slope_size;
      const int last = D_size > 0.0 ? terms_of_series : degree + 1;
      std::fill(p_.begin(), p_.end(), Complex{});
      std::fill(r_.begin(), r_.end(), Complex{});
      for (int n = 0; n <= degree; ++n) r_[n] = a(n);
      for (int top = degree; top + 1 <= last; ++top) {
        for (int n = top; n >= 0; --n) {
          if (n + 1 <= top) r_[n] = r_[n] - (n + 1.0) * r_[n + 1];
          r_[n] = r_[n] / slope;
        }
        // the integral, which is added, and the next right-hand side
        for (int n = top + 1; n >= 1; --n) {
          const Complex step = r_[n - 1] / static_cast<double>(n);
          p_[n] += step;
          r_[n] = Complex{} - D * step;
        }
        r_[0] = {};
      }
      degree = last;
      good = magnitude(p_[1]) <= most;
      if (good && delta > 0.0) length_ = std::min(length_, series_reach / delta);
    }
    if (!good) {
      in_series = true;
      in_series_[g] = true;
      widest = std::max(widest, magnitude(Complex{mu.re + mode.gamma, mu.im}));
      continue;
    }
    add_polynomial(parts, degree == 0 ? group.rate : arc_.add_rate(mu, degree), mu, m, p_.data(), degree);
    x -= p_[0].re;
    v -= (mu * p_[0]).re + (degree > 0 ? p_[1].re : 0.0);
  }

  if (!in_series) {
    if (mode.kind == Mode::Kind::under) {
      const Complex p{x, -(v + mode.gamma * x) / mode.first.im};
      add_polynomial(parts, arc_.add_rate(mode.first, 0), mode.first, m, &p, 0);
      return;
    }
    const double l1 = mode.first.re, l2 = mode.second.re;
    const Complex p1{(v - l2 * x) / (l1 - l2), 0.0}, p2{(l1 * x - v) / (l1 - l2), 0.0};
    add_polynomial(parts, arc_.add_rate(mode.first, 0), mode.first, m, &p1, 0);
    add_polynomial(parts, arc_.add_rate(mode.second, 0), mode.second, m, &p2, 0);
    return;
  }

  // series
  int degree = widest > 0.0 ? terms_of_series : 1;
  std::fill(u_.begin(), u_.end(), 0.0);
  for (std::size_t g = 0; g < parts.groups.size(); ++g) {
    if (!in_series_[g]) continue;
    const Group& group = parts.groups[g];
    if (widest == 0.0) degree = std::max(degree, group.powers + 1);
    const Complex nu{group.mu.re + mode.gamma, group.mu.im};
    for (int k = 0; k < group.powers; ++k) {
      Complex term = group.modes(k, parts.n)[m];
      for (int n = k; n + 2 <= degree; ++n) {
        u_[static_cast<std::size_t>(n + 2)] += term.re;
        term = (nu * term) / (n - k + 1.0);
      }
    }
  }
  u_[0] = x;
  u_[1] = v + mode.gamma * x;
  for (int n = 0; n + 2 <= degree; ++n)
    u_[static_cast<std::size_t>(n + 2)] =
        (mode.square * u_[static_cast<std::size_t>(n)] + u_[static_cast<std::size_t>(n + 2)]) / ((n + 2.0) * (n + 1.0));
  for (int n = 0; n <= degree; ++n) p_[static_cast<std::size_t>(n)] = {u_[static_cast<std::size_t>(n)], 0.0};
  const Complex lambda{-mode.gamma, 0.0};
  add_polynomial(parts, arc_.add_rate(lambda, degree), lambda, m, p_.data(), degree);
  if (widest > 0.0) length_ = std::min(length_, series_reach / widest);
}

// All modes together: x_{n+2} (n + 2)(n + 1) = −K x_n − C (n + 1) x_{n+1} + f_n.
void LinearFlow::add_series(const Decomposition& parts) {
  const int n = parts.n, degree = terms_of_series;
  double widest = parts.spread;
  std::vector<double>& x = u_;
  std::fill(x.begin(), x.end(), 0.0);
  for (const Group& group : parts.groups) {
    if (!group.is_forced) continue;
    widest = std::max(widest, magnitude(group.mu));
    for (int k = 0; k < group.powers; ++k)
      for (int m = 0; m < n; ++m) {
        Complex term = group.modes(k, n)[m];
        for (int i = k; i + 2 <= degree; ++i) {
          x[static_cast<std::size_t>((i + 2) * n + m)] += term.re;
          term = (group.mu * term) / (i - k + 1.0);
        }
      }
  }
  std::copy_n(x_.begin(), n, x.begin());
  std::copy_n(v_.begin(), n, x.begin() + n);
  for (int i = 0; i + 2 <= degree; ++i)
    for (int m = 0; m < n; ++m) {
      double sum = x[static_cast<std::size_t>((i + 2) * n + m)];
      for (int l = 0; l < n; ++l)
        sum -= parts.K(m, l) * x[static_cast<std::size_t>(i * n + l)] +
               parts.C(m, l) * (i + 1.0) * x[static_cast<std::size_t>((i + 1) * n + l)];
      x[static_cast<std::size_t>((i + 2) * n + m)] = sum / ((i + 2.0) * (i + 1.0));
    }
  const int rate = arc_.add_rate({}, degree);
  for (int m = 0; m < n; ++m) {
    for (int i = 0; i <= degree; ++i) p_[static_cast<std::size_t>(i)] = {x[static_cast<std::size_t>(i * n + m)], 0.0};
    add_polynomial(parts, rate, {}, m, p_.data(), degree);
  }
  if (widest > 0.0) length_ = series_reach / widest;
}

bool LinearFlow::begin(double t, double t_low, const double* q, const double* v, const std::vector<char>& closed,
                       double expected) {
  expected_ = expected;
  if (epoch_ == 0 || t >= terms_->until || t < terms_from_) {
    terms_ = model_.linear_terms(t);
    if (!terms_) return false;
    terms_from_ = t;
    ++epoch_;
  }
  Decomposition& parts = decomposition(closed);
  length_ = std::numeric_limits<double>::infinity();
  const std::size_t n = static_cast<std::size_t>(parts.n);
  x_.resize(n);
  v_.resize(n);
  p_.resize(terms_of_series + 3);
  r_.resize(terms_of_series + 3);
  u_.resize(static_cast<std::size_t>(terms_of_series + 3) * std::max<std::size_t>(1, parts.is_modal ? 1 : n));
  arc_.clear(channels_, watched_);
  for (std::size_t g = 0; g < parts.own_groups; ++g) shift(parts.groups[g], t, t_low, parts.n);
  if (!parts.sticking.empty()) set_sticking(parts, q);
  in_series_.resize(parts.groups.size());
  // What does not go through the modes.
  q_.resize(static_cast<std::size_t>(2 * nq_));
  std::copy_n(v, nq_, std::copy_n(q, nq_, q_.begin()));
  for (Group& group : parts.groups) {
    group.rate = arc_.add_rate(group.mu, 0);
    if (!group.is_direct) continue;
    const int rate = group.powers == 1 ? group.rate : arc_.add_rate(group.mu, group.powers - 1);
    for (int k = 0; k < group.powers; ++k) {
      Complex* c = arc_.coefficients(rate, k);
      for (int i = 0; i < channels_; ++i) c[i] += group.direct_now[static_cast<std::size_t>(k * channels_ + i)];
    }
    for (int i = 0; i < nq_ && !parts.rows.empty(); ++i) {
      const Complex p = group.direct_now[static_cast<std::size_t>(i)];
      q_[static_cast<std::size_t>(i)] -= p.re;
      q_[static_cast<std::size_t>(nq_ + i)] -= (group.mu * p).re;
      if (group.powers > 1)
        q_[static_cast<std::size_t>(nq_ + i)] -= group.direct_now[static_cast<std::size_t>(channels_ + i)].re;
    }
  }
  for (int m = 0; m < parts.n; ++m) {
    double x = 0.0, u = 0.0;
    for (int i = 0; i < nq_; ++i) {
      x += parts.project(m, i) * q_[static_cast<std::size_t>(i)];
      u += parts.project(m, i) * q_[static_cast<std::size_t>(nq_ + i)];
    }
    x_[static_cast<std::size_t>(m)] = x;
    v_[static_cast<std::size_t>(m)] = u;
  }
  if (parts.is_modal) {
    for (int m = 0; m < parts.n; ++m)
      add_mode(parts, m, x_[static_cast<std::size_t>(m)], v_[static_cast<std::size_t>(m)]);
  } else if (parts.n > 0) {
    add_series(parts);
  }
  arc_.finish();
  fastest_ = std::max(arc_.fastest(), series_reach / length_);
  lasting_ = std::max(arc_.lasting(), series_reach / length_);
  length_ = std::min(length_, (terms_->until - t) - t_low);
  return true;
}

}  // namespace ricochet
