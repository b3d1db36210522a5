// Rows that are held at g = 0: those of all joints, then the contacts that are taken as closed. One column of G each.
#pragma once

#include <utility>
#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet {

class HeldRows {
 public:
  // `closed`: places among the constraints.
  explicit HeldRows(const Model& model, std::vector<int> closed = {})
      : model_(model),
        closed_(std::move(closed)),
        gaps_(model.nc()),
        H_(model.layout().gradient.size()),
        pattern_(model.layout().joint_gradient) {
    const Pattern& H = model.layout().gradient;
    pattern_.rows = model.nq();
    for (const int contact : closed_) {
      pattern_.row.insert(pattern_.row.end(), H.row.begin() + H.start[contact], H.row.begin() + H.start[contact + 1]);
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
      ++pattern_.cols;
    }
  }

  int count() const { return pattern_.cols; }
  const Pattern& pattern() const { return pattern_; }
  // Whether G depends on nothing.
  bool is_linear() const {
    const Structure& structure = model_.layout().structure;
    return (model_.nb() == 0 || structure.linear_joints) && (closed_.empty() || structure.linear_gaps);
  }

  void place(double t, const double* q, double* g) {
    model_.joint(t, q, g);
    if (closed_.empty()) return;
    model_.gap(t, q, gaps_.data());
    for (std::size_t k = 0; k < closed_.size(); ++k) g[model_.nb() + k] = gaps_[closed_[k]];
  }
  void gradient(double t, const double* q, double* G) {
    model_.joint_gradient(t, q, G);
    if (closed_.empty()) return;
    model_.gap_gradient(t, q, H_.data());
    const Pattern& H = model_.layout().gradient;
    int entry = model_.layout().joint_gradient.size();
    for (const int contact : closed_)
      for (int k = H.start[contact]; k < H.start[contact + 1]; ++k) G[entry++] = H_[k];
  }
  // c of g'' = Gᵀv' + c.
  void acceleration_terms(double t, const double* q, const double* v, double* c) {
    model_.joint_acceleration_terms(t, q, v, c);
    if (closed_.empty()) return;
    model_.gap_acceleration_terms(t, q, v, gaps_.data());
    for (std::size_t k = 0; k < closed_.size(); ++k) c[model_.nb() + k] = gaps_[closed_[k]];
  }

 private:
  const Model& model_;
  std::vector<int> closed_;
  std::vector<double> gaps_, H_;
  Pattern pattern_;
};

}  // namespace ricochet
