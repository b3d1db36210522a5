// Friction in the words of a description: what a limit may contain, what breaks smoothness.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/model/lagrangian.hpp"
#include "support/complaint.hpp"

namespace ricochet {
namespace {

using testing::complaint;
using ::testing::HasSubstr;

// A block on a floor, held by a guide, with a brake.
LagrangianDescription braked(const Quantity& limit) {
  return {.coordinates = {"x", "y", "z"},
          .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2",
          .parameters = {{"N", 2.0}, {"guide_force", 3.0}},
          .constraints = {{.name = "floor", .gap = "y", .restitution = 0.0}},
          .joints = {{.name = "guide", .equation = {"z"}}},
          .frictions = {{.name = "brake", .slip = {"x_dot"}, .limit = limit}}};
}

TEST(FrictionNames, ALimitContainsNoReaction) {
  for (const char* limit :
       {"0.3*floor", "0.3*floor.reaction", "0.1 + guide", "sqrt(guide.reaction.1)", "0.3*floor_force",
        "0.3*abs(floor_impulse)", "guide_reaction_1", "0.1 + brake_friction", "brake_friction_force_2"})
    EXPECT_THAT(complaint([&] { lagrangian(braked(limit)); }),
                HasSubstr("friction[0].limit: must be known before the motion is, a number or a formula of t and q: it "
                          "cannot contain the reaction of '"))
        << limit;
  EXPECT_EQ(lagrangian(braked("0.3*N*(1 + x^2) + guide_force + t"))->nf(), 1);
  for (const char* limit : {"0.3*flor", "floor_forces", "floor_reactions_1", "guide_", "guide_2x"})
    EXPECT_THAT(complaint([&] { lagrangian(braked(limit)); }), HasSubstr("friction[0].limit: unknown name"));
}

// A name of the formula's own, or a function, counts before that of a constraint.
TEST(FrictionNames, AParameterOrAFunctionMayHaveTheNameOfAConstraint) {
  LagrangianDescription description = braked("0.3*guide + floor(t)");
  description.parameters.emplace_back("guide", 4.0);
  EXPECT_EQ(lagrangian(description)->nf(), 1);
}

TEST(FrictionNames, NonsmoothFormulas) {
  LagrangianDescription description = braked("abs(x)");
  description.frictions[0].slip = {"x_dot*max(1, y)"};
  description.constraints[0].friction = "if(x > 0, 0.1, 0.2)";
  description.constraints[0].slip = {"x_dot*(2 + sign(x))"};
  const std::vector<NonsmoothFunction> expected = {{"constraint[0].friction", "if"},
                                                   {"constraint[0].slip", "sign"},
                                                   {"friction[0].slip", "max"},
                                                   {"friction[0].limit", "abs"}};
  EXPECT_EQ(nonsmooth_functions(description), expected);
}

}  // namespace
}  // namespace ricochet
