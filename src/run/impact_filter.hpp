// Tells impacts from lasting contact, and puts together what a scheme spreads over several steps.
//
// A contact that pushed in a step is an impact if it was closing faster than the smooth forces alone
// can make it close within that one step:
//     −U⁻ > |U_free − U⁻|  (and above round-off),
// U_free being the rate that the step would end with had the contact not pushed. A body at rest is
// pressed on its support by exactly that drift and so gives no impacts; a bouncing ball stops giving
// impacts when its flights last less than two steps and cannot be told from rest. One that was separating and is pushed
// all the same takes part in the impact of another: U⁻ − U⁺ stands in place of −U⁻.
//
// A rate far below what the impulse P does to a body of the contact, W P with W = Σ H²/M, is round-off: in a column at
// rest the rates between the bodies are zero but for the last digits, and the weight above presses all the same.
//
// Schemes that locate events say themselves what is an impact.
//
// Position schemes reverse a velocity in two steps: an impact that a step leaves unfinished goes on with the
// push of the next one.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ricochet/run/solution.hpp"
#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

class ImpactFilter {
 public:
  explicit ImpactFilter(int nc) : constraints_(static_cast<std::size_t>(nc)), impacts_(constraints_.size()) {}

  // W of a constraint, a measure only.
  void set_response(int j, double W) { constraints_[j].response = W; }

  // A contact pushed in steps of which nobody told.
  void see(int j, double fastest) { constraints_[j].fastest = std::max(constraints_[j].fastest, fastest); }

  // Whether take() would begin or go on with an impact.
  bool would_take(const ContactReport& contact) const {
    const Constraint& constraint = constraints_[contact.constraint];
    return constraint.open || is_impact(contact, constraint);
  }

  // Calls keep(impact) if the contact, one of `all`, is one or the end of one.
  template <class Keep>
  void take(const ContactReport& contact, const ContactReports& all, const Keep& keep) {
    Constraint& constraint = constraints_[contact.constraint];
    constraint.fastest = std::max(constraint.fastest, std::abs(contact.rate_minus));
    if (!constraint.open && !is_impact(contact, constraint)) return;
    const SlipReport slip = all.slip(contact);
    const double loss = contact.loss + slip.loss();
    Impact& impact = impacts_[contact.constraint];
    if (constraint.open) {
      impact.rate_plus = contact.rate_plus;
      impact.impulse += contact.impulse;
      impact.energy_loss += loss;
      impact.discontinuous |= contact.discontinuous.value_or(false);
    } else {
      impact = {contact.t,
                contact.constraint,
                contact.rate_minus,
                contact.rate_plus,
                contact.impulse,
                loss,
                contact.discontinuous.value_or(false),
                slip};
      open_count_ += 1;
    }
    constraint.open = constraint.in_this_step = in_this_step_ = true;
    if (!contact.unfinished) close(constraint, keep);
  }

  // After each step: an unfinished impact that nothing pushed on is over.
  bool has_open() const { return open_count_ > 0; }
  template <class Keep>
  void end_step(const Keep& keep) {
    if (open_count_ == 0 && !in_this_step_) return;
    in_this_step_ = false;
    for (Constraint& constraint : constraints_) {
      if (constraint.open && !constraint.in_this_step) close(constraint, keep);
      constraint.in_this_step = false;
    }
  }

 private:
  struct Constraint {
    double fastest = 0.0;   // largest rate met
    double response = 0.0;  // W
    bool open = false, in_this_step = false;
  };

  static bool is_impact(const ContactReport& contact, const Constraint& constraint) {
    constexpr double round_off = 1e-10;
    const double fastest =
        std::max({constraint.fastest, std::abs(contact.rate_minus), constraint.response * contact.impulse});
    return contact.located || contact.closing_rate() > std::abs(contact.smooth_rate_change) + round_off * fastest;
  }
  template <class Keep>
  void close(Constraint& constraint, const Keep& keep) {
    constraint.open = false;
    open_count_ -= 1;
    keep(impacts_[static_cast<std::size_t>(&constraint - constraints_.data())]);
  }

  std::vector<Constraint> constraints_;
  std::vector<Impact> impacts_;  // those that are open
  int open_count_ = 0;
  bool in_this_step_ = false;  // an impact of any constraint
};

}  // namespace ricochet
