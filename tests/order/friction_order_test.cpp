// Orders with friction: sliding, stick and slip, a slip that turns in space, impacts. Figures of an independent
// measurement.
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "support/motion_orders.hpp"

namespace ricochet {
namespace {

using testing::expect_orders;

std::unique_ptr<Model> belt() {
  return lagrangian({.coordinates = {"x"},
                     .kinetic = "x_dot^2/2",
                     .potential = "x^2/2",
                     .force = {{"x", "0.2*(x_dot - 0.5)"}},
                     .frictions = {{.name = "belt", .slip = {"x_dot - 0.5"}, .limit = 1.0}}});
}

TEST(FrictionOrder, SlippingOnABelt) {
  expect_orders(*belt(), {.q = {1.0}, .v = {0.4}}, 2.0, 0.04,
                {{MoreauJean{}, 1.99, 1.99, 2.00},
                 {MoreauJean{.theta = 1.0}, 0.96, 0.98, 0.99},
                 {Newmark{}, 1.99, 1.99, 2.00},
                 {GeneralizedAlpha{.rho_infinity = 0.8}, 1.99, 1.99, 2.00},
                 {Nsga{.rho_infinity = 0.8}, 1.99, 1.99, 2.00},
                 {Splitting{.tableau = "rk4"}, 4.00, 4.00, 4.00},
                 {Splitting{.contact_forces = false}, 1.00, 1.00, 1.00}});
}

// Velocities are continuous where sticking ends and begins: the order stays.
TEST(FrictionOrder, StickAndSlipOnABelt) {
  expect_orders(*belt(), {.q = {0.0}, .v = {0.5}}, 9.0, 0.04,
                {{MoreauJean{}, 1.93, 1.95, 1.97},
                 {MoreauJean{.theta = 1.0}, 0.97, 0.97, 1.00},
                 {Newmark{}, 1.93, 1.95, 1.97},
                 {GeneralizedAlpha{.rho_infinity = 0.8}, 1.93, 1.95, 1.97},
                 {Nsga{.rho_infinity = 0.8}, 1.93, 1.95, 1.97},
                 {Splitting{.contact_forces = false}, 1.00, 1.00, 1.00}},
                3);
}

// The direction of friction is that at the end of a step: where the slip turns, one order is lost.
TEST(FrictionOrder, ASlipThatTurns) {
  const auto model = lagrangian(
      {.coordinates = {"x", "y", "z"},
       .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2",
       .potential = "9.81*(z*cos(0.4) - x*sin(0.4))",
       .constraints = {
           {.name = "slope", .gap = "z", .restitution = 0.0, .friction = 0.35, .slip = {"x_dot", "y_dot"}}}});
  expect_orders(*model, {.q = {0.0, 0.0, 0.0}, .v = {0.0, 2.0, 0.0}}, 1.2, 0.04,
                {{MoreauJean{}, 1.00, 1.01, 1.00},
                 {GeneralizedAlpha{.rho_infinity = 0.8}, 1.00, 1.01, 1.00},
                 {Nsga{.rho_infinity = 0.8}, 1.00, 1.01, 1.00},
                 {Splitting{.tableau = "rk4"}, 4.00, 4.00, 4.00}});
}

}  // namespace
}  // namespace ricochet
