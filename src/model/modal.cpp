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

DenseMatrix dense(const SparseMatrix& A) { return {A.pattern, A.values.data()}; }

Eigen::Map<const MatrixXd> view(const DenseMatrix& A) { return {A.values.data(), A.rows, A.cols}; }

Eigen::Map<const VectorXd> view(const std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

// S⁺ of a symmetric S ≥ 0, its rows in their own units: those that depend on others add nothing.
MatrixXd pseudo_inverse(const MatrixXd& S) {
  constexpr double round_off = 1e-12;
  const int m = static_cast<int>(S.rows());
  const VectorXd unit = S.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  DenseMatrix scaled(m, m);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) scaled(i, j) = unit[i] * S(i, j) * unit[j];
  const SymmetricEigen eigen = symmetric_eigen(scaled);
  MatrixXd root = unit.asDiagonal() * view(eigen.vectors);
  for (int k = 0; k < m; ++k) root.col(k) *= eigen.values[k] > round_off ? 1.0 / std::sqrt(eigen.values[k]) : 0.0;
  return root * root.transpose();
}

// The pair (K, M) of an eigenvalue problem K φ = λ M φ + G μ, Gᵀφ = 0, shifted and factorised.
class Pencil {
 public:
  // Throws unless K and M are symmetric, of one size, and M is positive definite.
  Pencil(const SparseMatrix& stiffness, const SparseMatrix& mass, const SparseMatrix& held)
      : K_(stiffness), M_(mass), G_(held) {
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
    if (!factorise(add(K_, 1.0, M_, shift), smallest)) return false;
    if (has_held()) find_response();
    return true;
  }

  double shift() const { return shift_; }

  // (K + shift·M) y = M x + G μ with Gᵀy = 0: y = x̃ − A⁻¹G (GᵀA⁻¹G)⁺ Gᵀx̃, x̃ = A⁻¹M x.
  void apply(const double* x, double* y) const {
    multiply_mass(x, y);
    ldlt_.solve(y);
    if (!has_held()) return;
    VectorXd along(G_.cols());
    for (int r = 0; r < G_.cols(); ++r) along[r] = column_dot(G_.pattern, G_.values.data(), r, y);
    Eigen::Map<VectorXd>(y, size()) -= response_ * (flexibility_ * along);
  }

  bool has_held() const { return G_.cols() > 0; }
  const SparseMatrix& held() const { return G_; }

  // y = M x
  void multiply_mass(const double* x, double* y) const {
    // M is symmetric: its columns are its rows.
    for (int i = 0; i < size(); ++i) y[i] = column_dot(M_.pattern, M_.values.data(), i, x);
  }

 private:
  const SparseMatrix &K_, &M_, &G_;

  void find_response() {
    response_ = view(dense(G_));
    for (int r = 0; r < G_.cols(); ++r) ldlt_.solve(response_.col(r).data());
    MatrixXd S(G_.cols(), G_.cols());
    for (int c = 0; c < G_.cols(); ++c)
      for (int r = 0; r < G_.cols(); ++r)
        S(r, c) = column_dot(G_.pattern, G_.values.data(), r, response_.col(c).data());
    flexibility_ = pseudo_inverse(S);
  }

  bool factorise(const SparseMatrix& A, double smallest) {
    if (!ldlt_.factorise(A.values.data()) || ldlt_.negative_pivots() > 0) return false;
    for (int i = 0; i < size(); ++i)
      if (!(ldlt_.pivot(i) > smallest * A.at(i, i))) return false;
    return true;
  }

  SparseLdlt ldlt_;
  MatrixXd response_, flexibility_;  // A⁻¹G, (GᵀA⁻¹G)⁺
  double shift_ = 0.0, scale_ = 0.0;
};

// The entry largest in size becomes positive; of entries that are equal to six digits the first counts.
void fix_sign(Eigen::Ref<VectorXd> shape) {
  const double largest = shape.cwiseAbs().maxCoeff();
  Index i = 0;
  while (std::abs(shape[i]) < (1.0 - 1e-6) * largest) ++i;
  if (shape[i] < 0.0) shape = -shape;
}

// ω², 0 for rigid motions.
double square(const Pencil& pencil, double lambda, const RoundOff& round_off, bool may_grow) {
  const double part = std::abs(lambda) / std::max(pencil.scale(), pencil.shift());
  if (!(part > round_off.rigid)) return 0.0;
  if (may_grow) return part < round_off.elastic ? 0.0 : lambda;
  if (part < round_off.elastic)
    throw Error("a mode cannot be told from a rigid motion: the stiffness is too ill-conditioned");
  if (!(lambda >= 0.0)) throw InputError("stiffness", not_definite);
  return lambda;
}

// Frequencies and signs for eigenvalues, ascending, and vectors with φᵀMφ = 1.
ModalBasis make_basis(const Pencil& pencil, const VectorXd& lambda, MatrixXd shapes, const RoundOff& round_off,
                      bool may_grow) {
  ModalBasis basis{.n = static_cast<int>(shapes.rows()), .m = static_cast<int>(shapes.cols())};
  for (int mode = 0; mode < basis.m; ++mode) {
    basis.square.push_back(square(pencil, lambda[mode], round_off, may_grow));
    basis.omega.push_back(std::sqrt(std::max(basis.square.back(), 0.0)));
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

// What is wanted, and what motions about a state of very stiff models may leave: the condition of K is in it.
constexpr double residual_tolerance = 1e-9, rough_tolerance = 1e-5;

// That of a mode; with rows that are held reactions stand beside the terms.
double residual(const Pencil& pencil, const ModalBasis& basis, int mode) {
  if (pencil.has_held() || basis.square[mode] < 0.0) return 0.0;
  return residual(pencil, basis.square[mode], basis.shapes.data() + static_cast<std::size_t>(mode) * basis.n);
}

void check_residuals(const Pencil& pencil, const ModalBasis& basis, double tolerance) {
  for (int mode = 0; mode < basis.m; ++mode)
    if (const double found = residual(pencil, basis, mode); !(found <= tolerance))
      throw Error(fmt::format("mode {} could not be found: its residual is {:.1e} of its terms", mode + 1, found));
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

// A shift for a K with rigid motions: large enough for the factors, and then well below the modes wanted. Motions that
// grow, λ < 0, need one above −λ.
void factorise_shifted(Pencil& pencil, double shift, bool may_grow) {
  constexpr double smallest_part = 1e-11, largest_part = 100.0;
  shift = std::max(shift, smallest_part * pencil.scale());
  if (shift == 0.0) shift = 1.0;  // K = 0
  while (!pencil.factorise(shift, 0.0)) {
    if (!may_grow || shift > largest_part * pencil.scale()) throw InputError("stiffness", not_definite);
    shift *= 4.0;
  }
}

// Whether all vectors are modes, seen from the inverse and from K φ = λ M φ itself.
bool is_converged(const Pencil& pencil, const BlockKrylov& krylov, const MatrixXd& X, const VectorXd& mu, int count,
                  double tolerance = residual_tolerance) {
  for (int i = 0; i < count; ++i) {
    const double lambda = 1.0 / mu[i] - pencil.shift();
    if (!(krylov.inverse_residual(X.col(i), mu[i]) <= tolerance)) return false;
    if (lambda >= 0.0 && !pencil.has_held() && !(residual(pencil, lambda, X.col(i).data()) <= tolerance)) return false;
  }
  return true;
}

// The modes wanted from a start X of more vectors; `highest` is a guess for the last λ.
ModalBasis iterate(Pencil& pencil, MatrixXd X, int count, double highest, bool may_grow) {
  const bool has_rigid_motions = !pencil.factorise(0.0, rigid_pivot);
  if (has_rigid_motions) factorise_shifted(pencil, 0.1 * highest, may_grow);
  BlockKrylov krylov(pencil, static_cast<int>(X.cols()));
  VectorXd mu;
  bool lowest_shift = false;
  constexpr int most_cycles = 40;
  for (int cycle = 0; cycle < most_cycles; ++cycle) {
    krylov.improve(X, mu);
    // The shift follows the modes down.
    highest = 1.0 / mu[count - 1] - pencil.shift();
    if (has_rigid_motions && !lowest_shift && pencil.shift() > highest && pencil.shift() > 1e-10 * pencil.scale()) {
      const double before = pencil.shift();
      factorise_shifted(pencil, 0.1 * highest, may_grow);
      lowest_shift = pencil.shift() >= before;
    } else if (is_converged(pencil, krylov, X, mu, count) ||
               (may_grow && cycle + 1 == most_cycles && is_converged(pencil, krylov, X, mu, count, rough_tolerance))) {
      const VectorXd lambda = mu.head(count).cwiseInverse().array() - pencil.shift();
      return make_basis(pencil, lambda, X.leftCols(count), has_rigid_motions ? of_inverse : definite, may_grow);
    }
  }
  throw Error(fmt::format("the {} lowest modes did not converge in {} cycles", count, most_cycles));
}

// K φ = λ M φ on Gᵀφ = 0, dense: with M = L Lᵀ, columns N = L⁻ᵀQ, Q orthonormal and orthogonal to L⁻¹G, NᵀMN = 1.
std::optional<SymmetricEigen> held_eigen(const SparseMatrix& K, const SparseMatrix& M, const SparseMatrix& G) {
  const std::optional<SymmetricEigen> free = symmetric_eigen(dense(K), dense(M));  // X: XᵀMX = 1
  if (!free || G.cols() == 0) return free;
  const MatrixXd X = view(free->vectors), A = X.transpose() * view(dense(G));
  const int n = K.rows();
  const MatrixXd P = A * pseudo_inverse(A.transpose() * A) * A.transpose();
  DenseMatrix projector(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) projector(i, j) = 0.5 * (P(i, j) + P(j, i));
  const SymmetricEigen split = symmetric_eigen(projector);
  int rank = 0;
  while (rank < n && split.values[n - 1 - rank] > 0.5) ++rank;
  const MatrixXd Q = view(split.vectors).leftCols(n - rank);
  const MatrixXd reduced = Q.transpose() * view(free->values).asDiagonal() * Q;
  DenseMatrix symmetric(n - rank, n - rank);
  for (int j = 0; j < n - rank; ++j)
    for (int i = 0; i < n - rank; ++i) symmetric(i, j) = 0.5 * (reduced(i, j) + reduced(j, i));
  if (rank == n) return SymmetricEigen{{}, DenseMatrix(n, 0)};
  SymmetricEigen result = symmetric_eigen(symmetric);
  const MatrixXd shapes = X * (Q * view(result.vectors));
  result.vectors = DenseMatrix(n, n - rank);
  std::copy(shapes.data(), shapes.data() + shapes.size(), result.vectors.values.begin());
  return result;
}

}  // namespace

ModalBasis lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                        const ModalConditions& conditions) {
  constexpr int largest_dense = 400;
  return stiffness.rows() <= largest_dense ? lowest_modes_dense(stiffness, mass, count, conditions)
                                           : lowest_modes_sparse(stiffness, mass, count, conditions);
}

ModalBasis lowest_modes_dense(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                              const ModalConditions& conditions) {
  const bool may_grow = conditions.may_grow;
  Pencil pencil(stiffness, mass, conditions.held);
  check_count(pencil.size(), count);
  const std::optional<SymmetricEigen> modes = held_eigen(stiffness, mass, conditions.held);
  if (!modes) throw Error("the modes could not be found: the matrices are too ill-conditioned");
  const int all = static_cast<int>(modes->values.size());
  count = std::min(count, all);

  // Where only a part of the modes is wanted, they get the digits that the dense solver leaves to the highest ones.
  const auto lambda = view(modes->values);
  const auto shapes = view(modes->vectors);
  const int width = count + further;
  if (2 * width <= all) return iterate(pencil, shapes.leftCols(width), count, lambda[count - 1], may_grow);
  const bool has_rigid_motions = !pencil.factorise(0.0, rigid_pivot);
  ModalBasis basis = make_basis(pencil, lambda.head(count), shapes.leftCols(count),
                                has_rigid_motions || may_grow ? of_dense : definite, may_grow);
  // Of all modes the lower half can be refined.
  const int half = std::min(count, all / 2 - further);
  const auto is_rough = [&](int mode) { return !(residual(pencil, basis, mode) <= residual_tolerance); };
  bool rough = pencil.has_held();
  for (int mode = 0; mode < count && !rough; ++mode) rough = is_rough(mode);
  if (rough && half > 0) {
    const ModalBasis refined = iterate(pencil, shapes.leftCols(half + further), half, lambda[half - 1], may_grow);
    std::copy(refined.omega.begin(), refined.omega.end(), basis.omega.begin());
    std::copy(refined.square.begin(), refined.square.end(), basis.square.begin());
    std::copy(refined.shapes.begin(), refined.shapes.end(), basis.shapes.begin());
  }
  check_residuals(pencil, basis, may_grow ? rough_tolerance : residual_tolerance);
  return basis;
}

ModalBasis lowest_modes_sparse(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                               const ModalConditions& conditions) {
  Pencil pencil(stiffness, mass, conditions.held);
  const int all = pencil.size() - conditions.held.cols();
  check_count(all, count);
  const int width = std::min(count + further, all);
  return iterate(pencil, random_block(pencil.size(), width), count, 1e-5 * pencil.scale(), conditions.may_grow);
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
