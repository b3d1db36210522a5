// What validate() and build() refuse, by field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "unit/scenario/scenario_samples.hpp"

namespace ricochet {
namespace {

using testing::ball;
using ::testing::HasSubstr;

using Change = std::function<void(Scenario&, LagrangianDescription&)>;

std::string complaint(const Change& change, void (*check)(const Scenario&)) {
  Scenario scenario = ball();
  change(scenario, std::get<LagrangianDescription>(scenario.model));
  try {
    check(scenario);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

struct Case {
  Change change;
  std::string message;
};

TEST(ScenarioValidate, TakesTheExample) { EXPECT_NO_THROW(validate(ball())); }

TEST(ScenarioValidate, RefusesWithFieldAndReason) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<Case> cases = {
      // Names.
      {[](auto&, auto& m) { m.coordinates = {}; }, "model.coordinates: must have at least one name"},
      {[](auto&, auto& m) {
         m.coordinates = {"x", "x"};
       },
       "model.coordinates[1]: the name 'x' is already taken by a coordinate"},
      {[](auto&, auto& m) {
         m.coordinates = {"x", "x_dot"};
       },
       "model.coordinates[0]: the name 'x_dot' is already taken"},
      {[](auto&, auto& m) { m.coordinates = {"2x"}; }, "model.coordinates[0]: '2x' is not a name"},
      {[](auto&, auto& m) { m.coordinates.assign(1001, "x"); },
       "model.coordinates: a model from formulas has at most 1000"},
      {[](auto&, auto& m) { m.parameters.emplace_back("x", 1); },
       "model.parameters.x: the name 'x' is already taken by a coordinate"},
      {[](auto&, auto& m) { m.parameters.emplace_back("m", 1); }, "model.parameters.m: the name 'm' is already taken"},
      {[](auto&, auto& m) { m.parameters.emplace_back("a-b", 1); }, "model.parameters.a-b: 'a-b' is not a name"},
      {[](auto&, auto& m) {
         m.states = {{"m", "1"}};
       },
       "model.state[0].name: the name 'm' is already taken by a parameter"},
      {[](auto&, auto& m) {
         m.states = {{"p", ""}};
       },
       "model.state[0].rate: must be a formula, got an empty text"},
      {[](auto&, auto& m) { m.constraints.push_back(m.constraints[0]); },
       "model.constraint[1].name: there are two constraints named 'floor'"},
      {[](auto&, auto& m) { m.constraints[0].name = "the floor"; },
       "model.constraint[0].name: 'the floor' is not a name"},
      // Inertia.
      {[](auto&, auto& m) { m.kinetic = ""; }, "model: needs kinetic"},
      {[](auto&, auto& m) { m.mass = {{1}}; }, "model.mass: give kinetic or mass, not both"},
      {[](auto&, auto& m) {
         m.kinetic = "", m.mass = {{1, 0}, {0, 1}};
       },
       "model.mass: must have 1 rows of 1 entries, one a coordinate, got 2 rows"},
      {[](auto&, auto& m) {
         m.kinetic = "", m.mass = {{1, 0}};
       },
       "model.mass[0]: must have 1 rows of 1 entries"},
      {[](auto&, auto& m) {
         m.force = {{"y", 1}};
       },
       "model.force.y: there is no coordinate 'y'"},
      {[](auto&, auto& m) {
         m.force = {{"x", 1}, {"x", 2}};
       },
       "model.force.x: is given twice"},
      // Restitution: one way, in its range.
      {[](auto&, auto& m) { m.constraints[0].restitution = std::nullopt; },
       "model.constraint[0]: the restitution is missing"},
      {[](auto&, auto& m) { m.constraints[0].dissipation_index = 0.1; },
       "model.constraint[0].dissipation_index: give restitution or dissipation_index, not both"},
      {[](auto&, auto& m) { m.constraints[0].restitution = -0.1; },
       "model.constraint[0].restitution: must be in [0, 1], got -0.1"},
      {[](auto&, auto& m) { m.constraints[0] = {.name = "a", .gap = "x", .dissipation_index = 2}; },
       "model.constraint[0].dissipation_index: must be in [0, 1], got 2"},
      {[=](auto&, auto& m) { m.constraints[0].restitution = nan; },
       "model.constraint[0].restitution: must be a finite"},
      {[](auto&, auto& m) { m.constraints[0].gap = ""; },
       "model.constraint[0].gap: must be a formula, got an empty text"},
      // Start.
      {[](auto& s, auto&) { s.initial.q = {}; }, "initial.q: the coordinate 'x' is missing"},
      {[](auto& s, auto&) { s.initial.q.by_name.emplace_back("y", 1); }, "initial.q.y: there is no coordinate 'y'"},
      {[](auto& s, auto&) {
         s.initial.v = {{"xx", 1}};
       },
       "initial.v.xx: there is no coordinate 'xx'; did you mean 'x'?"},
      {[=](auto& s, auto&) {
         s.initial.v = {{"x", inf}};
       },
       "initial.v.x: must be a finite number, got inf"},
      // Time.
      {[](auto& s, auto&) { s.time.step = 0; }, "time.step: must be positive, got 0"},
      {[](auto& s, auto&) { s.time.until = 0; }, "time.until: must be later than the start 0, got 0"},
      {[](auto& s, auto&) { s.time.from = 4; }, "time.until: must be later than the start 4, got 3"},
      {[](auto& s, auto&) { s.time.step = 1e-13; }, "time.step: 1e-13 would need "},
      {[](auto& s, auto&) { s.time.from = -1e308, s.time.until = 1e308; },
       "time.step: 0.001 would need over 1e12 steps"},
      {[=](auto& s, auto&) { s.time.until = nan; }, "time.until: must be a finite number, got nan"},
      // Scheme.
      {[](auto& s, auto&) { s.scheme = {"nope"}; }, "scheme.name: "},
      {[](auto& s, auto&) {
         s.scheme = {"moreau-jean", {{"theta", 2.0}}};
       },
       "scheme.theta: must be in [0, 1], got 2"},
      // The known answer.
      {[](auto& s, auto&) { s.known = KnownAnswer{}; }, "known.source: must say where the answer comes from"},
      {[](auto& s, auto&) {
         s.known = KnownAnswer{.source = "s", .q = {{"y", 1}}};
       },
       "known.q.y: there is no coordinate"},
      {[](auto& s, auto&) { s.known = KnownAnswer{.source = "s", .window = {0}}; },
       "known.window: must have two entries"},
      {[](auto& s, auto&) {
         s.known = KnownAnswer{.source = "s", .samples = {{.t = 1, .q = {1, 2}}}};
       },
       "known.samples[0].q: must have 1 entries, got 2"},
      {[](auto& s, auto&) { s.known = KnownAnswer{.source = "s", .impacts = {{.t = 1, .constraint = "f"}}}; },
       "known.impacts[0].constraint: there is no constraint 'f'"},
      {[](auto& s, auto&) { s.known = KnownAnswer{.source = "s", .error = -1}; },
       "known.error: must be positive, got -1"},
  };
  for (const Case& test : cases) EXPECT_THAT(complaint(test.change, validate), HasSubstr(test.message));
}

TEST(ScenarioBuild, GivesWhatSimulateTakes) {
  Scenario scenario = ball();
  auto& model = std::get<LagrangianDescription>(scenario.model);
  model.coordinates = {"x", "y"};
  model.kinetic = "m*(x_dot^2 + y_dot^2)/2";
  model.states = {{"p", "-p", "3*g"}};
  scenario.initial.q = {{"y", "2*m"}, {"x", 1}};
  scenario.initial.v = {{"y", "-g"}};
  scenario.time = {.from = 1, .until = "1 + g", .step = "m/100", .record_every = 7};
  const Problem problem = build(scenario);
  EXPECT_EQ(problem.model->nq(), 2);
  EXPECT_EQ(problem.model->nc(), 1);
  EXPECT_EQ(problem.start, (State{1.0, {1.0, 2.0}, {0.0, -9.81}, {3 * 9.81}}));
  EXPECT_EQ(problem.span, (TimeSpan{1.0, 1.0 + 9.81}));
  EXPECT_EQ(problem.settings.h, 0.01);
  EXPECT_EQ(problem.settings.record_every, 7u);
  EXPECT_EQ(problem.scheme, scenario.scheme);
}

TEST(ScenarioBuild, RefusesWithFieldAndReason) {
  const std::vector<Case> cases = {
      {[](auto&, auto& m) { m.kinetic = "m*y_dot^2"; }, "model.kinetic: "},
      {[](auto&, auto& m) { m.constraints[0].gap = "5"; }, "model.constraint[0].gap: "},
      {[](auto&, auto& m) { m.parameters[0].second = "m2"; }, "model.parameters.m: "},
      {[](auto& s, auto&) {
         s.initial.q = {{"x", "h0"}};
       },
       "initial.q.x: "},
      {[](auto& s, auto&) {
         s.initial.q = {{"x", "1/0"}};
       },
       "initial.q.x: "},
      {[](auto& s, auto&) { s.time.until = "-g"; }, "time.until: must be later than the start 0, got -9.81"},
      {[](auto& s, auto&) { s.time.step = "0*m"; }, "time.step: must be a positive number, got 0"},
      {[](auto& s, auto&) { s.time.step = "1e-20*m"; }, "time.step: 1e-20 would need "},
  };
  const auto check = [](const Scenario& scenario) { build(scenario); };
  for (const Case& test : cases) EXPECT_THAT(complaint(test.change, check), HasSubstr(test.message));
}

}  // namespace
}  // namespace ricochet
