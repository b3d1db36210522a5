// Sparse stages are those of the dense matrix, and their matrix is exact for linear systems, whatever is held or
// slides.
#include "scheme/kernel/sparse_stages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/model/linear.hpp"
#include "ricochet/ricochet.hpp"
#include "runge_kutta/implicit.hpp"
#include "support/random_cases.hpp"

namespace ricochet {
namespace {

class RandomChain {
 public:
  explicit RandomChain(unsigned seed) : random_(seed) {}

  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  bool chance() { return between(0.0, 1.0) < 0.5; }

  // Springs, dashpots and inertia between neighbours; damping without symmetry.
  std::unique_ptr<Model> model() {
    LinearSystemData data;
    n_ = 20 + static_cast<int>(between(0.0, 20.0));
    std::vector<Triplet> M, K, C;
    for (int i = 0; i < n_; ++i) {
      data.coordinates.push_back("x" + std::to_string(i));
      M.push_back({i, i, between(1.0, 2.0)}), K.push_back({i, i, between(1.0, 9.0)}), C.push_back({i, i, 0.5});
      if (i == 0) continue;
      const double m = between(-0.4, 0.4), k = between(0.0, 50.0);
      M.insert(M.end(), {{i, i - 1, m}, {i - 1, i, m}});
      K.insert(K.end(), {{i, i, k}, {i - 1, i - 1, k}, {i, i - 1, -k}, {i - 1, i, -k}});
      C.insert(C.end(), {{i, i - 1, between(-0.3, 0.3)}, {i - 1, i, between(-0.3, 0.3)}});
    }
    data.mass = sparse_from_triplets(n_, n_, M);
    data.stiffness = sparse_from_triplets(n_, n_, K);
    data.damping = sparse_from_triplets(n_, n_, C);
    data.loads = {{row(), [](double t) { return std::cos(3.0 * t); }}};
    data.gaps = {{.name = "a", .normal = row()}, {.name = "b", .normal = row()}, {.name = "c", .normal = row()}};
    if (chance()) data.joints = {{.name = "pin", .normal = row()}};
    data.frictions = {{.constraint = 0, .slips = {{row()}}, .bound = 0.3},
                      {.name = "belt", .slips = {{row()}, {row()}}, .bound = 2.0}};
    return linear(std::move(data));
  }

  void hold(HeldContactsOde& flow) {
    for (int j = 0; j < 3; ++j) flow.set_closed(j, chance());
    for (int k = 0; k < 2; ++k) {
      FrictionModes::Entry& friction = flow.modes()[k];
      const double angle = between(0.0, 6.0);
      friction.mode = chance() ? FrictionMode::stick : FrictionMode::slide;
      friction.s =
          k == 0 ? FrictionModes::Direction{1.0, 0.0} : FrictionModes::Direction{std::cos(angle), std::sin(angle)};
      friction.floor = 1e300;  // the direction stays
    }
  }

 private:
  SparseVector row() {
    const int first = static_cast<int>(between(0.0, n_ - 1.0));
    return {{first, between(0.5, 1.0)}, {first + 1, between(-1.0, 1.0)}};
  }

  std::mt19937 random_;
  int n_ = 0;
};

struct Motion {
  HeldContactsOde& flow;
  std::vector<double> dy = zeros(flow.size(true)), size = zeros(flow.motion_size());
  const double* magnitude() const { return size.data(); }
  bool operator()(double t, const double* y, double* dy_dt, double* outputs) {
    flow.carry_impulses(true);
    if (!flow(t, y, dy.data(), outputs)) return false;
    std::copy_n(dy.begin(), flow.motion_size(), dy_dt);
    const auto nq = flow.motion_size() / 2;
    std::copy_n(flow.acceleration_magnitude(), nq, size.begin() + nq);
    return true;
  }
};

TEST(SparseStages, AreThoseOfTheDenseMatrix) {
  int compared = 0;
  for (int seed = 0; seed < std::min(400, testing::random_cases()); ++seed) {
    RandomChain chain(static_cast<unsigned>(seed));
    const std::unique_ptr<Model> model = chain.model();
    const Tableau& tableau =
        find_tableau(std::array{"gauss-1", "gauss-2", "gauss-3", "radau-iia-2", "radau-iia-3"}[seed % 5]);
    SCOPED_TRACE(std::to_string(seed) + " " + std::string(tableau.name));
    HeldContactsOde flow(*model);
    chain.hold(flow);
    Motion motion{flow};
    SparseStages stages(*model, tableau, flow);
    const int n = flow.motion_size();
    ImplicitRungeKutta dense(tableau, n, flow.outputs(), model->nq());
    ImplicitRungeKutta sparse(tableau, n, flow.outputs(), model->nq(), &stages);
    std::vector<double> y(n), dense_end(n), sparse_end(n);
    for (double& x : y) x = chain.between(-1.0, 1.0);
    const double h = std::pow(10.0, chain.between(-3.0, 0.5));
    const OdeStatus status = dense.step(motion, 0.3, h, y.data(), dense_end.data());
    ASSERT_EQ(sparse.step(motion, 0.3, h, y.data(), sparse_end.data()), status);
    if (status != OdeStatus::done) continue;
    ++compared;
    double size = 0.0;
    for (const double x : dense_end) size = std::max(size, std::abs(x));
    for (int i = 0; i < n; ++i) EXPECT_NEAR(sparse_end[i], dense_end[i], 1e-9 * size) << i;
    // One iteration is enough, the others see round-off; with another matrix it takes tens, or none ends.
    EXPECT_LE(sparse.iterations(), 8);
    // Other lengths from here keep K, and the next step the factors.
    EXPECT_EQ(sparse.step(motion, 0.3, 0.5 * h, y.data(), sparse_end.data(), Start::same), OdeStatus::done);
    EXPECT_EQ(sparse.step(motion, 0.3 + 0.5 * h, 0.5 * h, sparse_end.data(), sparse_end.data(), Start::continued),
              OdeStatus::done);
    EXPECT_EQ(sparse.jacobians(), 1);
    EXPECT_EQ(sparse.factorisations(), 2);
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace ricochet
