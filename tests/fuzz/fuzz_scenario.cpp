// Any bytes as a scenario: read, build and run a few steps. Nothing but an Error may come out.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "ricochet/core/error.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/sweep_plan.hpp"

namespace {

using namespace ricochet;

// Formulas of n coordinates cost n² derivatives: time belongs to the reader here.
bool is_small(const LagrangianDescription& model) {
  return model.coordinates.size() <= 6 && model.constraints.size() <= 6 && model.states.size() <= 6;
}
bool is_small(const LinearDescription& model) {
  const auto* rows = std::get_if<0>(&model.mass);
  return rows && rows->size() <= 6 && model.constraints.size() <= 6;
}
bool is_small(const LineDescription& model) { return model.elements <= 12 && model.stops.size() <= 6; }
bool is_small(const BeadColumnDescription& model) { return model.count <= 8; }
bool is_small(const BeadChainDescription& model) { return model.count <= 8; }
bool is_small(const FrameDescription& model) {
  std::uint64_t elements = 0;
  for (const MemberDescription& member : model.members) elements += std::min<std::uint64_t>(member.elements, 100);
  return elements <= 4 && model.constraints.size() <= 6;
}

// What is read must be written so that it reads back equal.
void check_round_trip(const Scenario& scenario) {
  if (parse_scenario(write_scenario(scenario), "written") != scenario) __builtin_trap();
}

// The first and the last trajectory of a sweep that is not too long to list.
void check_sweep(const Scenario& scenario) {
  if (!scenario.sweep || scenario.sweep->axes.size() > 6) return;
  for (const SweepAxisDescription& axis : scenario.sweep->axes)
    if (axis.count > 1000) return;
  const BuiltSweep sweep = build_sweep(scenario);
  for (const std::uint64_t i : {std::uint64_t{0}, sweep.plan.count() - 1}) try {
      sweep.cases->at(i);
    } catch (const Error&) {
      // Refused: the others go on.
    }
  if (sweep.plan.chain(sweep.plan.chain_count() - 1).back() >= sweep.plan.count()) __builtin_trap();
}

void run_a_little(const Problem& problem) {
  RunSettings settings = problem.settings;
  settings.record_every = 1;
  TimeSpan span = problem.span;
  const double most = span.from + 20.0 * settings.h;
  if (most > span.from && most < span.until) span.until = most;
  if (step_count(span, settings.h) > 100) return;
  simulate(*problem.model, problem.start, span, problem.scheme, settings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ScenarioFile file(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz", {});
    check_round_trip(file.scenario());
    if (!std::visit([](const auto& model) { return is_small(model); }, file.scenario().model)) return 0;
    const Problem problem = file.build();
    run_a_little(problem);
    check_sweep(file.scenario());
  } catch (const Error&) {
    // Refused with a sentence.
  }
  return 0;
}
