#include "ricochet/report/page.hpp"

#include "io/format/atomic_file.hpp"
#include "report/assets.hpp"
#include "report/html.hpp"
#include "report/page_data.hpp"
#include "report/plain_page.hpp"

namespace ricochet {

bool page_is_plain() { return report::page_script().empty(); }

std::string run_page(const StoredResult& result, const PageSettings& settings) {
  if (page_is_plain()) return report::plain_run_page(result, settings.notes);
  return report::script_page(result.title, report::run_json(result, settings));
}

std::string study_html(const StudyPage& page) {
  if (page_is_plain()) return report::plain_study_page(page);
  return report::script_page(page.title, to_json(page));
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.append(text);
  file.commit();
}

void check_text_file(const std::filesystem::path& path) { const AtomicFile file(path); }

}  // namespace ricochet
