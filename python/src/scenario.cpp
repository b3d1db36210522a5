// Scenarios: files, the gallery, and texts made of dictionaries with matrices in memory.
#include <filesystem>
#include <tuple>

#include "bindings.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/attachment_folder.hpp"
#include "ricochet/io/check_scenario.hpp"
#include "ricochet/scenario/gallery_texts.hpp"
#include "scenario_handle.hpp"
#include "task.hpp"

namespace ricochet::python {

namespace {

// "key", "value" in TOML, how messages name it.
using SettingItems = std::vector<std::tuple<std::string, std::string, std::string>>;
using Matrices = std::map<std::string, SparseMatrix>;

// Matrices from Python by name; other names are files of a folder.
class MemoryAttachments final : public Attachments {
 public:
  MemoryAttachments(Matrices matrices, std::filesystem::path folder)
      : matrices_(std::move(matrices)), folder_(std::move(folder)) {}

  SparseMatrix matrix(const std::string& file, const std::string& field) const override {
    const auto place = matrices_.find(file);
    return place != matrices_.end() ? place->second : folder_.matrix(file, field);
  }
  NumberTable table(const std::string& file, const std::string& field) const override {
    return folder_.table(file, field);
  }
  bool has_matrix(const std::string& file, const std::string& field) const override {
    return matrices_.count(file) != 0 || folder_.has_matrix(file, field);
  }

 private:
  Matrices matrices_;
  AttachmentFolder folder_;
};

Settings settings_of(const SettingItems& items) {
  Settings settings;
  for (const auto& [key, value, label] : items) settings.add(key, value, label);
  return settings;
}

Matrices matrices_of(const py::dict& given) {
  Matrices matrices;
  using Indices = py::array_t<int, py::array::c_style | py::array::forcecast>;
  for (const auto& [name, value] : given) {
    const auto [rows, cols, start, row, values] = value.cast<std::tuple<int, int, Indices, Indices, Numbers>>();
    matrices.emplace(name.cast<std::string>(), to_matrix(rows, cols, start, row, values));
  }
  return matrices;
}

struct BuiltScenario {
  ModelHandle handle;
  Task task;
};

BuiltScenario built(const ScenarioFile& file) {
  Problem problem = file.build();
  BuiltScenario result;
  result.handle.states = problem.start.z;
  if (const auto* description = std::get_if<LagrangianDescription>(&file.scenario().model)) {
    result.handle.nonsmooth = nonsmooth_functions(*description);
    for (NonsmoothFunction& item : result.handle.nonsmooth) item.field = "model." + item.field;
  }
  result.handle.model = std::move(problem.model);
  result.task = {std::move(problem.start), problem.span, std::move(problem.scheme), problem.settings};
  return result;
}

std::shared_ptr<Recording> run(const ScenarioHandle& scenario, const py::object& progress, const std::string& output) {
  BuiltScenario problem = built(scenario.file);
  ResultHeader header;
  header.title = scenario.file.scenario().title;
  header.scenario_text = scenario.from_file ? scenario.file.text() : write_scenario(scenario.file.scenario());
  try {
    return run_task(problem.handle, std::move(problem.task), std::move(header), progress, output);
  } catch (const InputError& error) {
    throw scenario.file.located(error);
  }
}

// What check says of a model, in the words of the command line.
std::string check_model(const ModelHandle& handle, const Task& task) {
  ScenarioCheck check;
  check.scheme = task.scheme.name;
  check.coordinates = handle.model->layout().coordinates;
  check.constraints = handle.model->layout().constraints;
  check.report = check_problem(*handle.model, task.start, task.span, task.scheme, task.settings, handle.nonsmooth);
  return to_json(check, "");
}

py::list gallery() {
  py::list result;
  for (const GalleryText& entry : gallery_texts())
    result.append(
        py::make_tuple(std::string(entry.name), parse_scenario(entry.text, entry.name).title, std::string(entry.text)));
  return result;
}

}  // namespace

void bind_scenario(py::module_& module) {
  py::class_<ScenarioHandle>(module, "Scenario")
      .def_property_readonly("title", [](const ScenarioHandle& s) { return s.file.scenario().title; })
      .def_property_readonly(
          "text",
          [](const ScenarioHandle& s) { return s.from_file ? s.file.text() : write_scenario(s.file.scenario()); })
      .def("run", &run, py::arg("progress"), py::arg("output"))
      .def("check", [](const ScenarioHandle& s) { return to_json(check_scenario(s.file), s.source); })
      .def("build", [](const ScenarioHandle& s) {
        BuiltScenario result = built(s.file);
        return py::make_tuple(std::move(result.handle), std::move(result.task));
      });
  module.def(
      "open_scenario",
      [](const std::string& name, const SettingItems& settings) {
        return ScenarioHandle{open_scenario(name, settings_of(settings)), name};
      },
      py::arg("name"), py::arg("settings"));
  module.def(
      "parse_scenario",
      [](const std::string& text, const std::string& source, const SettingItems& settings, const py::dict& matrices) {
        auto files = std::make_unique<MemoryAttachments>(matrices_of(matrices), "");
        return ScenarioHandle{ScenarioFile(text, source, settings_of(settings), std::move(files)), source, false};
      },
      py::arg("text"), py::arg("source"), py::arg("settings"), py::arg("matrices"));
  module.def("check_model", &check_model, py::arg("model"), py::arg("task"));
  module.def("gallery", &gallery);
}

}  // namespace ricochet::python
