// A run as it is kept for Python: every array in one piece of memory that numpy looks at.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/io/result/result_writer.hpp"
#include "ricochet/report/page.hpp"
#include "ricochet/run/solution.hpp"

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

struct Recording {
  ResultHeader header;
  double h = 0.0;
  // Row after row, one row an instant.
  std::vector<double> t, event, q, v, z, gap, rate, impulse, slip, friction, reaction, observed, observed_rate, output;
  std::vector<double> kinetic, potential, total;
  std::vector<double> input, damping, impact, friction_work, numerical;  // the energy account from the start
  std::vector<Impact> impacts;
  Solution solution;  // without its trajectory
  Inputs inputs;

  std::size_t width() const;  // numbers in a row
  void reserve(std::size_t rows);
  void add(const Sample& sample);
  Sample sample(std::size_t i) const;
  std::size_t rows() const { return t.size(); }
};

// What a run is recorded in: a recording, and a file if there is one.
class Recorder final : public ResultWriter {
 public:
  Recorder(Recording& recording, std::unique_ptr<ResultWriter> file) : recording_(recording), file_(std::move(file)) {}

  void record(const Sample& sample) override {
    recording_.add(sample);
    if (file_) file_->record(sample);
  }
  void impact(const Impact& impact) override {
    recording_.impacts.push_back(impact);
    if (file_) file_->impact(impact);
  }
  void finish(const Solution& solution) override {
    if (file_) file_->finish(solution);
  }
  const std::filesystem::path& path() const override { return file_ ? file_->path() : nowhere_; }

 private:
  Recording& recording_;
  std::unique_ptr<ResultWriter> file_;
  std::filesystem::path nowhere_;
};

// To and from the columns of result files.
StoredResult stored(const Recording& recording);
std::shared_ptr<Recording> recording_of(const StoredResult& result);
void save(const Recording& recording, const std::string& path);

void bind_recording(py::module_& module);

}  // namespace ricochet::python
