#include "contact/impact_angles.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

// Less than that of the size of the coordinates touches.
constexpr double touch_tolerance = 1e-12;

}  // namespace

void ImpactAngles::decide(const State& state, double h, ContactReports& contacts, std::size_t first) {
  if (model_.nc() < 2) return;
  const bool several = gather(state, h, contacts, first);
  for (std::size_t i = first; i < contacts.size(); ++i)
    if (ContactReport& contact = contacts[i]; !contact.discontinuous)
      contact.discontinuous = several && law_->meets_discontinuity(contact.constraint);
}

void ImpactAngles::decide_impacts(const State& state, double h, ContactReports& contacts, std::size_t first) {
  bool any = false;
  for (std::size_t i = first; i < contacts.size() && !any; ++i)
    any = contacts[i].located || contacts[i].closing_rate() > std::abs(contacts[i].smooth_rate_change);
  if (any) return decide(state, h, contacts, first);
  for (std::size_t i = first; i < contacts.size(); ++i)
    contacts[i].discontinuous = contacts[i].discontinuous.value_or(false);
}

// The closed contacts and their W; false if there is only one.
bool ImpactAngles::gather(const State& state, double h, const ContactReports& contacts, std::size_t first) {
  if (!law_) law_ = std::make_unique<ImpactLaw>(model_);
  if (law_->place(state.t, state.q.data()) != FailureKind::none) return false;
  law_->clear();
  for (std::size_t i = first; i < contacts.size(); ++i) law_->include(contacts[i].constraint);
  for (int j = 0; j < model_.nc(); ++j) {
    const double U = law_->contacts().rate(j, state.v.data());
    const double near = touch_tolerance * law_->contacts().size_along(j, state.q.data());
    if (law_->contacts().gap(j) - h * std::max(U, 0.0) <= near) law_->include(j);
  }
  if (law_->included_count() < 2) return false;
  law_->respond();
  return true;
}

}  // namespace ricochet
