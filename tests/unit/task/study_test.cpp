// Studies of a problem that no scenario describes: its window and its reference.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/present/study.hpp"
#include "support/complaint.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

Problem oscillator(double from, double until) {
  Problem problem{lagrangian(testing::oscillator_description(0.8)),
                  {.t = from, .q = {1.0}, .v = {0.0}},
                  {from, until},
                  {"moreau-jean"},
                  {}};
  problem.settings.h = 1e-2;
  return problem;
}

ConvergeRequest small_request() {
  ConvergeRequest request;
  request.steps = {0.02, 0.01};
  request.phases = 2;
  return request;
}

std::string complaint(const Problem& problem, const ConvergeRequest& request) {
  return testing::complaint([&] { converge_problem(problem, request); });
}

TEST(StudyWindow, MayEndBeforeTimeZero) {
  const Problem problem = oscillator(-2.0, -1.0);
  ConvergeRequest request = small_request();
  for (const double until : {-1.0, -1.0 + 1e-14}) {
    request.window = TimeSpan{-2.0, until};
    const ConvergeOutcome outcome = converge_problem(problem, request);
    EXPECT_EQ(outcome.window, *request.window);
    EXPECT_EQ(outcome.reference.agreed_until, until);
    EXPECT_TRUE(std::isfinite(outcome.study.schemes.at(0).errors.at(1)[Norm::q_sup]));
  }
  request.window = TimeSpan{-2.0, -0.9};
  EXPECT_EQ(complaint(problem, request), "window: must lie in the run, from -2 to -1, got -2:-0.9");
  request.window = TimeSpan{-1.5, -1.5};
  EXPECT_EQ(complaint(problem, request), "window: must lie in the run, from -2 to -1, got -1.5:-1.5");
}

TEST(StudyWindow, SlackIsThatOfTheSpan) {
  EXPECT_TRUE(lies_in({-2.0, -1.0}, {-2.0, -1.0}));
  EXPECT_TRUE(lies_in({-2.0 - 1e-13, -1.0 + 1e-13}, {-2.0, -1.0}));
  EXPECT_FALSE(lies_in({-2.0, -1.0 + 1e-9}, {-2.0, -1.0}));
  EXPECT_FALSE(lies_in({-2.0 - 1e-9, -1.0}, {-2.0, -1.0}));
  EXPECT_TRUE(lies_in({1e9, 1e9 + 1.0 + 1e-6}, {1e9, 1e9 + 1.0}));
}

// A solution at hand is not checked by a second one: it is trusted to the end, also where that is t = 0.
TEST(StudyReference, SolutionAtHandEndsAtTimeZero) {
  const Problem problem = oscillator(-1.0, 0.0);
  const testing::ExactOscillator exact(0.8);
  StoredResult solution;
  solution.coordinates = {"x"};
  solution.q.resize(1);
  solution.v.resize(1);
  for (int i = 0; i <= 1000; ++i) {
    solution.t.push_back(-1.0 + 1e-3 * i);
    solution.q[0].push_back(exact(1e-3 * i).q);
    solution.v[0].push_back(exact(1e-3 * i).v);
  }
  CompareRequest request;
  request.schemes = {{"event-driven", {"event-driven"}}};
  request.steps = {0.02};
  request.tolerances = {1e-8};
  request.solution = &solution;
  const CompareOutcome outcome = compare_problem(problem, request);
  EXPECT_EQ(outcome.reference.kind, "the solution");
  EXPECT_EQ(outcome.reference.agreed_until, 0.0);
  EXPECT_FALSE(outcome.statistics);
  EXPECT_LT(relative_error(outcome.study, outcome.study.schemes.at(0).points.at(0)), 1e-6);
  EXPECT_EQ(notes(outcome).at(0),
            "how accurate the solution is cannot be told from it: orders are those of the differences to it");

  solution.coordinates = {"y"};
  ConvergeRequest other = small_request();
  other.solution = &solution;
  EXPECT_EQ(complaint(problem, other), "reference: the solution has other coordinates than the model");
}

TEST(StudyReference, OfAModel) {
  const Problem problem = oscillator(0.0, 1.0);
  ConvergeRequest request = small_request();
  request.reference = "exact";
  EXPECT_NE(complaint(problem, request).find("reference: a model has no known answer"), std::string::npos);
  request.reference = "guess";
  EXPECT_NE(complaint(problem, request).find("\"guess\" is neither exact"), std::string::npos);
  request.reference = "fine.h5";
  std::string asked;
  request.read_result = [&](const std::filesystem::path& path) -> StoredResult {
    asked = path.string();
    throw InputError("reference", "not now");
  };
  EXPECT_EQ(complaint(problem, request), "reference: not now");
  EXPECT_EQ(asked, "fine.h5");
}

TEST(StudyPhases, OneRange) {
  const Problem problem = oscillator(0.0, 1.0);
  ConvergeRequest request = small_request();
  request.phases = 17;
  EXPECT_EQ(complaint(problem, request), "phases: must be 1 to 16, got 17");
  request.local = true;
  request.phases = 1001;
  EXPECT_EQ(complaint(problem, request), "phases: must be 1 to 1000, got 1001");
  CompareRequest other;
  other.phases = 17;
  EXPECT_THROW(compare_problem(problem, other), InputError);
}

}  // namespace
}  // namespace ricochet
