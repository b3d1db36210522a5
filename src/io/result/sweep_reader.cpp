#include "io/result/sweep_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/format/hdf5_input.hpp"
#include "io/result/result_formats.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::io {

namespace {

class SweepReader {
 public:
  SweepReader(const std::filesystem::path& path, const SweepReadSettings& settings)
      : file_(path, path.string()), settings_(settings) {}

  bool is_sweep() const { return file_.has("values") && file_.has("status") && !file_.texts("record").empty(); }

  StoredSweep read() {
    read_texts();
    read_axes();
    read_trajectories();
    read_failures();
    read_points();
    return std::move(sweep_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { file_.fail("is a broken sweep: " + message); }

  void read_texts() {
    const std::pair<const char*, std::string*> texts[] = {{"title", &sweep_.title},
                                                          {"version", &sweep_.version},
                                                          {"scheme", &sweep_.scheme},
                                                          {"scheme_parameters", &sweep_.scheme_parameters},
                                                          {"scenario", &sweep_.scenario_text},
                                                          {"record", &sweep_.record}};
    for (const auto& [name, text] : texts) {
      const std::vector<std::string> values = file_.texts(name);
      if (!values.empty()) *text = values.front();
    }
    sweep_.coordinates = file_.texts("coordinates");
    sweep_.constraints = file_.texts("constraints");
    sweep_.both_directions = file_.number("both_directions").value_or(0.0) != 0.0;
    for (const double size : file_.numbers("shape")) {
      if (!(size >= 0.0 && size <= 1e15)) fail("its shape is none");
      sweep_.shape.push_back(static_cast<std::uint64_t>(size));
    }
  }

  // Columns of /values are in the order that its names, or those of the file, give; groups have the order of the
  // alphabet.
  void read_axes() {
    sweep_.values = matrix("values");
    sweep_.count = sweep_.values.empty() ? 0 : sweep_.values.front().size();
    std::vector<std::string> names = names_of("values");
    if (names.empty()) names = file_.texts("axes");
    if (names.empty()) names = file_.members("axes");
    if (names.size() != sweep_.values.size())
      fail(fmt::format("it names {} axes, but has values for {}", names.size(), sweep_.values.size()));
    for (const std::string& name : names) {
      StoredSweepAxis axis{.name = name, .parameter = name};
      const std::string path = "axes/" + hdf5_name(name);
      if (file_.has(path)) {
        const std::vector<std::string> parameter = file_.texts("parameter", path);
        if (!parameter.empty()) axis.parameter = parameter.front();
        axis.logarithmic = file_.number("logarithmic", path).value_or(0.0) != 0.0;
        axis.values = file_.series(path);
      }
      sweep_.axes.push_back(std::move(axis));
    }
    std::uint64_t product = 1;
    for (const std::uint64_t size : sweep_.shape) {
      if (size > 0 && product > sweep_.count / size) fail("its shape does not fit its number of trajectories");
      product *= size;
    }
    if (!sweep_.shape.empty() && product != sweep_.count) fail("its shape does not fit its number of trajectories");
    const std::size_t before = sweep_.both_directions ? 1 : 0;
    for (std::size_t k = 0; sweep_.is_grid() && k < sweep_.axes.size(); ++k)
      if (sweep_.axes[k].values.size() != sweep_.shape[k + before])
        fail(fmt::format("axis {} has {} values, where its shape has {}", sweep_.axes[k].name,
                         sweep_.axes[k].values.size(), sweep_.shape[k + before]));
  }

  void read_trajectories() {
    const std::pair<const char*, std::vector<double>*> columns[] = {{"status", &sweep_.status},
                                                                    {"period", &sweep_.period},
                                                                    {"lyapunov", &sweep_.lyapunov},
                                                                    {"attractor", &sweep_.attractor},
                                                                    {"steps", &sweep_.steps},
                                                                    {"impacts", &sweep_.impacts},
                                                                    {"cycle_impacts", &sweep_.cycle_impacts},
                                                                    {"settled_after", &sweep_.settled_after},
                                                                    {"level", &sweep_.level}};
    for (const auto& [name, column] : columns) {
      *column = file_.series(name);
      check_rows(name, *column);
    }
    sweep_.statistics = matrix("statistics");
    sweep_.statistic_names = complete(names_of("statistics"), sweep_.statistics.size(), "column ");
    sweep_.histogram = matrix("histogram");
    sweep_.spectrum = matrix("spectrum");
    for (const std::vector<double>& column : sweep_.spectrum) check_rows("spectrum", column);
    if (settings_.final_states) sweep_.final = matrix("final");
    for (const std::vector<double>& column : sweep_.final) check_rows("final", column);
    sweep_.state_names = complete(names_of("final"), sweep_.final.size(), "column ");
    sweep_.impulse_edges = file_.series("impulse_edges");
    for (const std::vector<double>& column : sweep_.statistics) check_rows("statistics", column);
    for (const std::vector<double>& column : sweep_.histogram) check_rows("histogram", column);
    if (sweep_.impulse_edges.size() != sweep_.histogram.size() + 1) sweep_.histogram.clear();
  }

  void check_rows(const char* name, const std::vector<double>& column) const {
    if (!column.empty() && column.size() != sweep_.count)
      fail(fmt::format("{} has {} rows for {} trajectories", name, column.size(), sweep_.count));
  }

  void read_failures() {
    std::vector<std::uint64_t> which;
    for (std::uint64_t i = 0; i < sweep_.status.size(); ++i) {
      if (sweep_.status[i] == 0.0) continue;
      ++sweep_.failed;
      if (which.size() < settings_.failures_max) which.push_back(i);
    }
    std::vector<std::string> sentences = file_.texts_at("failure", which);
    sentences.resize(which.size());
    for (std::size_t k = 0; k < which.size(); ++k) sweep_.failures.emplace_back(which[k], sentences[k]);
  }

  void read_points() {
    if (!file_.has("points") || !file_.has("first")) return;
    const auto [rows, width] = file_.size_of("points");
    const std::vector<std::uint64_t> begins = checked_first(rows);
    sweep_.points_in_file = begins.back();
    sweep_.point_names = complete(names_of("points"), width, "column ");
    // Where the kept points of each trajectory begin, in the file and here.
    const double share = share_of(begins.back(), width);
    std::vector<std::uint64_t> from(sweep_.count);
    sweep_.first.assign(1, 0);
    for (std::uint64_t i = 0; i < sweep_.count; ++i) {
      const std::uint64_t all = begins[i + 1] - begins[i];
      const std::uint64_t kept =
          share < 1.0 ? static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all))) : all;
      from[i] = begins[i + 1] - kept;
      sweep_.first.push_back(sweep_.first.back() + kept);
    }
    sweep_.points.assign(width, std::vector<double>(sweep_.first.back()));
    std::uint64_t trajectory = 0, to = 0;
    file_.blocks("points", [&, columns = width](std::uint64_t begin, std::uint64_t count, const double* values) {
      for (std::uint64_t row = begin; row < begin + count; ++row) {
        while (trajectory < sweep_.count && row >= begins[trajectory + 1]) ++trajectory;
        if (trajectory == sweep_.count) return;
        if (row < from[trajectory]) continue;
        for (std::uint64_t j = 0; j < columns; ++j) sweep_.points[j][to] = values[(row - begin) * columns + j];
        ++to;
      }
    });
  }

  std::vector<std::uint64_t> checked_first(std::uint64_t rows) {
    const std::vector<double> first = file_.series("first");
    if (first.size() != sweep_.count + 1)
      fail(fmt::format("first has {} rows for {} trajectories", first.size(), sweep_.count));
    double last = 0.0;
    for (const double begin : first) {
      if (!(begin >= last && begin <= static_cast<double>(rows))) fail("first does not grow, or leads beyond points");
      last = begin;
    }
    if (first.front() != 0.0) fail("first does not begin at 0");
    return {first.begin(), first.end()};
  }

  double share_of(std::uint64_t rows, std::uint64_t width) const {
    const std::uint64_t most = std::min(settings_.points_max, settings_.values_max / std::max<std::uint64_t>(1, width));
    if (rows <= most) return 1.0;
    return static_cast<double>(most) / static_cast<double>(rows);
  }

  StoredResult::Columns matrix(const char* name) { return file_.matrix(name, 2); }

  std::vector<std::string> names_of(const std::string& path) const {
    if (!file_.has(path)) return {};
    for (const char* attribute : {"columns", "names"})
      if (std::vector<std::string> names = file_.texts(attribute, path); !names.empty()) return names;
    return {};
  }

  Hdf5Input file_;
  SweepReadSettings settings_;
  StoredSweep sweep_;
};

}  // namespace

bool StoredSweep::is_grid() const {
  return shape.size() == axes.size() + (both_directions ? 1 : 0) &&
         std::all_of(axes.begin(), axes.end(), [](const StoredSweepAxis& axis) { return !axis.values.empty(); });
}

std::optional<StoredSweep> read_sweep(const std::filesystem::path& path, const SweepReadSettings& settings) {
  if (!begins_as_hdf5(path)) return std::nullopt;
  const Hdf5Session session;
  if (settings.careful) {
    const std::string kind = read_in_child(path, path.string(), [&] {
      SweepReader reader(path, settings);
      if (!reader.is_sweep()) return "other";
      reader.read();
      return "sweep";
    });
    if (kind == "other") return std::nullopt;
  }
  SweepReader reader(path, settings);
  if (!reader.is_sweep()) return std::nullopt;
  return reader.read();
}

}  // namespace ricochet::io
