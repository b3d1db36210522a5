// A contact that cannot push is named in the sentence that ends the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

using ::testing::HasSubstr;

// The gradient of x² vanishes at x = 0: W = 0, and no impulse keeps the gap open.
TEST(Delassus, OneContactWithoutGradient) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "9.81*x",
                                 .constraints = {{.name = "bowl", .gap = "x^2", .restitution = 0.5}}});
  const Solution solution = simulate(*model, {.q = {0.0}, .v = {0.0}}, {0.0, 1.0}, Scheme{"moreau"}, {.h = 0.1});
  ASSERT_EQ(solution.failure.kind, FailureKind::complementarity_not_solved);
  EXPECT_THAT(solution.failure.message,
              HasSubstr("an impulse on bowl changes its rate by 0 times its size, which must be positive (is the "
                        "gradient of its gap zero?)"));
}

}  // namespace
}  // namespace ricochet
