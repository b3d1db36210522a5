// A Stepper around a kernel: hands over the state, reports contacts, energy and violation, and tells failures.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheme/kernel/contact_reports.hpp"
#include "scheme/kernel/contact_stepper.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/step_contacts.hpp"

namespace ricochet {

template <class Kernel>
class KernelStepper final : public ContactStepper {
 public:
  template <class... Arguments>
  KernelStepper(const Model& model, std::vector<std::string> notes, Arguments&&... arguments)
      : model_(model), notes_(std::move(notes)), kernel_(model, std::forward<Arguments>(arguments)...) {}

  void begin(const State&) override {
    kernel_.begin();
    if constexpr (can_start) at_start_ = kernel_.has_start();
  }

  // Flattened: with everything inlined, the compiler keeps a small system in registers.
  [[RICOCHET_FLATTEN]] FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    if (at_start_ && !start(state, h, report)) return kernel_.failure();
    if (!kernel_.step(state.t, h, t_end, state.q.data(), state.v.data(), state.z.data())) {
      t_end_ = t_end;
      return kernel_.failure();
    }
    if (has_ledger()) report.energy.add(kernel_.ledger());
    const double* gap = kernel_.contacts().gap();
    for (int j = 0; j < model_.nc(); ++j) report.violation = std::max(report.violation, -gap[j]);
    if (kernel_.contacts().touched()) append_contacts(kernel_, model_.nc(), state.t, h, report.contacts);
    if (kernel_.contacts().has_friction() && kernel_.contacts().touched()) [[unlikely]]
      kernel_.contacts().add_slip_impulses(report.friction);
    state.t = t_end;
    h_ = h;
    return FailureKind::none;
  }

  void reactions(const State&, double* lambda) override {
    for (int j = 0; j < model_.nb(); ++j) {
      lambda[j] = kernel_.contacts().joint_impulse()[j] / h_;
      if constexpr (requires { kernel_.joint_forces(); }) lambda[j] += kernel_.joint_forces()[j];
    }
  }
  const StepContacts<double>& contacts() const override { return kernel_.contacts(); }
  StepCounts counts() const override { return kernel_.counts(); }
  std::string failure_detail() const override { return failure_text(model_, kernel_, t_end_); }
  bool ledger_is_exact() const override { return kernel_.ledger_is_exact(); }
  std::optional<AlgorithmicEnergy> algorithmic_energy() const override {
    if constexpr (requires { kernel_.algorithmic_energy(); }) return kernel_.algorithmic_energy();
    return std::nullopt;
  }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  static constexpr bool can_start = requires(Kernel & kernel) { kernel.has_start(); };

  bool has_ledger() const {
    if constexpr (requires { kernel_.has_ledger(); }) return kernel_.has_ledger();
    return true;
  }

  [[gnu::noinline]] bool start(State& state, double h, StepReport& report) {
    if constexpr (can_start) {
      if (!kernel_.start(state.t, h, state.q.data(), state.v.data(), state.z.data())) return false;
      report.energy.add(kernel_.ledger());
      if (kernel_.contacts().touched()) append_contacts(kernel_, model_.nc(), state.t, 0.0, report.contacts);
      at_start_ = false;
    }
    return true;
  }

  const Model& model_;
  std::vector<std::string> notes_;
  Kernel kernel_;
  bool at_start_ = false;
  double h_ = 1.0;               // of the last step
  std::optional<double> t_end_;  // of a step that failed
};

}  // namespace ricochet
