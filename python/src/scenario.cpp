// Scenarios: files, the gallery, and texts made of dictionaries with matrices in memory.
#include <filesystem>
#include <tuple>

#include "bindings.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/attachment/attachment_folder.hpp"
#include "ricochet/present/check.hpp"
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

Overrides overrides_of(const SettingItems& items) {
  Overrides overrides;
  for (const auto& [key, value, label] : items) overrides.add(key, value, label);
  return overrides;
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
  auto formulas = checked_formulas(file.scenario(), *problem.model, file.files());
  return {{std::move(problem.model), problem.start.z, nonsmooth_functions(file.scenario(), file.files()),
           std::move(formulas)},
          {problem.start, problem.span, std::move(problem.scheme), problem.settings}};
}

std::string text_of(const ScenarioHandle& scenario) {
  return scenario.from_file ? scenario.file.text() : write_scenario(scenario.file.scenario());
}

std::shared_ptr<Recording> run(const ScenarioHandle& scenario, const py::object& progress, const std::string& output,
                               int problems) {
  const BuiltScenario problem = built(scenario.file);
  const Inputs inputs(scenario.file.inputs());
  RequestFiles files = inputs.files();
  files.writes_result("output", output);
  for (const std::filesystem::path& file : problem_files(output, problems)) files.writes("dump_problems", file);
  files.check();
  try {
    auto recording = run_task(problem.handle, problem.task, scenario.file.scenario().title, text_of(scenario), progress,
                              output, problems);
    recording->inputs = inputs;
    return recording;
  } catch (const InputError& error) {
    throw scenario.file.located(error);
  }
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
      .def_property_readonly("text", &text_of)
      .def("run", &run, py::arg("progress"), py::arg("output"), py::arg("problems"))
      .def("check", [](const ScenarioHandle& s) { return to_json(check_scenario(s.file), s.source); })
      .def("build", [](const ScenarioHandle& s) {
        BuiltScenario result = built(s.file);
        return py::make_tuple(std::move(result.handle), std::move(result.task));
      });
  module.def(
      "open_scenario",
      [](const std::string& name, const SettingItems& settings, const std::vector<std::string>& files) {
        Overrides overrides = overrides_of(settings);
        for (const std::string& folder : files) overrides.read_from(folder);
        return ScenarioHandle{open_scenario(name, overrides), name};
      },
      py::arg("name"), py::arg("settings"), py::arg("files") = std::vector<std::string>());
  module.def(
      "parse_scenario",
      [](const std::string& text, const std::string& source, const SettingItems& settings, const py::dict& matrices) {
        auto files = std::make_unique<MemoryAttachments>(matrices_of(matrices), "");
        return ScenarioHandle{ScenarioFile(text, source, overrides_of(settings), std::move(files)), source, false};
      },
      py::arg("text"), py::arg("source"), py::arg("settings"), py::arg("matrices"));
  // What check says of a model, in the words of the command line.
  module.def(
      "check_model",
      [](const ModelHandle& handle, const Task& task) {
        return to_json(check_problem(problem_of(handle, task), handle.nonsmooth, handle.formulas.get()), "");
      },
      py::arg("model"), py::arg("task"));
  module.def("gallery", &gallery);
}

}  // namespace ricochet::python
