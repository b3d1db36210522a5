// Friction under the schemes that take it: blocks on a slope, disks, belts; the energy account with all kinds of rows;
// what refuses it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>
#include <random>
#include <set>

#include "ricochet/contact/hard_problems.hpp"
#include "ricochet/ricochet.hpp"
#include "support/complaint.hpp"
#include "support/random_cases.hpp"

namespace ricochet {
namespace {

using testing::complaint;
using ::testing::HasSubstr;

std::vector<Scheme> schemes_with_friction() {
  std::vector<Scheme> schemes;
  for (const SchemeEntry& entry : catalogue())
    if (traits(Scheme(entry)).takes_friction) schemes.push_back(entry);
  schemes.push_back(Splitting{.contact_forces = false});
  return schemes;
}
// What sticks is not held: the law is regularised, or acts at the end of the step only.
bool creeps(const Scheme& scheme) {
  return traits(scheme).compliant || scheme == Scheme(Splitting{.contact_forces = false});
}

// x downhill, y along the normal, on a slope of 0.3 rad.
LagrangianDescription incline(const Quantity& mu) {
  return {.coordinates = {"x", "y"},
          .kinetic = "m*(x_dot^2 + y_dot^2)/2",
          .potential = "m*g*(y*cos(a) - x*sin(a))",
          .parameters = {{"m", 1.0}, {"g", 9.81}, {"a", 0.3}},
          .constraints = {{.name = "slope", .gap = "y", .restitution = 0.0, .friction = mu, .slip = {"x_dot"}}}};
}
constexpr double g = 9.81, slope = 0.3;

// A million steps with make test-long.
TEST(Friction, ABlockThatSticksDoesNotMove) {
  const char* cases = std::getenv("RC_PARAMS");
  const bool is_long = cases != nullptr && std::string(cases).find("max_success=2000") != std::string::npos;
  const double until = is_long ? 10'000.0 : 100.0;
  const auto model = lagrangian(incline(0.5));
  for (const Scheme& scheme : schemes_with_friction()) {
    if (creeps(scheme)) continue;
    const Solution solution = simulate(*model, {.q = {0.25, 0.0}}, {0.0, until}, scheme, {.h = 0.01});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
    EXPECT_NEAR(solution.final.q[0], 0.25, 1e-15) << scheme.name;
    EXPECT_NEAR(solution.final.v[0], 0.0, 1e-15) << scheme.name;
    EXPECT_NEAR(solution.energy.friction, 0.0, 1e-16 * until) << scheme.name;  // round-off of each step
    EXPECT_EQ(solution.impact_count, 0u) << scheme.name;
  }
}

// A block of size b with two feet on a slope, its middle b above it.
std::unique_ptr<Model> block_on_two_feet(double angle, double b, double mass, double inertia, double mu) {
  const auto foot = [mu](const char* name, const char* side) {
    return ConstraintDescription{
        .name = name,
        .gap = fmt::format("-sin(a)*(x {0} b*cos(phi) + b*sin(phi)) + cos(a)*(y {0} b*sin(phi) - b*cos(phi))", side),
        .restitution = 0.5,
        .friction = mu,
        .slip = {fmt::format("cos(a)*(x_dot - ({0} b*sin(phi) - b*cos(phi))*phi_dot) + "
                             "sin(a)*(y_dot + ({0} b*cos(phi) + b*sin(phi))*phi_dot)",
                             side)}};
  };
  return lagrangian({.coordinates = {"x", "y", "phi"},
                     .kinetic = "m*(x_dot^2 + y_dot^2)/2 + J*phi_dot^2/2",
                     .potential = "m*9.81*y",
                     .parameters = {{"a", angle}, {"b", b}, {"m", mass}, {"J", inertia}},
                     .constraints = {foot("left", "-"), foot("right", "+")}});
}

// Slips have no position to come back to: accelerations of round-off would add up over long rests.
TEST(Friction, ABlockThatRestsLongDoesNotMove) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const auto power = [&](double from, double to) { return std::pow(10.0, from + (to - from) * share(random)); };
  for (int k = 0; k < testing::random_cases() / 2; ++k) {
    // On slight slopes what pushes along the slips is small beside what presses.
    const double slope = k % 2 == 0 ? 1.0 : 0.02;
    const double angle = slope * (share(random) - 0.5), b = power(-3.0, 2.0), mass = power(-3.0, 3.0),
                 inertia = mass * b * b * power(-1.0, 1.0), place = 20.0 * b * (share(random) - 0.5);
    const auto model = block_on_two_feet(angle, b, mass, inertia, std::abs(std::tan(angle)) + 0.1);
    const State start{
        .q = {place * std::cos(angle) - b * std::sin(angle), place * std::sin(angle) + b * std::cos(angle), angle}};
    for (const double interval : {1.0, 200.0}) {
      const Solution solution = simulate(*model, start, {0.0, 1000.0}, EventDriven{}, {.h = interval});
      ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(solution.final.q[i], start.q[i], 1e-12 * (i < 2 ? b : 1.0))
            << "coordinate " << i << ", slope " << angle << ", b = " << b << ", interval " << interval;
    }
  }
}

// Gaps that are 0 but for the round-off of their formulas are closed from the first step on.
TEST(Friction, ABlockOnTwoFeetDoesNotMove) {
  const auto model = block_on_two_feet(slope, 0.35, 1.3, 0.2, 0.5);
  for (const double place : {0.7, 1.3, 12.1, -3.9}) {
    const double x = place * std::cos(slope) - 0.35 * std::sin(slope),
                 y = place * std::sin(slope) + 0.35 * std::cos(slope);
    for (const Scheme& scheme : schemes_with_friction()) {
      if (creeps(scheme) || scheme.name == "moreau-inelastic") continue;
      const Solution solution = simulate(*model, {.q = {x, y, slope}}, {0.0, 2.0}, scheme, {.h = 0.01});
      ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
      EXPECT_NEAR(solution.final.q[0], x, 1e-12) << scheme.name << " at " << place;
      EXPECT_NEAR(solution.final.q[1], y, 1e-12) << scheme.name << " at " << place;
      EXPECT_NEAR(solution.final.q[2], slope, 1e-12) << scheme.name << " at " << place;
    }
  }
}

// A small system has a kernel of its own, which a run that keeps its problems does without: the same bits.
TEST(Friction, SmallSystemsGiveTheBitsOfAnyOther) {
  LagrangianDescription description = incline(0.2);
  description.constraints[0].restitution = 0.6;
  const auto model = lagrangian(description);
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(MoreauJean{.theta = 0.7})}) {
    HardProblems hardest(1);
    RunSettings settings{.h = 1e-2};
    const State start{.q = {0.0, 0.5}, .v = {-2.0, 0.0}};
    const Solution small = simulate(*model, start, {0.0, 4.0}, scheme, settings);
    settings.solver.hardest = &hardest;
    const Solution any = simulate(*model, start, {0.0, 4.0}, scheme, settings);
    EXPECT_EQ(small.trajectory.q, any.trajectory.q);
    EXPECT_EQ(small.trajectory.v, any.trajectory.v);
    EXPECT_EQ(small.trajectory.impulse, any.trajectory.impulse);
    EXPECT_EQ(small.trajectory.friction, any.trajectory.friction);
    EXPECT_EQ(small.impacts, any.impacts);
    EXPECT_EQ(small.energy.friction, any.energy.friction);
    EXPECT_GT(small.impact_count, 3u);
    EXPECT_LT(small.energy.friction, -0.5);
  }
}

// A cube on a slope, its feet at (i, j)/2 from the middle of its underside.
struct Cube {
  double angle = 0.2, mu = 0.6, restitution = 0.0;
  std::vector<std::pair<double, double>> feet = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  std::optional<double> tangential_restitution = {};

  std::unique_ptr<Model> model() const {
    LagrangianDescription cube{.coordinates = {"x", "y", "z", "a", "b", "c"},
                               .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + (a_dot^2 + b_dot^2 + c_dot^2)/12",
                               .potential = "9.81*(z*cos(s) - x*sin(s))",
                               .parameters = {{"s", angle}}};
    for (const auto& [i, j] : feet)
      cube.constraints.push_back(
          {.name = fmt::format("foot{}", cube.constraints.size()),
           .gap = fmt::format("z - 0.5 + ({})*a/2 - ({})*b/2", j, i),
           .restitution = restitution,
           .friction = mu,
           .slip = {fmt::format("x_dot - b_dot/2 - ({})*c_dot/2", j), fmt::format("y_dot + a_dot/2 + ({})*c_dot/2", i)},
           .tangential_restitution = tangential_restitution});
    return lagrangian(cube);
  }
};

// W is singular (rank 6 of 12). Far from the limit of friction and near it no problem of a run takes more than 20
// iterations or leaves more than 1e-12, and nothing moves: a foot that round-off lifts is not free for a step.
TEST(Friction, ACubeRestsOnFourFeet) {
  for (const double mu : {0.6, 0.205}) {
    const auto model = Cube{.mu = mu}.model();
    for (const Scheme& scheme : schemes_with_friction()) {
      if (creeps(scheme)) continue;
      SCOPED_TRACE(fmt::format("{}, friction {}", scheme.name, mu));
      HardProblems problems(1000);  // all
      RunSettings settings{.h = 0.01};
      settings.solver.hardest = &problems;
      const Solution solution = simulate(*model, {.q = {0.0, 0.0, 0.5, 0.0, 0.0, 0.0}}, {0.0, 5.0}, scheme, settings);
      ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
      for (const std::size_t i : {0u, 1u, 3u, 4u, 5u}) EXPECT_NEAR(solution.final.q[i], 0.0, 1e-12);
      EXPECT_NEAR(solution.final.q[2], 0.5, 1e-12);
      for (const HardProblems::Entry& entry : problems.all()) {
        EXPECT_EQ(entry.result.status, ComplementarityStatus::solved);
        EXPECT_LE(entry.result.iterations, 20);
        EXPECT_LE(entry.result.residual, 1e-12);
      }
    }
  }
}

// However near its limit friction is: forces of least norm would be beyond it on single feet, where the others have
// some left. Held and dropped, which ends in rest too.
TEST(Friction, EventsEndAtRestOnRedundantFeet) {
  const std::vector<std::vector<std::pair<double, double>>> feet = {
      {{1, 0}, {-0.5, 0.8}, {-0.5, -0.8}},
      {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}},
      {{-1, -1}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 1}}};
  const double limit = std::tan(0.2);
  for (const double mu : {limit * (1.0 + 1e-6), 0.203, 0.205, 0.21, 0.25})
    for (const auto& places : feet)
      for (const double e : {0.0, 0.5})
        for (const double fall : {0.0, 0.1}) {
          const Cube cube{.mu = mu, .restitution = e, .feet = places, .tangential_restitution = e};
          SCOPED_TRACE(fmt::format("friction {}, {} feet, restitution {}, fall {}", mu, places.size(), e, fall));
          const Solution solution = simulate(*cube.model(), {.q = {0.0, 0.0, 0.5 + fall, 0.0, 0.0, 0.0}}, {0.0, 2.0},
                                             EventDriven{}, {.h = 0.05});
          ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
          EXPECT_LT(solution.statistics.accepted, 400u);
          EXPECT_LT(solution.statistics.contact_problems, fall > 0.0 ? 80u : 10u);
          for (int i = 0; i < 6 && (fall == 0.0 || mu > 0.21); ++i) EXPECT_NEAR(solution.final.v[i], 0.0, 1e-12) << i;
          for (int i = 0; i < 6 && fall == 0.0; ++i) EXPECT_NEAR(solution.final.q[i], i == 2 ? 0.5 : 0.0, 1e-12) << i;
        }
}

// Feet anywhere around the middle: forces of least norm turn the cube this way and that, some would have to pull, and
// others touch on without one. Slides, turns and stops take few steps, under the scheme of fixed steps too.
TEST(Friction, CubesSlideTurnAndStopOnFeetAnywhere) {
  std::mt19937 engine(19);
  const auto draw = [&](double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(engine);
  };
  for (int i = 0; i < 40; ++i) {
    Cube cube{.angle = 0.1 * (i % 3), .mu = i % 2 == 0 ? 0.3 : 0.15, .feet = {}};
    const int count = 3 + i % 6;
    for (int k = 0; k < count; ++k) {
      const double around = 2.0 * std::numbers::pi * (k + draw(0.0, 0.5)) / count, far = draw(0.8, 1.2);
      cube.feet.emplace_back(far * std::cos(around), far * std::sin(around));
    }
    const State start{.q = {0.0, 0.0, 0.5, 0.0, 0.0, 0.0},
                      .v = {i % 4 - 1.0, 0.3, 0.0, 0.0, 0.0, i % 5 == 0 ? 3.0 : 0.0}};
    SCOPED_TRACE(fmt::format("cube {}, {} feet", i, count));
    const auto model = cube.model();
    const Solution event = simulate(*model, start, {0.0, 1.0}, EventDriven{.rtol = 1e-10}, {.h = 0.02});
    ASSERT_EQ(event.status, Status::completed) << event.failure.message;
    EXPECT_LT(event.statistics.accepted, 1000u);
    const Solution fixed = simulate(*model, start, {0.0, 1.0}, Mannshardt{}, {.h = 0.002});
    ASSERT_EQ(fixed.status, Status::completed) << fixed.failure.message;
    EXPECT_LT(fixed.statistics.force_evaluations, 200'000u);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(fixed.final.q[k], event.final.q[k], 1e-5) << k;
  }
}

// A foot beside others carries nothing, or pulls by the round-off of forces of least norm: it moves by the round-off of
// forces in balance where nothing else gives its gap a size, and is no event after event.
TEST(Friction, FeetThatTouchOnWithoutForceAreNoEvents) {
  struct Brick {
    double angle, mu, height, speed, across;
    std::vector<double> inertia;
    std::vector<std::pair<double, double>> feet;
  };
  const std::vector<Brick> bricks = {{0.2,
                                      0.3,
                                      0.0,
                                      0.5,
                                      0.0,
                                      {0.02793647004905364, 0.06446976395772347, 0.03515035062221273},
                                      {{-0.1325072900074327, 0.41492589003638036},
                                       {0.14349113523077042, -0.39906679857432187},
                                       {-0.0069766841929497165, -0.4967136966149446},
                                       {-0.02104794597777979, -0.49502046855399695},
                                       {-0.212475749716885, -0.23385061072187607}}},
                                     {0.3,
                                      0.5,
                                      0.05,
                                      -1.0,
                                      0.3,
                                      {0.09146237267373403, 0.09777983005953667, 0.011093145522133273},
                                      {{-0.2702461801143466, 0.2236572808330918},
                                       {-0.056177693721586354, 0.43464601341875886},
                                       {-0.11097636687528606, -0.41317089641542215},
                                       {-0.25698405156448434, -0.25282594630140665},
                                       {-0.1674914284094788, -0.3734012956266678},
                                       {0.2277188109486878, -0.3035067761657768}}}};
  for (const Brick& brick : bricks) {
    LagrangianDescription model{
        .coordinates = {"x", "y", "z", "a", "b", "c"},
        .kinetic = fmt::format("(x_dot^2 + y_dot^2 + z_dot^2)/2 + {}*a_dot^2 + {}*b_dot^2 + {}*c_dot^2",
                               brick.inertia[0], brick.inertia[1], brick.inertia[2]),
        .potential = "9.81*(z*cos(s) - x*sin(s))",
        .parameters = {{"s", brick.angle}, {"h", brick.height}}};
    for (const auto& [p, r] : brick.feet)
      model.constraints.push_back({.name = fmt::format("foot{}", model.constraints.size()),
                                   .gap = fmt::format("z + a*({}) - b*({})", r, p),
                                   .restitution = 0.3,
                                   .friction = brick.mu,
                                   .slip = {fmt::format("x_dot - b_dot*h - c_dot*(({})*sin(c) + ({})*cos(c))", p, r),
                                            fmt::format("y_dot + a_dot*h + c_dot*(({})*cos(c) - ({})*sin(c))", p, r)}});
    const State start{.q = std::vector<double>(6, 0.0), .v = {brick.speed, brick.across, 0.0, 0.0, 0.0, 0.0}};
    const Solution solution = simulate(*lagrangian(model), start, {0.0, 0.5}, EventDriven{.rtol = 1e-10}, {.h = 0.01});
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_LT(solution.statistics.accepted, 400u);
  }
}

// Friction that does a fortieth more than what drives the slide: errors that turn the last of a slip take that away.
TEST(Friction, ASlideInSpaceThatHardlySlowsDownStops) {
  LagrangianDescription brick{
      .coordinates = {"x", "y", "z", "a", "b", "c"},
      .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + 0.1163629*a_dot^2 + 0.230222*b_dot^2 + 0.1477542*c_dot^2",
      .potential = "9.81*(z*cos(0.3) - x*sin(0.3))"};
  for (const double p : {-0.23952964916414243, 0.23952964916414243})
    for (const double r : {-0.2081065633181955, 0.2081065633181955})
      brick.constraints.push_back({.name = fmt::format("foot{}", brick.constraints.size()),
                                   .gap = fmt::format("z + a*({}) - b*({})", r, p),
                                   .restitution = 0.5,
                                   .friction = 1.025 * std::tan(0.3),
                                   .slip = {fmt::format("x_dot - 0.3514282*b_dot - c_dot*({})", r),
                                            fmt::format("y_dot + 0.3514282*a_dot + c_dot*({})", p)}});
  const auto model = lagrangian(brick);
  const State start{.q = std::vector<double>(6, 0.0), .v = {-1.0, 0.5, 0.0, 0.0, 0.0, 0.0}};
  const auto end = [&](double rtol) {
    const Solution solution = simulate(*model, start, {0.0, 2.0}, EventDriven{.rtol = rtol}, {.h = 0.002});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    if (rtol >= 1e-8) EXPECT_LT(solution.statistics.accepted, 2500u) << rtol;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(solution.final.v[i], 0.0, 1e-12) << i;
    return solution.final;
  };
  const State fine = end(1e-10);
  for (const double rtol : {1e-8, 1e-7, 1e-6})
    for (const int i : {0, 1}) EXPECT_NEAR(end(rtol).q[i], fine.q[i], 10.0 * rtol) << rtol;
}

// Regularised, it creeps with v_s tan a/μ.
TEST(Friction, ACompliantBlockCreeps) {
  const auto model = lagrangian(incline(0.5));
  const Solution solution =
      simulate(*model, {.q = {0.0, 0.0}}, {0.0, 2.0}, Penalty{.stiffness = 1e4, .slip_speed = 1e-3}, {.h = 0.01});
  ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
  EXPECT_NEAR(solution.final.v[0], 1e-3 * std::tan(slope) / 0.5, 1e-8);
}

// Friction at the end of each step only: ½h²f is done by then.
TEST(Friction, WithoutContactForcesABlockCreepsAndSinks) {
  const auto model = lagrangian(incline(0.5));
  for (const double h : {0.01, 0.005}) {
    const Solution solution =
        simulate(*model, {.q = {0.0, 0.0}}, {0.0, 2.0}, Splitting{.contact_forces = false}, {.h = h});
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_NEAR(solution.final.q[0], 0.5 * h * g * std::sin(slope) * 2.0, 1e-14);
    EXPECT_NEAR(solution.final.q[1], -0.5 * h * g * std::cos(slope) * 2.0, 1e-14);
    EXPECT_NEAR(solution.final.v[0], 0.0, 1e-16);
    EXPECT_THAT(solution.notes, ::testing::Contains(HasSubstr("what sticks creeps by h |f|/2 per unit time")));
  }
}

// Adaptive steps of splitting follow the tolerance through slide, stop, stick and slide back, and through an impact
// that sticks; a step that is one of Moreau and Jean is as short as that takes.
TEST(Friction, AdaptiveStepsFollowTheirTolerance) {
  for (const double mu : {0.5, 0.2}) {
    const auto model = lagrangian(incline(mu));
    const double up = g * (std::sin(slope) + mu * std::cos(slope)), stop = 2.0 / up;
    const double down = std::max(0.0, g * (std::sin(slope) - mu * std::cos(slope))), later = 1.0 - stop;
    for (const double rtol : {1e-5, 1e-7, 1e-9}) {
      const Splitting scheme{.steps = Splitting::Steps::adaptive, .rtol = rtol};
      const Solution solution = simulate(*model, {.q = {0.0, 0.0}, .v = {-2.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 0.1});
      ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
      EXPECT_NEAR(solution.final.q[0], -2.0 / up + 0.5 * down * later * later, 10.0 * rtol) << mu;
      EXPECT_NEAR(solution.final.v[0], down * later, 10.0 * rtol) << mu;
      EXPECT_LT(solution.statistics.accepted, 1000u);
    }
  }
  // Dropped from 0.2 with a slip: e = 0 stops it, and friction takes μ of the blow.
  const auto model = lagrangian(incline(0.5));
  const double fall = std::sqrt(2.0 * 0.2 / (g * std::cos(slope)));
  for (const double rtol : {1e-5, 1e-7, 1e-9}) {
    const Splitting scheme{.steps = Splitting::Steps::adaptive, .rtol = rtol};
    const Solution solution = simulate(*model, {.q = {0.0, 0.2}, .v = {3.0, 0.0}}, {0.0, 0.5}, scheme, {.h = 0.1});
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    const double v = 3.0 + g * std::sin(slope) * fall - 0.5 * g * std::cos(slope) * fall, later = 0.5 - fall;
    const double a = g * (std::sin(slope) - 0.5 * std::cos(slope));
    const double at_impact = 3.0 * fall + 0.5 * g * std::sin(slope) * fall * fall;
    EXPECT_NEAR(solution.final.q[0], at_impact + v * later + 0.5 * a * later * later, 30.0 * rtol);
    EXPECT_NEAR(solution.final.v[0], v + a * later, 30.0 * rtol);
    EXPECT_EQ(solution.impact_count, 1u);
  }
}

// What has not moved yet has no size that could tell how short a step over its first switch should be: a bead falls
// from rest on a belt, whose friction throws it to the side.
TEST(Friction, AdaptiveStepsSwitchWhatHasNotMoved) {
  const auto belt = lagrangian(
      {.coordinates = {"x", "y"},
       .kinetic = "(x_dot^2 + y_dot^2)/2",
       .potential = "9.81*y + 9*x^2",
       .constraints = {{.name = "belt", .gap = "y", .restitution = 0.9, .friction = 0.75, .slip = {"x_dot - 0.655"}}}});
  const auto run = [&](const Scheme& scheme, double until) {
    return simulate(*belt, {.q = {0.0, 0.04}, .v = {0.0, 0.0}}, {0.0, until}, scheme, {.h = 1.0});
  };
  const Solution exact = run(EventDriven{}, 1.0), steps = run(Splitting{.steps = Splitting::Steps::adaptive}, 1.0);
  ASSERT_EQ(steps.status, Status::completed);
  EXPECT_EQ(steps.impact_count, exact.impact_count);
  EXPECT_LT(steps.statistics.rejected, 100 * exact.impact_count);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(steps.final.q[i], exact.final.q[i], 1e-7);
  // Until it lies on the belt: rebounds no faster than what forces do in the step over them are none.
  const Solution rest = run(EventDriven{}, 3.0), at_rest = run(Splitting{.steps = Splitting::Steps::adaptive}, 3.0);
  EXPECT_EQ(at_rest.final.v[1], 0.0);
  EXPECT_LT(at_rest.statistics.rejected, 100'000u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(at_rest.final.q[i], rest.final.q[i], 1e-6);
}

// Up the slope from −2 m/s: slides, stops at t₁, then sticks (μ > tan a) or slides back.
TEST(Friction, ABlockThatStopsSticksOrSlidesBack) {
  for (const double mu : {0.5, 0.2}) {
    const auto model = lagrangian(incline(mu));
    const double up = g * (std::sin(slope) + mu * std::cos(slope)), stop = 2.0 / up;
    const double down = std::max(0.0, g * (std::sin(slope) - mu * std::cos(slope))), later = 1.0 - stop;
    const double x = -2.0 / up + 0.5 * down * later * later, v = down * later, weight = g * std::cos(slope);
    const double work = -mu * weight * (2.0 / up + (x + 2.0 / up));
    for (const Scheme& scheme : schemes_with_friction()) {
      const Solution solution = simulate(*model, {.q = {0.0, 0.0}, .v = {-2.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 1e-3});
      ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
      EXPECT_NEAR(solution.final.v[0], v, 1e-2) << scheme.name << " " << mu;
      EXPECT_NEAR(solution.final.q[0], x, 4e-3) << scheme.name << " " << mu;
      EXPECT_NEAR(solution.energy.friction, work, 2e-2) << scheme.name << " " << mu;
      EXPECT_LE(solution.energy.friction, 0.0) << scheme.name;
    }
  }
}

// A disk thrown with back spin: P_T = −min(μ P_N, m|U_T|/3) sgn U_T at its impact.
TEST(Friction, ADiskThatBounces) {
  const auto model = lagrangian(
      {.coordinates = {"x", "y", "phi"},
       .kinetic = "(x_dot^2 + y_dot^2)/2 + R^2/4*phi_dot^2",
       .potential = "9.81*y",
       .parameters = {{"R", 0.2}},
       .constraints = {
           {.name = "floor", .gap = "y - R", .restitution = 0.5, .friction = 0.15, .slip = {"x_dot - R*phi_dot"}}}});
  for (const Scheme& scheme : schemes_with_friction()) {
    if (traits(scheme).inelastic_only || traits(scheme).compliant) continue;
    const Solution solution =
        simulate(*model, {.q = {0.0, 1.2, 0.0}, .v = {3.0, 0.0, -10.0}}, {0.0, 0.6}, scheme, {.h = 1e-4});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
    EXPECT_NEAR(solution.final.v[0], 2.0033744434342453, 1e-3) << scheme.name;
    EXPECT_NEAR(solution.final.v[2], -0.03374443434245461, 1e-2) << scheme.name;
    // What friction took: ½(U⁻ + U⁺) P_T.
    EXPECT_NEAR(solution.energy.friction, -0.5 * (5.0 + 2.0101233303027363) * 0.9966255565657546, 1e-2) << scheme.name;
  }
}

// Friction in space on a slope: the slip turns, and its force is opposite to it.
TEST(Friction, InSpace) {
  const auto model =
      lagrangian({.coordinates = {"x", "y", "z"},
                  .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2",
                  .potential = "9.81*(z*cos(0.3) - x*sin(0.3))",
                  .constraints = {
                      {.name = "slope", .gap = "z", .restitution = 0.0, .friction = 0.2, .slip = {"x_dot", "y_dot"}}}});
  // Along y first: both components by quadrature of x'' = g(sin a − μ cos a x'/|v|), y'' = −μ g cos a y'/|v|.
  double x = 0.0, y = 1.0;
  const double pull = g * std::sin(0.3), drag = 0.2 * g * std::cos(0.3);
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double h = 0.5 / n, s = std::hypot(x, y), mx = x + 0.5 * h * (pull - drag * x / s),
                 my = y - 0.5 * h * drag * y / s, ms = std::hypot(mx, my);
    x += h * (pull - drag * mx / ms);
    y -= h * drag * my / ms;
  }
  for (const Scheme& scheme : schemes_with_friction()) {
    if (scheme.name == "extrapolated-moreau") continue;
    const Solution solution =
        simulate(*model, {.q = {0.0, 0.0, 0.0}, .v = {0.0, 1.0, 0.0}}, {0.0, 0.5}, scheme, {.h = 1e-3});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
    EXPECT_NEAR(solution.final.v[0], x, 5e-3) << scheme.name;
    EXPECT_NEAR(solution.final.v[1], y, 5e-3) << scheme.name;
  }
}

// Dry friction acts whether the only contact of a model is open or closed, and is not that contact's.
TEST(Friction, DryFrictionBesideAContact) {
  LagrangianDescription masses{.coordinates = {"a", "b"},
                               .kinetic = "a_dot^2/2 + b_dot^2",
                               .potential = "11*(b - a)^2",
                               .frictions = {{.name = "guide", .slip = {"a_dot"}, .limit = 2.0}}};
  const auto end = [&](const std::string& gap, const Scheme& scheme, double h) {
    masses.constraints.clear();
    if (!gap.empty()) masses.constraints = {{.name = "wall", .gap = gap, .restitution = 0.0}};
    const Solution s = simulate(*lagrangian(masses), {.q = {0.0, 0.2}, .v = {0.0, 0.0}}, {0.0, 0.6}, scheme, {.h = h});
    EXPECT_EQ(s.status, Status::completed) << scheme.name << s.failure.message;
    EXPECT_EQ(s.impact_count, gap == "b - 0.1" ? 1u : 0u) << scheme.name;
    EXPECT_LT(s.energy.friction, -0.05) << scheme.name;
    return s.final.q;
  };
  const std::vector<double> struck = end("b - 0.1", EventDriven{}, 0.1);
  for (const Scheme& scheme : schemes_with_friction()) {
    const std::vector<double> alone = end("", scheme, 1e-3), open = end("b + 9", scheme, 1e-3);
    const std::vector<double> hit = end("b - 0.1", scheme, 1e-4);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(open[i], alone[i], 1e-8) << scheme.name;
      EXPECT_NEAR(hit[i], struck[i], 1e-3) << scheme.name;
    }
  }
}

// Stick-slip on a belt: sticks up to x = F₀/k at t = 2, then slips.
TEST(Friction, DryFrictionOfABelt) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "x^2/2",
                                 .force = {{"x", "0.2*(x_dot - 0.5)"}},
                                 .frictions = {{.name = "belt", .slip = {"x_dot - 0.5"}, .limit = 1.0}}});
  for (const Scheme& scheme : schemes_with_friction()) {
    const Solution stick = simulate(*model, {.q = {0.0}, .v = {0.5}}, {0.0, 1.0}, scheme, {.h = 1e-3});
    ASSERT_EQ(stick.status, Status::completed) << scheme.name << ": " << stick.failure.message;
    EXPECT_NEAR(stick.final.v[0], 0.5, creeps(scheme) ? 1e-3 : 1e-13) << scheme.name;
    EXPECT_NEAR(stick.energy.friction, 0.0, creeps(scheme) ? 1e-3 : 1e-13) << scheme.name;
    const Solution slip = simulate(*model, {.q = {0.0}, .v = {0.5}}, {0.0, 20.0}, scheme, {.h = 1e-3});
    EXPECT_NEAR(slip.final.q[0], 0.10984399194120206, 2e-2) << scheme.name;
    EXPECT_NEAR(slip.final.v[0], -0.08563317348569732, 2e-2) << scheme.name;
    EXPECT_LT(slip.energy.friction, 0.0) << scheme.name;
  }
}

// Two rods whose tip hits the floor (Kane and Levinson): Newton's law with friction gains energy, ×1.58749.
TEST(Friction, AnImpactThatGainsEnergyIsTold) {
  LagrangianDescription rods{.coordinates = {"a", "b"},
                             .kinetic = "(4/3*a_dot^2 + 1/3*b_dot^2 + cos(a - b)*a_dot*b_dot)/2",
                             .constraints = {{.name = "floor",
                                              .gap = "cos(pi/9) + cos(pi/6) + 1e-7 - cos(a) - cos(b)",
                                              .restitution = 0.5,
                                              .friction = 0.5,
                                              .slip = {"cos(a)*a_dot + cos(b)*b_dot"}}}};
  const State start{.q = {std::numbers::pi / 9.0, std::numbers::pi / 6.0}, .v = {-0.1, -0.2}};
  const auto ratio = [&](const Scheme& scheme) {
    const Solution solution = simulate(*lagrangian(rods), start, {0.0, 1e-4}, scheme, {.h = 1e-6});
    const bool told = std::any_of(solution.notes.begin(), solution.notes.end(), [](const std::string& note) {
      return note.find("of floor gained energy: Newton's restitution with friction") != std::string::npos;
    });
    EXPECT_EQ(told, solution.energy.final > solution.energy.initial) << scheme.name;
    EXPECT_EQ(solution.impacts.at(0).slip.status, told ? SlipStatus::stick : SlipStatus::reverse) << scheme.name;
    return solution.energy.final / solution.energy.initial;
  };
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(Nsga{})}) {
    rods.constraints[0].tangential_restitution.reset();
    EXPECT_NEAR(ratio(scheme), 1.58749, 2e-5) << scheme.name;
    rods.constraints[0].tangential_restitution = 0.5;
    EXPECT_NEAR(ratio(scheme), 0.562, 1e-3) << scheme.name;
  }
}

// The rows of a run have all of the friction that impacts report, those of the start too.
TEST(Friction, TheFirstRowHasTheFrictionOfImpactsAtTheStart) {
  LagrangianDescription ball = incline(0.3);
  ball.constraints[0].restitution = 0.5;
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(Nsga{}), Scheme(EventDriven{})}) {
    const Solution solution =
        simulate(*lagrangian(ball), State{.q = {0.0, 0.0}, .v = {1.0, -2.0}}, {0.0, 1e-2}, scheme, {.h = 1e-3});
    ASSERT_EQ(solution.impacts.size(), 1u) << scheme.name;
    EXPECT_NEAR(solution.impacts[0].slip.impulse[0], -0.3 * 3.0, 1e-12) << scheme.name;
    EXPECT_EQ(solution.trajectory.impulse.at(0), solution.impacts[0].impulse) << scheme.name;
    EXPECT_EQ(solution.trajectory.friction.at(0), solution.impacts[0].slip.impulse[0]) << scheme.name;
    EXPECT_EQ(solution.trajectory.friction.at(1), 0.0) << scheme.name;
  }
}

// A contact with friction has two or three rows, and is one contact.
// On five feet of a rigid body how much each carries is not unique, nor where friction turns the body to: the
// iterations of a step come to an end since a solution stays where it is while it still is one.
TEST(Friction, ASpinningBrickOnRedundantFeet) {
  const std::pair<double, double> feet[] = {
      {-0.1325, 0.4149}, {0.1435, -0.399}, {-0.2125, -0.2338}, {0.3, 0.2}, {0.1, -0.45}};
  LagrangianDescription brick{
      .coordinates = {"x", "y", "z", "a", "b", "c"},
      .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + 0.014*a_dot^2 + 0.032*b_dot^2 + 0.0176*c_dot^2",
      .potential = "9.81*(z*cos(0.2) - x*sin(0.2))"};
  for (const auto& [p, q] : feet)
    brick.constraints.push_back(
        {.name = fmt::format("f{}", brick.constraints.size()),
         .gap = fmt::format("z + ({1})*a - ({0})*b", p, q),
         .restitution = 0.3,
         .friction = 0.3,
         .slip = {fmt::format("x_dot - 0.1*b_dot - c_dot*(({0})*sin(c) + ({1})*cos(c))", p, q),
                  fmt::format("y_dot + 0.1*a_dot + c_dot*(({0})*cos(c) - ({1})*sin(c))", p, q)}});
  const auto model = lagrangian(brick);
  const State start{.q = {0.0, 0.0, 0.02, 0.0, 0.0, 0.0}, .v = {0.5, 0.25, 0.0, 0.0, 0.0, 3.0}};
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(Nsga{}), Scheme(D1Minus{})})
    for (const double h : {1.0 / 64, 1.0 / 128, 1.0 / 256, 1e-3}) {
      const Solution solution = simulate(*model, start, {0.0, 0.5}, scheme, {.h = h});
      EXPECT_EQ(solution.status, Status::completed) << scheme.name << ", h = " << h << ": " << solution.failure.message;
      EXPECT_LE(solution.energy.friction, 0.0) << scheme.name << ", h = " << h;
    }
}

TEST(Friction, AProblemThatIsNotSolvedNamesItsContacts) {
  LagrangianDescription brick{.coordinates = {"x", "y", "phi"},
                              .kinetic = "(x_dot^2 + y_dot^2 + phi_dot^2)/2",
                              .potential = "9.81*y - 2*x - phi"};
  for (const char* side : {"-1", "+1"})
    brick.constraints.push_back({.name = std::string("foot") + (side[0] == '-' ? "A" : "B"),
                                 .gap = std::string("y ") + side + "*phi",
                                 .restitution = 0.0,
                                 .friction = 0.3,
                                 .slip = {"x_dot + phi_dot"}});
  const RunSettings settings{.h = 1e-3, .solver = {.solver = "gauss-seidel", .tolerance = 1e-300, .max_iterations = 1}};
  const Solution solution = simulate(*lagrangian(brick), State{.q = {0.0, 0.0, 0.0}, .v = {1.0, 0.0, 0.0}}, {0.0, 1e-2},
                                     MoreauJean{}, settings);
  EXPECT_NE(solution.failure.message.find("the contact problem of 2 contacts was not solved (footA, footB)"),
            std::string::npos)
      << solution.failure.message;
}

// All kinds of rows at once in random linear systems: contacts with moving surfaces, a belt, a joint, a load.
TEST(Friction, TheAccountClosesOnLinearSystems) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto row = [&](const char* suffix) {
    std::string text;
    for (const char* name : {"a", "b", "c", "d", "e"})
      text +=
          fmt::format("{}{}*{}{}", text.empty() ? "" : " + ", fmt::format("({:.3f})", uniform(random)), name, suffix);
    return text;
  };
  const auto squares = [&](const char* suffix) {
    return fmt::format("(({})^2 + ({})^2 + ({})^2)/2", row(suffix), row(suffix), row(suffix));
  };
  for (int k = 0; k < 4; ++k) {
    const auto model =
        lagrangian({.coordinates = {"a", "b", "c", "d", "e"},
                    .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2 + d_dot^2 + e_dot^2)/2 + " + squares("_dot"),
                    .potential = squares("") + " + a + b",
                    .dissipation = "0.1*" + squares("_dot"),
                    .force = {{"c", "2*cos(3*t)"}},
                    .constraints = {{.name = "one",
                                     .gap = row("") + " + 0.3*sin(2*t) + 1",
                                     .restitution = 0.4,
                                     .friction = 0.4,
                                     .slip = {row("_dot") + " + 0.2*cos(t)"}},
                                    {.name = "two",
                                     .gap = row("") + " + 1",
                                     .restitution = 0.4,
                                     .friction = 0.8,
                                     .slip = {row("_dot")},
                                     .tangential_restitution = 0.3}},
                    .joints = {{.name = "held", .rate = {row("_dot") + " - 0.1*sin(t)"}}},
                    .frictions = {{.name = "belt", .slip = {row("_dot") + " - 0.5"}, .limit = 0.3}}});
    for (const Scheme& scheme : schemes_with_friction()) {
      if (!traits(scheme).energy_identity || traits(scheme).inelastic_only || traits(scheme).chooses_steps) continue;
      const Solution solution = simulate(*model, {.q = {0.1, 0.1, 0.1, 0.1, 0.1}}, {0.0, 4.0}, scheme, {.h = 0.01});
      ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
      const EnergyLedger& energy = solution.energy;
      if (energy.numerical_is_remainder) continue;
      EXPECT_NEAR(energy.final - energy.initial,
                  energy.input + energy.damping + energy.impact + energy.friction + energy.numerical,
                  1e-13 * energy.turnover)
          << scheme.name;
      EXPECT_LT(energy.friction, -1e-3) << scheme.name;
    }
    // Splitting's own part is the error of its table, O(h⁵), if no contact is brought back to its surface.
    const Solution split =
        simulate(*model, {.q = {0.1, 0.1, 0.1, 0.1, 0.1}}, {0.0, 4.0}, Splitting{.contact_forces = false}, {.h = 0.01});
    ASSERT_EQ(split.status, Status::completed) << split.failure.message;
    EXPECT_NEAR(split.energy.numerical, 0.0, 1e-9 * split.energy.turnover);
    EXPECT_LT(split.energy.friction, -1e-3);
  }
}

// A stack of blocks on a floor that shakes, one of them on a rail with dry friction, two tied together: the same
// motion with W as a whole and with sparse matrices.
TEST(Friction, ManyContactsAreSolvedAsFewAre) {
  LagrangianDescription stack{.coordinates = {}, .kinetic = "0", .potential = "0"};
  constexpr int count = 4;
  for (int i = 0; i < count; ++i) {
    const std::string x = fmt::format("x{}", i), y = fmt::format("y{}", i);
    const std::string below_x = i == 0 ? "0.8*cos(2*t)" : fmt::format("x{}_dot", i - 1);
    const std::string below_y = i == 0 ? "0" : fmt::format("y{}", i - 1);
    stack.coordinates.insert(stack.coordinates.end(), {x, y});
    stack.kinetic += fmt::format(" + {0}*({1}_dot^2 + {2}_dot^2)/2", 1 + i, x, y);
    stack.potential += fmt::format(" + {}*9.81*{}", 1 + i, y);
    stack.constraints.push_back({.name = "below" + x,
                                 .gap = y + " - " + below_y,
                                 .restitution = 0.2,
                                 .friction = 0.05 * (1 + i),
                                 .slip = {x + "_dot - " + below_x}});
  }
  stack.joints = {{.name = "tie", .equation = {"x3 - x1 - 0.1*sin(3*t)"}}};
  stack.frictions = {{.name = "rail", .slip = {"x2_dot"}, .limit = 2.0}};
  const auto model = lagrangian(stack);
  const State start{.q = {0.0, 0.1, 0.0, 0.1, 0.0, 0.3, 0.0, 0.3}, .v = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.0}};
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(Nsga{})}) {
    RunSettings settings{.h = 2e-3};
    const Solution few = simulate(*model, start, {0.0, 1.5}, scheme, settings);
    settings.solver.matrix = ContactMatrix::sparse;
    const Solution many = simulate(*model, start, {0.0, 1.5}, scheme, settings);
    ASSERT_EQ(few.status, Status::completed) << scheme.name << ": " << few.failure.message;
    ASSERT_EQ(many.status, Status::completed) << scheme.name << ": " << many.failure.message;
    for (std::size_t i = 0; i < start.q.size(); ++i)
      EXPECT_NEAR(few.final.q[i], many.final.q[i], 1e-9) << scheme.name << " " << i;
    EXPECT_LT(few.energy.friction, -0.01);
    EXPECT_NEAR(few.energy.friction, many.energy.friction, 1e-8) << scheme.name;
  }
}

// μ = 0, the number, is the frictionless motion to the bit.
TEST(Friction, NoFrictionIsNone) {
  LagrangianDescription ball = incline(0.0), without = incline(0.0);
  for (LagrangianDescription* description : {&ball, &without}) description->constraints[0].restitution = 0.7;
  without.constraints[0].friction.reset();
  without.constraints[0].slip.clear();
  const auto a = lagrangian(ball), b = lagrangian(without);
  EXPECT_EQ(a->nf(), 0);
  const State start{.q = {0.0, 1.0}, .v = {0.3, 0.0}};
  EXPECT_EQ(simulate(*a, start, {0.0, 3.0}, MoreauJean{}, {.h = 1e-2}).trajectory.q,
            simulate(*b, start, {0.0, 3.0}, MoreauJean{}, {.h = 1e-2}).trajectory.q);
}

TEST(Friction, SchemesOnPositionsRefuseIt) {
  const auto model = lagrangian(incline(0.5));
  for (const Scheme& scheme : {Scheme(PaoliSchatzman{}), Scheme(FeasiblePosition{})})
    EXPECT_THAT(complaint([&] {
                  simulate(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 1e-3});
                }),
                HasSubstr("works on positions and has no velocity at a contact; friction (of slope) needs"));
}

// Whatever it is the bound of, with a block solver or a closed form behind it.
TEST(Friction, AFormulaThatBecomesNegativeStopsTheRun) {
  const auto sliding = lagrangian(incline("0.5 - t"));
  LagrangianDescription on_a_belt = incline(0.1);
  on_a_belt.frictions = {{.name = "belt", .slip = {"x_dot - 3"}, .limit = "0.5 - t"}};
  const auto held = lagrangian(on_a_belt);
  for (const Scheme& scheme : schemes_with_friction()) {
    for (const Model* model : {sliding.get(), held.get()}) {
      const Solution solution = simulate(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 1e-2});
      EXPECT_EQ(solution.status, Status::failed) << scheme.name;
      EXPECT_EQ(solution.failure.kind, FailureKind::friction_out_of_range) << scheme.name;
      EXPECT_NEAR(solution.failure.t, 0.5, 0.011) << scheme.name;
    }
  }
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(Penalty{})}) {
    const auto message = [&](const Model& model) {
      return simulate(model, {.q = {0.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 1e-2}).failure.message;
    };
    EXPECT_THAT(message(*sliding), HasSubstr("the coefficient of friction of slope must be at least 0"));
    EXPECT_THAT(message(*held), HasSubstr("the limit of belt must be at least 0"));
  }
}

TEST(Friction, WhatIsNoFriction) {
  const auto complain = [](const auto& change) {
    LagrangianDescription description = incline(0.3);
    change(description);
    return complaint([&] { lagrangian(description); });
  };
  EXPECT_THAT(complain([](auto& d) { d.constraints[0].slip.clear(); }), HasSubstr("constraint[0].slip: is missing"));
  EXPECT_THAT(complain([](auto& d) { d.constraints[0].friction.reset(); }), HasSubstr("goes with friction"));
  EXPECT_THAT(complain([](auto& d) { d.constraints[0].friction = -0.1; }), HasSubstr("must be at least 0, got -0.1"));
  EXPECT_THAT(complain([](auto& d) { d.constraints[0].slip = {"x_dot^2"}; }), HasSubstr("linear in the velocities"));
  EXPECT_THAT(complain([](auto& d) { d.constraints[0].slip = {"x"}; }), HasSubstr("does not depend on any velocity"));
  EXPECT_THAT(complain([](auto& d) {
                d.constraints[0].slip = {"x_dot", "y_dot", "x_dot"};
              }),
              HasSubstr("one in the plane, or two in space"));
  EXPECT_THAT(complain([](auto& d) { d.constraints[0].tangential_restitution = 1.5; }), HasSubstr("must be in [0, 1]"));
}

}  // namespace
}  // namespace ricochet
