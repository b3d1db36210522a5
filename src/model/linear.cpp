#include "ricochet/model/linear.hpp"

#include <algorithm>
#include <cmath>

#include "core/place.hpp"
#include "model/loads.hpp"
#include "model/row_pieces.hpp"
#include "model/signal_poles.hpp"
#include "model/sparse_parts.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr double symmetry_tolerance = 1e-12;

void check_matrix(const SparseMatrix& A, int n, const char* field) {
  if (A.rows() != n || A.cols() != n)
    throw InputError(field, "is " + std::to_string(A.rows()) + " by " + std::to_string(A.cols()) + ", must be " +
                                std::to_string(n) + " by " + std::to_string(n) + ", as the mass");
  for (const double value : A.values)
    if (!std::isfinite(value)) throw InputError(field, "must have finite entries, got " + to_text(value));
}

void check_vector(const SparseVector& x, int n, const std::string& field) {
  for (const auto& [i, weight] : x) {
    if (i < 0 || i >= n)
      throw InputError(
          field, "there is no coordinate " + std::to_string(i) + ": they count from 0 to " + std::to_string(n - 1));
    if (!std::isfinite(weight)) throw InputError(field, "must have finite entries, got " + to_text(weight));
  }
}

// A gap, a joint or a slip.
void check_row(const SparseVector& weights, double offset, int n, const std::string& field, const char* key,
               const char* empty) {
  check_vector(weights, n, field + "." + key);
  if (std::all_of(weights.begin(), weights.end(), [](const auto& entry) { return entry.second == 0.0; }))
    throw InputError(field + "." + key, std::string("is zero: ") + empty);
  if (!std::isfinite(offset)) throw InputError(field + ".offset", "must be a finite number, got " + to_text(offset));
}

void check_friction(const LinearFriction& friction, int n, int nc, const std::string& field) {
  if (friction.constraint < -1 || friction.constraint >= nc)
    throw InputError(field + ".constraint", "there is no constraint " + std::to_string(friction.constraint) +
                                                ": they count from 0 to " + std::to_string(nc - 1));
  if (friction.slips.empty() || friction.slips.size() > 2)
    throw InputError(field + ".slips",
                     "has " + std::to_string(friction.slips.size()) + " slips: one in the plane, or two in space");
  for (std::size_t k = 0; k < friction.slips.size(); ++k) {
    const LinearSlip& slip = friction.slips[k];
    check_row(slip.direction, slip.offset, n, path_to(field + ".slips", k), "direction",
              "such a slip is the velocity of nothing");
  }
  if (!(friction.bound >= 0.0 && std::isfinite(friction.bound)))
    throw InputError(field + ".bound", "must be at least 0, got " + to_text(friction.bound));
  if (!(friction.tangential_restitution >= 0.0 && friction.tangential_restitution <= 1.0))
    throw InputError(field + ".tangential_restitution",
                     "must be in [0, 1], got " + to_text(friction.tangential_restitution));
}

// Those of contacts in the order of the constraints, then those with a limit.
bool comes_before(const LinearFriction& a, const LinearFriction& b) {
  return a.constraint >= 0 && (b.constraint < 0 || a.constraint < b.constraint);
}

// Missing matrices become empty ones, and everything has its size.
LinearSystemData complete(LinearSystemData data) {
  const int n = static_cast<int>(data.coordinates.size());
  if (n == 0) throw InputError("coordinates", "is empty: a model needs at least one coordinate");
  if (data.mass.rows() != n || data.mass.cols() != n)
    throw InputError("mass", "is " + std::to_string(data.mass.rows()) + " by " + std::to_string(data.mass.cols()) +
                                 ", must be " + std::to_string(n) + " by " + std::to_string(n) +
                                 ", one row a coordinate");
  for (SparseMatrix* A : {&data.stiffness, &data.damping})
    if (A->rows() == 0 && A->cols() == 0) *A = {Pattern::empty(n, n), {}};
  check_matrix(data.mass, n, "mass");
  check_matrix(data.stiffness, n, "stiffness");
  check_matrix(data.damping, n, "damping");
  if (!is_symmetric(data.mass, symmetry_tolerance)) throw InputError("mass", "must be symmetric");
  if (!data.weight.empty() && data.weight.size() != data.coordinates.size())
    throw InputError("weight",
                     "has " + std::to_string(data.weight.size()) + " entries, must have none or " + std::to_string(n));
  for (std::size_t i = 0; i < data.loads.size(); ++i)
    check_vector(data.loads[i].direction, n, path_to("loads", i, "direction"));
  for (std::size_t i = 0; i < data.gaps.size(); ++i)
    check_row(data.gaps[i].normal, data.gaps[i].offset, n, path_to("gaps", i), "normal",
              "such a gap constrains nothing");
  for (std::size_t i = 0; i < data.joints.size(); ++i)
    check_row(data.joints[i].normal, data.joints[i].offset, n, path_to("joints", i), "normal",
              "such a joint holds nothing");
  for (std::size_t i = 0; i < data.observations.size(); ++i)
    check_vector(data.observations[i].weights, n, path_to("observations", i, "weights"));
  if (data.curved_gaps.model && !data.gaps.empty())
    throw InputError("gaps", "cannot be given together with curved_gaps: choose one of the two");
  if (data.curved_joints.model && !data.joints.empty())
    throw InputError("joints", "cannot be given together with curved_joints: choose one of the two");
  const int nc = data.curved_gaps.model ? data.curved_gaps.model->nc() : static_cast<int>(data.gaps.size());
  for (std::size_t i = 0; i < data.frictions.size(); ++i)
    check_friction(data.frictions[i], n, nc, path_to("frictions", i));
  std::stable_sort(data.frictions.begin(), data.frictions.end(), comes_before);
  data.weight.resize(data.coordinates.size(), 0.0);
  return data;
}

// A matrix beside its symmetric part, both in one pattern.
struct WithSymmetricPart {
  explicit WithSymmetricPart(const SparseMatrix& A) : all(A) {
    has_other = !is_symmetric(A, 0.0);
    if (!has_other) return;
    const SparseMatrix other = transposed(A);
    all = add(A, 1.0, other, 0.0);
    symmetric = add(A, 0.5, other, 0.5).values;
  }
  const std::vector<double>& part() const { return has_other ? symmetric : all.values; }

  SparseMatrix all;
  std::vector<double> symmetric;
  bool has_other = false;
};

class LinearModel final : public Model, public CompliantContacts, public KnownPoles {
 public:
  LinearModel(LinearSystemData data, std::vector<LinearSlip> slips, SparseMatrix H, SparseMatrix H_B, SparseMatrix H_S,
              WithSymmetricPart K, WithSymmetricPart C)
      : Model(layout_of(data, slips, H.pattern, H_B.pattern, H_S.pattern, K, C)),
        M_(std::move(data.mass.values)),
        weight_(std::move(data.weight)),
        H_(std::move(H.values)),
        H_B_(std::move(H_B.values)),
        H_S_(std::move(H_S.values)),
        K_(std::move(K)),
        C_(std::move(C)),
        loads_(std::move(data.loads)),
        gaps_(std::move(data.gaps)),
        joints_(std::move(data.joints)),
        frictions_(std::move(data.frictions)),
        slips_(std::move(slips)),
        curved_gaps_(pieces_of(data.curved_gaps, nq(), "curved_gaps")),
        curved_joints_(pieces_of(data.curved_joints, nq(), "curved_joints")) {
    poles_.add_all(loads_);
    poles_.add_all(joints_);
    poles_.add_all(slips_);
  }

  void mass(double, const double*, double* M) const override { std::copy(M_.begin(), M_.end(), M); }

  void force(double t, const double* q, const double* v, const double*, double* F) const override {
    std::copy(weight_.begin(), weight_.end(), F);
    add_loads(loads_, t, F);
    multiply_add(layout().stiffness, K_.all.values.data(), q, -1.0, F);
    multiply_add(layout().damping, C_.all.values.data(), v, -1.0, F);
  }
  void force_jacobians(double, const double*, const double*, const double*, double* K, double* C) const override {
    std::copy(K_.all.values.begin(), K_.all.values.end(), K);
    std::copy(C_.all.values.begin(), C_.all.values.end(), C);
  }

  void gap(double t, const double* q, double* g) const override {
    if (!curved_gaps_.empty()) return curved_gaps_.gap(t, q, g);
    for (int j = 0; j < nc(); ++j) g[j] = column_dot(layout().gradient, H_.data(), j, q) + gaps_[j].offset;
  }
  void gap_gradient(double t, const double* q, double* H) const override {
    if (!curved_gaps_.empty()) return curved_gaps_.gap_gradient(t, q, H);
    std::copy(H_.begin(), H_.end(), H);
  }
  void gap_time_derivative(double t, const double* q, double* g_t) const override {
    if (!curved_gaps_.empty()) return curved_gaps_.gap_time_derivative(t, q, g_t);
    std::fill(g_t, g_t + nc(), 0.0);
  }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    if (!curved_gaps_.empty()) return curved_gaps_.gap_acceleration_terms(t, q, v, c);
    std::fill(c, c + nc(), 0.0);
  }
  void restitution(double t, const double* q, double* e) const override {
    if (!curved_gaps_.empty()) return curved_gaps_.restitution(t, q, e);
    for (int j = 0; j < nc(); ++j) e[j] = gaps_[j].restitution;
  }
  void compliance(Compliance* laws) const override {
    if (!curved_gaps_.empty()) return curved_gaps_.compliance(laws);
    for (int j = 0; j < nc(); ++j) laws[j] = gaps_[j].compliance;
  }

  void joint(double t, const double* q, double* g) const override {
    if (!curved_joints_.empty()) return curved_joints_.joint(t, q, g);
    for (int j = 0; j < nb(); ++j)
      g[j] = column_dot(layout().joint_gradient, H_B_.data(), j, q) + offset(joints_[j], t).value;
  }
  void joint_gradient(double t, const double* q, double* H) const override {
    if (!curved_joints_.empty()) return curved_joints_.joint_gradient(t, q, H);
    std::copy(H_B_.begin(), H_B_.end(), H);
  }
  void joint_drift(double t, const double* q, double* o) const override {
    if (!curved_joints_.empty()) return curved_joints_.joint_drift(t, q, o);
    for (int j = 0; j < nb(); ++j) o[j] = offset(joints_[j], t).rate;
  }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    if (!curved_joints_.empty()) return curved_joints_.joint_acceleration_terms(t, q, v, c);
    for (int j = 0; j < nb(); ++j) c[j] = offset(joints_[j], t).acceleration;
  }

  void slip_gradient(double, const double*, double* H) const override { std::copy(H_S_.begin(), H_S_.end(), H); }
  void slip_drift(double t, const double*, double* o) const override {
    for (const LinearSlip& slip : slips_) *o++ = offset(slip, t).value;
  }
  void slip_acceleration_terms(double t, const double*, const double*, double* c) const override {
    for (const LinearSlip& slip : slips_) *c++ = offset(slip, t).rate;
  }
  void friction_bound(double t, const double*, double* bound) const override {
    for (const LinearFriction& friction : frictions_)
      *bound++ = friction.bound_motion ? friction.bound_motion(t).value : friction.bound;
  }
  void tangential_restitution(double, const double*, double* e) const override {
    for (const LinearFriction& friction : frictions_) *e++ = friction.tangential_restitution;
  }

  int pole_count() const override { return poles_.count() + curved_gaps_.pole_count() + curved_joints_.pole_count(); }
  void poles(double t, const double* q, const double* v, const double* z, double* functions) const override {
    poles_.at(t, functions);
    curved_gaps_.poles(t, q, v, z, functions + poles_.count());
    curved_joints_.poles(t, q, v, z, functions + poles_.count() + curved_gaps_.pole_count());
  }

  Energy<double> energy(double, const double* q, const double* v) const override {
    return {0.5 * bilinear(layout().mass, M_.data(), v, v),
            0.5 * bilinear(layout().stiffness, K_.part().data(), q, q) - dot(nq(), weight_.data(), q)};
  }
  Power<double> power(double t, const double* q, const double* v, const double*) const override {
    Power<double> power{power_of(loads_, t, v), -bilinear(layout().damping, C_.part().data(), v, v)};
    if (K_.has_other)
      power.input -= bilinear(layout().stiffness, K_.all.values.data(), v, q) -
                     bilinear(layout().stiffness, K_.part().data(), v, q);
    return power;
  }

  LinearForce<double> linear_force() const override { return {K_.all.values, K_.part(), C_.all.values, C_.part()}; }
  void load(double t, Load<double>& load) const override {
    std::fill(load.f, load.f + nq(), 0.0);
    add_loads(loads_, t, load.f);
    for (int i = 0; i < nq(); ++i) load.l[i] = -weight_[i];
    load.V0 = 0.0;
  }
  std::optional<LinearTerms> linear_terms(double t) const override {
    if (!layout().linear_rows()) return std::nullopt;
    LinearTerms terms;
    for (const double weight : weight_) terms.force.push_back(constant(weight));
    for (const LinearLoad& load : loads_) {
      if (!load.pieces) return std::nullopt;
      const TimePiece piece = load.pieces(t);
      terms.until = std::min(terms.until, piece.until);
      for (const auto& [i, weight] : load.direction)
        for (TimeTerm term : piece.terms) {
          term.cosine *= weight;
          term.sine *= weight;
          terms.force[i].push_back(term);
        }
    }
    if (!curved_gaps_.add_gap_terms(t, terms)) return std::nullopt;
    for (const LinearGap& gap : gaps_) terms.rows.push_back(constant(gap.offset));
    if (!curved_joints_.add_joint_terms(t, terms)) return std::nullopt;
    for (const LinearJoint& joint : joints_)
      if (!add_row(joint, t, terms)) return std::nullopt;
    for (const LinearSlip& slip : slips_)
      if (!add_row(slip, t, terms)) return std::nullopt;
    return terms;
  }

 private:
  static Layout layout_of(const LinearSystemData& data, const std::vector<LinearSlip>& slips, const Pattern& gradient,
                          const Pattern& joint_gradient, const Pattern& slip_gradient, const WithSymmetricPart& K,
                          const WithSymmetricPart& C) {
    Layout layout;
    layout.coordinates = data.coordinates;
    layout.mass = data.mass.pattern;
    layout.stiffness = K.all.pattern;
    layout.damping = C.all.pattern;
    layout.structure = {
        .constant_mass = true,
        .linear_force = true,
        .constant_load = data.loads.empty(),
        .linear_gaps = true,
        .fixed_gaps = true,
        .constant_restitution = true,
        .linear_joints = true,
        .fixed_joints = std::none_of(data.joints.begin(), data.joints.end(),
                                     [](const LinearJoint& joint) { return bool(joint.motion); }),
        .linear_slips = true,
        .fixed_slips = std::none_of(slips.begin(), slips.end(),
                                    [](const LinearSlip& slip) { return bool(slip.motion) || slip.offset != 0.0; }),
        .constant_friction = std::none_of(data.frictions.begin(), data.frictions.end(),
                                          [](const LinearFriction& friction) { return bool(friction.bound_motion); })};
    if (data.curved_gaps.model) {
      pieces_of(data.curved_gaps, layout.nq(), "curved_gaps").take_gaps(layout);
    } else {
      for (const LinearGap& gap : data.gaps) layout.constraints.push_back(gap.name);
      layout.gradient = gradient;
    }
    if (data.curved_joints.model) {
      pieces_of(data.curved_joints, layout.nq(), "curved_joints").take_joints(layout);
    } else {
      for (const LinearJoint& joint : data.joints) layout.joints.push_back({.name = joint.name});
      layout.joint_gradient = joint_gradient;
    }
    for (const LinearFriction& friction : data.frictions)
      layout.frictions.push_back({.name = friction.constraint < 0
                                              ? friction.name
                                              : layout.constraints[static_cast<std::size_t>(friction.constraint)],
                                  .constraint = friction.constraint,
                                  .rows = static_cast<int>(friction.slips.size())});
    layout.slip_gradient = slip_gradient;
    for (const LinearObservation& observation : data.observations) layout.observations.push_back(observation.name);
    layout.observation = columns(layout.nq(), data.observations,
                                 [](const LinearObservation& observation) { return observation.weights; });
    return layout;
  }

  // The rows that are formulas: one piece, or none.
  static RowPieces pieces_of(const CurvedRows& rows, int nq, const char* field) {
    return rows.model ? RowPieces({rows}, nq, field) : RowPieces();
  }

  // Of a joint or a slip.
  template <class Row>
  static OffsetMotion offset(const Row& row, double t) {
    return row.motion ? row.motion(t) : OffsetMotion{.value = row.offset};
  }

  static TimeSum constant(double value) { return value == 0.0 ? TimeSum{} : TimeSum{{.cosine = value}}; }
  template <class Row>
  static bool add_row(const Row& row, double t, LinearTerms& terms) {
    if (!row.motion) {
      terms.rows.push_back(constant(row.offset));
      return true;
    }
    if (!row.pieces) return false;
    TimePiece piece = row.pieces(t);
    terms.until = std::min(terms.until, piece.until);
    terms.rows.push_back(std::move(piece.terms));
    return true;
  }
  std::vector<double> M_, weight_, H_, H_B_, H_S_;
  WithSymmetricPart K_, C_;
  std::vector<LinearLoad> loads_;
  std::vector<LinearGap> gaps_;
  std::vector<LinearJoint> joints_;
  std::vector<LinearFriction> frictions_;
  std::vector<LinearSlip> slips_;  // of all frictions
  RowPieces curved_gaps_, curved_joints_;
  SignalPoles poles_;
};

}  // namespace

std::unique_ptr<Model> linear(LinearSystemData data) {
  data = complete(std::move(data));
  WithSymmetricPart K(data.stiffness), C(data.damping);
  SparseMatrix H = columns(data.mass.rows(), data.gaps, [](const LinearGap& gap) { return gap.normal; });
  SparseMatrix H_B = columns(data.mass.rows(), data.joints, [](const LinearJoint& joint) { return joint.normal; });
  std::vector<LinearSlip> slips;
  for (const LinearFriction& friction : data.frictions)
    slips.insert(slips.end(), friction.slips.begin(), friction.slips.end());
  SparseMatrix H_S = columns(data.mass.rows(), slips, [](const LinearSlip& slip) { return slip.direction; });
  return std::make_unique<LinearModel>(std::move(data), std::move(slips), std::move(H), std::move(H_B), std::move(H_S),
                                       std::move(K), std::move(C));
}

}  // namespace ricochet
