// The rows of a contact problem in the order that a solver wants: each contact with its slips behind it, joints, dry
// friction.
#pragma once

#include <vector>

#include "core/mask_array.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

struct RowPlace {
  int row;
  Cone cone;
  int leader;    // the row that says whether this one takes part: the first of its block
  int friction;  // whose bound stands here, at the begin of a block; −1: none
};

inline std::vector<RowPlace> places_of_rows(const Layout& layout, bool with_slips) {
  const int nc = layout.nc(), held = nc + layout.nb(), nf = with_slips ? layout.nf() : 0;
  std::vector<RowPlace> places;
  int k = 0, slip = held;
  const auto add_block = [&](int first, Cone cone) {
    places.push_back({first, cone, first, k});
    const int end = slip + layout.frictions[k++].rows;
    for (int s = first == slip ? slip + 1 : slip; s < end; ++s) places.push_back({s, Cone::tangent, first, -1});
    slip = end;
  };
  for (int j = 0; j < nc; ++j) {
    if (k < nf && layout.frictions[k].constraint == j)
      add_block(j, Cone::coulomb);
    else
      places.push_back({j, Cone::nonnegative, j, -1});
  }
  for (int j = nc; j < held; ++j) places.push_back({j, Cone::free, j, -1});
  while (k < nf) add_block(slip, Cone::disc);
  return places;
}

// A large problem in this order, and back. Without friction it is that of the layout, and everything passes through.
class BlockOrder {
 public:
  BlockOrder(const Layout& layout, bool with_slips)
      : rows_(layout.rows), is_plain_(!with_slips), places_(places_of_rows(layout, with_slips)) {
    place_.resize(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) place_[places_[i].row] = static_cast<int>(i);
    if (is_plain_ && layout.ns() == 0) return;
    gradient_ = {rows_.rows, static_cast<int>(places_.size()), {0}, {}};
    for (const RowPlace& place : places_) {
      const auto entry = rows_.row.begin();
      gradient_.row.insert(gradient_.row.end(), entry + rows_.start[place.row], entry + rows_.start[place.row + 1]);
      gradient_.start.push_back(static_cast<int>(gradient_.row.size()));
    }
    if (is_plain_) return;
    H_.resize(gradient_.row.size());
    for (std::vector<double>* x : {&b_, &P_, &bounds_}) x->resize(places_.size());
    active_.assign(places_.size());
  }

  const Pattern& gradient() const { return gradient_.cols == 0 ? rows_ : gradient_; }
  // One a row; none if all are nonnegative.
  std::vector<Cone> cones() const {
    std::vector<Cone> cones;
    if (is_plain_ && (places_.empty() || places_.back().cone == Cone::nonnegative)) return cones;
    for (const RowPlace& place : places_) cones.push_back(place.cone);
    return cones;
  }
  int place(int row) const { return place_[row]; }
  int row(int place) const { return places_[place].row; }

  // Into the order; valid until the next call for the same.
  const double* gradients(const double* H) {
    if (is_plain_) return H;
    std::size_t next = 0;
    for (const RowPlace& place : places_)
      for (int k = rows_.start[place.row]; k < rows_.start[place.row + 1]; ++k) H_[next++] = H[k];
    return H_.data();
  }
  const bool* mask(const bool* active) {
    if (is_plain_) return active;
    for (std::size_t i = 0; i < places_.size(); ++i) active_[i] = active[places_[i].row];
    return active_.data();
  }
  const double* rates(const double* b) { return sorted(b, b_); }
  const double* impulses(const double* P) { return sorted(P, P_); }
  // μ and limits, one a friction, to where their blocks begin.
  const double* bounds(const double* given) {
    if (is_plain_) return nullptr;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (const int k = places_[i].friction; k >= 0) bounds_[i] = given[k];
    return bounds_.data();
  }

  // Where a solution is written, and out of the order.
  double* solution(double* P) { return is_plain_ ? P : P_.data(); }
  void return_solution(double* P) const {
    for (std::size_t i = 0; i < P_.size(); ++i) P[places_[i].row] = P_[i];
  }

 private:
  const double* sorted(const double* x, std::vector<double>& memory) const {
    if (is_plain_) return x;
    for (std::size_t i = 0; i < places_.size(); ++i) memory[i] = x[places_[i].row];
    return memory.data();
  }

  const Pattern& rows_;
  const bool is_plain_;
  const std::vector<RowPlace> places_;
  std::vector<int> place_;  // of each row
  Pattern gradient_;        // without columns: that of the layout
  std::vector<double> H_, b_, P_, bounds_;
  MaskArray<double> active_;
};

}  // namespace ricochet
