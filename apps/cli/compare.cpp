// ricochet compare
#include <utility>

#include "ricochet/present/text.hpp"
#include "shared.hpp"

namespace ricochet::cli {

namespace {

int suite(const CompareOptions& options, const CompareRequest& request, ProgressLine& progress) {
  for (const auto& [name, given] : {std::pair{"--window", options.window.has_value()},
                                    {"--steps", options.steps.has_value()},
                                    {"--reference", options.reference.has_value()},
                                    {"--period", options.period.has_value()},
                                    {"-o", options.output.has_value()},
                                    {"--set", !options.set.empty()}})
    if (given) throw InputError(name, "cannot be given with --suite: each of its problems has its own");
  const SuiteOutcome outcome = study_of_options([&] { return compare_suite(request); });
  progress.clear();
  const StudyPage page = study_page(outcome);
  const std::string report = write_study_page(options.report, page);
  print(options.json ? to_json(outcome) + "\n" : options.markdown ? to_markdown(page) : to_text(page) + report);
  return study_end(!outcome.comparisons.empty() && outcome.comparisons.back().interrupted);
}

}  // namespace

int compare(const CompareOptions& options) {
  ProgressLine progress(options.suite ? "units" : "runs");
  auto request = study_request<CompareRequest>(options, progress);
  if (options.tolerances) request.tolerances = parse_steps(*options.tolerances, "--tolerances");
  if (options.accuracy) request.accuracy = parse_number(*options.accuracy, "--accuracy");
  if (options.period) request.period = *options.period;
  check_page(options.report);
  if (options.suite) return suite(options, request, progress);

  if (options.output) check_study_target(*options.output);
  const ScenarioFile file = open_scenario(options.scenario, overrides_of(options));
  check_study_outputs(options, file);
  const CompareOutcome outcome = study_of_options([&] { return compare_scenario(file, request); });
  progress.clear();
  auto [page, report] = delivered(options, file, outcome);
  if (options.json) {
    print(to_json(outcome, options.scenario) + "\n");
  } else if (options.markdown) {
    print(to_markdown(page));
  } else {
    // The recommendation ends the text.
    const std::vector<std::string> sentences = std::exchange(page.text, {page.text.front()});
    print(to_text(page) + "\n");
    for (std::size_t i = 1; i < sentences.size(); ++i) print(wrapped(sentences[i]));
    print(report);
  }
  return study_end(outcome.interrupted);
}

}  // namespace ricochet::cli
