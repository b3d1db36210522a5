// What a step and its halves may differ by, |e_i| ≤ atol_i + rtol max(|a_i|, |b_i|); round-off is always allowed.
//
// Without a number atol follows the motion as that of MotionErrors does, forces being looked at as an interval begins.
// What has been at rest gets its size from what the step would make of it over an interval: where something is struck,
// or a force jumps, the error of a step is a share of what moves in it, however short it is. And a speed that does not
// change its position is round-off of forces in balance.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "contact/mass_factors.hpp"
#include "scheme/kernel/motion_errors.hpp"
#include "scheme/kernel/motion_vector.hpp"

namespace ricochet {

class MotionTolerances : public MotionVector {
 public:
  MotionTolerances(const Model& model, double rtol, std::optional<double> atol)
      : MotionVector(model), errors_(model, rtol, atol), follows_(!atol), rtol_(std::max(rtol, round_off)) {}

  void begin(const State& state) {
    pack(state, y_);
    errors_.begin(state.t, y_.data());
  }
  // An interval of h begins.
  void set_out(const State& state, double h) {
    interval_ = h;
    if (!follows_) return;
    pack(state, y_);
    errors_.see(y_.data(), 0.0);
    if (!mass_.place(state.t, y_.data())) return;
    model_.force(state.t, y_.data(), y_.data() + nq_, y_.data() + 2 * nq_, a_.data());
    mass_.solve(a_.data());
    set_motion(state.t, y_.data(), a_.data(), dy_.data());
    errors_.set_out(dy_.data(), a_.data(), h);
  }
  // The motion has come to a state.
  void see(const State& state) {
    if (!follows_) return;
    pack(state, y_);
    errors_.see(y_.data(), 0.0);
  }

  // The trial that is looked at takes h.
  void set_trial(double h) {
    longer_ = follows_ ? 0.01 * rtol_ * interval_ : 0.0;
    over_ = h;
  }
  double q(int i, double a, double b, double speed) const { return at(i, a, b) + longer_ * speed; }
  double v(int i, double a, double b, double place) const {
    const double fixed = at(nq_ + i, a, b);
    return follows_ ? fixed + longer_ * slope_from_rest(a, b) + 4.0 * epsilon * std::abs(place) / over_ : fixed;
  }
  double z(int i, double a, double b) const {
    const double fixed = at(2 * nq_ + i, a, b);
    return follows_ ? fixed + longer_ * slope_from_rest(a, b) : fixed;
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon(), round_off = 16.0 * epsilon;
  double at(int i, double a, double b) const { return errors_.atol()[i] + rtol_ * std::max(std::abs(a), std::abs(b)); }

  // What grows without bound doubles itself more and more often, but not in a step.
  double slope_from_rest(double a, double b) const {
    return std::abs(b) > 2.0 * std::abs(a) ? std::abs(b - a) / over_ : 0.0;
  }

  MotionErrors errors_;
  const bool follows_;
  const double rtol_;
  double interval_ = 0.0, longer_ = 0.0, over_ = 1.0;
  MassFactors<double> mass_{model_};
  std::vector<double> y_ = zeros(motion_size()), dy_ = y_, a_ = zeros(nq_);
};

}  // namespace ricochet
