// What studies are made of: fits, references, phases, distributions.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/io/scenario/option_text.hpp"
#include "ricochet/present/study.hpp"
#include "ricochet/study/comparison.hpp"
#include "ricochet/study/convergence.hpp"
#include "support/complaint.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::complaint;

StudyProblem oscillator_problem(const Model& model, double until) {
  return {&model, {.q = {1.0}, .v = {0.0}}, {0.0, until}, 1e-2};
}

TEST(OrderFit, LineWithItsSpread) {
  const std::vector<double> h = {0.4, 0.2, 0.1, 0.05};
  std::vector<double> exact, noisy;
  for (std::size_t i = 0; i < h.size(); ++i) {
    exact.push_back(3.0 * h[i] * h[i]);
    noisy.push_back(exact[i] * (i % 2 == 0 ? 1.1 : 0.9));
  }
  EXPECT_NEAR(fit_order(h, exact).order, 2.0, 1e-12);
  EXPECT_NEAR(fit_order(h, exact).spread, 0.0, 1e-12);
  EXPECT_NEAR(fit_order(h, noisy).order, 2.0, 0.1);
  EXPECT_GT(fit_order(h, noisy).spread, 0.03);
  // Points at the floor, zeros and failures are left out.
  EXPECT_EQ(fit_order(h, {1e-2, 1e-3, 1e-14, 1e-14}, 1e-13).points, 2u);
  EXPECT_TRUE(std::isnan(fit_order(h, {1e-2, 1e-3, 0.0, NAN}).spread));
  EXPECT_TRUE(std::isnan(fit_order(h, {0.0, 0.0, 0.0, 1.0}).order));
}

TEST(ComputedMotion, IsTheClosedForm) {
  const auto model = lagrangian(testing::oscillator_description(0.8));
  const CheckedReference reference = checked_reference(oscillator_problem(*model, 10.0), "event-driven", {0.0, 10.0});
  const testing::ExactOscillator exact(0.8);
  const MotionSamples samples = reference.motion->sample({0.0, 1.0, 1.5, 2.0, 5.0, 9.9});
  for (std::size_t i = 0; i < samples.t.size(); ++i) {
    EXPECT_NEAR(samples.q[i], exact(samples.t[i]).q, 1e-11);
    EXPECT_NEAR(samples.v[i], exact(samples.t[i]).v, 1e-11);
  }
  EXPECT_EQ(reference.motion->impacts().size(), 3u);
  EXPECT_EQ(reference.agreed_until, 10.0);
  EXPECT_LT(reference.agreed[Norm::q_sup], 1e-9);
  // The two settings are not the same.
  EXPECT_GT(reference.agreed[Norm::q_sup], 0.0);
}

TEST(RecordedMotion, BetweenItsNodes) {
  const testing::ExactOscillator exact(0.8);
  MotionSamples nodes;
  for (int i = 0; i <= 1000; ++i) {
    nodes.t.push_back(0.01 * i);
    nodes.q.push_back(exact(0.01 * i).q);
    nodes.v.push_back(exact(0.01 * i).v);
  }
  const double pi = 3.14159265358979323846;
  const RecordedMotion motion(nodes, {0.5 * pi, 1.5 * pi, 2.5 * pi}, "a file");
  for (double t = 0.0; t < 10.0; t += 0.00317) {
    const MotionSamples samples = motion.sample({t});
    EXPECT_NEAR(samples.q[0], exact(t).q, 1e-6) << t;
    EXPECT_NEAR(samples.v[0], exact(t).v, 3e-4) << t;
  }
  EXPECT_THROW(RecordedMotion({{0.0}, {1.0}, {}, {}}, {}, "a file"), InputError);
  EXPECT_THROW(RecordedMotion({{0.0, 0.0}, {1.0, 1.0}, {}, {}}, {}, "a file"), InputError);
}

// The errors of converge() do not depend on the number of threads.
TEST(Convergence, SameForAnyThreads) {
  const auto model = lagrangian(testing::oscillator_description(0.8));
  const StudyProblem problem = oscillator_problem(*model, 3.0);
  const CheckedReference reference = checked_reference(problem, "mannshardt", {0.0, 3.0});
  ConvergenceSettings settings{.schemes = {{"moreau-jean", {"moreau-jean"}}, {"moreau", {"moreau"}}},
                               .steps = {0.02, 0.04},
                               .phases = 2,
                               .window = {0.0, 3.0}};
  settings.work.threads = 1;
  const Convergence one = converge(problem, *reference.motion, settings);
  settings.work.threads = 3;
  const Convergence three = converge(problem, *reference.motion, settings);
  EXPECT_EQ(one.steps, (std::vector<double>{0.04, 0.02}));
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t n = 0; n < norm_count; ++n)
        EXPECT_EQ(one.schemes[s].errors[i].at(n), three.schemes[s].errors[i].at(n)) << norm_names[n];
}

TEST(Convergence, RefusalsAndBadSettings) {
  const auto model = lagrangian(testing::oscillator_description(0.8));
  const StudyProblem problem = oscillator_problem(*model, 3.0);
  const CheckedReference reference = checked_reference(problem, "event-driven", {0.0, 3.0});
  const auto with = [&](std::vector<double> steps, int phases, TimeSpan window) {
    return converge(problem, *reference.motion,
                    {.schemes = {{"moreau-inelastic", {"moreau-inelastic"}}},
                     .steps = std::move(steps),
                     .phases = phases,
                     .window = window});
  };
  EXPECT_FALSE(with({0.1}, 1, {0.0, 3.0}).schemes[0].refused.empty());
  EXPECT_EQ(complaint([&] { with({4.0}, 1, {0.0, 3.0}); }), "steps: 4 is longer than the window, which ends after 3");
  EXPECT_EQ(complaint([&] { with({-1.0}, 1, {0.0, 3.0}); }), "steps: must be positive, got -1");
  EXPECT_EQ(complaint([&] { with({0.1}, 17, {0.0, 3.0}); }), "phases: must be 1 to 16, got 17");
  EXPECT_EQ(complaint([&] {
              with({0.1}, 1, {0.0, 5.0});
            }),
            "window: must lie in the span of the run, from 0 to 3, got 0:5");
}

// Whether a scheme chooses its steps may depend on its parameters.
TEST(Convergence, OrdersOfSchemesWhoseStepsAreGiven) {
  const auto model = lagrangian(testing::oscillator_description(0.8));
  const StudyProblem problem = oscillator_problem(*model, 1.0);
  const CheckedReference reference = checked_reference(problem, "event-driven", {0.0, 1.0});
  const Convergence study = converge(problem, *reference.motion,
                                     {.schemes = parse_schemes("splitting,splitting:steps=adaptive,penalty:steps=fixed"
                                                               ",penalty"),
                                      .steps = {0.02, 0.01},
                                      .phases = 1,
                                      .window = {0.0, 1.0}});
  for (const SchemeConvergence& scheme : study.schemes) {
    const bool chooses = scheme.label == "penalty" || scheme.label == "splitting:steps=adaptive";
    EXPECT_EQ(scheme.refused, "") << scheme.label;
    EXPECT_EQ(scheme.chooses_steps, chooses) << scheme.label;
    EXPECT_EQ(scheme.fits[0].points, chooses ? 0u : 2u) << scheme.label;
  }
}

// (120) of Acary 2018: met in its step, an impact leaves an error of order 1 in v and in q; missed, order 0 in v.
TEST(LocalErrors, OrdersByPhase) {
  const auto model = lagrangian(testing::ball_description(2.0, 0.5));
  const StudyProblem problem{model.get(), {.q = {1.0}, .v = {0.0}}, {0.0, 1.6}, 1e-3};
  const CheckedReference reference = checked_reference(problem, "event-driven", {0.0, 1.6});
  const LocalStudy study = local_errors(problem, *reference.motion,
                                        {.schemes = {{"moreau-jean", {"moreau-jean"}}, {"mannshardt", {"mannshardt"}}},
                                         .steps = {4e-3, 2e-3, 1e-3},
                                         .phases = 8,
                                         .window = {0.0, 1.6},
                                         .floor_q = 1e-13,
                                         .floor_v = 1e-13});
  EXPECT_NEAR(study.t_impact, 1.0, 1e-10);
  const LocalErrors& local = study.schemes[0];
  for (std::size_t k = 0; k < study.phases.size(); ++k) {
    const bool met = study.phases[k] < 0.5;
    EXPECT_NEAR(local.v_orders[k].order, met ? 1.0 : 0.0, 0.1) << study.phases[k];
    EXPECT_NEAR(local.q_orders[k].order, 1.0, 0.1) << study.phases[k];
  }
  for (const std::vector<double>& row : study.schemes[1].v)
    for (const double error : row) EXPECT_LT(error, 1e-7);
}

TEST(Distributions, Distance) {
  EXPECT_EQ(distribution_distance({1.0, 2.0}, {1.0, 2.0}, false), 0.0);
  EXPECT_EQ(distribution_distance({1.0, 2.0}, {3.0, 4.0}, false), 1.0);
  EXPECT_EQ(distribution_distance({1.0, 3.0}, {2.0, 4.0}, false), 0.5);
  // On a circle it does not matter where it is cut.
  const std::vector<double> a = {0.1, 0.2, 0.3, 0.95}, b = {0.12, 0.4, 0.6, 0.97};
  const auto turned = [](std::vector<double> x, double by) {
    for (double& value : x) value = std::fmod(value + by, 1.0);
    return x;
  };
  EXPECT_NEAR(distribution_distance(a, b, true), distribution_distance(turned(a, 0.37), turned(b, 0.37), true), 1e-12);
}

TEST(Comparison, LevelsAndRecommendation) {
  const auto model = lagrangian(testing::oscillator_description(0.8));
  const StudyProblem problem = oscillator_problem(*model, 3.0);
  const CheckedReference reference = checked_reference(problem, "event-driven", {0.0, 3.0});
  ComparisonSettings settings{.schemes = {{"moreau-jean", {"moreau-jean"}},
                                          parse_schemes("event-driven:flow=runge-kutta").front(),
                                          {"moreau-inelastic", {"moreau-inelastic"}}},
                              .steps = {0.04, 0.02},
                              .tolerances = {1e-3, 1e-6},
                              .phases = 2,
                              .window = {0.0, 3.0}};
  const Comparison comparison = compare(problem, *reference.motion, settings);
  const SchemeComparison &stepping = comparison.schemes[0], &located = comparison.schemes[1];
  EXPECT_FALSE(stepping.points[0].tolerance);
  EXPECT_EQ(located.points[1].tolerance, 1e-6);
  EXPECT_LT(relative_error(comparison, located.points[1]), 1e-4);
  EXPECT_GT(relative_error(comparison, stepping.points[1]), 1e-3);
  EXPECT_GT(stepping.points[1].steps, 1.9 * stepping.points[0].steps);
  EXPECT_GT(stepping.points[0].seconds, 0.0);
  const std::vector<std::string> text = recommendation(comparison, 1e-3);
  EXPECT_EQ(text.front().rfind("Cheapest for an error of 0.001 of the size of q: event-driven", 0), 0u) << text.front();
  EXPECT_NE(text.back().find("moreau-inelastic does not take this problem"), std::string::npos);
  EXPECT_NE(recommendation(comparison, 1e-12).front().find("No scheme reaches"), std::string::npos);
}

TEST(Comparison, TolerancesOfSchemesThatChooseTheirSteps) {
  const ComparisonSettings settings{.schemes = {}, .steps = {0.04, 0.02}, .tolerances = {1e-3}, .window = {0.0, 3.0}};
  const auto levels = [&](const std::string& scheme) { return levels_of(parse_schemes(scheme).front(), settings); };
  ASSERT_EQ(levels("splitting").size(), 2u);
  EXPECT_FALSE(levels("splitting")[0].tolerance);
  ASSERT_EQ(levels("splitting:steps=adaptive").size(), 1u);
  EXPECT_EQ(levels("splitting:steps=adaptive")[0].tolerance, 1e-3);
  EXPECT_EQ(levels("penalty:steps=fixed").size(), 2u);

  const auto model = lagrangian(testing::oscillator_description(0.8));
  const StudyProblem problem = oscillator_problem(*model, 3.0);
  const CheckedReference reference = checked_reference(problem, "event-driven", {0.0, 3.0});
  ComparisonSettings with = settings;
  with.schemes = parse_schemes("splitting,splitting:steps=adaptive,penalty:steps=fixed,penalty");
  const Comparison comparison = compare(problem, *reference.motion, with);
  EXPECT_FALSE(comparison.schemes[0].chooses_steps);
  EXPECT_TRUE(comparison.schemes[1].chooses_steps);
  EXPECT_FALSE(comparison.schemes[2].chooses_steps);
  EXPECT_TRUE(comparison.schemes[3].chooses_steps);
}

}  // namespace
}  // namespace ricochet
