// The states before and after impacts that a scheme has located are rows of the result.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;

// Schemes that locate impacts, and what they know the time of an impact to.
std::vector<Scheme> locating() {
  return {EventDriven{}, EventDriven{.flow = EventDriven::Flow::runge_kutta, .rtol = 1e-12}, Mannshardt{}};
}

TEST(ImpactStates, AreTwoRowsAtTheTimeOfTheImpact) {
  const double g = 2.0, e = 0.5;
  const auto ball = lagrangian(ball_description(g, e));
  for (const Scheme& scheme : locating()) {
    // It falls from 1 m in a second: impacts at t = 1, 2, 2.5, …
    const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 2.7}, scheme, {.h = 0.3, .record_impacts = true});
    const Trajectory& path = solution.trajectory;
    ASSERT_EQ(path.event.size(), path.t.size());
    std::vector<std::size_t> before;
    for (std::size_t i = 0; i < path.t.size(); ++i)
      if (path.event[i] < 0) before.push_back(i);
    ASSERT_EQ(before.size(), 3u) << scheme.name;
    EXPECT_EQ(path.t.size(), 10u + 6u);
    double height = 1.0;
    const double times[] = {1.0, 2.0, 2.5};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = before[k];
      const double speed = std::sqrt(2.0 * g * height);
      ASSERT_EQ(path.event[i + 1], 1);
      EXPECT_EQ(path.t[i + 1], path.t[i]);
      EXPECT_NEAR(path.t[i], times[k], 1e-11) << scheme.name;
      EXPECT_NEAR(path.q[i], 0.0, 1e-11);
      EXPECT_EQ(path.q[i + 1], path.q[i]);
      EXPECT_EQ(path.gap[i], path.q[i]);
      EXPECT_NEAR(path.v[i], -speed, 1e-11) << scheme.name;
      EXPECT_NEAR(path.v[i + 1], e * speed, 1e-11);
      EXPECT_EQ(path.rate[i + 1], path.v[i + 1]);
      EXPECT_EQ(path.impulse[i], 0.0);
      EXPECT_EQ(path.impulse[i + 1], solution.impacts[k].impulse);
      height *= e * e;
    }
  }
}

TEST(ImpactStates, ChangeNothingElse) {
  const auto ball = lagrangian(ball_description(9.81, 0.8));
  for (const Scheme& scheme : locating()) {
    RunSettings settings{.h = 0.05, .record_every = 3, .record_impacts = true};
    const Solution with = simulate(*ball, {.q = {1.0}}, {0.0, 3.0}, scheme, settings);
    settings.record_impacts = false;
    const Solution without = simulate(*ball, {.q = {1.0}}, {0.0, 3.0}, scheme, settings);
    EXPECT_EQ(with.impacts, without.impacts);
    std::vector<double> q, v, potential;
    double impulse = 0.0, all = 0.0;
    for (std::size_t i = 0; i < with.trajectory.t.size(); ++i) {
      impulse += with.trajectory.impulse[i];
      if (with.trajectory.event[i] != 0) continue;
      q.push_back(with.trajectory.q[i]);
      v.push_back(with.trajectory.v[i]);
      potential.push_back(with.trajectory.potential[i]);
    }
    for (const double P : without.trajectory.impulse) all += P;
    EXPECT_EQ(q, without.trajectory.q) << scheme.name;
    EXPECT_EQ(v, without.trajectory.v);
    EXPECT_EQ(potential, without.trajectory.potential);
    EXPECT_NEAR(impulse, all, 1e-12);
    EXPECT_EQ(with.energy.impact, without.energy.impact);
    settings = {.h = 0.05, .record_every = 0, .record_impacts = true};
    EXPECT_EQ(simulate(*ball, {.q = {1.0}}, {0.0, 3.0}, scheme, settings).trajectory.t.size(), 2u);
  }
}

TEST(ImpactStates, SchemesThatOnlyMeetImpactsHaveNone) {
  const auto ball = lagrangian(ball_description(9.81, 0.8));
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme = entry;
    if (traits(scheme).locates_impacts || traits(scheme).inelastic_only) continue;
    const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, scheme, {.h = 0.01, .record_impacts = true});
    for (const int event : solution.trajectory.event) EXPECT_EQ(event, 0) << entry.name;
  }
}

// A forced and damped oscillator with friction on its stop's surface: impulses of every row, and the account in it.
TEST(ImpactStates, HaveTheirPartOfImpulsesAndTheirAccount) {
  class Watch final : public Observer {
   public:
    void record(const Sample& sample) override {
      const double E = sample.kinetic + sample.potential;
      if (rows++ == 0) start = E;
      const LedgerTerms<double>& sum = sample.ledger;
      worst = std::max(worst, std::abs(sum.numerical));
      closed =
          std::max(closed, std::abs(E - start - sum.input - sum.damping - sum.impact - sum.friction - sum.numerical));
      friction += sample.friction[0];
      normal += sample.impulse[0];
      events += sample.event != 0;
      if (sample.event > 0) at_impacts += sample.friction[0];
    }
    int rows = 0, events = 0;
    double start = 0.0, worst = 0.0, closed = 0.0, friction = 0.0, normal = 0.0, at_impacts = 0.0;
  };
  LagrangianDescription d;
  d.coordinates = {"x", "y"};
  d.kinetic = "0.5*(x_dot^2 + y_dot^2)";
  d.potential = "10*y + 2*x^2";
  d.dissipation = "0.05*y_dot^2";
  d.force = {{"x", "3*cos(2*t)"}};
  d.constraints = {{.name = "floor", .gap = "y", .restitution = 0.6, .friction = 0.3, .slip = {"x_dot"}}};
  const auto model = lagrangian(d);
  for (const Scheme& scheme : locating()) {
    Watch watch;
    const Solution solution = simulate(*model, {.q = {0.5, 1.0}}, {0.0, 4.0}, scheme,
                                       {.h = 0.04, .record_impacts = true, .keep = false}, &watch);
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_GT(watch.events, 10);
    EXPECT_LT(watch.closed, 1e-12) << scheme.name;
    EXPECT_LT(watch.worst, 1e-6) << scheme.name << ": the split at impacts is that of the motion";
    double normal = 0.0, friction = 0.0;
    for (const Impact& impact : solution.impacts) normal += impact.impulse, friction += impact.slip.impulse[0];
    EXPECT_GT(watch.normal, normal);
    EXPECT_NEAR(watch.at_impacts, friction, 1e-10);
  }
}

}  // namespace
}  // namespace ricochet
