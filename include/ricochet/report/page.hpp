// One self-contained HTML file for a run, a study or a sweep: it needs no network and no other file.
//
// The page is built from web/ where the build found npm. Without it the page is plain: tables and a picture.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/present/study_page.hpp"
#include "ricochet/task/modes.hpp"

namespace ricochet {

struct PageSettings {
  std::vector<std::string> notes = {};  // shown beside those of the result
  std::size_t values_max = 8'000'000;   // above it rows are thinned out; the page says so
  std::size_t impacts_max = 500'000;    // above it the first ones are kept
  std::string_view engine = {};         // of the playground: the run can then be changed in the page
};

std::string run_page(const StoredResult& result, const PageSettings& settings = {});

// The program as a page: the gallery, sliders, motion. `engine`: the file engine.json of the build; `scenario`: the
// text shown first, or none. Throws FileError where the build had no npm.
std::string playground_page(std::string_view engine, const std::string& scenario);

// One picture for papers: coordinates and velocities against time (at most six of them), the phase portrait of the
// first, the energy account.
std::string run_svg(const StoredResult& result);

// The shapes of modes, a box each, at most twelve: a frame, a bar or a beam as it deforms, otherwise a line a
// coordinate. Without a scenario the latter.
std::string modes_svg(const ModesOutcome& outcome, const Scenario* scenario = nullptr);

struct PageAndPicture {
  std::string page;     // HTML, one self-contained file
  std::string picture;  // SVG for papers, if asked for
};

std::string study_html(const StudyPage& page);
// Its plots below each other, at most twelve.
std::string study_svg(const StudyPage& page);
// Of a file that a study such as converge or continue wrote; nothing if it is none of these. Throws FileError.
std::optional<PageAndPicture> report_study(const std::filesystem::path& result, bool picture = false);

struct SweepPageSettings {
  std::vector<std::string> notes = {};  // shown in the head
  bool careful = false;                 // for files of unknown origin: see ReadSettings
  bool picture = false;                 // also as SVG
};

// Nothing if the file is not one of a sweep. Throws FileError with a sentence for a sweep that is broken or cut short.
std::optional<PageAndPicture> report_sweep(const std::filesystem::path& result, const SweepPageSettings& settings = {});

// The page of a file that a sweep has just written. Throws FileError.
void write_sweep_page(const std::filesystem::path& result, const std::filesystem::path& page,
                      const std::vector<std::string>& notes = {});

// True if the build had no npm.
bool page_is_plain();

// Writes a text file whole or not at all. Throws FileError.
void write_text_file(const std::filesystem::path& path, std::string_view text);
// Throws FileError if that would fail now: nothing is worse than an hour's run without its page.
void check_text_file(const std::filesystem::path& path);

}  // namespace ricochet
