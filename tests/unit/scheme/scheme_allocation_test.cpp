// Steps allocate nothing, under every scheme of the catalogue, once contacts have been met.
#include <gtest/gtest.h>

#include "formula/machine_code.hpp"
#include "ricochet/ricochet.hpp"
#include "support/allocations.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

void expect_no_allocation(const SchemeEntry& entry, const Model& model, State state) {
  formula::compile_after() = 0;  // when they are first evaluated, not at some step later on
  const auto stepper = make_stepper(model, {std::string(entry.name)});
  const double h = 5e-3;
  StepReport report;
  report.contacts.reserve(64);
  stepper->begin(state);
  const auto run = [&](int from, int until) {
    for (int k = from; k < until; ++k) {
      report.contacts.clear();
      ASSERT_EQ(stepper->advance(state, h, (k + 1) * h, report), FailureKind::none) << stepper->failure_detail();
    }
  };
  run(0, 400);
  const long before = testing::allocations();
  run(400, 1000);
  EXPECT_EQ(testing::allocations(), before) << entry.name;
}

TEST(SchemeAllocation, LinearSystem) {
  for (const SchemeEntry& entry : catalogue()) {
    LagrangianDescription description = testing::random_linear_description();
    for (ConstraintDescription& constraint : description.constraints)
      constraint.restitution = traits(entry).inelastic_only ? 0.0 : 0.7;
    const auto model = lagrangian(description);
    expect_no_allocation(entry, *model, testing::random_linear_start());
  }
}

TEST(SchemeAllocation, VariableMassAndCurvedGaps) {
  for (const SchemeEntry& entry : catalogue()) {
    const double e = traits(entry).inelastic_only ? 0.0 : 0.5;
    const auto model = lagrangian({.coordinates = {"a", "b"},
                                   .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                                   .potential = "-2*9.81*cos(a) - 9.81*cos(b)",
                                   .constraints = {{.name = "left", .gap = "sin(a) + sin(b) + 0.5", .restitution = e},
                                                   {.name = "right", .gap = "0.7 - sin(a)", .restitution = e}}});
    expect_no_allocation(entry, *model, {.q = {0.5, 0.6}, .v = {0.0, 0.0}});
  }
}

}  // namespace
}  // namespace ricochet
