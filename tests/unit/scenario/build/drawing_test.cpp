// [draw]: what a page animates, as formulas; it is read, written and refused with the place that is wrong.
#include "scenario/build/drawing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/scenario/build.hpp"

namespace ricochet {
namespace {

std::string disk(const std::string& draw) {
  return R"([model]
coordinates = ["x", "y"]
parameters = { R = 0.5, two = "4*R" }
kinetic = "(x_dot^2 + y_dot^2)/2"
[[model.constraint]]
name = "floor"
gap = "y - R"
restitution = 0.5
[[model.friction]]
name = "brake"
slip = "x_dot"
limit = 1.0
[initial]
q = { x = 0.0, y = 1.0 }
[time]
until = 1.0
step = 0.1
[draw]
)" + draw;
}

const char* const everything = R"(segments = [{ through = [[-1.0, 0.0], ["two", 0.0]], contact = "floor" }]
circles = [{ at = ["x", "y + t"], radius = "R", angle = "x_dot" }]
springs = [{ from = [0, 0], to = ["x", "y"] }]
points = [{ at = ["x", "-y"], contact = "brake" }]
)";

TEST(Drawing, IsReadAndWritten) {
  const Scenario scenario = parse_scenario(disk(everything), "disk");
  ASSERT_TRUE(scenario.draw);
  EXPECT_EQ(scenario.draw->circles.at(0).radius, Quantity("R"));
  EXPECT_EQ(scenario.draw->segments.at(0).contact, "floor");
  EXPECT_EQ(parse_scenario(write_scenario(scenario), "again"), scenario);
  EXPECT_NO_THROW(build(scenario));
}

TEST(Drawing, ConstantsAreNumbersAndTheRestIsEvaluated) {
  const Scenario scenario = parse_scenario(disk(everything), "disk");
  const std::vector<std::string> contacts = {"floor", "brake"};
  const DrawingFormulas formulas(*scenario.draw, scenario.model, {"x", "y"}, contacts);
  ASSERT_EQ(formulas.items().size(), 4u);
  const auto& floor = formulas.items()[0].values;
  EXPECT_EQ(floor[2].column, -1);
  EXPECT_EQ(floor[2].constant, 2.0);  // 4 R
  const double q[] = {3.0, 5.0}, v[] = {0.25, 0.0};
  std::vector<double> values(formulas.columns());
  formulas.evaluate(7.0, q, v, values.data());
  const auto& circle = formulas.items()[1].values;
  EXPECT_EQ(values.at(circle[0].column), 3.0);
  EXPECT_EQ(values.at(circle[1].column), 12.0);
  EXPECT_EQ(circle[2].constant, 0.5);
  EXPECT_EQ(values.at(circle[3].column), 0.25);
  EXPECT_EQ(values.at(formulas.items()[3].values[1].column), -5.0);
}

TEST(Drawing, RefusesWithThePlace) {
  const auto refused = [](const std::string& draw) -> std::string {
    try {
      build(parse_scenario(disk(draw), "disk"));
    } catch (const InputError& error) {
      return error.field() + ": " + error.message();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(R"(points = [{ at = ["x"] }])"),
            "draw.points[0].at: must have two entries, [x, y], numbers or formulas; got 1");
  EXPECT_EQ(refused(R"(points = [{ at = ["x", "y"], contact = "wall" }])"),
            "draw.points[0].contact: there is no contact 'wall'; the model has floor, brake");
  EXPECT_TRUE(refused(R"(segments = [{ through = [["x", "y"]] }])")
                  .starts_with("draw.segments[0].through: must have two points"));
  EXPECT_TRUE(refused(R"(circles = [{ at = ["x", "height"], radius = 1 }])").starts_with("draw.circles[0].at[1]: "));
  EXPECT_TRUE(
      refused(R"~(circles = [{ at = [0, 0], radius = "1/(R - R)" }])~").starts_with("draw.circles[0].radius: "));
  EXPECT_NE(refused(R"(springs = [{ from = [0, 0] }])").find("draw.springs[0]: the key 'to'"), std::string::npos);
}

}  // namespace
}  // namespace ricochet
