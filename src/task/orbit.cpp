#include "ricochet/task/orbit.hpp"

#include <chrono>

#include "core/interrupt.hpp"
#include "ricochet/scenario/orbit_plan.hpp"
#include "scenario/outputs.hpp"

namespace ricochet {

namespace {

constexpr std::size_t points_of_arc = 200;

OrbitHeader header_of(const ScenarioFile& file, const OrbitSystem& system) {
  const Layout& layout = system.model->layout();
  OrbitHeader header{file.scenario().title, layout.coordinates, layout.states, layout.constraints, {}, system.period};
  for (const Friction& friction : layout.frictions) header.frictions.push_back(friction.name);
  header.display = display_of(file.scenario());
  return header;
}

// Runs `work`, with complaints at their place in the file, and measures its time.
template <class Outcome, class Work>
Outcome timed(const ScenarioFile& file, const OrbitRequest& request, const Work& work) {
  const InterruptScope scope(request.interrupt);
  const auto begin = std::chrono::steady_clock::now();
  try {
    Outcome outcome = work();
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    outcome.interrupted = is_set(request.interrupt);
    return outcome;
  } catch (const InputError& error) {
    throw file.located(error);
  }
}

}  // namespace

OrbitOutcome orbit_scenario(const ScenarioFile& file, const OrbitRequest& request) {
  return timed<OrbitOutcome>(file, request, [&] {
    OrbitPlan plan = plan_orbit(file.scenario(), file.files());
    if (request.begin) request.begin();
    plan.settings.interrupt = request.interrupt;
    OrbitOutcome outcome{header_of(file, plan.system), find_orbit(plan.system, plan.start, plan.settings), {}};
    if (outcome.search.failure.empty())
      outcome.motion = orbit_motion(plan.system, outcome.search.orbit.chain, points_of_arc);
    return outcome;
  });
}

ContinueOutcome continue_scenario(const ScenarioFile& file, const OrbitRequest& request) {
  return timed<ContinueOutcome>(file, request, [&] {
    ContinuationPlan plan = plan_continuation(file.scenario(), file.files());
    if (request.begin) request.begin();
    plan.orbit.settings.interrupt = plan.settings.interrupt = request.interrupt;
    ContinueOutcome outcome{
        header_of(file, plan.orbit.system), plan.key, plan.name, plan.settings.from, plan.settings.until, {}, {}};
    outcome.start = find_orbit(plan.orbit.system, plan.orbit.start, plan.orbit.settings);
    if (outcome.start.failure.empty() && !outcome.start.orbit.inadmissible.empty())
      outcome.start.failure = "the orbit that was found is no motion: " + outcome.start.orbit.inadmissible;
    if (!outcome.start.failure.empty()) return outcome;
    outcome.continuation = continue_orbit(plan.family, outcome.start.orbit, plan.parameter, plan.settings);
    if (plan.second_key.empty()) return outcome;
    plan.curves.interrupt = request.interrupt;
    outcome.second_key = plan.second_key, outcome.second_name = plan.second_name;
    outcome.second_from = plan.curves.second_from, outcome.second_until = plan.curves.second_until;
    outcome.curves = follow_special_points(plan.plane, outcome.continuation, plan.second, plan.curves);
    return outcome;
  });
}

}  // namespace ricochet
