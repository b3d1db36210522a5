#include "ricochet/contact/impact.hpp"

#include "contact/impact_law.hpp"

namespace ricochet {

ImpactOutcome apply_impact(const Model& model, State& state, const std::vector<int>& constraints) {
  ImpactLaw law(model);
  ImpactOutcome outcome;
  outcome.failure = law.place(state.t, state.q.data());
  law.clear();
  for (const int j : constraints) law.include(j);
  if (outcome.failure == FailureKind::none) outcome.failure = law.strike(state.v.data());
  if (outcome.failure != FailureKind::none) return outcome;
  for (const int j : constraints) {
    if (!(law.impulse(j) > 0.0)) continue;
    outcome.contacts.push_back({.constraint = j,
                                .t = state.t,
                                .rate_minus = law.rate_minus(j),
                                .rate_plus = law.rate_plus(j),
                                .impulse = law.impulse(j),
                                .loss = ContactReport::loss_of(law.rate_minus(j), law.rate_plus(j), law.impulse(j)),
                                .located = true,
                                .discontinuous = law.meets_discontinuity(j)},
                               law.slip_report(j));
  }
  for (int j = 0; j < law.size(); ++j)
    if (law.is_included(j)) outcome.obstacle_work -= law.contacts().obstacle_rate(j) * law.impulse(j);
  return outcome;
}

}  // namespace ricochet
