// Where the result of a sweep goes, trajectory after trajectory in their order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/io/result/result_writer.hpp"
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
  // Which columns there are.
  bool lyapunov = false, attractors = false, failures = false, refined = false, settles = false;
  std::uint64_t trajectories = 0, rows = 0;  // rows of points

  std::vector<std::string> axis_names() const;
};

class SweepSink {
 public:
  // The files as they were named; finished trajectories are kept beside the first until it is complete.
  SweepSink(std::filesystem::path output, std::filesystem::path csv)
      : output_(std::move(output)), csv_(std::move(csv)) {}
  virtual ~SweepSink() = default;
  const std::filesystem::path& output() const { return output_; }
  const std::filesystem::path& csv() const { return csv_; }  // empty if there is none

  // Throws InputError or FileError for what could not be written later; so do the others.
  virtual void check() const = 0;
  virtual void begin(const SweepFileHeader& header) = 0;
  virtual void add(const SweepTrajectory& trajectory, const std::vector<double>& values, std::int32_t attractor,
                   std::int32_t level) = 0;
  virtual void commit() = 0;

 private:
  std::filesystem::path output_, csv_;
};

// An HDF5 file, and if its name is not empty the points as CSV. Throws InputError for a name that is none.
std::unique_ptr<SweepSink> sweep_file_sink(const std::filesystem::path& output, const std::filesystem::path& csv = {});

}  // namespace ricochet
