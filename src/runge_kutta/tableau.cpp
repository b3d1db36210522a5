// The list of tables. Hairer, Nørsett, Wanner: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential
// Equations I, 2nd ed., Springer 1993, doi:10.1007/978-3-540-78862-1; Hairer, Wanner: volume II, 2nd ed., Springer
// 1996, doi:10.1007/978-3-642-05221-7.
#include "ricochet/runge_kutta/tableau.hpp"

#include <cmath>
#include <string>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

// Irrational entries are computed in long double and rounded once.
using Row = std::vector<long double>;

std::vector<double> rounded(const Row& row) {
  std::vector<double> result;
  for (const long double entry : row) result.push_back(static_cast<double>(entry));
  return result;
}

// A square matrix by rows from rows that may be short: what is missing is zero.
std::vector<double> matrix(const std::vector<Row>& rows) {
  std::vector<double> result;
  for (Row row : rows) {
    row.resize(rows.size(), 0.0L);
    for (const double entry : rounded(row)) result.push_back(entry);
  }
  return result;
}

// Heun, 2 stages. K. Heun, Z. Math. Phys. 45 (1900) 23.
Tableau heun() {
  return {.name = "heun", .order = 2, .A = matrix({{}, {1.0L}}), .b = {0.5, 0.5}, .c = {0.0, 1.0}, .dense_order = 2};
}

// Kutta, 3 stages. W. Kutta, Z. Math. Phys. 46 (1901) 435.
Tableau kutta_3() {
  return {.name = "kutta-3",
          .order = 3,
          .A = matrix({{}, {0.5L}, {-1.0L, 2.0L}}),
          .b = rounded({1.0L / 6, 2.0L / 3, 1.0L / 6}),
          .c = {0.0, 0.5, 1.0},
          .dense_order = 3};
}

// The classical method, 4 stages. W. Kutta, Z. Math. Phys. 46 (1901) 435.
Tableau rk4() {
  return {.name = "rk4",
          .order = 4,
          .A = matrix({{}, {0.5L}, {0.0L, 0.5L}, {0.0L, 0.0L, 1.0L}}),
          .b = rounded({1.0L / 6, 1.0L / 3, 1.0L / 3, 1.0L / 6}),
          .c = {0.0, 0.5, 0.5, 1.0},
          .dense_order = 3};
}

// Fehlberg 5(4), 6 stages, continued with the result of order 5. E. Fehlberg, Computing 6 (1970) 61,
// doi:10.1007/BF02241732.
Tableau rkf45() {
  return {.name = "rkf45",
          .order = 5,
          .A = matrix({{},
                       {1.0L / 4},
                       {3.0L / 32, 9.0L / 32},
                       {1932.0L / 2197, -7200.0L / 2197, 7296.0L / 2197},
                       {439.0L / 216, -8.0L, 3680.0L / 513, -845.0L / 4104},
                       {-8.0L / 27, 2.0L, -3544.0L / 2565, 1859.0L / 4104, -11.0L / 40}}),
          .b = rounded({16.0L / 135, 0.0L, 6656.0L / 12825, 28561.0L / 56430, -9.0L / 50, 2.0L / 55}),
          .c = rounded({0.0L, 1.0L / 4, 3.0L / 8, 12.0L / 13, 1.0L, 1.0L / 2}),
          .b_embedded = rounded({25.0L / 216, 0.0L, 1408.0L / 2565, 2197.0L / 4104, -1.0L / 5, 0.0L}),
          .embedded_order = 4,
          .dense_order = 3};
}

// Dormand and Prince 5(4), 7 stages, the last one shared. J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980)
// 19, doi:10.1016/0771-050X(80)90013-3.
// Dense output: Hairer, Nørsett, Wanner, section II.6, (6.12), with d_i of the program DOPRI5.
Tableau dormand_prince() {
  const Row b = {35.0L / 384, 0.0L, 500.0L / 1113, 125.0L / 192, -2187.0L / 6784, 11.0L / 84, 0.0L};
  return {
      .name = "dormand-prince",
      .order = 5,
      .A = matrix({{},
                   {1.0L / 5},
                   {3.0L / 40, 9.0L / 40},
                   {44.0L / 45, -56.0L / 15, 32.0L / 9},
                   {19372.0L / 6561, -25360.0L / 2187, 64448.0L / 6561, -212.0L / 729},
                   {9017.0L / 3168, -355.0L / 33, 46732.0L / 5247, 49.0L / 176, -5103.0L / 18656},
                   b}),
      .b = rounded(b),
      .c = rounded({0.0L, 1.0L / 5, 3.0L / 10, 4.0L / 5, 8.0L / 9, 1.0L, 1.0L}),
      .b_embedded =
          rounded({5179.0L / 57600, 0.0L, 7571.0L / 16695, 393.0L / 640, -92097.0L / 339200, 187.0L / 2100, 1.0L / 40}),
      .embedded_order = 4,
      .dense = rounded({-12715105075.0L / 11282082432, 0.0L, 87487479700.0L / 32700410799, -10690763975.0L / 1880347072,
                        701980252875.0L / 199316789632, -1453857185.0L / 822651844, 69997945.0L / 29380423}),
      .dense_order = 4,
      .first_same_as_last = true};
}

// Gauss, 1 stage: the implicit midpoint rule. J. C. Butcher, Math. Comp. 18 (1964) 50, doi:10.2307/2003405.
Tableau gauss_1() {
  return {.name = "gauss-1", .order = 2, .A = {0.5}, .b = {1.0}, .c = {0.5}, .dense_order = 1, .is_explicit = false};
}

// Gauss, 2 stages.
Tableau gauss_2() {
  const long double r = std::sqrt(3.0L) / 6;
  return {.name = "gauss-2",
          .order = 4,
          .A = matrix({{1.0L / 4, 1.0L / 4 - r}, {1.0L / 4 + r, 1.0L / 4}}),
          .b = {0.5, 0.5},
          .c = rounded({0.5L - r, 0.5L + r}),
          .dense_order = 2,
          .is_explicit = false};
}

// Gauss, 3 stages.
Tableau gauss_3() {
  const long double r = std::sqrt(15.0L);
  return {.name = "gauss-3",
          .order = 6,
          .A = matrix({{5.0L / 36, 2.0L / 9 - r / 15, 5.0L / 36 - r / 30},
                       {5.0L / 36 + r / 24, 2.0L / 9, 5.0L / 36 - r / 24},
                       {5.0L / 36 + r / 30, 2.0L / 9 + r / 15, 5.0L / 36}}),
          .b = rounded({5.0L / 18, 4.0L / 9, 5.0L / 18}),
          .c = rounded({0.5L - r / 10, 0.5L, 0.5L + r / 10}),
          .dense_order = 3,
          .is_explicit = false};
}

// Radau IIA, 2 stages. Hairer, Wanner, section IV.5.
Tableau radau_iia_2() {
  return {.name = "radau-iia-2",
          .order = 3,
          .A = matrix({{5.0L / 12, -1.0L / 12}, {3.0L / 4, 1.0L / 4}}),
          .b = {0.75, 0.25},
          .c = rounded({1.0L / 3, 1.0L}),
          .dense_order = 2,
          .is_explicit = false};
}

// Radau IIA, 3 stages.
Tableau radau_iia_3() {
  const long double r = std::sqrt(6.0L);
  const Row b = {(16 - r) / 36, (16 + r) / 36, 1.0L / 9};
  return {.name = "radau-iia-3",
          .order = 5,
          .A = matrix({{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                       {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                       b}),
          .b = rounded(b),
          .c = rounded({(4 - r) / 10, (4 + r) / 10, 1.0L}),
          .dense_order = 3,
          .is_explicit = false};
}

const std::vector<Tableau>& entries() {
  static const std::vector<Tableau> list = [] {
    std::vector<Tableau> all = {heun(),    kutta_3(), rk4(),     rkf45(),       dormand_prince(),
                                gauss_1(), gauss_2(), gauss_3(), radau_iia_2(), radau_iia_3()};
    for (Tableau& tableau : all) tableau.stages = static_cast<int>(tableau.b.size());
    return all;
  }();
  return list;
}

}  // namespace

std::span<const Tableau> tableaus() { return entries(); }

const Tableau& find_tableau(std::string_view name) {
  for (const Tableau& tableau : entries())
    if (tableau.name == name) return tableau;
  std::vector<std::string> known;
  for (const Tableau& tableau : entries()) known.emplace_back(tableau.name);
  throw InputError("scheme.tableau", no_such("tableau", name, known));
}

}  // namespace ricochet
