#include "ricochet/report/sweep_page.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/plain_page.hpp"
#include "report/sweep_page_data.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet {

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
