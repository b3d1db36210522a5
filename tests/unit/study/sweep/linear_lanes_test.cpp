// Models that are no formulas in lanes: the bits of single runs, whatever holds, slides or moves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/model_lanes.hpp"
#include "ricochet/model/linear.hpp"
#include "support/random_cases.hpp"
#include "unit/study/sweep/sweep_runs.hpp"

namespace ricochet {
namespace {

// Linear models with random matrices, rows, loads; neighbours differ in all values, but not in what there is.
class RandomModels final : public SweepCases {
 public:
  explicit RandomModels(unsigned seed) : random_(seed) {
    std::vector<const SchemeEntry*> entries;
    for (const SchemeEntry& entry : catalogue())
      if (entry.make_lanes != nullptr) entries.push_back(&entry);
    entry_ = entries[random_() % entries.size()];
    n_ = 1 + static_cast<int>(random_() % 5), gaps_ = 1 + static_cast<int>(random_() % 3);
    has_joint_ = n_ > 2 && chance(), has_load_ = chance(), moves_ = chance();
    has_friction_ = traits(*entry_).takes_friction && n_ > 1 && chance();
  }
  const SchemeEntry& entry() const { return *entry_; }

  SweepCase at(std::uint64_t trajectory) const override {
    std::mt19937 random(static_cast<unsigned>(trajectory) + 1);
    const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    LinearSystemData data;
    std::vector<Triplet> M, K, C;
    for (int i = 0; i < n_; ++i) {
      data.coordinates.push_back("x" + std::to_string(i));
      M.push_back({i, i, between(1.0, 2.0)}), K.push_back({i, i, between(2.0, 9.0)}), C.push_back({i, i, 0.1});
      if (i > 0) K.insert(K.end(), {{i, i - 1, -0.5}, {i - 1, i, -0.5}});
    }
    data.mass = sparse_from_triplets(n_, n_, M);
    data.stiffness = sparse_from_triplets(n_, n_, K);
    data.damping = sparse_from_triplets(n_, n_, C);
    const double w = between(1.0, 3.0);
    if (has_load_) data.loads = {{{{0, 1.0}}, [w](double t) { return 2.0 * std::cos(w * t); }}};
    for (int j = 0; j < gaps_; ++j) {
      const double e = traits(*entry_).inelastic_only ? 0.0 : between(0.0, 1.0);
      data.gaps.push_back({.name = "g" + std::to_string(j),
                           .normal = {{j % n_, between(0.5, 1.0) * (j < n_ ? 1.0 : -1.0)}},
                           .offset = between(0.05, 0.2),
                           .restitution = e});
    }
    if (has_joint_) data.joints = {{.name = "bar", .normal = {{1, 1.0}, {2, -1.0}}}};
    if (has_friction_) {
      LinearSlip slip{.direction = {{n_ - 1, 1.0}}};
      if (moves_) slip.motion = [w](double t) { return OffsetMotion{std::sin(w * t), w * std::cos(w * t), 0.0}; };
      data.frictions = {{.constraint = 0, .slips = {slip}, .bound = between(0.1, 0.5)}};
    }
    SweepCase c;
    c.model = linear(std::move(data));
    c.start.q.assign(static_cast<std::size_t>(n_), 0.0);
    c.start.v.assign(static_cast<std::size_t>(n_), between(-1.0, 1.0));
    if (has_joint_) c.start.v[2] = c.start.v[1];
    c.scheme = {std::string(entry_->name), {}};
    c.step = 0.02;
    c.period = between(1.0, 1.5);
    c.transient = c.period, c.duration = 3.0 * c.period;
    return c;
  }

 private:
  bool chance() { return random_() % 2 == 0; }

  std::mt19937 random_;
  const SchemeEntry* entry_;
  int n_ = 1, gaps_ = 1;
  bool has_joint_ = false, has_load_ = false, has_friction_ = false, moves_ = false;
};

TEST(LinearLanes, HaveTheBitsOfSingleRuns) {
  constexpr std::uint64_t count = lane_count + 5;
  std::uint64_t impacts = 0, trajectories = 0;
  for (int seed = 0; seed < std::min(400, testing::random_cases()); ++seed) {
    const RandomModels cases(static_cast<unsigned>(seed));
    SCOPED_TRACE(fmt::format("models {}, {}", seed, cases.entry().name));
    ASSERT_TRUE(ModelLanes::is_taken(*cases.at(0).model));
    SweepSettings settings;
    settings.record = std::array{SweepRecord::impacts, SweepRecord::statistics, SweepRecord::stroboscopic}[seed % 3];
    const auto alone = testing::run(cases, settings, count, 1);
    testing::expect_same(alone, testing::run(cases, settings, count, lane_count));
    testing::expect_same(alone, testing::run(cases, settings, count, lane_count, 2));
    for (const auto& [index, slot] : alone) impacts += slot.impacts, ++trajectories;
  }
  EXPECT_GT(impacts, trajectories / 2);
}

// Thrown at a wall that each meets a little later, about where the run ends: position schemes are then still in the
// impact.
class LateImpacts final : public SweepCases {
 public:
  explicit LateImpacts(const SchemeEntry& entry) : entry_(entry) {}
  SweepCase at(std::uint64_t i) const override {
    LinearSystemData data;
    data.coordinates = {"x"};
    data.mass = sparse_from_triplets(1, 1, {{0, 0, 1.0}}), data.stiffness = sparse_from_triplets(1, 1, {{0, 0, 0.1}});
    data.gaps = {{.name = "wall", .normal = {{0, 1.0}}, .restitution = traits(entry_).inelastic_only ? 0.0 : 0.5}};
    SweepCase c;
    c.model = linear(std::move(data));
    c.start = {.q = {0.14 + 1.3e-3 * static_cast<double>(i)}, .v = {-1.0}};
    c.scheme = {std::string(entry_.name), {}};
    c.step = 0.02, c.period = c.duration = 0.2;
    return c;
  }

 private:
  const SchemeEntry& entry_;
};

TEST(LinearLanes, EndInTheMiddleOfAnImpact) {
  SweepSettings settings;
  settings.record = SweepRecord::statistics;
  for (const SchemeEntry& entry : catalogue()) {
    if (entry.make_lanes == nullptr) continue;
    SCOPED_TRACE(entry.name);
    const LateImpacts cases(entry);
    testing::expect_same(testing::run(cases, settings, 64, 1), testing::run(cases, settings, 64, lane_count));
  }
}

// Models of two sizes take turns: those that do not fit the lanes run alone.
class TwoSizes final : public SweepCases {
 public:
  SweepCase at(std::uint64_t i) const override {
    const int n = 2 + static_cast<int>(i % 2);
    LinearSystemData data;
    std::vector<Triplet> ones, springs;
    for (int k = 0; k < n; ++k) {
      data.coordinates.push_back("x" + std::to_string(k));
      ones.push_back({k, k, 1.0}), springs.push_back({k, k, 1.0 + 0.1 * static_cast<double>(i)});
    }
    data.mass = sparse_from_triplets(n, n, ones), data.stiffness = sparse_from_triplets(n, n, springs);
    data.gaps = {{.name = "g", .normal = {{0, 1.0}}, .offset = 0.1, .restitution = 0.5}};
    SweepCase c;
    c.model = linear(std::move(data));
    c.start = {.q = std::vector<double>(static_cast<std::size_t>(n), 0.0),
               .v = std::vector<double>(static_cast<std::size_t>(n), 1.0)};
    c.scheme = MoreauJean{.theta = i == 6 ? 1.0 : 0.5};
    c.step = 0.01, c.duration = 10.0;
    return c;
  }
};

TEST(LinearLanes, WhatDoesNotFitRunsAlone) {
  SweepSettings settings;
  settings.record = SweepRecord::impacts;
  const auto alone = testing::run(TwoSizes(), settings, 12, 1);
  testing::expect_same(alone, testing::run(TwoSizes(), settings, 12, lane_count));
  EXPECT_GT(alone.at(0).impacts, 1u);
}

}  // namespace
}  // namespace ricochet
