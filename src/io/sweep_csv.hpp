// The points of a sweep as CSV, for spreadsheets and scripts; its statistics where that is what was recorded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/csv_table.hpp"
#include "ricochet/study/sweep.hpp"

namespace ricochet {

// A row a point, or a row a trajectory if there are no points: the values on the axes, the trajectory, the columns.
// A trajectory without any has no row.
class SweepCsv {
 public:
  // Throws FileError, as all members do.
  SweepCsv(const std::filesystem::path& path, const std::vector<std::string>& axes, const SweepColumns& columns);

  void add(const SweepTrajectory& trajectory, const std::vector<double>& values);
  void commit();

 private:
  void row(const SweepTrajectory& trajectory, const std::vector<double>& values, const double* numbers);

  bool points_;
  std::size_t width_;
  CsvTable table_;
};

}  // namespace ricochet
