#include "study_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "ricochet/io/converge_scenario.hpp"
#include "ricochet/io/study_options.hpp"
#include "ricochet/report/page.hpp"
#include "terminal.hpp"

namespace ricochet::cli {

int whole_number(const std::string& text, const char* option, int least, int most) {
  const double number = parse_number(text, option);
  if (number != std::floor(number) || number < least || number > most)
    throw InputError(option, fmt::format("must be a whole number from {} to {}, got {}", least, most, text));
  return static_cast<int>(number);
}

void check_study_output(const std::string& path) {
  if (path.empty()) throw InputError("-o", "the name of the result file is empty");
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".h5" && ending != ".hdf5")
    throw InputError("-o", fmt::format("\"{}\" must end in .h5: studies are written as HDF5", path));
}

std::string text_of(const StudyPage& page) {
  std::string text = page.title + "\n\n";
  for (const std::string& paragraph : page.text) text += wrapped(paragraph);
  for (const StudyTable& table : page.tables) {
    std::vector<Column> columns;
    for (const std::string& title : table.columns) columns.push_back({title, !columns.empty()});
    text += fmt::format("\n{}\n{}", table.title, aligned(columns, table.rows, "  "));
  }
  return text;
}

void check_study_report(const std::optional<std::string>& path) {
  if (!path) return;
  if (path->empty()) throw InputError("--report", "the name of the page is empty");
  check_text_file(*path);
}

std::string write_study_report(const std::optional<std::string>& path, const StudyPage& page) {
  if (!path) return "";
  write_text_file(*path, study_page(to_json(page)));
  return fmt::format("\nPage in {}\n", *path);
}

}  // namespace ricochet::cli
