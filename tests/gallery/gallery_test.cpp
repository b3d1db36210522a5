// Every scenario that comes with ricochet carries its known answer; here each is run at its own step and compared,
// and run again with steps up to sixteen times as large: the errors must fall with order one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/gallery_texts.hpp"
#include "ricochet/scenario/known.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

class Gallery : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const ScenarioFile file = open_scenario("gallery:" + GetParam());
    problem_ = file.build();
    known_.emplace(file.scenario(), problem_);
  }

  Solution run(double factor) const {
    RunSettings settings = problem_.settings;
    settings.h *= factor;
    settings.record_every = 1;
    return simulate(*problem_.model, problem_.start, problem_.span, problem_.scheme, settings);
  }

  // Position and velocity between nodes, by linear interpolation.
  static std::vector<double> interpolate(const Trajectory& path, const std::vector<double>& x, double t) {
    const std::size_t n = x.size() / path.t.size();
    std::size_t i = static_cast<std::size_t>(std::upper_bound(path.t.begin(), path.t.end(), t) - path.t.begin());
    i = std::clamp<std::size_t>(i, 1, path.t.size() - 1);
    const double s = (t - path.t[i - 1]) / (path.t[i] - path.t[i - 1]);
    std::vector<double> result;
    for (std::size_t k = 0; k < n; ++k) result.push_back((1 - s) * x[(i - 1) * n + k] + s * x[i * n + k]);
    return result;
  }

  // Largest error of any coordinate over the samples, and over the nodes where there is a formula.
  // With `window` only those inside the window in which the order is claimed.
  double error(const Trajectory& path, bool window = false) const {
    double worst = 0.0;
    const auto compare = [&](const std::vector<double>& a, const double* b) {
      for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
    };
    const auto compare_sample = [&](const KnownMotion::Instant& sample) {
      compare(sample.q, interpolate(path, path.q, sample.t).data());
      if (sample.observed.empty()) return;
      const std::vector<double> observed = interpolate(path, path.observed, sample.t);
      for (const auto& [i, value] : sample.observed) compare({value}, observed.data() + i);
    };
    for (const KnownMotion::Instant& sample : known_->samples())
      if (!window || (sample.t >= known_->window().from && sample.t <= known_->window().until)) compare_sample(sample);
    const std::size_t n = path.q.size() / path.t.size();
    for (std::size_t i = 0; known_->has_q() && i < path.t.size(); ++i)
      if (path.t[i] >= known_->window().from && path.t[i] <= known_->window().until)
        compare(known_->q(path.t[i]), path.q.data() + i * n);
    return worst;
  }

  Problem problem_;
  std::optional<KnownMotion> known_;
};

TEST_P(Gallery, MotionIsTheKnownOne) {
  const Solution solution = run(1.0);
  ASSERT_EQ(solution.status, Status::completed);
  ASSERT_TRUE(known_->error().has_value());
  ASSERT_TRUE(known_->has_q() || !known_->samples().empty());
  EXPECT_LE(error(solution.trajectory), *known_->error());
}

// Those on a fixed step.
class GalleryOrder : public Gallery {};

TEST_P(GalleryOrder, ErrorsFallWithOrderOne) {
  // Averages over grid phases: a single step may be lucky.
  const auto mean = [&](double factor) {
    double sum = 0.0;
    for (int i = 0; i < 24; ++i) sum += error(run(factor * (0.98317 - 0.0123 * i)).trajectory, true);
    return sum / 24.0;
  };
  std::vector<double> factors = {16.0, 8.0, 4.0, 2.0, 1.0}, errors;
  for (const double factor : factors) errors.push_back(mean(factor));
  EXPECT_GT(testing::slope(factors, errors), 0.75) << "from " << errors.front() << " to " << errors.back();
}

TEST_P(Gallery, ImpactsAreTheKnownOnes) {
  const Solution solution = run(1.0);
  // Without constraints, or in contact all the time, as bodies that only slide are.
  const bool rests = std::all_of(solution.trajectory.gap.begin(), solution.trajectory.gap.end(),
                                 [](double gap) { return std::abs(gap) < 1e-12; });
  if (rests && known_->impacts().empty()) {
    EXPECT_EQ(solution.impact_count, 0u);
    return;
  }
  ASSERT_FALSE(known_->impacts().empty());
  ASSERT_TRUE(known_->time_error().has_value());
  // In order, by constraint: the first, second … known impact is the first, second … record.
  std::size_t position = 0;
  for (const KnownMotion::Hit& hit : known_->impacts()) {
    while (position < solution.impacts.size() && solution.impacts[position].constraint != hit.constraint) ++position;
    ASSERT_LT(position, solution.impacts.size()) << "no record of the impact at t = " << hit.t;
    const Impact& impact = solution.impacts[position++];
    EXPECT_NEAR(impact.t, hit.t, *known_->time_error());
    const double scale = std::abs(hit.rate_minus.value_or(1.0)) + 1.0;
    if (hit.rate_minus) {
      EXPECT_NEAR(impact.rate_minus, *hit.rate_minus, *known_->error() * 10.0 * scale) << hit.t;
    }
    if (hit.rate_plus) {
      EXPECT_NEAR(impact.rate_plus, *hit.rate_plus, *known_->error() * 10.0 * scale) << hit.t;
    }
    if (hit.impulse) {
      EXPECT_NEAR(impact.impulse, *hit.impulse, *known_->error() * 20.0 * scale) << hit.t;
    }
  }
}

// Where the scheme has an identity for its own part, the parts add up. Where that part is what the others leave, they
// always do: there it must be small. Energies go with squares, so their relative error is twice that of the motion.
TEST_P(Gallery, AccountCloses) {
  const Solution solution = run(1.0);
  const EnergyLedger& energy = solution.energy;
  EXPECT_LE(energy.impact, 1e-16 * energy.turnover);
  if (!energy.numerical_is_remainder) {
    const double sum = energy.input + energy.damping + energy.impact + energy.friction + energy.numerical;
    EXPECT_NEAR(energy.final - energy.initial, sum, 1e-11 * energy.turnover);
    return;
  }
  double size = 0.0;
  for (const double x : solution.trajectory.q) size = std::max(size, std::abs(x));
  EXPECT_LE(std::abs(energy.numerical), 2.0 * *known_->error() / size * energy.turnover);
}

TEST_P(Gallery, TextReadsBackEqual) {
  const Scenario scenario = load_scenario("gallery:" + GetParam());
  EXPECT_EQ(parse_scenario(write_scenario(scenario), "written"), scenario);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const GalleryText& text : gallery_texts()) all.emplace_back(text.name);
  return all;
}

std::vector<std::string> names_on_a_fixed_step() {
  std::vector<std::string> fixed;
  for (const std::string& name : names())
    if (!traits(load_scenario("gallery:" + name).scheme).chooses_steps) fixed.push_back(name);
  return fixed;
}

std::string as_identifier(const ::testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Gallery, ::testing::ValuesIn(names()), as_identifier);
INSTANTIATE_TEST_SUITE_P(All, GalleryOrder, ::testing::ValuesIn(names_on_a_fixed_step()), as_identifier);

TEST(GalleryList, HasTheScenariosOfTheDocumentation) {
  const std::vector<std::string> all = names();
  for (const char* name : {"bouncing-ball",
                           "lecture-ball",
                           "force-free-ball",
                           "impact-oscillator",
                           "pendulum-wall",
                           "double-pendulum-wall",
                           "two-ball-oscillator",
                           "moving-table",
                           "corner",
                           "gear-rattle",
                           "energy-harvester",
                           "relief-valve",
                           "newton-cradle",
                           "falling-stick",
                           "rotating-beam",
                           "clearance-joint",
                           "table-chatter",
                           "pendulum-cartesian",
                           "slider-crank",
                           "incline",
                           "belt-stick-slip",
                           "disk-bounce-roll",
                           "rocking-block",
                           "sphere-slide-roll",
                           "woodpecker",
                           "falling-rod",
                           "curved-slide",
                           "kane-levinson",
                           "slider-crank-stop",
                           "slider-crank-clearance",
                           "falling-chain",
                           "andrews-squeezer",
                           "beam-pendulum",
                           "beam-stop",
                           "flexible-slider-crank",
                           "flexible-four-bar",
                           "rattling-rod",
                           "spin-up",
                           "painleve-rod",
                           "brick-three-feet",
                           "tube-support"})
    EXPECT_NE(std::find(all.begin(), all.end(), name), all.end()) << name;
}

}  // namespace
}  // namespace ricochet
