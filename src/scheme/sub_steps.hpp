// Some equal steps of a velocity kernel from one state, kept or thrown away as a whole: what step doubling and
// extrapolation are made of.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/state.hpp"
#include "scheme/contact_reports.hpp"
#include "scheme/failure_text.hpp"
#include "scheme/velocity_step.hpp"

namespace ricochet {

template <class Kernel>
class SubSteps {
 public:
  SubSteps(const Model& model, const VelocityRule& rule, const ComplementaritySettings& solver, int count)
      : model_(model), count_(count), kernel_(model, rule, solver), ledgers_(static_cast<std::size_t>(count)) {
    contacts_.reserve(static_cast<std::size_t>(count * model.nc()));
  }

  // From a state over h to t_end. `goes_on`: the state is where the last run ended.
  FailureKind run(const State& from, double h, double t_end, bool goes_on) {
    if (!goes_on) kernel_.begin();
    end_ = from;
    contacts_.clear();
    touched_ = false;
    violation_ = 0.0;
    const double part = h / count_;
    for (int i = 0; i < count_; ++i) {
      const double t1 = i + 1 == count_ ? t_end : from.t + (i + 1) * part;
      if (!kernel_.step(end_.t, part, t1, end_.q.data(), end_.v.data(), end_.z.data())) return kernel_.failure();
      ledgers_[static_cast<std::size_t>(i)] = kernel_.ledger();
      collect(end_.t, part);
      end_.t = t1;
    }
    return FailureKind::none;
  }

  const State& end() const { return end_; }
  bool touched() const { return touched_; }           // a contact was forecast to close
  bool pushed() const { return !contacts_.empty(); }  // a contact pushed
  double violation() const { return violation_; }     // largest −g where a step began
  std::vector<ContactReport>& contacts() { return contacts_; }
  const Kernel& kernel() const { return kernel_; }

  // The terms of the account, summed over the steps.
  LedgerTerms<double> ledger() const {
    LedgerTerms<double> sum;
    for (const LedgerTerms<double>& terms : ledgers_) {
      sum.input += terms.input;
      sum.damping += terms.damping;
      sum.impact += terms.impact;
      sum.numerical += terms.numerical;
    }
    return sum;
  }

  // What happened on the way becomes part of the run.
  void keep(StepReport& report) const {
    for (const LedgerTerms<double>& terms : ledgers_) report.energy.add(terms);
    report.contacts.insert(report.contacts.end(), contacts_.begin(), contacts_.end());
    report.violation = std::max(report.violation, violation_);
  }

  std::string failure_detail() const {
    return failure_text(model_, kernel_.failure(),
                        {kernel_.trial_q(), kernel_.trial_v(), kernel_.trial_z(), kernel_.trial_force(),
                         kernel_.contacts().restitution(), &kernel_.contacts().problem()});
  }

 private:
  void collect(double t0, double h) {
    const StepContacts<double>& contacts = kernel_.contacts();
    for (int j = 0; j < model_.nc(); ++j) violation_ = std::max(violation_, -contacts.gap()[j]);
    if (!contacts.touched()) return;
    touched_ = true;
    append_contacts(kernel_, model_.nc(), t0, h, contacts_);
  }

  const Model& model_;
  const int count_;
  Kernel kernel_;
  State end_;
  std::vector<ContactReport> contacts_;
  std::vector<LedgerTerms<double>> ledgers_;
  bool touched_ = false;
  double violation_ = 0.0;
};

inline StepCounts operator+(const StepCounts& a, const StepCounts& b) {
  return {.newton_iterations = a.newton_iterations + b.newton_iterations,
          .force_evaluations = a.force_evaluations + b.force_evaluations,
          .contact_problems = a.contact_problems + b.contact_problems,
          .accepted = a.accepted + b.accepted,
          .rejected = a.rejected + b.rejected};
}

// A stepper over the kernel of the model's size: unrolled loops for systems of a few coordinates.
template <template <class> class SteppedWith, class... Arguments>
std::unique_ptr<Stepper> make_with_kernel(const Model& model, Arguments&&... arguments) {
  if (model.nz() == 0) {
    switch (model.nq()) {
      case 1: return std::make_unique<SteppedWith<VelocityStep<double, 1>>>(model, arguments...);
      case 2: return std::make_unique<SteppedWith<VelocityStep<double, 2>>>(model, arguments...);
      default: break;
    }
  }
  return std::make_unique<SteppedWith<VelocityStep<double>>>(model, std::forward<Arguments>(arguments)...);
}

}  // namespace ricochet
