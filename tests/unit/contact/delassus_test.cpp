// W = GᵀX̂H and its problems; a contact that cannot push is named in the sentence that ends the run.
#include "contact/delassus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/mask_array.hpp"
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

// Rates measured by G, impulses along H: W = GᵀA⁻¹H need not be symmetric, and a row may be measured anew.
TEST(Delassus, RatesAreMeasuredElsewhereThanImpulsesAct) {
  struct Halves {  // A = 2
    void solve(double* x) const { x[0] /= 2.0, x[1] /= 2.0; }
  };
  const Layout full{.coordinates = {"x", "y"}, .constraints = {"a", "b"}, .rows = {2, 2, {0, 2, 4}, {0, 1, 0, 1}}};
  const double H[] = {1.0, 0.0, 0.0, 1.0}, G[] = {1.0, 0.2, -0.4, 1.0}, b[] = {-1.0, -0.5};
  MaskArray<double> both(2);
  both[0] = both[1] = true;
  Delassus<double> delassus(2, full);
  delassus.set(Halves{}, G, H, both.data());
  const double P[] = {1.0, 10.0};
  EXPECT_DOUBLE_EQ(delassus.row_dot(0, P), 0.5 * (1.0 + 0.2 * 10.0));
  EXPECT_DOUBLE_EQ(delassus.row_dot(1, P), 0.5 * (-0.4 + 10.0));
  double solution[2];
  ASSERT_TRUE(delassus.solve(both.data(), b, solution));
  for (int j = 0; j < 2; ++j) EXPECT_NEAR(delassus.row_dot(j, solution), -b[j], 1e-14);
  delassus.set_row(H, 1);
  EXPECT_DOUBLE_EQ(delassus.row_dot(0, P), 0.5 * (1.0 + 0.2 * 10.0));
  EXPECT_DOUBLE_EQ(delassus.row_dot(1, P), 0.5 * 10.0);
}

}  // namespace
}  // namespace ricochet
