// What contacts and frictions did in a step of step_contacts.hpp; a smooth motion does the same in all its steps. Their
// rates tell it: impulses may be a choice, where several feet share a load, or round-off.
#pragma once

#include <algorithm>
#include <cmath>

#include "scheme/kernel/step_contacts.hpp"

namespace ricochet {

template <class Value, class Shape>
void StepContacts<Value, Shape>::set_modes(const double* push, const double* v,
                                           StepModes& modes) const requires std::is_same_v<Value, double> {
  for (int j = 0; j < nc_; ++j) {
    modes.mode[j] = contact_mode(j, rest_rate(j, push, v));
    if (modes.mode[j] == StepMode::closed) modes.margin[j] = P_[j] * problem_.diagonal(j);
  }
  const bool jumps = std::count(modes.mode.begin(), modes.mode.begin() + nc_, StepMode::struck) > 0;
  for (const SlipRow& slip : slips_) {
    if (!slip.is_first) continue;
    double zero = rest_rate(slip.row, push, v);
    if (slip.contact >= 0) zero += rest_rate(slip.contact, push, v);  // both are velocities of one point
    StepMode& mode = modes.mode[nc_ + slip.friction] = friction_mode(slip, zero, modes);
    if (mode == StepMode::stick) modes.margin[nc_ + slip.friction] = stick_margin(slip) * problem_.diagonal(slip.row);
    const bool ends = sense(slip) < 0.0 || slip_size(slip, U_plus_) <= zero;
    if (active_[slip.row] && ends && !jumps && e_[slip.row] == 0.0)
      modes.ended[slip.friction] = slip_size(slip, U_minus_);
  }
}

// A rate is as good as 0 that is little beside what the impulses did to its terms, or round-off of them. Where it
// rebounds only round-off is: parts of a step reverse it, and extrapolation makes more of what alternates.
template <class Value, class Shape>
double StepContacts<Value, Shape>::rest_rate(int j, const double* push, const double* v) const {
  constexpr double rebounds = 1e-9, round_off = 1e-10;
  return (e_[j] > 0.0 ? rebounds : little) * middle_.size_along(j, push) + round_off * middle_.rate_size(j, v);
}

template <class Value, class Shape>
StepMode StepContacts<Value, Shape>::contact_mode(int j, double zero) const {
  if (!active_[j]) return StepMode::open;
  if (std::abs(U_minus_[j]) > zero) return P_[j] > 0.0 ? StepMode::struck : StepMode::open;
  return std::abs(U_plus_[j]) <= zero ? StepMode::closed : StepMode::open;
}

template <class Value, class Shape>
StepMode StepContacts<Value, Shape>::friction_mode(const SlipRow& slip, double zero, const StepModes& modes) const {
  if (slip.contact >= 0 && modes.mode[slip.contact] == StepMode::open) return StepMode::open;
  const bool rested = slip_size(slip, U_minus_) <= zero;
  if (slip_size(slip, U_plus_) <= zero) return rested ? StepMode::stick : StepMode::stops;
  if (sense(slip) < 0.0 && !rested) return StepMode::reverses;
  if (other_row(slip) != slip.row) return StepMode::turns;
  return U_plus_[slip.row] > 0.0 ? StepMode::forward : StepMode::backward;
}

// What friction could have added.
template <class Value, class Shape>
double StepContacts<Value, Shape>::stick_margin(const SlipRow& slip) const {
  const int other = other_row(slip);
  const double bound = bounds_[slip.friction] * (slip.contact >= 0 ? P_[slip.contact] : 1.0);
  return bound - (other == slip.row ? std::abs(P_[other]) : std::hypot(P_[slip.row], P_[other]));
}

template <class Value, class Shape>
double StepContacts<Value, Shape>::slip_size(const SlipRow& slip, const auto& U) const {
  return std::max(std::abs(U[slip.row]), std::abs(U[other_row(slip)]));
}

template <class Value, class Shape>
double StepContacts<Value, Shape>::sense(const SlipRow& slip) const {
  const int r = slip.row, other = other_row(slip);
  return U_minus_[r] * U_plus_[r] + U_minus_[other] * U_plus_[other];
}

}  // namespace ricochet
