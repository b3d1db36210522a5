// The page and the picture of a sweep.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct SweepPageSettings {
  std::vector<std::string> notes = {};  // shown in the head
  bool careful = false;                 // for files of unknown origin: see ReadSettings
  bool picture = false;                 // also as SVG
};

struct PageAndPicture {
  std::string page;     // HTML, one self-contained file
  std::string picture;  // SVG for papers, if asked for
};

// Nothing if the file is not one of a sweep. Throws FileError with a sentence for a sweep that is broken or cut short.
std::optional<PageAndPicture> report_sweep(const std::filesystem::path& result, const SweepPageSettings& settings = {});

// The page of a file that a sweep has just written. Throws FileError.
void write_sweep_page(const std::filesystem::path& result, const std::filesystem::path& page,
                      const std::vector<std::string>& notes = {});

}  // namespace ricochet
