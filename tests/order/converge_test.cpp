// ricochet converge on scenarios of the gallery finds the orders of an independent measurement.
#include "ricochet/task/converge.hpp"

#include <gtest/gtest.h>

#include "ricochet/io/scenario/option_text.hpp"

namespace ricochet {
namespace {

struct Row {
  const char* scenario;
  const char* schemes;
  TimeSpan window;
  double q_sup, q_l1, v_l1;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.scenario << " " << row.schemes; }

class ConvergeOrders : public ::testing::TestWithParam<Row> {};

TEST_P(ConvergeOrders, AreTheKnownOnes) {
  const Row& row = GetParam();
  ConvergeRequest request;
  request.schemes = parse_schemes(row.schemes);
  request.steps = parse_steps("0.04:5");
  request.window = row.window;
  const ConvergeOutcome result = converge_scenario(open_scenario(row.scenario), request);
  EXPECT_EQ(result.reference.kind, "exact");
  const SchemeConvergence& scheme = result.study.schemes.at(0);
  const auto order = [&](Norm norm) { return scheme.fits[static_cast<std::size_t>(norm)].order; };
  EXPECT_NEAR(order(Norm::q_sup), row.q_sup, 0.15);
  EXPECT_NEAR(order(Norm::q_l1), row.q_l1, 0.15);
  EXPECT_NEAR(order(Norm::v_l1), row.v_l1, 0.15);
  // About 1 for every time-stepping scheme across isolated impacts, 2 in flight. Through the accumulation, until t = 4,
  // the graphs are compared with those of infinitely many jumps, and no order is claimed.
  if (row.window.until != 4.0) EXPECT_NEAR(order(Norm::v_hausdorff), row.window.until > 1.5 ? 1.0 : 2.0, 0.15);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ConvergeOrders,
    ::testing::Values(Row{"gallery:lecture-ball", "moreau-jean", {0.0, 1.6}, 1.05, 1.07, 1.05},
                      Row{"gallery:lecture-ball", "moreau-jean:theta=1", {0.0, 4.0}, 0.98, 0.99, 0.87},
                      Row{"gallery:lecture-ball", "moreau", {0.0, 1.6}, 1.03, 1.03, 1.05},
                      Row{"gallery:impact-oscillator", "moreau-jean", {0.0, 1.5}, 2.0, 2.0, 2.0},
                      Row{"gallery:impact-oscillator", "mabrouk", {0.0, 10.0}, 0.97, 0.97, 0.97},
                      Row{"gallery:impact-oscillator", "splitting", {0.0, 3.0}, 1.01, 1.01, 1.0}));

// A computed reference gives the same orders as the formulas, and a scheme that is exact has none.
TEST(ConvergeScenario, ComputedReference) {
  ConvergeRequest request;
  request.schemes = parse_schemes("moreau-jean");
  request.steps = parse_steps("0.04:4");
  request.window = TimeSpan{0.0, 3.0};
  const ScenarioFile file = open_scenario("gallery:impact-oscillator");
  const ConvergeOutcome exact = converge_scenario(file, request);
  for (const char* name : {"event-driven", "mannshardt"}) {
    request.reference = name;
    const ConvergeOutcome computed = converge_scenario(file, request);
    EXPECT_LT(computed.reference.agreed[Norm::q_sup], 1e-8);
    for (std::size_t n = 0; n < norm_count; ++n)
      EXPECT_NEAR(computed.study.schemes[0].fits[n].order, exact.study.schemes[0].fits[n].order, 0.02)
          << name << " " << norm_names[n];
  }
}

TEST(ConvergeScenario, ExactInFlight) {
  ConvergeRequest request;
  request.schemes = parse_schemes("moreau-jean");
  request.steps = parse_steps("0.04:3");
  request.window = TimeSpan{0.0, 0.9};
  const ConvergeOutcome result = converge_scenario(open_scenario("gallery:lecture-ball"), request);
  EXPECT_EQ(result.study.schemes[0].at_floor[0], 3u);
  EXPECT_LT(result.study.schemes[0].fits[0].points, 2u);
}

}  // namespace
}  // namespace ricochet
