#include "scheme/kernel/trial_steps.hpp"

#include <algorithm>

#include "scheme/kernel/contact_reports.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/velocity_step.hpp"

namespace ricochet {
namespace {

template <class Kernel>
class KernelTrialSteps final : public TrialSteps {
 public:
  KernelTrialSteps(const Model& model, const VelocityRule& rule, const ComplementaritySettings& solver, int count)
      : model_(model), count_(count), kernel_(model, rule, solver) {
    contacts_.reserve(static_cast<std::size_t>(count * model.nc()));
    ledgers_.resize(static_cast<std::size_t>(count));
  }

  FailureKind run(const State& from, double h, double t_end, bool goes_on) override {
    if (!goes_on) kernel_.begin();
    end_ = from;
    contacts_.clear();
    touched_ = false;
    violation_ = 0.0;
    const double part = last_step_ = h / count_;
    for (int i = 0; i < count_; ++i) {
      const double t1 = i + 1 == count_ ? t_end : from.t + (i + 1) * part;
      if (!kernel_.step(end_.t, part, t1, end_.q.data(), end_.v.data(), end_.z.data())) return kernel_.failure();
      ledgers_[static_cast<std::size_t>(i)] = kernel_.ledger();
      collect(end_.t, part);
      end_.t = t1;
    }
    return FailureKind::none;
  }

  std::string failure_detail() const override { return failure_text(model_, kernel_, end_.t); }
  const StepContacts<double>& last_contacts() const override { return kernel_.contacts(); }
  StepCounts counts() const override { return kernel_.counts(); }
  bool ledger_is_exact() const override { return kernel_.ledger_is_exact(); }

 private:
  void collect(double t0, double h) {
    const StepContacts<double>& contacts = kernel_.contacts();
    for (int j = 0; j < model_.nc(); ++j) violation_ = std::max(violation_, -contacts.gap()[j]);
    if (!contacts.contact_touched()) return;
    touched_ = true;
    append_contacts(kernel_, model_.nc(), t0, h, contacts_);
  }

  const Model& model_;
  const int count_;
  Kernel kernel_;
};

}  // namespace

LedgerTerms<double> TrialSteps::ledger() const {
  LedgerTerms<double> sum;
  for (const LedgerTerms<double>& terms : ledgers_) sum += terms;
  return sum;
}

void TrialSteps::keep(StepReport& report) const {
  for (const LedgerTerms<double>& terms : ledgers_) report.energy.add(terms);
  report.contacts.insert(report.contacts.end(), contacts_.begin(), contacts_.end());
  report.violation = std::max(report.violation, violation_);
}

std::unique_ptr<TrialSteps> make_trial_steps(const Model& model, const VelocityRule& rule,
                                             const ComplementaritySettings& solver, int count) {
  return with_size<2>(model, [&](auto size) -> std::unique_ptr<TrialSteps> {
    return std::make_unique<KernelTrialSteps<VelocityStep<double, size>>>(model, rule, solver, count);
  });
}

}  // namespace ricochet
