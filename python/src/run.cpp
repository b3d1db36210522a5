// Runs with the interpreter's lock released, recorded for numpy.
#include <unistd.h>

#include <cmath>
#include <optional>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "recording.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/task/run.hpp"
#include "task.hpp"

namespace ricochet::python {

namespace {

// The lock of the interpreter is given up while models run that do not need it; those that do would ask for it so often
// that it is kept.
class Unlocked {
 public:
  explicit Unlocked(bool wanted) {
    if (wanted) release_.emplace();
  }

 private:
  std::optional<py::gil_scoped_release> release_;
};

// What is kept of a run, by its number of records.
std::size_t row_count(const Task& task) {
  const std::uint64_t steps = step_count(task.span, task.settings.h), every = task.settings.record_every;
  return every == 0 ? 2 : static_cast<std::size_t>(steps / every + 2);
}

// Better said before the run than by a machine without memory in the middle of it.
void check_memory(const Recording& recording, std::size_t rows) {
  const double bytes = static_cast<double>(rows) * static_cast<double>(recording.width() * sizeof(double));
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes < machine) return;
  throw InputError("time.record_every", std::to_string(rows) + " recorded states would take " +
                                            to_text(std::round(bytes / 1e9)) +
                                            " GB of memory, more than this machine has: record fewer of them");
}

// Tells how far the run is.
class ProgressObserver final : public Observer {
 public:
  explicit ProgressObserver(ProgressCall& tell) : tell_(tell) {}
  void progress(std::uint64_t step, std::uint64_t steps) override { tell_(step, steps); }

 private:
  ProgressCall& tell_;
};

}  // namespace

Problem problem_of(const ModelHandle& handle, const Task& task) {
  return {handle.model, task.start, task.span, task.scheme, task.settings};
}

std::shared_ptr<Recording> run_task(const ModelHandle& handle, const Task& task, const std::string& title,
                                    const std::string& text, const py::object& progress, const std::string& output,
                                    int problems) {
  check(task.scheme);
  auto recording = std::make_shared<Recording>();
  InterruptWatch watch;
  ProgressCall tell(progress, watch);
  ProgressObserver observer(tell);
  const RunRequest request{.open_result =
                               [&](const ResultHeader& header) {
                                 recording->header = header;
                                 const std::size_t rows = row_count(task);
                                 check_memory(*recording, rows);
                                 recording->reserve(rows);
                                 return std::make_unique<Recorder>(
                                     *recording, output.empty() ? nullptr : open_result(output, header));
                               },
                           .interrupt = watch.flag(),
                           .observer = &observer,
                           .keep_problems = static_cast<std::size_t>(problems)};
  const Unlocked unlocked(!handle.calls_python);
  RunOutcome outcome = run_problem(problem_of(handle, task), title, text, request);
  recording->h = outcome.h;
  recording->solution = std::move(outcome.solution);
  const std::vector<std::filesystem::path> files = problem_files(output, problems);
  for (std::size_t k = 0; k < outcome.problems.size(); ++k) {
    io::write_fclib(files[k], outcome.problems[k].problem, outcome.problems[k].solution);
    outcome.problems[k].file = files[k];
  }
  recording->problems = std::move(outcome.problems);
  return recording;
}

void bind_run(py::module_& module) {
  bind_recording(module);
  py::class_<Task>(module, "Task")
      .def(py::init([](double from, double until, double step, std::uint64_t record_every, const Numbers& q,
                       const Numbers& v, const Numbers& z, const std::string& scheme, const SchemeValues& values,
                       const std::string& solver, double tolerance, int max_iterations, double relaxation) {
             Task task;
             task.start = {from, to_vector(q), to_vector(v), to_vector(z)};
             task.span = {from, until};
             task.scheme = {scheme, values};
             task.settings.h = step;
             task.settings.record_every = record_every;
             task.settings.record_impacts = true;
             task.settings.solver = {
                 .solver = solver, .tolerance = tolerance, .max_iterations = max_iterations, .relaxation = relaxation};
             return task;
           }),
           py::kw_only(), py::arg("from_"), py::arg("until"), py::arg("step"), py::arg("record_every"), py::arg("q"),
           py::arg("v"), py::arg("z"), py::arg("scheme"), py::arg("values"), py::arg("solver"), py::arg("tolerance"),
           py::arg("max_iterations"), py::arg("relaxation"))
      .def_property_readonly("q", [](const Task& task) { return task.start.q; })
      .def_property_readonly("v", [](const Task& task) { return task.start.v; })
      .def_property_readonly("z", [](const Task& task) { return task.start.z; })
      .def_property_readonly("span", [](const Task& task) { return std::pair(task.span.from, task.span.until); })
      .def_property_readonly("h", [](const Task& task) { return task.settings.h; })
      .def_property_readonly("scheme",
                             [](const Task& task) { return std::pair(task.scheme.name, task.scheme.values); });
  module.def("simulate", &run_task, py::arg("model"), py::arg("task"), py::arg("title"), py::arg("text"),
             py::arg("progress"), py::arg("output"), py::arg("problems"));
}

}  // namespace ricochet::python
