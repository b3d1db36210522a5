#include "report/page_data.hpp"

#include <fmt/format.h>

#include "report/packing.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "scenario/build/outputs.hpp"

namespace ricochet::report {

namespace {

Json notes_of(const io::StoredSweep& sweep, const std::vector<std::string>& given) {
  Json notes = given;
  if (sweep.point_count() < sweep.points_in_file)
    notes.push_back(
        fmt::format("The file holds {} points. Here are {} of them: of every trajectory the last {:.3g} %.",
                    sweep.points_in_file, sweep.point_count(),
                    100.0 * static_cast<double>(sweep.point_count()) / static_cast<double>(sweep.points_in_file)));
  return notes;
}

Json axes_of(const io::StoredSweep& sweep) {
  Json axes = Json::array();
  for (const io::StoredSweepAxis& axis : sweep.axes)
    axes.push_back({{"name", axis.name},
                    {"parameter", axis.parameter},
                    {"log", axis.logarithmic},
                    {"size", sweep.is_grid() ? axis.values.size() : 0}});
  return axes;
}

Json failures_of(const io::StoredSweep& sweep) {
  Json failures = Json::array();
  for (const auto& [trajectory, sentence] : sweep.failures) failures.push_back({trajectory, sentence});
  return failures;
}

Json display_of(const io::StoredSweep& sweep) {
  Json all = Json::object();
  for (const Display& shown : sweep_display(sweep)) all[shown.name] = {{"unit", shown.unit}, {"label", shown.label}};
  return all;
}

std::vector<double> sizes_of(const io::StoredSweep& sweep) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i + 1 < sweep.first.size(); ++i)
    sizes.push_back(static_cast<double>(sweep.first[i + 1] - sweep.first[i]));
  return sizes;
}

void add_numbers(std::string& json, const io::StoredSweep& sweep) {
  const auto columns = [&json](const char* name, const StoredResult::Columns& all) {
    add_list(json, name, all.size(), [&](std::size_t k) { pack_column(json, all[k]); });
  };
  // Values of a grid follow from its axes.
  add_list(json, "values", sweep.axes.size(),
           [&](std::size_t k) { pack_times(json, sweep.is_grid() ? sweep.axes[k].values : sweep.values[k]); });
  add_column(json, "status", sweep.status);
  add_column(json, "period", sweep.period);
  add_column(json, "lyapunov", sweep.lyapunov);
  add_column(json, "attractor", sweep.attractor);
  add_column(json, "steps", sweep.steps);
  add_column(json, "impacts", sweep.impacts);
  add_column(json, "cycle_impacts", sweep.cycle_impacts);
  add_column(json, "settled_after", sweep.settled_after);
  add_column(json, "level", sweep.level);
  add_column(json, "sizes", sizes_of(sweep));
  columns("statistics", sweep.statistics);
  columns("histogram", sweep.histogram);
  if (!sweep.spectrum.empty()) columns("spectrum", sweep.spectrum);
  const std::vector<std::size_t> shown = shown_columns(sweep);
  add_list(json, "points", shown.size(), [&](std::size_t k) { pack_column(json, sweep.points[shown[k]]); });
}

}  // namespace

std::vector<Display> sweep_display(const io::StoredSweep& sweep) {
  try {
    return ricochet::display_of(parse_scenario(sweep.scenario_text, "scenario"));
  } catch (const Error&) {  // a scenario of another version
    return {};
  }
}

std::vector<std::size_t> shown_columns(const io::StoredSweep& sweep) {
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < sweep.points.size(); ++k)
    if (sweep.record != "stroboscopic" || sweep.point_names[k] != "t") shown.push_back(k);
  return shown;
}

std::string sweep_json(const io::StoredSweep& sweep, const std::vector<std::string>& notes) {
  Json head = page_head("sweep", sweep.title, sweep.version, sweep.scheme, sweep.scheme_parameters);
  head["notes"] = notes_of(sweep, notes);
  head["scenario"] = sweep.scenario_text;
  head["record"] = sweep.record;
  head["coordinates"] = sweep.coordinates;
  head["constraints"] = sweep.constraints;
  head["axes"] = axes_of(sweep);
  head["display"] = display_of(sweep);
  head["grid"] = sweep.is_grid();
  head["both"] = sweep.both_directions;
  head["count"] = sweep.count;
  head["failed"] = sweep.failed;
  head["failures"] = failures_of(sweep);
  head["rows"] = sweep.point_count();
  head["recorded"] = sweep.points_in_file;
  Json names = Json::array();
  for (const std::size_t k : shown_columns(sweep)) names.push_back(sweep.point_names[k]);
  head["columns"] = names;
  head["statistic_names"] = sweep.statistic_names;
  head["edges"] = sweep.histogram.empty() ? std::vector<double>{} : sweep.impulse_edges;

  // Numbers are appended: they may be many.
  std::string json = head.dump();
  json.pop_back();
  add_numbers(json, sweep);
  return json + "}";
}

}  // namespace ricochet::report
