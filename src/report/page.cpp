#include "ricochet/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/format/atomic_file.hpp"
#include "report/assets.hpp"
#include "report/html.hpp"
#include "report/page_data.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/result/study_file.hpp"
#include "ricochet/present/analyse.hpp"
#include "ricochet/present/catalogue.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

namespace {

// What `ricochet analyse` says, in spectra that a page can carry; nothing for what cannot be analysed.
std::string analysis_json(const StoredResult& result) {
  constexpr std::size_t longest = 1024, least_rows = 16;
  const std::size_t located = static_cast<std::size_t>(
      std::count_if(result.event.begin(), result.event.end(), [](double event) { return event != 0.0; }));
  const std::size_t rows = result.rows() - located;
  if (rows < least_rows) return "";
  try {
    AnalyseRequest request;
    if (rows >= 8 * longest) request.settings.segment = longest;
    return to_json(study_page(analyse_result(result, request)));
  } catch (const InputError&) {
    return "";
  }
}

// What a page with the engine offers to choose from; the engine itself would have to be started for it.
Json scheme_choices() {
  Json list = Json::array();
  for (const SchemeEntry& entry : catalogue()) list.push_back({{"name", entry.name}, {"summary", entry.summary}});
  return list;
}
Json gallery_choices() {
  Json list = Json::array();
  for (const GalleryScenario& one : gallery_scenarios())
    list.push_back({{"name", one.name}, {"title", one.summary}, {"text", one.text}});
  return list;
}

// An object with one member more.
void add_member(std::string& object, std::string_view name, std::string_view value) {
  object.back() = ',';
  object += fmt::format("\"{}\":{}}}", name, value);
}

}  // namespace

bool page_is_plain() { return report::page_script().empty(); }

std::string run_page(const StoredResult& result, const PageSettings& settings) {
  if (page_is_plain()) return report::plain_run_page(result, settings.notes);
  std::string data = report::run_json(result, settings);
  if (const std::string analysis = analysis_json(result); !analysis.empty()) add_member(data, "analysis", analysis);
  if (!settings.engine.empty()) add_member(data, "schemes", scheme_choices().dump());
  return report::script_page(result.title, data, settings.engine);
}

std::string playground_page(std::string_view engine, const std::string& scenario) {
  if (page_is_plain()) throw FileError("a playground needs the page that npm builds, which this build did without");
  Json data = {{"kind", "playground"},
               {"title", "Playground"},
               {"version", version},
               {"schemes", scheme_choices()},
               {"gallery", gallery_choices()}};
  if (!scenario.empty()) data["scenario"] = scenario;
  return report::script_page("ricochet", data.dump(), engine);
}

std::string study_html(const StudyPage& page) {
  if (page_is_plain()) return report::plain_study_page(page);
  return report::script_page(page.title, to_json(page));
}

std::optional<PageAndPicture> report_study(const std::filesystem::path& result, bool picture) {
  const std::optional<std::string> json = read_study_page(result);
  if (!json) return std::nullopt;
  const std::optional<StudyPage> page = study_page_from(*json);
  if (!page) throw FileError(fmt::format("{}: the page that the study keeps is damaged", result.string()));
  return PageAndPicture{study_html(*page), picture ? study_svg(*page) : ""};
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.append(text);
  file.commit();
}

void check_text_file(const std::filesystem::path& path) { const AtomicFile file(path); }

std::optional<PageAndPicture> report_sweep(const std::filesystem::path& result, const SweepPageSettings& settings) {
  // What a browser takes well: 20 million numbers are 107 MB of text.
  const std::optional<io::StoredSweep> sweep =
      io::read_sweep(result, {.careful = settings.careful, .points_max = 5'000'000, .values_max = 20'000'000});
  if (!sweep) return std::nullopt;
  PageAndPicture made;
  made.page = page_is_plain() ? report::plain_sweep_page(*sweep, settings.notes)
                              : report::script_page(sweep->title, report::sweep_json(*sweep, settings.notes));
  if (settings.picture) made.picture = report::sweep_picture(*sweep);
  return made;
}

void write_sweep_page(const std::filesystem::path& result, const std::filesystem::path& page,
                      const std::vector<std::string>& notes) {
  const std::optional<PageAndPicture> made = report_sweep(result, {.notes = notes});
  if (!made) throw FileError(fmt::format("{}: is no file of a sweep", result.string()));
  write_text_file(page, made->page);
}

}  // namespace ricochet
