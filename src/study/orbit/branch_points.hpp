// Points of a branch of orbits: Newton's method on the equations of the chain with the arclength, tangents, and the
// test functions of special points (ricochet/study/continuation.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "ricochet/core/error.hpp"
#include "ricochet/study/continuation.hpp"
#include "study/orbit/stability.hpp"

namespace ricochet::branches {

using Vector = std::vector<double>;

// What changes its sign at special points; those from `grazing` on end a branch.
enum Test { fold, flip, torus, branch, grazing, lost, meeting, sticking, lower_end, upper_end, test_count };
constexpr std::array<SpecialKind, test_count> kinds = {
    SpecialKind::fold, SpecialKind::flip,    SpecialKind::torus,    SpecialKind::branch, SpecialKind::grazing,
    SpecialKind::lost, SpecialKind::meeting, SpecialKind::sticking, SpecialKind::end,    SpecialKind::end};

// A solution with all that is known of it.
struct Point {
  OrbitChain chain;
  double p = 0.0;
  Vector tangent;  // of the unknowns as they are, then of p; of length 1 in the scaled norm
  std::array<double, test_count> tests = {};
  Orbit orbit;
  LowestMargin lowest;  // of gaps
  int iterations = 0;
  double cosine = 1.0;  // of the angle to the tangent before
};

class Walker {
 public:
  Walker(const OrbitFamily& family, const ContinuationSettings& settings)
      : family_(family), settings_(settings), width_(std::abs(settings.until - settings.from)) {}

  // The point with (x − x₀)·x' = Δs for the tangent at `from`; nothing if Newton's method finds none.
  std::optional<Point> step(const Point& from, double ds);

  // Tangent, tests and orbit at a chain that solves the equations. `towards`: the side on which the tangent is to be;
  // empty: that of increasing p.
  std::optional<Point> at(const OrbitChain& chain, double p, const Vector& towards = {});

  // A direction in which the equations of the chain hold too, besides `known`, where two branches meet.
  std::optional<Vector> second_tangent(const OrbitChain& chain, double p, const Vector& known) {
    OrbitMechanics here(family_(p));
    ChainEquations equations(here, chain);
    const int n = equations.size();
    const Vector scales = equations.scales();
    DenseMatrix J(n, n);
    Vector F_p;
    if (!equations.jacobian(chain, J) || !by_parameter(equations, chain, p, F_p)) return std::nullopt;
    // The equations, a row across the known direction, and one that no direction in particular satisfies.
    DenseMatrix A(n + 2, n + 1);
    for (int j = 0; j <= n; ++j) {
      std::copy_n(j < n ? J.col(j) : F_p.data(), n, A.col(j));
      A(n, j) = known.empty() ? 0.0 : known[j] / (j < n ? scales[j] : width_);
      A(n + 1, j) = std::cos(1.0 + 0.7 * j);
    }
    Vector right(n + 2, 0.0);
    right[n + 1] = 1.0;
    Vector tangent = least_squares(A, right);
    normalise(tangent);
    for (int j = 0; j < n; ++j) tangent[j] *= scales[j];
    tangent[n] *= width_;
    return tangent;
  }

  const Layout& layout(double p) {
    if (!layout_) layout_ = family_(p).model->layout();
    return *layout_;
  }
  const std::string& why() const { return why_; }

 private:
  // Newton's method, or what it found when it was here before.
  std::optional<Point> solved(const Point& from, const Vector& direction, double ds);

  // ∂F/∂p of the scaled equations by the scaled parameter.
  bool by_parameter(ChainEquations& equations, const OrbitChain& chain, double p, Vector& F_p) {
    constexpr double part = 1e-5;  // of the parameter: cuts off 1e-10, loses 1e-11
    const double delta = part * std::max(width_, std::abs(p));
    OrbitMechanics above(family_(p + delta)), below(family_(p - delta));
    Vector minus;
    if (!equations.residual(above, chain, F_p) || !equations.residual(below, chain, minus)) return false;
    for (std::size_t i = 0; i < minus.size(); ++i) F_p[i] = (F_p[i] - minus[i]) / (2.0 * delta) * width_;
    return true;
  }

  std::optional<Point> correct(const Point& from, const Vector& direction, double ds) {
    constexpr int most = 12;
    constexpr double good = 1e-10, round_off = 1e-14;  // of the scaled equations
    try {
      OrbitMechanics first(family_(from.p));
      ChainEquations equations(first, from.chain);
      const int n = equations.size();
      const Vector scales = equations.scales(), x0 = equations.pack(from.chain);
      // the scaled direction, in which Σ x_i y_i / n + p q is the product
      Vector t(n + 1, 0.0);
      t[n] = 1.0;
      if (!direction.empty()) {
        for (int i = 0; i < n; ++i) t[i] = direction[i] / scales[i];
        t[n] = direction[n] / width_;
        normalise(t);
      }
      const bool is_given = ds == 0.0 && !direction.empty();
      Vector x = x0, F, F_p;
      for (int i = 0; i < n; ++i) x[i] += ds * t[i];
      double p = from.p + ds * t[n] * width_, before = std::numeric_limits<double>::infinity();
      Point point;
      point.chain = from.chain;
      for (int iteration = 0; iteration < most; ++iteration) {
        OrbitMechanics here(family_(p));
        equations.use(here);
        equations.unpack(x, point.chain);
        DenseMatrix J(n, n);
        if (!equations.residual(here, point.chain, F) || !equations.jacobian(point.chain, J)) return std::nullopt;
        if (!by_parameter(equations, point.chain, p, F_p)) return std::nullopt;
        DenseMatrix bordered = border(J, F_p, t);
        double size = 0.0;
        for (const double f : F) size = std::max(size, std::abs(f));
        if (iteration == 0 && ds == 0.0) check_depends(F_p);
        // Where two branches meet Newton's method has no matrix: the point is as good as it was found.
        if (size < round_off || (size < good && (is_given || size > 0.1 * before))) {
          point.p = p;
          point.iterations = iteration;
          if (!finish(point, equations, bordered, t, scales, is_given, {size, iteration})) return std::nullopt;
          return point;
        }
        if (!(size < 10.0 * before)) return std::nullopt;
        before = size;
        Vector right(n + 1);
        for (int i = 0; i < n; ++i) right[i] = -F[i];
        double along = t[n] * (p - from.p) / width_;
        for (int i = 0; i < n; ++i) along += t[i] * (x[i] - x0[i]) / n;
        right[n] = ds - along;
        const std::optional<Vector> update = solve(bordered, right);
        if (!update) return std::nullopt;
        for (int i = 0; i < n; ++i) x[i] += (*update)[i];
        p += (*update)[n] * width_;
        if (!(std::abs(p - from.p) < 2.0 * width_)) return std::nullopt;
      }
    } catch (const InputError& error) {
      if (error.field() == "continue.along") throw;
      why_ = error.what();
    }
    return std::nullopt;
  }

  void check_depends(const Vector& F_p) const {
    for (const double f : F_p)
      if (f != 0.0) return;
    throw InputError("continue.along", "the orbit does not depend on this parameter: there is nothing to follow");
  }

  static double product(const Vector& a, const Vector& b) {
    const std::size_t n = a.size() - 1;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum / static_cast<double>(n) + a[n] * b[n];
  }
  static void normalise(Vector& t) {
    const double length = std::sqrt(product(t, t));
    for (double& entry : t) entry /= length;
  }
  static DenseMatrix border(const DenseMatrix& J, const Vector& F_p, const Vector& t) {
    const int n = J.rows;
    DenseMatrix B(n + 1, n + 1);
    for (int j = 0; j < n; ++j) {
      std::copy_n(J.col(j), n, B.col(j));
      B(n, j) = t[j] / n;
    }
    std::copy(F_p.begin(), F_p.end(), B.col(n));
    B(n, n) = t[n];
    return B;
  }

  bool finish(Point& point, ChainEquations& equations, const DenseMatrix& bordered, const Vector& t,
              const Vector& scales, bool is_given, const NewtonEnd& end) {
    const int n = equations.size();
    Vector right(n + 1, 0.0);
    right[n] = 1.0;
    // Where two branches meet there is no other tangent than the one that was given.
    std::optional<Vector> tangent = is_given ? t : solve(bordered, right);
    if (!tangent) return false;
    normalise(*tangent);
    point.cosine = product(*tangent, t);
    if (point.cosine < 0.0)
      for (double& entry : *tangent) entry = -entry;
    point.tests[fold] = (*tangent)[n];
    point.tests[branch] = is_given ? 0.0 : mean_determinant(bordered);
    point.tangent.resize(n + 1);
    for (int i = 0; i < n; ++i) point.tangent[i] = (*tangent)[i] * scales[i];
    point.tangent[n] = (*tangent)[n] * width_;
    point.orbit = describe_orbit(equations, point.chain, end);
    set_tests(point, equations);
    return true;
  }

  void set_tests(Point& point, ChainEquations& equations) {
    auto& tests = point.tests;
    const auto& mu = point.orbit.multipliers;
    std::complex<double> doubled = 1.0;
    tests[torus] = 1.0;
    for (std::size_t i = 0; i < mu.size(); ++i) {
      doubled *= 1.0 + mu[i];
      for (std::size_t j = i + 1; j < mu.size(); ++j)
        if (mu[i].imag() != 0.0 && mu[j] == std::conj(mu[i])) tests[torus] *= std::norm(mu[i]) - 1.0;
    }
    tests[flip] = doubled.real();
    // Impacts as slow as 0, relative to the fastest.
    const std::vector<char> in_row = accumulating(point.chain);
    double slowest = std::numeric_limits<double>::infinity(), fastest = 0.0;
    for (const OrbitImpact& impact : point.orbit.impacts) fastest = std::max(fastest, std::abs(impact.rate_minus));
    for (const OrbitImpact& impact : point.orbit.impacts) {
      if (in_row[impact.arc]) continue;
      tests[flip] *= -impact.rate_minus / fastest;
      slowest = std::min(slowest, -impact.rate_minus / fastest);
    }
    tests[lost] = std::min(slowest, 1.0);
    point.lowest = lowest_gap(equations.mechanics(), point.chain, equations.sizes());
    tests[grazing] = std::min(point.lowest.value, 1.0);
    tests[meeting] = shortest_flight(equations, point.chain);
    tests[sticking] =
        std::min(lowest_held(equations.mechanics(), point.chain).value, nearest_sticking(equations, point.chain));
    tests[lower_end] = (point.p - std::min(settings_.from, settings_.until)) / width_;
    tests[upper_end] = (std::max(settings_.from, settings_.until) - point.p) / width_;
  }

  const OrbitFamily& family_;
  const ContinuationSettings& settings_;
  const double width_;
  std::optional<Layout> layout_;
  std::string why_;
};

}  // namespace ricochet::branches
