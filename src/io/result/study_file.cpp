#include "ricochet/io/result/study_file.hpp"

#include <fmt/format.h>

#include "io/format/hdf5_file.hpp"
#include "io/format/hdf5_input.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

void check_study_target(const std::filesystem::path& path) {
  if (path.empty()) throw InputError("-o", "the name of the result file is empty");
  if (path.extension() != ".h5" && path.extension() != ".hdf5")
    throw InputError("-o", fmt::format("\"{}\" must end in .h5: studies are written as HDF5", path.string()));
}

void write_study_file(const std::filesystem::path& path, const StudyFile& study) {
  check_study_target(path);
  const Hdf5Session session;
  Hdf5File file(path, true);
  for (const auto& [name, text] : study.texts) file.set_text(file.root(), name, text);
  for (const StudyArray& array : study.arrays) {
    const Hdf5Handle set = file.put(array.path, array.values, array.width);
    for (const auto& [name, value] : array.attributes) file.set_number(set, name, value);
  }
  file.commit();
}

std::optional<std::string> read_study_page(const std::filesystem::path& path) {
  if (!io::begins_as_hdf5(path)) return std::nullopt;
  const Hdf5Session session;
  const auto read = [&]() -> std::optional<std::string> {
    const io::Hdf5Input file(path, path.string());
    if (file.texts("study").empty()) return std::nullopt;
    const std::vector<std::string> page = file.texts("page");
    if (page.size() != 1) file.fail("is a study without its page: an earlier version wrote it; run it again");
    return page.front();
  };
  const std::string kind = io::read_in_child(path, path.string(), [&] { return read() ? "study" : "other"; });
  return kind == "other" ? std::nullopt : read();
}

}  // namespace ricochet
