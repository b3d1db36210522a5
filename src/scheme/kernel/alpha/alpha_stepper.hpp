// Steppers of the nonsmooth generalized-α family: newmark, hht, generalized-alpha.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheme/describe.hpp"
#include "scheme/kernel/lane_stepper.hpp"

namespace ricochet {

// What tells them apart, in (1) to (3) of alpha_step.hpp.
struct AlphaRule {
  double alpha_m = 0.0, alpha_f = 0.0, gamma = 0.5, beta = 0.25;
  double forecast = 0.5;
  bool has_energy = false;  // keeps an algorithmic energy in linear motion without damping (newmark, hht)
};

// `notes`: remarks on the parameters for this model.
std::unique_ptr<Stepper> make_kernel_stepper(const Model& model, const AlphaRule& rule,
                                             const ComplementaritySettings& solver,
                                             std::vector<std::string> notes = {});

// Null for models that one iteration a step does not solve.
std::unique_ptr<LaneStepper> make_kernel_lanes(const Mechanics<Lanes>& model, const AlphaRule& rule,
                                               const ComplementaritySettings& solver);

}  // namespace ricochet
