// The geometry of all rows at one point (t, q), over doubles or lanes: contacts first, then the rows of joints, then
// the slips.
//
//     g,   H = (∂g/∂q)ᵀ,   o = ∂g/∂t,   e,   c = vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t²,   μ or L
//     rate U = Hᵀv + o,   acceleration Γ = Hᵀa + c
//
// Each part is taken from the model only when it is asked for.
#pragma once

#include <type_traits>
#include <vector>

#include "core/shape.hpp"
#include "core/zeros.hpp"
#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// To which friction and which contact a slip belongs.
struct SlipRow {
  int friction, contact, row;  // contact −1: dry friction
  bool is_first;               // of its friction
};

inline std::vector<SlipRow> slip_rows(const Layout& layout) {
  std::vector<SlipRow> slips;
  int row = layout.nc() + layout.nb();
  for (int k = 0; k < layout.nf(); ++k)
    for (int m = 0; m < layout.frictions[k].rows; ++m)
      slips.push_back({k, layout.frictions[k].constraint, row++, m == 0});
  return slips;
}

// What friction did at contact j, by the rates and impulses of all rows and one bound a friction; l: the lane, of those
// that are lanes.
SlipReport slip_report_of(const auto& slips, int j, const auto& U_minus, const auto& U_plus, const auto& P,
                          const auto& bounds, int l = 0) {
  SlipReport report;
  std::size_t k = 0;
  for (const SlipRow& slip : slips) {
    if (slip.contact != j) continue;
    report.minus[k] = lane(U_minus[slip.row], l), report.plus[k] = lane(U_plus[slip.row], l);
    report.impulse[k++] = lane(P[slip.row], l);
    report.decide(lane(bounds[slip.friction], l) * lane(P[j], l));
  }
  return report;
}

template <class Value, class Shape = AnyShape>
class ContactKinematics {
 public:
  explicit ContactKinematics(const Mechanics<Value>& model) : model_(model), pattern_(model.layout().rows) {}

  void place_gaps(const Value& t, const Value* q) {
    model_.gap(t, q, g_.data());
    if (has_joints()) model_.joint(t, q, g_.data() + nc_);
  }
  void place_gradients(const Value& t, const Value* q) {
    if constexpr (Shape::is_constant) {
      const Pattern& rows = model_.layout().rows;
      std::vector<Value> H = zeros<Value>(rows.size());
      model_.gap_gradient(t, q, H.data());
      if (has_slips()) model_.slip_gradient(t, q, H.data() + rows.start[nc_]);
      return arrange(rows, H.data(), pattern_, H_.data());
    }
    model_.gap_gradient(t, q, H_.data());
    if (has_joints()) model_.joint_gradient(t, q, H_.data() + joint_entries_);
    if (has_slips()) model_.slip_gradient(t, q, H_.data() + slip_entries_);
    keeps_gradients_ =
        std::is_same_v<Value, double> && model_.layout().linear_rows();  // those of lanes may be set anew
  }
  void place_obstacles(const Value& t, const Value* q) {
    if (!fixed_gaps_) model_.gap_time_derivative(t, q, o_.data());
    if (!fixed_joints_) model_.joint_drift(t, q, o_.data() + nc_);
    if (!fixed_slips_) model_.slip_drift(t, q, o_.data() + held_);
  }
  void place_rates(const Value& t, const Value* q) {
    if (!keeps_gradients_) place_gradients(t, q);
    place_obstacles(t, q);
  }
  void place_accelerations(const Value& t, const Value* q, const Value* v) {
    if (!keeps_gradients_) place_gradients(t, q);
    model_.gap_acceleration_terms(t, q, v, c_.data());
    if (has_joints()) model_.joint_acceleration_terms(t, q, v, c_.data() + nc_);
    if (has_slips()) model_.slip_acceleration_terms(t, q, v, c_.data() + held_);
  }
  void place_restitutions(const Value& t, const Value* q) {
    model_.restitution(t, q, e_.data());
    if (has_slips()) model_.tangential_restitution(t, q, e_.data() + nc_);
  }
  void place_bounds(const Value& t, const Value* q) {
    if (has_slips()) model_.friction_bound(t, q, bound_.data());
  }
  // H_j and o_j of another point, in these lanes.
  void place_as(int j, const ContactKinematics& other, const Mask<Value>& where) {
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) H_[k] = select(where, other.H_[k], H_[k]);
    o_[j] = select(where, other.o_[j], o_[j]);
  }

  // Whether gaps, gradients and drifts are numbers where they were placed: a sum is finite only if its terms are.
  Mask<Value> is_finite() const {
    Value sum = 0.0;
    for (const Value& entry : g_) sum += entry;
    for (const Value& entry : H_) sum += entry;
    for (const Value& entry : o_) sum += entry;
    return finite(sum);
  }

  const Value& gap(int j) const { return g_[j]; }
  const Value& obstacle_rate(int j) const { return o_[j]; }  // o
  const Value& restitution(int j) const { return e_[j]; }
  const Value& tangential_restitution(int k) const { return e_[nc_ + k]; }                    // of friction k
  const Value& bound(int k) const { return bound_[k]; }                                       // μ or L of friction k
  Value along(int j, const Value* x) const { return column_dot(pattern_, H_.data(), j, x); }  // H_jᵀx
  Value rate(int j, const Value* v) const { return o_[j] + along(j, v); }
  Value acceleration(int j, const Value* a) const { return c_[j] + along(j, a); }
  // use(i, H_ij) for the entries of H_j
  template <class Use>
  [[gnu::always_inline]] void each_entry(int j, const Use& use) const {
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) use(pattern_.row[k], H_[k]);
  }
  // x += factor H_j
  void add_gradient(int j, const Value& factor, Value* x) const {
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) x[pattern_.row[k]] += H_[k] * factor;
  }
  // −Σ o_j P_j of contacts and joints: what moving obstacles do by the impulses P, or by forces in a unit of time.
  Value obstacle_work(const Value* P) const {
    Value work = 0.0;
    for (int j = 0; j < held_; ++j) work -= o_[j] * P[j];
    return work;
  }
  // Σ |H_kj| |x_k|: the size of what H_jᵀx is a sum of.
  Value size_along(int j, const Value* x) const {
    Value size = 0.0;
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) size += absolute(H_[k] * x[pattern_.row[k]]);
    return size;
  }

  // The sizes of what a gap and a rate are sums of: both are known to their round-off only.
  Value gap_size(int j, const Value& t, const Value* q) const { return size_along(j, q) + absolute(o_[j] * t); }
  Value rate_size(int j, const Value* v) const { return size_along(j, v) + absolute(o_[j]); }

  const Value* gaps() const { return g_.data(); }
  const Value* gradients() const { return H_.data(); }
  const Value* restitutions() const { return e_.data(); }
  const Value* bounds() const { return bound_.data(); }

 private:
  bool has_joints() const { return held_ > nc_; }
  bool has_slips() const { return pattern_.cols > held_; }

  const Mechanics<Value>& model_;
  const ShapedPattern<Shape, Shape::rows> pattern_;
  // The rows where joints and slips begin, and their entries.
  const Number<Shape::contacts> nc_ = model_.nc(), held_ = nc_ + model_.nb();
  const int joint_entries_ = model_.layout().gradient.size(), slip_entries_ = pattern_.start[held_];
  const bool fixed_gaps_ = model_.layout().structure.fixed_gaps;  // o = 0
  const bool fixed_joints_ = model_.nb() == 0 || model_.layout().structure.fixed_joints;
  const bool fixed_slips_ = model_.nf() == 0 || model_.layout().structure.fixed_slips;
  using Rows = ShapedVector<Shape, Value, Shape::rows>;
  using Entries = ShapedVector<Shape, Value, Shape::coordinates * Shape::rows>;
  Entries H_ = zero_vector<Entries>(pattern_.size());
  Rows g_ = zero_vector<Rows>(pattern_.cols), o_ = g_, c_ = g_;
  std::vector<Value> e_ = zeros<Value>(nc_ + model_.nf()), bound_ = zeros<Value>(model_.nf());
  bool keeps_gradients_ = false;  // H is constant and has been placed
};

}  // namespace ricochet
