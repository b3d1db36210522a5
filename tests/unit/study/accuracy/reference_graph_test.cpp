// The graph of a computed reference has its own impacts: what it differs by from itself is no sampling.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/checked_reference.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet {
namespace {

// A ball on a table that moves as 0.1 sin 12t: bounces, an accumulation at 1.516, rest, and a new flight.
TEST(ReferenceGraph, HasNoFloorOfItsSampling) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "9.81*x",
                                 .constraints = {{.name = "table", .gap = "x - 0.1*sin(12*t)", .restitution = 0.5}}});
  const StudyProblem problem{.model = model.get(), .start = {.q = {0.5}, .v = {0.0}}, .span = {0.0, 2.0}, .h = 1e-3};
  const TimeSpan window{0.0, 2.0};
  const CheckedReference reference = checked_reference(problem, "event-driven", window);
  // Chords of 2 ms: ⅛ h² |v''|, v'' = 0.1·12³ on the table; it was 0.041.
  EXPECT_LT(reference.agreed[Norm::v_hausdorff], 0.125 * 4e-6 * 0.1 * 1728.0 * 1.1);

  const std::vector<Graph> graphs = reference.motion->velocity_graphs(window, 1e-2);
  ASSERT_EQ(graphs.size(), 1u);
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < graphs[0].t.size(); ++i) jumps += graphs[0].t[i] == graphs[0].t[i - 1];
  EXPECT_GE(jumps, 20u) << "impacts of the accumulation too";
}

// Part of a window that begins between two nodes.
TEST(ReferenceGraph, BeginsWhereTheWindowDoes) {
  const auto model = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x"});
  const StudyProblem problem{.model = model.get(), .start = {.q = {0.5}, .v = {0.0}}, .span = {0.0, 1.0}, .h = 1e-2};
  const ComputedMotion motion(problem, EventDriven{}, 0.1, "here");
  const Graph graph = motion.velocity_graphs({0.25, 0.95}, 0.1)[0];
  EXPECT_EQ(graph.t.front(), 0.25);
  EXPECT_NEAR(graph.x.front(), -0.25, 1e-14);
  EXPECT_EQ(graph.t.back(), 0.95);
}

}  // namespace
}  // namespace ricochet
