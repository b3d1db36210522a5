// A run in memory: every array in one piece, row after row.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/io/result/result_writer.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet {

struct Recording {
  ResultHeader header;
  double h = 0.0;
  // Row after row, one row an instant.
  std::vector<double> t, event, q, v, z, gap, rate, impulse, slip, friction, reaction, observed, observed_rate, output;
  std::vector<double> kinetic, potential, total;
  std::vector<double> input, damping, impact, friction_work, numerical;  // the energy account from the start
  std::vector<Impact> impacts;
  Solution solution;  // without its trajectory

  std::size_t width() const;  // numbers in a row
  void reserve(std::size_t rows);
  void add(const Sample& sample);
  Sample sample(std::size_t i) const;
  std::size_t rows() const { return t.size(); }
};

// What a run is recorded in: a recording, and a file if there is one.
class Recorder : public ResultWriter {
 public:
  explicit Recorder(Recording& recording, std::unique_ptr<ResultWriter> file = nullptr)
      : recording_(recording), file_(std::move(file)) {}

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

// The arrays of a recording by name, which list of names gives their width (none: one number a row), and where a stored
// result has them.
struct RecordedField {
  const char* name;
  std::vector<double> Recording::*values;
  std::vector<std::string> ResultHeader::*names;
  StoredResult::Columns StoredResult::*columns = nullptr;
  std::vector<double> StoredResult::*series = nullptr;

  std::size_t width(const ResultHeader& header) const { return names == nullptr ? 1 : (header.*names).size(); }
};
const std::array<RecordedField, 22>& recorded_fields();

inline constexpr std::array<std::pair<const char*, double EnergyLedger::*>, 7> ledger_terms = {
    {{"initial", &EnergyLedger::initial},
     {"final", &EnergyLedger::final},
     {"input", &EnergyLedger::input},
     {"damping", &EnergyLedger::damping},
     {"impact", &EnergyLedger::impact},
     {"friction", &EnergyLedger::friction},
     {"numerical", &EnergyLedger::numerical}}};

// As the columns of a result file, and into a writer of one.
StoredResult stored(const Recording& recording);
void replay(const Recording& recording, ResultWriter& writer);

}  // namespace ricochet
