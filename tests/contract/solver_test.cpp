// Every solver of contact problems under the scheme: two stops hit at once, redundant contacts, failure.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

class SolverContract : public ::testing::TestWithParam<const SolverEntry*> {
 protected:
  RunSettings settings(double h) const { return {.h = h, .solver = {.solver = std::string(GetParam()->name)}}; }
};

// Newton's cradle of three under (5.3) with e = 1: (1, 0, 0) becomes (−1/3, 2/3, 2/3).
TEST_P(SolverContract, NewtonsCradle) {
  const auto cradle = lagrangian({.coordinates = {"a", "b", "c"},
                                  .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2)/2",
                                  .constraints = {{.name = "ab", .gap = "b - a - 1", .restitution = 1.0},
                                                  {.name = "bc", .gap = "c - b - 1", .restitution = 1.0}}});
  const Solution solution =
      simulate(*cradle, {.q = {0.0, 1.0, 2.0}, .v = {1.0, 0.0, 0.0}}, {0.0, 1.0}, MoreauJean{}, settings(0.01));
  ASSERT_EQ(solution.status, Status::completed);
  EXPECT_NEAR(solution.final.v[0], -1.0 / 3.0, 1e-5);
  EXPECT_NEAR(solution.final.v[1], 2.0 / 3.0, 1e-5);
  EXPECT_NEAR(solution.final.v[2], 2.0 / 3.0, 1e-5);
}

// The same floor three times over: any impulses will do, but they carry the weight together.
TEST_P(SolverContract, RedundantContacts) {
  LagrangianDescription description = testing::ball_description(2.0, 0.0);
  description.constraints.push_back({.name = "again", .gap = "2*x", .restitution = 0.0});
  description.constraints.push_back({.name = "once more", .gap = "x/2", .restitution = 0.0});
  const auto ball = lagrangian(description);
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 3.0}, MoreauJean{}, settings(1e-3));
  ASSERT_EQ(solution.status, Status::completed);
  EXPECT_NEAR(solution.final.v[0], 0.0, 1e-4);
  double momentum = 0.0;
  for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i)
    momentum += solution.trajectory.impulse[3 * i] + 2.0 * solution.trajectory.impulse[3 * i + 1] +
                0.5 * solution.trajectory.impulse[3 * i + 2];
  EXPECT_NEAR(momentum, 2.0 * 3.0, 1e-3);
}

// A column that falls together, many contacts at once: solved to the same tolerance, the motion does not depend on the
// solver. (It does on the tolerance: which of several contacts closes first decides where the beads go.)
TEST_P(SolverContract, ManyContacts) {
  LagrangianDescription chain{.coordinates = {}};
  std::string kinetic;
  for (int i = 0; i < 8; ++i) {
    const std::string x = "x" + std::to_string(i), before = i == 0 ? "-1" : "x" + std::to_string(i - 1);
    chain.coordinates.push_back(x);
    kinetic += (i == 0 ? "" : " + ") + x + "_dot^2/2";
    chain.constraints.push_back(
        {.name = "c" + std::to_string(i), .gap = x + " - (" + before + ") - 1", .restitution = 0.5});
    chain.force.emplace_back(x, "-1");
  }
  chain.kinetic = kinetic;
  const auto model = lagrangian(chain);
  State start{.q = {0.1, 1.15, 2.2, 3.3, 4.37, 5.45, 6.5, 7.7}};
  const Solution reference = simulate(*model, start, {0.0, 2.0}, MoreauJean{}, {.h = 1e-3});
  RunSettings tight = settings(1e-3);
  tight.solver.tolerance = 1e-13;
  const Solution solution = simulate(*model, start, {0.0, 2.0}, MoreauJean{}, tight);
  ASSERT_EQ(solution.status, Status::completed);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(solution.final.q[i], reference.final.q[i], 1e-3);
}

std::vector<const SolverEntry*> entries() {
  std::vector<const SolverEntry*> all;
  for (const SolverEntry& entry : solvers()) all.push_back(&entry);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Solvers, SolverContract, ::testing::ValuesIn(entries()), [](const auto& instance) {
  std::string name(instance.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// A solver that may not iterate enough stops the run and says which step, how many contacts, what residual.
TEST(SolverFailure, IsNeverSilent) {
  const auto cradle = lagrangian({.coordinates = {"a", "b", "c"},
                                  .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2)/2",
                                  .constraints = {{.name = "ab", .gap = "b - a - 1", .restitution = 1.0},
                                                  {.name = "bc", .gap = "c - b - 1", .restitution = 1.0}}});
  const Solution solution =
      simulate(*cradle, {.q = {-0.5, 1.0, 2.0}, .v = {1.0, 0.0, 0.0}}, {0.0, 1.0}, MoreauJean{},
               {.h = 0.01, .solver = {.solver = "gauss-seidel", .tolerance = 1e-14, .max_iterations = 1}});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.failure.kind, FailureKind::complementarity_not_solved);
  EXPECT_NE(solution.failure.message.find("step 51"), std::string::npos) << solution.failure.message;
  EXPECT_NE(solution.failure.message.find("2 contacts"), std::string::npos) << solution.failure.message;
  EXPECT_NE(solution.failure.message.find("residual"), std::string::npos) << solution.failure.message;
}

}  // namespace
}  // namespace ricochet
