// The result of a sweep as HDF5, written in one go: trajectory after trajectory, in their order.
//
// The bytes depend on the sweep alone: there are no dates in the file, and nothing of how or how fast it was computed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "io/hdf5_file.hpp"
#include "ricochet/io/result_writer.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "ricochet/study/sweep.hpp"

namespace ricochet {

struct SweepFileHeader {
  ResultHeader texts = {};
  std::string record = {};
  std::vector<SweepAxis> axes = {};  // with their values on a grid
  std::vector<std::uint64_t> shape = {};
  bool both_directions = false;
  SweepColumns columns = {};
  std::vector<double> impulse_edges = {};
  bool lyapunov = false, attractors = false, failures = false;  // which of these columns there are
  std::uint64_t trajectories = 0, rows = 0;                     // rows of points
};

// See docs/sweep.md for what is in it.
class SweepFile {
 public:
  // Throws FileError, as all members do.
  SweepFile(const std::filesystem::path& path, const SweepFileHeader& header);
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  // The next trajectory with its values on the axes. What it has not is NaN, or 0 where numbers are whole.
  void add(const SweepTrajectory& trajectory, const std::vector<double>& values, std::int32_t attractor);
  // After the last one.
  void commit();

 private:
  // A dataset whose rows gather in a block.
  template <class Number>
  struct Rows {
    std::string name;
    Hdf5Shape shape;
    Hdf5Handle set = {};
    std::vector<Number> block = {};
    std::uint64_t written = 0;
  };
  template <class Number>
  Rows<Number> create(const std::string& name, std::uint64_t rows, std::uint64_t width = 1, bool is_matrix = false);
  template <class Number>
  void put(Rows<Number>& rows, const Number* values, std::size_t count);
  template <class Number>
  void put(Rows<Number>& rows, Number value) {
    put(rows, &value, 1);
  }
  void put_row(Rows<double>& rows, const std::vector<double>& values);
  template <class Number>
  void write_out(Rows<Number>& rows);
  void write_out(Rows<std::string>& rows);
  void write_texts(const SweepFileHeader& header);
  void write_axes(const SweepFileHeader& header);
  void create_columns(const SweepFileHeader& header);
  template <class Visit>
  void for_all(const Visit& visit);

  // Columns that this sweep does not have stay without a dataset.
  Hdf5File file_;
  Rows<double> values_, points_, statistics_, histogram_, final_, lyapunov_;
  Rows<std::int32_t> status_, attractor_;
  Rows<std::int64_t> period_;
  Rows<std::uint64_t> first_, steps_, impacts_;
  Rows<std::string> failure_;
};

}  // namespace ricochet
