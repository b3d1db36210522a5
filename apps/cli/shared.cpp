#include "shared.hpp"

#include <fmt/format.h>

#include "ricochet/report/page.hpp"

namespace ricochet::cli {

Overrides overrides_of(const ScenarioOptions& options, const std::optional<std::string>& scheme,
                       const std::optional<std::string>& step, const std::optional<std::string>& until) {
  Overrides overrides;
  if (scheme) overrides.scheme(*scheme, "--scheme " + *scheme);
  for (const std::string& text : options.set) overrides.add(text);
  for (const std::string& folder : options.files) {
    if (!std::filesystem::is_directory(folder)) throw InputError("--files", folder + ": there is no such folder");
    overrides.read_from(folder);
  }
  if (step) overrides.add("time.step", *step, "--step " + *step);
  if (until) overrides.add("time.until", *until, "--until " + *until);
  return overrides;
}

std::filesystem::path result_path(const std::optional<std::string>& given, const std::string& scenario) {
  if (given && given->empty()) throw InputError("-o", "the name of the result file is empty");
  if (given) return *given;
  constexpr std::string_view prefix = "gallery:";
  if (scenario.rfind(prefix, 0) == 0) return scenario.substr(prefix.size()) + ".h5";
  return std::filesystem::path(scenario).stem().string() + ".h5";
}

void check_page(const std::optional<std::string>& path) {
  if (!path) return;
  if (path->empty()) throw InputError("--report", "the name of the page is empty");
  check_text_file(*path);
}

std::string write_study_page(const std::optional<std::string>& path, const StudyPage& page) {
  if (!path) return "";
  write_text_file(*path, study_html(page));
  return fmt::format("\nPage in {}\n", *path);
}

void check_study_outputs(const StudyOptions& options, const ScenarioFile& file) {
  RequestFiles files;
  files.reads_result(options.reference.value_or(""));  // or the name of a scheme, which is no file
  files.writes("-o", options.output.value_or(""));
  files.writes("--report", options.report.value_or(""));
  files.check(file.inputs());
}

int study_end(bool interrupted) {
  if (!interrupted) return done;
  print_error("error: interrupted: what is missing was not run\n");
  return failed;
}

}  // namespace ricochet::cli
