// Schemes that locate events on the reference problems: states and impact times to many digits, through lasting
// contact, lift-off and accumulations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "support/accurate_references.hpp"

namespace ricochet {
namespace {

using testing::AccurateReference;
using testing::ReferencePoint;

struct AccurateScheme {
  std::string name;
  Scheme scheme;
};

std::vector<AccurateScheme> accurate_schemes() {
  return {{"mannshardt_gauss_3", Mannshardt{.tableau = "gauss-3"}},
          {"event_driven", EventDriven{.rtol = 1e-11, .atol = 1e-13}}};
}

void PrintTo(const AccurateScheme& scheme, std::ostream* out) { *out << scheme.name; }

class AccurateReferenceMotion : public ::testing::TestWithParam<std::tuple<AccurateScheme, AccurateReference>> {
 protected:
  const Scheme& scheme() const { return std::get<0>(GetParam()).scheme; }
  const AccurateReference& reference() const { return std::get<1>(GetParam()); }

  Solution run(double until) const {
    const Solution solution = simulate(*model_, reference().problem.start, {0.0, until}, scheme(),
                                       {.h = reference().step, .record_every = 0});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    return solution;
  }

  static double largest(const std::vector<ReferencePoint>& points, std::vector<double> ReferencePoint::*part) {
    double size = 0.0;
    for (const ReferencePoint& point : points)
      for (const double x : point.*part) size = std::max(size, std::abs(x));
    return size;
  }
  static double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
  }
  // From the farthest entry of `a` to its nearest in `b`.
  static double farthest(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0.0;
    for (const double t : a) {
      double nearest = std::abs(t);
      for (const double s : b) nearest = std::min(nearest, std::abs(t - s));
      worst = std::max(worst, nearest);
    }
    return worst;
  }

  const std::unique_ptr<Model> model_ = lagrangian(reference().problem.description);
};

TEST_P(AccurateReferenceMotion, States) {
  const std::vector<ReferencePoint>& points = reference().problem.points;
  const double q_size = largest(points, &ReferencePoint::q), v_size = largest(points, &ReferencePoint::v);
  for (const ReferencePoint& point : points) {
    const State state = run(point.t).final;
    EXPECT_LE(difference(state.q, point.q), reference().tolerance * q_size) << "t = " << point.t;
    EXPECT_LE(difference(state.v, point.v), reference().tolerance * v_size) << "t = " << point.t;
  }
}

// As sets: where impacts accumulate their number depends on when the contact closes.
TEST_P(AccurateReferenceMotion, ImpactTimes) {
  const Solution solution = run(reference().until);
  std::vector<double> times;
  for (const Impact& impact : solution.impacts) times.push_back(impact.t);
  EXPECT_LE(farthest(reference().impacts, times), reference().time_tolerance) << "an impact is missing or late";
  // The references of accumulations end 3e-7 before the limit.
  EXPECT_LE(farthest(times, reference().impacts), std::max(reference().time_tolerance, 5e-7)) << "one too many";
  EXPECT_GE(times.size(), reference().impacts.size());
}

INSTANTIATE_TEST_SUITE_P(All, AccurateReferenceMotion,
                         ::testing::Combine(::testing::ValuesIn(accurate_schemes()),
                                            ::testing::ValuesIn(testing::accurate_references())),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).name + "_on_" + std::get<1>(instance.param).problem.name;
                         });

}  // namespace
}  // namespace ricochet
