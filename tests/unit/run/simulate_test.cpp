// The time loop: its grid, its records, its account, its ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;

TEST(StepCount, IsTheSmallestThatFits) {
  EXPECT_EQ(step_count({0.0, 3.0}, 1e-3), 3000u);
  EXPECT_EQ(step_count({0.0, 0.3}, 0.1), 3u);
  EXPECT_EQ(step_count({0.0, 1.0}, 0.3), 4u);
  EXPECT_EQ(step_count({0.0, 1.0}, 5.0), 1u);
  EXPECT_EQ(step_count({-1.0, 1.0}, 0.5), 4u);
}

TEST(StepCount, RefusesNonsense) {
  const double nan = std::nan("");
  EXPECT_THROW(step_count({0.0, 1.0}, 0.0), InputError);
  EXPECT_THROW(step_count({0.0, 1.0}, -1.0), InputError);
  EXPECT_THROW(step_count({0.0, 1.0}, nan), InputError);
  EXPECT_THROW(step_count({0.0, 1.0}, 1e-13), InputError);
  EXPECT_THROW(step_count({1.0, 1.0}, 0.1), InputError);
  EXPECT_THROW(step_count({0.0, nan}, 0.1), InputError);
}

TEST(Simulate, RecordsFirstLastAndEveryNth) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1, .record_every = 3});
  const std::vector<double>& t = solution.trajectory.t;
  ASSERT_EQ(t.size(), 5u);
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_NEAR(t[1], 0.3, 1e-15);
  EXPECT_EQ(t.back(), 1.0);
  const Solution ends = simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1, .record_every = 0});
  EXPECT_EQ(ends.trajectory.t, (std::vector<double>{0.0, 1.0}));
}

TEST(Simulate, ImpulsesOfSkippedStepsAreNotLost) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto total = [&](std::uint64_t every) {
    double sum = 0.0;
    for (const double P :
         simulate(*ball, {.q = {1.0}}, {0.0, 4.0}, MoreauJean{}, {.h = 0.01, .record_every = every}).trajectory.impulse)
      sum += P;
    return sum;
  };
  EXPECT_NEAR(total(1), total(7), 1e-12);
  EXPECT_NEAR(total(1), total(0), 1e-12);
}

TEST(Simulate, AStartThatMovesIntoItsObstacleHitsAtOnce) {
  const auto ball = lagrangian(ball_description(0.0, 0.5));
  const Solution solution = simulate(*ball, {.q = {0.0}, .v = {-2.0}}, {0.5, 1.5}, MoreauJean{}, {.h = 0.1});
  ASSERT_EQ(solution.impact_count, 1u);
  EXPECT_EQ(solution.impacts[0].t, 0.5);
  EXPECT_EQ(solution.impacts[0].rate_plus, 1.0);
  EXPECT_NEAR(solution.final.q[0], 1.0, 1e-14);
  EXPECT_NEAR(solution.energy.impact, -1.5, 1e-14);
  EXPECT_NEAR(solution.energy.final - solution.energy.initial, -1.5, 1e-14);
  ASSERT_EQ(solution.notes.size(), 1u);
  EXPECT_NE(solution.notes[0].find("floor"), std::string::npos);
}

TEST(Simulate, RefusesAStartInsideAnObstacleAndSaysHowDeep) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  try {
    simulate(*ball, {.q = {-0.25}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "initial.q");
    EXPECT_NE(error.message().find("0.25"), std::string::npos);
    EXPECT_NE(error.message().find("floor"), std::string::npos);
  }
}

TEST(Simulate, RefusesWrongSizesAndNumbersThatAreNotFinite) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto run = [&](State start) { simulate(*ball, std::move(start), {0.0, 1.0}, MoreauJean{}, {.h = 0.1}); };
  EXPECT_THROW(run({.q = {}}), InputError);
  EXPECT_THROW(run({.q = {1.0, 2.0}}), InputError);
  EXPECT_THROW(run({.q = {1.0}, .v = {0.0, 0.0}}), InputError);
  EXPECT_THROW(run({.q = {std::nan("")}}), InputError);
  EXPECT_THROW(run({.q = {1.0}, .v = {INFINITY}}), InputError);
}

TEST(Simulate, RefusesAMassThatIsNotPositiveDefinite) {
  const auto with_mass = [](double m) {
    return lagrangian({.coordinates = {"x"}, .kinetic = "m*x_dot^2/2", .parameters = {{"m", m}}});
  };
  const auto run = [](const Model& model) { simulate(model, {.q = {1.0}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1}); };
  EXPECT_NO_THROW(run(*with_mass(1.0)));
  EXPECT_THROW(run(*with_mass(0.0)), InputError);
  EXPECT_THROW(run(*with_mass(-1.0)), InputError);
}

TEST(Simulate, KeepsWhatItHasWhenTheMotionIsNotFinite) {
  const auto runaway = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .force = {{"x", "x^3"}}});
  const Solution solution =
      simulate(*runaway, {.q = {1.0}, .v = {1.0}}, {0.0, 10.0}, MoreauJean{.theta = 0.0}, {.h = 0.01});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.failure.kind, FailureKind::not_finite);
  EXPECT_GT(solution.failure.t, 0.5);
  EXPECT_LT(solution.failure.t, 10.0);
  EXPECT_NE(solution.failure.message.find("energy"), std::string::npos) << "which is too large before x is";
  EXPECT_GT(solution.trajectory.t.size(), 50u);
  EXPECT_NEAR(solution.trajectory.t.back(), solution.failure.t, 0.0101) << "the last instant of which all is finite";
  for (const double q : solution.trajectory.q) EXPECT_TRUE(std::isfinite(q));
  for (const double V : solution.trajectory.potential) EXPECT_TRUE(std::isfinite(V));
}

TEST(Simulate, StopsWhenInterrupted) {
  class StopAtHalf : public Observer {
   public:
    void progress(std::uint64_t step, std::uint64_t steps) override { flag = flag || step * 2 >= steps; }
    std::atomic<bool> flag = false;
  } observer;
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution solution =
      simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, MoreauJean{}, {.h = 1e-4, .interrupt = &observer.flag}, &observer);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_NEAR(solution.final.t, 0.5, 0.01);
  EXPECT_EQ(solution.trajectory.t.back(), solution.final.t);
}

TEST(Simulate, ARestitutionThatLeavesItsRangeStopsTheRun) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.constraints[0].restitution = "0.5 + t";
  const auto ball = lagrangian(description);
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 3.0}, MoreauJean{}, {.h = 0.01});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.failure.kind, FailureKind::restitution_out_of_range);
  EXPECT_NE(solution.failure.message.find("floor"), std::string::npos);
}

TEST(Simulate, SaysWhenTheSchemeItselfTakesEnergy) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const Solution crude = simulate(*spring, {.q = {1.0}}, {0.0, 10.0}, MoreauJean{.theta = 1.0}, {.h = 0.01});
  const Solution fine = simulate(*spring, {.q = {1.0}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01});
  EXPECT_EQ(crude.notes.size(), 1u);
  EXPECT_EQ(fine.notes.size(), 0u);
}

TEST(Simulate, AccumulationEndsInRestAndTheAccountCloses) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 4.0}, MoreauJean{}, {.h = 1e-3});
  // Impacts at 3 − 2^(1−n): flights down to about two steps are resolved, 2^(−n) ≥ 2h gives n ≤ 9.
  EXPECT_GE(solution.impact_count, 7u);
  EXPECT_LE(solution.impact_count, 12u);
  for (int n = 0; n < 4; ++n) EXPECT_NEAR(solution.impacts[n].t, 3.0 - std::pow(2.0, 1 - n), 5e-3);
  EXPECT_NEAR(solution.energy.impact, -2.0, 1e-2);
  double records = 0.0;
  for (const Impact& impact : solution.impacts) records += impact.energy_loss;
  EXPECT_NEAR(records, -solution.energy.impact, 1e-4);
}

// The ledger's impact term is the true loss also for θ = 1, where the scheme's own form U_θᵀP is far from it.
TEST(Ledger, ImpactTermIsTheTrueLoss) {
  const auto ball = lagrangian(ball_description(9.81, 0.5));
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 0.8}, MoreauJean{.theta = 1.0}, {.h = 1e-4});
  EXPECT_NEAR(solution.energy.impact, -0.75 * 9.81, 5e-3);
  EXPECT_LT(std::abs(solution.energy.numerical), 5e-3);
}

// Resting on an oscillating table: U carries ∂g/∂t at its own time, so the penetration is O(h²).
TEST(MovingTable, PenetrationIsOfSecondOrder) {
  const auto table = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "9.81*x",
                                 .constraints = {{.name = "table", .gap = "x - 0.01*sin(10*t)", .restitution = 0.0}}});
  const auto penetration = [&](double h) {
    return simulate(*table, {.q = {0.0}, .v = {0.1}}, {0.0, 2.0}, MoreauJean{}, {.h = h}).violation_max;
  };
  EXPECT_NEAR(std::log2(penetration(2e-3) / penetration(1e-3)), 2.0, 0.2);
}

std::string notes_of(const Solution& solution) {
  std::string text;
  for (const std::string& note : solution.notes) text += note + "\n";
  return text;
}

// What a step cannot explain is told, with its time, under any scheme with rigid contacts.
TEST(Simulate, AGapThatJumpsIsTold) {
  for (const char* name : {"moreau-jean", "moreau", "newmark", "d1-minus", "mabrouk", "splitting"}) {
    LagrangianDescription ball = ball_description(2.0, 0.5);
    ball.constraints[0].gap = "if(t < 0.2, x, x - 2)";
    const Solution jumping = simulate(*lagrangian(ball), {.q = {1.0}}, {0.0, 0.3}, Scheme{name}, {.h = 1e-3});
    EXPECT_THAT(notes_of(jumping), ::testing::HasSubstr("floor is violated by 1.04 at t = 0.2")) << name;
    // However seldom it is recorded.
    const Solution seldom =
        simulate(*lagrangian(ball), {.q = {1.0}}, {0.0, 0.3}, Scheme{name}, {.h = 1e-3, .record_every = 100});
    EXPECT_THAT(notes_of(seldom), ::testing::HasSubstr("floor is violated by 1.04 at t = 0.2")) << name;
    const Solution sound =
        simulate(*lagrangian(ball_description(2.0, 0.5)), {.q = {1.0}}, {0.0, 3.0}, Scheme{name}, {.h = 1e-2});
    EXPECT_THAT(notes_of(sound), ::testing::Not(::testing::HasSubstr("violated"))) << name;
  }
}

TEST(Simulate, AStepThatPassesTheWholeGapIsTold) {
  const auto slit = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .constraints = {{.name = "left", .gap = "x", .restitution = 1.0},
                                                {.name = "right", .gap = "0.01 - x", .restitution = 1.0}}});
  const auto notes = [&](double h) {
    return notes_of(simulate(*slit, {.q = {0.005}, .v = {1.0}}, {0.0, 1.0}, MoreauJean{}, {.h = h}));
  };
  EXPECT_THAT(notes(0.05), ::testing::HasSubstr("far too coarse"));
  EXPECT_THAT(notes(0.001), ::testing::Not(::testing::HasSubstr("too coarse")));
}

TEST(Simulate, EnergyThatTheSchemeTakesHasATime) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const Solution solution = simulate(*spring, {.q = {1.0}}, {0.0, 20.0}, MoreauJean{.theta = 1.0}, {.h = 0.01});
  EXPECT_THAT(notes_of(solution), ::testing::HasSubstr("first seen at t = "));
}

TEST(Simulate, StepsThatTimeDoesNotResolveAreRefused) {
  EXPECT_THROW(step_count({1e16, 1e16 + 1000.0}, 1e-3), InputError);
  EXPECT_THROW(step_count({1e16, 1e16 + 1000.0}, 1.0), InputError);
  EXPECT_THROW(step_count({-1e16, -1e16 + 1e3}, 1e-3), InputError);
  EXPECT_EQ(step_count({1e9, 1e9 + 1.0}, 1e-3), 1000u);
}

// Told of each million, and stopped if so answered; an interrupt is seen in each step.
TEST(StepReport, TellsOfAMillionSteps) {
  StepReport report;
  std::uint64_t told = 0, steps = 0;
  report.takes_long = [&] {
    EXPECT_EQ(steps, ++told * 1'000'000 - 1);
    return told == 2;
  };
  while (!report.interrupted() && steps < 2'500'000) ++steps;
  EXPECT_EQ(told, 2u);
  std::atomic<bool> stop = true;
  report.interrupt = &stop;
  EXPECT_TRUE(report.interrupted());
}

}  // namespace
}  // namespace ricochet
