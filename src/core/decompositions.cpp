#include "core/decompositions.hpp"

#include <Eigen/Dense>

namespace ricochet {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const MatrixXd> view(const DenseMatrix& A) { return {A.values.data(), A.rows, A.cols}; }

Eigen::Map<const VectorXd> view(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

std::vector<double> list(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }

DenseMatrix matrix(const MatrixXd& A) {
  DenseMatrix result(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  std::copy(A.data(), A.data() + A.size(), result.values.begin());
  return result;
}

SymmetricEigen result_of(const Eigen::SelfAdjointEigenSolver<MatrixXd>& solver) {
  return {list(solver.eigenvalues()), matrix(solver.eigenvectors())};
}

}  // namespace

DenseMatrix::DenseMatrix(const Pattern& pattern, const double* A) : DenseMatrix(pattern.rows, pattern.cols) {
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) (*this)(pattern.row[k], j) = A[k];
}

SymmetricEigen symmetric_eigen(const DenseMatrix& A) {
  return result_of(Eigen::SelfAdjointEigenSolver<MatrixXd>(view(A)));
}

std::optional<SymmetricEigen> symmetric_eigen(const DenseMatrix& A, const DenseMatrix& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(view(A), view(B));
  if (solver.info() != Eigen::Success) return std::nullopt;
  return result_of(solver);
}

double largest_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
  solver.computeFromTridiagonal(view(diagonal), view(beside), Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff();
}

double largest_real_part(const DenseMatrix& A) {
  return Eigen::EigenSolver<MatrixXd>(view(A), false).eigenvalues().real().maxCoeff();
}

std::optional<GeneralEigen> general_eigen(const DenseMatrix& A) {
  const Eigen::EigenSolver<MatrixXd> solver(view(A));
  if (solver.info() != Eigen::Success) return std::nullopt;
  const Eigen::VectorXcd values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  return GeneralEigen{{values.data(), values.data() + values.size()},
                      {vectors.data(), vectors.data() + vectors.size()}};
}

std::vector<std::complex<double>> eigenvalues(const DenseMatrix& A) {
  if (A.rows == 0) return {};
  const auto found = Eigen::EigenSolver<MatrixXd>(view(A), false).eigenvalues().eval();
  std::vector<std::complex<double>> values(found.data(), found.data() + found.size());
  // A pair stays together, the one above the real axis first.
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) > std::abs(b) : a.imag() > b.imag();
  });
  return values;
}

std::optional<std::vector<double>> solve(const DenseMatrix& A, const std::vector<double>& b) {
  const Eigen::PartialPivLU<MatrixXd> lu(view(A));
  std::vector<double> x = list(lu.solve(view(b)));
  for (const double entry : x)
    if (!std::isfinite(entry)) return std::nullopt;
  return x;
}

double mean_determinant(const DenseMatrix& A) {
  if (A.rows == 0) return 1.0;
  const Eigen::PartialPivLU<MatrixXd> lu(view(A));
  const VectorXd pivots = lu.matrixLU().diagonal();
  double log = 0.0, sign = static_cast<double>(lu.permutationP().determinant());
  for (const double pivot : pivots) log += std::log(std::abs(pivot)), sign *= pivot < 0.0 ? -1.0 : 1.0;
  return sign * std::exp(log / static_cast<double>(A.rows));
}

DenseMatrix solve_symmetric(const DenseMatrix& A, const DenseMatrix& B) {
  return matrix(MatrixXd(view(A)).ldlt().solve(view(B)));
}

std::vector<double> least_squares(const DenseMatrix& A, const std::vector<double>& b) {
  return list(MatrixXd(view(A)).colPivHouseholderQr().solve(view(b)));
}

DenseMatrix column_basis(const DenseMatrix& A, double tolerance) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(view(A));
  qr.setThreshold(tolerance);
  return matrix(MatrixXd(qr.householderQ()).leftCols(qr.rank()));
}

DenseMatrix complement_basis(const DenseMatrix& A) {
  const Eigen::HouseholderQR<MatrixXd> qr(view(A));
  return matrix(MatrixXd(qr.householderQ()).rightCols(A.rows - A.cols));
}

}  // namespace ricochet
