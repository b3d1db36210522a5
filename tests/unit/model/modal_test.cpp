#include "ricochet/model/modal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "ricochet/core/error.hpp"
#include "ricochet/model/finite_elements.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

Eigen::MatrixXd dense(const SparseMatrix& A) {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(A.rows(), A.cols());
  for (int j = 0; j < A.cols(); ++j)
    for (int k = A.pattern.start[j]; k < A.pattern.start[j + 1]; ++k) D(A.pattern.row[k], j) = A.values[k];
  return D;
}

Eigen::Map<const Eigen::MatrixXd> shapes(const ModalBasis& basis) { return {basis.shapes.data(), basis.n, basis.m}; }

SparseMatrix diagonal(const std::vector<double>& values) {
  std::vector<Triplet> entries;
  for (int i = 0; i < static_cast<int>(values.size()); ++i) entries.push_back({i, i, values[i]});
  const int n = static_cast<int>(values.size());
  return sparse_from_triplets(n, n, std::move(entries));
}

// Masses and springs between random pairs: no band, no order.
struct System {
  SparseMatrix K, M;
};

System random_network(int n, bool grounded) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> number(0.5, 2.0);
  std::vector<Triplet> K, M;
  const auto spring = [&](int i, int j, double k) {
    K.insert(K.end(), {{i, i, k}, {j, j, k}, {i, j, -k}, {j, i, -k}});
  };
  for (int i = 0; i < n; ++i) M.push_back({i, i, number(generator)});
  for (int i = 0; i + 1 < n; ++i) spring(i, i + 1, number(generator));
  for (int i = 0; i < n; ++i) {
    const int j = static_cast<int>(generator() % static_cast<unsigned>(n));
    if (i != j) spring(i, j, 0.1 * number(generator));
  }
  if (grounded) K.push_back({0, 0, 1.0});
  return {sparse_from_triplets(n, n, std::move(K)), sparse_from_triplets(n, n, std::move(M))};
}

void expect_modes(const ModalBasis& basis, const SparseMatrix& K, const SparseMatrix& M, double tolerance) {
  const Eigen::MatrixXd phi = shapes(basis), stiffness = dense(K), mass = dense(M);
  EXPECT_LE((phi.transpose() * mass * phi - Eigen::MatrixXd::Identity(basis.m, basis.m)).norm(), 1e-10);
  for (int mode = 0; mode < basis.m; ++mode) {
    const double lambda = basis.omega[mode] * basis.omega[mode];
    const Eigen::VectorXd shape = phi.col(mode);
    EXPECT_LE((stiffness * shape - lambda * (mass * shape)).norm(), tolerance * stiffness.norm() * shape.norm())
        << mode;
    EXPECT_GE(shape.maxCoeff(), (1.0 - 2e-6) * shape.cwiseAbs().maxCoeff());
    if (mode > 0) EXPECT_GE(basis.omega[mode], basis.omega[mode - 1]);
  }
}

// Beam and bar with and without rigid motions, and a network without order.
TEST(Modal, SparseAndDenseAgree) {
  std::vector<System> systems = {random_network(150, true), random_network(150, false)};
  for (const Support left : {Support::fixed, Support::free}) {
    Field b = beam({.length = 1.3, .elements = 60, .left = left});
    systems.push_back({b.stiffness, b.mass});
    b = bar({.length = 1.3, .elements = 300, .left = left});
    systems.push_back({b.stiffness, b.mass});
  }
  for (const System& system : systems) {
    const ModalBasis sparse = lowest_modes_sparse(system.K, system.M, 7);
    const ModalBasis reference = lowest_modes_dense(system.K, system.M, 7);
    expect_modes(sparse, system.K, system.M, 1e-9);
    expect_modes(reference, system.K, system.M, 1e-9);
    for (int mode = 0; mode < 7; ++mode)
      EXPECT_NEAR(sparse.omega[mode], reference.omega[mode], 1e-8 * reference.omega[mode]) << mode;
    // The same space; of multiple frequencies the vectors themselves may differ.
    const Eigen::MatrixXd a = shapes(sparse), b = shapes(reference);
    EXPECT_LE((a * (a.transpose() * dense(system.M) * b) - b).norm(), 1e-7 * b.norm());
  }
}

TEST(Modal, RigidMotionsHaveFrequencyZero) {
  const Field field = beam({.length = 2.0, .elements = 30});
  for (const auto& modes : {lowest_modes_dense, lowest_modes_sparse}) {
    const ModalBasis basis = modes(field.stiffness, field.mass, 4, {});
    EXPECT_EQ(basis.omega[0], 0.0);
    EXPECT_EQ(basis.omega[1], 0.0);
    EXPECT_NEAR(basis.omega[2], std::pow(4.730040744862704 / 2.0, 2), 1e-5);
    // Shapes of the first two: w linear in x, r its slope.
    for (int mode = 0; mode < 2; ++mode) {
      const double slope = basis.shape(1, mode);
      for (int node = 0; node <= 30; ++node) {
        EXPECT_NEAR(basis.shape(2 * node, mode), basis.shape(0, mode) + slope * 2.0 * node / 30, 1e-7);
        EXPECT_NEAR(basis.shape(2 * node + 1, mode), slope, 1e-7);
      }
    }
  }
  EXPECT_EQ(lowest_modes(diagonal({0.0, 0.0}), diagonal({1.0, 2.0}), 2).omega, (std::vector<double>{0.0, 0.0}));
}

// Equal oscillators: a frequency as often as it occurs.
TEST(Modal, FindsMultipleFrequencies) {
  std::vector<double> k(500, 9.0), m(500, 1.0);
  for (int i = 0; i < 5; ++i) k[100 * i] = 4.0;
  const ModalBasis basis = lowest_modes(diagonal(k), diagonal(m), 7);
  for (int mode = 0; mode < 7; ++mode) EXPECT_NEAR(basis.omega[mode], mode < 5 ? 2.0 : 3.0, 1e-12) << mode;
}

TEST(Modal, AllModesOfASmallSystem) {
  const System system = random_network(12, true);
  const ModalBasis basis = lowest_modes(system.K, system.M, 12);
  expect_modes(basis, system.K, system.M, 1e-12);
  EXPECT_EQ(basis.m, 12);
  // One unknown.
  const ModalBasis one = lowest_modes(diagonal({8.0}), diagonal({2.0}), 1);
  EXPECT_DOUBLE_EQ(one.omega[0], 2.0);
  EXPECT_DOUBLE_EQ(one.shapes[0], std::sqrt(0.5));
}

// A bar of 1e5 elements, fixed at one end: ω_k = (k + ½)π/L, discretisation error (ωl)²/24 below 1e-9.
TEST(Modal, BarOfAHundredThousandElements) {
  const Field field = bar({.length = 1.0, .elements = 100000, .left = Support::fixed});
  const ModalBasis basis = lowest_modes(field.stiffness, field.mass, 10);
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(basis.omega[k] / ((k + 0.5) * pi), 1.0, 1e-8) << k;
  for (const int i : {0, 49999, 99999})
    EXPECT_NEAR(std::abs(basis.shape(i, 0)), std::sqrt(2.0) * std::sin(0.5 * pi * field.abscissa[i]), 1e-8);
}

// Φᵀ C Φ = diag(2ζω).
TEST(Modal, DampingRatiosAreThoseAskedFor) {
  const System system = random_network(20, false);
  const ModalBasis basis = lowest_modes(system.K, system.M, 20);
  std::vector<double> ratios;
  for (int mode = 0; mode < 20; ++mode) ratios.push_back(0.01 * mode);
  const SparseMatrix C = modal_damping(system.M, basis, ratios);
  EXPECT_TRUE(is_symmetric(C, 0.0));
  const Eigen::MatrixXd reduced = shapes(basis).transpose() * dense(C) * shapes(basis);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j)
      EXPECT_NEAR(reduced(i, j), i == j ? 2.0 * ratios[i] * basis.omega[i] : 0.0, 1e-12) << i << " " << j;
  EXPECT_EQ(modal_damping(system.M, basis, {0.02}), modal_damping(system.M, basis, std::vector<double>(20, 0.02)));
}

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Modal, RefusesWhatHasNoModes) {
  const SparseMatrix one = diagonal({1.0, 1.0});
  for (const auto& modes : {lowest_modes_dense, lowest_modes_sparse}) {
    EXPECT_THAT(refusal([&] { modes(one, one, 0, {}); }), HasSubstr("modes: must be between 1"));
    EXPECT_THAT(refusal([&] { modes(one, one, 3, {}); }), HasSubstr("got 3"));
    EXPECT_THAT(refusal([&] {
                  modes(one, diagonal({1.0, 0.0}), 1, {});
                }),
                HasSubstr("mass: must be positive definite"));
    EXPECT_THAT(refusal([&] { modes(diagonal({1.0, -1.0}), one, 1, {}); }), HasSubstr("stiffness: must be positive"));
    EXPECT_THAT(refusal([&] { modes(sparse_from_triplets(2, 2, {{0, 1, 1.0}}), one, 1, {}); }), HasSubstr("symmetric"));
    EXPECT_THAT(refusal([&] { modes(diagonal({1.0}), one, 1, {}); }), HasSubstr("1 by 1 and 2 by 2"));
  }
  const ModalBasis basis = lowest_modes(one, one, 2);
  EXPECT_THAT(refusal([&] { modal_damping(one, basis, {0.1, 0.1, 0.1}); }), HasSubstr("got 3"));
  EXPECT_THAT(refusal([&] { modal_damping(one, basis, {-0.1}); }), HasSubstr("negative"));
}

// Two equal masses on a spring that is 1e15 times as stiff as the one to the ground.
TEST(Modal, SaysWhenRoundOffHidesAMode) {
  const SparseMatrix K = sparse_from_triplets(2, 2, {{0, 0, 1.0 + 1e-15}, {0, 1, -1.0}, {1, 0, -1.0}, {1, 1, 1.0}});
  EXPECT_THAT(refusal([&] { lowest_modes_sparse(K, diagonal({1.0, 1.0}), 1); }), HasSubstr("ill-conditioned"));
}

}  // namespace
}  // namespace ricochet
