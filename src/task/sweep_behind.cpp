#include "task/sweep_behind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"

namespace ricochet {

io::StoredSweep read_behind(const std::filesystem::path& path, const std::string& key) {
  constexpr std::uint64_t most_points = 20'000;  // more would only be the same dots again
  const std::string field = "--sweep", file = path.string();
  if (!std::filesystem::exists(path)) throw InputError(field, file + ": there is no such file");
  std::optional<io::StoredSweep> sweep = io::read_sweep(path, {.careful = true, .points_max = most_points});
  if (!sweep) throw InputError(field, file + " is not the result of a sweep");
  if (sweep->axes.size() != 1 || sweep->axes[0].parameter != key)
    throw InputError(field, fmt::format("{} is a sweep over {}, not over {} alone: it has no place behind the branches",
                                        file, sweep->axes.empty() ? "nothing" : sweep->axes[0].parameter, key));
  if (sweep->record != "stroboscopic")
    throw InputError(field, fmt::format("{} keeps {}: branches show the state once a period, which is what "
                                        "record = \"stroboscopic\" keeps",
                                        file, sweep->record));
  return std::move(*sweep);
}

void put_behind(ContinueOutcome& outcome, const io::StoredSweep& sweep) {
  const auto [low, high] = std::minmax(outcome.from, outcome.until);
  outcome.swept_coordinates.resize(outcome.coordinates.size());
  for (std::uint64_t i = 0; i < sweep.count; ++i) {
    const double value = sweep.values[0][i];
    if (!(value >= low && value <= high)) continue;
    outcome.swept.insert(outcome.swept.end(), sweep.first[i + 1] - sweep.first[i], value);
    for (std::size_t k = 0; k < outcome.coordinates.size(); ++k) {
      const auto place = std::find(sweep.point_names.begin(), sweep.point_names.end(), outcome.coordinates[k]);
      if (place == sweep.point_names.end()) continue;
      const std::vector<double>& all = sweep.points[static_cast<std::size_t>(place - sweep.point_names.begin())];
      outcome.swept_coordinates[k].insert(outcome.swept_coordinates[k].end(),
                                          all.begin() + static_cast<std::ptrdiff_t>(sweep.first[i]),
                                          all.begin() + static_cast<std::ptrdiff_t>(sweep.first[i + 1]));
    }
  }
}

}  // namespace ricochet
