// Sweeps of cases that a function makes, run and compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/sweep.hpp"

namespace ricochet::testing {

// Cases by a function of the trajectory's number.
class Cases final : public SweepCases {
 public:
  using Make = std::function<SweepCase(const LagrangianFamily&, std::uint64_t)>;
  Cases(const LagrangianDescription& description, Make make) : family_(description), make_(std::move(make)) {}
  SweepCase at(std::uint64_t trajectory) const override { return make_(family_, trajectory); }
  const LagrangianFamily* family() const override { return &family_; }
  const Scheme* scheme() const override { return &scheme_; }

 private:
  LagrangianFamily family_;
  Make make_;
  Scheme scheme_ = make_(family_, 0).scheme;
};

// Chains of `length` trajectories each; results by number.
class Work final : public SweepWork {
 public:
  Work(std::uint64_t count, std::uint64_t length = 1) : count_(count), length_(length) {}
  std::optional<SweepChain> next() override {
    const std::lock_guard lock(mutex_);
    if (next_ >= count_) return std::nullopt;
    SweepChain chain;
    for (std::uint64_t k = 0; k < length_ && next_ < count_; ++k) chain.trajectories.push_back(next_++);
    return chain;
  }
  void finished(SweepTrajectory&& trajectory) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(slots.emplace(trajectory.index, trajectory).second) << "twice: " << trajectory.index;
  }
  std::map<std::uint64_t, SweepTrajectory> slots;

 private:
  const std::uint64_t count_, length_;
  std::uint64_t next_ = 0;
  std::mutex mutex_;
};

inline std::map<std::uint64_t, SweepTrajectory> run(const SweepCases& cases, SweepSettings settings,
                                                    std::uint64_t count, int lanes, int threads = 1,
                                                    std::uint64_t length = 1) {
  settings.lanes = lanes;
  settings.threads = threads;
  Work work(count, length);
  sweep(cases, settings, work);
  EXPECT_EQ(work.slots.size(), count);
  return std::move(work.slots);
}

// NaN is not equal to itself, but the same here.
inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}
inline void expect_same(const std::map<std::uint64_t, SweepTrajectory>& a,
                        const std::map<std::uint64_t, SweepTrajectory>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [index, slot] : a) {
    const SweepTrajectory& other = b.at(index);
    EXPECT_EQ(slot.failure, other.failure) << index;
    EXPECT_EQ(slot.steps, other.steps) << index;
    EXPECT_EQ(slot.impacts, other.impacts) << index;
    EXPECT_EQ(slot.period, other.period) << index;
    EXPECT_TRUE(same(slot.points, other.points)) << index;
    EXPECT_TRUE(same(slot.statistics, other.statistics)) << index;
    EXPECT_TRUE(same(slot.histogram, other.histogram)) << index;
    EXPECT_TRUE(same(slot.final, other.final)) << index;
    EXPECT_TRUE(same(slot.lyapunov, other.lyapunov)) << index;
    EXPECT_TRUE(same(slot.settled_after, other.settled_after)) << index;
  }
}

}  // namespace ricochet::testing
