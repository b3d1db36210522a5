// Butcher tables against the order conditions: one for every rooted tree.
#include "ricochet/runge_kutta/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/dense_lu.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

// A rooted tree by its subtrees, which are indices into the list of all trees.
struct Tree {
  int order = 1;
  double density = 1.0;  // γ
  std::vector<int> children;
};

// Adds all trees of one order to the list: roots with children of total order `left`, none later in the list than
// `last`.
void grow(std::vector<Tree>& trees, Tree& root, int left, int last) {
  if (left == 0) {
    Tree tree = root;
    tree.density = tree.order;
    for (const int child : tree.children) tree.density *= trees[child].density;
    trees.push_back(tree);
    return;
  }
  for (int child = last; child >= 0; --child) {
    if (trees[child].order > left) continue;
    root.children.push_back(child);
    grow(trees, root, left - trees[child].order, child);
    root.children.pop_back();
  }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees;
  for (int p = 1; p <= order; ++p) {
    Tree root;
    root.order = p;
    grow(trees, root, p - 1, static_cast<int>(trees.size()) - 1);
  }
  return trees;
}

const std::vector<Tree>& trees() {
  static const std::vector<Tree> list = trees_up_to(9);
  return list;
}

// Φ_i of every tree: product over its children of Σ_j a_ij Φ_j(child). A by rows, s × s.
std::vector<std::vector<double>> elementary_weights(int s, const std::vector<double>& A) {
  std::vector<std::vector<double>> weights;
  for (const Tree& tree : trees()) {
    std::vector<double> phi(s, 1.0);
    for (const int child : tree.children)
      for (int i = 0; i < s; ++i) {
        double sum = 0.0;
        for (int j = 0; j < s; ++j) sum += A[i * s + j] * weights[child][j];
        phi[i] *= sum;
      }
    weights.push_back(phi);
  }
  return weights;
}

// The largest |Σ b_i Φ_i − θ^ρ/γ| over the trees of one order ρ.
double defect(const std::vector<double>& b, const std::vector<std::vector<double>>& weights, int order,
              double theta = 1.0) {
  double largest = 0.0;
  for (std::size_t t = 0; t < trees().size(); ++t) {
    if (trees()[t].order != order) continue;
    double sum = -std::pow(theta, order) / trees()[t].density;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * weights[t][i];
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

// What round-off leaves of a condition, by the largest entry that takes part in it.
double exact(const Tableau& tableau) {
  double largest = 1.0;
  for (const std::vector<double>* entries : {&tableau.A, &tableau.b, &tableau.A_dense, &tableau.dense})
    for (const double entry : *entries) largest = std::max(largest, std::abs(entry));
  return 4e-15 * largest;
}
constexpr double violated = 2e-5;  // the least a violated order shows

// All conditions up to `order` hold, and one of the next order does not.
void expect_order(const std::vector<double>& b, const Tableau& tableau, int order) {
  const auto weights = elementary_weights(tableau.stages, tableau.A);
  for (int p = 1; p <= order; ++p) EXPECT_LT(defect(b, weights, p), exact(tableau)) << tableau.name << ", order " << p;
  EXPECT_GT(defect(b, weights, order + 1), violated) << tableau.name;
}

TEST(Tableau, ThereAreAsManyTreesAsKnown) {
  std::vector<int> count(10, 0);
  for (const Tree& tree : trees()) ++count[tree.order];
  EXPECT_EQ(count, (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48, 115, 286}));
}

TEST(Tableau, RowsAddUpToTheNodes) {
  for (const Tableau& tableau : tableaus())
    for (int i = 0; i < tableau.stages; ++i) {
      double sum = -tableau.c[i];
      for (int j = 0; j < tableau.stages; ++j) sum += tableau.a(i, j);
      EXPECT_NEAR(sum, 0.0, 2e-15) << tableau.name << ", row " << i;
    }
}

TEST(Tableau, OrderConditionsHoldUpToTheOrderAndNoFurther) {
  EXPECT_EQ(tableaus().size(), 11U);
  for (const Tableau& tableau : tableaus()) expect_order(tableau.b, tableau, tableau.order);
}

TEST(Tableau, EmbeddedResultsHaveTheirOrder) {
  int found = 0;
  for (const Tableau& tableau : tableaus()) {
    EXPECT_EQ(tableau.b_embedded.empty(), tableau.embedded_order == 0) << tableau.name;
    if (tableau.b_embedded.empty()) continue;
    ++found;
    EXPECT_EQ(tableau.embedded_order, tableau.name == "dop853" ? 5 : 4);
    expect_order(tableau.b_embedded, tableau, tableau.embedded_order);
    EXPECT_EQ(tableau.b_low.empty(), tableau.name != "dop853");
    if (!tableau.b_low.empty()) expect_order(tableau.b_low, tableau, tableau.low_order);
  }
  EXPECT_EQ(found, 3);
}

TEST(Tableau, ExplicitTablesAreStrictlyLower) {
  for (const Tableau& tableau : tableaus()) {
    bool lower = true;
    for (int i = 0; i < tableau.stages; ++i)
      for (int j = i; j < tableau.stages; ++j) lower = lower && tableau.a(i, j) == 0.0;
    EXPECT_EQ(lower, tableau.is_explicit) << tableau.name;
  }
}

bool last_row_is_b(const Tableau& tableau) {
  return std::equal(tableau.b.begin(), tableau.b.end(), tableau.A.end() - tableau.stages) && tableau.c.back() == 1.0;
}

// The last stage is the result: shared with the next step if explicit, damping if implicit.
TEST(Tableau, LastRows) {
  for (const Tableau& tableau : tableaus()) {
    const bool radau = tableau.name.starts_with("radau-iia");
    EXPECT_EQ(last_row_is_b(tableau), tableau.first_same_as_last || radau) << tableau.name;
    EXPECT_EQ(tableau.first_same_as_last, tableau.name == "dormand-prince" || tableau.name == "dop853");
  }
}

// b(θ) of the dense output. Explicit: Hermite's cubic + θ²(1−θ)² d over the stages and f(t₁, y₁) as one more.
std::vector<double> explicit_dense_weights(const Tableau& tableau, double theta) {
  std::vector<double> b;
  const int m = tableau.all_stages();
  for (int i = 0; i < m; ++i) {
    const auto row = [&](int r) { return tableau.dense[static_cast<std::size_t>(r * m + i)]; };
    double d = tableau.dense.empty() ? 0.0 : row(0);
    if (tableau.dense.size() == static_cast<std::size_t>(4 * m))
      d += theta * (row(1) + (1.0 - theta) * (row(2) + theta * row(3)));
    b.push_back(theta * theta * (3.0 - 2.0 * theta) * (i < tableau.stages ? tableau.b[i] : 0.0) +
                std::pow(theta * (1.0 - theta), 2.0) * d);
  }
  b.push_back(-theta * theta * (1.0 - theta));
  b.front() += theta * std::pow(1.0 - theta, 2.0);
  return b;
}

// The table with the stages of its dense output and f(t₁, y₁) as the last one.
std::vector<double> extended(const Tableau& tableau) {
  const int s = tableau.stages, m = tableau.all_stages();
  std::vector<double> A;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j)
      A.push_back(i >= s ? tableau.A_dense[static_cast<std::size_t>((i - s) * m + j)] : j < s ? tableau.a(i, j) : 0.0);
    A.push_back(0.0);
  }
  A.insert(A.end(), tableau.b.begin(), tableau.b.end());
  A.resize(static_cast<std::size_t>((m + 1) * (m + 1)), 0.0);
  return A;
}

// Implicit: the integrals of the Lagrange polynomials, Σ_i b_i(θ) c_i^m = θ^(m+1)/(m+1).
std::vector<double> collocation_weights(const Tableau& tableau, double theta) {
  const int s = tableau.stages;
  DenseLu<double> lu;
  lu.resize(s);
  std::vector<double> b;
  for (int m = 0; m < s; ++m) {
    for (int i = 0; i < s; ++i) lu(m, i) = std::pow(tableau.c[i], m);
    b.push_back(std::pow(theta, m + 1) / (m + 1));
  }
  EXPECT_TRUE(lu.factorise());
  lu.solve(b.data());
  return b;
}

TEST(Tableau, DenseOutputHasItsOrder) {
  for (const Tableau& tableau : tableaus()) {
    const bool lower = tableau.is_explicit;
    const auto weights = lower ? elementary_weights(tableau.all_stages() + 1, extended(tableau))
                               : elementary_weights(tableau.stages, tableau.A);
    double beyond = 0.0;
    for (const double theta : {0.1, 0.3, 0.5, 0.8, 0.95}) {
      const std::vector<double> b =
          lower ? explicit_dense_weights(tableau, theta) : collocation_weights(tableau, theta);
      for (int p = 1; p <= tableau.dense_order; ++p)
        EXPECT_LT(defect(b, weights, p, theta), exact(tableau)) << tableau.name << ", order " << p << ", θ = " << theta;
      beyond = std::max(beyond, defect(b, weights, tableau.dense_order + 1, theta));
    }
    EXPECT_GT(beyond, violated) << tableau.name;
  }
}

// The implicit ones are collocation methods: Σ_j a_ij c_j^(m−1) = c_i^m / m, m = 1 … s.
TEST(Tableau, ImplicitTablesAreCollocation) {
  for (const Tableau& tableau : tableaus()) {
    if (tableau.is_explicit) continue;
    for (int i = 0; i < tableau.stages; ++i)
      for (int m = 1; m <= tableau.stages; ++m) {
        double sum = -std::pow(tableau.c[i], m) / m;
        for (int j = 0; j < tableau.stages; ++j) sum += tableau.a(i, j) * std::pow(tableau.c[j], m - 1);
        EXPECT_NEAR(sum, 0.0, 1e-15) << tableau.name;
      }
  }
}

TEST(Tableau, UnknownNamesGetTheNearest) {
  EXPECT_EQ(find_tableau("gauss-3").order, 6);
  try {
    find_tableau("dorman-prince");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "scheme.tableau");
    EXPECT_EQ(error.message(), "there is no tableau \"dorman-prince\"; did you mean dormand-prince?");
  }
}

}  // namespace
}  // namespace ricochet
