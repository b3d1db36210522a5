// Contacts at one instant: keeping closed contacts closed.
#include "contact/impact_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

// A bead that has drifted off a circle comes back along the metric of the mass; its rate is taken away.
TEST(ImpactLaw, ProjectsDriftAway) {
  const auto bowl = lagrangian({.coordinates = {"x", "y"},
                                .kinetic = "(x_dot^2 + 4*y_dot^2)/2",
                                .constraints = {{.name = "bowl", .gap = "1 - sqrt(x^2 + y^2)", .restitution = 0.5}}});
  ImpactLaw law(*bowl);
  double q[] = {0.6, 0.81}, v[] = {1.0, 0.2};
  ASSERT_EQ(law.place(0.0, q), FailureKind::none);
  law.clear();
  law.include(0);
  ASSERT_EQ(law.close_gaps(0.0, q), FailureKind::none);
  EXPECT_NEAR(std::hypot(q[0], q[1]), 1.0, 1e-15);
  ASSERT_EQ(law.hold(v), FailureKind::none);
  EXPECT_NEAR(q[0] * v[0] + q[1] * v[1], 0.0, 1e-15);
}

// Two contacts on one surface share what one of them could carry.
TEST(ImpactLaw, RedundantContactsAreHeld) {
  const auto doubled = lagrangian({.coordinates = {"x"},
                                   .kinetic = "x_dot^2/2",
                                   .constraints = {{.name = "one", .gap = "x", .restitution = 0.0},
                                                   {.name = "two", .gap = "2*x", .restitution = 0.0}}});
  ImpactLaw law(*doubled);
  double q[] = {-1e-3}, v[] = {0.7};
  ASSERT_EQ(law.place(0.0, q), FailureKind::none);
  law.clear();
  law.include(0);
  law.include(1);
  ASSERT_EQ(law.close_gaps(0.0, q), FailureKind::none);
  EXPECT_NEAR(q[0], 0.0, 1e-15);
  ASSERT_EQ(law.hold(v), FailureKind::none);
  EXPECT_NEAR(v[0], 0.0, 1e-15);
}

// Contacts that contradict each other cannot both be closed: the failure has a kind of its own.
TEST(ImpactLaw, DriftThatCannotBeProjected) {
  const auto contradiction = lagrangian({.coordinates = {"x"},
                                         .kinetic = "x_dot^2/2",
                                         .constraints = {{.name = "one", .gap = "x", .restitution = 0.0},
                                                         {.name = "two", .gap = "0.5 - x", .restitution = 0.0}}});
  ImpactLaw law(*contradiction);
  double q[] = {0.1};
  ASSERT_EQ(law.place(0.0, q), FailureKind::none);
  law.clear();
  law.include(0);
  law.include(1);
  EXPECT_EQ(law.close_gaps(0.0, q), FailureKind::drift_not_projected);
  EXPECT_EQ(name(FailureKind::drift_not_projected), "drift-not-projected");
}

}  // namespace
}  // namespace ricochet
