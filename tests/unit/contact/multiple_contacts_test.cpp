// Systems in which contacts meet, at random: wedges, grooves, chains of beads, bars on supports, under the schemes that
// decide at nodes which contacts last. Whatever happens, nobody falls through, no impact adds energy where one
// restitution holds for all, records and account agree, and what must come to rest does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "ricochet/ricochet.hpp"
#include "support/multiple_contacts.hpp"

namespace ricochet {
namespace {

using testing::bar_on_supports;
using testing::bead_chain;
using testing::ContactCase;
using testing::random_between;
using testing::random_wedge;
using testing::redundant_legs;
using testing::redundant_supports;
using testing::sprung_chain;
using testing::wedge;

const std::vector<std::string> schemes = {"d1-minus", "splitting"};
const std::vector<Scheme> locating = {EventDriven{.flow = EventDriven::Flow::exact},
                                      EventDriven{.flow = EventDriven::Flow::runge_kutta}, Mannshardt{}};

double recorded_loss(const Solution& solution) {
  double sum = 0.0;
  for (const auto& impact : solution.impacts) sum += impact.energy_loss;
  return sum;
}

// The same where impacts are located: nobody enters an obstacle, and the account is that of the records.
void check_located(const ContactCase& given, const Scheme& scheme, double h, double until, double depth = 1e-9) {
  const Solution solution = simulate(*given.model, given.start, {0.0, until}, scheme, {.h = h});
  const double turnover = std::abs(solution.energy.initial) + given.energy, loss = recorded_loss(solution);
  RC_LOG() << scheme.name << ", " << given.name << ": " << solution.failure.message << " violation "
           << solution.violation_max << " impact " << solution.energy.impact << " recorded " << loss << std::endl;
  RC_ASSERT(solution.status == Status::completed);
  RC_ASSERT(solution.violation_max <= depth);
  RC_ASSERT(solution.energy.impact <= 1e-12 * turnover);
  RC_ASSERT(std::abs(solution.energy.impact + loss) <= 1e-9 * turnover);
}

// What must hold for every motion of a case under a scheme with steps of h.
void check_motion(const ContactCase& given, const std::string& scheme, double h, double until) {
  const Solution solution = simulate(*given.model, given.start, {0.0, until}, Scheme{scheme}, {.h = h});
  const std::string what = scheme + ", " + given.name;
  RC_LOG() << what << ": " << solution.failure.message << " violation " << solution.violation_max << " impact "
           << solution.energy.impact << " recorded " << recorded_loss(solution) << " of "
           << std::abs(solution.energy.initial) + given.energy << std::endl;
  RC_ASSERT(solution.status == Status::completed);
  RC_ASSERT(solution.violation_max <= 3.0 * h * (given.speed + 9.81 * h));
  const double turnover = std::abs(solution.energy.initial) + given.energy;
  RC_ASSERT(solution.energy.impact <= 1e-12 * turnover);
  // What a contact takes that closes no faster than forces make it close in a step is no record: 4 % of the energy at
  // the most in 2,000 chains, far less in most of them.
  RC_ASSERT(std::abs(solution.energy.impact + recorded_loss(solution)) <= std::max(0.1, 20.0 * h) * turnover);
}

RC_GTEST_PROP(MultipleContacts, NobodyFallsThroughAWedge, ()) {
  const double angle = random_between(30.0, 150.0), e = random_between(0.0, 1.0);
  for (const std::string& scheme : schemes) check_motion(random_wedge(angle, e), scheme, 0.01, 3.0);
  for (const Scheme& scheme : locating) check_located(random_wedge(angle, e), scheme, 0.01, 3.0);
}

RC_GTEST_PROP(MultipleContacts, NobodyFallsThroughAChain, ()) {
  const int n = *rc::gen::inRange(2, 7);
  const double e = random_between(0.0, 1.0);
  for (const std::string& scheme : schemes) check_motion(bead_chain(n, e), scheme, 1e-3, 2.0);
  for (const Scheme& scheme : locating) check_located(bead_chain(n, e), scheme, 1e-2, 2.0);
}

// Contacts that were opening are pushed too where others beside them are hit: they have their share of the energy.
RC_GTEST_PROP(MultipleContacts, RecordsAreTheAccount, ()) {
  const int n = *rc::gen::inRange(2, 7);
  const double e = random_between(0.0, 1.0);
  for (const char* scheme : {"moreau-jean", "mabrouk", "newmark", "generalized-alpha", "nsga"}) {
    const ContactCase given = bead_chain(n, e);
    const Solution solution = simulate(*given.model, given.start, {0.0, 1.0}, Scheme{scheme}, {.h = 1e-3});
    RC_ASSERT(solution.status == Status::completed);
    RC_ASSERT(std::abs(solution.energy.impact + recorded_loss(solution)) <= 0.02 * given.energy);
  }
}

// Walls nearly at right angles: a blow on one of them opens the other a little, whose next flight is no flight in a
// step. The particle comes to rest.
RC_GTEST_PROP(MultipleContacts, RestsBetweenWallsNearlyAtRightAngles, ()) {
  const double e = 0.5 * random_between(0.0, 1.0);
  for (const std::string& scheme : schemes) {
    const ContactCase given = random_wedge(90.0 + 3.0 * random_between(-1.0, 1.0), e);
    const Solution s = simulate(*given.model, given.start, {0.0, 10.0}, Scheme{scheme}, {.h = 0.01});
    RC_ASSERT(s.status == Status::completed);
    RC_ASSERT(std::abs(s.final.v[0]) + std::abs(s.final.v[1]) <= 1e-9);
  }
}

// Between walls at obtuse angles a blow on one of them opens the other as fast as the particle slides along it. Blows
// no harder than what forces push in a step are rest: before, it went up and down the walls for ever, by O(h).
RC_GTEST_PROP(MultipleContacts, RestsBetweenWallsAtObtuseAngles, ()) {
  const double e = 0.4 * random_between(0.0, 1.0), angle = random_between(95.0, 140.0);
  for (const std::string& scheme : schemes) {
    const ContactCase given = random_wedge(angle, e);
    const Solution s = simulate(*given.model, given.start, {0.0, 20.0}, Scheme{scheme}, {.h = 0.01});
    RC_ASSERT(s.status == Status::completed);
    RC_ASSERT(std::abs(s.final.v[0]) + std::abs(s.final.v[1]) <= 1e-9);
  }
}

// Beads that touch and fall together: impulses cancel in the light ones but for round-off.
RC_GTEST_PROP(MultipleContacts, TouchingBeadsFallTogether, ()) {
  const int n = *rc::gen::inRange(3, 5);
  const double e = random_between(0.0, 1.0);
  for (const Scheme& scheme : locating) check_located(bead_chain(n, e, true), scheme, 1e-2, 1.0);
}

// The blows of a start are records as others are.
TEST(MultipleContacts, ImpactsAtTheStartAreRecorded) {
  const auto beads = lagrangian({.coordinates = {"a", "b", "c"},
                                 .kinetic = "(12*a_dot^2 + 0.2*b_dot^2 + 0.006*c_dot^2)/2",
                                 .constraints = {{.name = "floor", .gap = "a", .restitution = 0.9},
                                                 {.name = "ab", .gap = "b - a", .restitution = 0.9},
                                                 {.name = "bc", .gap = "c - b", .restitution = 0.9}}});
  for (const char* scheme : {"event-driven", "mannshardt", "moreau-jean", "newmark", "splitting"}) {
    const Solution s =
        simulate(*beads, {.q = {0.0, 0.0, 0.0}, .v = {-0.7, 0.2, -0.1}}, {0.0, 0.01}, Scheme{scheme}, {.h = 1e-3});
    EXPECT_LT(s.energy.impact, -0.1) << scheme;
    EXPECT_NEAR(s.energy.impact + recorded_loss(s), 0.0, 1e-3 * -s.energy.impact) << scheme;
  }
}

RC_GTEST_PROP(MultipleContacts, NobodyFallsThroughSupports, ()) {
  const double e = random_between(0.0, 1.0);
  for (const std::string& scheme : schemes) check_motion(bar_on_supports(e), scheme, 1e-3, 2.0);
  for (const Scheme& scheme : locating) check_located(bar_on_supports(e), scheme, 1e-2, 2.0);
}

// More supports than carry what they hold: none of them need press, and round-off of forces that cancel is no event.
// What parts from rest may be as deep as the tolerance allows, 1e-8 of the motion.
RC_GTEST_PROP(MultipleContacts, NobodyFallsThroughRedundantSupports, ()) {
  const double e = std::max(0.0, random_between(-0.3, 1.0));
  for (const Scheme& scheme : locating) {
    check_located(redundant_supports(e), scheme, 1e-2, 1.0, 1e-8);
    check_located(redundant_legs(e), scheme, 1e-2, 1.0, 1e-8);
  }
}

// Exact flights: nobody is inside an obstacle by more than round-off, the account closes to round-off, and when the
// motion is recorded changes no bit of it.
void check_exact(const ContactCase& given, double until) {
  const auto run = [&](double h) {
    return simulate(*given.model, given.start, {0.0, until}, EventDriven{.flow = EventDriven::Flow::exact}, {.h = h});
  };
  const Solution solution = run(0.01), seldom = run(until);
  const double turnover = std::abs(solution.energy.initial) + given.energy + solution.energy.turnover;
  RC_LOG() << given.name << ": " << solution.failure.message << " violation " << solution.violation_max << " numerical "
           << solution.energy.numerical / turnover << " loss "
           << (solution.energy.impact + recorded_loss(solution)) / turnover << std::endl;
  RC_ASSERT(solution.status == Status::completed);
  RC_ASSERT(solution.violation_max <= 1e-11);
  // Each impact rounds velocities and with them energies, and where they chatter there are 1e5 a second.
  const double rounds = 1e-11 + 1e-15 * static_cast<double>(solution.impact_count);
  RC_ASSERT(std::abs(solution.energy.numerical) <= rounds * turnover);
  RC_ASSERT(solution.energy.impact <= 1e-11 * turnover);
  RC_ASSERT(std::abs(solution.energy.impact + recorded_loss(solution)) <= 1e-9 * turnover);
  RC_ASSERT(solution.final.q == seldom.final.q);
  RC_ASSERT(solution.final.v == seldom.final.v);
  RC_ASSERT(solution.impact_count == seldom.impact_count);
}

RC_GTEST_PROP(MultipleContacts, ExactFlights, ()) {
  const double e = std::max(0.0, random_between(-0.3, 1.0));
  const int n = *rc::gen::inRange(2, 7);
  check_exact(random_wedge(random_between(30.0, 150.0), e), 3.0);
  check_exact(bead_chain(n, e), 2.0);
  check_exact(bar_on_supports(e), 2.0);
  check_exact(redundant_supports(e), 2.0);
  for (const bool moving : {false, true}) check_exact(sprung_chain(std::min(n, 4), std::min(e, 0.9), moving), 1.0);
}

// A law in positions can add energy where contacts meet: then the run says so.
TEST(MultipleContacts, EnergyFromImpactsIsTold) {
  const auto beads = lagrangian({.coordinates = {"a", "b", "c", "d"},
                                 .kinetic = "(a_dot^2 + 0.01*b_dot^2 + 10*c_dot^2 + 0.3*d_dot^2)/2",
                                 .potential = "9.81*(a + 0.01*b + 10*c + 0.3*d)",
                                 .constraints = {{.name = "floor", .gap = "a", .restitution = 1.0},
                                                 {.name = "ab", .gap = "b - a", .restitution = 1.0},
                                                 {.name = "bc", .gap = "c - b", .restitution = 1.0},
                                                 {.name = "cd", .gap = "d - c", .restitution = 1.0}}});
  const auto notes = [&](const std::string& scheme) {
    const Solution s = simulate(*beads, {.q = {0.05, 0.1, 0.15, 0.2}}, {0.0, 1.0}, Scheme{scheme}, {.h = 1e-3});
    std::string all;
    for (const std::string& note : s.notes) all += note;
    EXPECT_EQ(s.energy.impact > 1e-6, all.find("impacts added") != std::string::npos) << scheme << ": " << all;
    return all;
  };
  EXPECT_NE(notes("paoli-schatzman").find("impacts added"), std::string::npos);
  EXPECT_EQ(notes("moreau-jean").find("impacts added"), std::string::npos);
}

// The particle of docs/check.md in a wedge of 60 degrees.
TEST(MultipleContacts, TheWedgeOfTheDocs) {
  for (const std::string& scheme : schemes) {
    ContactCase given = wedge(60.0, 0.3);
    given.start = {.q = {0.0, 0.41}, .v = {0.0, 0.0}};
    const Solution solution = simulate(*given.model, given.start, {0.0, 3.0}, Scheme{scheme}, {.h = 0.01});
    EXPECT_LT(solution.violation_max, 0.05) << scheme;
    EXPECT_LT(solution.energy.impact, 0.0) << scheme;
  }
}

// A bead on a bead on a floor rests as well, and stays where it is.
TEST(MultipleContacts, ABeadOnABeadRests) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .potential = "9.81*(x + y)",
                                 .constraints = {{.name = "floor", .gap = "x", .restitution = 0.1},
                                                 {.name = "between", .gap = "y - x", .restitution = 0.1}}});
  for (const std::string& scheme : schemes) {
    const Solution solution =
        simulate(*model, {.q = {0.02, 0.04}, .v = {0.0, 0.0}}, {0.0, 20.0}, Scheme{scheme}, {.h = 1e-3});
    for (const double q : solution.final.q) EXPECT_NEAR(q, 0.0, 1e-3) << scheme;
    for (const double v : solution.final.v) EXPECT_NEAR(v, 0.0, 1e-12) << scheme;
    EXPECT_NEAR(solution.energy.impact, -9.81 * 0.06, 0.02 * 9.81 * 0.06) << scheme;
  }
}

// A groove of 60 degrees: all the energy is lost in it, and no more.
TEST(MultipleContacts, AParticleInAGrooveComesToRest) {
  for (const std::string& scheme : schemes) {
    ContactCase given = wedge(60.0, 0.5);
    given.start = {.q = {0.1, 0.5}, .v = {0.0, 0.0}};
    const Solution solution = simulate(*given.model, given.start, {0.0, 6.0}, Scheme{scheme}, {.h = 0.01});
    for (const double v : solution.final.v) EXPECT_NEAR(v, 0.0, 1e-9) << scheme;
    EXPECT_NEAR(solution.energy.impact, -9.81 * 0.5, 0.02 * 4.905) << scheme;
    EXPECT_LT(solution.impact_count, 100u) << scheme;
  }
}

}  // namespace
}  // namespace ricochet
