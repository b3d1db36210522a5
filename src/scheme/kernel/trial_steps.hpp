// Some equal steps of a velocity kernel from one state, kept or thrown away as a whole: what step doubling and
// extrapolation are made of.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "scheme/kernel/velocity_stepper.hpp"

namespace ricochet {

class TrialSteps {
 public:
  TrialSteps(const Model& model, const VelocityRule& rule, const ComplementaritySettings& solver, int count)
      : count_(count), stepper_(make_velocity_stepper(model, rule, solver)) {
    report_.contacts.reserve(static_cast<std::size_t>(count * model.nc()));
  }

  void begin(const State& state) { stepper_->begin(state); }
  // From a state over h to t_end. `goes_on`: the state is where the last run ended.
  FailureKind run(const State& from, double h, double t_end, bool goes_on) {
    if (!goes_on) stepper_->resume();
    end_ = from;
    report_.contacts.clear();
    report_.energy = {};
    std::fill(report_.friction.begin(), report_.friction.end(), 0.0);
    report_.violation = 0.0;
    touched_ = false;
    const double part = h / count_;
    for (int i = 1; i <= count_; ++i) {
      const FailureKind failure = stepper_->advance(end_, part, i == count_ ? t_end : from.t + i * part, report_);
      if (failure != FailureKind::none) return failure;
      touched_ = touched_ || stepper_->touched();
    }
    return FailureKind::none;
  }

  const ContactStepper& stepper() const { return *stepper_; }
  void reactions(double* lambda) const { stepper_->reactions(end_, lambda); }  // of the last step

  const State& end() const { return end_; }
  bool touched() const { return touched_; }                  // a contact was forecast to close, or friction acts
  bool pushed() const { return !report_.contacts.empty(); }  // a contact pushed
  double violation() const { return report_.violation; }     // largest −g where a step began
  std::vector<ContactReport>& contacts() { return report_.contacts; }
  LedgerTerms<double> ledger() const { return report_.energy.terms(); }

  // What happened on the way becomes part of the run.
  void keep(StepReport& report) const {
    report.energy.add(ledger());
    report.contacts.insert(report.contacts.end(), report_.contacts.begin(), report_.contacts.end());
    report.violation = std::max(report.violation, report_.violation);
    report.friction.resize(std::max(report.friction.size(), report_.friction.size()));
    for (std::size_t s = 0; s < report_.friction.size(); ++s) report.friction[s] += report_.friction[s];
  }

 private:
  const int count_;
  const std::unique_ptr<ContactStepper> stepper_;
  State end_;
  StepReport report_;
  bool touched_ = false;
};

}  // namespace ricochet
