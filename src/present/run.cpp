#include "ricochet/present/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/format/json.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/result/slip_columns.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {

namespace {

constexpr std::size_t impacts_shown = 10;

// Nothing, one number, or two of them.
std::string slip_text(const std::array<double, 2>& slip, std::size_t count) {
  if (count == 0) return "";
  return count == 1 ? readable(slip[0]) : fmt::format("{}, {}", readable(slip[0]), readable(slip[1]));
}

Json slip_json(const std::array<double, 2>& slip, std::size_t count) {
  return count == 1 ? Json(slip[0]) : Json{slip[0], slip[1]};
}

std::string impact_table(const RunOutcome& run) {
  const Solution& solution = run.solution;
  if (solution.impact_count == 0) return "  no impacts\n";

  const std::vector<std::size_t> slips = contact_slips(run.constraints, run.slips);
  const bool has_slips = contact_slips_max(run.constraints, run.slips) > 0;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(impacts_shown, solution.impacts.size()); ++i) {
    const Impact& impact = solution.impacts[i];
    rows.push_back({fmt::format("{}", i + 1), readable(impact.t), run.constraints[impact.constraint],
                    readable(impact.rate_minus), readable(impact.rate_plus), readable(impact.impulse),
                    readable(impact.energy_loss)});
    if (!has_slips) continue;
    const std::size_t count = slips[impact.constraint];
    for (const auto* values : {&impact.slip.minus, &impact.slip.plus}) rows.back().push_back(slip_text(*values, count));
    rows.back().emplace_back(count == 0 ? "" : slip_statuses[static_cast<std::size_t>(impact.slip.status)]);
  }
  std::vector<TextColumn> columns = {{"impact"},     {"t"},       {"constraint", false}, {"rate before"},
                                     {"rate after"}, {"impulse"}, {"energy lost"}};
  if (has_slips) columns.insert(columns.end(), {{"slip before"}, {"slip after"}, {"status", false}});
  std::string text = aligned(columns, rows, "  ");
  if (solution.impact_count > rows.size())
    text += fmt::format("  … and {} more\n", solution.impact_count - rows.size());
  return text;
}

std::string energy_table(const RunOutcome& run) {
  const EnergyLedger& energy = run.solution.energy;
  std::vector<std::vector<std::string>> rows = {
      {"energy", "initial", readable(energy.initial)},
      {"", "+ input", readable(energy.input)},
      {"", "+ damping", readable(energy.damping)},
      {"", "+ impact", readable(energy.impact)},
  };
  if (!run.slips.empty()) rows.push_back({"", "+ friction", readable(energy.friction)});
  rows.push_back({"", "+ numerical", readable(energy.numerical)});
  rows.push_back({"", "= final", readable(energy.final)});
  if (energy.algorithmic_final) {
    rows.push_back({"algorithmic", "initial", readable(*energy.algorithmic_initial)});
    rows.push_back({"", "final", readable(*energy.algorithmic_final)});
  }
  return aligned({{"", false}, {"", false}, {""}}, rows, "  ");
}

Json problems_json(const std::vector<KeptProblem>& problems) {
  Json json = Json::array();
  for (const KeptProblem& kept : problems)
    json.push_back({{"file", kept.file.string()},
                    {"t", kept.t},
                    {"contacts", kept.problem.contacts()},
                    {"status", status_text(kept.result)},
                    {"iterations", kept.result.iterations},
                    {"residual", kept.result.residual}});
  return json;
}

std::string steps_of(const RunOutcome& run) {
  const Statistics& statistics = run.solution.statistics;
  if (!traits(run.scheme).chooses_steps) return fmt::format("{} steps of {}", statistics.steps, readable(run.h));
  return fmt::format("{} steps of its own, {} more rejected, recorded every {},", statistics.accepted,
                     statistics.rejected, readable(run.h));
}

}  // namespace

std::string summary(const RunOutcome& run) {
  const Solution& solution = run.solution;
  std::vector<std::string> parameters;
  for (const auto& [name, value] : all_parameters(run.scheme))
    parameters.push_back(fmt::format("{} = {}", name, to_text(value)));

  std::string text = fmt::format("{}\n", run.title.empty() ? "Scenario without a title" : run.title);
  text += fmt::format("  {}{}{}\n", run.scheme.name, parameters.empty() ? "" : ": ", fmt::join(parameters, ", "));
  text += fmt::format("  {} to t = {}, in {:.3g} s\n\n", steps_of(run), readable(solution.final.t),
                      solution.statistics.seconds);
  text += impact_table(run) + "\n" + energy_table(run) + "\n";
  text += fmt::format("  largest violation  {}\n", readable(solution.violation_max));
  if (solution.discontinuous_count > 0)
    text += fmt::format("  discontinuous      {} of {} impacts\n", solution.discontinuous_count, solution.impact_count);
  if (!run.output.empty()) text += fmt::format("  result             {}\n", run.output.string());
  for (const KeptProblem& kept : run.problems)
    text += fmt::format("  problem            {}: t = {}, {} contacts, {}, {} iterations, residual {:.1e}\n",
                        kept.file.string(), readable(kept.t), kept.problem.contacts(), status_text(kept.result),
                        kept.result.iterations, kept.result.residual);
  return text;
}

std::string remarks(const RunOutcome& run, const std::vector<std::string>& told) {
  const Solution& solution = run.solution;
  const bool written = !run.output.empty();
  std::string text;
  for (const std::string& note : solution.notes)
    if (std::find(told.begin(), told.end(), note) == told.end()) text += fmt::format("note: {}\n", note);
  if (solution.status == Status::interrupted)
    text += fmt::format("error: interrupted at t = {}{}\n", readable(solution.final.t),
                        written ? "; the result so far is written" : "");
  if (solution.status == Status::failed)
    text += fmt::format("error: {}{}\n", solution.failure.message, written ? " (the result so far is written)" : "");
  return text;
}

std::string to_json(const RunOutcome& run, std::string_view scenario) {
  const Solution& solution = run.solution;
  const EnergyLedger& energy = solution.energy;

  Json parameters = Json::object();
  for (const auto& [name, value] : all_parameters(run.scheme))
    std::visit([&, key = name](const auto& x) { parameters[key] = x; }, value);

  const std::vector<std::size_t> slips = contact_slips(run.constraints, run.slips);
  Json impacts = Json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(solution.impacts.size(), 100); ++i) {
    const Impact& impact = solution.impacts[i];
    Json one = {{"t", impact.t},
                {"constraint", run.constraints[impact.constraint]},
                {"rate_minus", impact.rate_minus},
                {"rate_plus", impact.rate_plus},
                {"impulse", impact.impulse},
                {"energy_loss", impact.energy_loss},
                {"discontinuous", impact.discontinuous}};
    if (const std::size_t count = slips[impact.constraint]; count > 0) {
      one["slip_minus"] = slip_json(impact.slip.minus, count);
      one["slip_plus"] = slip_json(impact.slip.plus, count);
      one["friction_impulse"] = slip_json(impact.slip.impulse, count);
      one["status"] = slip_statuses[static_cast<std::size_t>(impact.slip.status)];
    }
    impacts.push_back(std::move(one));
  }

  Json final = {{"q", solution.final.q}, {"v", solution.final.v}};
  if (!run.states.empty()) final["z"] = solution.final.z;
  if (!run.observations.empty()) final["observed"] = solution.observed;
  if (!run.joints.empty()) final["reaction"] = solution.reaction;

  Json json = {{"scenario", scenario},
               {"title", run.title},
               {"version", version},
               {"scheme", run.scheme.name},
               {"parameters", parameters},
               {"status", name(solution.status)},
               {"t_end", solution.final.t},
               {"steps", solution.statistics.steps},
               {"impacts", solution.impact_count},
               {"discontinuous_impacts", solution.discontinuous_count},
               {"first_impacts", impacts},
               {"coordinates", run.coordinates},
               {"constraints", run.constraints},
               {"final", final},
               {"violation_max", solution.violation_max},
               {"energy",
                {{"initial", energy.initial},
                 {"final", energy.final},
                 {"input", energy.input},
                 {"damping", energy.damping},
                 {"impact", energy.impact},
                 {"friction", energy.friction},
                 {"numerical", energy.numerical}}},
               {"statistics",
                {{"steps", solution.statistics.steps},
                 {"accepted", solution.statistics.accepted},
                 {"rejected", solution.statistics.rejected},
                 {"newton_iterations", solution.statistics.newton_iterations},
                 {"force_evaluations", solution.statistics.force_evaluations},
                 {"contact_problems", solution.statistics.contact_problems}}},
               {"seconds", solution.statistics.seconds}};
  if (energy.algorithmic_final)
    json["energy"]["algorithmic"] = {{"initial", *energy.algorithmic_initial}, {"final", *energy.algorithmic_final}};
  if (!run.states.empty()) json["states"] = run.states;
  if (!run.observations.empty()) json["observations"] = run.observations;
  if (!run.slips.empty()) json["slips"] = run.slips;
  if (!run.joints.empty()) json["joints"] = run.joints;
  if (!run.output.empty()) json["output"] = run.output.string();
  if (!run.problems.empty()) json["problems"] = problems_json(run.problems);
  if (!solution.notes.empty()) json["notes"] = solution.notes;
  if (solution.failure.kind != FailureKind::none)
    json["failure"] = {
        {"kind", name(solution.failure.kind)}, {"t", solution.failure.t}, {"message", solution.failure.message}};
  return json.dump(2);
}

std::string motion_words(std::int64_t period, double impacts) {
  if (period < 1) return period == SweepTrajectory::not_settled ? "not settled" : "not periodic";
  std::string text = fmt::format("period {}", period);
  if (std::isfinite(impacts)) text += fmt::format(", {:.3g} impact{}", impacts, impacts == 1.0 ? "" : "s");
  return text;
}

std::string to_json(const SweepOutcome& outcome, std::string_view scenario) {
  Json failures = Json::array();
  for (const SweepFailure& failure : outcome.failures)
    failures.push_back({{"trajectory", failure.trajectory}, {"values", failure.values}, {"message", failure.message}});

  Json json = {{"scenario", scenario},       {"title", outcome.title},
               {"version", version},         {"scheme", outcome.scheme},
               {"record", outcome.record},   {"status", name(outcome.status)},
               {"axes", outcome.axes},       {"trajectories", outcome.trajectories},
               {"done", outcome.done},       {"failed", outcome.failed},
               {"resumed", outcome.resumed}, {"points", outcome.points},
               {"steps", outcome.steps},     {"seconds", outcome.seconds},
               {"threads", outcome.threads}, {"ranks", outcome.ranks},
               {"lanes", outcome.lanes}};
  json["not_settled"] = outcome.not_settled;
  if (outcome.settled) json["settled"] = *outcome.settled;
  json["added"] = outcome.added;
  if (outcome.attractors) {
    json["attractors"] = outcome.attractors->size();
    Json branches = Json::array();
    for (const AttractorSummary& branch : *outcome.attractors)
      branches.push_back({{"period", branch.period},
                          {"impacts", branch.period > 0 ? Json(branch.impacts) : Json(nullptr)},
                          {"trajectories", branch.trajectories}});
    json["branches"] = branches;
  }
  json["output"] = outcome.output.empty() ? Json(nullptr) : Json(outcome.output.string());
  if (!outcome.csv.empty()) json["csv"] = outcome.csv.string();
  if (!outcome.journal.empty()) json["journal"] = outcome.journal.string();
  if (!failures.empty()) json["failures"] = failures;
  return json.dump(2);
}

}  // namespace ricochet
