// A run as it is kept for Python: every array in one piece of memory that numpy looks at.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "io/result/recording.hpp"
#include "ricochet/report/page.hpp"
#include "ricochet/task/hard_problems.hpp"

namespace ricochet::python {

// Files that something was read from: what is written never replaces them.
class Inputs {
 public:
  Inputs() = default;
  explicit Inputs(const std::vector<std::filesystem::path>& paths) {
    for (const std::filesystem::path& path : paths)
      if (!path.empty()) paths_.push_back(std::filesystem::absolute(path));
  }
  void check(const std::string& output, const char* name) const { check_outputs({{name, output}}, paths_); }

 private:
  std::vector<std::filesystem::path> paths_;
};

struct Recording : ricochet::Recording {
  std::vector<KeptProblem> problems;
  Inputs inputs;
};

// From the columns of a result file.
std::shared_ptr<Recording> recording_of(const StoredResult& result);
void save(const Recording& recording, const std::string& path);

void bind_recording(py::module_& module);

}  // namespace ricochet::python
