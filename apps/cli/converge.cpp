// ricochet converge
#include "shared.hpp"

namespace ricochet::cli {

int converge(const ConvergeOptions& options) {
  ProgressLine progress("runs");
  auto request = study_request<ConvergeRequest>(options, progress, options.local ? most_local_phases : most_phases);
  request.local = options.local;
  if (options.output) check_study_target(*options.output);
  check_page(options.report);
  const ScenarioFile file = open_scenario(options.scenario, overrides_of(options.set));

  const ConvergeOutcome outcome = study_of_options([&] { return converge_scenario(file, request); });
  progress.clear();
  for (const std::string& note : notes(outcome)) print_error("note: " + note + "\n");
  if (options.output) write_study_file(*options.output, study_file(outcome, options.scenario));
  const StudyPage page = study_page(outcome);
  const std::string report = write_study_page(options.report, page);
  print(options.json ? to_json(outcome, options.scenario) + "\n" : to_text(page) + report);
  return study_end(outcome.interrupted);
}

}  // namespace ricochet::cli
