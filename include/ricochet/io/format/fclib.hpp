// Contact problems with Coulomb friction in the field's exchange format, FCLIB: groups of an HDF5 file.
//
//   local:   u = W r + V λ + q,                   Vᵀ r + R λ + s = 0
//   global:  M v = f + H r + G λ,  u = Hᵀ v + w,  Gᵀ v + b = 0
//
// with Coulomb's law between u and r of each contact, `spacedim` numbers a contact, the normal one first. V, R, s and
// G, b may be missing. V. Acary et al., FCLIB: a collection of discrete 3D frictional contact problems, INRIA technical
// report 444 (2014).
#pragma once

#include <filesystem>
#include <vector>

namespace ricochet::io {

// As it is stored: nz ≥ 0: triplets of rows p, columns i and values x; −1: compressed columns; −2: compressed rows.
struct FclibMatrix {
  int rows = 0, cols = 0, nz = 0;
  std::vector<int> p, i;
  std::vector<double> x;

  bool empty() const { return rows == 0 || cols == 0; }
};

struct FclibProblem {
  bool is_global = false;
  int spacedim = 3;  // 2 or 3
  std::vector<double> mu;
  FclibMatrix W, V, R;
  std::vector<double> q, s;
  FclibMatrix M, H, G;
  std::vector<double> f, w, b;

  int contacts() const { return static_cast<int>(mu.size()); }
};

struct FclibSolution {
  std::vector<double> v, u, r, l;  // v of global problems only; l is λ
};

// Calls visit(row, column, value) for each entry.
template <class Visit>
void each_entry(const FclibMatrix& A, const Visit& visit) {
  if (A.nz >= 0) {
    for (int k = 0; k < A.nz; ++k) visit(A.p[k], A.i[k], A.x[k]);
    return;
  }
  const bool by_columns = A.nz == -1;
  for (int j = 0; j < (by_columns ? A.cols : A.rows); ++j)
    for (int k = A.p[j]; k < A.p[j + 1]; ++k) visit(by_columns ? A.i[k] : j, by_columns ? j : A.i[k], A.x[k]);
}

// Sizes fit, indices are in range, all numbers are finite, μ ≥ 0. Throws FileError("NAME: …").
FclibProblem read_fclib(const std::filesystem::path& path);

// The problem and its solution. Throws FileError.
void write_fclib(const std::filesystem::path& path, const FclibProblem& problem, const FclibSolution& solution);

}  // namespace ricochet::io
