// Studies: convergence and comparison, of scenarios and of models with a start.
#include <filesystem>
#include <variant>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "recording.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/present/orbit.hpp"
#include "ricochet/present/study.hpp"
#include "ricochet/report/page.hpp"
#include "scenario_handle.hpp"
#include "task.hpp"

namespace ricochet::python {

namespace {

using Schemes = std::vector<std::tuple<std::string, std::string, SchemeValues>>;  // label, name, parameters

// A study that is done: its numbers and its page as JSON, and ways to write them.
struct StudyHandle {
  std::variant<ConvergeOutcome, CompareOutcome, OrbitOutcome, ContinueOutcome> result;
  std::string source;
  Inputs inputs;

  std::string json() const {
    return std::visit([&](const auto& study) { return to_json(study, source); }, result);
  }
  StudyPage page() const {
    return std::visit([](const auto& study) { return study_page(study); }, result);
  }
  bool interrupted() const {
    return std::visit([](const auto& study) { return study.interrupted; }, result);
  }
};

std::vector<SchemeChoice> choices(const Schemes& schemes) {
  std::vector<SchemeChoice> result;
  for (const auto& [label, name, values] : schemes) {
    check(Scheme{name, values});
    result.push_back({label, {name, values}});
  }
  return result;
}

// The options of both studies, as a dictionary: None and missing keys have their defaults.
class Options {
 public:
  explicit Options(const py::dict& given) : given_(given) {}

  template <class T>
  void read(const char* key, T& value) const {
    if (given_.contains(key) && !py::object(given_[key]).is_none()) value = given_[key].cast<T>();
  }
  std::optional<TimeSpan> window() const {
    std::optional<std::pair<double, double>> window;
    read("window", window);
    return window ? std::optional(TimeSpan{window->first, window->second}) : std::nullopt;
  }
  template <class Request>
  Request request() const {
    Request request;
    Schemes schemes;
    read("schemes", schemes);
    request.schemes = choices(schemes);
    read("steps", request.steps);
    read("phases", request.phases);
    read("reference", request.reference);
    read("threads", request.work.threads);
    request.window = window();
    request.read_result = [](const std::filesystem::path& path) { return read_result(path); };
    return request;
  }

 private:
  const py::dict& given_;
};

ConvergeRequest converge_request(const py::dict& given) {
  const Options options(given);
  auto request = options.request<ConvergeRequest>();
  options.read("local", request.local);
  return request;
}

CompareRequest compare_request(const py::dict& given) {
  const Options options(given);
  auto request = options.request<CompareRequest>();
  options.read("tolerances", request.tolerances);
  options.read("accuracy", request.accuracy);
  options.read("period", request.period);
  return request;
}

// Runs a study with Ctrl-C and progress; the lock is free, and models that call Python take it when they do.
template <class Work>
auto watched(StudyWork& work, const py::object& progress, const Work& study) {
  InterruptWatch watch;
  ProgressCall tell(progress, watch);
  work.interrupt = watch.flag();
  work.progress = [&](std::uint64_t done, std::uint64_t all) { tell.without_throw(done, all); };
  const py::gil_scoped_release unlocked;
  try {
    auto result = study();
    tell.rethrow();
    return result;
  } catch (const InterruptedError&) {
    tell.rethrow();  // what asked for the end
    throw;
  }
}

// One that calls Python cannot run on several threads at once: one is enough.
template <class Request, class Study>
StudyHandle study_model(Request request, const ModelHandle& handle, const Task& task,
                        const std::shared_ptr<Recording>& reference, const py::object& progress, const Study& study) {
  if (handle.calls_python) request.work.threads = 1;
  std::optional<StoredResult> solution;
  if (reference) solution = stored(*reference);
  request.solution = solution ? &*solution : nullptr;
  Inputs inputs = reference ? reference->inputs : Inputs();
  inputs.add_result(request.reference);
  return {watched(request.work, progress, [&] { return study(problem_of(handle, task), request, nullptr); }), "",
          inputs};
}

StudyHandle converge_model(const ModelHandle& handle, const Task& task, const py::dict& options,
                           const std::shared_ptr<Recording>& reference, const py::object& progress) {
  return study_model(converge_request(options), handle, task, reference, progress, converge_problem);
}

StudyHandle compare_model(const ModelHandle& handle, const Task& task, const py::dict& options,
                          const std::shared_ptr<Recording>& reference, const py::object& progress) {
  return study_model(compare_request(options), handle, task, reference, progress, compare_problem);
}

template <class Request, class Study>
StudyHandle study_of_file(Request request, const ScenarioHandle& scenario, const py::object& progress,
                          const Study& study) {
  auto outcome = watched(request.work, progress, [&] { return study(scenario.file, request); });
  // The reference may be the name of a scheme, which is no file.
  Inputs inputs(scenario.file.inputs());
  inputs.add_result(request.reference);
  return {std::move(outcome), scenario.source, inputs};
}

StudyHandle converge_file(const ScenarioHandle& scenario, const py::dict& options, const py::object& progress) {
  return study_of_file(converge_request(options), scenario, progress, converge_scenario);
}

StudyHandle compare_file(const ScenarioHandle& scenario, const py::dict& options, const py::object& progress) {
  return study_of_file(compare_request(options), scenario, progress, compare_scenario);
}

StudyHandle orbit_of_file(const ScenarioHandle& scenario) {
  StudyWork work;
  auto outcome = watched(work, py::none(),
                         [&] { return orbit_scenario(scenario.file, OrbitRequest{.interrupt = work.interrupt}); });
  return {std::move(outcome), scenario.source, Inputs(scenario.file.inputs())};
}

// What is empty is not asked for.
StudyHandle continue_file(const ScenarioHandle& scenario, const std::string& output, bool restart,
                          const std::string& sweep) {
  std::vector<std::filesystem::path> read = scenario.file.inputs();
  if (!sweep.empty()) read.emplace_back(sweep);
  const Inputs inputs(read);
  RequestFiles files = inputs.files();
  files.writes_with_journal("output", output);
  files.check();
  if (!output.empty()) check_study_target(output);
  StudyWork work;
  ContinueOutcome outcome = watched(work, py::none(), [&] {
    return continue_scenario(scenario.file, {.interrupt = work.interrupt,
                                             .output = output,
                                             .restart = restart,
                                             .motions = true,
                                             .sweep = sweep,
                                             .deliver = [&](const ContinueOutcome& result) {
                                               if (complaint(result).empty() && !output.empty())
                                                 write_study_file(output, study_file(result, scenario.source));
                                             }});
  });
  return {std::move(outcome), scenario.source, inputs};
}

}  // namespace

void bind_study(py::module_& module) {
  py::class_<StudyHandle>(module, "Study")
      .def("json", &StudyHandle::json)
      .def("page", [](const StudyHandle& study) { return to_json(study.page()); })
      .def_property_readonly("interrupted", &StudyHandle::interrupted)
      .def_property_readonly("recommendation",
                             [](const StudyHandle& study) {
                               const auto* comparison = std::get_if<CompareOutcome>(&study.result);
                               return comparison != nullptr ? recommendation(*comparison) : std::vector<std::string>();
                             })
      .def(
          "write",
          [](const StudyHandle& study, const std::string& path) {
            study.inputs.check(path, "save");
            std::visit([&](const auto& result) { write_study_file(path, study_file(result, study.source)); },
                       study.result);
          },
          py::arg("path"))
      .def(
          "report",
          [](const StudyHandle& study, const std::string& path) {
            study.inputs.check(path, "report");
            write_text_file(path, study_html(study.page()));
          },
          py::arg("path"));
  module.def("converge_model", &converge_model, py::arg("model"), py::arg("task"), py::arg("options"),
             py::arg("reference"), py::arg("progress"));
  module.def("compare_model", &compare_model, py::arg("model"), py::arg("task"), py::arg("options"),
             py::arg("reference"), py::arg("progress"));
  module.def("converge_scenario", &converge_file, py::arg("scenario"), py::arg("options"), py::arg("progress"));
  module.def("compare_scenario", &compare_file, py::arg("scenario"), py::arg("options"), py::arg("progress"));
  module.def("orbit_scenario", &orbit_of_file, py::arg("scenario"));
  module.def("continue_scenario", &continue_file, py::arg("scenario"), py::arg("output"), py::arg("restart"),
             py::arg("sweep"));
}

}  // namespace ricochet::python
