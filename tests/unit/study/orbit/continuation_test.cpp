// Branches of orbits against closed forms.
#include "ricochet/study/continuation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "ricochet/ricochet.hpp"
#include "unit/study/orbit/orbit_samples.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using testing::oscillator;

const SpecialPoint* find(const Continuation& all, SpecialKind kind, double near, double within) {
  for (const SpecialPoint& point : all.points)
    if (point.kind == kind && std::abs(point.parameter - near) < within) return &point;
  return nullptr;
}

std::string listing(const Continuation& all) {
  std::string text;
  for (const SpecialPoint& point : all.points)
    text += fmt::format("branch {} [{}] {} at {:.13g}: {}\n", point.branch, point.index, name(point.kind),
                        point.parameter, point.sentence);
  for (const OrbitBranch& branch : all.branches)
    text += fmt::format("branch from {}: {} points, impacts {}\n", branch.origin, branch.points.size(),
                        branch.points.front().orbit.impacts.size());
  return text;
}

// x'' + 0.1 x' + x = A cos t in front of a stop at x = 1, e = 0.8.
class Oscillator {
 public:
  Oscillator() : equations_(oscillator(1.0, 1.0)) {}
  OrbitSystem at(double A, double w = 1.0) const {
    return {std::shared_ptr<const Model>(equations_.model({A, w})), 2.0 * pi / w};
  }

 private:
  LagrangianFamily equations_;
};

TEST(Continuation, OscillatorThroughItsFoldToGrazing) {
  const Oscillator oscillator;
  const OrbitFamily family = [&](double A) { return oscillator.at(A); };
  const OrbitSearch start = find_orbit(family(1.0), {0.0, {0.0}, {0.0}}, {});
  ASSERT_EQ(start.failure, "");
  const Continuation all = continue_orbit(family, start.orbit, 1.0, {.from = 0.05, .until = 1.2});
  const SpecialPoint* fold = find(all, SpecialKind::fold, 0.1, 1e-3);
  ASSERT_NE(fold, nullptr) << listing(all);
  EXPECT_NEAR(fold->parameter, 0.0999707536283, 1e-11) << listing(all);
  const Orbit& at_fold = all.branches[0].points[fold->index].orbit;
  EXPECT_NEAR(at_fold.impacts.at(0).rate_plus, 0.00328922451516, 1e-8);
  const SpecialPoint* lost = find(all, SpecialKind::lost, 0.1, 1e-3);
  ASSERT_NE(lost, nullptr) << listing(all);
  EXPECT_NEAR(lost->parameter, 0.1, 1e-9) << listing(all);
  // Beyond its fold the branch is unstable; every point is a motion.
  EXPECT_FALSE(all.branches[0].points[fold->index - 1].orbit.stable);
  for (const BranchPoint& point : all.branches[0].points) {
    const bool grazes = std::abs(point.parameter - 0.1) < 1e-4;
    EXPECT_TRUE(grazes || point.orbit.inadmissible.empty()) << point.parameter << ": " << point.orbit.inadmissible;
    EXPECT_LT(point.orbit.residual, 1e-11);
  }
}

// From the other side: the motion without impacts touches the stop at A = √((1 − ω²)² + (0.1 ω)²), and the orbit with
// one impact comes off.
TEST(Continuation, GrazingOfTheMotionWithoutImpacts) {
  const Oscillator oscillator;
  for (const double w : {1.0, 0.8, 1.3}) {
    const OrbitFamily family = [&](double A) { return oscillator.at(A, w); };
    const double touches = std::hypot(1.0 - w * w, 0.1 * w);
    const OrbitSearch start = find_orbit(family(0.5 * touches), {0.0, {0.0}, {0.0}}, {});
    ASSERT_EQ(start.failure, "");
    const Continuation all = continue_orbit(family, start.orbit, 0.5 * touches,
                                            {.from = 0.2 * touches, .until = 1.6 * touches, .branches = w == 1.0});
    const SpecialPoint* grazing = find(all, SpecialKind::grazing, touches, 1e-3);
    ASSERT_NE(grazing, nullptr) << listing(all);
    EXPECT_NEAR(grazing->parameter, touches, 1e-10);
    if (w != 1.0) continue;
    ASSERT_EQ(all.branches.size(), 2U) << listing(all);
    EXPECT_EQ(all.branches[1].parent, 0);
    const SpecialPoint* fold = find(all, SpecialKind::fold, 0.0999707536283, 1e-6);
    ASSERT_NE(fold, nullptr) << listing(all);
    EXPECT_EQ(fold->branch, 1U);
    EXPECT_NEAR(fold->parameter, 0.0999707536283, 1e-11);
  }
}

TEST(Continuation, BallOnAMovingTable) {
  LagrangianDescription ball;
  ball.coordinates = {"x"};
  ball.parameters = {{"G", 1.5}};
  ball.kinetic = "x_dot^2/2";
  ball.potential = "x";
  ball.constraints = {{.name = "table", .gap = "x + G*cos(t)", .restitution = 0.5}};
  const LagrangianFamily equations(ball);
  const OrbitFamily family = [&](double G) {
    return OrbitSystem{std::shared_ptr<const Model>(equations.model({G})), 2.0 * pi};
  };
  const double phase = pi - std::asin(pi / 3.0 / 1.5);
  const State top{phase + pi, {-1.5 * std::cos(phase) + 0.5 * pi * pi}, {0.0}};
  const OrbitSearch start = find_orbit(family(1.5), top, {.guessed = 1});
  ASSERT_EQ(start.failure, "");
  const Continuation all = continue_orbit(family, start.orbit, 1.5, {.from = 0.8, .until = 2.0, .branches = true});
  const SpecialPoint* fold = find(all, SpecialKind::fold, 1.0471975511966, 1e-6);
  ASSERT_NE(fold, nullptr) << listing(all);
  EXPECT_NEAR(fold->parameter, 1.0471975511966, 1e-10);
  const SpecialPoint* flip = find(all, SpecialKind::flip, 1.52682370051906, 1e-6);
  ASSERT_NE(flip, nullptr) << listing(all);
  EXPECT_NEAR(flip->parameter, 1.52682370051906, 1e-9);
  // The orbit of twice the period is what the motion settles on, and it doubles again.
  const SpecialPoint* second = find(all, SpecialKind::flip, 1.667130660769, 1e-6);
  ASSERT_NE(second, nullptr) << listing(all);
  EXPECT_EQ(second->branch, 1U);
  // Where a doubled orbit comes off there is no fold.
  for (const SpecialPoint& point : all.points) EXPECT_FALSE(point.kind == SpecialKind::fold && point.branch > 0);
  const BranchPoint& between = all.branches[1].points[second->index / 2];
  EXPECT_TRUE(between.orbit.stable);
  EXPECT_EQ(between.orbit.inadmissible, "");
  const OrbitSystem system = family(between.parameter);
  const State& state = between.orbit.state;
  ASSERT_EQ(between.orbit.returns.size(), 2U);
  const State& later = between.orbit.returns[1];
  EXPECT_NEAR(later.t - state.t, 2.0 * pi, 1e-12);
  EXPECT_GT(std::abs(later.q[0] - state.q[0]), 1e-3);
  const Solution round = simulate(*system.model, state, {state.t, later.t}, EventDriven{},
                                  {.h = 2.0 * pi, .record_every = 0, .keep = false, .account = false});
  EXPECT_NEAR(round.final.q[0], later.q[0], 1e-9);
  State moved = state;
  moved.v[0] += 1e-4;
  const double until = state.t + 400.0 * 2.0 * pi;
  const Solution run = simulate(*system.model, moved, {state.t, until}, EventDriven{},
                                {.h = until, .record_every = 0, .keep = false, .account = false});
  EXPECT_NEAR(run.final.q[0], state.q[0], 1e-8);
  EXPECT_NEAR(run.final.v[0], state.v[0], 1e-8);
}

// The unit of the parameter does not matter: neither to where the range ends nor to what lies in it.
TEST(Continuation, UnitsOfTheParameterDoNotMatter) {
  const Oscillator oscillator;
  for (const double unit : {1e-14, 1e14}) {
    const OrbitFamily family = [&](double A) { return oscillator.at(A / unit); };
    const OrbitSearch start = find_orbit(family(1.0 * unit), {0.0, {0.0}, {0.0}}, {});
    ASSERT_EQ(start.failure, "");
    const Continuation all =
        continue_orbit(family, start.orbit, 1.0 * unit, {.from = 0.05 * unit, .until = 1.2 * unit});
    const SpecialPoint* fold = find(all, SpecialKind::fold, 0.1 * unit, 1e-3 * unit);
    ASSERT_NE(fold, nullptr) << listing(all);
    EXPECT_NEAR(fold->parameter / unit, 0.0999707536283, 1e-11);
    const SpecialPoint* end = find(all, SpecialKind::end, 1.2 * unit, 1e-6 * unit);
    ASSERT_NE(end, nullptr) << listing(all);
    EXPECT_NEAR(end->parameter / unit, 1.2, 1e-12);
    EXPECT_EQ(end->sentence, "the end of the range");
  }
}

// What a walk that was cut off had found.
class KeptSteps final : public StepMemory {
 public:
  explicit KeptSteps(std::vector<std::vector<double>> steps = {})
      : steps(std::move(steps)), known_(this->steps.size()) {}
  std::optional<std::vector<double>> recall() override {
    return next_ < known_ ? std::optional(steps[next_++]) : std::nullopt;
  }
  void keep(std::vector<double> numbers) override { steps.push_back(std::move(numbers)), ++kept; }
  std::vector<std::vector<double>> steps;
  std::size_t kept = 0;

 private:
  const std::size_t known_;
  std::size_t next_ = 0;
};

TEST(Continuation, GoesOnFromWhatWasKept) {
  const Oscillator oscillator;
  const OrbitFamily family = [&](double A) { return oscillator.at(A); };
  const auto walk = [&](KeptSteps& memory) {
    const OrbitSearch start = find_orbit(family(0.05), {0.0, {0.0}, {0.0}}, {}, &memory);
    return continue_orbit(family, start.orbit, 0.05,
                          {.from = 0.02, .until = 0.12, .branches = true, .memory = &memory});
  };
  KeptSteps all_of_it;
  const Continuation whole = walk(all_of_it);
  ASSERT_GT(all_of_it.steps.size(), 20U);
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{17}, all_of_it.steps.size()}) {
    KeptSteps part({all_of_it.steps.begin(), all_of_it.steps.begin() + static_cast<std::ptrdiff_t>(cut)});
    const Continuation again = walk(part);
    EXPECT_EQ(part.kept, all_of_it.steps.size() - cut);
    EXPECT_EQ(part.steps, all_of_it.steps) << cut;
    EXPECT_EQ(listing(again), listing(whole));
    ASSERT_EQ(again.branches.size(), whole.branches.size());
    for (std::size_t b = 0; b < whole.branches.size(); ++b)
      for (std::size_t k = 0; k < whole.branches[b].points.size(); ++k) {
        const Orbit &x = again.branches[b].points[k].orbit, &y = whole.branches[b].points[k].orbit;
        EXPECT_EQ(x.state, y.state);
        EXPECT_EQ(x.multipliers, y.multipliers);
        EXPECT_EQ(x.energy.input, y.energy.input);
      }
  }
}

TEST(Continuation, SaysWhereItEnds) {
  const Oscillator oscillator;
  // A parameter that changes nothing.
  const OrbitFamily same = [&](double) { return oscillator.at(1.0); };
  const OrbitSearch start = find_orbit(same(1.0), {0.0, {0.0}, {0.0}}, {});
  EXPECT_THROW(continue_orbit(same, start.orbit, 1.0, {.from = 0.5, .until = 1.2}), InputError);
  // Interrupted at once.
  const std::atomic<bool> stop{true};
  const OrbitFamily family = [&](double A) { return oscillator.at(A); };
  const Continuation all = continue_orbit(family, start.orbit, 1.0, {.from = 0.5, .until = 1.2, .interrupt = &stop});
  EXPECT_TRUE(all.interrupted);
}

}  // namespace
}  // namespace ricochet
