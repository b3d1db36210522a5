// Steps that follow a tolerance.
#include "runge_kutta/adaptive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runge_kutta/lane_steps.hpp"
#include "unit/runge_kutta/problems.hpp"

namespace ricochet {
namespace {

using testing::Ending;
using testing::Linear;
using testing::Oscillator;
using testing::Waves;

const char* const tableau_names[] = {"rkf45", "dormand-prince", "dop853"};

// Runs to the end; the time reached is ode.t().
template <class Rhs>
OdeStatus run(AdaptiveRungeKutta& ode, Rhs& rhs, double from, std::vector<double> y, double until) {
  OdeStatus status = ode.begin(rhs, from, y.data(), until);
  while (status == OdeStatus::done && ode.t() < until) status = ode.advance(rhs, until);
  return status;
}

// Over six decades of the tolerance the error goes along with it, and stays within a factor of 20.
TEST(AdaptiveRungeKutta, ErrorFollowsTheTolerance) {
  for (const char* name : tableau_names) {
    testing::Fit fit{.smallest = 1e-15, .largest = 1.0};
    for (double tolerance = 1e-4; tolerance > 5e-11; tolerance /= 10.0) {
      AdaptiveRungeKutta ode(find_tableau(name), 2, {.rtol = tolerance, .atol = tolerance});
      Waves rhs;
      ASSERT_EQ(run(ode, rhs, 0.5, Waves::exact(0.5), 2.0), OdeStatus::done);
      EXPECT_EQ(ode.t(), 2.0);
      const std::vector<double> end(ode.y(), ode.y() + 2);
      const double error = testing::largest_difference(end, Waves::exact(2.0));
      EXPECT_LT(error, 20.0 * tolerance) << name;
      fit.add(tolerance, error);
    }
    ASSERT_EQ(fit.x.size(), 7U);
    EXPECT_NEAR(fit.slope(), 1.0, 0.15) << name;
  }
}

// The number of steps grows like tolerance^(−1/5), and few are rejected.
TEST(AdaptiveRungeKutta, WorkFollowsTheTolerance) {
  long steps[2] = {};
  for (int i = 0; i < 2; ++i) {
    const double tolerance = i == 0 ? 1e-5 : 1e-10;
    AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {.rtol = tolerance, .atol = tolerance});
    Oscillator rhs;
    ASSERT_EQ(run(ode, rhs, 0.0, {1.0, 0.0}, 100.0), OdeStatus::done);
    steps[i] = ode.accepted();
    EXPECT_LT(ode.rejected(), ode.accepted() / 20);
    // six evaluations a step, and three for the start
    EXPECT_LE(ode.engine().evaluations(), 6 * (ode.accepted() + ode.rejected()) + 3);
  }
  EXPECT_NEAR(static_cast<double>(steps[1]) / static_cast<double>(steps[0]), 10.0, 1.0);
}

// A step is accepted only where its error is: every accepted step of the run, checked with its own embedded result.
TEST(AdaptiveRungeKutta, StepsAreAsLargeAsTheErrorAllows) {
  const StepSettings settings{.rtol = 1e-7, .atol = 1e-9};
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, settings);
  Waves rhs;
  const std::vector<double> start = Waves::exact(0.5);
  ASSERT_EQ(ode.begin(rhs, 0.5, start.data(), 3.0), OdeStatus::done);
  double smallest = 1.0;
  while (ode.t() < 3.0) {
    const std::vector<double> y0(ode.y(), ode.y() + 2);
    ASSERT_EQ(ode.advance(rhs, 3.0), OdeStatus::done);
    std::vector<double> e(2);
    ode.engine().error(e.data());
    double error = 0.0;
    for (int i = 0; i < 2; ++i)
      error = std::max(
          error, std::abs(e[i]) / (settings.atol + settings.rtol * std::max(std::abs(y0[i]), std::abs(ode.y()[i]))));
    EXPECT_LE(error, 1.0 + 1e-12);
    if (ode.accepted() > 5 && ode.t() < 3.0) smallest = std::min(smallest, error);
  }
  EXPECT_GT(smallest, 0.01);
}

// The first step is neither hopeless nor timid, on any scale of time: at most ten steps and one rejection more than a
// run that is told a good one.
TEST(AdaptiveRungeKutta, ChoosesItsFirstStep) {
  for (const double stiffness : {1e-8, 1.0, 1e8}) {
    Oscillator rhs{stiffness};
    const double y[] = {1.0, 0.0}, unit = 1.0 / std::sqrt(stiffness);
    long accepted[2] = {}, rejected[2] = {};
    for (int i = 0; i < 2; ++i) {
      AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {.rtol = 1e-8, .atol = 1e-10});
      ASSERT_EQ(ode.begin(rhs, 0.0, y, 10.0 * unit, i == 0 ? 0.0 : 0.05 * unit), OdeStatus::done);
      while (ode.t() < 10.0 * unit) ASSERT_EQ(ode.advance(rhs, 10.0 * unit), OdeStatus::done);
      accepted[i] = ode.accepted(), rejected[i] = ode.rejected();
    }
    EXPECT_LE(accepted[0], accepted[1] + 10) << stiffness;
    EXPECT_LE(rejected[0], rejected[1] + 1) << stiffness;
  }
}

// At rest, and where nothing happens, the start works too.
TEST(AdaptiveRungeKutta, StartsFromZero) {
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {});
  Oscillator rhs;
  ASSERT_EQ(run(ode, rhs, 0.0, {0.0, 0.0}, 10.0), OdeStatus::done);
  EXPECT_EQ(ode.t(), 10.0);
  EXPECT_EQ(ode.y()[0], 0.0);
  EXPECT_LT(ode.accepted(), 20);
}

TEST(AdaptiveRungeKutta, EndsExactlyAndKeepsItsStep) {
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {.rtol = 1e-6, .atol = 1e-8});
  Oscillator rhs;
  const double y[] = {1.0, 0.0};
  ASSERT_EQ(ode.begin(rhs, 0.0, y, 5.0), OdeStatus::done);
  while (ode.t() < 5.0) ASSERT_EQ(ode.advance(rhs, 5.0), OdeStatus::done);
  // a short way: one step that ends there, the next one is as long as it was
  const double planned = ode.next_step();
  const double near = 5.0 + 1e-9;
  ASSERT_EQ(ode.advance(rhs, near), OdeStatus::done);
  EXPECT_EQ(ode.t(), near);
  EXPECT_GE(ode.next_step(), planned);
  // there already
  ASSERT_EQ(ode.advance(rhs, near), OdeStatus::done);
  EXPECT_EQ(ode.t(), near);
}

TEST(AdaptiveRungeKutta, RespectsTheLargestStep) {
  AdaptiveRungeKutta ode(find_tableau("rkf45"), 1, {.h_max = 0.125});
  Linear rhs{-1e-3};
  ASSERT_EQ(run(ode, rhs, 0.0, {1.0}, 10.0), OdeStatus::done);
  EXPECT_GE(ode.accepted(), 80);
  EXPECT_LE(ode.accepted(), 90);
}

// Components beyond the controlled ones are integrated along without a say in the step.
TEST(AdaptiveRungeKutta, ControlsOnlyWhatItIsToldTo) {
  struct WithFastIntegral {
    bool operator()(double t, const double* y, double* dy) {
      dy[0] = -y[0];
      dy[1] = std::cos(1000.0 * t);
      return true;
    }
  } rhs;
  long steps[2] = {};
  for (int i = 0; i < 2; ++i) {
    AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {.rtol = 1e-6, .atol = 1e-6, .controlled = i});
    ASSERT_EQ(run(ode, rhs, 0.0, {1.0, 0.0}, 3.0), OdeStatus::done);
    EXPECT_NEAR(ode.y()[0], std::exp(-3.0), 1e-5);
    steps[i] = ode.accepted();
  }
  EXPECT_GT(steps[0], 20 * steps[1]);
}

// The polynomial of the last accepted step, also after a rejected one.
TEST(AdaptiveRungeKutta, HasDenseOutput) {
  for (const char* name : tableau_names) {
    AdaptiveRungeKutta ode(find_tableau(name), 2, {.rtol = 1e-9, .atol = 1e-9});
    DenseOutput dense(2);
    Waves rhs;
    const std::vector<double> start = Waves::exact(0.5);
    ASSERT_EQ(ode.begin(rhs, 0.5, start.data(), 2.0, 0.5), OdeStatus::done);
    while (ode.t() < 2.0) {
      const double t0 = ode.t();
      ASSERT_EQ(ode.advance(rhs, 2.0), OdeStatus::done);
      ASSERT_TRUE(ode.dense_output(rhs, dense));
      EXPECT_EQ(dense.t0(), t0);
      EXPECT_DOUBLE_EQ(dense.t0() + dense.h(), ode.t());
      EXPECT_LT(testing::dense_error(dense), std::string(name) == "rkf45" ? 2e-6 : 3e-8);
    }
    EXPECT_GT(ode.rejected(), 0);
  }
}

// From an event inside a step the run begins anew, with the step it had.
TEST(AdaptiveRungeKutta, BeginsAnew) {
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {});
  DenseOutput dense(2);
  Oscillator rhs;
  const double y[] = {1.0, 0.0};
  double event[2];
  ASSERT_EQ(ode.begin(rhs, 0.0, y, 10.0), OdeStatus::done);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(ode.advance(rhs, 10.0), OdeStatus::done);
  ASSERT_TRUE(ode.dense_output(rhs, dense));
  const double t = dense.t0() + 0.3 * dense.h();
  dense.value(0.3, event);
  ASSERT_EQ(ode.begin(rhs, t, event, 10.0, ode.next_step()), OdeStatus::done);
  while (ode.t() < 10.0) ASSERT_EQ(ode.advance(rhs, 10.0), OdeStatus::done);
  EXPECT_NEAR(ode.y()[0], std::cos(10.0), 1e-7);
}

// A jump of f that no step resolves: the run ends there.
TEST(AdaptiveRungeKutta, StopsWhereTheStepIsTooSmall) {
  for (const char* name : tableau_names) {
    AdaptiveRungeKutta ode(find_tableau(name), 1, {});
    auto rhs = [](double t, const double*, double* dy) {
      dy[0] = t < 0.5 ? 0.0 : 1e12;
      return true;
    };
    EXPECT_EQ(run(ode, rhs, 0.0, {1.0}, 1.0), OdeStatus::step_too_small);
    EXPECT_NEAR(ode.t(), 0.5, 1e-12);
    EXPECT_EQ(ode.y()[0], 1.0);
  }
}

// y' = y² from 1 is infinite at t = 1: the run ends just before.
TEST(AdaptiveRungeKutta, StopsBeforeInfinity) {
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 1, {});
  auto rhs = [](double, const double* y, double* dy) {
    dy[0] = y[0] * y[0];
    return true;
  };
  const OdeStatus status = run(ode, rhs, 0.0, {1.0}, 2.0);
  EXPECT_TRUE(status == OdeStatus::not_finite || status == OdeStatus::step_too_small);
  EXPECT_NEAR(ode.t(), 1.0, 1e-7);
  EXPECT_TRUE(std::isfinite(ode.y()[0]));
  EXPECT_LT(ode.accepted() + ode.rejected(), 10000);
}

// A wall of the domain is approached, and the reason named.
TEST(AdaptiveRungeKutta, PassesFailuresOn) {
  for (const char* name : tableau_names)
    for (const bool refuses : {true, false}) {
      AdaptiveRungeKutta ode(find_tableau(name), 1, {});
      Ending rhs{.end = 0.5, .refuses = refuses};
      EXPECT_EQ(run(ode, rhs, 0.0, {1.0}, 1.0), refuses ? OdeStatus::evaluation_failed : OdeStatus::not_finite);
      EXPECT_NEAR(ode.t(), 0.5, 1e-12);
      EXPECT_NEAR(ode.y()[0], std::exp(-0.5), 1e-7);
      Ending never{.end = 0.0, .refuses = refuses};
      EXPECT_EQ(run(ode, never, 0.0, {1.0}, 1.0), refuses ? OdeStatus::evaluation_failed : OdeStatus::not_finite);
      EXPECT_EQ(ode.t(), 0.0);
    }
}

// A right-hand side that ends soon after the start: the trial step of the start may fall beyond.
TEST(AdaptiveRungeKutta, StartsBeforeAWall) {
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 1, {});
  Ending rhs{.end = 1e-7};
  const double y = 1.0;
  ASSERT_EQ(ode.begin(rhs, 0.0, &y, 1.0), OdeStatus::done);
  ASSERT_EQ(ode.advance(rhs, 1.0), OdeStatus::done);
  EXPECT_LT(ode.t(), 1e-7);
}

// Errors whose squares are no numbers any more, 0 or infinity: a motion that has all but ended makes long steps, and an
// error of 1e200 tolerances is none that is allowed.
TEST(AdaptiveRungeKutta, ErrorsHaveNoSizesOfTheirOwn) {
  for (const double low : {0.0, 1e-3, 0.7, 20.0, 1e6})
    for (const double size : {1e-300, 1e-200, 1e-160, 1e-150, 1e150, 1e160, 1e200, 1e300})
      EXPECT_NEAR(error_share(size, low * size), error_share(1.0, low), 1e-14) << size << " " << low;
  for (const char* name : tableau_names)
    for (double size = 1.0; size > 1e-300; size *= 1e-10) {
      AdaptiveRungeKutta ode(find_tableau(name), 2, {.rtol = 1e-8, .atol = 1e-8});
      Oscillator rhs;
      ASSERT_EQ(run(ode, rhs, 0.0, {size, 0.0}, 1.0), OdeStatus::done) << name << ", size " << size;
      EXPECT_EQ(ode.rejected(), 0) << name << ", size " << size;
      EXPECT_NEAR(ode.y()[0] / size, std::cos(1.0), 1.0) << name << ", size " << size;
    }
}

// One factor for the next step, whatever the errors: within its bounds, and no growth after a rejection.
TEST(StepController, StaysWithinItsBounds) {
  StepController controller(4);
  EXPECT_EQ(controller.accepted(0.0), 10.0);
  EXPECT_NEAR(controller.accepted(1.0), 0.9 * std::pow(1e-4, 0.04), 1e-6);
  EXPECT_NEAR(controller.accepted(1.0), 0.9, 1e-6);
  EXPECT_NEAR(controller.rejected(32.0), 0.9 * std::pow(32.0, -0.17), 1e-6);
  EXPECT_EQ(controller.accepted(1e-6), 1.0);
  EXPECT_GT(controller.accepted(1e-6), 5.0);
  EXPECT_EQ(controller.rejected(1e200), static_cast<double>(0.2F));
  EXPECT_EQ(controller.failed(), 0.2);
}

std::string refusal(const char* tableau, const StepSettings& settings) {
  try {
    AdaptiveRungeKutta ode(find_tableau(tableau), 1, settings);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(AdaptiveRungeKutta, RefusesBadSettings) {
  EXPECT_EQ(refusal("rk4", {}), "scheme.tableau: rk4 has no error estimate; rkf45, dormand-prince and dop853 have one");
  EXPECT_EQ(refusal("rkf45", {.rtol = -1e-3}), "scheme.rtol: must be zero or positive, got -0.001");
  EXPECT_EQ(refusal("rkf45", {.rtol = std::nan("")}), "scheme.rtol: must be zero or positive, got nan");
  EXPECT_EQ(refusal("rkf45", {.atol = 0.0}), "scheme.atol: must be positive, got 0");
  EXPECT_EQ(refusal("rkf45", {.h_max = 0.0}), "scheme.h_max: must be positive, got 0");
  EXPECT_EQ(refusal("rkf45", {.rtol = 0.0}), "");
}

// Swings of their own lengths, each with its own steps: the bits in a lane are those alone, polynomials included.
template <class Value>
struct Swing {
  Value length;
  bool operator()(const Value& t, const Value* y, Value* dy) const {
    dy[0] = y[1];
    dy[1] = Value(0.1) * t - y[0] * (Value(1.0) + y[0] * y[0]) / length;
    return true;
  }
};
TEST(AdaptiveRungeKutta, LanesMakeTheStepsOfSingleMotions) {
  constexpr double until = 20.0;
  const StepSettings settings{.rtol = 1e-9, .atol = 1e-9};
  for (const char* name : {"dormand-prince", "dop853"}) {
    const Tableau& table = find_tableau(name);
    LaneSteps steps(table, 2, settings);
    Swing<Lanes> all{1.0};
    std::vector<AdaptiveRungeKutta> alone, beside;
    std::vector<Swing<double>> own;
    for (int l = 0; l < lane_count; ++l) {
      all.length.set(l, 0.3 + 0.2 * l);
      own.push_back({all.length[l]});
      for (auto* odes : {&alone, &beside}) {
        odes->emplace_back(table, 2, settings);
        ASSERT_EQ(odes->back().begin(own[l], 0.0, std::vector{1.0 + 0.1 * l, 0.0}.data(), until), OdeStatus::done);
      }
    }
    for (int round = 0; round < 2000; ++round) {
      for (int l = 0; l < lane_count; ++l) {
        if (!(beside[l].t() < until) || !beside[l].advance_in_lane(own[l], until, steps, l)) continue;
        ASSERT_EQ(alone[l].advance(own[l], until), OdeStatus::done);
        ASSERT_EQ(alone[l].t(), beside[l].t());
        DenseOutput path[2] = {DenseOutput(2), DenseOutput(2)};
        ASSERT_TRUE(alone[l].dense_output(own[l], path[0]) && beside[l].dense_output(own[l], path[1]));
        for (int i = 0; i < 2; ++i) EXPECT_EQ(path[0].value(i, 0.3), path[1].value(i, 0.3));
        for (int i = 0; i < 2; ++i) EXPECT_EQ(alone[l].y()[i], beside[l].y()[i]);
        if (beside[l].t() < until) ASSERT_FALSE(beside[l].advance_in_lane(own[l], until, steps, l));
      }
      steps.make(all);
    }
    for (int l = 0; l < lane_count; ++l) EXPECT_EQ(beside[l].t(), until) << name << l;
    EXPECT_GT(beside[0].rejected(), 0);
    EXPECT_NE(alone[0].accepted(), alone[lane_count - 1].accepted());
  }
}

}  // namespace
}  // namespace ricochet
