// Event-driven runs of linear models: exact flights, and none missed or made up.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "flow/event_search.hpp"
#include "flow/linear_flow.hpp"
#include "ricochet/model/linear.hpp"
#include "ricochet/model/time_series.hpp"
#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

using Flow = EventDriven::Flow;
using ::testing::Contains;
using ::testing::HasSubstr;

LagrangianDescription forced_oscillator(double omega, const std::string& restitution) {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "x^2/2",
          .dissipation = "0.02*x_dot^2",
          .force = {{"x", "3*cos(w*t)"}},
          .parameters = {{"w", omega}},
          .constraints = {{.name = "stop", .gap = "0.5 - x", .restitution = Quantity(restitution)}}};
}

// x'' + 0.04 x' + x = 3 cos 2t, stop at 0.5, e = 0.8 from rest; evaluated with 40 digits (mpmath).
TEST(ExactFlights, ForcedOscillator) {
  constexpr double t[] = {0.631690453794578745, 4.08793278992531494, 7.27301136653290544, 10.4322765498203219,
                          13.5833412704523699};
  constexpr double U[] = {1.29645867762939046, 4.71164905571681308, 7.10943222776261285, 8.82051736632460136,
                          10.0611495782874762};
  const auto model = lagrangian(forced_oscillator(2.0, "0.8"));
  const Solution s = simulate(*model, {.q = {0.0}}, {0.0, 200.0}, EventDriven{}, {.h = 0.37});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  ASSERT_GE(s.impacts.size(), 5u);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(s.impacts[k].t, t[k], 4e-15 * t[k]);
    EXPECT_NEAR(s.impacts[k].rate_minus, -U[k], 1e-14 * U[k]);
  }
  EXPECT_LT(std::abs(s.energy.numerical), 1e-13 * s.energy.turnover);
}

// What leaves the numbers ends the run with a sentence, after few steps and not before the last record.
TEST(ExactFlights, WhatGrowsWithoutBoundIsStoppedAt) {
  for (const char* force : {"exp(1000*t)", "-exp(1000*t)", "exp(1e5*t)*cos(30*t)", "t^3*exp(900*t)"})
    for (const char* potential : {"9.81*x", "x^2/2", "-x^2/2"})
      for (const double k : {1.0, 1e-300}) {
        LagrangianDescription description = forced_oscillator(1.0, "0.5");
        description.potential = potential;
        description.force = {{"x", Quantity(fmt::format("{}*({})", k, force))}};
        const Solution s = simulate(*lagrangian(description), {.q = {0.0}}, {0.0, 3.0}, EventDriven{}, {.h = 1e-2});
        EXPECT_EQ(s.status, Status::failed) << force;
        EXPECT_THAT(s.failure.message,
                    ::testing::AnyOf(HasSubstr("became"), HasSubstr("becomes inf"), HasSubstr("too large")))
            << force;
        EXPECT_LT(s.statistics.accepted, 10'000u) << force;
        EXPECT_GE(s.failure.t, s.trajectory.t.back()) << force;
        EXPECT_TRUE(std::is_sorted(s.trajectory.t.begin(), s.trajectory.t.end())) << force;
      }
}

// Phases that numbers do not resolve are not followed.
TEST(ExactFlights, PhasesBelowRoundOffAreStoppedAt) {
  for (const double omega : {1e9, 1e20}) {
    LagrangianDescription fast = forced_oscillator(omega, "0.5");
    const Solution s =
        simulate(*lagrangian(fast), {.q = {0.3}}, {0.0, 0.1}, EventDriven{}, {.h = 1e-4, .account = false});
    EXPECT_EQ(s.status, omega < 1e10 ? Status::completed : Status::failed) << s.failure.message;
    if (omega > 1e10) EXPECT_THAT(s.failure.message, HasSubstr("do not resolve its phase"));
  }
}

// What decays at once costs no more than what does not, and no impact comes of it.
TEST(ExactFlights, StrongDampingIsQuick) {
  for (const double c : {1e6, 1e8, 1e10}) {
    const auto model = lagrangian({.coordinates = {"x"},
                                   .kinetic = "x_dot^2/2",
                                   .potential = "9.81*x",
                                   .force = {{"x", Quantity(fmt::format("-{}*x_dot", c))}},
                                   .constraints = {{.name = "floor", .gap = "x", .restitution = 0.5}}});
    const Solution s = simulate(*model, {.q = {1.0}}, {0.0, 1.0}, EventDriven{}, {.h = 1e-2});
    EXPECT_EQ(s.status, Status::completed);
    EXPECT_LT(s.statistics.accepted, 1'000u);
    EXPECT_EQ(s.impact_count, 0u);
    EXPECT_EQ(s.energy.impact, 0.0);
    EXPECT_NEAR(s.final.v[0] * c, -9.81, 1e-6);
    EXPECT_NEAR(1.0 - s.final.q[0], 9.81 / c * (1.0 - 1.0 / c), 1e-14);
  }
}

// A restitution that is a formula goes the general way of impacts: the same motion.
TEST(ExactFlights, TheShortWayOfAnImpactIsTheGeneralOne) {
  const auto run = [](const std::string& e) {
    return simulate(*lagrangian(forced_oscillator(2.0, e)), {.q = {0.0}}, {0.0, 40.0}, EventDriven{}, {.h = 1.0});
  };
  const Solution one = run("0.8"), other = run("if(t < -1, 0, 0.8)");
  ASSERT_EQ(one.impact_count, other.impact_count);
  EXPECT_NEAR(one.final.q[0], other.final.q[0], 1e-11);
  EXPECT_NEAR(one.final.v[0], other.final.v[0], 1e-11);
}

// The motion does not depend on when it is recorded, to the bit.
TEST(ExactFlights, RecordingDoesNotMatter) {
  const auto model = lagrangian(forced_oscillator(2.8, "0.8"));
  const auto run = [&](double h) { return simulate(*model, {.q = {0.0}}, {0.0, 60.0}, EventDriven{}, {.h = h}); };
  const Solution coarse = run(60.0), fine = run(0.01);
  EXPECT_EQ(coarse.final.q, fine.final.q);
  EXPECT_EQ(coarse.final.v, fine.final.v);
  ASSERT_EQ(coarse.impacts.size(), fine.impacts.size());
  for (std::size_t k = 0; k < coarse.impacts.size(); ++k) EXPECT_EQ(coarse.impacts[k].t, fine.impacts[k].t);
}

// Against Runge-Kutta at its tightest: beats, lasting contact, moving gaps, two stops.
TEST(ExactFlights, AgreeWithRungeKutta) {
  const LagrangianDescription systems[] = {
      forced_oscillator(1.02, "0.3"),
      {.coordinates = {"x", "y"},
       .kinetic = "x_dot^2 + y_dot^2/2",
       .potential = "10*x^2 + 4*(x - y)^2 + 0.3*y",
       .dissipation = "0.1*x_dot^2 + 0.3*y_dot^2",
       .force = {{"x", "4*sin(3*t)*exp(-0.1*t)"}, {"y", "2*cos(1.3*t + 1)"}},
       .constraints = {{.name = "floor", .gap = "y + 0.3 - 0.05*sin(5*t)", .restitution = 0.0},
                       {.name = "wall", .gap = "0.25 - x", .restitution = 0.6}}},
  };
  for (const LagrangianDescription& system : systems) {
    const auto model = lagrangian(system);
    const State start{.q = std::vector<double>(system.coordinates.size(), 0.0)};
    const Solution exact = simulate(*model, start, {0.0, 12.0}, EventDriven{.flow = Flow::exact}, {.h = 0.1});
    const Solution steps =
        simulate(*model, start, {0.0, 12.0}, EventDriven{.flow = Flow::runge_kutta, .rtol = 1e-12}, {.h = 0.1});
    ASSERT_EQ(exact.status, Status::completed) << exact.failure.message;
    EXPECT_EQ(exact.impact_count, steps.impact_count);
    for (std::size_t i = 0; i < start.q.size(); ++i) {
      EXPECT_NEAR(exact.final.q[i], steps.final.q[i], 2e-9);
      EXPECT_NEAR(exact.final.v[i], steps.final.v[i], 2e-9);
    }
    EXPECT_LT(std::abs(exact.energy.numerical), 1e-12 * exact.energy.turnover);
  }
}

// e = 1 for 20,000 impacts.
TEST(ExactFlights, ElasticImpactsKeepTheEnergy) {
  const auto ball = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "2*x",
                                .constraints = {{.name = "floor", .gap = "x", .restitution = 1.0}}});
  const Solution s = simulate(*ball, {.q = {1.0}}, {0.0, 40'000.0}, EventDriven{}, {.h = 1000.0, .record_every = 0});
  EXPECT_EQ(s.impact_count, 20'000u);
  EXPECT_NEAR(s.energy.final, 2.0, 1e-12 * std::sqrt(20'000.0));
  EXPECT_NEAR(s.final.q[0], 1.0, 1e-9);
}

// Two blocks and a wall: the collisions count the digits of π. G. Galperin, Playing pool with π, Regul. Chaotic Dyn. 8
// (2003) 375, doi:10.1070/RD2003v008n04ABEH000252.
TEST(ExactFlights, BlocksCountTheDigitsOfPi) {
  const std::uint64_t digits[] = {3, 31, 314, 3141, 31415};
  double ratio = 1.0;
  for (const std::uint64_t count : digits) {
    const auto blocks = lagrangian({.coordinates = {"x", "y"},
                                    .kinetic = "x_dot^2/2 + m*y_dot^2/2",
                                    .parameters = {{"m", ratio}},
                                    .constraints = {{.name = "wall", .gap = "x", .restitution = 1.0},
                                                    {.name = "blocks", .gap = "y - x", .restitution = 1.0}}});
    const Solution s = simulate(*blocks, {.q = {1.0, 1.1}, .v = {0.0, -1.0}}, {0.0, 20.0},
                                EventDriven{.flow = Flow::exact}, {.h = 20.0, .keep = false});
    EXPECT_EQ(s.impact_count, count);
    ratio *= 100.0;
  }
}

// Oscillations of random phase and amplitude over a floor: hit if and only if the amplitude reaches it.
TEST(ExactFlights, NearGrazing) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int told = 0;
  for (int k = 0; k < 20'000; ++k) {
    const double phase = 1.5 * uniform(random),
                 depth = std::copysign(std::pow(10.0, -9.0 + 6.0 * uniform(random)), uniform(random));
    const double q = std::cos(phase), v = std::sin(phase);
    const long double margin =
        1.0L + depth - std::sqrt(static_cast<long double>(q) * q + static_cast<long double>(v) * v);
    ExponentialArc arc;
    arc.clear(1, 1);
    arc.add(arc.add_rate({0.0, 1.0}, 0), 0, 0, {q, -v});
    arc.add(arc.add_rate({}, 0), 0, 0, {1.0 + depth, 0.0});
    arc.finish();
    EventSearch search(1);
    search.set(0, EventSearch::Watch::open);
    search.begin();
    std::optional<EventSearch::Event> event;
    int steps = 0;
    while (!event && search.s() < 6.0 && ++steps < 1000) event = search.step(arc, 6.0);
    ASSERT_LT(steps, 200) << depth;
    if (event && event->grazing) {
      EXPECT_LT(std::abs(margin), 2e-14L);
      continue;
    }
    ++told;
    EXPECT_EQ(event.has_value(), margin < 0.0L) << static_cast<double>(margin);
  }
  EXPECT_GT(told, 18'000);  // a tenth is closer than 1e-14
}

// Phases at t = 10⁶ are those of exact products.
TEST(ExactFlights, LateTimesLoseNothing) {
  const double t = 1e6, omega = std::ldexp(std::round(std::ldexp(2.3, 46)), -46);  // a long double holds ωt exactly
  const long double phase = static_cast<long double>(omega) * t;
  const auto system = [](TimeTerm term) {
    LinearSystemData data{.coordinates = {"x"}, .mass = sparse_from_triplets(1, 1, {{0, 0, 1.0}})};
    data.stiffness = data.mass;
    data.loads.push_back({{{0, 1.0}}, [](double) { return 0.0; }, [term](double) { return TimePiece{{term}}; }});
    return linear(std::move(data));
  };
  const auto late = system({.frequency = omega, .cosine = 1.0});
  const auto early = system({.frequency = omega,
                             .cosine = static_cast<double>(std::cos(phase)),
                             .sine = static_cast<double>(-std::sin(phase))});
  const double q = 0.3, v = -0.2;
  LinearFlow one(*late), other(*early);
  ASSERT_TRUE(one.begin(t, 0.0, &q, &v, {}, 0.0) && other.begin(0.0, 0.0, &q, &v, {}, 0.0));
  one.arc().place(5.0);
  other.arc().place(5.0);
  EXPECT_NEAR(one.arc().value(0), other.arc().value(0), 1e-15);
  EXPECT_NEAR(one.arc().rate(0), other.arc().rate(0), 1e-15);
}

// A cubic time series is a polynomial on each of its intervals.
TEST(ExactFlights, TimeSeriesPieceByPiece) {
  std::vector<double> t, y;
  for (int k = 0; k <= 40; ++k) {
    t.push_back(0.25 * k);
    y.push_back(3.0 * std::sin(1.7 * t.back()) + 0.4 * (k % 3));
  }
  const auto series = std::make_shared<const TimeSeries>(t, y, Interpolation::cubic, Outside::hold);
  LinearSystemData data{.coordinates = {"x"}, .mass = sparse_from_triplets(1, 1, {{0, 0, 1.0}})};
  data.stiffness = data.mass;
  data.loads.push_back(
      {{{0, 1.0}}, [series](double s) { return (*series)(s); }, [series](double s) { return series->piece(s); }});
  data.gaps.push_back({"stop", {{0, -1.0}}, 1.0, 0.7});
  const auto model = linear(std::move(data));
  const auto run = [&](Flow flow) {
    return simulate(*model, {.q = {0.0}}, {0.0, 11.0}, EventDriven{.flow = flow, .rtol = 1e-12}, {.h = 0.25});
  };
  const Solution exact = run(Flow::exact), steps = run(Flow::runge_kutta);
  ASSERT_EQ(exact.status, Status::completed) << exact.failure.message;
  EXPECT_GE(exact.impact_count, 3u);
  EXPECT_EQ(exact.impact_count, steps.impact_count);
  EXPECT_NEAR(exact.final.q[0], steps.final.q[0], 1e-8);
  EXPECT_LT(std::abs(exact.energy.numerical), 1e-12 * exact.energy.turnover);
}

// Two masses that a joint makes one: the motion of that one.
TEST(ExactFlights, JointsAreHeld) {
  const auto two = lagrangian({.coordinates = {"x", "y"},
                               .kinetic = "x_dot^2/4 + y_dot^2/4",
                               .potential = "x^2/4 + y^2/4",
                               .force = {{"x", "2*cos(1.7*t)"}},
                               .constraints = {{.name = "stop", .gap = "0.5 - y", .restitution = 0.8}},
                               .joints = {{.name = "rod", .equation = {"x - y"}}}});
  const auto one = lagrangian({.coordinates = {"x"},
                               .kinetic = "x_dot^2/2",
                               .potential = "x^2/2",
                               .force = {{"x", "2*cos(1.7*t)"}},
                               .constraints = {{.name = "stop", .gap = "0.5 - x", .restitution = 0.8}}});
  const Solution joined = simulate(*two, {.q = {0.0, 0.0}}, {0.0, 30.0}, EventDriven{.flow = Flow::exact}, {.h = 0.5});
  const Solution single = simulate(*one, {.q = {0.0}}, {0.0, 30.0}, EventDriven{}, {.h = 0.5});
  ASSERT_EQ(joined.status, Status::completed) << joined.failure.message;
  EXPECT_TRUE(joined.notes.empty()) << joined.notes.front();
  EXPECT_EQ(joined.impact_count, single.impact_count);
  for (const double q : joined.final.q) EXPECT_NEAR(q, single.final.q[0], 1e-11);
}

// A support that a joint drives: the motion over a support that moves as given, and the work of the drive in the
// account.
TEST(ExactFlights, JointsMayMove) {
  const auto driven = lagrangian({.coordinates = {"x", "y"},
                                  .kinetic = "x_dot^2 + y_dot^2/2",
                                  .potential = "2*(y - x)^2",
                                  .dissipation = "0.05*(y_dot - x_dot)^2",
                                  .constraints = {{.name = "stop", .gap = "0.05 - y", .restitution = 0.7}},
                                  .joints = {{.name = "drive", .equation = {"x - 0.1*sin(3*t)*exp(-0.01*t)"}}}});
  const std::string base = "0.1*sin(3*t)*exp(-0.01*t)", rate = "(0.3*cos(3*t) - 0.001*sin(3*t))*exp(-0.01*t)";
  const auto given = lagrangian({.coordinates = {"y"},
                                 .kinetic = "y_dot^2/2",
                                 .potential = "2*y^2",
                                 .dissipation = "0.05*y_dot^2",
                                 .force = {{"y", Quantity("4*" + base + " + 0.1*" + rate)}},
                                 .constraints = {{.name = "stop", .gap = "0.05 - y", .restitution = 0.7}}});
  const Solution joined =
      simulate(*driven, {.q = {0.0, 0.0}, .v = {0.3, 0.0}}, {0.0, 30.0}, EventDriven{.flow = Flow::exact}, {.h = 0.5});
  const Solution single = simulate(*given, {.q = {0.0}}, {0.0, 30.0}, EventDriven{.flow = Flow::exact}, {.h = 0.5});
  ASSERT_EQ(joined.status, Status::completed) << joined.failure.message;
  EXPECT_TRUE(joined.notes.empty()) << joined.notes.front();
  EXPECT_GE(joined.impact_count, 5u);
  EXPECT_EQ(joined.impact_count, single.impact_count);
  EXPECT_NEAR(joined.final.q[1], single.final.q[0], 1e-12);
  EXPECT_NEAR(joined.final.v[1], single.final.v[0], 1e-12);
  EXPECT_LT(std::abs(joined.energy.numerical), 1e-12 * joined.energy.turnover);
}

// Works in closed form against Simpson's rule on the model's own power.
TEST(ExactFlights, WorksInClosedForm) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "x_dot^2/2 + y_dot^2",
                                 .potential = "x^2/2 + 3*(x - y)^2 + 9.81*y",
                                 .dissipation = "0.02*x_dot^2 + 0.04*y_dot^2",
                                 .force = {{"x", "3*cos(2.3*t + 1)"}, {"y", "sin(1.7*t)*exp(-0.05*t) + 2"}}});
  LinearFlow flow(*model);
  const double q[] = {0.3, -0.2}, v[] = {1.0, 0.4}, t = 17.0, from = 0.3, to = 5.1;
  ASSERT_TRUE(flow.begin(t, 0.0, q, v, {}, 0.0));
  double input = 0.0, damping = 0.0;
  constexpr int panels = 10'000;
  for (int k = 0; k <= 2 * panels; ++k) {
    const double s = from + (to - from) * k / (2.0 * panels);
    const double weight = (k == 0 || k == 2 * panels ? 1.0 : k % 2 == 1 ? 4.0 : 2.0) * (to - from) / (6.0 * panels);
    double now[2], rate[2];
    flow.arc().place(s);
    flow.arc().values(2, now, rate);
    const Power<double> power = model->power(t + s, now, rate, nullptr);
    input += weight * power.input;
    damping += weight * power.damping;
  }
  const std::optional<LinearFlow::Works> works = flow.works(from, to);
  ASSERT_TRUE(works);
  EXPECT_NEAR(works->input, input, 1e-12);
  EXPECT_NEAR(works->damping, damping, 1e-12);
}

// A parabola to its root, from where it has just begun to fall: once a stop was passed.
TEST(ExactFlights, ParabolasFallToTheirRoots) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int k = 0; k < 5000; ++k) {
    const double f = std::pow(10.0, -3.0 + 3.0 * uniform(random)), bend = -10.0 * uniform(random);
    const double slope = k % 2 == 0 ? 0.0 : -std::pow(10.0, -18.0 + 18.0 * uniform(random));
    ExponentialArc arc;
    arc.clear(1, 1);
    const int rate = arc.add_rate({}, 2);
    const double c[] = {f, slope, 0.5 * bend};
    for (int n = 0; n < 3; ++n) arc.add(rate, n, 0, {c[n], 0.0});
    arc.finish();
    EventSearch search(1);
    search.set(0, EventSearch::Watch::open);
    search.begin();
    const double root = 2.0 * f / (-slope + std::sqrt(slope * slope - 2.0 * f * bend));
    std::optional<EventSearch::Event> event;
    int steps = 0;
    while (!event && search.s() < 2.0 * root && ++steps < 100) event = search.step(arc, 1e300);
    ASSERT_TRUE(event) << f << " " << slope << " " << bend;
    EXPECT_NEAR(event->s, root, 1e-14 * root) << f << " " << slope << " " << bend;
  }
}

TEST(ExactFlights, SayWhyThereAreNone) {
  const auto pendulum = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "-cos(x)"});
  const Solution s = simulate(*pendulum, {.q = {1.0}}, {0.0, 1.0}, EventDriven{.flow = Flow::exact}, {.h = 0.1});
  EXPECT_THAT(s.notes, Contains(HasSubstr("flow = \"exact\" has no effect")));
  const auto ball = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x"});
  const Solution told = simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, EventDriven{.rtol = 1e-12}, {.h = 0.1});
  EXPECT_THAT(told.notes, Contains(HasSubstr("rtol and atol have no effect")));
}

// Random springs and masses before stops, in units of length, mass and time.
std::vector<double> end_in_units(unsigned seed, const Scheme& scheme, double L, double M, double T) {
  std::mt19937 random(seed);
  const auto draw = [&](double unit) {
    return fmt::format("({:.17g})", unit * (0.5 + static_cast<double>(random()) / 0x1p32));
  };
  const std::string m = draw(M), n = draw(M), k = draw(M / (T * T)), l = draw(M / (T * T)), c = draw(0.25 * M / T),
                    f = draw(2.0 * M * L / (T * T)), w = draw(2.0 / T), a = draw(0.25 * L), b = draw(0.5 * L);
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = m + "*x_dot^2/2 + " + n + "*y_dot^2/2",
                                 .potential = k + "*x^2/2 + " + l + "*(x - y)^2/2 + " + f + "*y/2",
                                 .dissipation = c + "*y_dot^2/2",
                                 .force = {{"x", Quantity(f + "*sin(" + w + "*t)")}},
                                 .constraints = {{.name = "floor", .gap = "y + " + b, .restitution = 0.5},
                                                 {.name = "wall", .gap = a + " - x", .restitution = 0.75}}});
  const Solution s = simulate(*model, {.q = {0.0, 0.0}, .v = {0.0, L / T}}, {0.0, 16.0 * T}, scheme, {.h = 0.125 * T});
  EXPECT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_GT(s.impact_count, 2u);
  const double energy = M * L * L / (T * T);
  return {
      s.final.q[0] / L,        s.final.q[1] / L,        s.final.v[0] * T / L,      s.final.v[1] * T / L,
      s.energy.final / energy, s.energy.input / energy, s.energy.damping / energy, s.impacts[0].impulse * T / (L * M)};
}

TEST(Units, PowersOfTwoChangeNoBits) {
  for (const Scheme& scheme :
       {Scheme(EventDriven{.flow = EventDriven::Flow::exact}), Scheme(Mannshardt{.tableau = "gauss-2"}),
        Scheme(Mannshardt{.tableau = "gauss-3"}), Scheme(Mannshardt{.tableau = "radau-iia-3"})})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const std::vector<double> plain = end_in_units(seed, scheme, 1.0, 1.0, 1.0);
      for (const auto& [L, M, T] :
           {std::array{0x1p-21, 1.0, 1.0}, std::array{1.0, 2.0, 1.0}, std::array{1.0, 0x1p-9, 1.0},
            std::array{1.0, 1.0, 0x1p-7}, std::array{1.0, 1.0, 0x1p10}, std::array{0x1p5, 0x1p11, 0x1p-3}}) {
        const std::vector<double> other = end_in_units(seed, scheme, L, M, T);
        for (std::size_t k = 0; k < plain.size(); ++k) {
          // The motion to the bit; works and impulses are sums, whose last digits may differ.
          const double digits = k < 4 ? 0.0 : 1e-13 * std::abs(plain[k]);
          EXPECT_NEAR(other[k], plain[k], digits)
              << scheme.name << " " << seed << " " << k << ": " << L << " " << M << " " << T;
        }
      }
    }
}

// A bar strikes its last support without rebound, 3e-13 deep by the round-off of the arc, and rotates away from it at
// once: what parts from there closes again below, and not where it is.
TEST(ExactFlights, WhatPartsWhereItHasLandedIsNoEvent) {
  LagrangianDescription bar{.coordinates = {"y", "phi"},
                            .kinetic = "y_dot^2/2 + 0.11047229894252497*phi_dot^2",
                            .potential = "9.81*y + 14.495468460302238*phi^2",
                            .force = {{"y", "11.828692660246226*sin(2.4946241866349164*t)"},
                                      {"phi", "4.822625217297632*sin(7.343286551742342*t)"}}};
  for (const char* x : {"-0.6028132184236443", "-0.17684797996270685", "0.4112901818625315", "0.586071317737349",
                        "0.9519257236517549", "1.3256777991373012", "1.5264880795675526"})
    bar.constraints.push_back({.name = x, .gap = fmt::format("y + ({})*phi", x), .restitution = 0.0});
  const auto model = lagrangian(bar);
  const Solution s = simulate(*model, {.q = {0.0, 0.0}}, {0.0, 2.0}, EventDriven{.flow = Flow::exact}, {.h = 0.01});
  EXPECT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_LE(s.violation_max, 1e-11);
  EXPECT_LT(s.energy.impact, -1.0);
}

}  // namespace
}  // namespace ricochet
