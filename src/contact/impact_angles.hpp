// Which impacts meet contacts that are closed too, at angles that break continuous dependence on the data
// (breaks_continuity in contact/impact.hpp). Nothing is computed, and no memory taken, before the first impact that may
// be one.
#pragma once

#include <cstddef>
#include <memory>

#include "contact/impact_law.hpp"
#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class ImpactAngles {
 public:
  explicit ImpactAngles(const Model& model) : model_(model) {}

  // Decides for contacts, from `first` on, of one step of length h that ended in `state`; h = 0 for contacts of one
  // instant. Closed are these contacts, and every other one whose gap, followed back over the step at its rate, was
  // closed. Contacts that are decided already are left as they are.
  void decide(const State& state, double h, ContactReports& contacts, std::size_t first = 0);
  // The same, if one of the contacts closed faster than the smooth forces alone make it close; otherwise nothing
  // breaks.
  void decide_impacts(const State& state, double h, ContactReports& contacts, std::size_t first = 0);

 private:
  bool gather(const State& state, double h, const ContactReports& contacts, std::size_t first);

  const Model& model_;
  std::unique_ptr<ImpactLaw> law_;
};

}  // namespace ricochet
