// Steppers of the schemes that share the recursion of velocity_step.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheme/describe.hpp"
#include "scheme/kernel/contact_stepper.hpp"
#include "scheme/kernel/lane_stepper.hpp"
#include "scheme/kernel/velocity_rule.hpp"

namespace ricochet {

// `notes`: remarks on the parameters for this model.
std::unique_ptr<ContactStepper> make_velocity_stepper(const Model& model, const VelocityRule& rule,
                                                      const ComplementaritySettings& solver,
                                                      std::vector<std::string> notes = {});

std::unique_ptr<LaneStepper> make_velocity_lanes(const Mechanics<Lanes>& model, const VelocityRule& rule,
                                                 const ComplementaritySettings& solver);

// For the catalogue: a scheme that is no more than its rule, and its notes. Those may refuse the model.
template <class S>
std::vector<std::string> no_notes(const Model&, const S&) {
  return {};
}
template <class S, VelocityRule (*rule)(const S&),
          std::vector<std::string> (*notes)(const Model&, const S&) = no_notes<S>>
std::unique_ptr<Stepper> velocity_stepper(const Model& model, const Scheme& scheme,
                                          const ComplementaritySettings& solver) {
  const S parameters = typed<S>(scheme);
  return make_velocity_stepper(model, rule(parameters), solver, notes(model, parameters));
}
template <class S, VelocityRule (*rule)(const S&)>
std::unique_ptr<LaneStepper> velocity_lanes(const Mechanics<Lanes>& model, const Scheme& scheme,
                                            const ComplementaritySettings& solver) {
  return make_velocity_lanes(model, rule(typed<S>(scheme)), solver);
}

}  // namespace ricochet
