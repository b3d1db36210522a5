// Sweeps: all trajectories in memory, or through a file that keeps what is done.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "io/result/sweep_reader.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result/request_files.hpp"
#include "ricochet/present/run.hpp"
#include "ricochet/report/page.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "ricochet/study/attractors.hpp"
#include "ricochet/task/sweep.hpp"
#include "scenario_handle.hpp"

namespace ricochet::python {

namespace {

// What numpy looks at: one entry or one row a trajectory, points one row each.
struct SweepData {
  std::string title, scheme, record, status;
  std::vector<SweepAxis> axes;
  std::vector<std::uint64_t> shape;
  bool is_grid = true;
  SweepColumns columns;
  std::vector<double> values, points, statistics, histogram, impulse_edges, final, cycle_impacts, settled_after,
      lyapunov, spectrum;
  std::vector<std::int64_t> first, period, steps, impacts;
  std::vector<std::int32_t> state, attractor, level;  // state: 0 done, 1 failed, -1 not run
  std::vector<std::pair<std::uint64_t, std::string>> failures;
};

// Trajectories into slots.
class Slots final : public SweepWork {
 public:
  Slots(const SweepPlan& plan, const std::atomic<bool>* interrupt, ProgressCall& tell)
      : plan_(plan), interrupt_(interrupt), tell_(tell), slots_(plan.count()) {}

  std::optional<SweepChain> next() override {
    if (interrupt_->load()) return std::nullopt;
    const std::uint64_t number = counter_++;
    if (number >= plan_.chain_count()) return std::nullopt;
    const std::vector<std::uint64_t> own = plan_.chain(number);
    SweepChain chain{plan_.lead(number)};
    chain.lead = chain.trajectories.size();
    chain.trajectories.insert(chain.trajectories.end(), own.begin(), own.end());
    if (const auto before = plan_.predecessor(own.front()); before && slots_[*before]->failure.empty())
      chain.start = slots_[*before]->final;
    return chain;
  }
  void finished(SweepTrajectory&& trajectory) override {
    const std::lock_guard lock(mutex_);
    slots_[trajectory.index] = std::move(trajectory);
    tell_(++done_, plan_.count());
  }
  const std::vector<std::optional<SweepTrajectory>>& slots() const { return slots_; }
  bool complete() const { return done_ == plan_.count(); }
  // More chains have been planned.
  void go_on(std::uint64_t first) {
    slots_.resize(plan_.count());
    counter_ = first;
  }

 private:
  const SweepPlan& plan_;
  const std::atomic<bool>* interrupt_;
  ProgressCall& tell_;
  std::vector<std::optional<SweepTrajectory>> slots_;
  std::atomic<std::uint64_t> counter_{0};
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

void append(std::vector<double>& to, const std::vector<double>& from, std::size_t wanted) {
  to.insert(to.end(), from.begin(), from.end());
  to.resize(to.size() + (wanted - std::min(wanted, from.size())), std::numeric_limits<double>::quiet_NaN());
}

std::shared_ptr<SweepData> assembled(const BuiltSweep& sweep, const Slots& slots) {
  auto data = std::make_shared<SweepData>();
  const SweepPlan::Listing listing = sweep.plan.listing();
  data->axes = listing.axes;
  data->shape = listing.shape;
  data->is_grid = listing.is_grid;
  data->level = listing.levels;
  data->columns = sweep.columns;
  data->record = sweep.record;
  const bool statistics = sweep.settings.record == SweepRecord::statistics;
  if (statistics) data->impulse_edges = sweep.settings.impulse_edges;
  const std::size_t bins = data->impulse_edges.empty() ? 0 : data->impulse_edges.size() - 1;

  std::optional<Attractors> attractors;
  const SweepTrajectory missing;
  if (sweep.attractors)
    attractors = attractors_of(sweep, [&](std::uint64_t i) { return slots.slots()[i].value_or(missing); });
  std::uint64_t failed = 0;
  for (const std::uint64_t i : listing.order) {
    const std::optional<SweepTrajectory>& slot = slots.slots()[i];
    const SweepTrajectory& one = slot ? *slot : missing;
    const std::vector<double> values = sweep.plan.values(i);
    append(data->values, values, values.size());
    data->first.push_back(static_cast<std::int64_t>(
        sweep.columns.points.empty() ? 0 : data->points.size() / sweep.columns.points.size()));
    append(data->points, one.points, 0);
    if (statistics) append(data->statistics, one.statistics, sweep.columns.statistics.size());
    if (statistics) append(data->histogram, one.histogram, bins);
    append(data->final, one.final, sweep.columns.state.size());
    data->cycle_impacts.push_back(one.cycle_impacts);
    data->settled_after.push_back(one.settled_after);
    data->lyapunov.push_back(one.lyapunov);
    if (sweep.settings.spectrum) append(data->spectrum, one.spectrum, sweep.columns.state.size());
    data->period.push_back(one.period);
    data->steps.push_back(static_cast<std::int64_t>(one.steps));
    data->impacts.push_back(static_cast<std::int64_t>(one.impacts));
    data->state.push_back(!slot ? -1 : one.failure.empty() ? 0 : 1);
    data->attractor.push_back(attractors ? attractors->number(i) : Attractors::none);
    if (one.failure.empty()) continue;
    ++failed;
    data->failures.emplace_back(data->state.size() - 1, one.failure);
  }
  data->first.push_back(
      static_cast<std::int64_t>(sweep.columns.points.empty() ? 0 : data->points.size() / sweep.columns.points.size()));
  const Status status = !slots.complete()              ? Status::interrupted
                        : failed == sweep.plan.count() ? Status::failed
                                                       : Status::completed;
  data->status = std::string(name(status));
  return data;
}

std::shared_ptr<SweepData> sweep_memory(const ScenarioHandle& scenario, int threads, int lanes,
                                        const py::object& progress) {
  InterruptWatch watch;
  ProgressCall tell(progress, watch);
  const py::gil_scoped_release unlocked;
  try {
    BuiltSweep sweep = build_sweep(scenario.file.scenario(), scenario.file.files());
    sweep.settings.threads = threads;
    sweep.settings.lanes = lanes;
    sweep.settings.interrupt = watch.flag();
    Slots slots(sweep.plan, watch.flag(), tell);
    ricochet::sweep(*sweep.cases, sweep.settings, slots);
    if (sweep.plan.refines()) {
      SweepGrowth growth(sweep);
      for (std::uint64_t first = sweep.plan.chain_count(); slots.complete(); first = sweep.plan.chain_count()) {
        if (growth.grow([&](std::uint64_t i) { return *slots.slots()[i]; }).empty()) break;
        slots.go_on(first);
        ricochet::sweep(*sweep.cases, sweep.settings, slots);
      }
    }
    std::shared_ptr<SweepData> data = assembled(sweep, slots);
    data->title = scenario.file.scenario().title;
    data->scheme = scenario.file.scenario().scheme.name;
    return data;
  } catch (const InputError& error) {
    throw scenario.file.located(error);
  }
}

std::string sweep_file(const ScenarioHandle& scenario, const std::string& output, const std::string& csv, int threads,
                       int lanes, bool restart, const py::object& progress) {
  InterruptWatch watch;
  ProgressCall tell(progress, watch);
  SweepRequest request;
  request.sink = sweep_file_sink(output, csv);
  // Those that the scenario names are known by then.
  request.begin = [&] {
    RequestFiles files;
    files.writes_with_journal("output", output);
    files.writes("csv", csv);
    files.check(scenario.file.inputs());
  };
  request.threads = threads;
  request.lanes = lanes;
  request.restart = restart;
  request.interrupt = watch.flag();
  request.progress = [&](std::uint64_t done, std::uint64_t all, std::uint64_t) { tell.without_throw(done, all); };
  const py::gil_scoped_release unlocked;
  const std::string result = to_json(sweep_scenario(scenario.file, request), scenario.source);
  tell.rethrow();
  return result;
}

// Columns of a file → rows.
std::vector<double> rows_of(const StoredResult::Columns& columns) {
  const std::size_t width = columns.size(), count = columns.empty() ? 0 : columns.front().size();
  std::vector<double> rows(width * count);
  for (std::size_t k = 0; k < width; ++k)
    for (std::size_t i = 0; i < count; ++i) rows[i * width + k] = columns[k][i];
  return rows;
}
// Whole numbers of a file, which has them as it likes; `missing` where there are none.
template <class Whole>
std::vector<Whole> whole(const std::vector<double>& numbers, std::size_t count, std::optional<Whole> missing = {}) {
  if (numbers.empty() && missing) return std::vector<Whole>(count, *missing);
  std::vector<Whole> result;
  for (const double x : numbers) result.push_back(std::abs(x) < 2e9 ? static_cast<Whole>(x) : Whole{-1});
  return result;
}
std::vector<double> or_nan(std::vector<double> numbers, std::size_t count) {
  return numbers.empty() ? std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()) : std::move(numbers);
}

std::shared_ptr<SweepData> load_sweep(const std::string& path) {
  const py::gil_scoped_release unlocked;
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable)) throw FileError(path + ": there is no such file");
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  std::optional<io::StoredSweep> stored =
      io::read_sweep(path, {.careful = true, .values_max = all, .failures_max = all, .final_states = true});
  if (!stored) throw FileError(path + ": is not the result of a sweep");
  const std::size_t n = stored->count;
  auto data = std::make_shared<SweepData>();
  data->title = stored->title;
  data->scheme = stored->scheme;
  data->record = stored->record;
  data->status = name(n > 0 && stored->failed == n ? Status::failed : Status::completed);
  data->is_grid = stored->is_grid();  // by the values, which move below
  for (io::StoredSweepAxis& axis : stored->axes)
    data->axes.push_back({.parameter = axis.parameter, .name = axis.name, .values = std::move(axis.values)});
  data->shape = stored->shape;
  data->columns = {stored->point_names, stored->statistic_names, stored->state_names};
  data->values = rows_of(stored->values);
  data->points = rows_of(stored->points);
  data->statistics = rows_of(stored->statistics);
  data->histogram = rows_of(stored->histogram);
  data->spectrum = rows_of(stored->spectrum);
  data->final = rows_of(stored->final);
  data->impulse_edges = stored->impulse_edges;
  data->cycle_impacts = or_nan(stored->cycle_impacts, n);
  data->settled_after = or_nan(stored->settled_after, n);
  data->lyapunov = or_nan(stored->lyapunov, n);
  data->first.assign(stored->first.begin(), stored->first.end());
  if (data->first.empty()) data->first.assign(n + 1, 0);
  data->period = whole<std::int64_t>(stored->period, n);
  data->steps = whole<std::int64_t>(stored->steps, n);
  data->impacts = whole<std::int64_t>(stored->impacts, n);
  data->state = whole<std::int32_t>(stored->status, n);
  data->level = whole<std::int32_t>(stored->level, n);
  data->attractor = whole<std::int32_t>(stored->attractor, n, -1);
  data->failures = std::move(stored->failures);
  return data;
}

// A read-only view of the memory, which its owner keeps alive; rows of `width`, or one number each.
template <class Number>
py::array view(const std::shared_ptr<SweepData>& owner, const std::vector<Number>& values,
               std::optional<std::size_t> width) {
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(values.size())};
  if (width)
    shape = {static_cast<py::ssize_t>(*width == 0 ? 0 : values.size() / *width), static_cast<py::ssize_t>(*width)};
  py::array result(py::dtype::of<Number>(), shape, values.data(), py::cast(owner));
  py::detail::array_proxy(result.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return result;
}

py::dict arrays(const std::shared_ptr<SweepData>& data) {
  const std::size_t bins = data->impulse_edges.empty() ? 0 : data->impulse_edges.size() - 1;
  py::dict result;
  result["values"] = view(data, data->values, data->axes.size());
  result["first"] = view(data, data->first, std::nullopt);
  result["points"] = view(data, data->points, data->columns.points.size());
  result["statistics"] = view(data, data->statistics, data->columns.statistics.size());
  result["histogram"] = view(data, data->histogram, bins);
  result["impulse_edges"] = view(data, data->impulse_edges, std::nullopt);
  result["final"] = view(data, data->final, data->columns.state.size());
  result["cycle_impacts"] = view(data, data->cycle_impacts, std::nullopt);
  result["settled_after"] = view(data, data->settled_after, std::nullopt);
  result["lyapunov"] = view(data, data->lyapunov, std::nullopt);
  result["spectrum"] = view(data, data->spectrum, data->columns.state.size());
  result["period"] = view(data, data->period, std::nullopt);
  result["steps"] = view(data, data->steps, std::nullopt);
  result["impacts"] = view(data, data->impacts, std::nullopt);
  result["state"] = view(data, data->state, std::nullopt);
  result["level"] = view(data, data->level, std::nullopt);
  result["attractor"] = view(data, data->attractor, std::nullopt);
  return result;
}

py::dict about(const std::shared_ptr<SweepData>& data) {
  py::dict result, axes, parameters;
  for (const SweepAxis& axis : data->axes) {
    parameters[py::str(axis.name)] = axis.parameter;
    if (data->is_grid) axes[py::str(axis.name)] = view(data, axis.values, std::nullopt);
  }
  result["title"] = data->title;
  result["scheme"] = data->scheme;
  result["record"] = data->record;
  result["status"] = data->status;
  result["axes"] = axes;
  result["parameters"] = parameters;
  result["shape"] = py::tuple(py::cast(data->shape));
  result["columns"] = data->columns.points;
  result["statistics_columns"] = data->columns.statistics;
  result["state_columns"] = data->columns.state;
  result["failures"] = data->failures;
  return result;
}

}  // namespace

void bind_sweep(py::module_& module) {
  py::class_<SweepData, std::shared_ptr<SweepData>>(module, "SweepData")
      .def_property_readonly("arrays", &arrays)
      .def_property_readonly("about", &about);
  module.attr("lane_count") = lane_count;
  module.def("sweep_memory", &sweep_memory, py::arg("scenario"), py::arg("threads"), py::arg("lanes"),
             py::arg("progress"));
  module.def("load_sweep", &load_sweep, py::arg("path"));
  module.def("sweep_file", &sweep_file, py::arg("scenario"), py::arg("output"), py::arg("csv"), py::arg("threads"),
             py::arg("lanes"), py::arg("restart"), py::arg("progress"));
}

}  // namespace ricochet::python
