// ricochet converge
#include "ricochet/io/converge_scenario.hpp"

#include <fmt/format.h>

#include "settings.hpp"
#include "study_text.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

ConvergeRequest request_of(const ConvergeOptions& options) {
  ConvergeRequest request;
  if (options.schemes) request.schemes = parse_schemes(*options.schemes);
  if (options.steps) request.steps = parse_steps(*options.steps);
  if (options.window) request.window = parse_window(*options.window);
  if (options.phases) request.phases = whole_number(*options.phases, "--phases");
  if (options.threads) request.work.threads = whole_number(*options.threads, "--threads", 1, 1024);
  if (options.reference) request.reference = *options.reference;
  request.local = options.local;
  return request;
}

}  // namespace

int converge(const ConvergeOptions& options) {
  ConvergeRequest request = request_of(options);
  if (options.output) check_study_output(*options.output);
  check_study_report(options.report);
  const ScenarioFile file = open_scenario(options.scenario, settings_of(options.set));
  ProgressLine progress("runs");
  request.work.progress = [&](std::uint64_t done_runs, std::uint64_t all) { progress.progress(done_runs, all); };
  request.work.interrupt = &watch_interrupts();

  const ScenarioConvergence result = converge_scenario(file, request);
  progress.clear();
  for (const std::string& note : result.notes) print_error("note: " + note + "\n");
  if (options.output) write_study(*options.output, result, options.scenario);
  const StudyPage page = study_page(result);
  const std::string report = write_study_report(options.report, page);
  print(options.json ? to_json(result, options.scenario) + "\n" : text_of(page) + report);
  if (!result.interrupted) return done;
  print_error("error: interrupted: what is missing was not run\n");
  return failed;
}

}  // namespace ricochet::cli
