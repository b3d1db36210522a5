// Whether two constraints can be closed together, with no other one violated.
#pragma once

#include <optional>
#include <vector>

#include "core/decompositions.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Gaps that are linear in q: g = g₀ + Hᵀd around a point. Exact, by least-distance programming.
class LinearGaps {
 public:
  // H in the model's pattern.
  LinearGaps(const Pattern& gradient, const double* H);

  // A displacement d with g = 0 of those that are closed and all other gaps ≥ 0, or nothing if there is none.
  std::optional<std::vector<double>> close(const double* g0, const std::vector<int>& closed) const;
  int rank() const { return R_.rows; }
  // Gaps that exclude each other; empty if there is a displacement with all of them ≥ 0.
  std::vector<int> conflict(const double* g0) const;

 private:
  struct Distances;
  Distances distances(const double* g0, const std::vector<int>& closed) const;

  const Pattern& gradient_;
  std::vector<int> support_;  // coordinates that gaps depend on
  DenseMatrix basis_;         // support × rank, orthonormal
  DenseMatrix R_;             // rank × nc: H in that basis
};

// Gaps of any kind: a point q, found from a given one by damped Gauss-Newton steps on g_a, g_b, the joints and the
// violated gaps, in place. False if none was found that way.
bool close_by_search(const Model& model, double t, int a, int b, std::vector<double>& q);

// Σ H² over column j.
double squared_length(const Pattern& pattern, const double* H, int j);

// Whether the columns of H are independent and none is zero; sparse, for any size. Nothing if HᵀH is large and full.
std::optional<bool> independent_columns(const Pattern& gradient, const double* H, const std::vector<int>& columns);

}  // namespace ricochet
