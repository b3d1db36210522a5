// ricochet analyse
#include "ricochet/present/analyse.hpp"

#include <fmt/format.h>

#include "ricochet/report/page.hpp"
#include "shared.hpp"

namespace ricochet::cli {

namespace {

AnalyseRequest request_of(const AnalyseOptions& options) {
  AnalyseRequest request;
  AnalysisSettings& settings = request.settings;
  if (options.quantity)
    for (const std::string_view name : split(*options.quantity, ','))
      if (!name.empty()) request.quantities.emplace_back(name);
  if (options.window) settings.window = parse_window(*options.window);
  if (options.force_window) settings.force_window = parse_number(*options.force_window, "--force-window");
  if (options.segment)
    settings.segment = static_cast<std::size_t>(parse_whole_number(*options.segment, "--segment", 4, 1 << 30));
  if (options.overlap) settings.overlap = parse_number(*options.overlap, "--overlap");
  if (options.bins) settings.bins = static_cast<std::size_t>(parse_whole_number(*options.bins, "--bins", 1, 100000));
  return request;
}

}  // namespace

int analyse(const AnalyseOptions& options) {
  const AnalyseRequest request = request_of(options);
  RequestFiles request_files;
  request_files.reads_result(options.result);
  request_files.writes("--svg", options.svg.value_or(""));
  request_files.writes("--report", options.report.value_or(""));
  request_files.check();
  const StoredResult result = read_result(options.result, {.careful = true});
  const AnalyseOutcome outcome = study_of_options([&] { return analyse_result(result, request); });
  const StudyPage page = study_page(outcome);
  // Which tables there are follows from what was found.
  std::vector<std::pair<std::string, std::string>> tables;
  if (options.csv)
    for (auto& [name, text] : csv_tables(outcome))
      tables.emplace_back(fmt::format("{}.{}.csv", *options.csv, name), std::move(text));
  for (const auto& [path, text] : tables) request_files.writes("--csv", path);
  request_files.check();
  std::string files;
  for (const auto& [path, text] : tables) {
    write_text_file(path, text);
    files += fmt::format("  table              {}\n", path);
  }
  if (options.svg) {
    write_text_file(*options.svg, study_svg(page));
    files += fmt::format("  picture            {}\n", *options.svg);
  }
  files += write_study_page(options.report, page);
  print(options.json ? to_json(outcome, options.result) + "\n" : summary(outcome) + files);
  return done;
}

}  // namespace ricochet::cli
