#include "model/regular_joints.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"
#include "core/semidefinite_solve.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/model/compliance.hpp"
#include "ricochet/model/poles.hpp"

namespace ricochet {
namespace {

constexpr int most_rows = 600;        // of joints, among which dependent ones are looked for
constexpr double negligible = 1e-10;  // a pivot of W_BB against its own diagonal

// The entries of A and of H Hᵀ.
Pattern with_products(const Pattern& A, const Pattern& H) {
  std::vector<Triplet> entries;
  for (int j = 0; j < A.cols; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) entries.push_back({A.row[k], j, 1.0});
  for (int c = 0; c < H.cols; ++c)
    for (int k = H.start[c]; k < H.start[c + 1]; ++k)
      for (int l = H.start[c]; l < H.start[c + 1]; ++l) entries.push_back({H.row[k], H.row[l], 1.0});
  return sparse_from_triplets(A.rows, A.cols, std::move(entries)).pattern;
}

// ρ of (1); M by its diagonal. A row between coordinates that all have no mass is as heavy as the heaviest coordinate.
void set_weights(const Layout& layout, const double* M, const double* H, double* rho) {
  std::vector<double> diagonal = zeros(layout.nq());
  for (int j = 0; j < layout.nq(); ++j) diagonal[j] = diagonal_entry(layout.mass, M, j);
  const double heaviest = *std::max_element(diagonal.begin(), diagonal.end());
  const Pattern& pattern = layout.joint_gradient;
  for (int c = 0; c < pattern.cols; ++c) {
    double sum = 0.0, size = 0.0;
    for (int k = pattern.start[c]; k < pattern.start[c + 1]; ++k) {
      if (diagonal[pattern.row[k]] > 0.0) sum += H[k] * H[k] / diagonal[pattern.row[k]];
      size += H[k] * H[k];
    }
    rho[c] = sum > 0.0 ? 1.0 / sum : size > 0.0 ? heaviest / size : 0.0;
  }
}

class RegularJoints final : public Model, public CompliantContacts, public KnownPoles {
 public:
  RegularJoints(const Model& given, const JointRegularity& regularity)
      : Model(layout_of(given, regularity)), given_(given), adds_mass_(!regularity.mass_is_definite) {
    for (int k = 0; k < given.nb(); ++k)
      if (!std::binary_search(regularity.redundant.begin(), regularity.redundant.end(), k)) kept_.push_back(k);
    if (adds_mass_) mass_place_ = places_in(layout().mass, given.layout().mass);
  }

  void mass(double t, const double* q, double* M) const override {
    if (!adds_mass_) return given_.mass(t, q, M);
    const Pattern& pattern = given_.layout().joint_gradient;
    std::vector<double> own = zeros(given_.layout().mass.size()), H = zeros(pattern.size()), rho = zeros(pattern.cols);
    given_.mass(t, q, own.data());
    given_.joint_gradient(t, q, H.data());
    set_weights(given_.layout(), own.data(), H.data(), rho.data());
    std::fill(M, M + layout().mass.size(), 0.0);
    for (std::size_t k = 0; k < mass_place_.size(); ++k) M[mass_place_[k]] += own[k];
    for (int c = 0; c < pattern.cols; ++c)
      for (int k = pattern.start[c]; k < pattern.start[c + 1]; ++k)
        for (int l = pattern.start[c]; l < pattern.start[c + 1]; ++l)
          M[layout().mass.place(pattern.row[k], pattern.row[l])] += rho[c] * H[k] * H[l];
  }
  void force(double t, const double* q, const double* v, const double* z, double* F) const override {
    given_.force(t, q, v, z, F);
    if (!adds_mass_) return;
    const Pattern& pattern = given_.layout().joint_gradient;
    std::vector<double> M = zeros(given_.layout().mass.size()), H = zeros(pattern.size()), rho = zeros(pattern.cols),
                        c = rho;
    given_.mass(t, q, M.data());
    given_.joint_gradient(t, q, H.data());
    given_.joint_acceleration_terms(t, q, v, c.data());
    set_weights(given_.layout(), M.data(), H.data(), rho.data());
    for (int j = 0; j < pattern.cols; ++j) c[j] *= rho[j];
    multiply_add(pattern, H.data(), c.data(), -1.0, F);
  }
  // Those of H_B ρ c_B are left out: steps iterate on them.
  void force_jacobians(double t, const double* q, const double* v, const double* z, double* K,
                       double* C) const override {
    given_.force_jacobians(t, q, v, z, K, C);
  }
  void gap(double t, const double* q, double* g) const override { given_.gap(t, q, g); }
  void gap_gradient(double t, const double* q, double* H) const override { given_.gap_gradient(t, q, H); }
  void gap_time_derivative(double t, const double* q, double* o) const override { given_.gap_time_derivative(t, q, o); }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    given_.gap_acceleration_terms(t, q, v, c);
  }
  void restitution(double t, const double* q, double* e) const override { given_.restitution(t, q, e); }
  void compliance(Compliance* laws) const override {
    for (const Compliance& law : compliances_of(given_)) *laws++ = law;
  }
  int pole_count() const override { return poles_ != nullptr ? poles_->pole_count() : 0; }
  void poles(double t, const double* q, const double* v, const double* z, double* functions) const override {
    if (poles_ != nullptr) poles_->poles(t, q, v, z, functions);
  }
  void joint(double t, const double* q, double* g) const override {
    keep(g, [&](double* all) { given_.joint(t, q, all); });
  }
  void joint_gradient(double t, const double* q, double* H) const override {
    const Pattern& pattern = given_.layout().joint_gradient;
    std::vector<double> all = zeros(pattern.size());
    given_.joint_gradient(t, q, all.data());
    for (const int k : kept_) H = std::copy(all.begin() + pattern.start[k], all.begin() + pattern.start[k + 1], H);
  }
  void joint_drift(double t, const double* q, double* o) const override {
    keep(o, [&](double* all) { given_.joint_drift(t, q, all); });
  }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    keep(c, [&](double* all) { given_.joint_acceleration_terms(t, q, v, all); });
  }
  void slip_gradient(double t, const double* q, double* H) const override { given_.slip_gradient(t, q, H); }
  void slip_drift(double t, const double* q, double* o) const override { given_.slip_drift(t, q, o); }
  void slip_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    given_.slip_acceleration_terms(t, q, v, c);
  }
  void friction_bound(double t, const double* q, double* bound) const override { given_.friction_bound(t, q, bound); }
  void tangential_restitution(double t, const double* q, double* e) const override {
    given_.tangential_restitution(t, q, e);
  }
  void state_rate(double t, const double* q, const double* v, const double* z, double* rate) const override {
    given_.state_rate(t, q, v, z, rate);
  }
  void state_jacobians(double t, const double* q, const double* v, const double* z, double* F_z, double* rate_q,
                       double* rate_v, double* rate_z) const override {
    given_.state_jacobians(t, q, v, z, F_z, rate_q, rate_v, rate_z);
  }
  Energy<double> energy(double t, const double* q, const double* v) const override { return given_.energy(t, q, v); }
  Power<double> power(double t, const double* q, const double* v, const double* z) const override {
    return given_.power(t, q, v, z);
  }
  LinearForce<double> linear_force() const override { return given_.linear_force(); }
  void load(double t, Load<double>& load) const override { given_.load(t, load); }
  std::optional<LinearTerms> linear_terms(double t) const override {
    std::optional<LinearTerms> terms = given_.linear_terms(t);
    if (!terms) return terms;
    std::vector<TimeSum> rows(terms->rows.begin(), terms->rows.begin() + nc());
    for (const int k : kept_) rows.push_back(terms->rows[static_cast<std::size_t>(nc() + k)]);
    rows.insert(rows.end(), terms->rows.begin() + nc() + given_.nb(), terms->rows.end());
    terms->rows = std::move(rows);
    return terms;
  }

 private:
  static Layout layout_of(const Model& given, const JointRegularity& regularity) {
    Layout layout = given.layout();
    Pattern kept{layout.nq(), 0, {0}, {}};
    int row = 0;
    for (Joint& joint : layout.joints) {
      const int rows = joint.rows;
      for (int k = 0; k < rows; ++k, ++row) {
        if (std::binary_search(regularity.redundant.begin(), regularity.redundant.end(), row)) {
          --joint.rows;
          continue;
        }
        const Pattern& all = given.layout().joint_gradient;
        kept.row.insert(kept.row.end(), all.row.begin() + all.start[row], all.row.begin() + all.start[row + 1]);
        kept.start.push_back(static_cast<int>(kept.row.size()));
        ++kept.cols;
      }
    }
    std::erase_if(layout.joints, [](const Joint& joint) { return joint.rows == 0; });
    layout.joint_gradient = kept;
    if (regularity.mass_is_definite) return layout;
    layout.mass = with_products(layout.mass, given.layout().joint_gradient);
    Structure& structure = layout.structure;
    if (!structure.linear_joints || !structure.fixed_joints) structure.constant_mass = structure.linear_force = false;
    return layout;
  }
  template <class Fill>
  void keep(double* part, const Fill& fill) const {
    std::vector<double> all = zeros(given_.nb());
    fill(all.data());
    for (std::size_t k = 0; k < kept_.size(); ++k) part[k] = all[kept_[k]];
  }

  const Model& given_;
  const KnownPoles* const poles_ = dynamic_cast<const KnownPoles*>(&given_);
  const bool adds_mass_;
  std::vector<int> kept_;
  std::vector<int> mass_place_;
};

// W_BB = H_BᵀM⁻¹H_B by columns.
std::vector<double> joint_delassus(const Model& model, const State& state) {
  const Pattern& gradient = model.layout().joint_gradient;
  const int nb = model.nb(), nq = model.nq();
  std::vector<double> M = zeros(model.layout().mass.size()), H = zeros(gradient.size()), W = zeros(nb * nb);
  model.mass(state.t, state.q.data(), M.data());
  model.joint_gradient(state.t, state.q.data(), H.data());
  IterationMatrix<double> factors;
  factors.resize(nq, {&model.layout().mass});
  factors.set_zero();
  factors.add(0, M.data(), 1.0);
  factors.factorise();
  for (int j = 0; j < nb; ++j) {
    std::vector<double> x = zeros(nq);
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) x[gradient.row[k]] = H[k];
    factors.solve(x.data());
    for (int i = 0; i < nb; ++i) W[j * nb + i] = column_dot(gradient, H.data(), i, x.data());
  }
  return W;
}

// What elimination in W_BB leaves of each diagonal when its row is the pivot, the largest such share first; 0 for rows
// that depend on others.
std::vector<double> pivot_shares(const Model& model, const State& state) {
  const int nb = model.nb();
  std::vector<double> W = joint_delassus(model, state), own = zeros(nb), shares = own;
  for (int j = 0; j < nb; ++j) own[j] = W[j * nb + j];
  std::vector<int> left(static_cast<std::size_t>(nb));
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    // The first one that is good enough stays the pivot: of two equal rows the later one is the redundant one.
    const auto share = [&](int j) { return own[j] > 0.0 ? W[j * nb + j] / own[j] : 0.0; };
    const auto best = std::max_element(left.begin(), left.end(), [&](int a, int b) { return share(a) < share(b); });
    if (!(share(*best) > negligible)) break;
    const int k = *best;
    shares[k] = share(k);
    left.erase(best);
    for (const int j : left) {
      const double factor = W[j * nb + k] / W[k * nb + k];
      for (const int i : left) W[j * nb + i] -= W[k * nb + i] * factor;
    }
  }
  return shares;
}

std::vector<int> dependent_rows(const Model& model, const State& state) {
  std::vector<int> dependent;
  if (model.nb() > most_rows) return dependent;
  const std::vector<double> shares = pivot_shares(model, state);
  for (int j = 0; j < model.nb(); ++j)
    if (shares[j] == 0.0) dependent.push_back(j);
  return dependent;
}

}  // namespace

JointRegularity joint_regularity(const Model& model, const State& state) {
  const auto is_definite = [&](const Model& which) {
    std::vector<double> M = zeros(which.layout().mass.size());
    which.mass(state.t, state.q.data(), M.data());
    return DefinitenessTest<double>()(which.layout().mass, M.data());
  };
  JointRegularity result;
  result.mass_is_definite = is_definite(model);
  if (model.nb() == 0) {
    result.is_regular = result.mass_is_definite;
    return result;
  }
  const RegularJoints heavier(model, result);
  result.is_regular = result.mass_is_definite || is_definite(heavier);
  if (result.is_regular) result.redundant = dependent_rows(heavier, state);
  return result;
}

int nearly_dependent_joint(const Model& model, const State& state) {
  constexpr double nearly = 0.05;
  if (model.nb() == 0 || model.nb() > most_rows) return -1;
  const std::vector<double> shares = pivot_shares(model, state);
  const auto least = std::min_element(shares.begin(), shares.end());
  return *least < nearly ? static_cast<int>(least - shares.begin()) : -1;
}

void spread_reactions(const Model& given, const JointRegularity& regularity, const State& state, double* lambda) {
  const int nb = given.nb();
  std::vector<double> all = zeros(nb);
  for (int k = 0, next = 0; k < nb; ++k)
    if (!std::binary_search(regularity.redundant.begin(), regularity.redundant.end(), k)) all[k] = lambda[next++];
  std::fill(lambda, lambda + nb, 0.0);
  if (regularity.redundant.empty()) {
    std::copy(all.begin(), all.end(), lambda);
    return;
  }
  JointRegularity whole = regularity;
  whole.redundant.clear();
  const std::vector<double> W = joint_delassus(RegularJoints(given, whole), state);
  for (int j = 0; j < nb; ++j)
    for (int i = 0; i < nb; ++i) lambda[i] += W[j * nb + i] * all[j];
  SemidefiniteSolve solve;
  if (solve.factorise(nb, W.data())) solve.solve(lambda);
}

std::unique_ptr<Model> regular_joints(const Model& given, const JointRegularity& regularity) {
  return std::make_unique<RegularJoints>(given, regularity);
}

}  // namespace ricochet
