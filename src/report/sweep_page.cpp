#include "ricochet/report/sweep_page.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/sweep_json.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet {

namespace report {

std::string plain_sweep_page(const io::StoredSweep& sweep, const std::vector<std::string>& notes) {
  std::string body =
      fmt::format("<p>{} trajectories, {} failed, {} points.</p>\n", sweep.count, sweep.failed, sweep.points_in_file);
  for (const std::string& note : notes) body += fmt::format("<p>{}</p>\n", escaped(note));
  body += sweep_picture(sweep);
  if (!sweep.failures.empty()) body += "<h2>Failed</h2>\n<table>\n";
  for (const auto& [trajectory, sentence] : sweep.failures)
    body += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", trajectory, escaped(sentence));
  if (!sweep.failures.empty()) body += "</table>\n";
  if (!sweep.scenario_text.empty())
    body += fmt::format("<details><summary>Scenario</summary><pre>{}</pre></details>\n", escaped(sweep.scenario_text));
  return plain_html({sweep.title.empty() ? "Sweep without a title" : sweep.title, body});
}

}  // namespace report

std::optional<SweepReport> report_sweep(const std::filesystem::path& result, const SweepPageSettings& settings) {
  // What a browser takes well: 20 million numbers are 107 MB of text.
  const std::optional<io::StoredSweep> sweep =
      io::read_sweep(result, {.careful = settings.careful, .points_max = 5'000'000, .values_max = 20'000'000});
  if (!sweep) return std::nullopt;
  SweepReport made;
  made.page = page_is_plain() ? report::plain_sweep_page(*sweep, settings.notes)
                              : report::script_page(sweep->title, report::sweep_json(*sweep, settings.notes));
  if (settings.picture) made.picture = report::sweep_picture(*sweep);
  return made;
}

void write_sweep_page(const std::filesystem::path& result, const std::filesystem::path& page,
                      const std::vector<std::string>& notes) {
  const std::optional<SweepReport> made = report_sweep(result, {.notes = notes});
  if (!made) throw FileError(fmt::format("{}: is no file of a sweep", result.string()));
  write_text_file(page, made->page);
}

}  // namespace ricochet
