// Some equal steps of a velocity kernel from one state, kept or thrown away as a whole: what step doubling and
// extrapolation are made of.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ricochet/core/state.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/step_contacts.hpp"
#include "scheme/kernel/velocity_rule.hpp"

namespace ricochet {

class TrialSteps {
 public:
  virtual ~TrialSteps() = default;

  // From a state over h to t_end. `goes_on`: the state is where the last run ended.
  virtual FailureKind run(const State& from, double h, double t_end, bool goes_on) = 0;
  virtual std::string failure_detail() const = 0;
  virtual const StepContacts<double>& last_contacts() const = 0;  // of the last step
  virtual StepCounts counts() const = 0;
  virtual bool ledger_is_exact() const = 0;

  const State& end() const { return end_; }
  bool touched() const { return touched_; }           // a contact was forecast to close
  bool pushed() const { return !contacts_.empty(); }  // a contact pushed
  double violation() const { return violation_; }     // largest −g where a step began
  std::vector<ContactReport>& contacts() { return contacts_; }

  // λ_B of the last step: its impulses by its length.
  void reactions(int nb, double* lambda) const {
    for (int j = 0; j < nb; ++j) lambda[j] = last_contacts().joint_impulse()[j] / last_step_;
  }

  LedgerTerms<double> ledger() const;   // the terms of the account, summed over the steps
  void keep(StepReport& report) const;  // what happened on the way becomes part of the run

 protected:
  State end_;
  std::vector<ContactReport> contacts_;
  std::vector<LedgerTerms<double>> ledgers_;
  bool touched_ = false;
  double violation_ = 0.0, last_step_ = 1.0;
};

// Over the kernel of the model's size: unrolled loops for systems of a few coordinates.
std::unique_ptr<TrialSteps> make_trial_steps(const Model& model, const VelocityRule& rule,
                                             const ComplementaritySettings& solver, int count);

}  // namespace ricochet
