// ricochet converge
#include "shared.hpp"

namespace ricochet::cli {

int converge(const ConvergeOptions& options) {
  ProgressLine progress("runs");
  auto request = study_request<ConvergeRequest>(options, progress, options.local ? most_local_phases : most_phases);
  request.local = options.local;
  if (options.output) check_study_target(*options.output);
  check_page(options.report);
  const ScenarioFile file = open_scenario(options.scenario, overrides_of(options));
  check_study_outputs(options, file);

  const ConvergeOutcome outcome = study_of_options([&] { return converge_scenario(file, request); });
  progress.clear();
  const auto [page, report] = delivered(options, file, outcome);
  print(options.json ? to_json(outcome, options.scenario) + "\n" : to_text(page) + report);
  return study_end(outcome.interrupted);
}

}  // namespace ricochet::cli
