// Curves of special points against closed forms.
#include "ricochet/study/special_curves.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "ricochet/ricochet.hpp"
#include "unit/study/orbit/orbit_samples.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;

OrbitSystem oscillator_at(double A, double w) {
  return {std::shared_ptr<const Model>(lagrangian(testing::oscillator(A, w))), 2.0 * pi / w};
}

// The motion without impacts of x'' + 0.1 x' + x = A cos ωt just reaches 1: A² = (1 − ω²)² + (0.1 ω)².
TEST(SpecialCurves, GrazingOfTheMotionWithoutImpacts) {
  const OrbitSearch found = find_orbit(oscillator_at(0.3, 1.2), {0.0, {0.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  const Continuation branch =
      continue_orbit([](double A) { return oscillator_at(A, 1.2); }, found.orbit, 0.3, {.from = 0.05, .until = 0.9});
  const std::vector<OrbitCurve> curves = follow_special_points(
      oscillator_at, branch, 1.2, {.from = 0.05, .until = 0.9, .second_from = 0.8, .second_until = 1.3});
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_EQ(curves[0].kind, SpecialKind::grazing);
  ASSERT_GT(curves[0].first.size(), 20U);
  for (std::size_t k = 0; k < curves[0].first.size(); ++k) {
    const double w = curves[0].second[k];
    EXPECT_NEAR(curves[0].first[k], std::hypot(1.0 - w * w, 0.1 * w), 1e-8) << w;
  }
  EXPECT_NEAR(curves[0].second.front(), 0.8, 1e-6);
  EXPECT_NEAR(curves[0].second.back(), 1.3, 1e-6);
}

// A ball under gravity 1 on a table −Γ cos t with the restitution e.
OrbitSystem ball_at(double Gamma, double e) {
  LagrangianDescription ball;
  ball.coordinates = {"x"};
  ball.parameters = {{"A", Gamma}};
  ball.kinetic = "x_dot^2/2";
  ball.potential = "x";
  ball.constraints = {{.name = "table", .gap = "x + A*cos(t)", .restitution = e}};
  return {std::shared_ptr<const Model>(lagrangian(ball)), 2.0 * pi};
}

// Fold at Γ = π (1 − e)/(1 + e), flip at Γ² = fold² + [2(1 + e²)/(1 + e)²]².
TEST(SpecialCurves, FoldsAndFlipsOfTheBouncingBall) {
  const double phase = pi - std::asin(pi / 3.0 / 1.5);
  const State top{phase + pi, {-1.5 * std::cos(phase) + 0.5 * pi * pi}, {0.0}};
  const OrbitSearch found = find_orbit(ball_at(1.5, 0.5), top, {.guessed = 1});
  ASSERT_EQ(found.failure, "");
  const Continuation branch =
      continue_orbit([](double Gamma) { return ball_at(Gamma, 0.5); }, found.orbit, 1.5, {.from = 0.9, .until = 2.0});
  const std::vector<OrbitCurve> curves =
      follow_special_points(ball_at, branch, 0.5, {.from = 0.6, .until = 2.2, .second_from = 0.4, .second_until = 0.6});
  int folds = 0, flips = 0;
  for (const OrbitCurve& curve : curves)
    for (std::size_t k = 0; k < curve.first.size(); ++k) {
      const double e = curve.second[k], fold = pi * (1.0 - e) / (1.0 + e);
      const double flip = std::hypot(fold, 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)));
      const bool is_fold = curve.kind == SpecialKind::fold, is_flip = curve.kind == SpecialKind::flip;
      folds += is_fold ? 1 : 0, flips += is_flip ? 1 : 0;
      if (is_fold || is_flip) {
        EXPECT_NEAR(curve.first[k], is_fold ? fold : flip, 1e-8) << e;
      }
    }
  EXPECT_GT(folds, 10);
  EXPECT_GT(flips, 10);
}

}  // namespace
}  // namespace ricochet
