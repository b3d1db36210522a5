// What a study has to show, whoever draws it: plots, tables and sentences.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

struct StudyAxis {
  std::string label;
  bool log = false;
  double decades = 0.0;  // of a logarithmic one: how far below the largest value it goes at most; 0: to the smallest
};

// Points that are joined. Values that are not finite are gaps.
struct StudySeries {
  std::string name;
  std::vector<double> x = {}, y = {};
  std::string note = {};  // "order 1.02 ± 0.01"
  bool dashed = false;
  bool marks = true;              // at the points
  bool dots = false;              // points that are not joined, behind all others
  std::vector<int> details = {};  // of each point: which of the page's details a click shows; -1: none
};

// Cells that fill a box, column by column from its lower left: the darker the stronger, a shade for each decade.
struct StudyShades {
  double left = 0.0, right = 0.0, low = 0.0, high = 0.0;
  std::size_t rows = 0;                 // of each column
  std::vector<double> decades = {};     // by which a cell is below the strongest
  static constexpr double shown = 6.0;  // the rest is blank
};

// With two logarithmic axes the slopes of series without a note of their own are fitted and shown.
struct StudyPlot {
  std::string title;
  StudyAxis x, y;
  std::vector<StudySeries> series = {};
  bool same_scale = false;  // for x and y: circles are round
  StudyShades shades = {};
};

struct StudyTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows = {};
};

// What a click on a point shows.
struct StudyDetail {
  std::string title;
  std::vector<StudyPlot> plots = {};
};

struct StudyPage {
  std::string kind;  // "converge", "compare"
  std::string title;
  std::vector<StudyPlot> plots = {};
  std::vector<StudyTable> tables = {};
  std::vector<std::string> text = {};   // paragraphs
  std::vector<std::string> notes = {};  // remarks, one sentence each
  std::vector<StudyDetail> details = {};
};

// One JSON object, as the page's script reads it (web/src/data.ts); numbers that are not finite are null.
std::string to_json(const StudyPage& page);
// Reads it back; nothing for what is no such object.
std::optional<StudyPage> study_page_from(std::string_view json);

}  // namespace ricochet
