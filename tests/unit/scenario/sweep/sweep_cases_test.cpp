// Trajectories of a sweep as numbers: the same as those of a run with --set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "unit/study/sweep/sweep_samples.hpp"

namespace ricochet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::oscillator_text;
using testing::replaced;
using ::testing::StartsWith;
using testing::sweep_over;
using testing::sweep_text;

std::string axis(const std::string& parameter, const std::string& values) {
  return "{ parameter = \"" + parameter + "\", values = [" + values + "] }";
}

// The end of a short run, as bits.
State end_of(const Model& model, const State& start, double h, const Scheme& scheme,
             const ComplementaritySettings& solver) {
  RunSettings settings{.h = h, .record_every = 0, .solver = solver};
  const Solution solution = simulate(model, start, {start.t, start.t + 2000.0 * h}, scheme, settings);
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  return solution.final;
}

// Trajectory i of the text equals the run in which its values are set.
void expect_like_run(const std::string& text, std::uint64_t i) {
  const Scenario scenario = parse_scenario(text, "sweep");
  const BuiltSweep sweep = build_sweep(scenario);
  const std::vector<double> values = sweep.plan.values(i);
  std::vector<std::string> settings;
  for (std::size_t k = 0; k < values.size(); ++k)
    settings.push_back(sweep.plan.axes()[k].parameter + "=" + to_text(values[k]));
  const Problem run = build(parse_scenario(text, "run", Overrides(settings)));

  const SweepCase found = sweep.cases->at(i);
  EXPECT_EQ(found.start, run.start);
  EXPECT_EQ(found.from, run.span.from);
  EXPECT_EQ(found.step, run.settings.h);
  EXPECT_EQ(found.scheme, run.scheme);
  EXPECT_EQ(found.solver, run.settings.solver);
  ASSERT_GE(found.parameters.size(), run.parameters.size());
  for (std::size_t k = 0; k < run.parameters.size(); ++k)
    EXPECT_EQ(found.parameters[k], run.parameters[k].second) << run.parameters[k].first;
  EXPECT_EQ(end_of(*found.model, found.start, found.step, found.scheme, found.solver),
            end_of(*run.model, run.start, run.settings.h, run.scheme, run.settings.solver));

  // The family with these values is the same model.
  if (const LagrangianFamily* family = sweep.cases->family()) {
    const auto model = family->model(found.parameters);
    EXPECT_EQ(end_of(*model, found.start, found.step, found.scheme, found.solver),
              end_of(*run.model, run.start, run.settings.h, run.scheme, run.settings.solver));
  }
}

TEST(SweepCases, ParametersAndTheirFormulas) {
  // k depends on w0, step and durations on w.
  const std::string text =
      sweep_over(axis("model.parameters.w0", "0.9, 1.3") + "," + axis("model.parameters.w", "2, 3"));
  for (const std::uint64_t i : {0u, 3u}) expect_like_run(text, i);
  const Scenario scenario = parse_scenario(text, "sweep");
  const BuiltSweep sweep = build_sweep(scenario);
  const SweepCase found = sweep.cases->at(3);
  EXPECT_THAT(found.parameters, ElementsAre(1.0, 1.0 * std::pow(1.3, 2.0), 1.3, 0.5, 3.0));
  const double period = 2.0 * 3.14159265358979323846 / 3.0;
  EXPECT_DOUBLE_EQ(found.period, period);
  EXPECT_DOUBLE_EQ(found.transient, 10.0 * period);
  EXPECT_DOUBLE_EQ(found.duration, 64.0 * period);
  EXPECT_NE(sweep.cases->family(), nullptr);
  EXPECT_THAT(sweep.cases->family()->parameters(), ElementsAre("m", "k", "w0", "A", "w"));
}

TEST(SweepCases, AParameterThatIsAFormulaTakesTheAxis) {
  expect_like_run(sweep_over(axis("model.parameters.k", "0.5, 2")), 1);
}

TEST(SweepCases, InsideOfTheModel) {
  expect_like_run(sweep_over(axis("model.constraint.stop.restitution", "0.3, 0.7")), 1);
  expect_like_run(sweep_over(axis("model.constraint[0].restitution", "0, 1")), 0);
  expect_like_run(sweep_over(axis("model.force.x", "0.3, -0.7")), 1);
  const std::string index = replaced(sweep_over(axis("model.constraint.stop.dissipation_index", "0.1, 0.4")),
                                     "restitution = 0.8", "dissipation_index = 0.05");
  expect_like_run(index, 1);
  const std::string mass =
      replaced(sweep_over(axis("model.mass[0][0]", "1.5, 2")), "kinetic = \"m*x_dot^2/2\"", "mass = [[\"m\"]]");
  expect_like_run(mass, 0);
  const std::string state = replaced(sweep_over(axis("model.state.p.initial", "1.5, 2")), "[initial]",
                                     "[[model.state]]\nname = \"p\"\nrate = \"-p\"\n[initial]");
  expect_like_run(state, 1);
}

TEST(SweepCases, AFreshParameterGetsANameOfItsOwn) {
  const std::string text =
      replaced(sweep_over(axis("model.constraint.stop.restitution", "0.3, 0.7")), "A = 0.5", "A = 0.5, _axis0 = 2.0");
  expect_like_run(text, 1);
  const Scenario scenario = parse_scenario(text, "sweep");
  const BuiltSweep sweep = build_sweep(scenario);
  EXPECT_THAT(sweep.cases->family()->parameters(), ElementsAre("m", "k", "w0", "A", "_axis0", "w", "__axis0"));
  EXPECT_EQ(sweep.cases->at(1).parameters.back(), 0.7);
}

TEST(SweepCases, StartAndTimes) {
  expect_like_run(sweep_over(axis("initial.q.x", "-1, 0.5") + "," + axis("initial.v.x", "-1, 0.5")), 2);
  expect_like_run(sweep_over(axis("time.step", "1e-3, 2e-3") + "," + axis("time.from", "0.25")), 1);
  const Scenario scenario = parse_scenario(
      sweep_over(axis("sweep.transient", "1") + "," + axis("sweep.duration", "2") + "," + axis("sweep.period", "3")),
      "s");
  const SweepCase found = build_sweep(scenario).cases->at(0);
  EXPECT_EQ(found.transient, 1.0);
  EXPECT_EQ(found.duration, 2.0);
  EXPECT_EQ(found.period, 3.0);
  EXPECT_TRUE(std::isnan(build_sweep(parse_scenario(replaced(replaced(sweep_over(axis("initial.q.x", "0")),
                                                                      "\"stroboscopic\"", "\"impacts\""),
                                                             "period = \"2*pi/w\"", ""),
                                                    "s"))
                             .cases->at(0)
                             .period));
}

TEST(SweepCases, OneStartForAllCoordinates) {
  const std::string text = replaced(sweep_over(axis("initial.q", "0.2, 0.3")), "q = { x = \"m/4\" }", "q = \"m/4\"");
  expect_like_run(text, 1);
}

TEST(SweepCases, SchemeAndSolver) {
  const std::string theta = sweep_over(axis("scheme.theta", "0.5, 0.8"));
  expect_like_run(theta, 1);
  const Scenario scenario = parse_scenario(theta, "sweep");
  EXPECT_EQ(build_sweep(scenario).cases->family(), nullptr);
  expect_like_run(sweep_over(axis("scheme.forecast", "0.5, 0.8")), 0);  // not given in the scenario

  const std::string solver =
      sweep_over(axis("solver.tolerance", "1e-9, 1e-8"), "[solver]\nname = \"gauss-seidel\"\nmax_iterations = 50\n");
  expect_like_run(solver, 1);
  const Scenario with_solver = parse_scenario(solver, "sweep");
  EXPECT_EQ(build_sweep(with_solver).cases->family(), nullptr);
  const Scenario fixed = parse_scenario(sweep_over(axis("initial.q.x", "0"), "[solver]\nname = \"lemke\"\n"), "s");
  EXPECT_NE(build_sweep(fixed).cases->family(), nullptr);
  EXPECT_EQ(build_sweep(fixed).cases->at(0).solver.solver, "lemke");
}

const std::string linear_text = R"toml([model]
kind = "linear"
coordinates = ["x", "y"]
parameters = { c = 0.1, w = 2.0 }
mass = [[1.0, 0.0], [0.0, 1.0]]
stiffness = [[2.0, -1.0], [-1.0, 2.0]]
rayleigh = ["c", 0.0]
load = { x = "cos(w*t)" }
stops = [{ dof = "x", upper = 0.2, restitution = 0.5, name = "guide" }]

[time]
until = 1.0
step = 1e-3
)toml";

std::string linear_over(const std::string& axes) {
  return linear_text + replaced(sweep_text, R"([{ parameter = "model.parameters.w", range = [2.0, 4.0], count = 5 }])",
                                "[" + axes + "]");
}

TEST(SweepCases, OtherKindsOfModelAreBuiltAnew) {
  expect_like_run(linear_over(axis("model.parameters.w", "2, 3")), 1);
  expect_like_run(linear_over(axis("model.stops.guide.upper", "0.1, 0.3")), 1);
  expect_like_run(linear_over(axis("model.stops[0].lower", "-0.1")), 0);
  expect_like_run(linear_over(axis("model.rayleigh[1]", "0, 0.01") + "," + axis("initial.v.y", "1")), 1);
  expect_like_run(linear_over(axis("model.stiffness[0][0]", "2, 3") + "," + axis("scheme.theta", "1")), 1);
  const Scenario scenario = parse_scenario(linear_over(axis("model.parameters.w", "2, 3")), "s");
  const BuiltSweep sweep = build_sweep(scenario);
  EXPECT_EQ(sweep.cases->family(), nullptr);
  EXPECT_THAT(sweep.cases->at(1).parameters, ElementsAre(0.1, 3.0));
  EXPECT_DOUBLE_EQ(sweep.cases->at(1).period, 2.0 * 3.14159265358979323846 / 3.0);
}

TEST(SweepCases, SeveralThreadsAtOnce) {
  const Scenario scenario = parse_scenario(
      sweep_over("{ parameter = \"model.constraint.stop.restitution\", range = [0.0, 1.0], count = 400 }"), "s");
  const BuiltSweep sweep = build_sweep(scenario);
  std::vector<std::thread> threads;
  std::vector<double> sums(4, 0.0);
  for (std::size_t k = 0; k < sums.size(); ++k)
    threads.emplace_back([&, k] {
      for (std::uint64_t i = 0; i < sweep.plan.count(); ++i) sums[k] += sweep.cases->at(i).parameters.back();
    });
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
  EXPECT_NEAR(sums[0], 200.0, 1e-10);
}

// Refusals of single trajectories: the others go on.
TEST(SweepCases, ATrajectoryThatCannotRunSaysWhy) {
  const auto complaint = [](const std::string& text, std::uint64_t i) -> std::string {
    const Scenario scenario = parse_scenario(text, "s");
    const BuiltSweep sweep = build_sweep(scenario);
    try {
      sweep.cases->at(i);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string e = sweep_over(axis("model.constraint.stop.restitution", "1.2, 0.7"));
  EXPECT_EQ(complaint(e, 0), "model.constraint[0].restitution: must be in [0, 1], got 1.2");
  EXPECT_EQ(complaint(e, 1), "");
  const std::string w = sweep_over(axis("model.parameters.w", "0, -1, 1"));
  EXPECT_EQ(complaint(w, 0), "time.step: must be a finite number, got inf");
  EXPECT_EQ(complaint(w, 1), "time.step: must be positive, got -0.012566370614359173");
  EXPECT_EQ(complaint(w, 2), "");
  const std::string fixed = replaced(w, "step = \"2*pi/w/500\"", "step = 1e-3");
  EXPECT_THAT(complaint(fixed, 1), StartsWith("sweep.transient: must be at least 0, got -62.8"));
  EXPECT_THAT(complaint(replaced(fixed, "\"10*2*pi/w\"", "0"), 1),
              StartsWith("sweep.duration: must be positive, got -"));
  EXPECT_THAT(complaint(replaced(replaced(fixed, "\"10*2*pi/w\"", "0"), "\"64*2*pi/w\"", "1"), 1),
              StartsWith("sweep.period: must be positive, got -"));
  EXPECT_EQ(complaint(replaced(sweep_over(axis("model.parameters.w0", "0, 1")), "m*w0^2", "m/w0"), 0),
            "model.parameters.k: must be a finite number, got inf");
  EXPECT_EQ(complaint(sweep_over(axis("scheme.theta", "2, 1")), 0), "scheme.theta: must be in [0, 1], got 2");
  EXPECT_EQ(complaint(sweep_over(axis("time.step", "0, 1")), 0), "time.step: must be positive, got 0");
  EXPECT_THAT(complaint(linear_over(axis("model.stops.guide.restitution", "2, 1")), 0),
              HasSubstr("model.stops[0].restitution: must be in [0, 1], got 2"));
}

std::string refusal(const std::string& text) {
  try {
    build_sweep(parse_scenario(text, "s"));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(SweepCases, RefusesPathsThatLeadNowhere) {
  const struct {
    std::string path, message;
  } cases[] = {
      {"model.parameters.v", "there is no key 'model.parameters.v'; model.parameters has m, k, w0, A, w"},
      {"model.parametrs.w", "there is no key 'model.parametrs.w'; did you mean 'model.parameters.w'?"},
      {"modle.parameters.w", "there is no key 'modle.parameters.w'; did you mean 'model.parameters.w'?"},
      {"nothing", "there is no key 'nothing'; a scenario has title, about, model, initial,"},
      {"model.parameters", "'model.parameters' is a table: name one of its entries"},
      {"model.parameters.w.x", "there is no key 'model.parameters.w.x': model.parameters.w is a value, not a table"},
      {"model", "'model' is a table: name one of its keys"},
      {"model.constraint", "'model.constraint' is a list: name one of its entries by its position from 0"},
      {"model.constraint[1].restitution", "model.constraint has 1 entry, counted from 0"},
      {"model.constraint.stopp.restitution", "did you mean 'model.constraint.stop.restitution'?"},
      {"model.constraint.stop", "'model.constraint.stop' is a table: name one of its keys"},
      {"model.constraint.stop.gap",
       "'model.constraint.stop.gap' is a formula: use a parameter in it, and make the axis model.parameters.NAME"},
      {"model.constraint.stop.name", "'model.constraint.stop.name' is a text: an axis changes a number"},
      {"model.coordinates", "'model.coordinates' is a list of names: an axis changes a number"},
      {"model.mass[0][0]", "there is no key 'model.mass[0][0]': model.mass is empty"},
      {"initial.v.y", "there is no key 'initial.v.y'; initial.v has x"},
      {"initial.q", "'initial.q' is a table: name one of its entries"},
      {"scheme.thetta", "there is no key 'scheme.thetta'; did you mean 'scheme.theta'?"},
      {"scheme.name", "'scheme.name' is a text: an axis changes a number"},
      {"scheme.theta.x", "scheme.theta is a value, not a table"},
      {"time.until", "'time.until' does not matter to a sweep: trajectories last sweep.transient and sweep.duration"},
      {"time.record_every", "'time.record_every' is a whole number"},
      {"time..step", "'time..step' is not the path of a key, such as model.parameters.w or initial.q.x"},
      {"sweep.period_tolerance", "'sweep.period_tolerance' cannot be an axis: it must be a number of model, initial,"},
      {"sweep.settle_within", "'sweep.settle_within' cannot be an axis: it must be a number of model, initial,"},
      {"sweep.axis[0].values[0]", "'sweep.axis[0].values[0]' cannot be an axis"},
      {"sweep.record", "'sweep.record' cannot be an axis"},
      {"solver.tolerance", "the scenario has no table [solver], whose 'tolerance' is to change"},
  };
  for (const auto& [path, message] : cases) {
    const std::string said = refusal(sweep_over(axis("model.parameters.A", "1") + "," + axis(path, "1")));
    EXPECT_THAT(said, StartsWith("sweep.axis[1].parameter: ")) << path;
    EXPECT_THAT(said, HasSubstr(message)) << path;
  }
  EXPECT_EQ(refusal(sweep_over(axis("model.constraint.stop.restitution", "1") + "," +
                               axis("model.constraint[0].restitution", "1"))),
            "sweep.axis[1].parameter: sweep.axis[0] already changes model.constraint[0].restitution");
  EXPECT_THAT(refusal(sweep_over(axis("model.constraint.stop.dissipation_index", "0.1"))),
              StartsWith("model.constraint[0].dissipation_index: give restitution or dissipation_index, not both"));
  EXPECT_THAT(refusal(linear_over(axis("initial.v.z", "1"))),
              StartsWith("sweep.axis[0].parameter: there is no coordinate 'z'"));
  EXPECT_THAT(refusal(linear_over(axis("model.stiffnes[0][0]", "1"))),
              HasSubstr("did you mean 'model.stiffness[0][0]'?"));
}

TEST(SweepCases, RefusesFormulasThatCannotBeRead) {
  const std::string text = sweep_over(axis("model.parameters.w", "2"));
  EXPECT_THAT(refusal(replaced(text, "64*2*pi/w", "64*2*pi/u")), StartsWith("sweep.duration: "));
  EXPECT_THAT(refusal(replaced(text, "10*2*pi/w", "10*t")),
              StartsWith("sweep.transient: must not depend on the time t"));
  EXPECT_THAT(refusal(replaced(text, "period = \"2*pi/w\"", "period = \"2*pi/\"")), StartsWith("sweep.period: "));
  EXPECT_THAT(refusal(replaced(text, "m*w0^2", "m*k")), StartsWith("model.parameters.k: depends on itself"));
  EXPECT_THAT(refusal(replaced(text, "A*cos(w*t)", "B*cos(w*t)")), StartsWith("model.force.x: "));
  EXPECT_THAT(refusal(replaced(text, "m/4", "n/4")), StartsWith("initial.q.x: "));
}

// What is kept.

TEST(SweepSettings, FollowTheTable) {
  const auto settings = [](const std::string& record, const std::string& further = "") {
    return build_sweep(parse_scenario(replaced(sweep_over(axis("model.parameters.w", "2"), further),
                                               "record = \"stroboscopic\"", "record = " + record),
                                      "s"));
  };
  const BuiltSweep plain = settings("\"stroboscopic\"");
  EXPECT_EQ(plain.record, "stroboscopic");
  EXPECT_EQ(plain.settings.record, SweepRecord::stroboscopic);
  EXPECT_EQ(plain.settings.skipped_points, 0u);
  EXPECT_EQ(plain.settings.most_points, std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(plain.settings.lyapunov);
  EXPECT_FALSE(plain.attractors);
  EXPECT_EQ(plain.settings.period_tolerance, std::nullopt);
  EXPECT_THAT(plain.layout.coordinates, ElementsAre("x"));
  EXPECT_EQ(plain.columns.state, sweep_columns(plain.layout, SweepRecord::stroboscopic).state);

  const BuiltSweep further =
      settings("\"impacts\"",
               "skip = 1024\npoints = 32\nmeasure = [\"lyapunov\", \"attractors\"]\nperiod_tolerance = \"10^-3\"\n");
  EXPECT_EQ(further.settings.record, SweepRecord::impacts);
  EXPECT_EQ(further.settings.skipped_points, 1024u);
  EXPECT_EQ(further.settings.most_points, 32u);
  EXPECT_TRUE(further.settings.lyapunov);
  EXPECT_TRUE(further.attractors);
  EXPECT_DOUBLE_EQ(further.settings.period_tolerance.value(), 1e-3);
}

TEST(SweepSettings, TransientsThatSettleHaveALongestTime) {
  const auto first = [](const std::string& further, const std::string& parameter = "model.parameters.w") {
    const std::string text = replaced(sweep_over(axis(parameter, "2")), "\"10*2*pi/w\"", "\"settled\"") + further;
    const BuiltSweep built = build_sweep(parse_scenario(text, "s"));
    EXPECT_TRUE(built.settles);
    return built.cases->at(0);
  };
  const SweepCase plain = first(""), given = first("settle_within = \"50*2*pi/w\"\n");
  EXPECT_TRUE(plain.settles && given.settles);
  EXPECT_DOUBLE_EQ(plain.transient, 1000.0 * plain.period);
  EXPECT_DOUBLE_EQ(given.transient, 50.0 * given.period);
  EXPECT_THROW(first("", "sweep.transient"), InputError);
}

TEST(SweepSettings, SectionIsAFormulaOfTheMotion) {
  const auto built = [](const std::string& section) {
    return build_sweep(parse_scenario(replaced(sweep_over(axis("model.constraint.stop.restitution", "0.5")),
                                               "record = \"stroboscopic\"", "record = " + section),
                                      "s"));
  };
  const BuiltSweep sweep = built("{ section = \"w*x - 2*x_dot + t\", direction = \"falling\" }");
  EXPECT_EQ(sweep.record, "section");
  EXPECT_EQ(sweep.settings.record, SweepRecord::section);
  EXPECT_EQ(sweep.settings.direction, SectionDirection::falling);
  const formula::Tape& tape = sweep.settings.section;
  ASSERT_EQ(tape.output_count(), 1);
  const double t = 10.0, x = 3.0, x_dot = 0.5;
  double value = 0.0;
  const std::vector<double> constants = tape.constants(sweep.cases->at(0).parameters.data());
  tape.evaluate(formula::Inputs<double>{.t = &t, .q = &x, .v = &x_dot}, constants.data(), &value);
  EXPECT_DOUBLE_EQ(value, 2.8 * 3.0 - 1.0 + 10.0);
  EXPECT_EQ(built("{ section = \"x\", direction = \"rising\" }").settings.direction, SectionDirection::rising);
  EXPECT_EQ(built("{ section = \"x\" }").settings.direction, SectionDirection::both);

  const auto complaint = [&](const std::string& section) -> std::string {
    try {
      built(section);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(complaint("{ section = \"y\" }"), StartsWith("sweep.record.section: "));
  EXPECT_THAT(complaint("{ section = \"_axis0*x\" }"), StartsWith("sweep.record.section: "));
  EXPECT_THAT(complaint("{ section = \"w\" }"), HasSubstr("does not depend on the motion"));
  EXPECT_THAT(complaint("{ section = \"x - 1/0\" }"), HasSubstr("contains a number that is not finite: inf"));
}

TEST(SweepSettings, SectionOfAModelFromMatrices) {
  const std::string text = replaced(linear_over(axis("model.parameters.w", "3")), "record = \"stroboscopic\"",
                                    "record = { section = \"y_dot + w\" }");
  const Scenario scenario = parse_scenario(text, "s");
  const BuiltSweep sweep = build_sweep(scenario);
  const double v[2] = {1.0, 2.0};
  double value = 0.0;
  const std::vector<double> constants = sweep.settings.section.constants(sweep.cases->at(0).parameters.data());
  sweep.settings.section.evaluate(formula::Inputs<double>{.v = v}, constants.data(), &value);
  EXPECT_EQ(value, 5.0);
}

TEST(SweepSettings, BinsOfTheHistogram) {
  const auto edges = [](const std::string& further) {
    return build_sweep(parse_scenario(replaced(sweep_over(axis("model.parameters.w", "2"), further),
                                               "record = \"stroboscopic\"", "record = \"statistics\""),
                                      "s"))
        .settings.impulse_edges;
  };
  const std::vector<double> given = edges("");
  ASSERT_EQ(given.size(), 49u);
  EXPECT_EQ(given.front(), 1e-6);
  EXPECT_EQ(given[24], 1.0);
  EXPECT_EQ(given.back(), 1e6);
  for (std::size_t i = 1; i < given.size(); ++i) EXPECT_NEAR(given[i] / given[i - 1], std::pow(10.0, 0.25), 1e-14);
  EXPECT_THAT(edges("impulse_bins = [0, \"1/4\", 2]\n"), ElementsAre(0.0, 0.25, 2.0));
  try {
    edges("impulse_bins = [0, 1, 1]\n");
    FAIL() << "edges that do not increase were taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "sweep.impulse_bins[2]: must be above the edge before it, 1, got 1");
  }
}

TEST(SweepToml, RoundTripsEveryKey) {
  Scenario scenario = parse_scenario(sweep_over(axis("model.parameters.w", "2")), "s");
  scenario.sweep = SweepDescription{
      .axes = {{.parameter = "model.parameters.w", .range = {1, "pi"}, .count = 7, .spacing = "logarithmic"},
               {.parameter = "initial.q.x", .values = {0.5, "1/3"}, .continuation = "both"}},
      .transient = "settled",
      .duration = "2*pi",
      .settle_within = "20*pi",
      .period = 0.1,
      .record = SectionDescription{"x_dot +\n\"", "rising"},
      .skip = 3,
      .points = 4,
      .measure = {"attractors"},
      .period_tolerance = 1e-3};
  std::string text = write_scenario(scenario);
  EXPECT_EQ(parse_scenario(text, "written"), scenario) << text;
  scenario.sweep->axes = {{.parameter = "model.parameters.w", .range = {1, "pi"}}};
  scenario.sweep->sampling = "random", scenario.sweep->samples = 9, scenario.sweep->seed = 8;
  scenario.sweep->record = "statistics", scenario.sweep->skip = 0, scenario.sweep->points = 0;
  scenario.sweep->measure = {"lyapunov"}, scenario.sweep->impulse_bins = {1, "2*pi"};
  text = write_scenario(scenario);
  EXPECT_EQ(parse_scenario(text, "written"), scenario) << text;
}

}  // namespace
}  // namespace ricochet
