// Tells impacts from lasting contact.
//
// A contact that pushed in a step is an impact if it was closing faster than the smooth forces alone
// can make it close within that one step:
//     −U⁻ > |U_free − U⁻|  (and above round-off),
// U_free being the rate that the step would end with had the contact not pushed. A body at rest is
// pressed on its support by exactly that drift and so gives no impacts; a bouncing ball stops giving
// impacts when its flights last less than two steps and cannot be told from rest.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

class ImpactFilter {
 public:
  explicit ImpactFilter(int nc) : fastest_(static_cast<std::size_t>(nc), 0.0) {}

  bool is_impact(const ContactReport& contact) {
    double& fastest = fastest_[static_cast<std::size_t>(contact.constraint)];
    fastest = std::max(fastest, std::abs(contact.rate_minus));
    constexpr double round_off = 1e-10;
    return -contact.rate_minus > std::abs(contact.rate_drift) + round_off * fastest;
  }

 private:
  std::vector<double> fastest_;  // largest rate met, by constraint
};

}  // namespace ricochet
