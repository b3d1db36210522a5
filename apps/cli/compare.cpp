// ricochet compare
#include "ricochet/io/compare_scenario.hpp"

#include <fmt/format.h>

#include <utility>

#include "settings.hpp"
#include "study_text.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

CompareRequest request_of(const CompareOptions& options) {
  CompareRequest request;
  if (options.schemes) request.schemes = parse_schemes(*options.schemes);
  if (options.steps) request.steps = parse_steps(*options.steps);
  if (options.tolerances) request.tolerances = parse_steps(*options.tolerances, "--tolerances");
  if (options.window) request.window = parse_window(*options.window);
  if (options.phases) request.phases = whole_number(*options.phases, "--phases", 1, 16);
  if (options.threads) request.work.threads = whole_number(*options.threads, "--threads", 1, 1024);
  if (options.accuracy) request.accuracy = parse_number(*options.accuracy, "--accuracy");
  if (options.reference) request.reference = *options.reference;
  if (options.period) request.period = *options.period;
  return request;
}

int interrupted() {
  print_error("error: interrupted: what is missing was not run\n");
  return failed;
}

int suite(const CompareOptions& options, const CompareRequest& request, ProgressLine& progress) {
  for (const auto& [name, given] : {std::pair{"--window", options.window.has_value()},
                                    {"--steps", options.steps.has_value()},
                                    {"--reference", options.reference.has_value()},
                                    {"--period", options.period.has_value()},
                                    {"-o", options.output.has_value()},
                                    {"--set", !options.set.empty()}})
    if (given) throw InputError(name, "cannot be given with --suite: each of its problems has its own");
  const SuiteResult result = compare_suite(request);
  progress.clear();
  const StudyPage page = study_page(result);
  const std::string report = write_study_report(options.report, page);
  print(options.json ? to_json(result) + "\n" : options.markdown ? to_markdown(page) : text_of(page) + report);
  return !result.comparisons.empty() && result.comparisons.back().interrupted ? interrupted() : done;
}

}  // namespace

int compare(const CompareOptions& options) {
  CompareRequest request = request_of(options);
  ProgressLine progress(options.suite ? "units" : "runs");
  request.work.progress = [&](std::uint64_t done_runs, std::uint64_t all) { progress.progress(done_runs, all); };
  request.work.interrupt = &watch_interrupts();
  check_study_report(options.report);
  if (options.suite) return suite(options, request, progress);

  if (options.output) check_study_output(*options.output);
  const ScenarioFile file = open_scenario(options.scenario, settings_of(options.set));
  const ScenarioComparison result = compare_scenario(file, request);
  progress.clear();
  for (const std::string& note : result.notes) print_error("note: " + note + "\n");
  if (options.output) write_study(*options.output, result, options.scenario);
  StudyPage page = study_page(result);
  const std::string report = write_study_report(options.report, page);
  if (options.json) {
    print(to_json(result, options.scenario) + "\n");
  } else if (options.markdown) {
    print(to_markdown(page));
  } else {
    // The recommendation ends the text.
    const std::vector<std::string> sentences = std::exchange(page.text, {page.text.front()});
    print(text_of(page) + "\n");
    for (std::size_t i = 1; i < sentences.size(); ++i) print(wrapped(sentences[i]));
    print(report);
  }
  return result.interrupted ? interrupted() : done;
}

}  // namespace ricochet::cli
