// A run as it is kept for Python: every array in one piece of memory that numpy looks at.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "io/result/recording.hpp"
#include "ricochet/io/result/request_files.hpp"
#include "ricochet/report/page.hpp"
#include "ricochet/task/hard_problems.hpp"

namespace ricochet::python {

// Files that something was read from, whatever the current folder is by now: what is written never replaces them.
class Inputs {
 public:
  Inputs() = default;
  explicit Inputs(const std::vector<std::filesystem::path>& paths) {
    for (const std::filesystem::path& path : paths)
      if (!path.empty()) files_.reads(std::filesystem::absolute(path));
  }
  void add_result(const std::filesystem::path& path) {
    if (!path.empty()) files_.reads_result(std::filesystem::absolute(path));
  }
  // To which a request adds what it writes.
  const RequestFiles& files() const { return files_; }

  void check(const std::string& output, const char* name) const {
    RequestFiles files = files_;
    files.writes(name, output);
    files.check();
  }
  void check_result(const std::string& output, const char* name) const {
    RequestFiles files = files_;
    files.writes_result(name, output);
    files.check();
  }

 private:
  RequestFiles files_;
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
