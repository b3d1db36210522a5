// The contacts that pushed in a step of a kernel, as the run takes them.
#pragma once

#include <algorithm>
#include <vector>

#include "ricochet/core/lanes.hpp"
#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

// An impact happens where the gap, followed at its rate from the begin t0 of the step h, closes. l: the lane, of
// kernels that have several.
template <class Kernel>
void append_contacts(const Kernel& kernel, int nc, double t0, double h, ContactReports& reports, int l = 0) {
  const auto& contacts = kernel.contacts();
  for (int j = 0; j < nc; ++j) {
    if (!lane(contacts.active()[j], l) || !(lane(contacts.impulse()[j], l) > 0.0)) continue;
    const double g = lane(contacts.gap()[j], l), U = lane(contacts.begin_rate()[j], l);
    const double flight = U < 0.0 ? std::clamp(-g / U, 0.0, h) : 0.0;
    const double U_minus = lane(contacts.rate_minus()[j], l), U_plus = lane(contacts.rate_plus()[j], l);
    const double P = lane(contacts.impulse()[j], l);
    const ContactReport contact{.constraint = j,
                                .t = t0 + flight,
                                .rate_minus = U_minus,
                                .rate_plus = U_plus,
                                .impulse = P,
                                .smooth_rate_change = lane(contacts.smooth_rate_change(j), l),
                                .loss = ContactReport::loss_of(U_minus, U_plus, P),
                                .unfinished = kernel.is_unfinished(j, l)};
    if (contacts.has_friction()) [[unlikely]]
      reports.push_back(contact, contacts.slip_report(j, l));
    else
      reports.push_back(contact);
  }
}

}  // namespace ricochet
