#include "scheme/event/gap_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/constants.hpp"

namespace ricochet {
namespace {

// Coefficients of a polynomial, or its Bernstein coefficients on an interval.
template <std::size_t n>
using Coefficients = std::array<double, n>;
using Quartic = Coefficients<5>;

template <std::size_t n>
double value_of(const Coefficients<n>& p, double x) {
  double value = p[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) value = p[k] + x * value;
  return value;
}
template <std::size_t n>
double slope(const Coefficients<n>& p, double x) {
  double value = static_cast<double>(n - 1) * p[n - 1];
  for (std::size_t k = n - 1; k-- > 1;) value = static_cast<double>(k) * p[k] + x * value;
  return value;
}

constexpr int binomial(std::size_t n, std::size_t k) {
  int result = 1;
  for (std::size_t i = 0; i < k; ++i) result = result * static_cast<int>(n - i) / static_cast<int>(i + 1);
  return result;
}

// Through (k/4, f_k).
Quartic interpolate(const std::array<double, 5>& f) {
  const double d1 = f[1] - f[0], d2 = f[2] - 2.0 * f[1] + f[0], d3 = f[3] - 3.0 * f[2] + 3.0 * f[1] - f[0];
  const double d4 = f[4] - 4.0 * f[3] + 6.0 * f[2] - 4.0 * f[1] + f[0];
  // Newton's forward differences in s = 4x: s, s(s−1)/2, s(s−1)(s−2)/6, s(s−1)(s−2)(s−3)/24.
  const double c1 = d1 - d2 / 2.0 + d3 / 3.0 - d4 / 4.0, c2 = d2 / 2.0 - d3 / 2.0 + 11.0 * d4 / 24.0;
  const double c3 = d3 / 6.0 - d4 / 4.0, c4 = d4 / 24.0;
  return {f[0], 4.0 * c1, 16.0 * c2, 64.0 * c3, 256.0 * c4};
}

// C(k, i)/C(n − 1, i) in lowest terms, at [k][i].
struct Fraction {
  double over = 0.0, under = 1.0;
};
template <std::size_t n>
constexpr std::array<std::array<Fraction, n>, n> bernstein_weights = [] {
  std::array<std::array<Fraction, n>, n> weights{};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i <= k; ++i) {
      const int over = binomial(k, i), under = binomial(n - 1, i), common = std::gcd(over, under);
      weights[k][i] = {static_cast<double>(over / common), static_cast<double>(under / common)};
    }
  return weights;
}();

// Bernstein coefficients on [0, 1]: b_k = Σ_{i ≤ k} p_i C(k, i)/C(n, i), n being the degree.
template <std::size_t n>
Coefficients<n> bernstein(const Coefficients<n>& p) {
  Coefficients<n> b{};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i <= k; ++i)
      b[k] += p[i] * bernstein_weights<n>[k][i].over / bernstein_weights<n>[k][i].under;
  return b;
}

template <std::size_t n>
bool all_positive(const Coefficients<n>& b) {
  return std::all_of(b.begin(), b.end(), [](double x) { return x > 0.0; });
}

// de Casteljau at the middle.
template <std::size_t n>
void halve(const Coefficients<n>& b, Coefficients<n>& left, Coefficients<n>& right) {
  Coefficients<n> w = b;
  for (std::size_t k = 0; k < n; ++k) {
    left[k] = w[0];
    right[n - 1 - k] = w[n - 1 - k];
    for (std::size_t i = 0; i + 1 < n - k; ++i) w[i] = 0.5 * (w[i] + w[i + 1]);
  }
}

// One change of sign among the coefficients, from + to −: exactly one root.
template <std::size_t n>
bool has_one_root(const Coefficients<n>& b) {
  if (!(b[0] > 0.0 && b[n - 1] < 0.0)) return false;
  int changes = 0;
  for (std::size_t k = 1; k < n; ++k) changes += (b[k - 1] > 0.0) != (b[k] > 0.0);
  return changes == 1;
}

template <std::size_t n>
double bernstein_value(const Coefficients<n>& b, double x) {
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    double term = binomial(n - 1, k);
    for (std::size_t i = 0; i < n - 1; ++i) term *= i < k ? x : 1.0 - x;
    sum += term * b[k];
  }
  return sum;
}

// A root of f in [a, b], f(a) > 0 ≥ f(b): false position with Illinois' correction, and the middle where that is slow.
template <class Function>
double false_position(const Function& f, double a, double f_a, double b, double f_b) {
  int side = 0;
  double at_a = f_a, at_b = f_b, width = b - a;
  for (int k = 1; k < 200 && b - a > 2e-16 * std::max(b, 1e-3); ++k) {
    double x = (a * f_b - b * f_a) / (f_b - f_a);
    if (k % 3 == 0) {
      if (b - a > 0.5 * width) x = 0.5 * (a + b);
      width = b - a;
    }
    if (!(x > a && x < b)) break;
    const double f_x = f(x);
    if (f_x == 0.0) return x;
    if (f_x > 0.0) {
      a = x, at_a = f_a = f_x;
      if (side == 1) f_b *= 0.5;
      side = 1;
    } else {
      b = x, at_b = f_b = f_x;
      if (side == -1) f_a *= 0.5;
      side = -1;
    }
  }
  return a > 0.0 && at_a < -at_b ? a : b;
}

// The root of has_one_root() in [0, 1].
template <std::size_t n>
double only_root(const Coefficients<n>& b) {
  return false_position([&](double x) { return bernstein_value(b, x); }, 0.0, b[0], 1.0, b[n - 1]);
}

// The first x in [lower, upper] with p ≤ 0, b being the coefficients there and p(lower) > 0. A few roots need some
// hundred halves; more than there are in `halves` only round-off or what is no number asks for.
template <std::size_t n>
std::optional<double> first_root(const Coefficients<n>& b, double lower, double upper, int& halves) {
  if (all_positive(b)) return std::nullopt;
  if (b[0] <= 0.0) return lower;
  if (has_one_root(b)) return lower + (upper - lower) * only_root(b);
  const double middle = 0.5 * (lower + upper);
  if (upper - lower <= 4e-16 * std::max(1.0, std::abs(upper)) || !(middle > lower && middle < upper) || --halves < 0)
    return b[n - 1] <= 0.0 ? std::optional(upper) : std::nullopt;
  Coefficients<n> left, right;
  halve(b, left, right);
  if (const std::optional<double> root = first_root(left, lower, middle, halves)) return root;
  if (right[0] <= 0.0) return middle;
  return first_root(right, middle, upper, halves);
}

// p(from + (1 − from) x), by Horner's scheme again and again
template <std::size_t n>
Coefficients<n> restricted(Coefficients<n> p, double from) {
  double scale = 1.0;
  for (std::size_t k = 0; k < n; ++k, scale *= 1.0 - from) {
    for (std::size_t i = n - 1; i-- > k;) p[i] += from * p[i + 1];
    p[k] *= scale;
  }
  return p;
}

template <std::size_t n>
std::optional<double> first_root(const Coefficients<n>& p, double from) {
  if (from >= 1.0) return std::nullopt;
  int halves = 10'000;
  const std::optional<double> root = first_root(bernstein(from > 0.0 ? restricted(p, from) : p), 0.0, 1.0, halves);
  if (!root) return std::nullopt;
  return from + (1.0 - from) * *root;
}

// Where p turns between `lower`, where it falls, and 1, where it rises.
template <std::size_t n>
double turn(const Coefficients<n>& p, double lower) {
  return false_position([&](double x) { return -slope(p, x); }, lower, -slope(p, lower), 1.0, -slope(p, 1.0));
}

// `near`: where p comes near first.
struct Found {
  double x, near;
  bool grazing;
};

// A minimum behind `near` that p does not pass.
template <std::size_t n>
std::optional<double> minimum_behind(const Coefficients<n>& p, double near) {
  return slope(p, near) < 0.0 && slope(p, 1.0) > 0.0 ? std::optional(turn(p, near)) : std::nullopt;
}

// The first root of p in [from, 1], or a minimum that comes nearer than `lift` to 0 without passing it.
template <std::size_t n>
std::optional<Found> look(const Coefficients<n>& p, double lift, double from) {
  Coefficients<n> lowered = p;
  lowered[0] -= lift;
  const std::optional<double> near = first_root(lowered, from);
  if (!near) return std::nullopt;
  if (const std::optional<double> root = lift > 0.0 ? first_root(p, from) : near) return Found{*root, *near, false};
  // A minimum between 0 and the lift: where the slope vanishes after coming near.
  const std::optional<double> least = minimum_behind(p, *near);
  return least ? std::optional(Found{*least, *near, true}) : std::nullopt;
}

}  // namespace

GapSearch::GapSearch(const Model& model) : model_(model), watch_(static_cast<std::size_t>(nc_), Watch::no) {
  if (!affine_) return;
  model_.gap_gradient(0.0, q_.data(), H_.data());
  model_.gap(0.0, q_.data(), offset_.data());
}

double GapSearch::gap(const DenseOutput& dense, int j, double theta) {
  for (int i = 0; i < nq_; ++i) q_[i] = dense.value(i, theta);
  here_.place_gaps(dense.t0() + theta * dense.h(), q_.data());
  return here_.gap(j);
}

double GapSearch::least(const DenseOutput& dense, int j, double until) {
  std::array<double, 5> f{};
  for (std::size_t k = 0; k < 5; ++k) f[k] = gap(dense, j, 0.25 * static_cast<double>(k) * until);
  const Quartic p = interpolate(f);
  return value_of(p, turn(p, 0.0));
}

std::optional<double> GapSearch::crossing(const DenseOutput& dense, int j, double a, double b) {
  constexpr double jump = 1e-6;
  const auto at = [&](double theta) { return gap(dense, j, theta); };
  const double g_a = at(a), g_b = at(b);
  if (!(g_a > 0.0 && g_b < 0.0)) return std::nullopt;
  const double theta = false_position(at, a, g_a, b, g_b);
  return std::abs(at(theta)) <= jump * (g_a - g_b) ? std::optional(theta) : std::nullopt;
}

bool GapSearch::all_far(const DenseOutput& rough) {
  if (!all_open()) return false;
  for (int k = 0; k <= 4; ++k) {
    const double theta = 0.25 * k;
    for (int i = 0; i < nq_; ++i) q_[i] = rough.value(i, theta);
    here_.place_gaps(rough.t0() + theta * rough.h(), q_.data());
    for (int j = 0; j < nc_; ++j) {
      const double g = here_.gap(j);
      if (watch(j) != Watch::no && !std::isfinite(g)) return false;
      smallest_[j] = k == 0 ? g : std::min(smallest_[j], g);
      largest_[j] = k == 0 ? g : std::max(largest_[j], g);
    }
  }
  for (int j = 0; j < nc_; ++j)
    if (watch(j) != Watch::no && !(smallest_[j] > largest_[j] - smallest_[j])) return false;
  return true;
}

bool GapSearch::all_far(const ExplicitRungeKutta::Ends& step) const {
  if (!all_open()) return false;
  const double h = step.h;
  for (int j = 0; j < nc_; ++j) {
    if (watch(j) == Watch::no) continue;
    double g0 = offset_[j], g1 = g0, U0 = 0.0, U1 = 0.0, a0 = 0.0, a1 = 0.0;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) {
      const int i = layout_.gradient.row[k];
      const double H = H_[k];
      g0 += H * step.y0[i], U0 += H * step.f0[i], a0 += H * step.f0[nq_ + i];
      g1 += H * step.y1[i], U1 += H * step.f1[i], a1 += H * step.f1[nq_ + i];
    }
    const double b1 = g0 + 0.2 * h * U0, b2 = g0 + 0.4 * h * U0 + 0.05 * h * h * a0;
    const double b3 = g1 - 0.4 * h * U1 + 0.05 * h * h * a1, b4 = g1 - 0.2 * h * U1;
    const double smallest = std::min(std::min(std::min(g0, b1), std::min(b2, b3)), std::min(b4, g1));
    const double largest = std::max(std::max(std::max(g0, b1), std::max(b2, b3)), std::max(b4, g1));
    const double sum = g0 + b1 + b2 + b3 + b4 + g1;
    if (!std::isfinite(sum) || !(smallest > largest - smallest)) return false;
  }
  return true;
}

GapSearch::Followed GapSearch::follow(const DenseOutput& dense, int j, double lift, double shift) {
  const Watch how = watch(j);
  const bool divided = how == Watch::bounced || how == Watch::entered;
  Followed followed{.constraint = j,
                    .sign = how == Watch::inside || how == Watch::entered ? -1.0 : 1.0,
                    .shift = how == Watch::parting ? std::max(shift, std::numeric_limits<double>::min()) : 0.0,
                    .lift = how == Watch::open || how == Watch::inside ? lift : 0.0,
                    .divided = divided,
                    .begin_value = 0.0,
                    .begin_rate = 0.0};
  if (affine_ || !divided) return followed;
  followed.begin_value = gap(dense, j, 0.0);
  followed.begin_rate = rate(dense, j, 0.0);
  followed.noise = 16.0 * epsilon * here_.gap_size(j, dense.t0(), q_.data());
  return followed;
}

double GapSearch::rate(const DenseOutput& dense, int j, double theta) {
  for (int i = 0; i < nq_; ++i) v_[i] = dense.derivative(i, theta);
  here_.place_rates(dense.t0() + theta * dense.h(), q_.data());
  return dense.h() * here_.rate(j, v_.data());
}

// Of a linear gap, exactly.
template <std::size_t n>
std::array<double, n> GapSearch::polynomial(const DenseOutput& dense, const Followed& followed) const {
  const int j = followed.constraint;
  Coefficients<n> p{};
  p[0] = offset_[j];
  for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) {
    const double* q = dense.coefficients(layout_.gradient.row[k]);
    for (std::size_t m = 0; m < n; ++m) p[m] += H_[k] * q[m];
  }
  if (followed.divided) {
    std::copy(p.begin() + 1, p.end(), p.begin());
    p.back() = 0.0;
  }
  for (double& coefficient : p) coefficient *= followed.sign;
  p[0] += followed.shift;
  return p;
}

double GapSearch::value(const DenseOutput& dense, const Followed& followed, double theta) {
  if (!followed.divided) return followed.sign * gap(dense, followed.constraint, theta) + followed.shift;
  if (theta == 0.0) return followed.sign * followed.begin_rate;
  const double way = gap(dense, followed.constraint, theta) - followed.begin_value;
  // A way that is lost in the round-off of the gap is that of its rates.
  if (std::abs(way) > followed.noise) return followed.sign * way / theta;
  return followed.sign * 0.5 * (followed.begin_rate + rate(dense, followed.constraint, theta));
}

// The root near theta on the gap itself, by false position between a point before and one behind it. Nothing where only
// what the interpolation leaves out is negative.
std::optional<double> GapSearch::polish(const DenseOutput& dense, const Followed& followed, double lower, double upper,
                                        double theta) {
  double a = theta, b = theta, f_a = value(dense, followed, theta), f_b = f_a, reach = 1e-9 * (upper - lower);
  for (int k = 0; k < 40 && f_a <= 0.0 && a > lower; ++k, reach *= 4.0) {
    b = a, f_b = f_a;
    a = std::max(lower, a - reach);
    f_a = value(dense, followed, a);
  }
  for (int k = 0; k < 40 && f_b > 0.0 && b < upper; ++k, reach *= 4.0) {
    a = b, f_a = f_b;
    b = std::min(upper, b + reach);
    f_b = value(dense, followed, b);
  }
  if (f_a <= 0.0) return a;
  if (f_b > 0.0) return std::nullopt;
  return false_position([&](double x) { return value(dense, followed, x); }, a, f_a, b, f_b);
}

std::optional<GapSearch::Event> GapSearch::search_piece(const DenseOutput& dense, const Followed& followed,
                                                        double lower, double upper, int depth) {
  constexpr int deepest = 16;
  std::array<double, 5> f{}, between{};
  const auto at = [&](double x) { return value(dense, followed, lower + x * (upper - lower)); };
  double size = 0.0, difference = 0.0, sum = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 5; ++k) {
    f[k] = at(0.25 * static_cast<double>(k));
    if (k < 4) between[k] = at(0.25 * static_cast<double>(k) + 0.125);
    size = std::max(size, std::abs(f[k]));
    smallest = std::min(smallest, k < 4 ? std::min(f[k], between[k]) : f[k]);
    sum += f[k] + between[k];
  }
  if (!std::isfinite(sum)) {
    if (!std::isfinite(f[0])) return Event{.constraint = followed.constraint, .theta = lower, .lost = true};
    if (depth < deepest) return search_halves(dense, followed, lower, upper, depth);
    return search_end(dense, followed, lower, upper);
  }
  const Quartic p = interpolate(f);
  for (std::size_t k = 0; k < 4; ++k)
    difference = std::max(difference, std::abs(value_of(p, 0.25 * static_cast<double>(k) + 0.125) - between[k]));
  // Far enough from 0 whatever the interpolation leaves out?
  Quartic surely = bernstein(p);
  for (double& coefficient : surely) coefficient -= followed.lift + 4.0 * difference;
  if (all_positive(surely)) return std::nullopt;
  const bool follows = difference <= 1e-9 * size;
  if (!follows && depth < deepest) return search_halves(dense, followed, lower, upper, depth);
  // Where the gap jumps polynomials swing below 0, and only its own values count.
  if (!follows && smallest > followed.lift) return std::nullopt;
  const std::optional<Found> found = look(p, followed.lift, 0.0);
  if (!found) return std::nullopt;
  const auto place = [&](double x) { return lower + x * (upper - lower); };
  if (!found->grazing)
    if (const std::optional<double> root = polish(dense, followed, lower, upper, place(found->x)))
      return Event{.constraint = followed.constraint, .theta = *root};
  const std::optional<double> least = followed.lift > 0.0 ? minimum_behind(p, found->near) : std::nullopt;
  if (!least) return std::nullopt;
  return Event{.constraint = followed.constraint, .theta = place(*least), .grazing = true};
}

std::optional<GapSearch::Event> GapSearch::search_halves(const DenseOutput& dense, const Followed& followed,
                                                         double lower, double upper, int depth) {
  const double middle = 0.5 * (lower + upper);
  if (const std::optional<Event> event = search_piece(dense, followed, lower, middle, depth + 1)) return event;
  return search_piece(dense, followed, middle, upper, depth + 1);
}

// Where the values end, and whether the gap closes before.
GapSearch::Event GapSearch::search_end(const DenseOutput& dense, const Followed& followed, double lower, double upper) {
  const auto at = [&](double theta) { return value(dense, followed, theta); };
  const double f_lower = at(lower);
  double last = lower, f_last = f_lower, beyond = upper;
  for (int k = 1; k <= 8 && beyond == upper; ++k) {
    const double theta = lower + 0.125 * k * (upper - lower);
    if (!std::isfinite(at(theta))) beyond = theta;
  }
  for (double middle = 0.5 * (last + beyond); middle > last && middle < beyond; middle = 0.5 * (last + beyond)) {
    const double f = at(middle);
    if (std::isfinite(f))
      last = middle, f_last = f;
    else
      beyond = middle;
  }
  Event event{.constraint = followed.constraint, .theta = last, .lost = f_last > 0.0};
  if (!event.lost && f_lower > 0.0) event.theta = false_position(at, lower, f_lower, last, f_last);
  return event;
}

bool GapSearch::is_far(const DenseOutput& dense, int j, double sign, double tolerance) const {
  Coefficients<8> p = polynomial<8>(dense, {.constraint = j, .sign = sign, .shift = -tolerance});
  return all_positive(bernstein(p));
}

std::optional<GapSearch::Event> GapSearch::search_all(const DenseOutput& dense, const double* lift, const double* shift,
                                                      double from) {
  std::optional<Event> earliest;
  for (int j = 0; j < nc_; ++j) {
    const double begin = std::max(from, begin_[j]);
    if (watch(j) == Watch::no || !(begin < 1.0)) continue;
    const Followed followed = follow(dense, j, lift[j], shift[j]);
    std::optional<Event> event;
    if (!affine_) {
      event = search_piece(dense, followed, begin, 1.0, 0);
    } else if (const std::optional<Found> found = dense.degree() == 4
                                                      ? look(polynomial<5>(dense, followed), followed.lift, begin)
                                                      : look(polynomial<8>(dense, followed), followed.lift, begin)) {
      event = Event{j, found->x, found->grazing};
    }
    if (event && (!earliest || event->theta < earliest->theta)) earliest = event;
  }
  return earliest;
}

}  // namespace ricochet
