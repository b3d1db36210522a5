// What ricochet converge and compare have in common: what is asked of them, and the reference they compare with.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet {

struct StudyRequest {
  std::vector<SchemeChoice> schemes = {};
  std::vector<double> steps = {};  // none: five, from 16 times the problem's own
  std::optional<int> phases = std::nullopt;
  std::optional<TimeSpan> window = std::nullopt;  // none: that of the known answer, or the whole run
  // exact, event-driven, mannshardt or a result file; empty: the known answer if it has formulas for the window,
  // otherwise event-driven, and mannshardt where that one stops.
  std::string reference = {};
  std::function<StoredResult(const std::filesystem::path&)> read_result = {};  // reads such a file
  const StoredResult* solution = nullptr;                                      // takes the place of all these
  StudyWork work = {};
};

// What a study was compared with, and how far that can be trusted.
struct ReferenceOutcome {
  std::string kind;  // "exact", "event-driven", "mannshardt" or the name of a file
  std::string description;
  Errors agreed;              // the distance of two settings; NaN where none was computed
  double agreed_until = 0.0;  // the end of the window, unless two settings part before
  bool has_velocity = true, recorded = false;
  std::string instead = {};  // why it is not event-driven, where none was asked for
};

struct StudyOutcome {
  std::string title;
  TimeSpan window;
  ReferenceOutcome reference;
  std::vector<Display> display = {};  // units and labels
  bool interrupted = false;
};

}  // namespace ricochet
