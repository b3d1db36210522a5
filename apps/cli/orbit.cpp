// ricochet orbit and ricochet continue
#include "ricochet/present/orbit.hpp"

#include "ricochet/report/page.hpp"
#include "shared.hpp"

namespace ricochet::cli {

namespace {

// Refuses what could not be written later, and gives the request.
OrbitRequest prepared(const OrbitOptions& options, const ScenarioFile& file) {
  RequestFiles files;
  files.reads(options.sweep.value_or(""));
  files.writes_with_journal("-o", options.output.value_or(""));
  files.writes("--report", options.report.value_or(""));
  files.writes("--csv", options.csv.value_or(""));
  if (options.output) check_study_target(*options.output);
  check_page(options.report);
  if (options.csv) check_text_file(*options.csv);
  files.check(file.inputs());
  return {.interrupt = &interrupt_flag(), .begin = [&file, files] {
            watch_interrupts();
            files.check(file.inputs());
          }};
}

std::string interrupted_words(const OrbitOutcome&) { return "error: interrupted: what was found so far is kept\n"; }
std::string interrupted_words(const ContinueOutcome& outcome) {
  if (outcome.journal.empty()) return "error: interrupted: what was found so far is shown\n";
  return "error: interrupted: what was found so far is written; the same command goes on from " +
         outcome.journal.string() + "\n";
}

template <class Outcome>
int delivered_orbit(const OrbitOptions& options, const Outcome& outcome) {
  const std::string why = complaint(outcome);
  const StudyPage page = study_page(outcome);
  std::string report;
  if (why.empty() && options.output) write_study_file(*options.output, study_file(outcome, options.scenario));
  if (why.empty()) report = write_study_page(options.report, page);
  print(options.json ? to_json(outcome, options.scenario) + "\n" : to_text(page) + report);
  if (!why.empty()) print_error("error: " + why + "\n");
  if (outcome.interrupted && why.empty()) print_error(interrupted_words(outcome));
  return why.empty() && !outcome.interrupted ? done : failed;
}

// "KEY=A:B" as the keys `key` and `range` of [continue].
void add_range(Overrides& overrides, const std::string& option, const std::string& text, const std::string& key,
               const std::string& range) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || colon == std::string::npos || equals == 0 || colon == equals + 1 ||
      colon + 1 == text.size())
    throw InputError(option, "must be KEY=FROM:UNTIL, such as model.parameters.w=2:4, got " + text);
  const std::string label = option + " " + text;
  overrides.add("continue." + key, '"' + text.substr(0, equals) + '"', label);
  overrides.add("continue." + range,
                "[\"" + text.substr(equals + 1, colon - equals - 1) + "\", \"" + text.substr(colon + 1) + "\"]", label);
}

}  // namespace

int orbit(const OrbitOptions& options) {
  const ScenarioFile file = open_scenario(options.scenario, overrides_of(options));
  return delivered_orbit(options, orbit_scenario(file, prepared(options, file)));
}

int continue_orbits(const OrbitOptions& options) {
  Overrides overrides = overrides_of(options);
  if (options.along) add_range(overrides, "--along", *options.along, "along", "range");
  if (options.second) add_range(overrides, "--second", *options.second, "second", "second_range");
  if (options.branches) overrides.add("continue.branches", "true", "--branches");
  const ScenarioFile file = open_scenario(options.scenario, overrides);
  OrbitRequest request = prepared(options, file);
  request.motions = options.report || options.output;
  if (options.output) request.output = *options.output;
  request.restart = options.restart;
  if (options.sweep) request.sweep = *options.sweep;
  int code = failed;
  request.deliver = [&](const ContinueOutcome& outcome) {
    if (options.csv && complaint(outcome).empty())
      write_text_file(*options.csv, outcome.second_key.empty() ? branches_csv(outcome) : curves_csv(outcome));
    code = delivered_orbit(options, outcome);
  };
  continue_scenario(file, request);
  return code;
}

}  // namespace ricochet::cli
