// Low modes come from the inverse, B φ = μ φ with B = (K + σM)⁻¹M and λ = 1/μ − σ: there they are the large μ, found
// first and with all their digits. σ = 0 if K is positive definite; rigid motions need σ > 0.
// The way is by block Krylov spaces X, BX, B²X, B³X, orthonormal in M, with Rayleigh-Ritz and restart from the best
// Ritz vectors (G. H. Golub, R. Underwood, The block Lanczos method, 1977; T. Ericsson, A. Ruhe, Math. Comp. 35 (1980)
// 1251, doi:10.1090/S0025-5718-1980-0583502-2). A block is wider than the number of modes, so that multiple frequencies
// are found as often as they occur. Small systems start from the modes of a dense solver, large ones from random
// vectors.
#include "ricochet/model/modal.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/decompositions.hpp"
#include "core/sparse_ldlt.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Below this part of its diagonal entry a pivot of K tells of a rigid motion.
constexpr double rigid_pivot = 1e-12;

// λ up to `rigid`, as part of the scale of K against M, is round-off of a rigid motion; above `elastic` it is a mode.
// What lies between could be either.
struct RoundOff {
  double rigid, elastic;
};
constexpr RoundOff definite{0.0, 0.0}, of_dense{1e-12, 1e-12}, of_inverse{2e-16, 1e-15};

// Vectors of a block beyond the modes wanted.
constexpr int further = 4;

constexpr char not_definite[] = "must be positive definite, apart from rigid motions, to have modes";

void check_count(int n, int count) {
  if (count < 1 || count > n)
    throw InputError("modes", fmt::format("must be between 1 and the number of unknowns, {}, got {}", n, count));
}

constexpr double tolerated_asymmetry = 1e-10;

void check_sizes(const SparseMatrix& K, const SparseMatrix& M) {
  if (K.rows() != K.cols() || M.rows() != M.cols() || K.rows() != M.rows())
    throw InputError("", fmt::format("modes need square stiffness and mass of one size, got {} by {} and {} by {}",
                                     K.rows(), K.cols(), M.rows(), M.cols()));
  if (!is_symmetric(K, tolerated_asymmetry)) throw InputError("stiffness", "must be symmetric to have modes");
  if (!is_symmetric(M, tolerated_asymmetry)) throw InputError("mass", "must be symmetric");
}

// The pair (K, M) of an eigenvalue problem K φ = λ M φ, shifted and factorised.
class Pencil {
 public:
  // Throws unless K and M are symmetric, of one size, and M is positive definite.
  Pencil(const SparseMatrix& stiffness, const SparseMatrix& mass) : K_(stiffness), M_(mass) {
    check_sizes(K_, M_);
    // M alone on the common pattern, so that one analysis serves every combination of K and M.
    const SparseMatrix alone = add(K_, 0.0, M_, 1.0);
    ldlt_.analyse(alone.pattern);
    constexpr double smallest_pivot = 1e-14;
    if (!factorise(alone, smallest_pivot)) throw InputError("mass", "must be positive definite");
    for (int i = 0; i < size(); ++i) scale_ = std::max(scale_, K_.at(i, i) / M_.at(i, i));
  }

  int size() const { return K_.cols(); }
  const SparseMatrix& stiffness() const { return K_; }
  const SparseMatrix& mass() const { return M_; }

  // max K_ii/M_ii: not above the largest λ, and of its size.
  double scale() const { return scale_; }

  // Factorises K + shift·M. False unless it is positive definite, with no pivot below `smallest` of its diagonal entry.
  bool factorise(double shift, double smallest) {
    shift_ = shift;
    return factorise(add(K_, 1.0, M_, shift), smallest);
  }

  double shift() const { return shift_; }

  // y = (K + shift·M)⁻¹ M x
  void apply(const double* x, double* y) const {
    multiply_mass(x, y);
    ldlt_.solve(y);
  }

  // y = M x
  void multiply_mass(const double* x, double* y) const {
    // M is symmetric: its columns are its rows.
    for (int i = 0; i < size(); ++i) y[i] = column_dot(M_.pattern, M_.values.data(), i, x);
  }

 private:
  const SparseMatrix &K_, &M_;

  bool factorise(const SparseMatrix& A, double smallest) {
    if (!ldlt_.factorise(A.values.data()) || ldlt_.negative_pivots() > 0) return false;
    for (int i = 0; i < size(); ++i)
      if (!(ldlt_.pivot(i) > smallest * A.at(i, i))) return false;
    return true;
  }

  SparseLdlt ldlt_;
  double shift_ = 0.0, scale_ = 0.0;
};

DenseMatrix dense(const SparseMatrix& A) { return {A.pattern, A.values.data()}; }

Eigen::Map<const MatrixXd> view(const DenseMatrix& A) { return {A.values.data(), A.rows, A.cols}; }

Eigen::Map<const VectorXd> view(const std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

// The entry largest in size becomes positive; of entries that are equal to six digits the first counts.
void fix_sign(Eigen::Ref<VectorXd> shape) {
  const double largest = shape.cwiseAbs().maxCoeff();
  Index i = 0;
  while (std::abs(shape[i]) < (1.0 - 1e-6) * largest) ++i;
  if (shape[i] < 0.0) shape = -shape;
}

double frequency(const Pencil& pencil, double lambda, const RoundOff& round_off) {
  const double part = std::abs(lambda) / std::max(pencil.scale(), pencil.shift());
  if (!(part > round_off.rigid)) return 0.0;
  if (part < round_off.elastic)
    throw Error("a mode cannot be told from a rigid motion: the stiffness is too ill-conditioned");
  if (!(lambda >= 0.0)) throw InputError("stiffness", not_definite);
  return std::sqrt(lambda);
}

// Frequencies and signs for eigenvalues, ascending, and vectors with φᵀMφ = 1.
ModalBasis make_basis(const Pencil& pencil, const VectorXd& lambda, MatrixXd shapes, const RoundOff& round_off) {
  ModalBasis basis{.n = static_cast<int>(shapes.rows()), .m = static_cast<int>(shapes.cols())};
  for (int mode = 0; mode < basis.m; ++mode) {
    basis.omega.push_back(frequency(pencil, lambda[mode], round_off));
    fix_sign(shapes.col(mode));
  }
  basis.shapes.assign(shapes.data(), shapes.data() + shapes.size());
  return basis;
}

// ‖Kφ − λMφ‖ against the size of its terms; each row in its own unit, by the diagonal of K + λM.
double residual(const Pencil& pencil, double lambda, const double* shape) {
  const SparseMatrix &K = pencil.stiffness(), &M = pencil.mass();
  VectorXd r = VectorXd::Zero(pencil.size());
  multiply_add(K.pattern, K.values.data(), shape, 1.0, r.data());
  multiply_add(M.pattern, M.values.data(), shape, -lambda, r.data());
  double sum = 0.0, terms = 0.0;
  for (int i = 0; i < pencil.size(); ++i) {
    const double unit = K.at(i, i) + lambda * M.at(i, i);
    if (unit <= 0.0) continue;
    sum += r[i] * r[i] / unit;
    terms += shape[i] * shape[i] * unit;
  }
  return terms > 0.0 ? std::sqrt(sum / terms) : 0.0;
}

constexpr double residual_tolerance = 1e-9;

void check_residuals(const Pencil& pencil, const ModalBasis& basis) {
  for (int mode = 0; mode < basis.m; ++mode) {
    const double lambda = basis.omega[mode] * basis.omega[mode];
    const double found = residual(pencil, lambda, basis.shapes.data() + static_cast<std::size_t>(mode) * basis.n);
    if (!(found <= residual_tolerance))
      throw Error(fmt::format("mode {} could not be found: its residual is {:.1e} of its terms", mode + 1, found));
  }
}

// (K + σM)⁻¹M on blocks of vectors, and their orthonormal bases in M.
class BlockKrylov {
 public:
  BlockKrylov(const Pencil& pencil, int width)
      : pencil_(pencil), width_(width), V_(pencil.size(), blocks * width), MV_(pencil.size(), width) {}

  // Largest Ritz values and vectors of the space that grows from X. X need not be orthonormal.
  void improve(MatrixXd& X, VectorXd& mu) {
    columns_ = 0;
    MatrixXd Y = X;
    MatrixXd T = MatrixXd::Zero(V_.cols(), V_.cols());
    for (int block = 0; block < blocks; ++block) {
      const Index first = columns_, added = append(Y);
      if (added == 0) break;
      Y.resize(V_.rows(), added);
      for (Index j = 0; j < added; ++j) pencil_.apply(V_.col(first + j).data(), Y.col(j).data());
      // T = Vᵀ M B V, upper triangle.
      T.block(0, first, columns_, added).noalias() = V_.leftCols(columns_).transpose() * times_mass(Y);
    }
    const int size = static_cast<int>(columns_);
    DenseMatrix used(size, size);  // its lower triangle
    for (int j = 0; j < size; ++j)
      for (int i = j; i < size; ++i) used(i, j) = T(j, i);
    const SymmetricEigen ritz = symmetric_eigen(used);
    const Index kept = std::min<Index>(width_, columns_);
    mu = view(ritz.values).tail(kept).reverse();
    X = V_.leftCols(columns_) * view(ritz.vectors).rightCols(kept).rowwise().reverse();
  }

  // ‖φ − Bφ/μ‖ in the norm of M, for a vector of norm 1.
  double inverse_residual(const VectorXd& x, double mu) const {
    VectorXd r(x.size()), Mr(x.size());
    pencil_.apply(x.data(), r.data());
    r = x - r / mu;
    pencil_.multiply_mass(r.data(), Mr.data());
    return std::sqrt(std::max(0.0, r.dot(Mr)));
  }

 private:
  static constexpr int blocks = 4;

  Eigen::Ref<MatrixXd> times_mass(const MatrixXd& Y) {
    for (Index j = 0; j < Y.cols(); ++j) pencil_.multiply_mass(Y.col(j).data(), MV_.col(j).data());
    return MV_.leftCols(Y.cols());
  }

  // What is new in Y, orthonormal, becomes further columns of V. Returns their number.
  Index append(MatrixXd& Y) {
    const Index before = columns_;
    for (Index j = 0; j < Y.cols(); ++j) Y.col(j) /= norm(Y.col(j));
    // Twice is enough.
    for (int pass = 0; pass < 2 && before > 0; ++pass)
      Y -= V_.leftCols(before) * (V_.leftCols(before).transpose() * times_mass(Y)).eval();
    for (Index j = 0; j < Y.cols() && columns_ < Y.rows(); ++j) append_vector(Y.col(j), before);
    return columns_ - before;
  }

  void append_vector(Eigen::Ref<VectorXd> y, Index before) {
    constexpr double nothing_new = 1e-10, little_left = 1e-2;
    VectorXd My(y.size());
    double left = norm(y);
    if (!(left > nothing_new)) return;
    y /= left;
    for (int pass = 0; pass < 2; ++pass) {
      // Within the block; against all if little was left, for that magnifies what earlier passes have missed.
      const Index own = pass == 1 && left < little_left ? 0 : before;
      const auto V = V_.middleCols(own, columns_ - own);
      pencil_.multiply_mass(y.data(), My.data());
      y -= V * (V.transpose() * My).eval();
      left = norm(y);
      if (!(left > nothing_new)) return;
      y /= left;
    }
    V_.col(columns_++) = y;
  }

  double norm(const Eigen::Ref<const VectorXd>& y) const {
    VectorXd My(y.size());
    pencil_.multiply_mass(y.data(), My.data());
    return std::sqrt(std::max(0.0, y.dot(My)));
  }

  const Pencil& pencil_;
  int width_;
  MatrixXd V_, MV_;
  Index columns_ = 0;
};

// The same numbers on every machine.
MatrixXd random_block(int n, int width) {
  std::mt19937_64 generator(20010815);
  MatrixXd X(n, width);
  for (Index j = 0; j < width; ++j)
    for (Index i = 0; i < n; ++i) X(i, j) = static_cast<double>(generator() >> 11) * 0x1p-52 - 1.0;
  return X;
}

// A shift for a K with rigid motions: large enough for the factors, and then well below the modes wanted.
void factorise_shifted(Pencil& pencil, double shift) {
  constexpr double smallest_part = 1e-11;
  shift = std::max(shift, smallest_part * pencil.scale());
  if (shift == 0.0) shift = 1.0;  // K = 0
  if (!pencil.factorise(shift, 0.0)) throw InputError("stiffness", not_definite);
}

// Whether all vectors are modes, seen from the inverse and from K φ = λ M φ itself.
bool is_converged(const Pencil& pencil, const BlockKrylov& krylov, const MatrixXd& X, const VectorXd& mu, int count) {
  for (int i = 0; i < count; ++i) {
    const double lambda = std::max(0.0, 1.0 / mu[i] - pencil.shift());
    if (!(krylov.inverse_residual(X.col(i), mu[i]) <= residual_tolerance)) return false;
    if (!(residual(pencil, lambda, X.col(i).data()) <= residual_tolerance)) return false;
  }
  return true;
}

// The modes wanted from a start X of more vectors; `highest` is a guess for the last λ.
ModalBasis iterate(Pencil& pencil, MatrixXd X, int count, double highest) {
  const bool has_rigid_motions = !pencil.factorise(0.0, rigid_pivot);
  if (has_rigid_motions) factorise_shifted(pencil, 0.1 * highest);
  BlockKrylov krylov(pencil, static_cast<int>(X.cols()));
  VectorXd mu;
  constexpr int most_cycles = 40;
  for (int cycle = 0; cycle < most_cycles; ++cycle) {
    krylov.improve(X, mu);
    // The shift follows the modes down.
    highest = 1.0 / mu[count - 1] - pencil.shift();
    if (has_rigid_motions && pencil.shift() > highest && pencil.shift() > 1e-10 * pencil.scale()) {
      factorise_shifted(pencil, 0.1 * highest);
    } else if (is_converged(pencil, krylov, X, mu, count)) {
      const VectorXd lambda = mu.head(count).cwiseInverse().array() - pencil.shift();
      return make_basis(pencil, lambda, X.leftCols(count), has_rigid_motions ? of_inverse : definite);
    }
  }
  throw Error(fmt::format("the {} lowest modes did not converge in {} cycles", count, most_cycles));
}

}  // namespace

ModalBasis lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count) {
  constexpr int largest_dense = 400;
  return stiffness.rows() <= largest_dense ? lowest_modes_dense(stiffness, mass, count)
                                           : lowest_modes_sparse(stiffness, mass, count);
}

ModalBasis lowest_modes_dense(const SparseMatrix& stiffness, const SparseMatrix& mass, int count) {
  Pencil pencil(stiffness, mass);
  check_count(pencil.size(), count);
  const std::optional<SymmetricEigen> modes = symmetric_eigen(dense(stiffness), dense(mass));
  if (!modes) throw Error("the modes could not be found: the matrices are too ill-conditioned");

  // Where only a part of the modes is wanted, they get the digits that the dense solver leaves to the highest ones.
  const auto lambda = view(modes->values);
  const auto shapes = view(modes->vectors);
  const int width = count + further;
  if (2 * width <= pencil.size()) return iterate(pencil, shapes.leftCols(width), count, lambda[count - 1]);
  const bool has_rigid_motions = !pencil.factorise(0.0, rigid_pivot);
  const ModalBasis basis =
      make_basis(pencil, lambda.head(count), shapes.leftCols(count), has_rigid_motions ? of_dense : definite);
  check_residuals(pencil, basis);
  return basis;
}

ModalBasis lowest_modes_sparse(const SparseMatrix& stiffness, const SparseMatrix& mass, int count) {
  Pencil pencil(stiffness, mass);
  check_count(pencil.size(), count);
  const int width = std::min(count + further, pencil.size());
  return iterate(pencil, random_block(pencil.size(), width), count, 1e-5 * pencil.scale());
}

SparseMatrix modal_damping(const SparseMatrix& mass, const ModalBasis& basis, const std::vector<double>& ratios) {
  constexpr int most_unknowns = 2000;
  const int n = basis.n;
  if (n > most_unknowns)
    throw InputError("damping", fmt::format("modal damping of {} unknowns is a dense matrix; above {} reduce the model "
                                            "to its modes",
                                            n, most_unknowns));
  if (ratios.size() != 1 && ratios.size() != basis.omega.size())
    throw InputError("damping",
                     fmt::format("needs one ratio or one for each of the {} modes, got {}", basis.m, ratios.size()));
  for (const double ratio : ratios)
    if (!(ratio >= 0.0 && std::isfinite(ratio)))
      throw InputError("damping", fmt::format("ratios must not be negative, got {}", ratio));

  // Columns √(2ζω) Mφ; C is the sum of their squares.
  MatrixXd Y = MatrixXd::Zero(n, basis.m);
  for (int mode = 0; mode < basis.m; ++mode) {
    const double ratio = ratios.size() == 1 ? ratios[0] : ratios[mode];
    const double* shape = basis.shapes.data() + static_cast<std::size_t>(mode) * n;
    multiply_add(mass.pattern, mass.values.data(), shape, std::sqrt(2.0 * ratio * basis.omega[mode]),
                 Y.col(mode).data());
  }
  MatrixXd C = Y * Y.transpose();
  C.triangularView<Eigen::StrictlyUpper>() = C.transpose();
  return {Pattern::dense(n, n), {C.data(), C.data() + C.size()}};
}

}  // namespace ricochet
