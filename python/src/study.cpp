// Studies: convergence and comparison, of scenarios and of models with a start.
#include <cmath>
#include <exception>
#include <filesystem>
#include <variant>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "recording.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/io/compare_scenario.hpp"
#include "ricochet/io/converge_scenario.hpp"
#include "ricochet/report/page.hpp"
#include "scenario_handle.hpp"

namespace ricochet::python {

namespace {

using Schemes = std::vector<std::tuple<std::string, std::string, SchemeValues>>;  // label, name, parameters

// A study that is done: its numbers and its page as JSON, and ways to write them.
struct StudyHandle {
  std::variant<ScenarioConvergence, ScenarioComparison> result;
  std::string source;

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
  // The jobs of a study do not expect an exception here: it ends the study and is thrown afterwards.
  std::exception_ptr error;
  work.progress = [&](std::uint64_t done, std::uint64_t all) {
    try {
      if (!error) tell(done, all);
    } catch (...) {
      error = std::current_exception();
      watch.flag()->store(true);
    }
  };
  const py::gil_scoped_release unlocked;
  auto result = study();
  if (error) std::rethrow_exception(error);
  return result;
}

// Models: the reference is computed, or a result that was recorded.

StudyReference recorded(const Recording& run, const std::string& name, const Layout& layout) {
  if (run.header.coordinates != layout.coordinates)
    throw InputError("reference", name + " has other coordinates than the model");
  std::vector<double> impacts;
  for (const Impact& impact : run.impacts) impacts.push_back(impact.t);
  StudyReference reference{name, {}};
  reference.checked.motion =
      std::make_shared<const RecordedMotion>(MotionSamples{run.t, run.q, run.v, {}}, std::move(impacts), name);
  reference.notes.push_back("how accurate " + name +
                            " is cannot be told from it: orders are those of the differences to it");
  return reference;
}

StudyReference model_reference(const StudyProblem& problem, const std::string& kind, const Recording* run,
                               TimeSpan window) {
  const Layout& layout = problem.model->layout();
  StudyReference reference;
  if (run != nullptr)
    reference = recorded(*run, "the solution", layout);
  else if (kind.empty() || kind == "event-driven" || kind == "mannshardt")
    reference = computed_reference(problem, kind, window);
  else if (kind == "exact")
    throw InputError("reference", "a model has no known answer: use event-driven, mannshardt, a solution or its file");
  else
    reference = recorded(*recording_of(read_result(kind)), kind, layout);
  const TimeSpan known = reference.checked.motion->window();
  if (window.from < known.from || window.until > known.until * (1.0 + 1e-12))
    throw InputError("window",
                     "the reference goes from " + to_text(known.from) + " to " + to_text(known.until) + " only");
  if (reference.checked.agreed_until == 0.0) reference.checked.agreed_until = window.until;
  return reference;
}

TimeSpan checked_window(const std::optional<TimeSpan>& window, TimeSpan span) {
  if (!window) return span;
  if (window->from < span.from || window->until > span.until * (1.0 + 1e-12) || !(window->until > window->from))
    throw InputError("window", "must lie in the run, from " + to_text(span.from) + " to " + to_text(span.until) +
                                   ", got " + to_text(window->from) + " to " + to_text(window->until));
  return *window;
}

ScenarioConvergence converge_task(const StudyProblem& problem, const Scheme& scheme, const ConvergeRequest& request,
                                  const Recording* run) {
  const TimeSpan window = checked_window(request.window, problem.span);
  const StudyReference reference = model_reference(problem, request.reference, run, window);
  ScenarioConvergence result = converge_problem(problem, scheme, reference, window, request);
  result.interrupted = request.work.interrupt->load();
  return result;
}

ScenarioComparison compare_task(const StudyProblem& problem, const CompareRequest& request, const Recording* run) {
  if (!(request.accuracy > 0.0 && request.accuracy < 1.0))
    throw InputError("accuracy", "must be between 0 and 1, got " + to_text(request.accuracy));
  const TimeSpan window = checked_window(request.window, problem.span);
  const StudyReference reference = model_reference(problem, request.reference, run, window);
  // Where trajectories part for whatever reason, only means and distributions can be compared.
  const double agreed_until = reference.checked.agreed_until;
  const bool parts = agreed_until < window.until;
  const double period = parts && !request.period.empty() ? parse_number(request.period, "period") : 0.0;
  ScenarioComparison result = compare_problem(problem, reference, window, period, request);
  if (parts)
    result.recommendation = {"Trajectories computed with two tolerances part at t = " + to_text(agreed_until) +
                             ": the motion is chaotic, or does not depend continuously on the data. So means and "
                             "distributions are compared."};
  result.interrupted = request.work.interrupt->load();
  return result;
}

StudyProblem problem_of(const ModelHandle& handle, const Task& task) {
  return {handle.model.get(), task.start, task.span, task.settings.h, task.settings.solver};
}

// Python code cannot run on several threads at once: one is enough.
void choose_threads(StudyWork& work, const ModelHandle& handle) {
  if (handle.calls_python) work.threads = 1;
}

StudyHandle converge_model(const ModelHandle& handle, const Task& task, const py::dict& options,
                           const std::shared_ptr<Recording>& reference, const py::object& progress) {
  ConvergeRequest request = converge_request(options);
  choose_threads(request.work, handle);
  return {watched(request.work, progress,
                  [&] { return converge_task(problem_of(handle, task), task.scheme, request, reference.get()); }),
          ""};
}

StudyHandle compare_model(const ModelHandle& handle, const Task& task, const py::dict& options,
                          const std::shared_ptr<Recording>& reference, const py::object& progress) {
  CompareRequest request = compare_request(options);
  choose_threads(request.work, handle);
  return {
      watched(request.work, progress, [&] { return compare_task(problem_of(handle, task), request, reference.get()); }),
      ""};
}

StudyHandle converge_file(const ScenarioHandle& scenario, const py::dict& options, const py::object& progress) {
  ConvergeRequest request = converge_request(options);
  return {watched(request.work, progress, [&] { return converge_scenario(scenario.file, request); }), scenario.source};
}

StudyHandle compare_file(const ScenarioHandle& scenario, const py::dict& options, const py::object& progress) {
  CompareRequest request = compare_request(options);
  return {watched(request.work, progress, [&] { return compare_scenario(scenario.file, request); }), scenario.source};
}

}  // namespace

void bind_study(py::module_& module) {
  py::class_<StudyHandle>(module, "Study")
      .def("json", &StudyHandle::json)
      .def("page", [](const StudyHandle& study) { return to_json(study.page()); })
      .def_property_readonly("interrupted", &StudyHandle::interrupted)
      .def_property_readonly("recommendation",
                             [](const StudyHandle& study) {
                               const auto* comparison = std::get_if<ScenarioComparison>(&study.result);
                               return comparison != nullptr ? comparison->recommendation : std::vector<std::string>();
                             })
      .def(
          "write",
          [](const StudyHandle& study, const std::string& path) {
            std::visit([&](const auto& result) { write_study(path, result, study.source); }, study.result);
          },
          py::arg("path"))
      .def(
          "report",
          [](const StudyHandle& study, const std::string& path) {
            write_text_file(path, study_page(to_json(study.page())));
          },
          py::arg("path"));
  module.def("converge_model", &converge_model, py::arg("model"), py::arg("task"), py::arg("options"),
             py::arg("reference"), py::arg("progress"));
  module.def("compare_model", &compare_model, py::arg("model"), py::arg("task"), py::arg("options"),
             py::arg("reference"), py::arg("progress"));
  module.def("converge_scenario", &converge_file, py::arg("scenario"), py::arg("options"), py::arg("progress"));
  module.def("compare_scenario", &compare_file, py::arg("scenario"), py::arg("options"), py::arg("progress"));
}

}  // namespace ricochet::python
