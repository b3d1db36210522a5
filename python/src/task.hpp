// One run from Python, whoever describes it.
#pragma once

#include <memory>
#include <string>

#include "bindings.hpp"
#include "recording.hpp"

namespace ricochet::python {

// The header needs only its title and the text of the scenario. `output`: a result file, or none.
std::shared_ptr<Recording> run_task(const ModelHandle& handle, Task task, ResultHeader header,
                                    const py::object& progress, const std::string& output);

}  // namespace ricochet::python
