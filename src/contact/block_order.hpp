// The rows of a large problem with friction in the order that a solver wants: each contact with its slips behind it,
// joints, dry friction. Without friction the order is that of the layout, and everything passes through.
#pragma once

#include <vector>

#include "core/mask_array.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class BlockOrder {
 public:
  BlockOrder(const Layout& layout, bool with_slips) : layout_(layout) {
    if (with_slips)
      sort_rows();
    else if (layout.ns() > 0)
      drop_slips();
  }

  const Pattern& gradient() const { return gradient_.cols == 0 ? layout_.rows : gradient_; }
  // One a row; none if all are nonnegative.
  std::vector<Cone> cones() const {
    if (!is_plain()) return cones_;
    std::vector<Cone> cones;
    if (layout_.nb() == 0) return cones;
    cones.assign(static_cast<std::size_t>(layout_.nc()), Cone::nonnegative);
    cones.resize(static_cast<std::size_t>(layout_.nc() + layout_.nb()), Cone::free);
    return cones;
  }
  int place(int row) const { return is_plain() ? row : place_[row]; }
  int row(int place) const { return is_plain() ? place : row_[place]; }

  // Into the order; valid until the next call for the same.
  const double* gradients(const double* H) {
    if (is_plain()) return H;
    std::size_t place = 0;
    for (const int j : row_)
      for (int k = layout_.rows.start[j]; k < layout_.rows.start[j + 1]; ++k) H_[place++] = H[k];
    return H_.data();
  }
  const bool* mask(const bool* active) {
    for (std::size_t i = 0; i < row_.size(); ++i) active_[i] = active[row_[i]];
    return is_plain() ? active : active_.data();
  }
  const double* rates(const double* b) { return sorted(b, b_); }
  const double* impulses(const double* P) { return sorted(P, P_); }
  // μ and limits, one a friction, to where their blocks begin.
  const double* bounds(const double* given) {
    for (std::size_t k = 0; k < first_.size(); ++k) bounds_[first_[k]] = given[k];
    return is_plain() ? nullptr : bounds_.data();
  }

  // Where a solution is written, and out of the order.
  double* solution(double* P) { return is_plain() ? P : P_.data(); }
  void return_solution(double* P) const {
    for (std::size_t i = 0; i < row_.size(); ++i) P[row_[i]] = P_[i];
  }

 private:
  bool is_plain() const { return row_.empty(); }
  const double* sorted(const double* x, std::vector<double>& memory) const {
    for (std::size_t i = 0; i < row_.size(); ++i) memory[i] = x[row_[i]];
    return is_plain() ? x : memory.data();
  }
  void drop_slips() {
    const Pattern& rows = layout_.rows;
    const int held = layout_.nc() + layout_.nb();
    gradient_ = {rows.rows, held, {rows.start.begin(), rows.start.begin() + held + 1}, {}};
    gradient_.row.assign(rows.row.begin(), rows.row.begin() + rows.start[held]);
  }
  void add(int row, Cone cone) {
    row_.push_back(row);
    cones_.push_back(cone);
  }
  void sort_rows() {
    const int nc = layout_.nc(), held = nc + layout_.nb();
    std::size_t k = 0;
    int slip = held;
    const auto add_block = [&](int first, Cone cone) {
      first_.push_back(static_cast<int>(row_.size()));
      add(first, cone);
      for (int s = slip + (first == slip ? 1 : 0); s < slip + layout_.frictions[k].rows; ++s) add(s, Cone::tangent);
      slip += layout_.frictions[k++].rows;
    };
    for (int j = 0; j < nc; ++j) {
      if (k < layout_.frictions.size() && layout_.frictions[k].constraint == j)
        add_block(j, Cone::coulomb);
      else
        add(j, Cone::nonnegative);
    }
    for (int j = nc; j < held; ++j) add(j, Cone::free);
    while (k < layout_.frictions.size()) add_block(slip, Cone::disc);
    finish();
  }
  void finish() {
    const Pattern& rows = layout_.rows;
    place_.resize(row_.size());
    gradient_ = {rows.rows, rows.cols, {0}, {}};
    for (std::size_t i = 0; i < row_.size(); ++i) {
      place_[row_[i]] = static_cast<int>(i);
      gradient_.row.insert(gradient_.row.end(), rows.row.begin() + rows.start[row_[i]],
                           rows.row.begin() + rows.start[row_[i] + 1]);
      gradient_.start.push_back(static_cast<int>(gradient_.row.size()));
    }
    H_.resize(gradient_.row.size());
    for (std::vector<double>* x : {&b_, &P_, &bounds_}) x->resize(row_.size());
    active_.assign(row_.size());
  }

  const Layout& layout_;
  std::vector<int> row_, place_, first_;  // the row at each place, the place of each row, where frictions begin
  std::vector<Cone> cones_;
  Pattern gradient_;  // without columns: that of the layout
  std::vector<double> H_, b_, P_, bounds_;
  MaskArray<double> active_;
};

}  // namespace ricochet
