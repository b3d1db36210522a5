// ricochet run
#include <fmt/format.h>

#include <filesystem>

#include "ricochet/io/run_scenario.hpp"
#include "ricochet/report/page.hpp"
#include "settings.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

constexpr std::size_t impacts_shown = 10;

std::string impact_table(const ScenarioRun& run) {
  const Solution& solution = run.solution;
  if (solution.impact_count == 0) return "  no impacts\n";

  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(impacts_shown, solution.impacts.size()); ++i) {
    const Impact& impact = solution.impacts[i];
    rows.push_back({fmt::format("{}", i + 1), readable(impact.t),
                    run.constraints[static_cast<std::size_t>(impact.constraint)], readable(impact.rate_minus),
                    readable(impact.rate_plus), readable(impact.impulse), readable(impact.energy_loss)});
  }
  std::string text =
      aligned({{"impact"}, {"t"}, {"constraint", false}, {"rate before"}, {"rate after"}, {"impulse"}, {"energy lost"}},
              rows, "  ");
  if (solution.impact_count > rows.size())
    text += fmt::format("  … and {} more\n", solution.impact_count - rows.size());
  return text;
}

std::string energy_table(const EnergyLedger& energy) {
  std::vector<std::vector<std::string>> rows = {
      {"energy", "initial", readable(energy.initial)}, {"", "+ input", readable(energy.input)},
      {"", "+ damping", readable(energy.damping)},     {"", "+ impact", readable(energy.impact)},
      {"", "+ numerical", readable(energy.numerical)}, {"", "= final", readable(energy.final)}};
  if (energy.algorithmic_final) {
    rows.push_back({"algorithmic", "initial", readable(*energy.algorithmic_initial)});
    rows.push_back({"", "final", readable(*energy.algorithmic_final)});
  }
  return aligned({{"", false}, {"", false}, {""}}, rows, "  ");
}

std::string steps_of(const ScenarioRun& run) {
  const Statistics& statistics = run.solution.statistics;
  if (!find_scheme(run.scheme).chooses_steps) return fmt::format("{} steps of {}", statistics.steps, readable(run.h));
  return fmt::format("{} steps of its own, {} more rejected, recorded every {},", statistics.accepted,
                     statistics.rejected, readable(run.h));
}

std::string summary(const ScenarioRun& run) {
  const Solution& solution = run.solution;
  std::vector<std::string> parameters;
  for (const auto& [name, value] : run.parameters) parameters.push_back(fmt::format("{} = {}", name, to_text(value)));

  std::string text = fmt::format("{}\n", run.title.empty() ? "Scenario without a title" : run.title);
  text += fmt::format("  {}{}{}\n", run.scheme, parameters.empty() ? "" : ": ", fmt::join(parameters, ", "));
  text += fmt::format("  {} to t = {}, in {:.3g} s\n\n", steps_of(run), readable(solution.final.t),
                      solution.statistics.seconds);
  text += impact_table(run) + "\n" + energy_table(solution.energy) + "\n";
  text += fmt::format("  largest violation  {}\n", readable(solution.violation_max));
  if (solution.discontinuous_count > 0)
    text += fmt::format("  discontinuous      {} of {} impacts\n", solution.discontinuous_count, solution.impact_count);
  if (!run.output.empty()) text += fmt::format("  result             {}\n", run.output.string());
  return text;
}

// The page needs the result file, and a place that can be written: better said before the run than after it.
void check_report(const RunOptions& options) {
  if (!options.report) return;
  if (options.report->empty()) throw InputError("--report", "the name of the page is empty");
  if (options.no_output) throw InputError("--report", "needs the result file; leave out --no-output");
  check_text_file(*options.report);
}

}  // namespace

int run(const RunOptions& options) {
  const ScenarioFile file =
      open_scenario(options.scenario, settings_of(options.set, options.scheme, options.step, options.until));
  check_report(options);
  RunRequest request;
  if (!options.no_output) request.output = result_path(options.output, options.scenario);
  ProgressLine progress;
  request.observer = &progress;
  request.interrupt = &watch_interrupts();

  const ScenarioRun result = run_scenario(file, request);
  progress.clear();
  for (const std::string& note : result.solution.notes) print_error("note: " + note + "\n");
  if (result.solution.status == Status::interrupted)
    print_error(fmt::format("error: interrupted at t = {}{}\n", readable(result.solution.final.t),
                            result.output.empty() ? "" : "; the result so far is written"));
  if (result.solution.status == Status::failed)
    print_error(fmt::format("error: {}{}\n", result.solution.failure.message,
                            result.output.empty() ? "" : " (the result so far is written)"));
  print(options.json ? to_json(result, options.scenario) + "\n" : summary(result));
  if (options.report) {
    write_report(result.output, *options.report, result.solution.notes);
    if (!options.json) print(report_line(*options.report));
  }
  return result.solution.status == Status::completed ? done : failed;
}

}  // namespace ricochet::cli
