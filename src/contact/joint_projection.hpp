// The positions of joints at the end of a step: q = q_free + M⁻¹ H_B τ with g_B(t, q) = 0, by Newton's method. H_B is
// that along which the impulses of the step act and M its mass. Steps that iterate call it again and again: τ goes on
// from its last value, and the slopes of g_B are taken where the last call ended.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/row_resolution.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"

namespace ricochet {

template <class Value>
class JointProjection {
 public:
  explicit JointProjection(const Mechanics<Value>& model) : model_(model) {
    const std::vector<bool> has_position = model.layout().joint_has_position();
    for (int j = nc_; j < nr_; ++j) held_[j] = Mask<Value>(has_position[static_cast<std::size_t>(j - nc_)]);
  }

  // Whether there are joints with positions.
  static bool is_wanted(const Layout& layout) {
    return std::any_of(layout.joints.begin(), layout.joints.end(),
                       [](const Joint& joint) { return joint.has_position; });
  }

  // M or H has changed although both are constant.
  void reset() { ready_ = false; }

  // A new step.
  void begin() {
    for (Value& x : tau_) x = 0.0;
    for (Value& x : shift_) x = 0.0;
  }
  const Value* shift() const { return shift_.data(); }  // M⁻¹ H_B τ

  // q := q + M⁻¹ H_B τ; H of all rows. In lanes that are not named both factors stay as they were. False where it does
  // not converge: then no position near by satisfies the joints.
  template <class Factors>
  Mask<Value> project(const Factors& M, const Value* H, const Value& t, const Mask<Value>& where, Value* q) {
    constexpr int most_iterations = 30;
    if (!(ready_ && constant_)) {
      for (int i = 0; i < nq_; ++i) push_[i] = q[i] + shift_[i];
      here_.place_rates(t, push_.data());
      delassus_.set(M, here_.gradients(), H, held_.data());
      ready_ = true;
    }
    for (Value& x : push_) x = 0.0;
    delassus_.add_push(tau_.data(), push_.data());
    for (int i = 0; i < nq_; ++i) {
      shift_[i] = select(where, push_[i], shift_[i]);
      q[i] += shift_[i];
    }

    Value last = std::numeric_limits<double>::infinity();
    Mask<Value> done = !where;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      model_.joint(t, q, g_.data() + nc_);
      const Value largest = resolution_.largest(t, q, g_.data(), here_, held_, iteration == 0);
      // Exact, or as near as round-off lets it be.
      const Mask<Value> stalls = largest >= Value(0.5) * last;
      done = done | (largest <= Value(4.0)) | (stalls & (largest <= Value(most_round_off)));
      if (all(done)) break;
      last = largest;
      Mask<Value> moves = delassus_.solve(held_.data(), g_.data(), dtau_.data()) & !done;
      set_push(moves);
      if (any(moves & stalls)) {
        done = done | (moves & stalls & resolution_.is_reached(t, q, push_.data(), g_.data(), here_, held_));
        moves = moves & !done;
        set_push(moves);
      }
      if (!any(moves)) break;
      move(q);
    }
    return done;
  }

 private:
  // M⁻¹ H_B dτ, of these lanes.
  void set_push(const Mask<Value>& where) {
    for (int j = nc_; j < nr_; ++j) dtau_[j] = select(where, dtau_[j], Value(0.0));
    for (Value& x : push_) x = 0.0;
    delassus_.add_push(dtau_.data(), push_.data());
  }
  void move(Value* q) {
    for (int j = nc_; j < nr_; ++j) tau_[j] += dtau_[j];
    for (int i = 0; i < nq_; ++i) {
      q[i] += push_[i];
      shift_[i] += push_[i];
    }
  }

  const Mechanics<Value>& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc(), nr_ = nc_ + model_.nb();
  const bool constant_ = model_.layout().structure.constant_mass && model_.layout().linear_rows();
  bool ready_ = false;
  ContactKinematics<Value> here_{model_};
  Delassus<Value> delassus_{nq_, model_.layout()};
  RowResolution<Value> resolution_{model_};
  std::vector<Value> g_ = zeros<Value>(nr_), tau_ = g_, dtau_ = g_;
  std::vector<Value> shift_ = zeros<Value>(nq_), push_ = shift_;
  MaskArray<Value> held_{nr_};
};

}  // namespace ricochet
