#include "recording.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>

#include "io/result/result_table.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result/slip_columns.hpp"
#include "ricochet/present/analyse.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet::python {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

const RecordedField& find_field(const std::string& name) {
  for (const RecordedField& field : recorded_fields())
    if (name == field.name) return field;
  throw py::key_error(name);
}

void protect(py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

// A read-only view of the memory, which its owner keeps alive.
py::array view(const std::shared_ptr<Recording>& owner, const std::string& name) {
  const RecordedField& field = find_field(name);
  const std::vector<double>& values = (*owner).*field.values;
  const std::size_t columns = field.width(owner->header), rows = owner->rows();
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(rows)};
  if (field.names != nullptr) shape.push_back(static_cast<py::ssize_t>(columns));
  py::array result(py::dtype::of<double>(), shape, values.data(), py::cast(owner));
  protect(result);
  return result;
}

// The fields of a record; those of friction where contacts have it, one number each in the plane and two in space.
py::dtype impact_type(const ResultHeader& header) {
  const std::size_t slips = contact_slips_max(header.constraints, header.slips);
  py::list names, formats, offsets;
  const auto add = [&](const char* name, const py::object& format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  };
  const py::dtype number = py::dtype::of<double>(), byte = py::dtype::of<std::uint8_t>();
  add("t", number, offsetof(Impact, t));
  add("constraint", py::dtype::of<int>(), offsetof(Impact, constraint));
  add("rate_minus", number, offsetof(Impact, rate_minus));
  add("rate_plus", number, offsetof(Impact, rate_plus));
  add("impulse", number, offsetof(Impact, impulse));
  add("energy_loss", number, offsetof(Impact, energy_loss));
  add("discontinuous", py::dtype::of<bool>(), offsetof(Impact, discontinuous));
  if (slips > 0) {
    const py::dtype slip = slips == 1 ? number : py::dtype("(2,)f8");
    add("slip_minus", slip, offsetof(Impact, slip) + offsetof(SlipReport, minus));
    add("slip_plus", slip, offsetof(Impact, slip) + offsetof(SlipReport, plus));
    add("friction_impulse", slip, offsetof(Impact, slip) + offsetof(SlipReport, impulse));
    add("status", byte, offsetof(Impact, slip) + offsetof(SlipReport, status));
  }
  return {names, formats, offsets, sizeof(Impact)};
}

py::array impacts_view(const std::shared_ptr<Recording>& owner) {
  py::array result(impact_type(owner->header), {static_cast<py::ssize_t>(owner->impacts.size())}, owner->impacts.data(),
                   py::cast(owner));
  protect(result);
  return result;
}

std::vector<double> rows(const StoredResult::Columns& columns, std::size_t count) {
  std::vector<double> result;
  if (columns.empty()) return result;
  result.reserve(count * columns.size());
  for (std::size_t i = 0; i < count; ++i)
    for (const std::vector<double>& column : columns) result.push_back(column.at(i));
  return result;
}

py::dict energy_dict(const EnergyLedger& energy) {
  py::dict result;
  for (const auto& [name, term] : ledger_terms) result[name] = energy.*term;
  result["numerical_is_remainder"] = energy.numerical_is_remainder;
  result["algorithmic_initial"] = energy.algorithmic_initial;
  result["algorithmic_final"] = energy.algorithmic_final;
  result["turnover"] = energy.turnover;
  return result;
}

py::list problem_list(const std::vector<KeptProblem>& problems) {
  py::list list;
  for (const KeptProblem& kept : problems) {
    py::dict one;
    one["file"] = kept.file.string();
    one["t"] = kept.t;
    one["contacts"] = kept.problem.contacts();
    one["status"] = std::string(status_text(kept.result));
    one["iterations"] = kept.result.iterations;
    one["residual"] = kept.result.residual;
    list.append(one);
  }
  return list;
}

py::dict statistics_dict(const Statistics& statistics) {
  py::dict result;
  result["steps"] = statistics.steps;
  result["accepted"] = statistics.accepted;
  result["rejected"] = statistics.rejected;
  result["newton_iterations"] = statistics.newton_iterations;
  result["force_evaluations"] = statistics.force_evaluations;
  result["contact_problems"] = statistics.contact_problems;
  result["seconds"] = statistics.seconds;
  return result;
}

}  // namespace

void save(const Recording& recording, const std::string& path) {
  const bool has_account = recording.numerical.empty() || !std::isnan(recording.numerical.front());
  if (!has_account && std::filesystem::path(path).extension() != ".csv")
    throw InputError("save", "this result was read from a file without an energy account, which only CSV files lack");
  recording.inputs.check_result(path, "save");
  const auto writer = open_result(path, recording.header);
  replay(recording, *writer);
}

std::shared_ptr<Recording> recording_of(const StoredResult& result) {
  auto recording = std::make_shared<Recording>();
  ResultHeader& header = recording->header;
  header.title = result.title;
  header.version = result.version;
  header.scheme = result.scheme;
  header.scenario_text = result.scenario_text;
  header.scheme_parameters = read_parameters(result.scheme_parameters);
  header.coordinates = result.coordinates;
  header.states = result.states;
  header.constraints = result.constraints;
  header.slips = result.slips;
  header.joints = result.joints;
  header.observations = result.observations;
  header.outputs = result.outputs;
  header.display = result.display;
  const std::size_t n = result.rows();
  // What a file does not have is NaN.
  for (const RecordedField& field : recorded_fields()) {
    std::vector<double>& values = (*recording).*field.values;
    if (field.columns != nullptr) values = rows(result.*field.columns, n);
    if (field.series != nullptr) values = result.*field.series;
    values.resize(n * field.width(header), unknown);
  }
  for (std::size_t i = 0; i < n; ++i) recording->total[i] = recording->kinetic[i] + recording->potential[i];
  recording->impacts = result.impacts;

  Solution& solution = recording->solution;
  for (const Status status : {Status::completed, Status::interrupted, Status::failed})
    if (result.status == name(status)) solution.status = status;
  solution.failure.message = result.failure;
  solution.notes = result.notes;
  solution.impact_count = result.impacts.size();
  solution.statistics.steps = result.steps.value_or(0);
  solution.statistics.seconds = unknown;
  solution.violation_max = unknown;
  if (n > 1 && result.steps.value_or(0) > 0)
    recording->h = (result.t.back() - result.t.front()) / static_cast<double>(*result.steps);
  EnergyLedger& energy = solution.energy;
  for (const auto& [name, term] : ledger_terms) {
    energy.*term = unknown;
    for (const auto& [key, value] : result.energy)
      if (key == name) energy.*term = value;
  }
  energy.turnover = unknown;
  return recording;
}

void bind_recording(py::module_& module) {
  module.attr("slip_statuses") = py::cast(slip_statuses);
  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording")
      .def("array", &view, py::arg("name"))
      .def(
          "address",
          [](const Recording& r, const std::string& name) {
            return reinterpret_cast<std::uintptr_t>((r.*find_field(name).values).data());
          },
          py::arg("name"))
      .def_property_readonly("impacts", &impacts_view)
      .def_property_readonly("coordinates", [](const Recording& r) { return r.header.coordinates; })
      .def_property_readonly("states", [](const Recording& r) { return r.header.states; })
      .def_property_readonly("constraints", [](const Recording& r) { return r.header.constraints; })
      .def_property_readonly("slips", [](const Recording& r) { return r.header.slips; })
      .def_property_readonly("joints", [](const Recording& r) { return r.header.joints; })
      .def_property_readonly("observations", [](const Recording& r) { return r.header.observations; })
      .def_property_readonly("outputs", [](const Recording& r) { return r.header.outputs; })
      .def_property_readonly("display",
                             [](const Recording& r) {
                               std::vector<std::tuple<std::string, std::string, std::string>> all;
                               for (const Display& one : r.header.display)
                                 all.emplace_back(one.name, one.unit, one.label);
                               return all;
                             })
      .def_property_readonly("title", [](const Recording& r) { return r.header.title; })
      .def_property_readonly("scheme", [](const Recording& r) { return r.header.scheme; })
      .def_property_readonly("parameters", [](const Recording& r) { return r.header.scheme_parameters; })
      .def_property(
          "scenario_text", [](const Recording& r) { return r.header.scenario_text; },
          [](Recording& r, const std::string& text) { r.header.scenario_text = text; })
      .def_readonly("h", &Recording::h)
      .def_property_readonly("status", [](const Recording& r) { return std::string(name(r.solution.status)); })
      .def_property_readonly("failure", [](const Recording& r) { return r.solution.failure.message; })
      .def_property_readonly("failure_kind",
                             [](const Recording& r) { return std::string(name(r.solution.failure.kind)); })
      .def_property_readonly("notes", [](const Recording& r) { return r.solution.notes; })
      .def_property_readonly("energy", [](const Recording& r) { return energy_dict(r.solution.energy); })
      .def_property_readonly("statistics", [](const Recording& r) { return statistics_dict(r.solution.statistics); })
      .def_property_readonly("problems", [](const Recording& r) { return problem_list(r.problems); })
      .def_property_readonly("violation_max", [](const Recording& r) { return r.solution.violation_max; })
      .def(
          "save",
          [](const Recording& r, const std::string& path) {
            const py::gil_scoped_release unlocked;
            save(r, path);
          },
          py::arg("path"))
      .def(
          "analyse",
          [](const Recording& r, const std::vector<std::string>& quantities,
             const std::optional<std::pair<double, double>>& window, std::optional<double> force_window,
             std::size_t segment, double overlap, std::size_t bins) {
            const py::gil_scoped_release unlocked;
            AnalyseRequest request{.quantities = quantities};
            request.settings = {.force_window = force_window, .segment = segment, .overlap = overlap, .bins = bins};
            if (window) request.settings.window = TimeSpan{window->first, window->second};
            return to_json(analyse_result(stored(r), request), "");
          },
          py::arg("quantities"), py::arg("window"), py::arg("force_window"), py::arg("segment"), py::arg("overlap"),
          py::arg("bins"))
      .def("svg", [](const Recording& r) { return run_svg(stored(r)); })
      .def(
          "page",
          [](const Recording& r, const std::string& path) {
            const py::gil_scoped_release unlocked;
            r.inputs.check(path, "report");
            write_text_file(path, run_page(stored(r), {.notes = r.solution.notes}));
          },
          py::arg("path"));
  module.def(
      "load",
      [](const std::string& path) {
        const py::gil_scoped_release unlocked;
        auto recording = recording_of(read_result(path, {.careful = true}));
        recording->inputs.add_result(path);
        return recording;
      },
      py::arg("path"));
}

}  // namespace ricochet::python
