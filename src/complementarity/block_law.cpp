// A closed contact, U_N = 0: with P_T = −τ P_N, ‖τ‖ ≤ μ,
//
//     P_N = −b_N/a,   a = w_n − w_nt·τ,   a U_T = c − C τ,   c = w_n b_T − b_N w_tn,   C = b_T w_ntᵀ − b_N W_T. (1)
//
// It slides with U_T = κ τ or sticks with U_T = 0, so that (κ of the sign of a made positive by that of −b_N)
//
//     (C + κ I) τ = c,   κ ≥ 0,   ‖τ‖ ≤ μ,   κ (μ − ‖τ‖) = 0, (2)
//
// which is the law of a disc too, with W, −b and L in place of C, c and μ. In two dimensions adj(C + κ I) = adj C + κ
// I, so that ‖τ‖ = μ is the quartic
//
//     ‖adj(C) c + κ c‖² = μ² (κ² + tr(C) κ + det C)².                                                              (3)
#include "complementarity/block_law.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/planar_contact.hpp"
#include "core/length.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr int most_solutions = 5;
constexpr double negligible = 1e-14;  // a difference against its terms

double length_of(int n, const double* x) { return n == 1 ? std::abs(x[0]) : length(x[0], x[1]); }

template <int Degree>
double value_at(const double* a, double x) {
  double sum = a[Degree];
  for (int k = Degree - 1; k >= 0; --k) sum = sum * x + a[k];
  return sum;
}

// The root between two points of different sign: Newton, halving where it leaves the interval or is slow.
template <int Degree>
double root_between(const double* a, double low, double high) {
  double slope[Degree];
  for (int k = 0; k < Degree; ++k) slope[k] = (k + 1) * a[k + 1];
  const bool rises = value_at<Degree>(a, high) > 0.0;
  double x = 0.5 * (low + high);
  for (int k = 0; k < 200 && low < x && x < high; ++k) {
    const double y = value_at<Degree>(a, x);
    if (y == 0.0) return x;
    ((y > 0.0) == rises ? high : low) = x;
    const double next = x - y / value_at<Degree - 1>(slope, x);
    if (std::abs(next - x) <= 2e-16 * std::abs(x)) return x;
    x = next > low && next < high ? next : 0.5 * (low + high);
  }
  return x;
}

// All roots in an interval at which the sign changes, ascending.
template <int Degree>
int roots_between(const double* a, double low, double high, double* roots) {
  double points[Degree + 1];
  int count = 0;
  points[0] = low;
  if constexpr (Degree > 1) {
    double slope[Degree];
    for (int k = 0; k < Degree; ++k) slope[k] = (k + 1) * a[k + 1];
    count = roots_between<Degree - 1>(slope, low, high, points + 1);
  }
  points[count + 1] = high;
  int found = 0;
  for (int k = 0; k <= count; ++k)
    if ((value_at<Degree>(a, points[k]) > 0.0) != (value_at<Degree>(a, points[k + 1]) > 0.0))
      roots[found++] = root_between<Degree>(a, points[k], points[k + 1]);
  return found;
}

// (m + κ I)⁻¹ r by elimination with pivoting; false if it is singular.
bool solve_shifted(const double* m, double kappa, const double* r, double* x) {
  double a = m[0] + kappa, b = m[2], c = m[1], d = m[3] + kappa, u = r[0], v = r[1];
  if (std::abs(c) > std::abs(a)) std::swap(a, c), std::swap(b, d), std::swap(u, v);
  const double factor = c / a, pivot = d - factor * b;
  if (!(std::abs(pivot) > negligible * (std::abs(d) + std::abs(factor * b)))) return false;
  x[1] = (v - factor * u) / pivot;
  x[0] = (u - b * x[1]) / a;
  return true;
}

// m x = r with ‖x‖ ≤ 1; the least x if m is singular.
bool sticks(const double* m, const double* r, double* x) {
  if (solve_shifted(m, 0.0, r, x)) return length_of(2, x) <= 1.0;
  double norm = 0.0;
  for (int i = 0; i < 4; ++i) norm += m[i] * m[i];
  if (norm > 0.0) norm = 1.0 / norm;
  x[0] = norm * (m[0] * r[0] + m[1] * r[1]);
  x[1] = norm * (m[2] * r[0] + m[3] * r[1]);
  const double off[2] = {m[0] * x[0] + m[2] * x[1] - r[0], m[1] * x[0] + m[3] * x[1] - r[1]};
  return length_of(2, x) <= 1.0 && length_of(2, off) <= 1e-12;
}

// (m + κ I) x = r with ‖x‖ = 1 and κ between the bounds, at which ‖x‖ > 1 and < 1: Newton on 1/‖x‖, which is nearly
// linear in κ, halving where it leaves them.
void slide(const double* m, const double* r, double low, double high, double kappa, double* x) {
  for (int k = 0; k < 100; ++k) {
    double slope[2];
    double next = 0.0;
    if (solve_shifted(m, kappa, r, x) && solve_shifted(m, kappa, x, slope)) {
      const double own = length_of(2, x), turn = x[0] * slope[0] + x[1] * slope[1];
      (own > 1.0 ? low : high) = kappa;
      next = kappa + own * own / turn * (own - 1.0);
      if (std::abs(own - 1.0) <= 4e-16 || std::abs(next - kappa) <= 1e-16 * kappa) return;
    } else {
      low = kappa;
    }
    kappa = next > low && next < high ? next : 0.5 * (low + high);
    if (!(kappa > low && kappa < high)) return;
  }
}

// All τ of (2) in two dimensions, by (3) unless there is known to be a single one. C and c are differences of terms
// of the given size.
int solve_disc(const double* C, const double* c, double radius, double terms, bool single, double (*tau)[2]) {
  tau[0][0] = tau[0][1] = 0.0;
  if (!(radius > 0.0)) return 1;
  const double size =
      std::max({std::abs(C[0]), std::abs(C[1]), std::abs(C[2]), std::abs(C[3]), length_of(2, c) / radius});
  if (!(size > negligible * terms * std::max(1.0, 1.0 / radius))) return 1;
  const double f = 1.0 / size;
  const double m[4] = {f * C[0], f * C[1], f * C[2], f * C[3]}, r[2] = {f / radius * c[0], f / radius * c[1]};
  int count = 0;
  const auto add = [&](const double* x, double factor) {
    tau[count][0] = factor * x[0], tau[count++][1] = factor * x[1];
  };
  double x[2];
  if (sticks(m, r, x)) {
    add(x, radius);
    if (single) return count;
  }
  const double trace = m[0] + m[3], det = m[0] * m[3] - m[1] * m[2];
  const double p[2] = {m[3] * r[0] - m[2] * r[1], m[0] * r[1] - m[1] * r[0]};
  const double quartic[5] = {p[0] * p[0] + p[1] * p[1] - det * det, 2.0 * (p[0] * r[0] + p[1] * r[1] - trace * det),
                             r[0] * r[0] + r[1] * r[1] - trace * trace - 2.0 * det, -2.0 * trace, -1.0};
  constexpr double far = 7.0;  // ≥ 2 + ‖r‖ + ‖m‖
  double kappa[4];
  const int roots = single ? 1 : roots_between<4>(quartic, 0.0, far, kappa);
  for (int k = 0; k < roots; ++k) {
    if (single)
      slide(m, r, 0.0, far, 0.0, x);
    else
      slide(m, r, (1.0 - 1e-6) * kappa[k], (1.0 + 1e-6) * kappa[k], kappa[k], x);
    const double own = length_of(2, x);
    if (own > 0.0 && std::isfinite(own)) add(x, radius / own);
  }
  return count;
}

// The same in one dimension.
int solve_interval(double C, double c, double radius, double (*tau)[2]) {
  int count = 0;
  const auto add = [&](double t) { tau[count][0] = t, tau[count++][1] = 0.0; };
  if (std::abs(c) <= radius * std::abs(C)) add(C != 0.0 ? c / C : 0.0);
  for (const double s : {1.0, -1.0})
    if (s * (c - s * radius * C) > 0.0) add(s * radius);
  return count;
}

// Closed solutions of (1): their impulses, one after the other.
int closed_solutions(const Block& block, const double* W, const double* b, bool single, double (*P)[3]) {
  const int n = block.size, nt = n - 1;
  const double sign = b[0] > 0.0 ? -1.0 : 1.0;
  double C[4] = {0.0, 0.0, 0.0, 0.0}, c[2] = {0.0, 0.0}, tau[most_solutions][2];
  const double terms = std::abs(b[0]) + length_of(nt, b + 1);  // W has a unit diagonal
  for (int j = 0; j < nt; ++j) {
    c[j] = sign * (W[0] * b[j + 1] - b[0] * W[j + 1]);
    for (int i = 0; i < nt; ++i) C[j * nt + i] = sign * (b[i + 1] * W[(j + 1) * n] - b[0] * W[(j + 1) * n + i + 1]);
  }
  const int found =
      nt == 1 ? solve_interval(C[0], c[0], block.bound, tau) : solve_disc(C, c, block.bound, terms, single, tau);
  int count = 0;
  for (int k = 0; k < found; ++k) {
    double a = W[0];
    for (int j = 0; j < nt; ++j) a -= W[(j + 1) * n] * tau[k][j];
    if (!(sign * a > 0.0) || b[0] == 0.0) continue;
    P[count][0] = -b[0] / a;
    for (int j = 0; j < nt; ++j) P[count][j + 1] = -tau[k][j] * P[count][0];
    ++count;
  }
  return count;
}

// μ ‖w_nt‖ < w_n: one solution whatever b is.
bool is_regular(const Block& block, const double* W) {
  const double coupling[2] = {W[block.size], block.size == 3 ? W[6] : 0.0};
  return block.bound * length_of(2, coupling) < W[0];
}

bool solve_contact(const Block& block, const double* W, const double* b, double* P, bool* is_unique) {
  const int n = block.size;
  const bool regular = is_regular(block, W);
  double closed[most_solutions][3];
  if (is_unique != nullptr)
    *is_unique = regular || closed_solutions(block, W, b, false, closed) + (b[0] >= 0.0 ? 1 : 0) <= 1;
  if (b[0] >= 0.0) {
    std::fill(P, P + n, 0.0);
    return true;
  }
  if (!(W[0] > 0.0)) return false;
  if (n == 2) {
    const auto [N, T] = solve_planar_contact(W[0], W[2], W[1], W[3], b[0], b[1], block.bound);
    P[0] = N, P[1] = T;
    return true;
  }
  const int count = closed_solutions(block, W, b, regular, closed);
  double nearest = HUGE_VAL;
  int best = -1;
  for (int k = 0; k < count; ++k) {
    const double off = length(closed[k][0] - P[0], closed[k][1] - P[1], closed[k][2] - P[2]);
    if (off < nearest) nearest = off, best = k;
  }
  if (best < 0) return false;
  std::copy(closed[best], closed[best] + n, P);
  return true;
}

}  // namespace

bool has_blocks(const ComplementarityProblem& problem) {
  return problem.cones != nullptr && std::any_of(problem.cones, problem.cones + problem.n, [](Cone cone) {
           return cone == Cone::coulomb || cone == Cone::disc || cone == Cone::tangent;
         });
}

void check_blocks(const ComplementarityProblem& problem) {
  for (int i = 0; i < problem.n;) {
    const auto refuse = [&](const char* what, const std::string& message) {
      throw InputError(std::string(what) + "[" + std::to_string(i) + "]", message);
    };
    const Cone cone = problem.cones[i];
    const bool is_contact = cone == Cone::coulomb, is_bounded = is_contact || cone == Cone::disc;
    if (cone == Cone::tangent) refuse("cones", "a tangent row must follow a contact or a disc");
    if (is_bounded && problem.bounds == nullptr) refuse("cones", "its bound is missing");
    const Block block = block_at(problem, i);
    if (is_bounded && !(block.bound >= 0.0 && std::isfinite(block.bound)))
      refuse("bounds", "must not be negative, got " + to_text(block.bound));
    if (is_contact && (block.size < 2 || block.size > 3))
      refuse("cones", "a contact with friction has one or two tangent rows, got " + std::to_string(block.size - 1));
    if (cone == Cone::disc && block.size > 2) refuse("cones", "a disc has at most one tangent row");
    i += block.size;
  }
}

double block_residual(const Block& block, const double* P, const double* U) {
  switch (block.cone) {
    case Cone::nonnegative: return std::abs(std::min(P[0], U[0]));
    case Cone::free: return std::abs(U[0]);
    case Cone::tangent: return 0.0;
    case Cone::disc: {
      const int n = block.size;
      double x[2] = {P[0] - U[0], n == 2 ? P[1] - U[1] : 0.0};
      const double own = length_of(2, x), factor = own > block.bound ? block.bound / own : 1.0;
      for (int i = 0; i < n; ++i) x[i] = P[i] - factor * x[i];
      return length_of(n, x);
    }
    case Cone::coulomb: break;
  }
  const int nt = block.size - 1;
  const double mu = block.bound;
  const double T[2] = {P[1] - U[1], nt == 2 ? P[2] - U[2] : 0.0};
  const double N = P[0] - U[0] - mu * length_of(nt, U + 1), own = length_of(2, T);
  double off[3] = {P[0], P[1], nt == 2 ? P[2] : 0.0};
  if (N >= 0.0 && own <= mu * N) {
    off[0] -= N, off[1] -= T[0], off[2] -= T[1];
  } else if (mu * own > -N) {
    const double p = (N + mu * own) / (1.0 + mu * mu);
    off[0] -= p, off[1] -= mu * p * T[0] / own, off[2] -= mu * p * T[1] / own;
  }
  return length(off[0], off[1], off[2]);
}

bool solve_block(const Block& block, const double* W, const double* b, double* P, bool* is_unique) {
  if (is_unique != nullptr) *is_unique = true;
  switch (block.cone) {
    case Cone::coulomb: return solve_contact(block, W, b, P, is_unique);
    case Cone::tangent: return false;
    case Cone::nonnegative: P[0] = b[0] < 0.0 ? -b[0] / W[0] : 0.0; return b[0] >= 0.0 || W[0] > 0.0;
    case Cone::free:
      if (W[0] > 0.0) P[0] = -b[0] / W[0];
      return W[0] > 0.0 || b[0] == 0.0;
    case Cone::disc: break;
  }
  if (block.size == 1) {
    P[0] = std::clamp(W[0] > 0.0 ? -b[0] / W[0] : -b[0] * HUGE_VAL, -block.bound, block.bound);
    if (b[0] == 0.0) P[0] = 0.0;
    return true;
  }
  const double c[2] = {-b[0], -b[1]};
  double P_of_disc[most_solutions][2];
  solve_disc(W, c, block.bound, 0.0, true, P_of_disc);
  P[0] = P_of_disc[0][0], P[1] = P_of_disc[0][1];
  return true;
}

}  // namespace ricochet
