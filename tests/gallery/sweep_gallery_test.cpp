// The sweeps that come with ricochet, on fewer values: what is known of them shows.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "ricochet/study/attractors.hpp"

namespace ricochet {
namespace {

class AllOf final : public SweepWork {
 public:
  explicit AllOf(const SweepPlan& plan) : plan_(plan) {}
  std::optional<SweepChain> next() override {
    const std::lock_guard lock(mutex_);
    if (next_ == plan_.chain_count()) return std::nullopt;
    return SweepChain{plan_.chain(next_++)};
  }
  void finished(SweepTrajectory&& trajectory) override {
    const std::lock_guard lock(mutex_);
    slots[trajectory.index] = std::move(trajectory);
  }
  std::map<std::uint64_t, SweepTrajectory> slots;

 private:
  const SweepPlan& plan_;
  std::uint64_t next_ = 0;
  std::mutex mutex_;
};

struct Swept {
  BuiltSweep sweep;
  std::map<std::uint64_t, SweepTrajectory> slots;
  double value(std::uint64_t i, std::size_t axis = 0) const { return sweep.plan.values(i)[axis]; }
};

Swept sweep_gallery(const std::string& name, const Overrides& settings) {
  const Scenario scenario = load_scenario("gallery:" + name, settings);
  Swept result{build_sweep(scenario), {}};
  AllOf work(result.sweep.plan);
  sweep(*result.sweep.cases, result.sweep.settings, work);
  result.slots = std::move(work.slots);
  EXPECT_EQ(result.slots.size(), result.sweep.plan.count());
  for (const auto& [index, slot] : result.slots) EXPECT_EQ(slot.failure, "") << name << " " << index;
  return result;
}

// Below a = 1 the motion is the free one, x = cos(w t − φ) a; above it hits the stop, and just above its points are
// spread over more than the square root of the excess, without any period doubling before.
TEST(SweepGallery, Grazing) {
  const Swept result = sweep_gallery("grazing", {"sweep.axis[0].count=21", "sweep.axis[0].range=[0.96, 1.16]",
                                                 "sweep.axis[0].continuation=none", "time.step=2e-3"});
  const double w = 2.5, zeta = 0.05, phase = std::atan2(2.0 * zeta * w, 1.0 - w * w);
  for (const auto& [index, slot] : result.slots) {
    const double a = result.value(index);
    if (a < 0.995) {
      EXPECT_EQ(slot.impacts, 0u) << a;
      EXPECT_EQ(slot.period, 1) << a;
      EXPECT_NEAR(slot.points[1], a * std::cos(phase), 1e-4) << a;
    } else if (a > 1.015) {
      EXPECT_GT(slot.impacts, 3u) << a;
    }
  }
  double least = 1.0, most = -1e9;
  const SweepTrajectory& behind = result.slots.at(6);
  ASSERT_NEAR(result.value(6), 1.02, 1e-12);
  for (std::size_t k = 1; k < behind.points.size(); k += 3) {
    least = std::min(least, behind.points[k]);
    most = std::max(most, behind.points[k]);
  }
  EXPECT_GT(most - least, std::sqrt(0.02));
}

// From a = 1.07 to 1.235 every motion repeats after three periods with two impacts, up and down: the map from period to
// period in closed form says so after 2,000 periods. One or two may not have settled after 300, but none repeats
// otherwise.
TEST(SweepGallery, GrazingRepeatsAfterThreePeriods) {
  for (const auto& [scheme, step] :
       {std::pair<std::string, std::string>{"moreau-jean", "1e-3"}, {"event-driven", "0.1"}}) {
    const Swept result =
        sweep_gallery("grazing", {"sweep.axis[0].count=10", "sweep.axis[0].range=[1.07, 1.235]",
                                  "sweep.transient=\"300*2*pi/w\"", "scheme.name=" + scheme, "time.step=" + step});
    int settled = 0;
    for (const auto& [index, slot] : result.slots) {
      EXPECT_TRUE(slot.period == 3 || slot.period == SweepTrajectory::not_settled)
          << scheme << " " << result.value(index) << ": " << slot.period;
      if (slot.period != 3) continue;
      ++settled;
      EXPECT_EQ(slot.cycle_impacts, 2.0) << scheme << " " << result.value(index);
    }
    EXPECT_GE(settled, 18) << scheme;
    const Attractors attractors = attractors_of(result.sweep, [&](std::uint64_t i) { return result.slots.at(i); });
    EXPECT_EQ(attractors.branches().size(), 1u) << scheme;
  }
}

TEST(SweepGallery, ChaosHasAPositiveExponent) {
  const Swept result = sweep_gallery(
      "grazing", {"sweep.axis[0].values=[0.97, 1.02]", "sweep.axis[0].range=[]", "sweep.axis[0].count=0",
                  "sweep.axis[0].continuation=none", "sweep.measure=[\"lyapunov\"]", "scheme.name=event-driven",
                  "time.step=0.05", "sweep.transient=\"50*2*pi/w\"", "sweep.duration=\"300*2*pi/w\""});
  // Without impacts δ shrinks by the damping alone.
  EXPECT_NEAR(result.slots.at(0).lyapunov, -0.05, 1e-3);
  EXPECT_GT(result.slots.at(1).lyapunov, 0.05);
}

// In chaos, with impacts and damping: the sum of all exponents is the mean divergence, −2ζ + 2 ln(e) impacts per time.
TEST(SweepGallery, ExponentsAddUpToTheDivergence) {
  const double periods = 100.0, duration = periods * 2.0 * 3.14159265358979323846 / 2.5;
  const Swept result =
      sweep_gallery("grazing", {"sweep.axis[0].values=[0.97, 1.02, 1.2]", "sweep.axis[0].range=[]",
                                "sweep.axis[0].count=0", "sweep.axis[0].continuation=none",
                                "sweep.measure=[\"spectrum\"]", "scheme.name=event-driven", "scheme.rtol=1e-12",
                                "time.step=0.05", "sweep.transient=\"50*2*pi/w\"", "sweep.duration=\"100*2*pi/w\""});
  for (const auto& [index, slot] : result.slots) {
    ASSERT_EQ(slot.spectrum.size(), 2u);
    EXPECT_GE(slot.spectrum[0], slot.spectrum[1]);
    // Where multipliers are a pair, time decides which of the two is ahead.
    EXPECT_LT(std::min(std::abs(slot.spectrum[0] - slot.lyapunov), std::abs(slot.spectrum[1] - slot.lyapunov)), 1e-12);
    const double divergence = -0.1 + 2.0 * std::log(0.8) * static_cast<double>(slot.impacts) / duration;
    EXPECT_NEAR(slot.spectrum[0] + slot.spectrum[1], divergence, 1e-8) << result.value(index);
  }
}

TEST(SweepGallery, TwoBasins) {
  const Swept result = sweep_gallery("basins", {"sweep.axis[0].count=8", "sweep.axis[1].count=8"});
  const Attractors attractors = attractors_of(result.sweep, [&](std::uint64_t i) { return result.slots.at(i); });
  std::map<std::int32_t, std::set<std::int64_t>> periods;
  for (const auto& [index, slot] : result.slots) periods[attractors.number(index)].insert(slot.period);
  ASSERT_EQ(periods.size(), 2u);
  std::set<std::int64_t> found;
  for (const auto& [number, of_it] : periods) {
    EXPECT_EQ(of_it.size(), 1u);
    found.insert(*of_it.begin());
  }
  EXPECT_EQ(found, (std::set<std::int64_t>{1, 3}));
}

// Little flow chatters on the seat, much flow swings in the air: docs/gallery/relief-valve.md.
TEST(SweepGallery, ReliefValve) {
  const Swept result = sweep_gallery("relief-valve-sweep", {"sweep.axis[0].values=[3.0, 8.0]", "sweep.axis[0].range=[]",
                                                            "sweep.axis[0].count=0", "sweep.skip=200"});
  const SweepTrajectory &chatters = result.slots.at(0), &swings = result.slots.at(1);
  EXPECT_EQ(chatters.points.size(), 32u * 4u);
  EXPECT_GT(chatters.impacts, 200u);
  EXPECT_EQ(chatters.period, 1);
  // The motion repeats itself every 1.7168, and maxima of the lift have no velocity: to the errors that the tolerances
  // of 1e-10 leave in the velocity over one interval.
  EXPECT_NEAR(chatters.points[4] - chatters.points[0], 1.7168, 1e-4);
  for (std::size_t k = 0; k < chatters.points.size(); k += 4) EXPECT_NEAR(chatters.points[k + 2], 0.0, 3e-8);
  EXPECT_EQ(swings.impacts, 0u);
}

}  // namespace
}  // namespace ricochet
