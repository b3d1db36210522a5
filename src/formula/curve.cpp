// The cubic spline by its slopes s_i at the knots: C. de Boor, A Practical Guide to Splines (Springer, 1978), chapter
// IV, equations (7) to (10) and the not-a-knot ends.
#include "ricochet/formula/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet::formula {

namespace {

void check(const std::vector<double>& x, const std::vector<double>& y, const std::string& field, const char* variable) {
  if (x.size() != y.size())
    throw InputError(field,
                     fmt::format("needs one value a {0}, got {1} {0}s and {2} values", variable, x.size(), y.size()));
  if (x.size() < 2) throw InputError(field, fmt::format("needs at least two points, got {}", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]))
      throw InputError(field, fmt::format("{} {} is {}: must be finite", variable, i + 1, x[i]));
    if (!std::isfinite(y[i])) throw InputError(field, fmt::format("value {} is {}: must be finite", i + 1, y[i]));
    if (i > 0 && !(x[i] > x[i - 1]))
      throw InputError(field, fmt::format("{0}s must increase, but {0} {1} is {2} and {0} {3} is {4}", variable, i,
                                          to_text(x[i - 1]), i + 1, to_text(x[i])));
  }
}

// Slopes at the knots, h_i = t_{i+1} − t_i, δ_i = (y_{i+1} − y_i)/h_i:
//   h_i s_{i−1} + 2 (h_{i−1} + h_i) s_i + h_{i−1} s_{i+1} = 3 (h_i δ_{i−1} + h_{i−1} δ_i)
// with a first and a last row that make y''' continuous at t_1 and t_{n−1}. The pivots of the elimination without
// row exchanges are positive.
std::vector<double> spline_slopes(const std::vector<double>& h, const std::vector<double>& delta) {
  const std::size_t n = h.size();
  std::vector<double> s(n + 1);
  if (n == 1) return {delta[0], delta[0]};
  if (n == 2) {
    const double c = (delta[1] - delta[0]) / (h[0] + h[1]);
    return {delta[0] - h[0] * c, delta[0] + h[0] * c, delta[1] + h[1] * c};
  }

  // forward: the diagonal and the right-hand side s; the upper diagonal is h_0 + h_1, then h_{i−1}
  std::vector<double> pivot(n + 1);
  double sum = h[0] + h[1];
  pivot[0] = h[1];
  s[0] = ((h[0] + 2.0 * sum) * h[1] * delta[0] + h[0] * h[0] * delta[1]) / sum;
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = h[i] / pivot[i - 1], upper = i == 1 ? sum : h[i - 2];
    pivot[i] = 2.0 * (h[i - 1] + h[i]) - factor * upper;
    s[i] = 3.0 * (h[i] * delta[i - 1] + h[i - 1] * delta[i]) - factor * s[i - 1];
  }
  sum = h[n - 2] + h[n - 1];
  const double factor = sum / pivot[n - 1];
  pivot[n] = h[n - 2] - factor * h[n - 2];
  s[n] =
      (h[n - 1] * h[n - 1] * delta[n - 2] + (2.0 * sum + h[n - 1]) * h[n - 2] * delta[n - 1]) / sum - factor * s[n - 1];

  // backward
  s[n] /= pivot[n];
  for (std::size_t i = n; i-- > 0;) {
    const double upper = i == 0 ? h[0] + h[1] : h[i - 1];
    s[i] = (s[i] - upper * s[i + 1]) / pivot[i];
  }
  return s;
}

// Pieces per unit if no point is further than a quarter of a piece from an even grid, else 0.
double evenness(const std::vector<double>& x) {
  const double n = static_cast<double>(x.size() - 1), h = (x.back() - x.front()) / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::fabs(x[i] - (x.front() + static_cast<double>(i) * h)) <= 0.25 * h)) return 0.0;
  }
  return std::isfinite(1.0 / h) ? 1.0 / h : 0.0;
}

double value_of(const Curve::Piece& p, double s) { return p.y + s * (p.b + s * (p.c + s * p.d)); }

void include(std::pair<double, double>& range, double value) {
  range = {std::min(range.first, value), std::max(range.second, value)};
}

constexpr std::pair<double, double> nothing = {std::numeric_limits<double>::infinity(),
                                               -std::numeric_limits<double>::infinity()};

}  // namespace

Curve::Curve(std::vector<double> x, std::vector<double> y, Interpolation interpolation, Outside outside,
             const std::string& field, const char* variable)
    : name_(field), x_(std::move(x)) {
  check(x_, y, field, variable);
  const std::size_t n = x_.size() - 1;
  std::vector<double> h(n), delta(n), s;
  for (std::size_t i = 0; i < n; ++i) {
    h[i] = x_[i + 1] - x_[i];
    delta[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (interpolation == Interpolation::cubic) s = spline_slopes(h, delta);

  // pieces from their end values and end slopes
  for (std::size_t i = 0; i < n; ++i) {
    Piece piece{.y = y[i], .b = delta[i]};
    if (interpolation == Interpolation::cubic) {
      piece.b = s[i];
      piece.c = (3.0 * delta[i] - 2.0 * s[i] - s[i + 1]) / h[i];
      piece.d = (s[i] + s[i + 1] - 2.0 * delta[i]) / h[i] / h[i];
    }
    if (!std::isfinite(value_of(piece, h[i])))
      throw InputError(field, fmt::format("changes too fast to be interpolated from {} {} to {}", variable,
                                          to_text(x_[i]), to_text(x_[i + 1])));
    pieces_.push_back(piece);
  }

  y_until_ = y.back();
  if (outside == Outside::hold) {
    first_ = y.front();
    last_ = y.back();
  }
  pieces_per_unit_ = evenness(x_);
  range_ = nothing;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [least, most] = bounds_of(i, x_[i], x_[i + 1]);
    include(range_, least);
    include(range_, most);
  }
}

std::size_t Curve::piece_at(double x) const {
  if (pieces_per_unit_ == 0.0) {
    return static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end() - 1, x) - x_.begin()) - 1;
  }
  // a guess that is off by one at most
  const double guess = (x - x_.front()) * pieces_per_unit_;
  std::size_t i = std::min(static_cast<std::size_t>(guess), pieces_.size() - 1);
  while (i > 0 && x < x_[i]) --i;
  while (i + 1 < pieces_.size() && x >= x_[i + 1]) ++i;
  return i;
}

double Curve::operator()(double x) const {
  if (std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x < x_.front()) return first_;
  if (x > x_.back()) return last_;
  if (x == x_.back()) return y_until_;
  const std::size_t i = piece_at(x);
  return value_of(pieces_[i], x - x_[i]);
}

Curve Curve::derivative() const {
  Curve slope;
  slope.name_ = name_;
  slope.x_ = x_;
  slope.pieces_per_unit_ = pieces_per_unit_;
  for (const Piece& p : pieces_) slope.pieces_.push_back({.y = p.b, .b = 2.0 * p.c, .c = 3.0 * p.d});
  slope.y_until_ = value_of(slope.pieces_.back(), x_.back() - x_[x_.size() - 2]);
  slope.range_ = nothing;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const auto [least, most] = slope.bounds_of(i, x_[i], x_[i + 1]);
    include(slope.range_, least);
    include(slope.range_, most);
  }
  return slope;
}

bool Curve::is_zero() const { return range_ == std::pair(0.0, 0.0) && first_ == 0.0 && last_ == 0.0; }

bool Curve::is_smooth() const {
  constexpr double round_off = 1e-9;  // of the slopes
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const double h = x_[i + 1] - x_[i], slope = pieces_[i].b + h * (2.0 * pieces_[i].c + h * 3.0 * pieces_[i].d);
    const double next = pieces_[i + 1].b, size = std::abs(pieces_[i].b) + std::abs(slope) + std::abs(next);
    if (!(std::abs(slope - next) <= round_off * size)) return false;
  }
  return true;
}

// At the ends, and where the slope of a piece is 0 between: b + 2 c s + 3 d s² = 0.
std::pair<double, double> Curve::bounds_of(std::size_t i, double lower, double upper) const {
  const Piece& p = pieces_[i];
  const double from = lower - x_[i], until = upper - x_[i];
  std::pair<double, double> range = nothing;
  include(range, value_of(p, from));
  include(range, value_of(p, until));
  const auto try_at = [&](double s) {
    if (s > from && s < until) include(range, value_of(p, s));
  };
  const double root = std::sqrt(std::max(0.0, p.c * p.c - 3.0 * p.d * p.b));
  const double q = -(p.c + std::copysign(root, p.c));
  if (p.d != 0.0) try_at(q / (3.0 * p.d));
  if (q != 0.0) try_at(p.b / q);
  return range;
}

std::pair<double, double> Curve::bounds(double lower, double upper) const {
  constexpr std::size_t most_pieces = 64;  // looked at one by one
  std::pair<double, double> range = nothing;
  if (lower < x_.front()) include(range, first_);
  if (upper > x_.back()) include(range, last_);
  if (upper >= x_.back() && lower <= x_.back()) include(range, y_until_);
  lower = std::max(lower, x_.front());
  upper = std::min(upper, x_.back());
  if (!(lower <= upper)) return range;
  const std::size_t first = std::min(piece_at(lower), pieces_.size() - 1), last = piece_at(upper);
  if (last - first > most_pieces) {
    include(range, range_.first);
    include(range, range_.second);
    return range;
  }
  for (std::size_t i = first; i <= last; ++i) {
    const auto [least, most] = bounds_of(i, std::max(lower, x_[i]), std::min(upper, x_[i + 1]));
    include(range, least);
    include(range, most);
  }
  return range;
}

// An address in 16 bytes is below 2⁵³, which a double holds exactly.
static constexpr std::uintptr_t alignment = 16;
double curve_handle(const Curve& curve) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(&curve) / alignment);
}
const Curve& curve_of(double handle) {
  return *reinterpret_cast<const Curve*>(static_cast<std::uintptr_t>(handle) * alignment);  // NOLINT: its own address
}

}  // namespace ricochet::formula
