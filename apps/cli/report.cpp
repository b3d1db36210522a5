// ricochet report
#include <fmt/format.h>

#include <filesystem>

#include "ricochet/io/result/request_files.hpp"
#include "ricochet/report/page.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

// As given, or the result's stem in the current folder.
std::filesystem::path page_of(const ReportOptions& options) {
  if (options.output && options.output->empty()) throw InputError("-o", "the name of the page is empty");
  if (options.output) return *options.output;
  return std::filesystem::path(options.result).stem().string() + ".html";
}

// A sweep, a study, or else a run.
PageAndPicture report_of(const ReportOptions& options) {
  const auto refuse_live = [&](const char* what) {
    if (options.live) throw InputError("--live", fmt::format("is for runs; the pages of {} only show", what));
  };
  if (std::optional<PageAndPicture> sweep =
          report_sweep(options.result, {.careful = true, .picture = options.svg.has_value()})) {
    refuse_live("sweeps");
    return std::move(*sweep);
  }
  if (std::optional<PageAndPicture> study = report_study(options.result, options.svg.has_value())) {
    refuse_live("studies");
    return std::move(*study);
  }
  const StoredResult result = read_result(options.result, {.careful = true});
  const std::string engine = options.live ? playground_engine("--live") : "";
  return {run_page(result, {.engine = engine}), options.svg ? run_svg(result) : ""};
}

}  // namespace

void write_report(const std::filesystem::path& result, const std::filesystem::path& page,
                  const std::vector<std::string>& notes) {
  write_text_file(page, run_page(read_result(result), {.notes = notes}));
}

std::string report_line(const std::filesystem::path& page) {
  return fmt::format("  page               {}{}\n", page.string(),
                     page_is_plain() ? " (plain: ricochet was built without npm)" : "");
}

int report(const ReportOptions& options) {
  const std::filesystem::path page = page_of(options);
  if (options.svg && options.svg->empty()) throw InputError("--svg", "the name of the picture is empty");
  RequestFiles files;
  files.reads_result(options.result);
  files.writes("-o", page);
  files.writes("--svg", options.svg.value_or(""));
  files.check();
  const PageAndPicture made = report_of(options);
  write_text_file(page, made.page);
  std::string text = report_line(page);
  if (options.svg) {
    write_text_file(*options.svg, made.picture);
    text += fmt::format("  picture            {}\n", *options.svg);
  }
  print(text);
  return done;
}

}  // namespace ricochet::cli
