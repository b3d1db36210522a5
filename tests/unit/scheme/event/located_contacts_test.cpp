// Schemes that locate events where contacts are redundant, accumulate against moving obstacles or between each other,
// and where units and recording times must not matter.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "ricochet/ricochet.hpp"
#include "support/multiple_contacts.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;
using testing::random_between;

const std::vector<std::string> schemes = {"event-driven", "mannshardt"};

Solution run(const LagrangianDescription& description, const State& start, double until, const std::string& scheme,
             double h) {
  const Solution s = simulate(*lagrangian(description), start, {0.0, until}, Scheme{scheme}, {.h = h});
  EXPECT_EQ(s.status, Status::completed) << scheme << ": " << s.failure.message;
  return s;
}

LagrangianDescription plank(double e) {
  return {.coordinates = {"y", "a"},
          .kinetic = "(y_dot^2 + 0.3*a_dot^2)/2",
          .potential = "9.81*y",
          .constraints = {{.name = "left", .gap = "y - 0.5*a", .restitution = e},
                          {.name = "middle", .gap = "y", .restitution = e},
                          {.name = "right", .gap = "y + 0.5*a", .restitution = e}}};
}

// Dropped flat on three supports it comes to rest, with all its energy lost.
TEST(LocatedContacts, BarDroppedFlatOnThreeSupports) {
  for (const std::string& scheme : schemes)
    for (const double e : {0.0, 0.5, 0.8}) {
      const Solution s = run(plank(e), {.q = {0.3, 0.0}}, 6.0, scheme, 0.01);
      EXPECT_NEAR(s.final.q[0], 0.0, 1e-12) << scheme << " " << e;
      EXPECT_NEAR(s.final.v[0], 0.0, 1e-12) << scheme << " " << e;
      EXPECT_NEAR(s.energy.impact, -2.943, 1e-8) << scheme << " " << e;
    }
}

// A table on four legs under a moment 3 sin t: it stands, whichever three legs carry it, and they carry its weight.
TEST(LocatedContacts, TableOnFourLegs) {
  LagrangianDescription table{.coordinates = {"y", "a", "b"},
                              .kinetic = "(y_dot^2 + 0.3*a_dot^2 + 0.2*b_dot^2)/2",
                              .potential = "9.81*y",
                              .force = {{"a", "-3*sin(t)"}, {"b", "0.7*cos(3*t)"}}};
  for (const std::string leg : {"+ 0.5*a + 0.5*b", "+ 0.5*a - 0.5*b", "- 0.5*a + 0.5*b", "- 0.5*a - 0.5*b"})
    table.constraints.push_back(
        {.name = "leg" + std::to_string(table.constraints.size()), .gap = "y " + leg, .restitution = 0.5});
  for (const std::string& scheme : schemes) {
    const Solution s = run(table, {.q = {0.0, 0.0, 0.0}}, 10.0, scheme, 0.01);
    EXPECT_EQ(s.impact_count, 0u) << scheme;
    for (const double q : s.final.q) EXPECT_NEAR(q, 0.0, 1e-12) << scheme;
    double impulse = 0.0;
    for (const double P : s.trajectory.impulse) {
      impulse += P;
      EXPECT_GE(P, -1e-9) << scheme;
    }
    EXPECT_NEAR(impulse, 98.1, 1e-6) << scheme;
  }
}

// Galileo: a floor that rises evenly changes nothing.
TEST(LocatedContacts, AccumulationOnARisingFloor) {
  for (const std::string& scheme : schemes)
    for (const double speed : {0.0, 20.0, 30.0, 1000.0, -1000.0}) {
      LagrangianDescription ball = ball_description(9.81, 0.5);
      ball.constraints[0].gap = "x - " + to_text(speed) + "*t";
      const Solution s = run(ball, {.q = {0.3}, .v = {speed}}, 4.0, scheme, 0.01);
      EXPECT_NEAR(s.final.q[0] - 4.0 * speed, 0.0, 1e-10 * (1.0 + std::abs(speed))) << scheme << " " << speed;
      EXPECT_NEAR(s.final.v[0] - speed, 0.0, 1e-10 * (1.0 + std::abs(speed))) << scheme << " " << speed;
      EXPECT_NEAR(s.energy.impact, -9.81 * 0.3, 1e-7) << scheme << " " << speed;
    }
}

// A light bead between two heavy ones that close in on it, without any force: infinitely many impacts in a finite time
// if e is small enough, then all go on together.
TEST(LocatedContacts, InelasticCollapse) {
  for (const std::string& scheme : schemes)
    for (const double e : {0.0, 0.1, 0.2}) {
      const LagrangianDescription beads{.coordinates = {"x", "y", "z"},
                                        .kinetic = "(x_dot^2 + 1e-3*y_dot^2 + 2*z_dot^2)/2",
                                        .constraints = {{.name = "xy", .gap = "y - x", .restitution = e},
                                                        {.name = "yz", .gap = "z - y", .restitution = e}}};
      const Solution s = run(beads, {.q = {0.0, 0.3, 1.0}, .v = {1.0, 0.0, 0.0}}, 5.0, scheme, 0.1);
      EXPECT_LE(s.violation_max, 1e-12) << scheme << " " << e;
      EXPECT_LE(s.energy.impact, 0.0) << scheme << " " << e;
      EXPECT_NEAR(s.final.v[0] + 1e-3 * s.final.v[1] + 2.0 * s.final.v[2], 1.0, 1e-12) << scheme << " " << e;
    }
}

// At rest with a force that vanishes at the start like t³: it stays where it is pressed, and leaves where it is drawn.
TEST(LocatedContacts, ForceThatVanishesAtTheStart) {
  for (const std::string& scheme : schemes) {
    LagrangianDescription body{.coordinates = {"x"},
                               .kinetic = "x_dot^2/2",
                               .force = {{"x", "-t^3"}},
                               .constraints = {{.name = "wall", .gap = "x", .restitution = 0.5}}};
    EXPECT_EQ(run(body, {.q = {0.0}}, 2.0, scheme, 0.1).final.q[0], 0.0) << scheme;
    body.force = {{"x", "t^3"}};
    const Solution leaves = run(body, {.q = {0.0}}, 2.0, scheme, 0.1);
    EXPECT_NEAR(leaves.final.q[0], 1.6, 1e-5) << scheme;  // h⁴ = 1e-4
    EXPECT_EQ(leaves.impact_count, 0u) << scheme;
  }
}

// s g ≥ 0 is g ≥ 0, beside a coordinate that has nothing to do with it.
TEST(LocatedContacts, ScaleOfAGapDoesNotMatter) {
  for (const std::string& scheme : schemes) {
    std::vector<double> reference;
    for (const double scale : {1.0, 1e-9, 1e-3, 1e3, 1e9}) {
      LagrangianDescription ball = ball_description(9.81, 0.5);
      ball.coordinates.push_back("far");
      ball.kinetic += " + far_dot^2/2";
      ball.constraints[0].gap = to_text(scale) + "*x";
      const Solution s = run(ball, {.q = {1e-3, 1e5}, .v = {0.0, 3.0}}, 0.03, scheme, 1e-3);
      if (reference.empty()) reference = {s.final.q[0], s.final.v[0], static_cast<double>(s.impact_count)};
      EXPECT_GE(s.impact_count, 1u) << scheme << " " << scale;
      EXPECT_NEAR(s.final.q[0], reference[0], 1e-9 * 1e-3) << scheme << " " << scale;
      EXPECT_NEAR(s.final.v[0], reference[1], 1e-9 * 0.14) << scheme << " " << scale;
    }
  }
}

// Two masses on a damped spring over a floor, a stop between them, in units of length, mass and time.
Solution in_units(const Scheme& scheme, double L, double M, double T) {
  const auto text = [](double x) { return to_text(x); };
  const LagrangianDescription masses{
      .coordinates = {"x", "y"},
      .kinetic = text(0.5 * M) + "*x_dot^2 + " + text(0.7 * M) + "*y_dot^2",
      .potential =
          text(9.81 * M * L / T / T) + "*(x + y) + " + text(200.0 * M / T / T) + "*(y - x - " + text(0.3 * L) + ")^2",
      .dissipation = text(0.15 * M / T) + "*(y_dot - x_dot)^2",
      .constraints = {{.name = "floor", .gap = "x", .restitution = 0.6},
                      {.name = "stop", .gap = "y - x - " + text(0.25 * L), .restitution = 0.6}}};
  Solution s = simulate(*lagrangian(masses), {.q = {0.2 * L, 0.55 * L}, .v = {0.0, -0.5 * L / T}}, {0.0, 2.0 * T},
                        scheme, {.h = 0.01 * T});
  EXPECT_EQ(s.status, Status::completed) << s.failure.message;
  for (double& q : s.trajectory.q) q /= L;
  for (double& v : s.trajectory.v) v *= T / L;
  return s;
}

// Units that differ by powers of two change no bit; where a matrix that mixes units is pivoted, or has modes, no digit.
TEST(LocatedContacts, UnitsDoNotMatter) {
  const Scheme exact[] = {EventDriven{.flow = EventDriven::Flow::runge_kutta}, Mannshardt{.tableau = "rk4"},
                          Scheme{"d1-minus"}, Scheme{"splitting"}};
  const double units[][3] = {{0x1p-30, 1.0, 1.0}, {0x1p20, 1.0, 1.0},  {1.0, 0x1p15, 1.0},
                             {1.0, 0x1p-17, 1.0}, {1.0, 1.0, 0x1p-13}, {0x1p-20, 0x1p11, 0x1p7}};
  for (const Scheme& scheme : exact) {
    const Solution one = in_units(scheme, 1.0, 1.0, 1.0);
    for (const auto& [L, M, T] : units) {
      const Solution other = in_units(scheme, L, M, T);
      EXPECT_EQ(one.trajectory.q, other.trajectory.q) << scheme.name << " " << L << " " << M << " " << T;
      EXPECT_EQ(one.trajectory.v, other.trajectory.v) << scheme.name << " " << L << " " << M << " " << T;
      EXPECT_EQ(one.impact_count, other.impact_count) << scheme.name << " " << L << " " << M << " " << T;
    }
  }
  const Scheme pivoting[] = {Mannshardt{}, EventDriven{.flow = EventDriven::Flow::exact}};
  for (const Scheme& scheme : pivoting) {
    const Solution one = in_units(scheme, 1.0, 1.0, 1.0);
    for (const auto& [L, M, T] : units) {
      const Solution other = in_units(scheme, L, M, T);
      for (std::size_t i = 0; i < one.trajectory.q.size(); ++i)
        ASSERT_NEAR(one.trajectory.q[i], other.trajectory.q[i], 1e-12)
            << scheme.name << " " << L << " " << M << " " << T;
    }
  }
}

// Constraints and coordinates in another order, and a frame that moves evenly: the same motion of the same chain.
TEST(LocatedContacts, OrderAndFrameDoNotMatter) {
  const double masses[] = {1.0, 0.05, 20.0}, starts[] = {0.03, 0.07, 0.16};
  const auto chain = [&](const std::vector<int>& order, double speed) {
    LagrangianDescription d;
    for (const int i : order) {
      const std::string x = "x" + std::to_string(i), m = to_text(0.5 * masses[i]);
      d.coordinates.push_back(x);
      d.kinetic += (d.kinetic.empty() ? "" : " + ") + m + "*" + x + "_dot^2";
      d.potential += (d.potential.empty() ? "" : " + ") + to_text(9.81 * masses[i]) + "*" + x;
      d.constraints.push_back({.name = "c" + std::to_string(i),
                               .gap = x + " - " + (i == 0 ? to_text(speed) + "*t" : "x" + std::to_string(i - 1)),
                               .restitution = 0.3});
    }
    return d;
  };
  for (const std::string& scheme : schemes) {
    State first;
    for (const std::vector<int>& order : {std::vector<int>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}})
      for (const double speed : {0.0, 3.0}) {
        State start;
        for (const int i : order) start.q.push_back(starts[i]), start.v.push_back(speed);
        const Solution s = run(chain(order, speed), start, 0.25, scheme, 0.01);
        State sorted{.q = std::vector<double>(3), .v = std::vector<double>(3)};
        for (std::size_t k = 0; k < 3; ++k) {
          sorted.q[order[k]] = s.final.q[k] - 0.25 * speed;
          sorted.v[order[k]] = s.final.v[k] - speed;
        }
        if (first.q.empty()) first = sorted;
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(sorted.q[i], first.q[i], 1e-8) << scheme << " " << speed;
          EXPECT_NEAR(sorted.v[i], first.v[i], 1e-7) << scheme << " " << speed;
        }
      }
  }
}

// A particle in a wedge of 100 degrees, all of it turned.
TEST(LocatedContacts, DirectionsDoNotMatter) {
  const auto turned = [](double angle, const std::string& scheme) {
    const double c = std::cos(angle), s = std::sin(angle), half = 50.0 * 3.14159265358979323846 / 180.0;
    const auto linear = [](double a, double b) { return "(" + to_text(a) + ")*x + (" + to_text(b) + ")*y"; };
    const auto along = [&](double a, double b) { return linear(a * c - b * s, a * s + b * c); };  // turned by the angle
    const LagrangianDescription wedge{
        .coordinates = {"x", "y"},
        .kinetic = "(x_dot^2 + y_dot^2)/2",
        .potential = "9.81*(" + along(0.0, 1.0) + ")",
        .constraints = {{.name = "left", .gap = along(std::cos(half), std::sin(half)), .restitution = 0.4},
                        {.name = "right", .gap = along(-std::cos(half), std::sin(half)), .restitution = 0.4}}};
    const State end = run(wedge, {.q = {0.1 * c - 0.5 * s, 0.1 * s + 0.5 * c}}, 0.6, scheme, 0.01).final;
    return std::vector<double>{end.q[0] * c + end.q[1] * s, end.q[1] * c - end.q[0] * s, end.v[0] * c + end.v[1] * s,
                               end.v[1] * c - end.v[0] * s};
  };
  for (const std::string& scheme : schemes) {
    const std::vector<double> upright = turned(0.0, scheme);
    for (const double angle : {0.3, 1.1, 2.5}) {
      const std::vector<double> other = turned(angle, scheme);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(other[i], upright[i], 1e-8) << scheme << " " << angle;
    }
  }
}

// Where accumulations are recorded does not matter: the same end, whatever the interval.
RC_GTEST_PROP(LocatedContacts, RecordingTimesDoNotMatter, ()) {
  const double h = std::pow(10.0, random_between(-3.0, 0.3));
  for (const std::string& scheme : schemes) {
    const double step = scheme == "mannshardt" ? std::min(h, 0.05) : h;
    LagrangianDescription rising = ball_description(9.81, 0.5);
    rising.constraints[0].gap = "x - 30*t";
    const auto ball = lagrangian(ball_description(9.81, 0.5)), floor = lagrangian(rising), bar = lagrangian(plank(0.5));
    const auto ends = [&](const Model& model, const State& start, double until) {
      const Solution s = simulate(model, start, {0.0, until}, Scheme{scheme}, {.h = step});
      RC_LOG() << scheme << " h = " << step << ": " << s.failure.message << std::endl;
      RC_ASSERT(s.status == Status::completed);
      return s.final;
    };
    RC_ASSERT(std::abs(ends(*ball, {.q = {1.0}, .v = {0.0}}, 2.0).v[0]) <= 1e-12);
    RC_ASSERT(std::abs(ends(*floor, {.q = {0.3}, .v = {30.0}}, 2.0).v[0] - 30.0) <= 1e-10);
    RC_ASSERT(std::abs(ends(*bar, {.q = {0.5, 0.2}, .v = {0.0, 0.0}}, 4.0).v[0]) <= 1e-12);
  }
}

}  // namespace
}  // namespace ricochet
