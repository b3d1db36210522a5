// Decompositions, and what loads are in their modes.
#include "flow/linear_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/semidefinite_solve.hpp"
#include "core/zeros.hpp"

namespace ricochet {
namespace {

DenseMatrix product(const DenseMatrix& A, const DenseMatrix& B) {
  DenseMatrix AB(A.rows, B.cols);
  for (int j = 0; j < B.cols; ++j)
    for (int k = 0; k < A.cols; ++k)
      for (int i = 0; i < A.rows; ++i) AB(i, j) += A(i, k) * B(k, j);
  return AB;
}
// AᵀB
DenseMatrix inner(const DenseMatrix& A, const DenseMatrix& B) {
  DenseMatrix AB(A.cols, B.cols);
  for (int j = 0; j < B.cols; ++j)
    for (int i = 0; i < A.cols; ++i)
      for (int k = 0; k < A.rows; ++k) AB(i, j) += A(k, i) * B(k, j);
  return AB;
}
DenseMatrix one(int n) {
  DenseMatrix I(n, n);
  for (int i = 0; i < n; ++i) I(i, i) = 1.0;
  return I;
}
// A + b B
DenseMatrix add(DenseMatrix A, double b, const DenseMatrix& B) {
  for (std::size_t i = 0; i < A.values.size(); ++i) A.values[i] += b * B.values[i];
  return A;
}
double largest(const DenseMatrix& A) {
  double size = 0.0;
  for (const double a : A.values) size = std::max(size, std::abs(a));
  return size;
}
double largest_beside_diagonal(const DenseMatrix& A) {
  double size = 0.0;
  for (int j = 0; j < A.cols; ++j)
    for (int i = 0; i < A.rows; ++i)
      if (i != j) size = std::max(size, std::abs(A(i, j)));
  return size;
}
double row_sum(const DenseMatrix& A) {
  double size = 0.0;
  for (int i = 0; i < A.rows; ++i) {
    double sum = 0.0;
    for (int j = 0; j < A.cols; ++j) sum += std::abs(A(i, j));
    size = std::max(size, sum);
  }
  return size;
}

// W⁺, of least norm in the scale of a unit diagonal as wherever contacts are redundant.
DenseMatrix generalised_inverse(const DenseMatrix& W) {
  SemidefiniteSolve solver;
  DenseMatrix inverse = one(W.rows);
  if (!solver.factorise(W.rows, W.values.data())) return DenseMatrix(W.rows, W.rows);
  for (int j = 0; j < W.rows; ++j) solver.solve(inverse.col(j));
  return inverse;
}

// An orthonormal basis of what is orthogonal to the columns of A, W⁺ = (AᵀA)⁺.
DenseMatrix complement(const DenseMatrix& A, const DenseMatrix& W_inverse) {
  const int n = A.rows;
  const SymmetricEigen eigen = symmetric_eigen(add(one(n), -1.0, product(A, product(W_inverse, inner(A, one(n))))));
  int first = 0;
  while (first < n && eigen.values[first] < 0.5) ++first;
  DenseMatrix basis(n, n - first);
  for (int j = first; j < n; ++j) std::copy(eigen.vectors.col(j), eigen.vectors.col(j) + n, basis.col(j - first));
  return basis;
}

// Rates of x'' + 2γ x' + k x = 0.
template <class Mode>
void set_kind(Mode& mode) {
  constexpr double near = 0.01;
  using Kind = typename Mode::Kind;
  const double g = mode.gamma;
  mode.square = g * g - mode.k;
  if (std::abs(mode.square) <= near * std::max(g * g, std::abs(mode.k))) {
    mode.kind = Kind::pair;
    mode.first = mode.second = {-g, 0.0};
  } else if (mode.square < 0.0) {
    mode.kind = Kind::under;
    mode.first = {-g, std::sqrt(-mode.square)};
    mode.second = {-g, -mode.first.im};
  } else {
    // The root that is a sum first, the other one from their product.
    mode.kind = Kind::over;
    const double far = g >= 0.0 ? -(g + std::sqrt(mode.square)) : -g + std::sqrt(mode.square);
    mode.first = {far, 0.0};
    mode.second = {mode.k / far, 0.0};
  }
  mode.size = std::max(magnitude(mode.first), magnitude(mode.second));
}

bool has_modes(const Model& model) {
  const std::vector<double> origin = zeros(model.nq());
  std::vector<double> M = zeros(model.layout().mass.size());
  model.mass(0.0, origin.data(), M.data());
  LinearForce<double> force = model.linear_force();
  for (const std::vector<double>* matrix : {&M, &force.K, &force.C})
    for (const double entry : *matrix)
      if (!std::isfinite(entry)) return false;
  return symmetric_eigen(DenseMatrix(model.layout().mass, M.data())).values.front() > 0.0;
}

}  // namespace

std::string LinearFlow::obstacle(const Model& model, double t) {
  const Layout& layout = model.layout();
  const Structure& structure = layout.structure;
  if (!structure.constant_mass) return "its mass depends on where it is";
  if (!structure.linear_force) return "its forces are not linear in coordinates and velocities";
  if (model.nz() > 0) return "it has auxiliary states";
  if (!structure.linear_gaps) return "its gaps are not linear in the coordinates";
  if (model.nb() > 0 && !structure.linear_joints) return "its joints are not linear in the coordinates";
  for (const Joint& joint : layout.joints)
    if (!joint.has_position) return "a joint of it holds a rate and no position";
  if (model.nf() > 0) return "it has friction";
  if (!has_modes(model)) return "its mass is not positive definite, or its matrices are not finite";
  if (!model.linear_terms(t)) return "its loads or moving gaps are no sums of t^k exp(a t) cos(w t + p)";
  return {};
}

LinearFlow::LinearFlow(const Model& model) : model_(model), H_(nq_, rows_) {
  const std::vector<double> origin = zeros(nq_);
  std::vector<double> M = zeros(layout_.mass.size()), H = zeros(layout_.rows.size());
  model.mass(0.0, origin.data(), M.data());
  M_ = DenseMatrix(layout_.mass, M.data());
  const LinearForce<double> force = model.linear_force();
  K_ = DenseMatrix(layout_.stiffness, force.K.data());
  C_ = DenseMatrix(layout_.damping, force.C.data());
  model.gap_gradient(0.0, origin.data(), H.data());
  if (model.nb() > 0) model.joint_gradient(0.0, origin.data(), H.data() + layout_.gradient.size());
  H_ = DenseMatrix(layout_.rows, H.data());
  constexpr double round_off = 1e-13;
  DenseMatrix symmetric = K_;
  for (int j = 0; j < nq_; ++j)
    for (int i = 0; i < nq_; ++i) {
      symmetric(i, j) = 0.5 * (K_(i, j) + K_(j, i));
      if (std::abs(K_(i, j) - K_(j, i)) > round_off * largest(K_)) symmetric_ = false;
    }
  if (const std::optional<SymmetricEigen> eigen = symmetric_eigen(symmetric, M_)) X_ = eigen->vectors;
  response_ = product(X_, inner(X_, H_));
}

// The modes of NᵀK N, N = X V.
void LinearFlow::diagonalise(Decomposition& parts, const DenseMatrix& V) const {
  constexpr double round_off = 1e-13;
  const DenseMatrix N = product(X_, V);
  const auto reduced = [&](const DenseMatrix& A, const DenseMatrix& basis) { return inner(basis, product(A, basis)); };
  DenseMatrix K = reduced(K_, N), C = reduced(C_, N);
  parts.shapes = N;
  parts.is_modal = symmetric_;
  // C may tell modes of one frequency apart.
  for (const double share : {0.0, 0.6180339887498949}) {
    if (!symmetric_ || N.cols == 0) break;
    const double scale = largest(C) > 0.0 ? share * std::max(largest(K), 1e-300) / largest(C) : 0.0;
    DenseMatrix A = add(K, scale, C);
    DenseMatrix shapes = product(N, symmetric_eigen(A).vectors);
    // Once more: what is left beside the diagonal would be a force on soft modes.
    A = add(reduced(K_, shapes), scale, reduced(C_, shapes));
    shapes = product(shapes, symmetric_eigen(A).vectors);
    const DenseMatrix Kd = reduced(K_, shapes), Cd = reduced(C_, shapes);
    parts.is_modal = largest_beside_diagonal(Kd) <= round_off * largest(Kd) &&
                     largest_beside_diagonal(Cd) <= round_off * largest(Cd);
    if (!parts.is_modal) continue;
    parts.shapes = shapes;
    K = Kd;
    C = Cd;
    break;
  }
  parts.n = parts.shapes.cols;
  const double stiffest = largest(K), softest = 16.0 * nq_ * std::numeric_limits<double>::epsilon() * stiffest;
  for (int m = 0; m < parts.n && parts.is_modal; ++m) {
    Mode mode;
    mode.gamma = 0.5 * C(m, m);
    mode.k = std::abs(K(m, m)) <= softest ? 0.0 : K(m, m);
    set_kind(mode);
    parts.modes.push_back(mode);
  }
  const double c = row_sum(C), k = row_sum(K);
  parts.spread = 0.5 * (c + std::sqrt(c * c + 4.0 * k));
  parts.K = std::move(K);
  parts.C = std::move(C);
}

std::unique_ptr<LinearFlow::Decomposition> LinearFlow::decompose(const std::vector<char>& closed) const {
  auto made = std::make_unique<Decomposition>();
  Decomposition& parts = *made;
  parts.key = closed;
  for (int j = 0; j < rows_; ++j)
    if (j >= nc_ || closed[j]) parts.rows.push_back(j);
  DenseMatrix V = one(nq_), H(nq_, static_cast<int>(parts.rows.size()));
  if (!parts.rows.empty()) {
    for (int s = 0; s < H.cols; ++s) std::copy(H_.col(parts.rows[s]), H_.col(parts.rows[s]) + nq_, H.col(s));
    const DenseMatrix held = inner(X_, H);
    parts.inverse = generalised_inverse(inner(held, held));
    // L = M⁻¹H_S W⁺, then 2L − L (H_SᵀL): to the last places of light bodies too.
    parts.lift = product(X_, product(held, parts.inverse));
    parts.lift = add(add(parts.lift, 1.0, parts.lift), -1.0, product(parts.lift, inner(H, parts.lift)));
    V = complement(held, parts.inverse);
  }
  diagonalise(parts, V);
  // Once more, in the coordinates: so is H_Sᵀ N = 0.
  if (!parts.rows.empty()) parts.shapes = add(parts.shapes, -1.0, product(parts.lift, inner(H, parts.shapes)));
  parts.project = inner(parts.shapes, M_);
  set_watches(parts);
  return made;
}

void LinearFlow::set_watches(Decomposition& parts) const {
  parts.watch_x = inner(H_, parts.shapes);
  parts.watch_v = DenseMatrix(rows_, parts.n);
  if (parts.rows.empty()) return;
  // W⁺HᵀM⁻¹ = liftᵀ
  const DenseMatrix of_x = inner(parts.lift, product(K_, parts.shapes)),
                    of_v = inner(parts.lift, product(C_, parts.shapes));
  for (std::size_t s = 0; s < parts.rows.size(); ++s)
    for (int m = 0; m < parts.n; ++m) {
      parts.watch_x(parts.rows[s], m) = of_x(static_cast<int>(s), m);
      parts.watch_v(parts.rows[s], m) = of_v(static_cast<int>(s), m);
    }
}

// What loads and moving rows do to modes and channels.
void LinearFlow::set_groups(Decomposition& parts) const {
  parts.groups.clear();
  parts.epoch = epoch_;
  const auto group_of = [&](const TimeTerm& term) -> Group& {
    for (Group& group : parts.groups)
      if (group.mu == Complex{term.rate, term.frequency} && group.origin == term.origin) return group;
    Group& made = parts.groups.emplace_back();
    made.mu = {term.rate, term.frequency};
    made.origin = term.origin;
    return made;
  };
  const auto each = [&](const auto& use) {
    for (const std::vector<TimeSum>* sums : {&terms_->force, &terms_->rows})
      for (std::size_t i = 0; i < sums->size(); ++i)
        for (const TimeTerm& term : (*sums)[i]) use(term, sums == &terms_->force, static_cast<int>(i));
  };
  each([&](const TimeTerm& term, bool, int) {
    Group& group = group_of(term);
    group.powers = std::max(group.powers, term.power + 1);
  });
  const int S = static_cast<int>(parts.rows.size());
  for (Group& group : parts.groups) {
    const int powers = group.powers;
    // f, o, q_p and their rates, by power and column.
    const auto table = [&](int columns) { return std::vector<Complex>(static_cast<std::size_t>(powers * columns)); };
    std::vector<Complex> f = table(nq_), o = table(rows_), q_p = f;
    each([&](const TimeTerm& term, bool is_force, int i) {
      if (&group_of(term) != &group) return;
      const Complex a{term.cosine, -term.sine};
      (is_force ? f[static_cast<std::size_t>(term.power * nq_ + i)]
                : o[static_cast<std::size_t>(term.power * rows_ + i)]) += a;
    });
    const auto rate_of = [&](const std::vector<Complex>& a, int columns) {
      std::vector<Complex> rate(a.size());
      for (int k = 0; k < powers; ++k)
        for (int i = 0; i < columns; ++i) {
          rate[static_cast<std::size_t>(k * columns + i)] = group.mu * a[static_cast<std::size_t>(k * columns + i)];
          if (k + 1 < powers)
            rate[static_cast<std::size_t>(k * columns + i)] +=
                (k + 1.0) * a[static_cast<std::size_t>((k + 1) * columns + i)];
        }
      return rate;
    };
    for (int k = 0; k < powers; ++k)
      for (int s = 0; s < S; ++s)
        for (int i = 0; i < nq_; ++i)
          q_p[static_cast<std::size_t>(k * nq_ + i)] +=
              -parts.lift(i, s) * o[static_cast<std::size_t>(k * rows_ + parts.rows[s])];
    group.force.assign(f.begin(), f.begin() + nq_);
    const std::vector<Complex> q_p1 = rate_of(q_p, nq_), o2 = rate_of(rate_of(o, rows_), rows_);
    group.modal = table(parts.n);
    group.direct = table(channels_);
    for (int k = 0; k < powers; ++k) {
      Complex* F = f.data() + k * nq_;
      for (int j = 0; j < nq_ && S > 0; ++j)
        for (int i = 0; i < nq_; ++i)
          F[i] += -K_(i, j) * q_p[static_cast<std::size_t>(k * nq_ + j)] +
                  -C_(i, j) * q_p1[static_cast<std::size_t>(k * nq_ + j)];
      for (int m = 0; m < parts.n; ++m)
        for (int i = 0; i < nq_; ++i)
          group.modal[static_cast<std::size_t>(k * parts.n + m)] += parts.shapes(i, m) * F[i];
      Complex* direct = group.direct.data() + k * channels_;
      std::copy_n(q_p.begin() + k * nq_, nq_, direct);
      for (int j = 0; j < nc_; ++j) {
        direct[nq_ + j] = o[static_cast<std::size_t>(k * rows_ + j)];
        for (int i = 0; i < nq_; ++i) direct[nq_ + j] += H_(i, j) * direct[i];
      }
      for (int s = 0; s < S && parts.rows[s] < nc_; ++s) {
        Complex force;
        for (int i = 0; i < nq_; ++i) force += -parts.lift(i, s) * F[i];
        for (int l = 0; l < S; ++l)
          force += -parts.inverse(s, l) * o2[static_cast<std::size_t>(k * rows_ + parts.rows[l])];
        direct[nq_ + parts.rows[s]] = force;
      }
    }
    const auto any = [](const std::vector<Complex>& a) {
      return std::any_of(a.begin(), a.end(), [](const Complex& c) { return c.re != 0.0 || c.im != 0.0; });
    };
    group.is_forced = any(group.modal);
    group.is_direct = any(group.direct);
    group.modal_now = group.modal;
    group.direct_now = group.direct;
  }
}

double LinearFlow::gap_size(int j) const {
  double size = 0.0;
  for (int i = 0; i < nq_; ++i)
    if (H_(i, j) != 0.0) size += std::abs(H_(i, j)) * arc_.size(i);
  return size;
}

double LinearFlow::force_size(int j, const double* a) const {
  const std::vector<int>& rows = last_->rows;
  const int s = static_cast<int>(std::find(rows.begin(), rows.end(), j) - rows.begin());
  double size = 0.0;
  for (int k = 0; k < nq_; ++k)
    for (int i = 0; i < nq_; ++i) size += std::abs(last_->lift(i, s) * M_(i, k)) * a[k];
  return size;
}

LinearFlow::Decomposition& LinearFlow::decomposition(const std::vector<char>& closed) {
  constexpr std::size_t most = 64;
  if (last_ == nullptr || last_->key != closed) {
    const auto same = [&](const std::unique_ptr<Decomposition>& parts) { return parts->key == closed; };
    const auto found = std::find_if(kept_.begin(), kept_.end(), same);
    if (found != kept_.end()) {
      last_ = found->get();
    } else {
      if (kept_.size() == most) kept_.erase(kept_.begin());
      last_ = kept_.emplace_back(decompose(closed)).get();
    }
  }
  if (last_->epoch != epoch_) set_groups(*last_);
  return *last_;
}

}  // namespace ricochet
