#include "ricochet/study/special_curves.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ricochet/core/error.hpp"
#include "study/orbit/numbers.hpp"

namespace ricochet {
namespace {

using Vector = std::vector<double>;

// What is 0 along a curve.
enum class CurveTest { fold, flip, grazing, lost };

DenseMatrix transposed(const DenseMatrix& A) {
  DenseMatrix B(A.cols, A.rows);
  for (int j = 0; j < A.cols; ++j)
    for (int i = 0; i < A.rows; ++i) B(j, i) = A(i, j);
  return B;
}

// (v; g) of (A b; cᵀ 0)(v; g) = (0; 1)
std::optional<Vector> bordered(const DenseMatrix& A, const Vector& b, const Vector& c) {
  const int n = A.rows;
  DenseMatrix B(n + 1, n + 1);
  for (int j = 0; j < n; ++j) {
    std::copy_n(A.col(j), n, B.col(j));
    B(n, j) = c[j], B(j, n) = b[j];
  }
  Vector right(static_cast<std::size_t>(n) + 1, 0.0);
  right.back() = 1.0;
  return solve(B, right);
}

void normalise(Vector& x) {
  double sum = 0.0;
  for (const double entry : x) sum += entry * entry;
  for (double& entry : x) entry /= std::sqrt(sum);
}

class CurveWalker {
 public:
  CurveWalker(const OrbitPlane& plane, const CurveSettings& settings, CurveTest test, const OrbitChain& chain,
              double first, double second)
      : plane_(plane),
        settings_(settings),
        test_(test),
        width_{std::abs(settings.until - settings.from), std::abs(settings.second_until - settings.second_from)},
        chain_(chain),
        here_(plane(first, second)),
        equations_(here_, chain),
        n_(equations_.size()) {
    z_ = equations_.pack(chain);
    z_.push_back(first / width_[0]);
    z_.push_back(second / width_[1]);
    if (test_ == CurveTest::lost) find_lost();
  }

  // One way from the start on; the first point is the start itself.
  std::string walk(double sign, OrbitCurve& curve) {
    constexpr double least = 1e-7;
    set_border();
    Vector direction(z_.size(), 0.0);
    direction.back() = sign;
    const std::optional<Vector> begin = correct(z_, direction, 0.0);
    if (!begin) return "Newton's method does not hold the point where it begins";
    z_ = *begin;
    set_border();
    if (!turn(direction, sign)) return "no direction in which it could go on is found";
    add(curve);
    double ds = 0.25 * settings_.largest_step;
    while (curve.first.size() < settings_.most_points) {
      if (is_set(settings_.interrupt)) return "interrupted";
      std::optional<Vector> next = correct(z_, direction, ds);
      if (!next) {
        ds *= 0.5;
        if (ds < least) return "Newton's method finds no point beyond";
        continue;
      }
      const bool outside = !is_inside(*next);
      if (outside) next = at_border(direction, ds, *next);
      if (!next) return "the end of the range";
      z_ = *next;
      if (const std::string why = inadmissible(); !why.empty()) return why;
      add(curve);
      if (outside) return "the end of the range";
      set_border();
      if (!turn(direction, 0.0)) return "no direction in which it could go on is found";
      ds = std::min(1.5 * ds, settings_.largest_step);
    }
    return "as many points as are allowed (continue.points)";
  }

 private:
  double parameter(const Vector& z, int k) const { return z[n_ + k] * width_[k]; }
  void add(OrbitCurve& curve) const {
    curve.first.push_back(parameter(z_, 0));
    curve.second.push_back(parameter(z_, 1));
  }

  // F and the test at z; J: the derivatives of F by x.
  bool evaluate(const Vector& z, Vector& G, DenseMatrix& J) {
    OrbitMechanics mechanics(plane_(parameter(z, 0), parameter(z, 1)));
    equations_.use(mechanics);
    equations_.unpack({z.begin(), z.begin() + n_}, chain_);
    J = DenseMatrix(n_, n_);
    const bool good = equations_.residual(mechanics, chain_, G) && equations_.jacobian(chain_, J);
    if (good) G.push_back(test_value(J));
    equations_.use(here_);
    return good && std::isfinite(G.back());
  }

  // With jets of the chain.
  double test_value(const DenseMatrix& J) {
    OrbitMechanics& mechanics = equations_.mechanics();
    if (test_ == CurveTest::grazing) return lowest_gap(mechanics, chain_, equations_.sizes()).value;
    if (test_ == CurveTest::lost) {
      const ArcJet& jet = equations_.jets()[lost_];
      return mechanics.gap_rate(chain_.arcs[lost_].which, jet.t_end, jet.Y.data()) / rate_size_;
    }
    if (test_ == CurveTest::fold) {
      const std::optional<Vector> found = bordered(J, b_, c_);
      return found ? found->back() : 0.0;
    }
    std::complex<double> product = 1.0;
    for (const std::complex<double>& mu : multipliers(equations_, chain_)) product *= 1.0 + mu;
    for (std::size_t k = 0; k < chain_.arcs.size(); ++k)
      if (chain_.arcs[k].end == ArcEnd::impact) product *= equations_.jets()[k].condition_rate() / rate_size_;
    return product.real();
  }

  // b and c: the null vectors of F_x as they are here.
  void set_border() {
    if (test_ != CurveTest::fold) return;
    if (b_.empty()) {
      b_.assign(static_cast<std::size_t>(n_), 1.0);
      for (int i = 0; i < n_; ++i) b_[i] += 0.5 * std::cos(1.0 + 0.7 * i);
      c_ = b_;
    }
    Vector G;
    DenseMatrix J;
    if (!evaluate(z_, G, J)) return;
    for (int round = 0; round < 3; ++round) {
      std::optional<Vector> right = bordered(J, b_, c_), left = bordered(transposed(J), c_, b_);
      if (!right || !left) return;
      right->pop_back(), left->pop_back();
      c_ = *right, b_ = *left;
      normalise(b_), normalise(c_);
    }
  }

  // The derivatives of G by z, with `last` as the last row: those of F by x are known, the others are differences.
  bool matrix(const Vector& z, const Vector& last, Vector& G, DenseMatrix& A) {
    constexpr double delta = 1e-6;
    DenseMatrix J, unused;
    if (!evaluate(z, G, J)) return false;
    A = DenseMatrix(n_ + 2, n_ + 2);
    for (int j = 0; j < n_; ++j) std::copy_n(J.col(j), n_, A.col(j));
    Vector moved = z, above, below;
    for (int j = 0; j < n_ + 2; ++j) {
      const double step = delta * std::max(1.0, std::abs(z[j]));
      moved[j] = z[j] + step;
      if (!evaluate(moved, above, unused)) return false;
      moved[j] = z[j] - step;
      if (!evaluate(moved, below, unused)) return false;
      moved[j] = z[j];
      for (int i = j < n_ ? n_ : 0; i <= n_; ++i) A(i, j) = (above[i] - below[i]) / (2.0 * step);
      A(n_ + 1, j) = last[j];
    }
    return true;
  }

  // The point with (z − z₀)·direction = Δs.
  std::optional<Vector> correct(const Vector& z0, const Vector& direction, double ds) {
    constexpr int most = 10;
    constexpr double done = 1e-10, far = 0.5;
    Vector z = z0, G;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += ds * direction[i];
    try {
      for (int iteration = 0; iteration < most; ++iteration) {
        DenseMatrix A;
        if (!matrix(z, direction, G, A)) return std::nullopt;
        double along = -ds;
        for (std::size_t i = 0; i < z.size(); ++i) along += direction[i] * (z[i] - z0[i]);
        G.push_back(along);
        const std::optional<Vector> step = solve(A, G);
        if (!step) return std::nullopt;
        double largest = 0.0;
        for (std::size_t i = 0; i < z.size(); ++i) {
          z[i] -= (*step)[i];
          largest = std::max(largest, std::abs((*step)[i]));
        }
        if (!(largest < far)) return std::nullopt;
        if (largest < done) return z;
      }
    } catch (const InputError&) {  // a model that cannot be built there
    }
    return std::nullopt;
  }

  // The tangent at z_ on the side of `direction`, or of sign for the second parameter; where the curve is level, the
  // first.
  bool turn(Vector& direction, double sign) {
    Vector G;
    DenseMatrix A;
    Vector last = direction;
    for (const int chosen : {n_ + 1, n_}) {
      if (sign != 0.0) std::fill(last.begin(), last.end(), 0.0), last[chosen] = sign;
      Vector right(z_.size(), 0.0);
      right.back() = 1.0;
      if (!matrix(z_, last, G, A)) return false;
      std::optional<Vector> tangent = solve(A, right);
      if (!tangent) continue;
      normalise(*tangent);
      // nearly level: the other parameter tells better where to go
      if (sign != 0.0 && chosen == n_ + 1 && std::abs((*tangent)[chosen]) < 1e-3) continue;
      direction = *tangent;
      return true;
    }
    return false;
  }

  bool is_inside(const Vector& z) const {
    const double p = parameter(z, 0), r = parameter(z, 1);
    return p >= std::min(settings_.from, settings_.until) && p <= std::max(settings_.from, settings_.until) &&
           r >= std::min(settings_.second_from, settings_.second_until) &&
           r <= std::max(settings_.second_from, settings_.second_until);
  }

  // Between z_, inside, and one that is outside: on the border of the ranges, by bisection with what remains inside.
  std::optional<Vector> at_border(const Vector& direction, double ds, const Vector&) {
    constexpr double close = 1e-9;
    double inside = 0.0, outside = ds;
    std::optional<Vector> best;
    while (outside - inside > close) {
      const double middle = 0.5 * (inside + outside);
      std::optional<Vector> z = correct(z_, direction, middle);
      if (z && is_inside(*z)) {
        inside = middle, best = z;
      } else {
        outside = middle;
      }
    }
    return best;
  }

  // The impact that is as slow as 0.
  void find_lost() {
    Vector G;
    DenseMatrix J;
    double slowest = std::numeric_limits<double>::infinity();
    if (!equations_.residual(here_, chain_, G) || !equations_.jacobian(chain_, J)) return;
    for (std::size_t k = 0; k < chain_.arcs.size(); ++k) {
      if (chain_.arcs[k].end != ArcEnd::impact) continue;
      const double rate = std::abs(equations_.jets()[k].condition_rate());
      if (rate < slowest) slowest = rate, lost_ = k;
    }
  }

  // Why the orbit at z_ is no motion; empty if it is one.
  std::string inadmissible() {
    constexpr double round_off = 1e-8;
    OrbitMechanics mechanics(plane_(parameter(z_, 0), parameter(z_, 1)));
    equations_.use(mechanics);
    equations_.unpack({z_.begin(), z_.begin() + n_}, chain_);
    DenseMatrix J(n_, n_);
    std::string why;
    if (!equations_.jacobian(chain_, J)) why = "the motion cannot be followed";
    const double gap = why.empty() ? lowest_gap(mechanics, chain_, equations_.sizes()).value : 1.0;
    if (gap < -round_off) why = "beyond, the orbit enters an obstacle between impacts";
    for (std::size_t k = 0; k < chain_.arcs.size() && why.empty(); ++k)
      if (chain_.arcs[k].end == ArcEnd::impact && !(test_ == CurveTest::lost && k == lost_) &&
          equations_.jets()[k].condition_rate() > 0.0)
        why = "beyond, an impact is lost";
    if (why.empty() && shortest_flight(equations_, chain_) < 0.0) why = "beyond, two impacts meet";
    if (why.empty() && nearest_sticking(equations_, chain_) < 0.0) why = "beyond, lasting contact begins or ends";
    equations_.use(here_);
    return why;
  }

  const OrbitPlane& plane_;
  const CurveSettings& settings_;
  const CurveTest test_;
  const double width_[2];
  OrbitChain chain_;
  OrbitMechanics here_;
  ChainEquations equations_;
  const int n_;
  Vector z_, b_, c_;
  std::size_t lost_ = 0;
  const double rate_size_ = [this] {
    const Vector& sizes = equations_.sizes().y;
    const auto nq = static_cast<std::ptrdiff_t>(here_.model().nq());
    return *std::max_element(sizes.begin() + nq, sizes.begin() + 2 * nq);
  }();
};

std::optional<CurveTest> test_of(SpecialKind kind) {
  switch (kind) {
    case SpecialKind::fold: return CurveTest::fold;
    case SpecialKind::flip: return CurveTest::flip;
    case SpecialKind::grazing: return CurveTest::grazing;
    case SpecialKind::lost: return CurveTest::lost;
    default: return std::nullopt;
  }
}

// Whether a curve passes the point, within a part of the widths.
bool passes(const OrbitCurve& curve, double first, double second, double width, double second_width) {
  constexpr double near = 1e-3;
  for (std::size_t k = 0; k + 1 < curve.first.size(); ++k) {
    const double r0 = curve.second[k], r1 = curve.second[k + 1];
    if ((second - r0) * (second - r1) > 0.0) continue;
    const double part = r1 == r0 ? 0.0 : (second - r0) / (r1 - r0);
    if (std::abs(curve.first[k] + part * (curve.first[k + 1] - curve.first[k]) - first) < near * width) return true;
  }
  for (std::size_t k = 0; k < curve.first.size(); ++k)
    if (std::abs(curve.first[k] - first) < near * width && std::abs(curve.second[k] - second) < near * second_width)
      return true;
  return false;
}

}  // namespace

std::vector<OrbitCurve> follow_special_points(const OrbitPlane& plane, const Continuation& continuation, double second,
                                              const CurveSettings& settings) {
  std::vector<OrbitCurve> curves;
  const double width = std::abs(settings.until - settings.from);
  const double second_width = std::abs(settings.second_until - settings.second_from);
  for (const SpecialPoint& point : continuation.points) {
    const std::optional<CurveTest> test = test_of(point.kind);
    if (!test || point.branch >= continuation.branches.size()) continue;
    const std::vector<BranchPoint>& points = continuation.branches[point.branch].points;
    if (point.index >= points.size()) continue;
    const SpecialKind kind = point.kind == SpecialKind::lost ? SpecialKind::grazing : point.kind;
    const bool known = std::any_of(curves.begin(), curves.end(), [&](const OrbitCurve& curve) {
      return curve.kind == kind && passes(curve, point.parameter, second, width, second_width);
    });
    if (known) continue;
    const OrbitChain& chain = points[point.index].orbit.chain;
    OrbitCurve curve{.kind = kind};
    const auto way = [&](double sign) {
      return branches::remembered<OrbitCurve>(settings.memory, settings.interrupt, [&] {
        OrbitCurve one;
        one.end = CurveWalker(plane, settings, *test, chain, point.parameter, second).walk(sign, one);
        return one;
      });
    };
    const OrbitCurve up = way(1.0), down = way(-1.0);
    curve.end = up.end, curve.begin = down.end;
    // down backwards, then up without their common point
    curve.first.assign(down.first.rbegin(), down.first.rend());
    curve.second.assign(down.second.rbegin(), down.second.rend());
    const std::ptrdiff_t skip = down.first.empty() || up.first.empty() ? 0 : 1;
    curve.first.insert(curve.first.end(), up.first.begin() + skip, up.first.end());
    curve.second.insert(curve.second.end(), up.second.begin() + skip, up.second.end());
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace ricochet
