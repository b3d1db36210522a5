// What Newton-like solvers do with W: products, and solves with a part of it,
//     (W + diag(D))_AA x_A = r_A,   x = 0 elsewhere,
// for any active set A and D ≥ 0. One class per form of W.
#pragma once

#include <memory>
#include <vector>

#include "core/dense_lu.hpp"
#include "core/sparse_ldlt.hpp"
#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

using Flags = std::vector<unsigned char>;

class NewtonSystem {
 public:
  virtual ~NewtonSystem() = default;
  // y := W x
  virtual void multiply(const double* x, double* y) = 0;
  virtual double diagonal(int i) const = 0;
  // Scaled by the diagonal of W where there is one, at least `floor` is added to it: redundant rows stay solvable.
  virtual bool factorise(const Flags& active, const double* D, double floor) = 0;
  // x holds r on entry; entries outside the active set are ignored and come out 0.
  virtual void solve(double* x) = 0;
};

class DenseSystem final : public NewtonSystem {
 public:
  void set(int n, const double* W);
  void multiply(const double* x, double* y) override;
  double diagonal(int i) const override { return W_[static_cast<std::size_t>(i) * n_ + i]; }
  bool factorise(const Flags& active, const double* D, double floor) override;
  void solve(double* x) override;

 private:
  int n_ = 0;
  const double* W_ = nullptr;
  std::vector<int> rows_;
  std::vector<double> packed_;
  DenseLu<double> factors_;
};

class SparseSystem final : public NewtonSystem {
 public:
  void set(const SparseForm& W);
  void multiply(const double* x, double* y) override;
  double diagonal(int i) const override { return W_.values[diagonal_[i]]; }
  bool factorise(const Flags& active, const double* D, double floor) override;
  void solve(double* x) override;

 private:
  SparseForm W_;
  Pattern pattern_;
  std::vector<int> diagonal_;  // where it is in the pattern
  std::vector<double> values_;
  Flags active_;
  double floor_ = 0.0;
  bool factorised_ = false;  // W with floor_ on active_, nothing added
  SparseLdlt factors_;
};

// Through the quasi-definite matrix [A H; Hᵀ −D], which is as sparse as A and H.
class SchurSystem final : public NewtonSystem {
 public:
  void set(int n, const SchurForm& W);
  void multiply(const double* x, double* y) override;
  double diagonal(int i) const override { return diagonal_[i]; }
  bool factorise(const Flags& active, const double* D, double floor) override;
  void solve(double* x) override;
  const LinearSolve& inner() const { return *inner_; }

 private:
  void analyse();
  void estimate_diagonal();

  int n_ = 0, m_ = 0;
  SchurForm W_;
  Pattern matrix_pattern_, gradient_pattern_, joint_;
  std::vector<int> from_A_, from_H_, from_D_;  // places in the joint matrix: A, H and Hᵀ, −D
  std::vector<double> values_, work_, diagonal_;
  Flags active_;
  SparseLdlt joint_factors_;
  SparseLdlt own_;
  const LinearSolve* inner_ = nullptr;
};

}  // namespace ricochet
