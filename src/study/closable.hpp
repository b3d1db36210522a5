// Whether two constraints can be closed together, with no other one violated.
#pragma once

#include <optional>
#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet {

// Gaps that are linear in q: g = g₀ + Hᵀd around a point. Exact, by least-distance programming.
class LinearGaps {
 public:
  // H in the model's pattern.
  LinearGaps(const Pattern& gradient, const double* H);

  // All gradients are independent: the gaps can have any values, and any constraints be closed together.
  bool independent() const { return independent_; }

  // A displacement d with g_a = g_b = 0 and all other gaps ≥ 0, or nothing if there is none.
  std::optional<std::vector<double>> close(const double* g0, int a, int b) const;

 private:
  const Pattern& gradient_;
  int rank_ = 0;
  bool independent_ = false;
  std::vector<int> support_;   // coordinates that gaps depend on
  std::vector<double> basis_;  // support × rank, orthonormal, by columns
  std::vector<double> R_;      // rank × nc: H in that basis
};

// Gaps of any kind: a point q, found from a given one by damped Gauss-Newton steps on g_a, g_b and the violated gaps,
// in place. False if none was found that way.
bool close_by_search(const Model& model, double t, int a, int b, std::vector<double>& q);

// Whether the columns of H are independent and none is zero; sparse, for any size. Nothing if HᵀH is large and full.
std::optional<bool> independent_columns(const Pattern& gradient, const double* H, const std::vector<int>& columns);

}  // namespace ricochet
