// ricochet run
#include "ricochet/present/run.hpp"

#include "ricochet/report/page.hpp"

#include "shared.hpp"

namespace ricochet::cli {

int run(const RunOptions& options) {
  const ScenarioFile file =
      open_scenario(options.scenario, overrides_of(options.set, options.scheme, options.step, options.until));
  // The page needs the result file, and a place that can be written: better said before the run than after it.
  if (options.report && !options.report->empty() && options.no_output)
    throw InputError("--report", "needs the result file; leave out --no-output");
  std::vector<Output> outputs;
  const std::filesystem::path result = options.no_output ? "" : result_path(options.output, options.scenario);
  if (!options.no_output) outputs.push_back({"-o", result});
  if (options.report) outputs.push_back({"--report", *options.report});
  check_outputs(outputs, file.inputs());
  check_page(options.report);
  RunRequest request;
  if (!options.no_output)
    request.open_result = [&](const ResultHeader& header) {
      check_outputs(outputs, file.inputs());  // those that the scenario names are known by now
      return open_result(result, header);
    };
  ProgressLine progress;
  request.observer = &progress;
  request.interrupt = &interrupt_flag();
  request.begin = [] { watch_interrupts(); };

  const RunOutcome outcome = run_scenario(file, request);
  progress.clear();
  print_error(remarks(outcome));
  print(options.json ? to_json(outcome, options.scenario) + "\n" : summary(outcome));
  if (options.report) {
    write_report(outcome.output, *options.report, outcome.solution.notes);
    if (!options.json) print(report_line(*options.report));
  }
  return outcome.solution.status == Status::completed ? done : failed;
}

}  // namespace ricochet::cli
