// Steppers of the schemes that share the recursion of velocity_step.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheme/describe.hpp"
#include "scheme/kernel/contact_stepper.hpp"
#include "scheme/kernel/coordinates.hpp"
#include "scheme/kernel/lane_stepper.hpp"
#include "scheme/kernel/velocity/velocity_rule.hpp"

namespace ricochet {

// `notes`: remarks on the parameters for this model.
std::unique_ptr<ContactStepper> make_kernel_stepper(const Model& model, const VelocityRule& rule,
                                                    const ComplementaritySettings& solver,
                                                    std::vector<std::string> notes = {});

std::unique_ptr<LaneStepper> make_kernel_lanes(const Mechanics<Lanes>& model, const VelocityRule& rule,
                                               const ComplementaritySettings& solver);

// make(shape): the most that the compiler can know of a step; of small systems that are constant, of contacts too. Each
// shape costs seconds of compile time.
template <int Most, int MostContacts, class Make>
auto with_shape(const auto& model, const VelocityRule& rule, const ComplementaritySettings& solver, const Make& make) {
  const auto is = [&](int nq, int nc, int slips = 0) {
    return rule.forecasts() && is_constant_of(model, solver, nq, nc, slips);
  };
  if (is(1, 1)) return make(Shape<1, 1>());
  if (is(2, 1)) return make(Shape<2, 1>());
  if constexpr (MostContacts > 1) {
    if (is(2, 1, 1)) return make(Shape<2, 1, 1>());
    if (is(1, 2)) return make(Shape<1, 2>());
    if (is(2, 2)) return make(Shape<2, 2>());
    if (is_constant_of(model, solver, 1, 1)) return make(OfAnyRule<Shape<1, 1>>());
  }
  return with_size<Most>(model, [&](auto size) { return make(Shape<size>()); });
}

}  // namespace ricochet
