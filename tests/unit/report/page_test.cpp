// Pages: nothing in a title or a scenario can break out of them; columns keep their values and their peaks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "report/animation.hpp"
#include "report/friction_rows.hpp"
#include "report/html.hpp"
#include "report/packing.hpp"
#include "report/page_data.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string evil = "</script><script>alert(1)</script><!-- & \" ' é";

StoredResult ball(std::size_t n) {
  StoredResult result;
  result.title = "Ball";
  result.scheme = "moreau-jean";
  result.status = "completed";
  result.coordinates = {"x"};
  result.constraints = {"floor"};
  result.q.resize(1), result.v.resize(1), result.gap.resize(1), result.rate.resize(1), result.impulse.resize(1);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = 1e-3 * static_cast<double>(i);
    result.t.push_back(t);
    result.q[0].push_back(std::sin(7 * t));
    result.v[0].push_back(7 * std::cos(7 * t));
    result.gap[0].push_back(1 + std::sin(7 * t));
    result.rate[0].push_back(7 * std::cos(7 * t));
    result.impulse[0].push_back(i % 1000 == 0 ? 1.0 : 0.0);
    result.kinetic.push_back(24.5 * std::cos(7 * t) * std::cos(7 * t));
    result.potential.push_back(1.0);
  }
  result.impacts = {
      {.t = 1e-3, .constraint = 0, .rate_minus = -1, .rate_plus = 0.5, .impulse = 1.5, .energy_loss = 0.4}};
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ReportPage, EscapesText) {
  EXPECT_EQ(report::escaped("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(report::script_json("\"<\""), "\"\\u003c\"");
  EXPECT_EQ(json::parse(report::script_json("\"</script>\"")), "</script>");
}

TEST(ReportPage, NoTextEndsItsScript) {
  const std::size_t scripts = count(run_page(ball(10)), "<script");
  StoredResult result = ball(10);
  result.title = result.scenario_text = result.scheme = result.failure = evil;
  result.coordinates = result.constraints = {evil};
  result.notes = {evil};
  const std::string page = run_page(result, {.notes = {evil}});
  EXPECT_EQ(count(page, "<script"), scripts);
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(run_svg(result), Not(HasSubstr("<script")));
  EXPECT_EQ(json::parse(report::run_json(result, {})).at("scenario"), evil);
}

TEST(ReportPage, BytesThatAreNotTextDoNoHarm) {
  StoredResult result = ball(10);
  result.title = "\xff\xfe\x80";
  EXPECT_EQ(json::parse(report::run_json(result, {})).at("kind"), "run");
}

TEST(ReportPage, ParametersAreReadAgain) {
  StoredResult result = ball(10);
  result.scheme_parameters = R"({"theta": 0.5, "tableau": "</script>"})";
  EXPECT_EQ(json::parse(report::run_json(result, {})).at("parameters").at("theta"), 0.5);
  EXPECT_THAT(run_page(result), Not(HasSubstr("\"</script>")));
  for (const char* text : {"", "[1]", "{\"a\": 1}, \"kind\": \"b\"", "{"}) {
    result.scheme_parameters = text;
    EXPECT_EQ(json::parse(report::run_json(result, {})).at("parameters"), json::object()) << text;
  }
}

TEST(ReportPage, NeedsNothingFromOutside) {
  const std::string page = run_page(ball(10));
  for (const char* reference : {"src=\"", "href=\"", "@import", "url(http", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(reference))) << reference;
}

TEST(ReportPage, EmptyResults) {
  for (const std::size_t n : {0u, 1u, 2u}) {
    StoredResult result = ball(n);
    result.impacts.clear();
    EXPECT_THAT(run_page(result), HasSubstr("</html>"));
    EXPECT_THAT(run_svg(result), HasSubstr("</svg>"));
    EXPECT_EQ(json::parse(report::run_json(result, {})).at("rows"), n);
  }
  EXPECT_THAT(run_page(StoredResult{}), HasSubstr("</html>"));
}

TEST(ReportPage, ReactionsAreDrawnWhereThereAreJoints) {
  StoredResult result = ball(10);
  const std::string without = run_svg(result);
  EXPECT_THAT(without, Not(HasSubstr("Reactions")));
  EXPECT_FALSE(json::parse(report::run_json(result, {})).at("columns").contains("reaction"));
  result.joints = {"pin.reaction.1", "pin.reaction.2"};
  result.reaction = {result.q[0], result.v[0]};
  const std::string with = run_svg(result);
  EXPECT_THAT(with, HasSubstr("Reactions"));
  EXPECT_THAT(with, HasSubstr("pin.reaction.2"));
  EXPECT_THAT(report::plain_run_page(result, {}), HasSubstr("<td>pin.reaction.2</td>"));
  const json data = json::parse(report::run_json(result, {}));
  EXPECT_THAT(data.at("joints"), ElementsAre("pin.reaction.1", "pin.reaction.2"));
  EXPECT_EQ(data.at("columns").at("reaction").size(), 2u);
}

TEST(ReportPage, MembersOfFramesAreDrawn) {
  StoredResult result = ball(10);
  result.scenario_text =
      "[model]\nkind = \"frame\"\npoints = { A = [0.0, 0.5], B = [1.0, 0.5] }\nmembers = [{ name = \"arm\", from = "
      "\"A\", "
      "to = \"B\", elements = 1, EA = 1.0, GA = 1.0, EI = 1.0, rho_A = 1.0, rho_I = 1.0 }]\n"
      "supports = [{ point = \"A\", kind = \"pinned\" }]\n[time]\nuntil = 1.0\nstep = 0.1\n";
  result.coordinates = {"A_angle", "B_x", "B_y", "B_angle"};
  result.q.resize(4, result.q[0]);
  result.v.resize(4, result.v[0]);
  const json figure = json::parse(report::run_json(result, {})).at("animation")[0];
  EXPECT_EQ(figure.at("figure"), "frame");
  EXPECT_EQ(figure.at("members").dump(), "[[[-1,-1,0.0,0.5],[1,2,1.0,0.5]]]");
  EXPECT_EQ(figure.at("held").dump(), "[[-1,-1,0.0,0.5]]");
  EXPECT_THAT(run_svg(result), HasSubstr("Members"));
  EXPECT_THAT(run_svg(ball(10)), Not(HasSubstr("Members")));
}

TEST(ReportPage, Base64) {
  const auto encoded = [](std::string_view text) {
    return report::base64(std::as_bytes(std::span(text.data(), text.size())));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(ReportPage, ColumnsTakeTheirShortestForm) {
  const auto packed = [](const std::vector<double>& values) {
    std::string text;
    report::pack_column(text, values);
    return json::parse(text);
  };
  EXPECT_EQ(packed({2.5, 2.5, 2.5}).at("same"), 2.5);
  EXPECT_TRUE(packed({1, 2, 3}).contains("f4"));
  EXPECT_FALSE(packed({1, 2, 3}).contains("base"));
  // 1 + 1e-6 and 1 + 2e-6 would be hard to tell apart as floats.
  EXPECT_NEAR(packed({1000000.001, 1000000.002}).at("base"), 1000000.0015, 1e-9);
  std::vector<double> sparse(100, 0.0);
  sparse[7] = 3.0;
  EXPECT_EQ(packed(sparse).at("rows"), "BwAAAA==");
  EXPECT_EQ(packed(sparse).at("f4"), "AABAQA==");

  std::string times;
  report::pack_times(times, std::vector<double>{0.0, 0.1, 0.2, 0.30000000000000004});
  EXPECT_TRUE(json::parse(times).contains("even"));
  times.clear();
  report::pack_times(times, std::vector<double>{0.0, 0.1, 0.25});
  EXPECT_TRUE(json::parse(times).contains("f8"));
}

TEST(ReportPage, ThinningKeepsPeaksEndsAndImpulses) {
  const std::size_t n = 100'003;
  std::vector<double> values(n, 0.0), impulses(n, 0.0), t(n);
  for (std::size_t i = 0; i < n; ++i) t[i] = static_cast<double>(i);
  values[0] = 0.25, values[n - 1] = -0.25, values[54321] = 9.0, values[54322] = -8.0;
  impulses[7] = impulses[8] = impulses[n - 2] = 1.5;
  const report::Thinning thinning(n, 5000);
  EXPECT_LE(thinning.rows(), 5000u);
  const std::vector<double> kept = thinning.extremes(values), times = thinning.times(t), sums = thinning.sums(impulses);
  ASSERT_EQ(kept.size(), thinning.rows());
  ASSERT_EQ(times.size(), thinning.rows());
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(times.back(), t.back());
  EXPECT_EQ(kept.front(), 0.25);
  EXPECT_EQ(kept.back(), -0.25);
  const auto most = std::max_element(kept.begin(), kept.end());
  EXPECT_EQ(*most, 9.0);
  EXPECT_EQ(*std::min_element(kept.begin(), kept.end()), -8.0);
  // In the order they came.
  EXPECT_EQ(*(most + 1), -8.0);
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), 4.5);
}

TEST(ReportPage, ManyValuesAreThinnedAndThePageSaysSo) {
  const json data = json::parse(report::run_json(ball(20'000), {.values_max = 8000}));
  EXPECT_LE(data.at("rows"), 8000 / 4);
  EXPECT_EQ(data.at("recorded"), 20'000);
  EXPECT_THAT(data.at("notes").at(0).get<std::string>(), HasSubstr("20000 instants"));
}

TEST(ReportPage, AnglesAreFoundInFormulas) {
  using report::Occurrence;
  EXPECT_EQ(report::occurrence("-g*cos(a)", "a"), Occurrence::angle);
  EXPECT_EQ(report::occurrence("sin(2*(a - b)) + a_dot^2", "a"), Occurrence::angle);
  EXPECT_EQ(report::occurrence("a*cos(a)", "a"), Occurrence::plain);
  EXPECT_EQ(report::occurrence("exp(a)*cos(b)", "a"), Occurrence::plain);
  EXPECT_EQ(report::occurrence("alpha*a_dot", "a"), Occurrence::none);
}

TEST(ReportPage, FiguresFollowTheScenario) {
  StoredResult result = ball(10);
  result.scenario_text = R"(
[model]
coordinates = ["x"]
kinetic = "x_dot^2/2"
[[model.constraint]]
name = "floor"
gap = "x"
restitution = 0.9
[initial]
q = { x = 1.0 }
[time]
until = 1.0
step = 0.1
)";
  const auto figures = [&result] { return json::parse(report::animation_of(result).figures.dump()); };
  const json figure = figures().at(0);
  EXPECT_EQ(figure.at("figure"), "lanes");
  EXPECT_EQ(figure.at("vertical"), true);
  // What cannot be read gives lines for all coordinates.
  result.scenario_text = "this is no scenario";
  EXPECT_EQ(figures().at(0).at("q"), json::array({0}));
}

// A point in a round hole, a table that moves, a [draw] table.
TEST(ReportPage, FiguresHaveTheirObstacles) {
  StoredResult result;
  result.coordinates = {"x", "y"};
  result.constraints = {"hole", "table", "wall"};
  result.q.resize(2), result.v.resize(2);
  for (const double t : {0.0, 0.5, 1.0}) {
    result.t.push_back(t);
    result.q[0].push_back(std::cos(3.0 * t));
    result.q[1].push_back(std::sin(3.0 * t));
    for (auto& v : result.v) v.push_back(0.0);
  }
  const std::string scenario = R"~(
[model]
coordinates = ["x", "y"]
parameters = { R = 1.1 }
kinetic = "(x_dot^2 + y_dot^2)/2"
constraint = [
  { name = "hole", gap = "R - sqrt(x^2 + y^2)", restitution = 0 },
  { name = "table", gap = "2*(y - 0.1*sin(t)) + 4", restitution = 0 },
  { name = "wall", gap = "3 - x", restitution = 0 },
]
[initial]
q = { x = 1.0, y = 0.0 }
[time]
until = 1.0
step = 0.5
)~";
  result.scenario_text = scenario;
  const json plane = json::parse(report::animation_of(result).figures.dump()).at(0);
  EXPECT_EQ(plane.at("figure"), "plane");
  EXPECT_EQ(plane.at("walls"), json::parse("[[1, 1, 2.0], [2, 0, -1.0]]"));
  ASSERT_EQ(plane.at("curves").size(), 1u);
  const std::vector<double> pieces = plane.at("curves").at(0);
  ASSERT_GT(pieces.size(), 400u);
  for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) EXPECT_NEAR(std::hypot(pieces[i], pieces[i + 1]), 1.1, 1e-3);

  result.scenario_text = scenario + R"~([draw]
circles = [{ at = [0, 0], radius = "R" }]
points = [{ at = ["x", "2*y"] }]
)~";
  const report::Animation drawn = report::animation_of(result);
  const json items = json::parse(drawn.figures.dump()).at(0).at("items");
  EXPECT_EQ(items, json::parse(R"~([
    {"kind": "circle", "values": [0.0, 0.0, 1.1]}, {"kind": "point", "values": [[0], [1]]}])~"));
  ASSERT_EQ(drawn.drawn.size(), 2u);
  EXPECT_EQ(drawn.drawn[1][2], 2.0 * result.q[1][2]);
  EXPECT_THAT(report::run_json(result, {}), HasSubstr("\"drawn\":["));
}

// A brake slides with constant force, then sticks; an impact takes 3 J in no time.
TEST(ReportPage, FrictionInRows) {
  StoredResult result;
  result.coordinates = {"x"};
  result.slips = {"brake.slip"};
  result.t = {0.0, 1.0, 2.0, 2.0, 3.0};
  result.v = {{3.0, 2.0, 1.0, 0.0, 0.0}};
  result.slip = result.v;
  result.friction = {{0.0, -2.0, -2.0, -6.0, -1.0}};
  result.impacts = {{.t = 2.0}};
  EXPECT_THAT(report::jumps_after(result), ElementsAre(false, false, true, false, false));
  const std::vector<report::FrictionRows> frictions = report::frictions_of(result);
  ASSERT_EQ(frictions.size(), 1u);
  EXPECT_EQ(frictions[0].name(), "brake");
  EXPECT_EQ(frictions[0].phase(1), report::FrictionPhase::slides);
  EXPECT_EQ(frictions[0].phase(4), report::FrictionPhase::sticks);
  EXPECT_EQ(frictions[0].phases()[1], 1.0);  // as pages have them
  EXPECT_EQ(frictions[0].phases()[4], 2.0);
  const std::vector<double> power = frictions[0].power();
  EXPECT_EQ(power[1], 2.0 * 2.5);
  EXPECT_TRUE(std::isnan(power[3]));
  EXPECT_EQ(power[4], 0.0);
  EXPECT_DOUBLE_EQ(frictions[0].mean_power(), (5.0 + 3.0 + 3.0) / 3.0);
  result.q = {{0.0, 2.5, 4.0, 4.0, 4.0}};
  const std::string svg = run_svg(result);
  EXPECT_THAT(svg, HasSubstr("Wear power"));
  EXPECT_THAT(svg, HasSubstr("mean 3.667"));
  EXPECT_THAT(svg, HasSubstr("Friction force against slip"));
  EXPECT_GT(count(svg, "opacity=\"0.18\""), 3u);                  // bands in three panels
  EXPECT_THAT(svg, Not(testing::ContainsRegex("\"[a-z-]+=\"")));  // a space before every attribute
}

TEST(ReportPage, Studies) {
  StudyPage study{"converge", "</script>"};
  study.text = {"one"};
  study.plots = {{"Order", {"h", true}, {"error", true}, {{"moreau", {0.1, 0.2}, {0.01, 0.04}}}}};
  study.tables = {{"Orders", {"scheme", "order"}, {{"moreau", "2"}}}};
  const std::string page = study_html(study);
  EXPECT_THAT(page, HasSubstr("moreau"));
  EXPECT_THAT(page, Not(HasSubstr("<title></script>")));
  const std::string plain = report::plain_study_page(study);
  EXPECT_THAT(plain, HasSubstr("<td>moreau</td><td>0.1</td><td>0.01</td>"));
  EXPECT_THAT(plain, HasSubstr("<td>moreau</td><td>2</td>"));
  EXPECT_THAT(plain, Not(HasSubstr("</script>")));
}

TEST(ReportPage, PairsOfFloatsAsBase64) {
  const std::vector<double> pair = {1.0, 2.0};
  EXPECT_EQ(report::base64_floats(pair), "AACAPwAAAEA=");
}

}  // namespace
}  // namespace ricochet
