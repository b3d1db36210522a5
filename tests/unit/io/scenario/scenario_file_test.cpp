// Reading and writing scenarios: values, places in messages, settings, round trips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "unit/scenario/scenario_samples.hpp"

namespace ricochet {
namespace {

using testing::ball;
using testing::ball_text;
using ::testing::HasSubstr;
using testing::replaced;
using ::testing::StartsWith;

// The message of the ScenarioError a text gives, or "" if it is read.
std::string complaint(const std::string& text, const Overrides& settings = {}) {
  try {
    parse_scenario(text, "ball.toml", settings);
    return "";
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

const LagrangianDescription& lagrangian_of(const Scenario& scenario) {
  return std::get<LagrangianDescription>(scenario.model);
}

TEST(ScenarioToml, ReadsTheExample) { EXPECT_EQ(parse_scenario(ball_text, "ball.toml"), ball()); }

TEST(ScenarioToml, KeepsTheOrderOfParameters) {
  const Scenario scenario = parse_scenario(
      replaced(ball_text, "{ m = 1.0, g = 9.81 }", "{ zeta = 1, m = 2, g = \"m*3\", alpha = 4 }"), "ball.toml");
  const NamedQuantities expected = {{"zeta", 1}, {"m", 2}, {"g", "m*3"}, {"alpha", 4}};
  EXPECT_EQ(lagrangian_of(scenario).parameters, expected);
}

TEST(ScenarioToml, DefaultsAreThoseOfTheStructs) {
  const std::string text = replaced(ball_text, "[scheme]\nname = \"moreau-jean\"\ntheta = 0.5\n", "");
  Scenario expected = ball();
  expected.scheme = Scenario().scheme;
  EXPECT_EQ(parse_scenario(text, "ball.toml"), expected);
}

TEST(ScenarioToml, NumbersServeAsFormulas) {
  const Scenario scenario = parse_scenario(replaced(ball_text, "\"m*g*x\"", "0.25"), "ball.toml");
  EXPECT_EQ(lagrangian_of(scenario).potential, "0.25");
}

struct Case {
  std::string piece, by, message;
};

TEST(ScenarioToml, ComplaintsNamePlaceFieldAndWhatIsRight) {
  const std::vector<Case> cases = {
      // Unknown keys: the nearest.
      {"until", "untill", "ball.toml:22:1: time.untill: unknown key 'untill'; did you mean 'until'?"},
      {"[initial]", "[intial]", "ball.toml:14:2: intial: unknown key 'intial'; did you mean 'initial'?"},
      {"restitution", "restitusion", "ball.toml:12:1: model.constraint.floor.restitusion: unknown key"},
      {"theta", "thete",
       "ball.toml:19:1: scheme.thete: unknown parameter of moreau-jean: 'thete'; did you mean 'theta'?"},
      {"theta", "zzzzzzzz", "known here: name, theta"},
      {"moreau-jean", "moreau-jaen", "ball.toml:18:8: scheme.name: "},
      // Missing keys.
      {"until = 3.0", "", "ball.toml:21:1: time: the key 'until', such as until = 3.0, is missing: "},
      {"[time]\nuntil = 3.0\nstep = 1e-3\n", "", "ball.toml: the table [time] is missing: "},
      {"name = \"floor\"\n", "",
       "ball.toml:9:1: model.constraint[0]: the key 'name', such as name = \"floor\", is missing"},
      // Wrong types.
      {"3.0", "true", "ball.toml:22:9: time.until: must be a number or a formula in quotes, got true"},
      {"3.0", "2024-05-06", "time.until: must be a number or a formula in quotes, got the date or time 2024-05-06"},
      {"3.0", "[3.0]", "time.until: must be a number or a formula in quotes, got a list of 1"},
      {"\"floor\"", "5", "ball.toml:10:8: model.constraint[0].name: must be a text in quotes, got 5"},
      {"[\"x\"]", "\"x\"", "model.coordinates: must be a list of names such as [\"x\"], got the text 'x'"},
      {"[\"x\"]", "[\"x\", 1]", "model.coordinates[1]: must be a name in quotes, got 1"},
      {"{ x = 1.0 }", "[1.0]", "initial.q: must be a table such as { x = 1.0 }, a number or a text, got a list of 1"},
      {"[[model.constraint]]", "[model.constraint]",
       "model.constraint: must be a list of tables, each written as [[model.constraint]], got a table"},
      {"step = 1e-3", "step = 1e-3\nrecord_every = 1.5",
       "time.record_every: must be a whole number, 0 or more, got 1.5"},
      {"step = 1e-3", "step = 1e-3\nrecord_every = -1", "time.record_every: must be a whole number, 0 or more, got -1"},
      {"theta = 0.5", "theta = [0.5]", "scheme.theta: must be a number or a word in quotes, got a list of 1"},
      {"\"x\"]", "\"x\"]\nkind = \"lagrange\"",
       "model.kind: must be one of lagrangian, linear, bar, beam, bead-column, bead-chain, frame, got the text "
       "'lagrange'"},
      {"\"m*g*x\"", "\"\"", "model.potential: must be a formula in quotes, got an empty text"},
      // Numbers that are none.
      {"3.0", "nan", "ball.toml:22:9: time.until: must be a finite number, got nan"},
      {"9.81", "inf", "ball.toml:5:29: model.parameters.g: must be a finite number, got inf"},
      {"{ x = 1.0 }", "{ x = -inf }", "initial.q.x: must be a finite number, got -inf"},
      {"theta = 0.5", "theta = nan", "scheme.theta: must be "},
      // Values out of range.
      {"0.9", "1.7", "ball.toml:12:15: model.constraint.floor.restitution: must be in [0, 1], got 1.7"},
      {"1e-3", "-1e-3", "ball.toml:23:8: time.step: must be positive, got -0.001"},
      {"theta = 0.5", "theta = 1.5", "ball.toml:19:9: scheme.theta: must be in [0, 1], got 1.5"},
      // TOML itself.
      {"until = 3.0", "until = ", "ball.toml:22:9: not valid TOML: "},
      {"step = 1e-3", "until = 4.0", "ball.toml:23:9: not valid TOML: "},
  };
  for (const Case& test : cases)
    EXPECT_THAT(complaint(replaced(ball_text, test.piece, test.by)), HasSubstr(test.message)) << test.by;
}

TEST(ScenarioToml, RefusesWhatIsNoText) {
  EXPECT_EQ(complaint(""), "ball.toml: is empty: a scenario needs at least [model], [initial] and [time]");
  EXPECT_EQ(complaint(" \n\t\r\n"), "ball.toml: is empty: a scenario needs at least [model], [initial] and [time]");
  EXPECT_EQ(complaint("a\nb\xff\n"), "ball.toml:2: is not a text file: invalid UTF-8");
  EXPECT_EQ(complaint("\xed\xa0\x80"), "ball.toml:1: is not a text file: invalid UTF-8");
  EXPECT_EQ(complaint(std::string("a = \"\0\"", 7)), "ball.toml:1: is not a text file: it contains a NUL byte");
  EXPECT_THAT(complaint(std::string((16u << 20) + 1, ' ')), HasSubstr("is larger than 16 MiB"));
  for (const char* signature : {"\x89HDF\r\n\x1a\n", "PK\x03\x04"})
    EXPECT_THAT(complaint(signature), HasSubstr("is a result and no scenario")) << signature;
}

TEST(ScenarioToml, LettersBeyondAsciiOnlyInQuotesAndComments) {
  for (const std::string text : {"ˑ = 1", "a.ˑ = 1", "[ä]", "a = ä", "a = 1 ä", " f0.ˑZ"})
    EXPECT_EQ(complaint("\n" + text),
              "ball.toml:2: not valid TOML: letters beyond ASCII are allowed only in quotes and comments");
  EXPECT_THAT(complaint("a = 1le\"\"\"0.ˑZ"), HasSubstr("not valid TOML"));
  const Scenario scenario =
      parse_scenario("\xef\xbb\xbf# Maß\n" + replaced(ball_text, "Ball on a floor", "Ball auf Maß"), "ball.toml");
  EXPECT_EQ(scenario.title, "Ball auf Maß");
  // Escapes, and columns after such letters, which count characters.
  EXPECT_EQ(parse_scenario(replaced(ball_text, "Ball on a floor", "\\u00e4\\U0010FEFFä日"), "ball.toml").title,
            "ä\xf4\x8f\xbb\xbfä日");
  EXPECT_THAT(complaint(replaced(ball_text, "Ball on a floor", "\\U0010ffC3")),
              HasSubstr("ball.toml:1: not valid here"));
  EXPECT_THAT(complaint("model = { 'ä日😀' = 1, b = 2 }\ninitial = {}\ntime = {}"),
              HasSubstr("ball.toml:1:11: model.ä日😀: unknown key"));
  EXPECT_THAT(complaint("model = { about = 'ä日😀', b = "), StartsWith("ball.toml:1:30: not valid TOML"));
}

TEST(ScenarioToml, RefusesDeepNesting) {
  const auto times = [](int n, const std::string& text) {
    std::string result;
    for (int i = 0; i < n; ++i) result += text;
    return result;
  };
  const int n = 100000;
  EXPECT_THAT(complaint("a = " + times(n, "[")), StartsWith("ball.toml:1: nested too deeply"));
  EXPECT_THAT(complaint("\na = " + times(n, "{a=")), StartsWith("ball.toml:2: nested too deeply"));
  EXPECT_THAT(complaint("a" + times(n, ".a") + " = 1"), StartsWith("ball.toml:1: nested too deeply"));
  EXPECT_THAT(complaint("[a" + times(n, ".a") + "]"), StartsWith("ball.toml:1: nested too deeply"));
  EXPECT_THAT(complaint("\"a\"" + times(n, ".'a'") + " = 1"), StartsWith("ball.toml:1: nested too deeply"));
  EXPECT_THAT(complaint(times(n, "[a]\n")), HasSubstr("not valid TOML"));
}

TEST(ScenarioToml, BracketsAndPointsInStringsAndCommentsAreNoNesting) {
  std::string noise;
  for (int i = 0; i < 200; ++i) noise += "[{.";
  for (const std::string quote : {"\"", "'", "\"\"\"", "'''"}) {
    const std::string text = "about = " + quote + noise + quote + " # " + noise + "\n" + ball_text;
    EXPECT_EQ(parse_scenario(text, "ball.toml").about, noise);
  }
}

TEST(ScenarioSettings, ReplaceAndCreateValues) {
  const auto with = [](const Overrides& settings) { return parse_scenario(ball_text, "ball.toml", settings); };
  EXPECT_EQ(with({"time.until=7"}).time.until, Quantity(7.0));
  EXPECT_EQ(with({"time.record_every=10"}).time.record_every, 10u);
  EXPECT_EQ(with({"time.step=.5"}).time.step, Quantity(0.5));
  EXPECT_EQ(with({"time.step = 1e-3 / 2"}).time.step, Quantity("1e-3 / 2"));
  EXPECT_EQ(with({"title=Moon ball"}).title, "Moon ball");
  EXPECT_EQ(lagrangian_of(with({"model.potential=m*g*x + x^2"})).potential, "m*g*x + x^2");
  EXPECT_EQ(lagrangian_of(with({"model.parameters.g=1.62"})).parameters[1].second, Quantity(1.62));
  EXPECT_EQ(lagrangian_of(with({"model.parameters.k=2"})).parameters[2], (std::pair<std::string, Quantity>{"k", 2}));
  EXPECT_EQ(lagrangian_of(with({"model.constraint.floor.restitution=0.5"})).constraints[0].restitution, Quantity(0.5));
  EXPECT_EQ(lagrangian_of(with({"model.constraint[0].restitution=0.5"})).constraints[0].restitution, Quantity(0.5));
  EXPECT_EQ(lagrangian_of(with({"model.constraint.0.gap=x-1"})).constraints[0].gap, "x-1");
  EXPECT_EQ(lagrangian_of(with({"model.force={x = \"t\"}"})).force, (NamedQuantities{{"x", "t"}}));
  EXPECT_EQ(with({"initial.v.x=-1"}).initial.v, (NamedQuantities{{"x", -1}}));
  EXPECT_EQ(with({"time.until=7", "time.until=8"}).time.until, Quantity(8.0));
}

TEST(ScenarioSettings, ReplaceTheScheme) {
  Overrides settings;
  settings.scheme("moreau-jean", "--scheme moreau-jean");
  settings.add("scheme.forecast", "0", "--set scheme.forecast=0");
  const Scheme expected = {"moreau-jean", {{"forecast", 0.0}}};
  EXPECT_EQ(parse_scenario(ball_text, "ball.toml", settings).scheme, expected);
}

TEST(ScenarioSettings, ComplaintsNameTheSetting) {
  const auto with = [](const std::string& setting) { return complaint(ball_text, {setting}); };
  EXPECT_EQ(with("time.step=-1"), "--set time.step=-1: time.step: must be positive, got -1");
  EXPECT_THAT(with("tiem.step=1"), StartsWith("--set tiem.step=1: tiem: unknown key 'tiem'; did you mean 'time'?"));
  EXPECT_THAT(with("time.stpe=1"), HasSubstr("time.stpe: unknown key 'stpe'; did you mean 'step'?"));
  EXPECT_THAT(with("time.step=true"), HasSubstr("--set time.step=true: time.step: must be a number"));
  EXPECT_THAT(with("time.step.x=1"), HasSubstr("time.step is a value, not a table with keys"));
  EXPECT_THAT(with("model.constraint.flor.gap=x"),
              HasSubstr("model.constraint has no entry 'flor'; there is only floor"));
  EXPECT_THAT(with("model.constraint[1].gap=x"), HasSubstr("model.constraint has no entry '1'"));
  EXPECT_THAT(with("scheme.theta=2"), StartsWith("--set scheme.theta=2: scheme.theta: must be in [0, 1], got 2"));
  EXPECT_THAT(with("=1"), HasSubstr("is not the path of a key"));
  EXPECT_THAT(with("time..step=1"), HasSubstr("is not the path of a key"));
  EXPECT_THAT(with("time.step=nan"), HasSubstr("must be a finite number, got nan"));
  EXPECT_THROW(Overrides({"time.step"}), ScenarioError);
  EXPECT_THAT(with(std::string(200, '.') + "=1"), HasSubstr("is not the path of a key"));
}

TEST(ScenarioWriter, RoundTripsTheExample) {
  const std::string text = write_scenario(ball());
  EXPECT_EQ(parse_scenario(text, "written"), ball()) << text;
}

TEST(ScenarioWriter, RoundTripsEveryKey) {
  Scenario scenario = ball();
  scenario.about = "Two lines\nwith \"quotes\", a back\\slash, a tab\t and \"\"\" three.\n";
  LagrangianDescription& model = std::get<LagrangianDescription>(scenario.model);
  model.coordinates = {"x", "y"};
  model.kinetic = "";
  model.mass = {{"m", 0}, {0, 2.5}};
  model.dissipation = "x_dot^2";
  model.force = {{"y", "A*cos(t)"}, {"x", -0.0}};
  model.states = {{"p", "-p", "m/2"}, {"s", "1"}};
  model.constraints.push_back({.name = "left-wall", .gap = "y + 1", .dissipation_index = 1e-300});
  scenario.initial = {.q = {{"y", 1e22}, {"x", "2*m"}}, .v = {{"y", -0.1}}};
  scenario.time = {.from = -1, .until = "2*pi", .step = 1.0 / 3.0, .record_every = 0};
  scenario.known = KnownAnswer{.source = "me",
                               .q = {{"x", "cos(t)"}, {"y", 0}},
                               .v = {{"x", "-sin(t)"}, {"y", 0}},
                               .impacts = {{.t = 1, .constraint = "floor", .impulse = 2}},
                               .samples = {{.t = 1, .q = {0, "m"}, .v = {1, 2}, .energy = 3}, {.t = 2, .q = {1, 1}}},
                               .window = {0, "pi"},
                               .error = 1e-3,
                               .time_error = 1e-4};
  const std::string text = write_scenario(scenario);
  EXPECT_EQ(parse_scenario(text, "written"), scenario) << text;
}

RC_GTEST_PROP(ScenarioWriter, RoundTripsAnyTextAndNumber, ()) {
  // Any Unicode text without NUL, any finite number.
  const auto characters = *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(1, 0x80), rc::gen::inRange<std::uint32_t>(0x80, 0xd800),
                     rc::gen::elementOf(std::vector<std::uint32_t>{'"', '\\', '\n', '\r', '\t', 0x7f, 0x10ffff})));
  std::string text;
  for (const std::uint32_t c : characters) {
    const auto push = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
      push(c);
    } else if (c < 0x800) {
      push(0xc0 | c >> 6), push(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
      push(0xe0 | c >> 12), push(0x80 | (c >> 6 & 0x3f)), push(0x80 | (c & 0x3f));
    } else {
      push(0xf0 | c >> 18), push(0x80 | (c >> 12 & 0x3f)), push(0x80 | (c >> 6 & 0x3f)), push(0x80 | (c & 0x3f));
    }
  }
  const double number = *rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double x) { return x - x == 0.0; });

  Scenario scenario = ball();
  scenario.title = text;
  scenario.about = text;
  std::get<LagrangianDescription>(scenario.model).parameters.emplace_back("p", number);
  RC_ASSERT(parse_scenario(write_scenario(scenario), "written") == scenario);
}

TEST(ScenarioFiles, ComplainAboutFilesThatCannotBeRead) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "ricochet_scenario_files";
  std::filesystem::create_directories(folder);
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      load_scenario(file.string());
      return "";
    } catch (const FileError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(message(folder / "nothing-near-this-name"), ::testing::EndsWith(": there is no such file"));
  EXPECT_THAT(message(folder / "bouncing-ball.toml"), ::testing::EndsWith("did you mean gallery:bouncing-ball?"));
  EXPECT_THAT(message(folder), HasSubstr("is a folder, not a scenario file"));

  std::ofstream(folder / "ball.toml") << ball_text;
  EXPECT_EQ(load_scenario((folder / "ball.toml").string()), ball());
  std::filesystem::remove_all(folder);
}

TEST(ScenarioFiles, GalleryNames) {
  EXPECT_EQ(load_scenario("gallery:bouncing-ball").title, "Ball on a floor");
  try {
    load_scenario("gallery:bouncing-bal");
    FAIL() << "an unknown name was taken";
  } catch (const ScenarioError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean gallery:bouncing-ball?"));
  }
}

TEST(ScenarioFiles, TextIsTheFileUnlessSettingsChangeIt) {
  EXPECT_EQ(ScenarioFile(ball_text, "ball.toml", {}).text(), ball_text);
  const ScenarioFile changed(ball_text, "ball.toml", {"time.until=4"});
  EXPECT_EQ(parse_scenario(changed.text(), "text"), changed.scenario());
  EXPECT_EQ(changed.scenario().time.until, Quantity(4.0));
}

TEST(ScenarioFiles, LaterComplaintsGetTheirPlace) {
  const ScenarioFile file(ball_text, "ball.toml", {"initial.v.x=-1"});
  const auto text = [&](const char* field) { return std::string(file.located(InputError(field, "no")).what()); };
  EXPECT_EQ(text("model.constraint[0].gap"), "ball.toml:11:7: model.constraint.floor.gap: no");
  EXPECT_EQ(text("model.constraint[0].dissipation_index"),
            "ball.toml:9:1: model.constraint.floor.dissipation_index: no");
  EXPECT_EQ(text("initial.v.x"), "--set initial.v.x=-1: initial.v.x: no");
  EXPECT_EQ(text("initial.q"), "ball.toml:15:5: initial.q: no");
  EXPECT_EQ(text("solver.name"), "ball.toml: solver.name: no");
  EXPECT_EQ(text(""), "ball.toml: no");
}

}  // namespace
}  // namespace ricochet
