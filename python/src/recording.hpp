// A run as it is kept for Python: every array in one piece of memory that numpy looks at.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/result_writer.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet::python {

struct Recording {
  ResultHeader header;
  double h = 0.0;
  // Row after row, one row an instant.
  std::vector<double> t, q, v, z, gap, rate, impulse, observed, observed_rate;
  std::vector<double> kinetic, potential, total;
  std::vector<double> input, damping, impact, numerical;  // the energy account from the start
  std::vector<Impact> impacts;
  Solution solution;  // without its trajectory

  std::size_t width() const;  // numbers in a row
  void reserve(std::size_t rows);
  void add(const Sample& sample);
  Sample sample(std::size_t i) const;
  std::size_t rows() const { return t.size(); }
};

// A run writes into a recording, and into a file if there is one.
class Recorder : public Observer {
 public:
  Recorder(Recording& recording, ResultWriter* writer, std::function<void(std::uint64_t, std::uint64_t)> progress)
      : recording_(recording), writer_(writer), progress_(std::move(progress)) {}

  void record(const Sample& sample) override {
    recording_.add(sample);
    if (writer_ != nullptr) writer_->record(sample);
  }
  void impact(const Impact& impact) override {
    recording_.impacts.push_back(impact);
    if (writer_ != nullptr) writer_->impact(impact);
  }
  void progress(std::uint64_t step, std::uint64_t steps) override { progress_(step, steps); }

 private:
  Recording& recording_;
  ResultWriter* writer_;
  std::function<void(std::uint64_t, std::uint64_t)> progress_;
};

// To and from the columns of result files.
StoredResult stored(const Recording& recording);
std::shared_ptr<Recording> recording_of(const StoredResult& result);
void save(const Recording& recording, const std::string& path);

void bind_recording(py::module_& module);

}  // namespace ricochet::python
