// Runs: simulate() with the interpreter's lock released, recorded for numpy.
#include "ricochet/run/simulate.hpp"

#include <unistd.h>

#include <cmath>
#include <optional>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "recording.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/run_scenario.hpp"
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

void fill_header(ResultHeader& header, const Layout& layout, const Scheme& scheme) {
  header.version = version;
  header.scheme = scheme.name;
  for (const ParameterSpec& spec : find_scheme(scheme.name).parameters)
    header.scheme_parameters.emplace_back(spec.name, to_text(parameter(scheme, spec.name)));
  header.coordinates = layout.coordinates;
  header.states = layout.states;
  header.constraints = layout.constraints;
  header.observations = layout.observations;
}

}  // namespace

std::shared_ptr<Recording> run_task(const ModelHandle& handle, Task task, ResultHeader header,
                                    const py::object& progress, const std::string& output) {
  const std::shared_ptr<const Model> model = handle.model;
  auto recording = std::make_shared<Recording>();
  recording->header = std::move(header);
  fill_header(recording->header, model->layout(), task.scheme);
  check(task.scheme);
  recording->h = (task.span.until - task.span.from) / static_cast<double>(step_count(task.span, task.settings.h));
  const std::size_t rows = row_count(task);
  check_memory(*recording, rows);
  recording->reserve(rows);

  InterruptWatch watch;
  ProgressCall tell(progress, watch);
  task.settings.keep = false;
  task.settings.interrupt = watch.flag();
  {
    const Unlocked unlocked(!handle.calls_python);
    const std::unique_ptr<ResultWriter> writer = output.empty() ? nullptr : open_result(output, recording->header);
    Recorder recorder(*recording, writer.get(), [&](std::uint64_t step, std::uint64_t steps) { tell(step, steps); });
    recording->solution = simulate(*model, std::move(task.start), task.span, task.scheme, task.settings, &recorder);
    if (writer) writer->finish(recording->solution);
  }
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
  module.def(
      "simulate",
      [](const ModelHandle& model, const Task& task, const std::string& title, const std::string& text,
         const py::object& progress, const std::string& output) {
        ResultHeader header;
        header.title = title;
        header.scenario_text = text;
        return run_task(model, task, std::move(header), progress, output);
      },
      py::arg("model"), py::arg("task"), py::arg("title"), py::arg("text"), py::arg("progress"), py::arg("output"));
}

}  // namespace ricochet::python
