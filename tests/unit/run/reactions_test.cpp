// Reactions of joints as results: a pendulum in Cartesian coordinates against its solution in elliptic functions.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

// A mass on a string of length l = 1, let go at an angle of 2 rad: g_B = (x² + y² − l²)/(2l), m = 1.
std::unique_ptr<Model> cartesian_pendulum() {
  return lagrangian({.coordinates = {"x", "y"},
                     .kinetic = "m*(x_dot^2 + y_dot^2)/2",
                     .potential = "m*g*y",
                     .parameters = {{"m", 1.0}, {"l", 1.0}, {"g", 9.81}},
                     .joints = {{.name = "string", .equation = {"(x^2 + y^2 - l^2)/(2*l)"}}}});
}

constexpr double start_angle = 2.0;

struct Reaction {
  double t, lambda;
};
constexpr std::array<Reaction, 4> exact = {
    {{0.5, -27.81577031177446}, {1.0, -10.509679680360257}, {2.0, -37.59465531542795}, {3.0, -10.619080344987548}}};

Solution swing(const Scheme& scheme, double h) {
  return simulate(*cartesian_pendulum(), {.q = {std::sin(start_angle), -std::cos(start_angle)}}, {0.0, 3.0}, scheme,
                  {.h = h, .record_every = static_cast<std::uint64_t>(std::lround(0.5 / h))});
}

// The largest relative error at the known times.
double reaction_error(const Scheme& scheme, double h) {
  const Solution solution = swing(scheme, h);
  EXPECT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
  const Trajectory& kept = solution.trajectory;
  double error = 0.0;
  for (const Reaction& known : exact) {
    const auto row = static_cast<std::size_t>(std::lround(known.t / 0.5));
    if (row >= kept.reaction.size()) return INFINITY;
    EXPECT_NEAR(kept.t[row], known.t, 1e-12);
    error = std::max(error, std::abs(kept.reaction[row] / known.lambda - 1.0));
  }
  return error;
}

TEST(Reactions, AreRecordedWithTheMotion) {
  const Solution solution = swing(MoreauJean{}, 1e-3);
  ASSERT_EQ(solution.trajectory.reaction.size(), solution.trajectory.t.size());
  ASSERT_EQ(solution.reaction.size(), 1u);
  EXPECT_EQ(solution.reaction[0], solution.trajectory.reaction.back());
}

// At rest the string holds its share of the weight; above the horizontal it would have to push.
TEST(Reactions, AtTheStartComeFromTheAccelerations) {
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(EventDriven{})})
    EXPECT_NEAR(swing(scheme, 1e-2).trajectory.reaction.front(), -9.81 * std::cos(start_angle), 1e-14) << scheme.name;
}

TEST(Reactions, OfEventDrivenAreThoseOfTheState) { EXPECT_LT(reaction_error(EventDriven{.rtol = 1e-11}, 0.01), 1e-8); }

// Impulses of the last step by its length: the mean over the step, which is of first order at its end.
TEST(Reactions, OfSchemesInVelocitiesAreMeansOverAStep) {
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{})}) {
    const double coarse = reaction_error(scheme, 2e-3), fine = reaction_error(scheme, 1e-3);
    EXPECT_LT(fine, 0.01) << scheme.name;
    EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.15) << scheme.name << ": " << coarse << ", " << fine;
  }
}

// Of schemes with their own steps over the last of these, of the extrapolated one over the last part of its finest
// base.
TEST(Reactions, OfTheOtherSchemes) {
  for (const Scheme& scheme :
       {Scheme(Hht{}), Scheme(GeneralizedAlpha{}), Scheme(D1Minus{}), Scheme(Mannshardt{}), Scheme(Splitting{}),
        Scheme(MoreauJeanAdaptive{}), Scheme(ExtrapolatedMoreau{}), Scheme(Penalty{})})
    EXPECT_LT(reaction_error(scheme, 1e-3), 0.05) << scheme.name;
}

// Contacts that are closed at the start carry their part: two masses on a floor with a rod between them.
TEST(Reactions, AtTheStartKnowTheContactsThatTouch) {
  const auto pair = lagrangian({.coordinates = {"a", "b"},
                                .kinetic = "(a_dot^2 + b_dot^2)/2",
                                .potential = "g*(a + 3*b)",
                                .parameters = {{"g", 9.81}},
                                .constraints = {{.name = "floor", .gap = "a", .restitution = 0.0}},
                                .joints = {{.name = "rod", .equation = {"b - a - 1"}}}});
  const Solution solution =
      simulate(*pair, {.q = {0.0, 1.0}}, {0.0, 0.1}, MoreauJean{}, {.h = 1e-2, .record_every = 1});
  for (const double lambda : solution.trajectory.reaction) EXPECT_NEAR(lambda, 3.0 * 9.81, 1e-12);
}

TEST(Reactions, WithoutJointsThereAreNone) {
  const auto free = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2"});
  const Solution solution = simulate(*free, {.q = {0.0}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1});
  EXPECT_TRUE(solution.trajectory.reaction.empty());
  EXPECT_TRUE(solution.reaction.empty());
}

}  // namespace
}  // namespace ricochet
