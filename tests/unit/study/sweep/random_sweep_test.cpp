// Random models: their trajectories have the same bits in lanes and alone, on one thread and on several, and again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/random_cases.hpp"
#include "unit/study/sweep/sweep_runs.hpp"

namespace ricochet {
namespace {

class RandomSweep {
 public:
  explicit RandomSweep(unsigned seed) : random_(seed) { describe(); }

  testing::Cases cases() {
    return {description_, [this](const LagrangianFamily& family, std::uint64_t i) { return one(family, i); }};
  }
  const std::string& scheme() const { return scheme_; }

 private:
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  bool chance(double p) { return between(0.0, 1.0) < p; }
  std::string number(double a, double b) { return to_text(between(a, b)); }

  // One to three masses on springs, shaken; masses, springs and walls may be curved and move.
  void describe() {
    n_ = 1 + static_cast<int>(between(0.0, 3.0));
    const bool curved_mass = chance(0.3), curved_gaps = chance(0.4), moving = chance(0.4);
    std::vector<const SchemeEntry*> entries;
    for (const SchemeEntry& entry : catalogue())
      if (!traits(entry).compliant) entries.push_back(&entry);
    const SchemeEntry& entry = *entries[random_() % entries.size()];
    scheme_ = entry.name;
    LagrangianDescription& d = description_;
    for (int i = 0; i < n_; ++i) {
      const std::string x = fmt::format("x{}", i), last = i == 0 ? "0" : fmt::format("x{}", i - 1);
      d.coordinates.push_back(x);
      d.kinetic += fmt::format("{}{}*{}{}_dot^2/2", i == 0 ? "" : " + ", number(0.5, 2.0),
                               curved_mass ? fmt::format("(1 + 0.3*cos({}))*", x) : "", x);
      d.potential += fmt::format("{}k*{}*({} - {})^2/2{}", i == 0 ? "" : " + ", number(0.2, 3.0), x, last,
                                 chance(0.3) ? fmt::format(" + 0.2*{}^4", x) : "");
      d.dissipation += fmt::format("{}c*{}_dot^2/2", i == 0 ? "" : " + ", x);
      d.force.emplace_back(x, fmt::format("A*cos(w*t + {})", number(0.0, 6.0)));
      const std::string wall = fmt::format("d*{}{}", number(0.3, 1.0), moving ? " + 0.02*sin(3*t)" : "");
      d.constraints.push_back({.name = "wall" + x,
                               .gap = fmt::format("{} - {}{}{}", wall, chance(0.5) ? "" : "-1*", x,
                                                  curved_gaps ? fmt::format(" - 0.1*{}^2", x) : ""),
                               .restitution = traits(entry).inelastic_only ? 0.0 : between(0.0, 1.0)});
    }
    d.parameters = {{"k", 1.0}, {"c", 0.1}, {"A", 1.0}, {"w", 2.0}, {"d", 0.5}};
    for (int i = 0; i < 3; ++i) shifts_.push_back(between(0.0, 1.0));
  }

  // Neighbours differ in their parameters, their start and how long they run; one touches at the start.
  SweepCase one(const LagrangianFamily& family, std::uint64_t i) const {
    const double s = static_cast<double>(i);
    SweepCase c;
    c.parameters = {0.5 + 0.3 * s, 0.05 * s, 0.5 + shifts_[0], 1.0 + 0.2 * s * shifts_[1], 0.4 + 0.1 * shifts_[2]};
    c.model = family.model(c.parameters);
    c.start = {.q = std::vector<double>(static_cast<std::size_t>(n_), 0.0),
               .v = std::vector<double>(static_cast<std::size_t>(n_), 0.3 - 0.2 * s)};
    c.scheme = {scheme_, {}};
    c.step = 0.02;
    c.period = 1.0 + 0.1 * s;
    c.transient = c.period;
    c.duration = (1.0 + static_cast<double>(i % 3)) * c.period;
    return c;
  }

  std::mt19937 random_;
  int n_ = 1;
  std::string scheme_;
  LagrangianDescription description_;
  std::vector<double> shifts_;
};

// 300 in make test-long.
TEST(RandomSweep, TheSameBitsInLanesOnThreadsAndAgain) {
  const int models = std::min(300, testing::random_cases() / 4);
  constexpr std::uint64_t count = lane_count + 3;
  SweepSettings settings;
  settings.record = SweepRecord::impacts;
  std::uint64_t impacts = 0;
  for (int seed = 0; seed < models; ++seed) {
    RandomSweep sample(static_cast<unsigned>(seed));
    SCOPED_TRACE(fmt::format("model {}, {}", seed, sample.scheme()));
    const testing::Cases cases = sample.cases();
    const auto alone = testing::run(cases, settings, count, 1);
    testing::expect_same(alone, testing::run(cases, settings, count, lane_count));
    testing::expect_same(alone, testing::run(cases, settings, count, lane_count, 3));
    testing::expect_same(alone, testing::run(cases, settings, count, 1, 2));
    testing::expect_same(alone, testing::run(cases, settings, count, 1));
    for (const auto& [index, slot] : alone) impacts += slot.impacts;
  }
  EXPECT_GT(impacts, static_cast<std::uint64_t>(models));
}

}  // namespace
}  // namespace ricochet
