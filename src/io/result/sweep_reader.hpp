// The file of a sweep read back: what its page and pictures need, and Python.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"

namespace ricochet::io {

struct StoredSweepAxis {
  std::string name, parameter;  // "w" and "model.parameters.w"
  bool logarithmic = false;
  std::vector<double> values = {};  // of a grid
};

// Numbers of trajectories are columns: values[k][i] is the value on axis k of trajectory i. What a file does not have
// is empty.
struct StoredSweep {
  std::string title, version, scheme, scheme_parameters, scenario_text;
  std::string record;  // stroboscopic, impacts, section or statistics
  bool both_directions = false;
  std::vector<std::uint64_t> shape;  // of a grid, with a 2 before the axes for both directions; otherwise the count
  std::vector<std::string> coordinates, constraints;
  std::vector<StoredSweepAxis> axes;

  std::uint64_t count = 0;
  StoredResult::Columns values;
  std::vector<double> status, period, lyapunov, attractor, steps, impacts, cycle_impacts, settled_after, level;
  std::uint64_t failed = 0;
  std::vector<std::pair<std::uint64_t, std::string>> failures;  // the first ones with their sentences

  std::vector<std::string> point_names, statistic_names, state_names;
  std::vector<std::uint64_t> first;  // of each trajectory's points, and the end
  StoredResult::Columns points, statistics, histogram;
  StoredResult::Columns spectrum;  // all Lyapunov exponents, falling
  StoredResult::Columns final;     // last states
  std::vector<double> impulse_edges;
  std::uint64_t points_in_file = 0;

  bool is_grid() const;
  std::uint64_t point_count() const { return first.empty() ? 0 : first.back(); }
};

struct SweepReadSettings {
  bool careful = false;  // see ReadSettings
  // Above them every trajectory keeps the same share of its points, the last ones. Neighbours stay neighbours: all
  // branches of a periodic motion are still there.
  std::uint64_t points_max = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t values_max = std::uint64_t{1} << 30;
  std::size_t failures_max = 100;
  bool final_states = false;
};

// Nothing if the file is there, but not a sweep: it may be something else that is good. Throws FileError with a
// sentence for a sweep that is broken or cut short.
std::optional<StoredSweep> read_sweep(const std::filesystem::path& path, const SweepReadSettings& settings = {});

}  // namespace ricochet::io
