// One run from Python, whoever describes it.
#pragma once

#include <memory>
#include <string>

#include "bindings.hpp"
#include "recording.hpp"
#include "ricochet/scenario/build.hpp"

namespace ricochet::python {

// `text` is that of the scenario. `output`: a result file, or none; `problems` of the hardest contact problems are
// written beside it.
std::shared_ptr<Recording> run_task(const ModelHandle& handle, const Task& task, const std::string& title,
                                    const std::string& text, const py::object& progress, const std::string& output,
                                    int problems);

// As the library's tasks take it.
Problem problem_of(const ModelHandle& handle, const Task& task);

}  // namespace ricochet::python
