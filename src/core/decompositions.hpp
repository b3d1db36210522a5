// What is asked of dense matrices beyond sums and products: eigenvalues, least squares, symmetric systems. In one
// source, for Eigen's solvers take longer to compile than all the mechanics.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "ricochet/core/pattern.hpp"

namespace ricochet {

// By columns.
struct DenseMatrix {
  int rows = 0, cols = 0;
  std::vector<double> values;

  DenseMatrix() = default;
  DenseMatrix(int n, int m)
      : rows(n), cols(m), values(static_cast<std::size_t>(n) * static_cast<std::size_t>(m), 0.0) {}
  DenseMatrix(const Pattern& pattern, const double* A);

  double* col(int j) { return values.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows); }
  const double* col(int j) const {
    return values.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
  }
  double& operator()(int i, int j) { return col(j)[i]; }
  double operator()(int i, int j) const { return col(j)[i]; }
};

struct SymmetricEigen {
  std::vector<double> values;  // ascending
  DenseMatrix vectors;         // of length 1
};
// Of a symmetric A, its lower triangle.
SymmetricEigen symmetric_eigen(const DenseMatrix& A);
// A x = λ B x with a positive definite B; vectors with xᵀBx = 1. Nothing if it cannot be solved.
std::optional<SymmetricEigen> symmetric_eigen(const DenseMatrix& A, const DenseMatrix& B);

// The largest eigenvalue of a symmetric tridiagonal matrix.
double largest_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside);

// The largest real part of the eigenvalues of any square matrix.
double largest_real_part(const DenseMatrix& A);
// All of them, the largest first.
std::vector<std::complex<double>> eigenvalues(const DenseMatrix& A);

// A⁻¹b of any square matrix; nothing if it is singular or not finite.
std::optional<std::vector<double>> solve(const DenseMatrix& A, const std::vector<double>& b);
// The determinant of an n × n matrix, as that of so many equal factors: sign(d) |d|^(1/n).
double mean_determinant(const DenseMatrix& A);

// Of any square matrix; nothing if the iteration fails.
struct GeneralEigen {
  std::vector<std::complex<double>> values, vectors;  // vectors by columns, of length 1
};
std::optional<GeneralEigen> general_eigen(const DenseMatrix& A);

// A⁻¹B of a symmetric A.
DenseMatrix solve_symmetric(const DenseMatrix& A, const DenseMatrix& B);

// min ‖A x − b‖
std::vector<double> least_squares(const DenseMatrix& A, const std::vector<double>& b);

// An orthonormal basis of the columns of A; a column that adds less than `tolerance` of the largest is no new one.
DenseMatrix column_basis(const DenseMatrix& A, double tolerance);
// One of what is orthogonal to all columns of A, which are independent.
DenseMatrix complement_basis(const DenseMatrix& A);

}  // namespace ricochet
