// Moreau-Jean with steps that follow a tolerance; see docs/schemes/moreau-jean-adaptive.md.
#pragma once

#include <optional>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct MoreauJeanAdaptive {
  enum class Estimate { variable, order_0, order_1, order_2 };
  double theta = 0.5;                                        // θ in [0, 1]: weight of the end of the step
  double forecast = 0.5;                                     // γ_f ≥ 0: a contact is active where g + γ_f h U ≤ 0
  double rtol = 1e-8;                                        // relative error allowed in a step, and
  std::optional<double> atol = std::nullopt;                 // absolute; by default rtol/100 of what there has been
  Estimate estimate = Estimate::variable;                    // p: order taken for the estimate
  bool violation = true;                                     // false does not converge
  std::optional<double> violation_tolerance = std::nullopt;  // of a step; by default what rtol and atol mean for g
  std::optional<double> largest_step = std::nullopt;         // by default the recording interval
  std::optional<double> smallest_step = std::nullopt;        // the run ends there; 1e-13 of the recording interval
  double safety = 0.9;                                       // α in (0, 1]
  double smallest_factor = 0.2;                              // α_min in (0, 1)
  double largest_factor = 5.0;                               // α_max > 1

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
