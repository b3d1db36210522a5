#include "ricochet/study/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/decompositions.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/model/modal.hpp"

namespace ricochet {
namespace {

using Complex = std::complex<double>;
using Vector = std::vector<double>;

constexpr int largest_coupled = 250;  // coordinates whose state matrix is decomposed as a whole
constexpr int number_by_default = 10;

// Columns of a basis, with what matrices are in it.
class Basis {
 public:
  explicit Basis(const ModalBasis& modes) : modes_(modes) {}
  int size() const { return modes_.m; }
  const double* shape(int k) const { return modes_.shapes.data() + static_cast<std::size_t>(k) * modes_.n; }
  double square(int k) const { return modes_.square[k]; }

  // ΦᵀAΦ
  DenseMatrix reduced(const SparseMatrix& A) const {
    DenseMatrix result(size(), size());
    Vector y(modes_.n);
    for (int j = 0; j < size(); ++j) {
      std::fill(y.begin(), y.end(), 0.0);
      multiply_add(A.pattern, A.values.data(), shape(j), 1.0, y.data());
      for (int i = 0; i < size(); ++i) result(i, j) = dot(modes_.n, shape(i), y.data());
    }
    return result;
  }

 private:
  const ModalBasis& modes_;
};

// Entries that mirror each other differ by less than nine digits: of differences of forces no more can be asked.
bool is_symmetric(const SparseMatrix& A) {
  constexpr double digits = 1e-9;
  for (int j = 0; j < A.cols(); ++j)
    for (int k = A.pattern.start[j]; k < A.pattern.start[j + 1]; ++k) {
      const int i = A.pattern.row[k];
      const double one = A.values[k], other = A.at(j, i);
      const double size = std::max(std::abs(one) + std::abs(other), std::sqrt(std::abs(A.at(i, i) * A.at(j, j))));
      if (!(std::abs(one - other) <= digits * size)) return false;
    }
  return true;
}

// Whether entries beside the diagonal are round-off of those on it.
bool is_diagonal(const DenseMatrix& A) {
  constexpr double share = 1e-8, round_off = 1e-13;
  double largest = 0.0;
  for (int i = 0; i < A.rows; ++i) largest = std::max(largest, std::abs(A(i, i)));
  for (int j = 0; j < A.cols; ++j)
    for (int i = 0; i < A.rows; ++i)
      if (i != j && std::abs(A(i, j)) > share * std::sqrt(std::abs(A(i, i) * A(j, j))) + round_off * largest)
        return false;
  return true;
}

// x'' + 2ζω x' + ω² x = 0 from ω² and c = 2ζω.
Mode oscillator(double square, double c) {
  Mode mode;
  mode.omega = std::sqrt(std::abs(square));
  mode.damping = square > 0.0 ? 0.5 * c / mode.omega : 0.0;
  const double discriminant = 0.25 * c * c - square;
  if (discriminant < 0.0) {
    mode.sigma = {-0.5 * c, std::sqrt(-discriminant)};
  } else {
    // Of two real roots the one that decays slower, or grows: from the product where their sum would cancel.
    const double root = std::sqrt(discriminant);
    mode.sigma = c > 0.0 && square != 0.0 ? -square / (0.5 * c + root) : -0.5 * c + root;
    if (square < 0.0) mode.damping = -1.0;
  }
  return mode;
}

Mode mode_of(Complex sigma) {
  Mode mode;
  mode.sigma = sigma;
  mode.omega = std::abs(sigma);
  mode.damping = mode.omega > 0.0 ? -sigma.real() / mode.omega : 0.0;
  return mode;
}

// φᴴMφ = 1, the entry largest in size real and positive.
void set_shape(Mode& mode, std::vector<Complex> shape, const SparseMatrix& M) {
  const std::size_t n = shape.size();
  Vector re(n), im(n);
  const auto split = [&] {
    for (std::size_t i = 0; i < n; ++i) re[i] = shape[i].real(), im[i] = shape[i].imag();
  };
  split();
  const double square = bilinear(M.pattern, M.values.data(), re.data(), re.data()) +
                        bilinear(M.pattern, M.values.data(), im.data(), im.data());
  std::size_t first = 0;
  double largest = 0.0;
  for (const Complex& x : shape) largest = std::max(largest, std::abs(x));
  while (first + 1 < n && std::abs(shape[first]) < (1.0 - 1e-6) * largest) ++first;
  // Motions of auxiliary states alone have no shape.
  if (square > 0.0 && largest > 0.0)
    for (Complex& x : shape) x *= std::conj(shape[first]) / (std::abs(shape[first]) * std::sqrt(square));
  split();
  mode.shape = std::move(re);
  constexpr double round_off = 1e-12;
  const double size = square > 0.0 ? largest / std::sqrt(square) : 0.0;
  if (std::any_of(im.begin(), im.end(), [&](double x) { return std::abs(x) > round_off * size; }))
    mode.shape_imag = std::move(im);
}

class Finder {
 public:
  Finder(const Model& model, const State& state, const ModesSettings& settings)
      : model_(model), state_(state), settings_(settings), at_(linearise(model, state, settings.closed)) {}

  ModesReport run() {
    check();
    report_.is_equilibrium = at_.is_equilibrium;
    report_.possible = std::max(0, model_.nq() - at_.held.cols());
    if (report_.possible == 0)
      throw InputError("closed", "nothing is left to move: joints and closed contacts hold it");
    most_ = settings_.number > 0 ? settings_.number : number_by_default;
    const int wanted = std::min(most_, report_.possible);
    const SparseMatrix K = add(at_.stiffness, 0.5, transposed(at_.stiffness), 0.5);
    const ModalConditions conditions{at_.held, true};
    if (is_symmetric(at_.stiffness) && is_symmetric(at_.damping) && model_.nz() == 0 &&
        find_uncoupled(lowest(K, wanted, conditions)))
      return finish();
    report_.coupled = true;
    report_.projected = report_.possible > largest_coupled;
    const int size = report_.projected ? std::min(report_.possible, 2 * wanted + 20) : report_.possible;
    find_coupled(lowest(K, size, conditions));
    return finish();
  }

 private:
  void check() const {
    for (const SparseMatrix* matrix : {&at_.mass, &at_.stiffness, &at_.damping, &at_.held})
      for (const double entry : matrix->values)
        if (!std::isfinite(entry))
          throw InputError("", "the model's mass, stiffness, damping or gaps are no finite numbers at this state");
  }

  ModalBasis lowest(const SparseMatrix& K, int count, const ModalConditions& conditions) const {
    try {
      return lowest_modes(K, at_.mass, count, conditions);
    } catch (const InputError& error) {
      throw InputError("", fmt::format("the {} {} at this state", error.field(), error.message()));
    }
  }

  bool find_uncoupled(const ModalBasis& modes) {
    const Basis basis(modes);
    const DenseMatrix C = basis.reduced(at_.damping);
    if (!is_diagonal(C)) return false;
    for (int k = 0; k < basis.size(); ++k) {
      Mode mode = oscillator(basis.square(k), C(k, k));
      mode.shape.assign(basis.shape(k), basis.shape(k) + model_.nq());
      report_.modes.push_back(std::move(mode));
    }
    return true;
  }

  // (1) in y = diag(s) Φ⁻¹x: y' = S w, w' = −S⁻¹ΦᵀKΦS⁻¹ … with s the frequencies, so that entries are of their size.
  void find_coupled(const ModalBasis& modes) {
    const Basis basis(modes);
    const int r = basis.size(), nq = model_.nq(), nz = model_.nz();
    const DenseMatrix K = basis.reduced(at_.stiffness), C = basis.reduced(at_.damping);
    const Vector s = scales(basis);
    DenseMatrix A(2 * r + nz, 2 * r + nz);
    for (int j = 0; j < r; ++j) {
      A(j, r + j) = s[j];
      for (int i = 0; i < r; ++i) {
        A(r + i, j) = -K(i, j) / s[j];
        A(r + i, r + j) = -C(i, j);
      }
      for (int z = 0; z < nz; ++z) {
        for (int i = 0; i < nq; ++i) {
          const double phi = basis.shape(j)[i];
          A(2 * r + z, j) += at_.rate_q[static_cast<std::size_t>(i) * nz + z] * phi / s[j];
          A(2 * r + z, r + j) += at_.rate_v[static_cast<std::size_t>(i) * nz + z] * phi;
          A(r + j, 2 * r + z) += at_.force_z[static_cast<std::size_t>(z) * nq + i] * phi;
        }
      }
    }
    for (int z = 0; z < nz; ++z)
      for (int i = 0; i < nz; ++i) A(2 * r + i, 2 * r + z) = at_.rate_z[static_cast<std::size_t>(z) * nz + i];
    const std::optional<GeneralEigen> eigen = general_eigen(A);
    if (!eigen) throw InputError("", "the eigenvalues of the state matrix could not be found");
    take(*eigen, basis, s);
  }

  static Vector scales(const Basis& basis) {
    Vector s(basis.size());
    double smallest = 0.0;
    for (int k = 0; k < basis.size(); ++k) {
      s[k] = std::sqrt(std::abs(basis.square(k)));
      if (s[k] > 0.0 && (smallest == 0.0 || s[k] < smallest)) smallest = s[k];
    }
    for (double& x : s)
      if (x == 0.0) x = smallest > 0.0 ? smallest : 1.0;
    return s;
  }

  // One of each conjugate pair, the lowest |σ| first; of equal ones the faster decay first.
  void take(const GeneralEigen& eigen, const Basis& basis, const Vector& s) {
    std::vector<int> order;
    double largest = 0.0;
    for (const Complex& sigma : eigen.values) largest = std::max(largest, std::abs(sigma));
    const double zero = 1e-13 * largest;
    for (int k = 0; k < static_cast<int>(eigen.values.size()); ++k)
      if (eigen.values[k].imag() >= 0.0) order.push_back(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return std::abs(eigen.values[a]) < std::abs(eigen.values[b]); });
    for (const int k : order) {
      if (static_cast<int>(report_.modes.size()) == most_) break;
      const Complex sigma = std::abs(eigen.values[k]) <= zero ? Complex(0.0) : eigen.values[k];
      Mode mode = mode_of(sigma);
      std::vector<Complex> shape(model_.nq());
      for (int j = 0; j < basis.size(); ++j) {
        const Complex y = eigen.vectors[static_cast<std::size_t>(k) * eigen.values.size() + j] / s[j];
        for (int i = 0; i < model_.nq(); ++i) shape[i] += y * basis.shape(j)[i];
      }
      set_shape(mode, std::move(shape), at_.mass);
      report_.modes.push_back(std::move(mode));
    }
  }

  // |φᴴM r|²/(rᵀM r), and Hᵀφ.
  ModesReport finish() {
    const SparseMatrix& M = at_.mass;
    const int nq = model_.nq(), nc = model_.nc();
    Vector H(model_.layout().gradient.size()), g(nc);
    model_.gap_gradient(state_.t, state_.q.data(), H.data());
    model_.gap(state_.t, state_.q.data(), g.data());
    for (const int contact : settings_.closed) report_.closed_gaps.push_back(g[contact]);
    for (Mode& mode : report_.modes) {
      for (const Direction& direction : settings_.directions) {
        Vector r(nq, 0.0), Mr(nq, 0.0);
        for (const auto& [i, weight] : direction.weights) r[i] = weight;
        multiply_add(M.pattern, M.values.data(), r.data(), 1.0, Mr.data());
        const double re = dot(nq, mode.shape.data(), Mr.data());
        const double im = mode.shape_imag.empty() ? 0.0 : dot(nq, mode.shape_imag.data(), Mr.data());
        const double whole = dot(nq, r.data(), Mr.data());
        mode.participation.push_back(whole > 0.0 ? (re * re + im * im) / whole : 0.0);
      }
      for (int j = 0; j < nc; ++j) {
        const Pattern& pattern = model_.layout().gradient;
        const double re = column_dot(pattern, H.data(), j, mode.shape.data());
        const double im = mode.shape_imag.empty() ? 0.0 : column_dot(pattern, H.data(), j, mode.shape_imag.data());
        mode.gaps.push_back(std::copysign(std::hypot(re, im), re));
      }
    }
    return std::move(report_);
  }

  const Model& model_;
  const State& state_;
  const ModesSettings& settings_;
  const Linearisation at_;
  int most_ = 0;
  ModesReport report_;
};

}  // namespace

double Mode::frequency() const { return omega / (2.0 * std::numbers::pi); }
double Mode::damped_frequency() const { return std::abs(sigma.imag()) / (2.0 * std::numbers::pi); }

ModesReport find_modes(const Model& model, const State& state, const ModesSettings& settings) {
  const double potential = model.energy(state.t, state.q.data(), state.v.data()).potential;
  if (!std::isfinite(potential))
    throw InputError("", fmt::format("the potential is {} at this state, and has no modes there", potential));
  return Finder(model, state, settings).run();
}

}  // namespace ricochet
