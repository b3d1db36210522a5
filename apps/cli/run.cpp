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
  const std::filesystem::path result = options.no_output ? "" : result_path(options.output, options.scenario);
  const std::vector<std::filesystem::path> dumps = problem_files(options);
  RequestFiles files;
  files.writes_result("-o", result);
  files.writes("--report", options.report.value_or(""));
  for (const std::filesystem::path& path : dumps) files.writes("--dump-problems", path);
  files.check(file.inputs());
  check_page(options.report);
  RunRequest request;
  if (!options.no_output) request.open_result = [&](const ResultHeader& header) { return open_result(result, header); };
  ProgressLine progress;
  request.observer = &progress;
  request.interrupt = &interrupt_flag();
  request.begin = [&] {
    watch_interrupts();
    files.check(file.inputs());  // those that the scenario names are known by now
  };
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
