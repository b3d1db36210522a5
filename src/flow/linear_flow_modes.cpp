// Decompositions, and what loads are in their modes.
#include "flow/linear_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/definiteness.hpp"
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

// 1 or 2: what is left of the first mass has an even power of two, whose root is exact.
double unit_of(const DenseMatrix& M) {
  if (M.values.empty() || !(M.values[0] > 0.0) || !std::isfinite(M.values[0])) return 1.0;
  return std::ilogb(M.values[0]) % 2 == 0 ? 1.0 : 2.0;
}
DenseMatrix scaled(DenseMatrix A, double factor) {
  for (double& a : A.values) a *= factor;
  return A;
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
  return DefinitenessTest<double>()(model.layout().mass, M.data());
}

}  // namespace

std::string LinearFlow::obstacle(const Model& model, double t) {
  const Layout& layout = model.layout();
  const Structure& structure = layout.structure;
  constexpr int most_coordinates = 1000;  // as the work grows with their cube
  if (layout.nq() > most_coordinates) return "it has more than " + std::to_string(most_coordinates) + " coordinates";
  if (!structure.constant_mass) return "its mass depends on where it is";
  if (!structure.linear_force) return "its forces are not linear in coordinates and velocities";
  if (model.nz() > 0) return "it has auxiliary states";
  if (!structure.linear_gaps) return "its gaps are not linear in the coordinates";
  if (model.nb() > 0 && !structure.linear_joints) return "its joints are not linear in the coordinates";
  for (const Joint& joint : layout.joints)
    if (!joint.has_position) return "a joint of it holds a rate and no position";
  for (const Friction& friction : layout.frictions)
    if (friction.rows > 1) return "it has friction in space";
  if (model.nf() > 0 && !structure.linear_slips) return "its slips are not linear in the velocities";
  if (model.nf() > 0 && !structure.constant_friction) return "its friction is not constant";
  if (!has_modes(model)) return "its mass is not positive definite, or its matrices are not finite";
  if (!model.linear_terms(t)) return "its loads or moving gaps are no sums of t^k exp(a t) cos(w t + p)";
  return {};
}

LinearFlow::LinearFlow(const Model& model) : model_(model), H_(nq_, rows_) {
  const std::vector<double> origin = zeros(nq_);
  std::vector<double> M = zeros(layout_.mass.size()), H = zeros(layout_.rows.size());
  model.mass(0.0, origin.data(), M.data());
  M_ = DenseMatrix(layout_.mass, M.data());
  unit_ = unit_of(M_);
  M_ = scaled(std::move(M_), 1.0 / unit_);
  const LinearForce<double> force = model.linear_force();
  K_ = scaled(DenseMatrix(layout_.stiffness, force.K.data()), 1.0 / unit_);
  C_ = scaled(DenseMatrix(layout_.damping, force.C.data()), 1.0 / unit_);
  model.gap_gradient(0.0, origin.data(), H.data());
  if (model.nb() > 0) model.joint_gradient(0.0, origin.data(), H.data() + layout_.gradient.size());
  if (nf_ > 0) {
    model.slip_gradient(0.0, origin.data(), H.data() + layout_.gradient.size() + layout_.joint_gradient.size());
    mu_.resize(static_cast<std::size_t>(nf_));
    model.friction_bound(0.0, origin.data(), mu_.data());
    for (int k = 0; k < nf_; ++k)
      if (layout_.frictions[k].constraint < 0) mu_[k] /= unit_;
  }
  H_ = DenseMatrix(layout_.rows, H.data());
  DenseMatrix symmetric = K_;
  for (int j = 0; j < nq_; ++j)
    for (int i = 0; i < nq_; ++i) symmetric(i, j) = 0.5 * (K_(i, j) + K_(j, i));
  if (const std::optional<SymmetricEigen> eigen = symmetric_eigen(symmetric, M_)) X_ = eigen->vectors;
  response_ = scaled(product(X_, inner(X_, H_)), 1.0 / unit_);
}

// Z of (4).
DenseMatrix LinearFlow::left_of(const Decomposition& parts, const DenseMatrix& N) const {
  return parts.slides ? add(N, -1.0, product(parts.force_lift, inner(parts.G, N))) : N;
}

// The modes of ZᵀK N, N = X V.
void LinearFlow::diagonalise(Decomposition& parts, const DenseMatrix& V) const {
  constexpr double round_off = 1e-13;
  const DenseMatrix N = product(X_, V);
  // Springs on their own: beside a stiff one the soft modes keep their digits.
  const auto reduced = [&](const DenseMatrix& A, double Spring::*part, const DenseMatrix& basis) {
    const DenseMatrix Z = left_of(parts, basis), on_left = inner(H_, Z), on_right = inner(H_, basis);
    DenseMatrix R = inner(Z, product(A, basis));
    for (int j = 0; j < nc_; ++j)
      for (int m = 0; m < R.cols && parts.springs[j].k > 0.0; ++m)
        for (int l = 0; l < R.rows; ++l) R(l, m) += parts.springs[j].*part * (on_left(j, l) * on_right(j, m));
    return R;
  };
  const auto stiffness = [&](const DenseMatrix& basis) { return reduced(K_, &Spring::k, basis); };
  const auto damping = [&](const DenseMatrix& basis) { return reduced(C_, &Spring::kappa, basis); };
  DenseMatrix K = stiffness(N), C = damping(N);
  parts.shapes = N;
  // C may tell modes of one frequency apart.
  for (const double share : {0.0, 0.6180339887498949}) {
    if (N.cols == 0) break;
    const double scale = largest(C) > 0.0 ? share * std::max(largest(K), 1e-300) / largest(C) : 0.0;
    DenseMatrix A = add(K, scale, C);
    DenseMatrix shapes = product(N, symmetric_eigen(A).vectors);
    // Once more: what is left beside the diagonal would be a force on soft modes.
    A = add(stiffness(shapes), scale, damping(shapes));
    shapes = product(shapes, symmetric_eigen(A).vectors);
    const DenseMatrix Kd = stiffness(shapes), Cd = damping(shapes);
    parts.is_modal = largest_beside_diagonal(Kd) <= round_off * largest(Kd) &&
                     largest_beside_diagonal(Cd) <= round_off * largest(Cd);
    if (!parts.is_modal) continue;
    parts.shapes = shapes;
    K = Kd;
    C = Cd;
    break;
  }
  parts.n = parts.shapes.cols;
  // Below that a stiffness is round-off; of springs only what a shape that is off by it sees.
  const double round_off_of_shapes = 16.0 * nq_ * std::numeric_limits<double>::epsilon();
  const bool springy =
      std::any_of(parts.springs.begin(), parts.springs.end(), [](const Spring& s) { return s.k > 0.0; });
  const double own = springy ? largest(inner(left_of(parts, N), product(K_, N))) : largest(K);
  const double softest = round_off_of_shapes * (own + (springy ? round_off_of_shapes * largest(K) : 0.0));
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

int LinearFlow::index_of(const Decomposition& parts, int row) const {
  return static_cast<int>(std::find(parts.rows.begin(), parts.rows.end(), row) - parts.rows.begin());
}

// Contacts that slide push along H_N ∓ μ H_S.
void LinearFlow::push_slides(Decomposition& parts, const DenseMatrix& H) const {
  parts.G = H;
  parts.force_lift = parts.lift;
  for (int k = 0; k < nf_; ++k) {
    const int contact = layout_.frictions[k].constraint;
    const Slip does = slip_of(parts, k);
    if (contact < 0 || (does != slides_up && does != slides_down)) continue;
    const double push = does == slides_up ? -mu_[k] : mu_[k];
    double* column = parts.G.col(index_of(parts, contact));
    for (int i = 0; i < nq_; ++i) column[i] += push * H_(i, slips_ + k);
    parts.slides = parts.slides || push != 0.0;
  }
  if (!parts.slides) return;
  const DenseMatrix held = inner(X_, H);
  parts.inverse = generalised_inverse(inner(held, inner(X_, parts.G)));
  parts.force_lift = product(X_, product(held, inner(parts.inverse, one(H.cols))));
}

std::unique_ptr<LinearFlow::Decomposition> LinearFlow::decompose(const std::vector<char>& closed) const {
  auto made = std::make_unique<Decomposition>();
  Decomposition& parts = *made;
  parts.key = closed;
  parts.springs = springs_;
  parts.stiffness = K_;
  parts.damping = C_;
  for (int j = 0; j < nc_; ++j)
    for (int l = 0; l < nq_ && springs_[j].k > 0.0; ++l)
      for (int i = 0; i < nq_; ++i) {
        parts.stiffness(i, l) += springs_[j].k * (H_(i, j) * H_(l, j));
        parts.damping(i, l) += springs_[j].kappa * (H_(i, j) * H_(l, j));
      }
  for (int j = 0; j < slips_; ++j)
    if (j >= nc_ || closed[j]) parts.rows.push_back(j);
  for (int k = 0; k < nf_; ++k)
    if (slip_of(parts, k) == sticks) {
      parts.sticking.push_back(static_cast<int>(parts.rows.size()));
      parts.rows.push_back(slips_ + k);
    }
  DenseMatrix V = one(nq_), H(nq_, static_cast<int>(parts.rows.size()));
  if (!parts.rows.empty()) {
    for (int s = 0; s < H.cols; ++s) std::copy(H_.col(parts.rows[s]), H_.col(parts.rows[s]) + nq_, H.col(s));
    const DenseMatrix held = inner(X_, H);
    parts.inverse = generalised_inverse(inner(held, held));
    // L = M⁻¹H_S W⁺, then 2L − L (H_SᵀL): to the last places of light bodies too.
    parts.lift = product(X_, product(held, parts.inverse));
    parts.lift = add(add(parts.lift, 1.0, parts.lift), -1.0, product(parts.lift, inner(H, parts.lift)));
    V = complement(held, parts.inverse);
    push_slides(parts, H);
  }
  diagonalise(parts, V);
  // Once more, in the coordinates: so is H_Sᵀ N = 0.
  if (!parts.rows.empty()) parts.shapes = add(parts.shapes, -1.0, product(parts.lift, inner(H, parts.shapes)));
  parts.project = inner(parts.shapes, M_);
  parts.left = left_of(parts, parts.shapes);
  if (parts.slides) parts.share = product(inner(parts.shapes, parts.G), parts.inverse);
  set_watches(parts);
  return made;
}

void LinearFlow::set_watches(Decomposition& parts) const {
  const DenseMatrix rates = inner(H_, parts.shapes);
  parts.watch_x = DenseMatrix(watched_, parts.n);
  parts.watch_v = DenseMatrix(watched_, parts.n);
  const bool held = !parts.rows.empty();
  // W⁺HᵀM⁻¹ = force_liftᵀ
  const DenseMatrix of_x = held ? inner(parts.force_lift, product(parts.stiffness, parts.shapes)) : DenseMatrix(),
                    of_v = held ? inner(parts.force_lift, product(parts.damping, parts.shapes)) : DenseMatrix();
  for (int m = 0; m < parts.n; ++m) {
    for (int j = 0; j < nc_; ++j) parts.watch_x(j, m) = parts.springs[j].k > 0.0 ? -rates(j, m) : rates(j, m);
    for (std::size_t s = 0; s < parts.rows.size() && parts.rows[s] < nc_; ++s) {
      parts.watch_x(parts.rows[s], m) = unit_ * of_x(static_cast<int>(s), m);
      parts.watch_v(parts.rows[s], m) = unit_ * of_v(static_cast<int>(s), m);
    }
    for (int k = 0; k < nf_; ++k) {
      const int first = nc_ + 2 * k, contact = layout_.frictions[k].constraint;
      const Slip does = slip_of(parts, k);
      if (does == idle) continue;
      if (does != sticks) {
        parts.watch_v(first, m) = (does == slides_up ? 1.0 : -1.0) * rates(slips_ + k, m);
        continue;
      }
      const int s = index_of(parts, slips_ + k);
      for (const double sign : {-1.0, 1.0}) {
        const int channel = sign < 0.0 ? first : first + 1;
        parts.watch_x(channel, m) = sign * unit_ * of_x(s, m);
        parts.watch_v(channel, m) = sign * unit_ * of_v(s, m);
        if (contact < 0) continue;
        parts.watch_x(channel, m) += mu_[k] * parts.watch_x(contact, m);
        parts.watch_v(channel, m) += mu_[k] * parts.watch_v(contact, m);
      }
    }
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
  const auto has_limit = [&](int k) { return layout_.frictions[k].constraint < 0 && slip_of(parts, k) != idle; };
  const TimeTerm constant;
  for (int k = 0; k < nf_; ++k)
    if (has_limit(k)) group_of(constant);
  const int sticking = static_cast<int>(parts.sticking.size());
  for (Group& group : parts.groups) {
    const auto table = [&](int columns) {
      return std::vector<Complex>(static_cast<std::size_t>(group.powers * columns));
    };
    Terms terms{table(nq_), table(rows_), table(nf_)};
    each([&](const TimeTerm& term, bool is_force, int i) {
      if (&group_of(term) != &group) return;
      const double size = is_force ? 1.0 / unit_ : 1.0;
      const Complex a{size * term.cosine, -size * term.sine};
      (is_force ? terms.f[static_cast<std::size_t>(term.power * nq_ + i)]
                : terms.o[static_cast<std::size_t>(term.power * rows_ + i)]) += a;
    });
    for (int k = 0; k < nf_; ++k)
      if (has_limit(k) && &group_of(constant) == &group) terms.bounds[static_cast<std::size_t>(k)].re = mu_[k];
    // Slips that stick are held by the integral of their drift, which begins with the arc.
    group.drift = table(sticking);
    for (int k = 0; k < group.powers; ++k)
      for (int s = 0; s < sticking; ++s)
        std::swap(group.drift[static_cast<std::size_t>(k * sticking + s)],
                  terms.o[static_cast<std::size_t>(k * rows_ + parts.rows[parts.sticking[s]])]);
    group.drift_now = group.drift;
    set_group(parts, group, std::move(terms));
  }
  parts.own_groups = parts.groups.size();
}

// A group from its terms.
void LinearFlow::set_group(const Decomposition& parts, Group& group, Terms terms) const {
  const int S = static_cast<int>(parts.rows.size()), powers = group.powers;
  const auto table = [&](int columns) { return std::vector<Complex>(static_cast<std::size_t>(powers * columns)); };
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
  std::vector<Complex>&f = terms.f, &o = terms.o, q_p = table(nq_);
  for (int k = 0; k < powers; ++k)
    for (int s = 0; s < S; ++s)
      for (int i = 0; i < nq_; ++i)
        q_p[static_cast<std::size_t>(k * nq_ + i)] +=
            -parts.lift(i, s) * o[static_cast<std::size_t>(k * rows_ + parts.rows[s])];
  group.force.assign(f.begin(), f.begin() + nq_);
  const std::vector<Complex> q_p1 = rate_of(q_p, nq_), o1 = rate_of(o, rows_), o2 = rate_of(o1, rows_);
  group.modal = table(parts.n);
  group.direct = table(channels_);
  std::vector<Complex> lambda(static_cast<std::size_t>(S));
  for (int k = 0; k < powers; ++k) {
    Complex* F = f.data() + k * nq_;
    const Complex* bounds = terms.bounds.data() + k * nf_;
    for (int j = 0; j < nq_ && S > 0; ++j)
      for (int i = 0; i < nq_; ++i)
        F[i] += -parts.stiffness(i, j) * q_p[static_cast<std::size_t>(k * nq_ + j)] +
                -parts.damping(i, j) * q_p1[static_cast<std::size_t>(k * nq_ + j)];
    for (int j = 0; j < nc_; ++j) {
      const Spring& spring = parts.springs[j];
      if (!(spring.k > 0.0)) continue;
      const std::size_t at = static_cast<std::size_t>(k * rows_ + j);
      for (int i = 0; i < nq_; ++i) F[i] += -H_(i, j) * (spring.k * o[at] + spring.kappa * o1[at]);
    }
    // Slides with limits of their own push back.
    for (int l = 0; l < nf_; ++l) {
      const Slip does = slip_of(parts, l);
      if (does != slides_up && does != slides_down) continue;
      for (int i = 0; i < nq_; ++i) F[i] += (does == slides_up ? -H_(i, slips_ + l) : H_(i, slips_ + l)) * bounds[l];
    }
    for (int s = 0; s < S; ++s) {
      lambda[s] = {};
      for (int i = 0; i < nq_; ++i) lambda[s] += -parts.force_lift(i, s) * F[i];
      for (int l = 0; l < S; ++l)
        lambda[s] += -parts.inverse(s, l) * o2[static_cast<std::size_t>(k * rows_ + parts.rows[l])];
    }
    for (int m = 0; m < parts.n; ++m) {
      Complex& modal = group.modal[static_cast<std::size_t>(k * parts.n + m)];
      for (int i = 0; i < nq_; ++i) modal += parts.left(i, m) * F[i];
      for (int s = 0; s < S && parts.slides; ++s)
        modal += -parts.share(m, s) * o2[static_cast<std::size_t>(k * rows_ + parts.rows[s])];
    }
    Complex* direct = group.direct.data() + k * channels_;
    std::copy_n(q_p.begin() + k * nq_, nq_, direct);
    for (int j = 0; j < nc_; ++j) {
      direct[nq_ + j] = o[static_cast<std::size_t>(k * rows_ + j)];
      for (int i = 0; i < nq_; ++i) direct[nq_ + j] += H_(i, j) * direct[i];
      if (parts.springs[j].k > 0.0) direct[nq_ + j] = -1.0 * direct[nq_ + j];
    }
    for (int s = 0; s < S && parts.rows[s] < nc_; ++s) direct[nq_ + parts.rows[s]] = unit_ * lambda[s];
    for (int l = 0; l < nf_; ++l) {
      const int contact = layout_.frictions[l].constraint, row = slips_ + l;
      Complex* first = direct + nq_ + nc_ + 2 * l;
      const Slip does = slip_of(parts, l);
      if (does == sticks) {
        const Complex bound = contact < 0 ? unit_ * bounds[l] : mu_[l] * direct[nq_ + contact];
        const Complex force = unit_ * lambda[index_of(parts, row)];
        first[0] = bound - force;
        first[1] = bound + force;
      } else if (does != idle) {
        Complex slip = o[static_cast<std::size_t>(k * rows_ + row)];
        for (int i = 0; i < nq_; ++i) slip += H_(i, row) * q_p1[static_cast<std::size_t>(k * nq_ + i)];
        first[0] = (does == slides_up ? 1.0 : -1.0) * slip;
      }
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

// What sticks goes on with its surface: H_Sᵀ q + ∫ o_S ds = H_Sᵀ q(0).
void LinearFlow::set_sticking(Decomposition& parts, const double* q) const {
  parts.groups.resize(parts.own_groups);
  const int sticking = static_cast<int>(parts.sticking.size());
  const auto terms_of = [&](int powers) {
    const auto table = [&](int columns) { return std::vector<Complex>(static_cast<std::size_t>(powers * columns)); };
    return Terms{table(nq_), table(rows_), table(nf_)};
  };
  Terms start = terms_of(1);
  const auto row_of = [&](int s) { return parts.rows[parts.sticking[s]]; };
  for (int s = 0; s < sticking; ++s)
    for (int i = 0; i < nq_; ++i) start.o[static_cast<std::size_t>(row_of(s))].re -= H_(i, row_of(s)) * q[i];
  for (std::size_t g = 0; g < parts.own_groups; ++g) {
    const std::vector<Complex> drift = parts.groups[g].drift_now;
    if (std::all_of(drift.begin(), drift.end(), [](const Complex& c) { return c == Complex{}; })) continue;
    const Complex mu = parts.groups[g].mu;
    const bool steady = mu == Complex{};
    const int given = parts.groups[g].powers, powers = steady ? given + 1 : given;
    Terms terms = terms_of(powers);
    for (int s = 0; s < sticking; ++s) {
      const auto o = [&](int k) -> Complex& { return terms.o[static_cast<std::size_t>(k * rows_ + row_of(s))]; };
      for (int k = given - 1; k >= 0; --k) {
        const Complex a = drift[static_cast<std::size_t>(k * sticking + s)];
        if (steady)
          o(k + 1) = a / (k + 1.0);
        else
          o(k) = (k + 1 < given ? a - (k + 1.0) * o(k + 1) : a) / mu;
      }
      start.o[static_cast<std::size_t>(row_of(s))].re -= o(0).re;
    }
    Group& group = parts.groups.emplace_back();
    group.mu = mu;
    group.powers = powers;
    set_group(parts, group, std::move(terms));
  }
  set_group(parts, parts.groups.emplace_back(), std::move(start));
}

double LinearFlow::gap_size(int j) const {
  double size = 0.0;
  for (int i = 0; i < nq_; ++i)
    if (H_(i, j) != 0.0) size += std::abs(H_(i, j)) * arc_.size(i);
  return size;
}

double LinearFlow::force_size(int j, const double* a) const {
  const int s = index_of(*last_, j);
  double size = 0.0;
  for (int k = 0; k < nq_; ++k)
    for (int i = 0; i < nq_; ++i) size += std::abs(last_->force_lift(i, s) * M_(i, k)) * a[k];
  return unit_ * size;
}

LinearFlow::Decomposition& LinearFlow::decomposition(const std::vector<char>& closed) {
  constexpr std::size_t most = 64;
  const auto fits = [&](const Decomposition& parts) { return parts.key == closed && parts.springs == springs_; };
  if (last_ == nullptr || !fits(*last_)) {
    const auto same = [&](const std::unique_ptr<Decomposition>& parts) { return fits(*parts); };
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
