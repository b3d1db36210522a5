// The cubic spline by its slopes s_i at the knots: C. de Boor, A Practical Guide to Splines (Springer, 1978), chapter
// IV, equations (7) to (10) and the not-a-knot ends.
#include "ricochet/model/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {

namespace {

void check(const std::vector<double>& t, const std::vector<double>& y, const std::string& field) {
  if (t.size() != y.size())
    throw InputError(field, fmt::format("needs one value a time, got {} times and {} values", t.size(), y.size()));
  if (t.size() < 2) throw InputError(field, fmt::format("needs at least two points, got {}", t.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!std::isfinite(t[i])) throw InputError(field, fmt::format("time {} is {}: must be finite", i + 1, t[i]));
    if (!std::isfinite(y[i])) throw InputError(field, fmt::format("value {} is {}: must be finite", i + 1, y[i]));
    if (i > 0 && !(t[i] > t[i - 1]))
      throw InputError(field, fmt::format("times must increase, but time {} is {} and time {} is {}", i,
                                          to_text(t[i - 1]), i + 1, to_text(t[i])));
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

// Pieces per unit of time if no knot is further than a quarter of a piece from an even grid, else 0.
double evenness(const std::vector<double>& t) {
  const double n = static_cast<double>(t.size() - 1), h = (t.back() - t.front()) / n;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!(std::fabs(t[i] - (t.front() + static_cast<double>(i) * h)) <= 0.25 * h)) return 0.0;
  }
  return std::isfinite(1.0 / h) ? 1.0 / h : 0.0;
}

}  // namespace

TimeSeries::TimeSeries(std::vector<double> t, std::vector<double> y, Interpolation interpolation, Outside outside,
                       const std::string& field)
    : t_(std::move(t)) {
  check(t_, y, field);
  const std::size_t n = t_.size() - 1;
  std::vector<double> h(n), delta(n), s;
  for (std::size_t i = 0; i < n; ++i) {
    h[i] = t_[i + 1] - t_[i];
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
    const double sum = piece.y + h[i] * (piece.b + h[i] * (piece.c + h[i] * piece.d));
    if (!std::isfinite(sum))
      throw InputError(field, fmt::format("changes too fast to be interpolated from time {} to {}", to_text(t_[i]),
                                          to_text(t_[i + 1])));
    pieces_.push_back(piece);
  }

  y_until_ = y.back();
  if (outside == Outside::hold) {
    first_ = y.front();
    last_ = y.back();
  }
  pieces_per_time_ = evenness(t_);
}

std::size_t TimeSeries::piece_at(double t) const {
  if (pieces_per_time_ == 0.0) {
    return static_cast<std::size_t>(std::upper_bound(t_.begin(), t_.end() - 1, t) - t_.begin()) - 1;
  }
  // a guess that is off by one at most
  const double guess = (t - t_.front()) * pieces_per_time_;
  std::size_t i = std::min(static_cast<std::size_t>(guess), pieces_.size() - 1);
  while (i > 0 && t < t_[i]) --i;
  while (i + 1 < pieces_.size() && t >= t_[i + 1]) ++i;
  return i;
}

double TimeSeries::operator()(double t) const {
  if (std::isnan(t)) return std::numeric_limits<double>::quiet_NaN();
  if (t < t_.front()) return first_;
  if (t > t_.back()) return last_;
  if (t == t_.back()) return y_until_;
  const std::size_t i = piece_at(t);
  const Piece& piece = pieces_[i];
  const double s = t - t_[i];
  return piece.y + s * (piece.b + s * (piece.c + s * piece.d));
}

TimePiece TimeSeries::piece(double t) const {
  const auto constant = [](double value) { return TimeSum{{.cosine = value}}; };
  if (t < t_.front()) return {constant(first_), t_.front()};
  if (!(t < t_.back())) return {constant(last_)};
  const std::size_t i = piece_at(t);
  TimePiece piece{{}, t_[i + 1]};
  int power = 0;
  for (const double c : {pieces_[i].y, pieces_[i].b, pieces_[i].c, pieces_[i].d}) {
    if (c != 0.0) piece.terms.push_back({.power = power, .cosine = c, .origin = t_[i]});
    ++power;
  }
  return piece;
}

}  // namespace ricochet
