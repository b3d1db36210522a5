// The recursion of velocity_step.hpp over lanes.
#pragma once

#include <memory>

#include "scheme/lane_stepper.hpp"
#include "scheme/velocity_step.hpp"

namespace ricochet {

std::unique_ptr<LaneStepper> make_velocity_lanes(const Mechanics<Lanes>& model, const VelocityRule& rule,
                                                 const ComplementaritySettings& solver);

// For the catalogue: the steps of a scheme with this rule.
template <VelocityRule (*rule)(const Scheme&)>
std::unique_ptr<LaneStepper> velocity_lanes(const Mechanics<Lanes>& model, const Scheme& scheme,
                                            const ComplementaritySettings& solver) {
  return make_velocity_lanes(model, rule(scheme), solver);
}

}  // namespace ricochet
