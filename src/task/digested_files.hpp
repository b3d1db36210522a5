// The files of a scenario, read once each, with a digest of what they hold.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/result/sweep_bytes.hpp"
#include "ricochet/scenario/attachments.hpp"

namespace ricochet {

// Reads each file once, for all trajectories, and adds its contents to a digest: a journal does not fit any more when
// one has changed.
class DigestedFiles final : public Attachments {
 public:
  DigestedFiles(const Attachments* files, Digest& digest) : files_(files), digest_(digest) {}

  SparseMatrix matrix(const std::string& file, const std::string& field) const override {
    if (const auto known = matrices_.find(file); known != matrices_.end()) return known->second;
    SparseMatrix matrix = files_->matrix(file, field);
    if (watching_) {
      for (const int number : {matrix.pattern.rows, matrix.pattern.cols}) add(number);
      for (const int number : matrix.pattern.start) add(number);
      for (const int number : matrix.pattern.row) add(number);
      for (const double value : matrix.values) digest_.add(value);
      matrices_.emplace(file, matrix);
    }
    return matrix;
  }
  NumberTable table(const std::string& file, const std::string& field) const override {
    if (const auto known = tables_.find(file); known != tables_.end()) return known->second;
    NumberTable table = files_->table(file, field);
    if (watching_) {
      for (const std::string& column : table.columns) digest_.add(column);
      for (const std::vector<double>& column : table.values)
        for (const double value : column) digest_.add(value);
      tables_.emplace(file, table);
    }
    return table;
  }
  bool has_matrix(const std::string& file, const std::string& field) const override {
    return files_->has_matrix(file, field);
  }
  // From now on it is asked by several threads at once.
  void stop_watching() { watching_ = false; }

 private:
  void add(int number) const { digest_.add(static_cast<std::uint64_t>(number)); }
  const Attachments* files_;
  Digest& digest_;
  bool watching_ = true;
  mutable std::map<std::string, SparseMatrix> matrices_;
  mutable std::map<std::string, NumberTable> tables_;
};

}  // namespace ricochet
