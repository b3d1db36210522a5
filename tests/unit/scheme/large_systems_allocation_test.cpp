// Steps with many contacts allocate nothing either, once contacts have come and gone.
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "support/allocations.hpp"
#include "support/frames.hpp"
#include "support/large_models.hpp"

namespace ricochet {
namespace {

void expect_no_allocation(const SchemeEntry& entry, const Model& model, State state, double h) {
  const auto stepper = make_stepper(model, {std::string(entry.name)});
  StepReport report;
  report.contacts.reserve(10'000);
  stepper->begin(state);
  const auto run = [&](int from, int until) {
    for (int k = from; k < until; ++k) {
      report.contacts.clear();
      ASSERT_EQ(stepper->advance(state, h, (k + 1) * h, report), FailureKind::none)
          << entry.name << ": " << stepper->failure_detail();
    }
  };
  run(0, 600);
  const long before = testing::allocations();
  run(600, 900);
  EXPECT_EQ(testing::allocations(), before) << entry.name;
}

// Those whose steps are all alike.
bool is_plain(const SchemeEntry& entry) {
  for (const char* name : {"moreau-jean-adaptive", "extrapolated-moreau", "splitting", "event-driven", "mannshardt",
                           "penalty", "d1-minus"})
    if (entry.name == name) return false;
  return true;
}

TEST(LargeSystemsAllocation, BeadColumn) {
  for (const SchemeEntry& entry : catalogue()) {
    if (!is_plain(entry)) continue;
    const testing::BeadColumn column({.beads = 100, .restitution = traits(entry).inelastic_only ? 0.0 : 0.5});
    expect_no_allocation(entry, column, column.start(1e-4, -1.0), 1e-3);
  }
}

TEST(LargeSystemsAllocation, BarOnStops) {
  for (const SchemeEntry& entry : catalogue()) {
    if (!is_plain(entry)) continue;
    const testing::ElasticBar bar(
        {.elements = 200, .stops = 100, .restitution = traits(entry).inelastic_only ? 0.0 : 0.5, .pull = 1.0});
    State start;
    start.q.assign(201, 1e-3);
    start.v.assign(201, -0.1);
    expect_no_allocation(entry, bar, start, 2e-3);
  }
}

// A flexible pendulum that lies down on a floor, its formulas node by node. With damping the matrix of a step is not
// symmetric.
TEST(LargeSystemsAllocation, Frame) {
  for (const double damping : {0.0, 1e-3}) {
    const Problem problem = testing::frame_problem(testing::beam_pendulum_text(40, damping) +
                                                   "[[model.constraint]]\nname = \"floor\"\nmember = \"arm\"\ngap = "
                                                   "\"y + 0.8\"\nrestitution = 0.2\nfriction = 0.3\n"
                                                   "slip = \"x_dot\"\n");
    for (const char* name : {"moreau-jean", "newmark", "hht", "generalized-alpha"})
      expect_no_allocation(find_scheme(name), *problem.model, problem.start, 1e-3);
  }
}

}  // namespace
}  // namespace ricochet
