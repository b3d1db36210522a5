#include "ricochet/task/orbit.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/interrupt.hpp"
#include "io/result/sweep_journal.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/scenario/orbit_plan.hpp"
#include "scenario/build/outputs.hpp"
#include "task/digested_files.hpp"
#include "task/sweep_behind.hpp"

namespace ricochet {

namespace {

constexpr std::size_t points_of_arc = 200;
constexpr std::size_t points_of_shown = 60;  // of an orbit that is one of many

constexpr std::uint64_t most_steps = 1'000'000;  // that a journal has room for

// The steps of a continuation in a journal, one after the other.
class JournalledSteps final : public StepMemory {
 public:
  JournalledSteps(const OrbitRequest& request, std::uint64_t digest)
      : journal_(request.output, digest, most_steps, request.restart, {"continuation", "steps"}) {
    known_ = journal_.done();
  }
  std::optional<std::vector<double>> recall() override {
    if (next_ >= known_) return std::nullopt;
    return journal_.read(next_++).points;
  }
  void keep(std::vector<double> numbers) override {
    if (next_ >= most_steps) return;
    SweepTrajectory step;
    step.index = next_++;
    step.points = std::move(numbers);
    journal_.append(step);
  }
  std::uint64_t known() const { return known_; }
  const std::filesystem::path& path() const { return journal_.path(); }
  void remove() { journal_.remove(); }

 private:
  SweepJournal journal_;
  std::uint64_t known_ = 0, next_ = 0;
};

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

ContinueOutcome followed_branches(const ScenarioFile& file, const OrbitRequest& request) {
  return timed<ContinueOutcome>(file, request, [&] {
    Digest digest;
    DigestedFiles files(file.files(), digest);
    ContinuationPlan plan = plan_continuation(file.scenario(), file.files() != nullptr ? &files : nullptr);
    if (request.begin) request.begin();
    digest.add(std::string_view(version));
    digest.add(std::string_view(write_scenario(file.scenario())));
    std::optional<JournalledSteps> steps;
    if (!request.output.empty()) steps.emplace(request, digest.value());
    plan.settings.memory = plan.curves.memory = steps ? &*steps : nullptr;
    plan.orbit.settings.interrupt = plan.settings.interrupt = request.interrupt;
    ContinueOutcome outcome{
        header_of(file, plan.orbit.system), plan.key, plan.name, plan.settings.from, plan.settings.until, {}, {}};
    if (steps) outcome.resumed = steps->known(), outcome.journal = steps->path();
    outcome.start = find_orbit(plan.orbit.system, plan.orbit.start, plan.orbit.settings, plan.settings.memory);
    if (outcome.start.failure.empty() && !outcome.start.orbit.inadmissible.empty())
      outcome.start.failure = "the orbit that was found is no motion: " + outcome.start.orbit.inadmissible;
    if (!outcome.start.failure.empty()) return outcome;
    outcome.continuation = continue_orbit(plan.family, outcome.start.orbit, plan.parameter, plan.settings);
    if (request.motions)
      for (const OrbitBranch& branch : outcome.continuation.branches) {
        outcome.motions.emplace_back();
        for (const BranchPoint& point : branch.points)
          outcome.motions.back().push_back(orbit_motion(
              plan.family(point.parameter), point.orbit.chain,
              std::max<std::size_t>(24, points_of_shown / std::max<std::size_t>(1, point.orbit.chain.arcs.size()))));
      }
    if (plan.second_key.empty()) return outcome;
    plan.curves.interrupt = request.interrupt;
    outcome.second_key = plan.second_key, outcome.second_name = plan.second_name;
    outcome.second_from = plan.curves.second_from, outcome.second_until = plan.curves.second_until;
    outcome.curves = follow_special_points(plan.plane, outcome.continuation, plan.second, plan.curves);
    return outcome;
  });
}

// What was kept for another try is not needed once the result is written, or there is none to go on with.
void drop_journal(const ContinueOutcome& outcome) {
  if (outcome.interrupted || outcome.journal.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(outcome.journal, ignored);
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
  // Without a key there is nothing to follow either, which is told by the plan.
  const std::optional<ContinueDescription>& table = file.scenario().continuation;
  std::optional<io::StoredSweep> behind;
  if (!request.sweep.empty() && table && !table->along.empty()) behind = read_behind(request.sweep, table->along);
  ContinueOutcome outcome = followed_branches(file, request);
  if (behind && outcome.start.failure.empty()) put_behind(outcome, *behind);
  if (request.deliver) request.deliver(outcome);
  drop_journal(outcome);
  return outcome;
}

}  // namespace ricochet
