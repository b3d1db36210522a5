// ricochet run
#include "ricochet/present/run.hpp"

#include "ricochet/report/page.hpp"

#include "shared.hpp"

namespace ricochet::cli {

namespace {

// Beside the result, or where it would be.
std::vector<std::filesystem::path> problem_files(const RunOptions& options) {
  if (!options.dump_problems) return {};
  return ricochet::problem_files(result_path(options.output, options.scenario),
                                 parse_whole_number(*options.dump_problems, "--dump-problems", 1, 1000));
}

void write_problems(std::vector<KeptProblem>& problems, const std::vector<std::filesystem::path>& files) {
  for (std::size_t k = 0; k < problems.size(); ++k) {
    io::write_fclib(files[k], problems[k].problem, problems[k].solution);
    problems[k].file = files[k];
  }
}

}  // namespace

int run(const RunOptions& options) {
  const ScenarioFile file =
      open_scenario(options.scenario, overrides_of(options, options.scheme, options.step, options.until));
  // The page needs the result file, and a place that can be written: better said before the run than after it.
  if (options.report && !options.report->empty() && options.no_output)
    throw InputError("--report", "needs the result file; leave out --no-output");
  std::vector<Output> outputs;
  const std::filesystem::path result = options.no_output ? "" : result_path(options.output, options.scenario);
  if (!options.no_output) outputs.push_back({"-o", result});
  if (options.report) outputs.push_back({"--report", *options.report});
  const std::vector<std::filesystem::path> dumps = problem_files(options);
  for (const std::filesystem::path& path : dumps) outputs.push_back({"--dump-problems", path});
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

  request.keep_problems = dumps.size();

  RunOutcome outcome = run_scenario(file, request);
  progress.clear();
  write_problems(outcome.problems, dumps);
  print_error(remarks(outcome, progress.told()));
  print(options.json ? to_json(outcome, options.scenario) + "\n" : summary(outcome));
  if (options.report) {
    write_report(outcome.output, *options.report, outcome.solution.notes);
    if (!options.json) print(report_line(*options.report));
  }
  return outcome.solution.status == Status::completed ? done : failed;
}

}  // namespace ricochet::cli
