// Result files read back: what a writer of io/result_writer.hpp wrote, whatever its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/run/outputs.hpp"

namespace ricochet {

// Columns by name and position: q[j][i] is coordinate j at t[i]. What a file does not have is empty.
struct StoredResult {
  std::string title, version, scheme;
  std::string scheme_parameters;  // a JSON object
  std::string scenario_text;
  std::string status = "unknown";  // completed, interrupted or failed
  std::string failure;             // why, of a failed run
  std::optional<std::uint64_t> steps;
  std::vector<std::string> coordinates, states, constraints, slips, joints, observations, outputs;
  std::vector<Display> display;  // units and labels

  using Columns = std::vector<std::vector<double>>;
  std::vector<double> t;
  std::vector<double> event;  // −1, +1: before and after a located impact; 0: an instant of the grid
  Columns q, v, z, gap, rate, impulse, slip, friction, reaction, observed, observed_rate, output;
  std::vector<double> kinetic, potential;
  std::vector<double> input, damping, impact, friction_work, numerical;  // the energy account up to each row

  std::vector<Impact> impacts;
  std::vector<std::pair<std::string, double>> energy;  // initial, final, input, damping, impact, friction, numerical, …
  std::vector<std::string> notes;                      // what the file lacks, one sentence each

  std::size_t rows() const { return t.size(); }
  bool has_impact_states() const;
  // Of a quantity by its name, empty if none was given.
  const std::string& unit(const std::string& name) const;
  const std::string& label(const std::string& name) const;  // its name if none was given
  bool has_account() const { return !numerical.empty(); }
};

struct ReadSettings {
  // The HDF5 library crashes on some files with changed bytes. With this, a child process reads such a file first, and
  // a crash of it is one more sentence. For files of unknown origin.
  bool careful = false;
};

// The format follows from the ending, .h5, .hdf5, .npz or .csv (with STEM.impacts.csv beside it), otherwise from the
// first bytes. Throws FileError with a sentence for what is missing, empty, broken, cut short or no result.
StoredResult read_result(const std::filesystem::path& path, const ReadSettings& settings = {});

}  // namespace ricochet
