#include "io/sweep_csv.hpp"

namespace ricochet {

namespace {

std::vector<std::string> names(const std::vector<std::string>& axes, const std::vector<std::string>& columns) {
  std::vector<std::string> all = axes;
  all.push_back("trajectory");
  all.insert(all.end(), columns.begin(), columns.end());
  return all;
}

}  // namespace

SweepCsv::SweepCsv(const std::filesystem::path& path, const std::vector<std::string>& axes, const SweepColumns& columns)
    : points_(!columns.points.empty()),
      width_(points_ ? columns.points.size() : columns.statistics.size()),
      table_(path, names(axes, points_ ? columns.points : columns.statistics), 0, false) {}

void SweepCsv::row(const SweepTrajectory& trajectory, const std::vector<double>& values, const double* numbers) {
  table_.begin_row();
  table_.numbers(values.data(), values.size());
  table_.number(trajectory.index);
  table_.numbers(numbers, width_);
  table_.end_row();
}

void SweepCsv::add(const SweepTrajectory& trajectory, const std::vector<double>& values) {
  const std::vector<double>& numbers = points_ ? trajectory.points : trajectory.statistics;
  for (std::size_t first = 0; width_ > 0 && first + width_ <= numbers.size(); first += width_)
    row(trajectory, values, numbers.data() + first);
}

void SweepCsv::commit() {
  table_.write_out();
  table_.file().commit();
}

}  // namespace ricochet
