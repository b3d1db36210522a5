#include "contact/impact_angles.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

// Less than that of the size of the coordinates touches.
constexpr double touch_tolerance = 1e-12;

}  // namespace

void ImpactAngles::decide(const State& state, double h, std::span<ContactReport> contacts) {
  if (model_.nc() < 2) return;
  const bool several = gather(state, h, contacts);
  for (ContactReport& contact : contacts)
    if (!contact.discontinuous) contact.discontinuous = several && law_->meets_discontinuity(contact.constraint);
}

void ImpactAngles::decide_impacts(const State& state, double h, std::span<ContactReport> contacts) {
  const bool any = std::any_of(contacts.begin(), contacts.end(), [](const ContactReport& contact) {
    return contact.located || -contact.rate_minus > std::abs(contact.smooth_rate_change);
  });
  if (any) return decide(state, h, contacts);
  for (ContactReport& contact : contacts) contact.discontinuous = contact.discontinuous.value_or(false);
}

// The closed contacts and their W; false if there is only one.
bool ImpactAngles::gather(const State& state, double h, std::span<const ContactReport> contacts) {
  if (!law_) law_ = std::make_unique<ImpactLaw>(model_);
  if (law_->place(state.t, state.q.data()) != FailureKind::none) return false;
  law_->clear();
  for (const ContactReport& contact : contacts) law_->include(contact.constraint);
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
