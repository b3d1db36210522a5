// The first steps of every scenario have the same bits with interpreted and with compiled formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "formula/machine_code.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/gallery_texts.hpp"

namespace ricochet {
namespace {

Solution first_steps(const std::string& name, std::int64_t compile_after) {
  const std::int64_t before = formula::compile_after().exchange(compile_after);
  const Problem problem = open_scenario("gallery:" + name).build();
  RunSettings settings = problem.settings;
  settings.record_every = 1;
  const TimeSpan span{problem.span.from, std::min(problem.span.until, problem.span.from + 100.0 * settings.h)};
  Solution solution = simulate(*problem.model, problem.start, span, problem.scheme, settings);
  formula::compile_after() = before;
  return solution;
}

TEST(CompiledGallery, HasTheBitsOfTheInterpreter) {
  if (!compiled_formulas) GTEST_SKIP() << "this build has no asmjit";
  for (const GalleryText& text : gallery_texts()) {
    const std::string name(text.name);
    const Solution expected = first_steps(name, formula::never), solution = first_steps(name, 0);
    EXPECT_EQ(solution.status, expected.status) << name;
    EXPECT_GT(solution.trajectory.t.size(), 10u) << name;
    EXPECT_EQ(solution.trajectory.t, expected.trajectory.t) << name;
    EXPECT_EQ(solution.trajectory.q, expected.trajectory.q) << name;
    EXPECT_EQ(solution.trajectory.v, expected.trajectory.v) << name;
    EXPECT_EQ(solution.impact_count, expected.impact_count) << name;
    EXPECT_EQ(solution.energy.final, expected.energy.final) << name;
    EXPECT_EQ(solution.energy.numerical, expected.energy.numerical) << name;
  }
}

}  // namespace
}  // namespace ricochet
