// What the verbs share: their scenario, the files they write, the requests of studies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/io/result/request_files.hpp"
#include "ricochet/io/scenario/option_text.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/present/study.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

// --scheme, every --set, --step and --until, in this order, and the folders of --files.
Overrides overrides_of(const ScenarioOptions& options, const std::optional<std::string>& scheme = {},
                       const std::optional<std::string>& step = {}, const std::optional<std::string>& until = {});

// As given, or the scenario's stem in the current folder: gallery:NAME and some/where/NAME.toml give NAME.h5.
std::filesystem::path result_path(const std::optional<std::string>& given, const std::string& scenario);

// Refuses now what could not be written later.
void check_page(const std::optional<std::string>& path);
// Writes the page, if one is asked for, and gives the line that says so.
std::string write_study_page(const std::optional<std::string>& path, const StudyPage& page);

// Neither file of a study may be one that it reads.
void check_study_outputs(const StudyOptions& options, const ScenarioFile& file);

// What studies do with their outcome before it is printed: notes, the file, the page.
template <class Outcome>
std::pair<StudyPage, std::string> delivered(const StudyOptions& options, const ScenarioFile& file,
                                            const Outcome& outcome) {
  for (const std::string& note : notes(outcome)) print_error("note: " + note + "\n");
  check_study_outputs(options, file);
  if (options.output) write_study_file(*options.output, study_file(outcome, options.scenario));
  StudyPage page = study_page(outcome);
  std::string report = write_study_page(options.report, page);
  return {std::move(page), std::move(report)};
}

// The exit code, after a complaint if the study was interrupted.
int study_end(bool interrupted);

// What the options of both studies ask for.
template <class Request>
Request study_request(const StudyOptions& options, ProgressLine& progress, int phases_at_most = most_phases) {
  Request request;
  if (options.schemes) request.schemes = parse_schemes(*options.schemes);
  if (options.steps) request.steps = parse_steps(*options.steps);
  if (options.window) request.window = parse_window(*options.window);
  if (options.phases) request.phases = parse_whole_number(*options.phases, "--phases", 1, phases_at_most);
  if (options.threads) request.work.threads = parse_whole_number(*options.threads, "--threads", 1, 1024);
  if (options.reference) request.reference = *options.reference;
  request.read_result = [](const std::filesystem::path& path) { return read_result(path); };
  request.work.progress = [&](std::uint64_t runs, std::uint64_t all) { progress.progress(runs, all); };
  request.work.note = [&](const std::string& text) { progress.note(text); };
  request.work.interrupt = &watch_interrupts();
  return request;
}

// A complaint about the request names the option.
template <class Study>
auto study_of_options(const Study& study) {
  try {
    return study();
  } catch (const InputError& error) {
    throw InputError("--" + error.field(), error.message());
  }
}

}  // namespace ricochet::cli
