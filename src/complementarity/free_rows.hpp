// Rows that are free in sign, U = 0, are taken out before a solver sees the problem: with the free rows B and the
// others N
//
//     P_B = −W_BB⁺ (W_BN P_N + b_B),   W' = W_NN − W_NB W_BB⁺ W_BN,   b' = b_N − W_NB W_BB⁺ b_B            (1)
//
// leaves 0 ≤ W' P_N + b' ⊥ P_N ≥ 0. W_BB⁺ gives the P_B of least norm where free rows are redundant. They contradict
// each other if b_B is out of the range of W_BB, whatever P_N is. A row whose W'_ii vanishes is held by the free rows:
// no P_i moves it, and P_i = 0 (in a block its law decides).
//
// Few rows: W' is formed. Many: it is known by products and by solves with W, in which the free rows are always active.
#pragma once

#include <vector>

#include "complementarity/newton_system.hpp"
#include "core/semidefinite_solve.hpp"
#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

// W' behind the interface of Newton's method.
class SystemWithoutFreeRows final : public NewtonSystem {
 public:
  // `whole` is W and gets the factors of W_BB, `joint` is W again, for those of W_BB with active rows. False if there
  // are none of W_BB.
  bool set(int n, NewtonSystem& whole, NewtonSystem& joint, const std::vector<int>& free, const std::vector<int>& rest);
  void multiply(const double* x, double* y) override;
  double diagonal(int i) const override { return whole_->diagonal((*rest_)[i]); }
  bool factorise(const Flags& active, const double* D, double floor) override;
  void solve(double* x) override;

  // P_B from P_N by (1), b = 0 if there is none; P is that of all rows.
  void complete(const double* b, double* P);

 private:
  int n_ = 0;
  NewtonSystem *whole_ = nullptr, *joint_ = nullptr;
  const std::vector<int>*free_ = nullptr, *rest_ = nullptr;
  Flags is_free_, active_;
  std::vector<double> scale_, D_, x_, r_, solution_, work_;
};

class FreeRows {
 public:
  // `given` must stay. False if W_BB is not positive semidefinite.
  bool eliminate(const ComplementarityProblem& given, ComplementarityWorkspace::Memory& memory);
  const ComplementarityProblem& rest() const { return rest_problem_; }
  // P of all rows → P of the rest, and back with P_B.
  double* take_guess(const double* P);
  void complete(double* P);
  // W of all rows; whether it is formed, and its factors are nobody's.
  NewtonSystem& whole() { return *whole_; }
  bool is_formed() const { return W_ != nullptr; }
  // Whether a solver has a say in a row.
  bool is_left(int row) const { return is_left_[row]; }

 private:
  bool factorise_dense();
  bool factorise_large();
  void find_held_rows();
  void complete_dense(double* P);
  double W(int i, int j) const { return W_[static_cast<std::size_t>(j) * static_cast<std::size_t>(given_.n) + i]; }

  ComplementarityProblem given_, rest_problem_;
  const double* W_ = nullptr;  // by columns, if it is formed
  NewtonSystem* whole_ = nullptr;
  std::vector<int> free_, rest_;
  Flags is_left_, is_held_;
  std::vector<Cone> rest_cones_;
  std::vector<double> rest_W_, rest_b_, rest_bounds_, rest_P_, P_, w_, W_BB_, X_;  // X_: W_BB⁺ W_BN
  SemidefiniteSolve inverse_;                                                      // W_BB⁺
  DenseSystem dense_;
  SparseSystem sparse_[2];
  SchurSystem schur_[2];
  SystemWithoutFreeRows system_;
};

}  // namespace ricochet
