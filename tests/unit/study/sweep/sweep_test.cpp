// Sweeps: lanes equal single runs bit for bit, threads change nothing, and known orbits and exponents are found.
#include <gtest/gtest.h>
#include <numbers>

#include <cmath>
#include <random>

#include "ricochet/formula/parse.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/study/lyapunov.hpp"
#include "scheme/event/lane_flights.hpp"
#include "study/sweep/sweep_run.hpp"
#include "study/sweep/trajectory_recorder.hpp"
#include "unit/study/sweep/sweep_runs.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;

using testing::Cases;
using testing::expect_same;
using testing::run;
using testing::Work;

// x'' + 2ζx' + x = A cos ωt, x ≤ x_max
LagrangianDescription oscillator(double e = 0.8) {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "x^2/2",
          .dissipation = "zeta*x_dot^2",
          .force = {{"x", "A*cos(w*t)"}},
          .parameters = {{"w", 2.0}, {"zeta", 0.05}, {"A", 1.0}, {"x_max", 0.5}},
          .constraints = {{.name = "stop", .gap = "x_max - x", .restitution = e}}};
}

SweepCase oscillator_case(const LagrangianFamily& family, std::uint64_t i, const Scheme& scheme, double step = 5e-3) {
  SweepCase c;
  const double w = 1.5 + 0.1 * static_cast<double>(i);
  c.parameters = {w, 0.05, 1.0, 0.1 * static_cast<double>(i % 5)};  // x_max = 0 too
  c.model = family.model(c.parameters);
  c.start = {.q = {-0.1 * static_cast<double>(i % 3)}, .v = {0.2}};
  c.scheme = scheme;
  c.step = step;
  c.period = 2.0 * pi / w;
  c.transient = 5.0 * c.period;
  c.duration = (4.0 + static_cast<double>(i % 4)) * c.period;
  return c;
}

// A pendulum with two bobs between curved walls: variable mass, Newton at every step, several contacts.
LagrangianDescription pendulum() {
  return {.coordinates = {"a", "b"},
          .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
          .potential = "-2*g*cos(a) - g*cos(b)",
          .force = {{"b", "0.5*cos(3*t)"}},
          .parameters = {{"g", 9.81}},
          .constraints = {{.name = "left", .gap = "sin(a) + sin(b) + 0.5", .restitution = 0.5},
                          {.name = "right", .gap = "0.7 - sin(a)", .restitution = 0.5}}};
}

// A linear system with a curved obstacle: one matrix for all steps, but gradients that change.
LagrangianDescription round_stop() {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .potential = "k*x^2/2 + y^2",
          .force = {{"x", "2*cos(2*t)"}},
          .parameters = {{"k", 1.0}},
          .constraints = {{.name = "circle", .gap = "1 - x^2 - y^2", .restitution = 0.7}}};
}

SweepCase plain_case(const LagrangianFamily& family, std::uint64_t i, const Scheme& scheme, State start, double first,
                     double last) {
  SweepCase c;
  c.parameters = {first + (last - first) * static_cast<double>(i) / 20.0};
  c.model = family.model(c.parameters);
  c.start = std::move(start);
  c.scheme = scheme;
  c.step = 4e-3;
  c.transient = 2.0;
  c.duration = 3.0 + 0.2 * static_cast<double>(i % 4);
  return c;
}

class SweepLanes : public ::testing::TestWithParam<std::string> {
 protected:
  SweepSettings settings(SweepRecord record, const LagrangianFamily& family, const char* section = nullptr) const {
    SweepSettings s;
    s.record = record;
    if (record == SweepRecord::statistics) s.impulse_edges = {0.0, 0.1, 0.5, 1.0, 2.0};
    if (section != nullptr) s.section = section_tape(family, section);
    return s;
  }

 public:
  static formula::Tape section_tape(const LagrangianFamily& family, const char* text);
};

formula::Tape SweepLanes::section_tape(const LagrangianFamily& family, const char* text) {
  formula::Graph graph;
  formula::SymbolTable symbols;
  const Layout& layout = family.layout();
  for (int i = 0; i < layout.nq(); ++i) {
    symbols.add(layout.coordinates[i], {formula::Bank::coordinate, i});
    symbols.add(layout.coordinates[i] + "_dot", {formula::Bank::velocity, i});
  }
  for (std::size_t i = 0; i < family.parameters().size(); ++i)
    symbols.add(family.parameters()[i], {formula::Bank::parameter, static_cast<int>(i)});
  return formula::Tape(graph, {formula::parse(graph, text, symbols)});
}

TEST_P(SweepLanes, EveryRecordOfAnOscillator) {
  const double e = traits(find_scheme(GetParam())).inelastic_only ? 0.0 : 0.8;
  const Scheme scheme{GetParam()};
  const Cases cases(oscillator(e),
                    [&](const LagrangianFamily& f, std::uint64_t i) { return oscillator_case(f, i, scheme); });
  for (const SweepRecord record :
       {SweepRecord::stroboscopic, SweepRecord::impacts, SweepRecord::statistics, SweepRecord::section}) {
    const SweepSettings s =
        settings(record, *cases.family(), record == SweepRecord::section ? "x_dot - 0.1*w*x" : nullptr);
    const auto single = run(cases, s, 21, 1), lanes = run(cases, s, 21, lane_count);
    expect_same(single, lanes);
    std::uint64_t impacts = 0, points = 0;
    for (const auto& [index, slot] : single) impacts += slot.impacts, points += slot.points.size();
    EXPECT_GT(impacts, 40u);
    if (record != SweepRecord::statistics) EXPECT_GT(points, 40u);
    expect_same(lanes, run(cases, s, 21, lane_count, 3));
  }
}

TEST_P(SweepLanes, CurvedObstacles) {
  const SchemeEntry& entry = find_scheme(GetParam());
  const Scheme scheme{GetParam()};
  LagrangianDescription two = pendulum(), one = round_stop();
  for (LagrangianDescription* d : {&two, &one})
    for (ConstraintDescription& constraint : d->constraints)
      if (traits(entry).inelastic_only) constraint.restitution = 0.0;
  const Cases pendulums(two, [&](const LagrangianFamily& f, std::uint64_t i) {
    return plain_case(f, i, scheme, {.q = {0.5, 0.6}, .v = {0.0, 0.0}}, 5.0, 12.0);
  });
  const Cases circles(one, [&](const LagrangianFamily& f, std::uint64_t i) {
    return plain_case(f, i, scheme, {.q = {0.1, 0.2}, .v = {0.5, -1.0}}, 0.5, 3.0);
  });
  for (const Cases* cases : {&pendulums, &circles}) {
    const SweepSettings s = settings(SweepRecord::impacts, *cases->family());
    SCOPED_TRACE(cases == &circles ? "circles" : "pendulums");
    const auto single = run(*cases, s, 21, 1);
    std::uint64_t impacts = 0;
    for (const auto& [index, slot] : single) impacts += slot.impacts;
    EXPECT_GT(impacts, 10u);
    expect_same(single, run(*cases, s, 21, lane_count));
  }
}

// A pendulum in Cartesian coordinates that swings against a wall, and one of a linear system whose joint is driven.
TEST_P(SweepLanes, Joints) {
  const SchemeEntry& entry = find_scheme(GetParam());
  if (traits(entry).position_law) return;
  const Scheme scheme{GetParam()};
  const double e = traits(entry).inelastic_only ? 0.0 : 0.9;
  const LagrangianDescription string{.coordinates = {"x", "y"},
                                     .kinetic = "(x_dot^2 + y_dot^2)/2",
                                     .potential = "g*y",
                                     .parameters = {{"g", 9.81}},
                                     .constraints = {{.name = "wall", .gap = "x + 0.2", .restitution = e}},
                                     .joints = {{.name = "string", .equation = {"(x^2 + y^2 - 1)/2"}}}};
  const LagrangianDescription shaker{.coordinates = {"x", "y"},
                                     .kinetic = "(x_dot^2 + y_dot^2)/2",
                                     .potential = "k*(y - x)^2/2",
                                     .parameters = {{"k", 5.0}},
                                     .constraints = {{.name = "wall", .gap = "y + 0.1", .restitution = e}},
                                     .joints = {{.name = "drive", .equation = {"x - 0.3*sin(2*t)^2"}}}};
  const Cases strings(string, [&](const LagrangianFamily& f, std::uint64_t i) {
    return plain_case(f, i, scheme, {.q = {0.8, -0.6}, .v = {0.0, 0.0}}, 5.0, 12.0);
  });
  const Cases shakers(shaker, [&](const LagrangianFamily& f, std::uint64_t i) {
    return plain_case(f, i, scheme, {.q = {0.0, 0.3}, .v = {0.0, 0.0}}, 5.0, 12.0);
  });
  for (const Cases* cases : {&strings, &shakers}) {
    const SweepSettings s = settings(SweepRecord::impacts, *cases->family());
    SCOPED_TRACE(cases == &strings ? "strings" : "shakers");
    const auto single = run(*cases, s, 21, 1);
    std::uint64_t impacts = 0;
    for (const auto& [index, slot] : single) {
      impacts += slot.impacts;
      EXPECT_EQ(slot.failure, "");
    }
    EXPECT_GT(impacts, 10u);
    expect_same(single, run(*cases, s, 21, lane_count));
  }
}

std::vector<std::string> lane_schemes() {
  std::vector<std::string> names;
  for (const SchemeEntry& entry : catalogue())
    if (entry.make_lanes != nullptr || has_lane_flights(entry)) names.emplace_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, SweepLanes, ::testing::ValuesIn(lane_schemes()), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Sweep, MoreauJeanAndPaoliSchatzmanHaveLanes) {
  EXPECT_NE(find_scheme("moreau-jean").make_lanes, nullptr);
  EXPECT_NE(find_scheme("paoli-schatzman").make_lanes, nullptr);
}

// Steps of event-driven are made in lanes where forces are not linear; one that fails does not disturb its neighbours.
TEST(Sweep, FlightsOfEventDrivenAreMadeInLanes) {
  LagrangianDescription valve{.coordinates = {"x"},
                              .kinetic = "x_dot^2/2",
                              .potential = "(x + 10)^2/2",
                              .dissipation = "x_dot^2/2",
                              .force = {{"x", "p"}},
                              .parameters = {{"flow", 3.0}},
                              .states = {{.name = "p", .rate = "20*(flow - x*sqrt(p)) + 1e-9*sqrt(7.5 - flow - t)"}},
                              .constraints = {{.name = "seat", .gap = "x", .restitution = 0.8}}};
  const Cases cases(valve, [](const LagrangianFamily& f, std::uint64_t i) {
    return plain_case(f, i, EventDriven{.rtol = 1e-10, .atol = 1e-10}, {.q = {0.2}, .v = {0.0}, .z = {1.0}}, 0.5, 4.0);
  });
  SweepSettings settings;
  settings.record = SweepRecord::impacts;
  Work work(21, 2);
  settings.lanes = lane_count;
  ASSERT_TRUE(sweep_flights(cases, settings, work));
  const auto alone = run(cases, settings, 21, 1, 1, 2);
  expect_same(work.slots, alone);
  const auto failed =
      std::count_if(alone.begin(), alone.end(), [](const auto& x) { return !x.second.failure.empty(); });
  EXPECT_GT(failed, 2);
  EXPECT_LT(failed, 19);
}

// Exact flights side by side, rest and resonance among them: the bits of single runs whatever is kept.
TEST(Sweep, ExactFlightsHaveTheBitsOfSingleRuns) {
  const Cases cases(oscillator(0.5), [](const LagrangianFamily& f, std::uint64_t i) {
    SweepCase c = oscillator_case(f, i, EventDriven{.flow = EventDriven::Flow::exact}, 0.1);
    c.parameters[0] = 0.8 + 0.1 * static_cast<double>(i);
    c.model = f.model(c.parameters);
    if (i == 4) c.start.q = {1.0};  // inside the stop: cannot begin
    return c;
  });
  for (const SweepRecord record : {SweepRecord::stroboscopic, SweepRecord::impacts, SweepRecord::statistics}) {
    SweepSettings settings;
    settings.record = record;
    const auto alone = run(cases, settings, 19, 1);
    expect_same(alone, run(cases, settings, 19, lane_count));
    expect_same(alone, run(cases, settings, 19, lane_count, 2));
    EXPECT_NE(alone.at(4).failure, "");
    EXPECT_EQ(alone.at(5).failure, "");
    EXPECT_GT(alone.at(5).impacts, 2u);
  }
}

// Notes are not taken in sweeps, but what must end a run ends it.
TEST(Sweep, ForcesThatNumbersDoNotResolveEndFlightsInLanes) {
  LagrangianDescription noise{.coordinates = {"x"},
                              .kinetic = "x_dot^2/2",
                              .force = {{"x", "sin(k*x)"}},
                              .parameters = {{"k", 1.0}},
                              .constraints = {{.name = "floor", .gap = "x", .restitution = 0.8}}};
  const Cases cases(noise, [](const LagrangianFamily& f, std::uint64_t i) {
    return plain_case(f, i, EventDriven{}, {.q = {1.0}, .v = {-0.5}}, 0.0, i % 2 == 0 ? 1.0 : 1e20);
  });
  const auto alone = run(cases, {.record = SweepRecord::impacts}, 5, 1);
  expect_same(alone, run(cases, {.record = SweepRecord::impacts}, 5, lane_count));
  for (const std::uint64_t i : {0u, 2u, 4u}) EXPECT_EQ(alone.at(i).failure, "");
  for (const std::uint64_t i : {1u, 3u}) EXPECT_NE(alone.at(i).failure.find("back and forth"), std::string::npos);
}

TEST(Sweep, EverySchemeRuns) {
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme{std::string(entry.name)};
    const Cases cases(oscillator(traits(entry).inelastic_only ? 0.0 : 0.8),
                      [&](const LagrangianFamily& f, std::uint64_t i) { return oscillator_case(f, i, scheme, 0.01); });
    SweepSettings s;
    const auto slots = run(cases, s, 3, lane_count, 2);
    for (const auto& [index, slot] : slots) {
      EXPECT_EQ(slot.failure, "") << entry.name;
      EXPECT_EQ(slot.points.size(), 3 * (4 + index % 4)) << entry.name;
    }
  }
}

TEST(Sweep, ContinuationStartsWhereTheLastOneEnded) {
  const Scheme scheme = MoreauJean{};
  const Cases cases(oscillator(), [&](const LagrangianFamily& f, std::uint64_t i) {
    SweepCase c = oscillator_case(f, i, scheme);
    c.parameters[3] = 0.5 - 0.02 * static_cast<double>(i);  // the stop comes closer
    c.model = f.model(c.parameters);
    return c;
  });
  const SweepSettings s;
  const auto chained = run(cases, s, 20, 1, 1, 20);
  expect_same(chained, run(cases, s, 20, lane_count, 1, 20));
  const auto apart = run(cases, s, 20, 1);
  EXPECT_EQ(chained.at(0).points, apart.at(0).points);
  // Some end elsewhere than from their own start; all go on.
  int differ = 0;
  for (std::uint64_t i = 1; i < 20; ++i) {
    EXPECT_EQ(chained.at(i).failure, "");
    differ += chained.at(i).points != apart.at(i).points;
  }
  EXPECT_GT(differ, 10);
}

TEST(Sweep, AFailedTrajectoryKeepsItsSlotAndSaysWhy) {
  const Scheme scheme = MoreauJean{};
  const Cases cases(oscillator(), [&](const LagrangianFamily& f, std::uint64_t i) {
    SweepCase c = oscillator_case(f, i, scheme);
    if (i == 3) c.start.q = {5.0};  // inside the stop
    if (i == 5) throw InputError("sweep.axis", "no such value");
    if (i == 7) c.parameters[2] = 1e308, c.parameters[3] = 1e308, c.model = f.model(c.parameters);
    return c;
  });
  const SweepSettings s;
  const auto lanes = run(cases, s, 12, lane_count);
  EXPECT_NE(lanes.at(3).failure.find("inside the obstacle of constraint stop"), std::string::npos);
  EXPECT_NE(lanes.at(5).failure.find("no such value"), std::string::npos);
  for (const std::uint64_t good : {0, 1, 2, 4, 6, 8, 9, 10, 11}) EXPECT_EQ(lanes.at(good).failure, "");
  expect_same(lanes, run(cases, s, 12, 1));
}

TEST(Sweep, EndsWhenThereAreEnoughPoints) {
  const Cases cases(oscillator(),
                    [](const LagrangianFamily& f, std::uint64_t i) { return oscillator_case(f, i, MoreauJean{}); });
  SweepSettings all, few;
  all.record = few.record = SweepRecord::impacts;
  few.skipped_points = 2, few.most_points = 3;
  const auto every = run(cases, all, 8, lane_count), some = run(cases, few, 8, lane_count);
  expect_same(some, run(cases, few, 8, 1));
  for (const auto& [index, slot] : some) {
    const std::vector<double>& points = every.at(index).points;
    const std::size_t width = 7, have = points.size() / width, want = std::min<std::size_t>(3, have < 2 ? 0 : have - 2);
    ASSERT_EQ(slot.points.size(), want * width);
    EXPECT_TRUE(
        std::equal(slot.points.begin(), slot.points.end(), points.begin() + std::min<std::size_t>(2, have) * width));
    if (have > 6) EXPECT_LT(slot.steps, every.at(index).steps);
  }
}

// A nonlinear motion without loss: wherever it passes x = 0 upwards, x'²/2 is its energy, ¾, and the times are even.
TEST(Sweep, ASectionIsFoundOnTheMotionItself) {
  const LagrangianFamily family({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2 + x^4/4"});
  formula::Graph graph;
  formula::SymbolTable symbols;
  symbols.add("x", {formula::Bank::coordinate, 0});
  SweepSettings settings;
  settings.record = SweepRecord::section;
  settings.section = formula::Tape(graph, {parse(graph, "x", symbols)});
  settings.direction = SectionDirection::rising;
  settings.skipped_points = 3, settings.most_points = 5;
  SweepCase a_case;
  a_case.model = family.model({});
  a_case.start = {.q = {1.0}, .v = {0.0}};
  a_case.scheme = EventDriven{.rtol = 1e-11};
  a_case.step = 0.5, a_case.duration = 1e3;
  const SweptSlot slot = sweep_one(a_case, settings, 0);
  ASSERT_TRUE(slot);
  ASSERT_EQ(slot->points.size(), 15u) << slot->failure;
  for (std::size_t k = 0; k < 15; k += 3) {
    EXPECT_NEAR(slot->points[k + 1], 0.0, 1e-13);
    EXPECT_NEAR(slot->points[k + 2], std::sqrt(1.5), 1e-9);
    if (k >= 6) EXPECT_NEAR(slot->points[k] - slot->points[k - 3], slot->points[k - 3] - slot->points[k - 6], 1e-8);
  }
  // the first of them is the fourth passage
  const double period = slot->points[3] - slot->points[0];
  EXPECT_NEAR(slot->points[0], 3.75 * period, 1e-7);
}

TEST(Sweep, InterruptHandsOverWhatIsFinished) {
  std::atomic<bool> interrupt{false};
  const Cases cases(oscillator(), [&](const LagrangianFamily& f, std::uint64_t i) {
    if (i == 30) interrupt = true;
    return oscillator_case(f, i % 20, MoreauJean{});
  });
  SweepSettings s;
  s.interrupt = &interrupt;
  s.threads = 2;
  Work work(1000);
  sweep(cases, s, work);
  EXPECT_GT(work.slots.size(), 5u);
  EXPECT_LT(work.slots.size(), 31u);
}

TEST(Sweep, AnErrorOfTheWorkIsThrown) {
  class Full final : public SweepWork {
   public:
    std::optional<SweepChain> next() override { return SweepChain{{count_++}}; }
    void finished(SweepTrajectory&&) override { throw FileError("the disk is full"); }

   private:
    std::atomic<std::uint64_t> count_{0};
  };
  const Cases cases(oscillator(), [](const LagrangianFamily& f, std::uint64_t i) {
    return oscillator_case(f, i % 20, MoreauJean{});
  });
  SweepSettings s;
  s.threads = 2;
  Full work;
  EXPECT_THROW(sweep(cases, s, work), FileError);
}

// The orbit of reference/forced_impact_oscillator_period1: q = 0 and v = 1 after every impact, one a period; its
// multipliers have the modulus e = 0.8, so the largest exponent is ln(0.8)/T.
LagrangianDescription period_one() {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "x^2/2",
          .force = {{"x", "A*cos(w*t + phi)"}},
          .parameters = {{"w", 2.2}, {"A", -0.6583282847164481}, {"phi", 2.803786574972142}},
          .constraints = {{.name = "stop", .gap = "x", .restitution = 0.8}}};
}
constexpr double orbit_period = 2.8559933214452666;

SweepCase period_one_case(const LagrangianFamily& family, const Scheme& scheme, double step) {
  SweepCase c;
  c.parameters = {2.2, -0.6583282847164481, 2.803786574972142};
  c.model = family.model(c.parameters);
  // The start is not a multiple of the period away from the impacts: nodes and impacts do not coincide.
  c.from = 0.31415;
  c.start = {.q = {0.4}, .v = {1.1}};
  c.scheme = scheme;
  c.step = step;
  c.period = 2.0 * pi / 2.2;
  c.transient = 120.0 * c.period;
  c.duration = 20.0 * c.period;
  return c;
}

TEST(Sweep, FindsThePeriodicOrbit) {
  // Stroboscopic with event-driven: the state at every half-way point is that of the closed form; here right at the
  // impact would be ambiguous, so impacts are the section.
  SweepSettings s;
  s.record = SweepRecord::impacts;
  const Cases exact(period_one(), [](const LagrangianFamily& f, std::uint64_t) {
    return period_one_case(f, EventDriven{.rtol = 1e-12, .atol = 1e-12}, 0.1);
  });
  const SweepTrajectory orbit = run(exact, s, 1, 1).at(0);
  ASSERT_EQ(orbit.failure, "");
  EXPECT_EQ(orbit.period, 1);
  ASSERT_GE(orbit.points.size(), 7 * 19u);
  for (std::size_t k = 0; k < orbit.points.size(); k += 7) {
    const double* p = orbit.points.data() + k;
    EXPECT_NEAR(std::remainder(p[0], orbit_period), 0.0, 1e-8);
    EXPECT_NEAR(p[2], -1.25, 1e-8);
    EXPECT_NEAR(p[3], 1.0, 1e-8);
    EXPECT_NEAR(p[5], 0.0, 1e-8);
    EXPECT_NEAR(p[6], 1.0, 1e-8);
  }
  // Moreau-Jean finds it in lanes, to first order in the step: impacts are met at the grid, so that the points scatter
  // by a few h around it, and agree with each other to no more than that.
  for (const double step : {4e-3, 1e-3, 2.5e-4}) {
    const Cases grid(period_one(),
                     [&](const LagrangianFamily& f, std::uint64_t) { return period_one_case(f, MoreauJean{}, step); });
    s.period_tolerance = 8.0 * step;
    const SweepTrajectory slot = run(grid, s, 1, lane_count).at(0);
    EXPECT_EQ(slot.period, 1) << step;
    ASSERT_GE(slot.points.size(), 7 * 19u);
    for (std::size_t k = 0; k < slot.points.size(); k += 7) EXPECT_NEAR(slot.points[k + 3], 1.0, 8.0 * step);
  }
}

TEST(Lyapunov, OfThePeriodicOrbitIsItsClosedForm) {
  SweepSettings s;
  s.lyapunov = true;
  const double exact = std::log(0.8) / orbit_period;
  const Cases located(period_one(), [](const LagrangianFamily& f, std::uint64_t) {
    return period_one_case(f, EventDriven{.rtol = 1e-12, .atol = 1e-12}, 0.1);
  });
  // The multipliers are complex: δ turns, and log|δ| swings around its line by a bounded amount, here below ½.
  const double duration = 20.0 * orbit_period;
  EXPECT_NEAR(run(located, s, 1, 1).at(0).lyapunov * duration, exact * duration, 0.5);
  const Cases grid(period_one(),
                   [](const LagrangianFamily& f, std::uint64_t) { return period_one_case(f, MoreauJean{}, 1e-3); });
  EXPECT_NEAR(run(grid, s, 1, 1).at(0).lyapunov * duration, exact * duration, 0.5);
}

// x'' + x = 0 on x ≥ 0: from impact to impact the linearised flow is e times the identity, so that every difference
// shrinks by e in the time π: the exponent is ln(e)/π, without any swing over whole flights.
TEST(Lyapunov, OfAnOscillatorOnAStopIsItsClosedForm) {
  const LagrangianDescription description{.coordinates = {"x"},
                                          .kinetic = "x_dot^2/2",
                                          .potential = "x^2/2",
                                          .parameters = {{"e", 0.9}},
                                          .constraints = {{.name = "stop", .gap = "x", .restitution = "e"}}};
  SweepSettings s;
  s.record = SweepRecord::impacts;
  s.lyapunov = true;
  for (const double e : {0.95, 0.9, 0.8}) {
    const auto exponent = [&](const Scheme& scheme, double step) {
      const Cases cases(description, [&](const LagrangianFamily& f, std::uint64_t) {
        SweepCase c;
        c.parameters = {e};
        c.model = f.model(c.parameters);
        c.start = {.q = {1.0}, .v = {0.0}};
        c.scheme = scheme;
        c.step = step;
        c.transient = 2.0 * pi, c.duration = 10.0 * pi, c.period = pi;
        return c;
      });
      return run(cases, s, 1, 1).at(0).lyapunov;
    };
    const double exact = std::log(e) / pi;
    EXPECT_NEAR(exponent(EventDriven{.rtol = 1e-12, .atol = 1e-14}, 0.1), exact, 1e-6);
    EXPECT_NEAR(exponent(MoreauJean{}, pi / 3001.0), exact, 2e-3);
  }
}

// Chaos: the exponent is positive, and two motions part at that rate.
TEST(Lyapunov, PositiveInChaosAndAsTwoTrajectoriesPart) {
  const LagrangianDescription chaos{.coordinates = {"x"},
                                    .kinetic = "x_dot^2/2",
                                    .potential = "x^2/2",
                                    .force = {{"x", "cos(w*t)"}},
                                    .parameters = {{"w", 2.8}},
                                    .constraints = {{.name = "stop", .gap = "x", .restitution = 0.8}}};
  const LagrangianFamily family(chaos);
  const auto model = family.model({2.8});
  const Scheme scheme = EventDriven{.rtol = 1e-12, .atol = 1e-12};
  const double h = 0.02;
  LyapunovExponent exponent(*model, 8);
  const auto one = make_stepper(*model, scheme), two = make_stepper(*model, scheme);
  State a{.t = 0.0, .q = {0.5}, .v = {0.0}}, b = a;
  one->begin(a);
  StepReport report, other;
  // A second motion 1e-7 away, put back to that distance along the same line every 100 steps.
  const double small = 1e-7;
  b.q[0] += small;
  two->begin(b);
  double growth = 0.0;
  const int steps = 60'000;
  for (int k = 1; k <= steps; ++k) {
    const State before = a;
    report.contacts.clear(), other.contacts.clear();
    ASSERT_EQ(one->advance(a, h, k * h, report), FailureKind::none);
    ASSERT_EQ(two->advance(b, h, k * h, other), FailureKind::none);
    std::vector<Impact> impacts;
    for (const ContactReport& c : report.contacts)
      impacts.push_back({.t = c.t, .constraint = c.constraint, .rate_minus = c.rate_minus, .rate_plus = c.rate_plus});
    exponent.follow(before, a.t, impacts, {});
    // Between impacts of the one and the other the distance means nothing.
    if (k % 100 == 0 && report.contacts.empty() && other.contacts.empty() && a.q[0] > 0.05 && b.q[0] > 0.05) {
      const double dq = b.q[0] - a.q[0], dv = b.v[0] - a.v[0], distance = std::hypot(dq, dv);
      growth += std::log(distance / small);
      b.q[0] = a.q[0] + dq * small / distance, b.v[0] = a.v[0] + dv * small / distance;
      two->begin(b);
    }
  }
  const double parted = growth / (steps * h);
  EXPECT_GT(exponent.exponent(), 0.05);
  EXPECT_NEAR(exponent.exponent(), parted, 0.05 * parted);
}

TEST(Lyapunov, SchemesWhoseImpactsTakeStepsAreRefused) {
  SweepSettings s;
  s.lyapunov = true;
  EXPECT_THROW(check_measures(Scheme{"paoli-schatzman"}, s), InputError);
  EXPECT_THROW(check_measures(Scheme{"penalty"}, s), InputError);
  EXPECT_NO_THROW(check_measures(Scheme{"moreau-jean"}, s));
}

// Chains of masses, all of them coupled with each other or only with their neighbours: a single run has sparse factors
// then, from some size on.
TEST(SweepLanesOf, ManyCoordinatesHaveTheBitsOfSingleRuns) {
  for (const int n : {6, 20})
    for (const bool coupled : {false, true}) {
      LagrangianDescription chain;
      chain.force = {{"x0", "cos(w*t)"}};
      chain.parameters = {{"w", 2.0}};
      std::string sum = "0";
      for (int i = 0; i < n; ++i) {
        const std::string x = "x" + std::to_string(i);
        chain.coordinates.push_back(x);
        sum += " + " + x;
        chain.kinetic += (i == 0 ? "" : " + ") + x + "_dot^2/2";
        chain.potential += (i == 0 ? x + "^2" : " + 5*(" + x + " - x" + std::to_string(i - 1) + ")^2");
      }
      if (coupled) chain.potential += " + (" + sum + ")^2/9";
      chain.constraints = {{.name = "stop", .gap = "0.05 - x0", .restitution = 0.8}};
      const Cases cases(chain, [&](const LagrangianFamily& f, std::uint64_t i) {
        const State start{.q = std::vector<double>(static_cast<std::size_t>(n), 0.0),
                          .v = std::vector<double>(static_cast<std::size_t>(n), 0.1)};
        return plain_case(f, i, {"moreau-jean"}, start, 1.0, 3.0);
      });
      SCOPED_TRACE(std::to_string(n) + (coupled ? " coupled" : ""));
      SweepSettings s;
      s.record = SweepRecord::impacts;
      expect_same(run(cases, s, 9, 1), run(cases, s, 9, lane_count));
    }
}

// A transient that ends when the motion has settled: what is kept then is what a run with that transient keeps, and
// what never settles is what it was.
class SettledSweep : public ::testing::TestWithParam<std::string> {};

TEST_P(SettledSweep, KeepsWhatARunWithThatTransientKeeps) {
  const Scheme scheme{GetParam()};
  constexpr std::uint64_t count = 13;
  std::map<std::uint64_t, double> transients;
  bool settles = true;
  const Cases cases(oscillator(), [&](const LagrangianFamily& f, std::uint64_t i) {
    SweepCase c = oscillator_case(f, i, scheme, 0.02);
    if (i % 5 == 4) c.parameters[3] = 10.0, c.model = f.model(c.parameters);  // never touches
    c.transient = 100.0 * c.period;
    c.settles = settles;
    if (!settles && transients.count(i) > 0) c.transient = transients[i];
    return c;
  });
  SweepSettings s;
  s.section = SweepLanes::section_tape(*cases.family(), "x_dot - 0.1*w*x");
  for (const SweepRecord record :
       {SweepRecord::stroboscopic, SweepRecord::impacts, SweepRecord::statistics, SweepRecord::section}) {
    s.record = record;
    settles = true, transients.clear();
    const auto settled = run(cases, s, count, lane_count);
    expect_same(settled, run(cases, s, count, 1));
    expect_same(settled, run(cases, s, count, lane_count, 3));
    expect_same(run(cases, s, count, lane_count, 2, 4), run(cases, s, count, 1, 1, 4));  // continued
    std::uint64_t never = 0;
    for (const auto& [i, slot] : settled)
      if (std::isfinite(slot.settled_after))
        transients[i] = slot.settled_after;
      else
        ++never;
    EXPECT_GE(transients.size(), 3u);
    EXPECT_GE(never, 1u);
    settles = false;
    const auto plain = run(cases, s, count, lane_count);
    for (const auto& [i, slot] : settled) {
      SCOPED_TRACE(i);
      const SweepTrajectory& other = plain.at(i);
      const bool chaotic = transients.count(i) == 0;
      EXPECT_TRUE(std::isnan(other.settled_after));
      EXPECT_EQ(slot.period, other.period);
      ASSERT_EQ(slot.points.size(), other.points.size());
      for (std::size_t k = 0; k < slot.points.size() && !chaotic; ++k)
        EXPECT_NEAR(slot.points[k], other.points[k], 1e-5);
      for (std::size_t k = 0; k < slot.statistics.size() && !chaotic; ++k)
        EXPECT_NEAR(slot.statistics[k], other.statistics[k], 1e-5);
      // Sections are located on the motion itself only where the transient is known.
      if (chaotic && record != SweepRecord::section) EXPECT_TRUE(testing::same(slot.points, other.points));
      if (chaotic && record != SweepRecord::section) EXPECT_TRUE(testing::same(slot.statistics, other.statistics));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, SettledSweep, ::testing::Values("moreau-jean", "event-driven", "newmark"),
                         [](const auto& one) { return one.param.substr(0, one.param.find('-')); });

// Points come closer with every period; a tenth of the way is not there.
TEST(SettledSweepOf, AMotionThatStillApproachesHasNotSettled) {
  LagrangianDescription free = oscillator();
  free.constraints.clear();
  const Cases cases(free, [](const LagrangianFamily& f, std::uint64_t i) {
    SweepCase c = oscillator_case(f, 5, {"moreau-jean"}, 0.02);
    c.parameters[1] = 0.002 * std::pow(4.0, static_cast<double>(i));  // zeta: e^(-zeta t) is what is left
    c.model = f.model(c.parameters);
    c.transient = 1000.0 * c.period, c.settles = true;
    return c;
  });
  for (const auto& [i, slot] : run(cases, {}, 4, lane_count)) {
    const double left = std::exp(-cases.at(i).parameters[1] * slot.settled_after);
    EXPECT_TRUE(i == 0 ? std::isnan(left) || left < 1e-5 : left < 1e-5) << i << ": " << left;
  }
}

}  // namespace
}  // namespace ricochet
