// Some equal steps of a velocity kernel from one state, kept or thrown away as a whole: what step doubling and
// extrapolation are made of.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {

// How smooth the steps of one or several trials are together: nothing changes from one to the next; some friction does,
// or slides in space; a contact meets its obstacle, or closes or opens.
enum class Smoothness { jumps, bends, smooth };

class TrialSteps {
 public:
  TrialSteps(const Model& model, const VelocityRule& rule, const ComplementaritySettings& solver, int count)
      : count_(count),
        stepper_(make_kernel_stepper(model, held(rule), solver)),
        first_(model.nc(), model.nf()),
        now_(first_),
        lost_(first_.ended) {
    report_.contacts.reserve(static_cast<std::size_t>(count * model.nc()));
  }

  void begin(const State& state) { stepper_->begin(state); }
  // From a state over h to t_end. contacts: what is known of them; none given: the state is where the last run ended.
  FailureKind run(const State& from, double h, double t_end, const std::vector<ContactMemory>* contacts) {
    if (contacts != nullptr) stepper_->resume(*contacts);
    end_ = from;
    report_.contacts.clear();
    report_.energy = {};
    std::fill(report_.friction.begin(), report_.friction.end(), 0.0);
    report_.violation = 0.0;
    smoothness_ = Smoothness::smooth;
    std::fill(lost_.begin(), lost_.end(), 0.0);
    const double part = h / count_;
    for (int i = 1; i <= count_; ++i) {
      const FailureKind failure = stepper_->advance(end_, part, i == count_ ? t_end : from.t + i * part, report_);
      if (failure != FailureKind::none) return failure;
      StepModes& modes = i == 1 ? first_ : now_;
      stepper_->modes(modes);
      if (first_.is_clear && modes.is_clear) continue;
      see_ends(modes);
      smoothness_ = std::min(smoothness_, i == 1 ? of(modes.mode) : between(first_.mode, modes.mode));
    }
    return FailureKind::none;
  }

  const ContactStepper& stepper() const { return *stepper_; }
  void reactions(double* lambda) const { stepper_->reactions(end_, lambda); }  // of the last step

  const State& end() const { return end_; }
  // With another trial of the same motion.
  Smoothness smoothness(const TrialSteps& other) const {
    const Smoothness each = std::min(smoothness_, other.smoothness_);
    return first_.is_clear && other.first_.is_clear ? each : std::min(each, between(first_.mode, other.first_.mode));
  }
  const std::vector<StepMode>& first_modes() const { return first_.mode; }
  // The slip of friction k that was ended in a step, if it does not stick in the next: how far off it may be then.
  double lost_slip(int k) const { return lost_[static_cast<std::size_t>(k)]; }
  // What held contact or friction i in both of two steps would have let go before their end: with m the margins, taken
  // for linear in time, it is m₂ + ½(m₂ − m₁) in the end. The rate that it would have by then.
  double overdue(std::size_t i) const {
    if (count_ != 2 || first_.mode[i] != now_.mode[i]) return 0.0;
    const double m1 = first_.margin[i], m2 = now_.margin[i], end = m2 + 0.5 * (m2 - m1);
    return end < 0.0 ? 0.5 * end * end / (m1 - m2) : 0.0;
  }
  bool pushed() const { return !report_.contacts.empty(); }  // a contact pushed
  ContactReports& contacts() { return report_.contacts; }
  LedgerTerms<double> ledger() const { return report_.energy.terms(); }

  // What happened on the way becomes part of the run.
  void keep(StepReport& report) const { keep(report, ledger()); }
  void keep(StepReport& report, const LedgerTerms<double>& terms) const {
    report.energy.add(terms);
    report.contacts.append(report_.contacts);
    report.violation = std::max(report.violation, report_.violation);
    report.friction.resize(std::max(report.friction.size(), report_.friction.size()));
    for (std::size_t s = 0; s < report_.friction.size(); ++s) report.friction[s] += report_.friction[s];
  }

 private:
  // Contacts that only the drift of the steps would open stay closed.
  static VelocityRule held(VelocityRule rule) {
    rule.hold = 0.1;
    return rule;
  }
  // Nothing is lost of a slip that stopped and sticks.
  void see_ends(const StepModes& modes) {
    const std::size_t contacts = modes.mode.size() - lost_.size();
    for (std::size_t k = 0; k < lost_.size(); ++k)
      lost_[k] = modes.mode[contacts + k] == StepMode::stick ? 0.0 : std::max(lost_[k], modes.ended[k]);
  }
  static Smoothness of(const std::vector<StepMode>& modes) {
    Smoothness worst = Smoothness::smooth;
    for (const StepMode mode : modes) {
      if (mode == StepMode::struck) return Smoothness::jumps;
      if (mode >= StepMode::turns) worst = Smoothness::bends;
    }
    return worst;
  }
  // Frictions are open with their contacts: where one is in one step alone, its contact is too.
  static Smoothness between(const std::vector<StepMode>& a, const std::vector<StepMode>& b) {
    Smoothness worst = of(b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      if (a[i] == StepMode::open || b[i] == StepMode::open || a[i] == StepMode::struck) return Smoothness::jumps;
      worst = std::min(worst, Smoothness::bends);
    }
    return worst;
  }

  const int count_;
  const std::unique_ptr<ContactStepper> stepper_;
  State end_;
  StepReport report_;
  Smoothness smoothness_ = Smoothness::smooth;
  StepModes first_, now_;  // of the first step, and of another
  std::vector<double> lost_;
};

}  // namespace ricochet
