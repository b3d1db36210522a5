// The numbers of a scenario that sliders can move, and where they stand in its text.
#include <gtest/gtest.h>

#include <algorithm>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/scenario/key_paths.hpp"

namespace ricochet {
namespace {

constexpr std::string_view text = R"(title = "über Zahlen"
[model]
coordinates = ["x", "y"]
parameters  = { m = 1.0, g = "2*m", mu = 3 }
kinetic     = "m*(x_dot^2 + y_dot^2)/2"
[[model.constraint]]
name = "floor"
gap = "x"
restitution = 0.9
[initial]
q = { x = 1.0, y = "m" }
[time]
until = 3.0
step = 1e-3
)";

const NumberKey* find(const std::vector<NumberKey>& keys, const std::string& path) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const NumberKey& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

TEST(NumberKeys, NumbersAndNoFormulas) {
  const ScenarioFile file(text, "scenario", {});
  const std::vector<NumberKey> keys = number_keys(file.scenario());
  ASSERT_NE(find(keys, "model.constraint.floor.restitution"), nullptr);
  EXPECT_EQ(find(keys, "model.constraint.floor.restitution")->value, 0.9);
  EXPECT_EQ(find(keys, "model.constraint.floor.restitution")->lower, 0.0);
  EXPECT_EQ(find(keys, "model.constraint.floor.restitution")->upper, 1.0);
  EXPECT_EQ(find(keys, "model.parameters.m")->value, 1.0);
  EXPECT_EQ(find(keys, "model.parameters.g"), nullptr);
  EXPECT_EQ(find(keys, "initial.q.x")->value, 1.0);
  EXPECT_EQ(find(keys, "initial.q.y"), nullptr);
  // What is not given is 0, and parameters of the scheme have their defaults.
  EXPECT_EQ(find(keys, "initial.v.x")->value, 0.0);
  EXPECT_EQ(find(keys, "initial.v.y")->value, 0.0);
  EXPECT_EQ(find(keys, "scheme.theta")->value, 0.5);
  EXPECT_EQ(find(keys, "time.step")->value, 1e-3);
  EXPECT_EQ(find(keys, "time.from"), nullptr);
}

// Setting any of them is what --set does.
TEST(NumberKeys, CanBeSet) {
  const ScenarioFile file(text, "scenario", {});
  for (const NumberKey& key : number_keys(file.scenario())) {
    const double other = key.upper < 1.0 ? key.value : key.value == 1.0 ? 0.5 : 1.0;
    Overrides overrides;
    overrides.add(key.path, std::to_string(other), key.path);
    const std::vector<NumberKey> changed = number_keys(ScenarioFile(text, "scenario", overrides).scenario());
    ASSERT_NE(find(changed, key.path), nullptr) << key.path;
    EXPECT_EQ(find(changed, key.path)->value, other) << key.path;
  }
}

TEST(NumberKeys, PlacesInTheText) {
  const ScenarioFile file(text, "scenario", {});
  const auto at = [&](const char* path) {
    const auto place = file.value_place(path);
    return place ? std::pair(place->line, place->column) : std::pair(0u, 0u);
  };
  EXPECT_EQ(at("model.parameters.m"), std::pair(4u, 21u));
  EXPECT_EQ(at("model.constraint.floor.restitution"), std::pair(9u, 15u));
  EXPECT_EQ(at("initial.q.x"), std::pair(11u, 11u));
  EXPECT_EQ(at("initial.v.x"), std::pair(0u, 0u));
  EXPECT_EQ(at("scheme.theta"), std::pair(0u, 0u));
}

}  // namespace
}  // namespace ricochet
