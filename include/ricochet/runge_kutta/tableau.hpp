// Butcher tables as data.
//
//     Y_i = y₀ + h Σ_j a_ij k_j,   k_i = f(t₀ + c_i h, Y_i),   y₁ = y₀ + h Σ_i b_i k_i
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ricochet {

struct Tableau {
  std::string_view name;  // "dormand-prince"
  int order = 0;
  int stages = 0;
  std::vector<double> A;  // by rows, stages × stages
  std::vector<double> b, c;

  // A second result ŷ₁ = y₀ + h Σ b̂_i k_i of lower order: y₁ − ŷ₁ estimates the error. Empty if there is none.
  std::vector<double> b_embedded = {};
  int embedded_order = 0;
  // A third one, of an order lower still: the error is then e²/√(e² + e_low²/100), e and e_low being the norms of the
  // differences.
  std::vector<double> b_low = {};
  int low_order = 0;

  // Weights of the dense output of order `dense_order`, by rows: the cubic Hermite interpolant of y₀, k_1, y₁, k_s
  // + θ²(1−θ)² (B₀ + θ (B₁ + (1−θ) (B₂ + θ B₃))),  B_m = h Σ d_mi k_i;  one row or four. Empty: the Hermite interpolant
  // alone, or for an implicit table its collocation polynomial. It may need stages of its own, which follow the others.
  std::vector<double> dense = {};
  int dense_order = 0;
  std::vector<double> A_dense = {}, c_dense = {};  // their rows, over all stages with them

  bool is_explicit = true;
  bool first_same_as_last = false;  // k_s = f(t₁, y₁) is the first stage of the next step

  // The estimate of the error is that of an embedded result of this order.
  int error_order() const { return b_low.empty() ? embedded_order : 2 * embedded_order - low_order; }
  int all_stages() const { return stages + static_cast<int>(c_dense.size()); }
  double a(int i, int j) const { return A[static_cast<std::size_t>(i * stages + j)]; }
};

std::span<const Tableau> tableaus();
// Throws InputError ("scheme.tableau") if there is none of this name.
const Tableau& find_tableau(std::string_view name);

}  // namespace ricochet
