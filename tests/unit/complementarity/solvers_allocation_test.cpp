// Solvers and steps allocate nothing once their memory is warm.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/ricochet.hpp"
#include "support/allocations.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

struct Problem {
  explicit Problem(int size) : n(size), W(static_cast<std::size_t>(n * n), 0.0), b(static_cast<std::size_t>(n)) {
    std::mt19937 generator(2);
    std::normal_distribution<double> normal;
    for (int i = 0; i < n; ++i) {
      W[static_cast<std::size_t>(i * n + i)] = 4.0;
      if (i > 0) W[static_cast<std::size_t>(i * n + i - 1)] = W[static_cast<std::size_t>((i - 1) * n + i)] = -1.5;
      b[static_cast<std::size_t>(i)] = normal(generator);
    }
    pattern = Pattern::dense(n, n);
    gradient = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) gradient.row.push_back(j), gradient.start.push_back(j + 1);
    H.assign(static_cast<std::size_t>(n), 1.0);
  }
  int n;
  std::vector<double> W, b, H;
  Pattern pattern, gradient;
};

// Without free rows, and with every third free: few, then so many that W is not formed without them.
TEST(SolverAllocation, WarmSolvesAllocateNothing) {
  for (const auto& [n, has_free_rows] : {std::pair{40, false}, {40, true}, {120, true}}) {
    const Problem problem(n);
    std::vector<Cone> cones(static_cast<std::size_t>(n), Cone::nonnegative);
    for (std::size_t i = 0; i < cones.size() && has_free_rows; i += 3) cones[i] = Cone::free;
    for (const SolverEntry& entry : solvers())
      for (const MatrixForm& form :
           {MatrixForm(DenseForm{problem.W.data()}), MatrixForm(SparseForm{&problem.pattern, problem.W.data()}),
            MatrixForm(SchurForm{&problem.pattern, problem.W.data(), &problem.gradient, problem.H.data()})}) {
        ComplementarityWorkspace workspace;
        std::vector<double> P(static_cast<std::size_t>(n), 0.0);
        const ComplementaritySettings settings{.solver = std::string(entry.name)};
        const ComplementarityProblem given{n, form, problem.b.data(), cones.data()};
        ASSERT_EQ(solve(given, settings, workspace, P.data()).status, ComplementarityStatus::solved) << entry.name;
        const long before = testing::allocations();
        solve(given, settings, workspace, P.data());
        EXPECT_EQ(testing::allocations(), before) << entry.name << ", form " << form.index() << ", n = " << n;
      }
  }
}

// The same with contacts with friction in the plane, dry friction and joints.
TEST(SolverAllocation, WarmSolvesOfBlocksAllocateNothing) {
  constexpr int n = 42;
  const Problem problem(n);
  std::vector<Cone> cones(static_cast<std::size_t>(n), Cone::nonnegative);
  std::vector<double> bounds(static_cast<std::size_t>(n), 0.3);
  for (const bool has_free_rows : {false, true}) {
    for (std::size_t i = 0; i + 3 < cones.size(); i += 4) {
      cones[i] = Cone::coulomb, cones[i + 1] = Cone::tangent;
      cones[i + 2] = Cone::disc;
      cones[i + 3] = has_free_rows ? Cone::free : Cone::nonnegative;
    }
    for (const SolverEntry& entry : solvers())
      for (const MatrixForm& form :
           {MatrixForm(DenseForm{problem.W.data()}), MatrixForm(SparseForm{&problem.pattern, problem.W.data()}),
            MatrixForm(SchurForm{&problem.pattern, problem.W.data(), &problem.gradient, problem.H.data()})}) {
        if (entry.solve_blocks == nullptr) continue;
        ComplementarityWorkspace workspace;
        std::vector<double> P(static_cast<std::size_t>(n), 0.0);
        const ComplementaritySettings settings{.solver = std::string(entry.name)};
        const ComplementarityProblem given{n, form, problem.b.data(), cones.data(), bounds.data()};
        ASSERT_EQ(solve(given, settings, workspace, P.data()).status, ComplementarityStatus::solved) << entry.name;
        const long before = testing::allocations();
        solve(given, settings, workspace, P.data());
        EXPECT_EQ(testing::allocations(), before) << entry.name << ", form " << form.index();
      }
  }
}

// Steps of a nonlinear and of a linear system with contacts: as many allocations for many steps as for few.
TEST(StepAllocation, StepsAllocateNothing) {
  LagrangianDescription curved = testing::random_linear_description();
  curved.potential += " + 0.1*a^4";
  curved.constraints[0].gap += " + 0.1*b^2";
  for (const LagrangianDescription& description : {testing::random_linear_description(), curved}) {
    const auto model = lagrangian(description);
    const auto stepper = make_stepper(*model, MoreauJean{});
    State state = testing::random_linear_start();
    StepReport report;
    report.contacts.reserve(16);
    stepper->begin(state);
    const auto run = [&](int steps) {
      int contacts = 0;
      for (int k = 0; k < steps; ++k) {
        EXPECT_EQ(stepper->advance(state, 5e-3, state.t + 5e-3, report), FailureKind::none);
        contacts += static_cast<int>(report.contacts.size());
        report.contacts.clear();
      }
      return contacts;
    };
    EXPECT_GT(run(4000), 5);
    const long before = testing::allocations();
    EXPECT_GT(run(4000), 5);
    EXPECT_EQ(testing::allocations(), before);
  }
}

}  // namespace
}  // namespace ricochet
