// Every scheme of the catalogue on the reference problems: the motion converges to the known one with order 1, or with
// the scheme's own order across impacts, and at the vertex of a wedge it depends continuously on the data exactly where
// the theory says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/orders.hpp"
#include "support/references.hpp"

namespace ricochet {
namespace {

using testing::Reference;
using testing::ReferencePoint;

// Compliant contacts are another model, whose motion converges with its stiffness: tests/unit/penalty_test.cpp.
std::vector<const SchemeEntry*> entries() {
  std::vector<const SchemeEntry*> all;
  for (const SchemeEntry& entry : catalogue())
    if (!traits(entry).compliant) all.push_back(&entry);
  return all;
}

std::string identifier(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

// The only refusal there may be: rebounds under a scheme that knows none.
bool refuses(const SchemeEntry& entry, double restitution) { return traits(entry).inelastic_only && restitution > 0.0; }

// Schemes with the contact law at position level.
bool by_position(const SchemeEntry& entry) { return traits(entry).position_law; }
// Those, and one that has it at both levels: an impact places the body on the obstacle.
bool projects(const SchemeEntry& entry) { return by_position(entry) || entry.name == "nsga"; }

// Schemes that hold a body exactly on the obstacle that it is pressed on: by projection of every position, or of the
// closed contacts.
bool rests_exactly(const SchemeEntry& entry) {
  return projects(entry) || entry.name == "d1-minus" || entry.name == "splitting";
}

Scheme by_name(const SchemeEntry& entry) { return {std::string(entry.name)}; }

// Orders are fitted over h, h/2, …, h/16, each the mean over grid phases: where in its step an impact falls decides on
// the error, and after several impacts it takes more phases than after one. The phases cover 0.3 h.
constexpr int levels = 5;

template <class Error>
std::vector<double> mean_errors(double h, int phases, const Error& error, std::vector<double>& steps) {
  std::vector<double> means;
  steps.clear();
  for (int j = 0; j < levels; ++j, h /= 2.0) {
    double sum = 0.0;
    for (int i = 0; i < phases; ++i) sum += error(h * (0.98317 - 0.2968 * i / phases));
    steps.push_back(h);
    means.push_back(sum / phases);
  }
  return means;
}

// Largest error of any coordinate over the points, each between two nodes by linear interpolation.
class Comparison : public Observer {
 public:
  explicit Comparison(const std::vector<ReferencePoint>& points) : points_(points) {}
  double worst() const { return worst_; }
  bool complete() const { return next_ == points_.size(); }

  void record(const Sample& sample) override {
    const std::size_t n = points_.front().q.size();
    for (; next_ < points_.size() && points_[next_].t <= sample.t; ++next_) {
      const double s = (points_[next_].t - t_) / (sample.t - t_);
      for (std::size_t i = 0; i < n; ++i)
        worst_ = std::max(worst_, std::abs((1.0 - s) * q_[i] + s * sample.q[i] - points_[next_].q[i]));
    }
    t_ = sample.t;
    q_.assign(sample.q, sample.q + n);
  }

 private:
  const std::vector<ReferencePoint>& points_;
  std::size_t next_ = 0;
  double t_ = 0.0, worst_ = 0.0;
  std::vector<double> q_;
};

double error_of(const Model& model, const Reference& reference, const Scheme& scheme, double h) {
  const double until = (std::floor(reference.points.back().t / h) + 1.0) * h;
  Comparison comparison(reference.points);
  const Solution solution =
      simulate(model, reference.start, {0.0, until}, scheme, {.h = h, .keep = false}, &comparison);
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  EXPECT_TRUE(comparison.complete());
  return comparison.worst();
}

// The same at the times themselves, by runs that end there.
double error_at_ends(const Model& model, const Reference& reference, const Scheme& scheme, double h) {
  double worst = 0.0;
  for (const ReferencePoint& point : reference.points) {
    const Solution solution =
        simulate(model, reference.start, {0.0, point.t}, scheme, {.h = h, .record_every = 0, .keep = false});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    for (std::size_t i = 0; i < point.q.size(); ++i)
      worst = std::max(worst, std::abs(solution.final.q[i] - point.q[i]));
  }
  return worst;
}

// The error falls at least as h^order until it reaches round-off.
void expect_order(const std::vector<double>& steps, const std::vector<double>& errors, double order) {
  constexpr double round_off = 1e-11;
  const auto above = [](double error) { return error > round_off; };
  const auto figures = ::testing::Message() << "from " << errors.front() << " to " << errors.back();
  if (std::count_if(errors.begin(), errors.end(), above) >= 2)
    EXPECT_GT(testing::slope(steps, errors, round_off), order - 0.5) << figures;
  else
    EXPECT_LT(errors.back(), round_off) << figures;
}

// Schemes that choose their steps: the error follows the tolerance until it reaches round-off.
template <class Error>
void expect_tolerance(const SchemeEntry& entry, const Error& error) {
  const auto with = [&](double tolerance) {
    return Scheme{std::string(entry.name), {{"rtol", tolerance}, {"atol", tolerance}}};
  };
  const double loose = error(with(1e-3)), tight = error(with(1e-5));
  EXPECT_LT(tight, std::max(0.1 * loose, 1e-10)) << "from " << loose;
  EXPECT_LT(tight, 1e-3);
}

// A reference, the largest step, the phases to average over, and the times at which positions are compared: after
// impacts, but not so close to one that it may lie in the same step.
struct Problem {
  Reference reference;
  double h;
  int phases;
};

void PrintTo(const Problem& problem, std::ostream* out) { *out << problem.reference.name; }

Problem at_times(Reference reference, double h, int phases, std::initializer_list<double> times) {
  std::vector<ReferencePoint> chosen;
  for (const ReferencePoint& point : reference.points)
    if (std::find(times.begin(), times.end(), point.t) != times.end()) chosen.push_back(point);
  reference.points = chosen;
  return {std::move(reference), h, phases};
}

std::vector<Problem> problems() {
  return {at_times(testing::pendulum_wall(), 8e-3, 16, {0.8, 1.2, 3.0}),
          at_times(testing::double_pendulum_wall(), 1e-2, 16, {1.2, 2.0, 3.0}),
          at_times(testing::moving_table_e0(), 4e-3, 16, {0.5, 1.0, 1.5, 2.0, 2.9}),
          // Before the impacts accumulate: which of the last ones have happened at 1.5 depends on the grid.
          at_times(testing::moving_table_e05(), 8e-4, 24, {0.5, 1.0}),
          at_times(testing::two_ball_oscillator_e0(), 1.25e-3, 16, {0.6, 0.8, 1.0, 1.5}),
          // After the first burst of four impacts. Later ones need steps far smaller to show an order.
          at_times(testing::two_ball_oscillator_e05(), 5e-4, 24, {0.6, 0.8})};
}

using SchemeAndProblem = std::tuple<const SchemeEntry*, Problem>;

class ReferenceMotion : public ::testing::TestWithParam<SchemeAndProblem> {};

// Norm: the largest error of a position over the times of the problem. Schemes of higher order in flight have order 1
// here too unless they locate impacts: an impact is met up to a step late.
TEST_P(ReferenceMotion, ConvergesWithTheOrderAcrossImpacts) {
  const SchemeEntry* entry = std::get<0>(GetParam());
  const Problem& problem = std::get<1>(GetParam());
  const auto model = lagrangian(problem.reference.description);
  const Scheme scheme = by_name(*entry);
  if (refuses(*entry, problem.reference.restitution)) {
    EXPECT_THROW(make_stepper(*model, scheme), InputError);
    return;
  }
  if (traits(*entry).chooses_steps)
    return expect_tolerance(*entry, [&](const Scheme& s) {
      return error_at_ends(*model, problem.reference, s, problem.reference.points[0].t);
    });
  std::vector<double> steps;
  // High orders show with long steps.
  if (entry->impact_order > 1.0) {
    const std::vector<double> errors = mean_errors(
        8.0 * problem.h, 4, [&](double h) { return error_at_ends(*model, problem.reference, scheme, h); }, steps);
    return expect_order(steps, errors, entry->impact_order);
  }
  const std::vector<double> errors = mean_errors(
      problem.h, problem.phases, [&](double h) { return error_of(*model, problem.reference, scheme, h); }, steps);
  const double order = testing::slope(steps, errors);
  const auto figures = ::testing::Message() << "from " << errors.front() << " to " << errors.back();
  // A landing without rebound on an exact rest: the error of the impact is forgotten while the contact lasts, and only
  // that of lift-off and flight remains, better than order 1.
  if (rests_exactly(*entry) && problem.reference.restitution == 0.0)
    EXPECT_GT(order, 0.85) << figures;
  else
    EXPECT_NEAR(order, 1.0, 0.15) << figures;
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceMotion,
                         ::testing::Combine(::testing::ValuesIn(entries()), ::testing::ValuesIn(problems())),
                         [](const auto& instance) {
                           return identifier(std::get<0>(instance.param)->name) + "_on_" +
                                  std::get<1>(instance.param).reference.name;
                         });

class Schemes : public ::testing::TestWithParam<const SchemeEntry*> {
 protected:
  Scheme scheme() const { return by_name(*GetParam()); }
};

// At t = 1.9 the ball of the table has rested and been thrown off again. Rest forgets the errors of all impacts before
// it: what remains is the error of lift-off and flight, of order 1 or, for schemes of order 2 in flight, better.
TEST_P(Schemes, AfterRestOnATable) {
  const Problem problem = at_times(testing::moving_table_e05(), 2e-3, 16, {1.9});
  const auto model = lagrangian(problem.reference.description);
  if (refuses(*GetParam(), problem.reference.restitution)) {
    EXPECT_THROW(make_stepper(*model, scheme()), InputError);
    return;
  }
  // The error of one recording interval is the luck of where its steps lie.
  const std::vector<double> intervals = {0.38, 0.19, 0.1, 0.095, 0.05, 0.0475, 0.02};
  if (traits(*GetParam()).chooses_steps)
    return expect_tolerance(*GetParam(), [&](const Scheme& s) {
      double sum = 0.0;
      for (const double h : intervals) sum += error_at_ends(*model, problem.reference, s, h);
      return sum / static_cast<double>(intervals.size());
    });
  std::vector<double> steps;
  const std::vector<double> errors = mean_errors(
      problem.h, problem.phases, [&](double h) { return error_of(*model, problem.reference, scheme(), h); }, steps);
  EXPECT_GT(testing::slope(steps, errors), 0.85) << "from " << errors.front() << " to " << errors.back();
}

// Along the floor into the corner with the wall. Norm: the error of x at t = 2, one after the impact.
TEST_P(Schemes, OrthogonalCorner) {
  for (const testing::CornerReference& corner : testing::corner_orthogonal()) {
    if (refuses(*GetParam(), corner.restitution)) continue;
    const auto model = lagrangian(testing::corner_description(corner.restitution));
    const auto error = [&](double h) {
      const double until = std::floor(2.0 / h) * h;
      const Solution solution =
          simulate(*model, {.q = {-1.0, 0.0}, .v = {1.0, 0.0}}, {0.0, until}, scheme(), {.h = h, .record_every = 0});
      EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
      EXPECT_NEAR(solution.final.v[0], corner.vx, 1e-12) << "e = " << corner.restitution;
      EXPECT_NEAR(solution.final.v[1], corner.vy, 1e-12) << "e = " << corner.restitution;
      EXPECT_NEAR(solution.final.q[1], 0.0, 1e-12) << "e = " << corner.restitution;
      return std::abs(solution.final.q[0] - corner.vx * (until - 1.0));
    };
    if (traits(*GetParam()).chooses_steps) {
      EXPECT_LT(error(0.3), 1e-4) << "with the tolerances of the catalogue, e = " << corner.restitution;
      continue;
    }
    std::vector<double> steps;
    const std::vector<double> errors = mean_errors(0.04, 16, error, steps);
    // Without rebound a scheme that projects positions puts the particle exactly into the corner.
    if (projects(*GetParam()) && corner.restitution == 0.0)
      EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 1e-12);
    else if (GetParam()->impact_order > 1.0)
      expect_order(steps, errors, GetParam()->impact_order);
    else
      EXPECT_NEAR(testing::slope(steps, errors), 1.0, 0.15) << "e = " << corner.restitution;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Schemes, ::testing::ValuesIn(entries()),
                         [](const auto& instance) { return identifier(instance.param->name); });

using testing::WedgeReference;

using SchemeAndWedge = std::tuple<const SchemeEntry*, WedgeReference>;

// The wedges whose answer a scheme owes. Position schemes meet the walls of a vertex one after the other, in successive
// steps: the impact law of the vertex follows only where the motion is continuous.
std::vector<SchemeAndWedge> wedges() {
  std::vector<SchemeAndWedge> cases;
  for (const SchemeEntry* entry : entries())
    for (const WedgeReference& wedge : testing::wedge_continuity())
      if (!refuses(*entry, wedge.restitution) && (wedge.continuous || !by_position(*entry)))
        cases.emplace_back(entry, wedge);
  return cases;
}

class Wedge : public ::testing::TestWithParam<SchemeAndWedge> {
 protected:
  const SchemeEntry& entry() const { return *std::get<0>(GetParam()); }
  const WedgeReference& wedge() const { return std::get<1>(GetParam()); }

  void SetUp() override { model_ = lagrangian(testing::wedge_description(wedge().angle, wedge().restitution)); }

  // The velocity after all impacts, aimed `offset` to the left of the vertex (to the right if negative). The vertex
  // is reached inside a step.
  std::vector<double> outgoing(double offset) const {
    const std::vector<double>& v = wedge().v_in;
    const double distance = 1.00037;
    const State start{.q = {-distance * v[0] - offset * v[1], -distance * v[1] + offset * v[0]}, .v = v};
    const Solution solution = simulate(*model_, start, {0.0, 3.0}, by_name(entry()), {.h = h, .record_every = 0});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    return solution.final.v;
  }

  static double distance(const std::vector<double>& a, const std::vector<double>& b) {
    return std::max(std::abs(a[0] - b[0]), std::abs(a[1] - b[1]));
  }

  static constexpr double h = 1e-3;
  static constexpr double beside = 0.05;  // many steps away from the vertex: the walls are met one by one
  std::unique_ptr<Model> model_;
};

TEST_P(Wedge, OutgoingVelocitiesAreTheKnownOnes) {
  EXPECT_LT(distance(outgoing(beside), wedge().v_left), 1e-10);
  EXPECT_LT(distance(outgoing(0.0), wedge().v_vertex), 1e-10);
  EXPECT_LT(distance(outgoing(-beside), wedge().v_right), 1e-10);
}

TEST_P(Wedge, NeighboursPartWhereTheTheorySaysSo) {
  double apart = 0.0;
  for (const double offset : {-beside, -2.3 * h, -0.3 * h, -1e-12, 0.0, 1e-12, 0.3 * h, 2.3 * h, beside})
    apart = std::max(apart, distance(outgoing(offset), wedge().v_vertex));
  if (wedge().continuous) {
    EXPECT_LT(apart, 1e-10) << "60 degrees without rebound, 90 degrees always";
  } else {
    EXPECT_GT(apart, 0.1) << "60 degrees with rebound, 120 degrees always";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Wedge, ::testing::ValuesIn(wedges()), [](const auto& instance) {
  return identifier(std::get<0>(instance.param)->name) + "_" + std::get<1>(instance.param).name;
});

}  // namespace
}  // namespace ricochet
