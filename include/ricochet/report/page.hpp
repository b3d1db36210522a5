// One self-contained HTML file for a run or a study: it needs no network and no other file.
//
// The page is built from web/ where the build found npm. Without it the page is plain: tables and a picture.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/result_reader.hpp"

namespace ricochet {

struct PageSettings {
  std::vector<std::string> notes = {};  // shown beside those of the result
  std::size_t values_max = 8'000'000;   // above it rows are thinned out; the page says so
  std::size_t impacts_max = 500'000;    // above it the first ones are kept
};

std::string run_page(const StoredResult& result, const PageSettings& settings = {});

// A study as a JSON object:
//   {"kind": "converge", "title": …, "version": …, "text": [paragraphs], "notes": [sentences], "scenario": text,
//    "plots": [{"title", "x": {"label", "log"}, "y": {"label", "log"}, "lines": true,
//               "series": [{"name", "x": [numbers], "y": [numbers], "note"}]}],
//    "scatter": [{"title", "x": {"label", "log"}, "y": {…}, "points": packed_pairs(x, y)}],
//    "tables": [{"title", "columns": [names], "rows": [[texts and numbers]]}]}
// All but kind and title may be left out. A plot with two logarithmic axes shows fitted slopes unless a series has a
// note of its own. Throws InputError for what is not such an object.
std::string study_page(std::string_view json);

// Points of a scatter plot: base64 of float32 pairs.
std::string packed_pairs(const std::vector<double>& x, const std::vector<double>& y);

// True if the build had no npm.
bool page_is_plain();

// Writes a text file whole or not at all. Throws FileError.
void write_text_file(const std::filesystem::path& path, std::string_view text);
// Throws FileError if that would fail now: nothing is worse than an hour's run without its page.
void check_text_file(const std::filesystem::path& path);

}  // namespace ricochet
