// The contacts that pushed in a step of a kernel, as the run takes them.
#pragma once

#include <algorithm>
#include <vector>

#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

// An impact happens where the gap, followed at its rate from the begin t0 of the step h, closes.
template <class Kernel>
void append_contacts(const Kernel& kernel, int nc, double t0, double h, std::vector<ContactReport>& reports) {
  const auto& contacts = kernel.contacts();
  for (int j = 0; j < nc; ++j) {
    if (!contacts.is_active(j) || !(contacts.impulse()[j] > 0.0)) continue;
    const double g = contacts.gap()[j], U = contacts.begin_rate()[j];
    const double flight = U < 0.0 ? std::clamp(-g / U, 0.0, h) : 0.0;
    ContactReport contact{.constraint = j,
                          .t = t0 + flight,
                          .rate_minus = contacts.rate_minus()[j],
                          .rate_plus = contacts.rate_plus()[j],
                          .impulse = contacts.impulse()[j],
                          .rate_drift = contacts.rate_drift(j)};
    if constexpr (requires { kernel.is_unfinished(j); }) contact.unfinished = kernel.is_unfinished(j);
    reports.push_back(contact);
  }
}

}  // namespace ricochet
