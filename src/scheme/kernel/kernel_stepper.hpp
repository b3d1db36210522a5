// A Stepper around a kernel: hands over the state, reports contacts, energy and violation, and tells failures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/interrupt.hpp"
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
    at_start_ = kernel_.has_start();
  }
  void resume(const std::vector<ContactMemory>& contacts) override {
    if constexpr (requires { kernel_.resume(contacts.data()); })
      if (!contacts.empty()) return kernel_.resume(contacts.data());
    kernel_.begin();
  }
  void remember(std::vector<ContactMemory>& contacts) const override {
    contacts.resize(static_cast<std::size_t>(model_.nc()));
    for (std::size_t j = 0; j < contacts.size(); ++j)
      contacts[j] = kernel_.contacts().contact_memory(static_cast<int>(j));
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    std::uint64_t step = 0;
    return take_steps(state, {state.t, t_end, h, 1}, step, 1, report, nullptr);
  }
  FailureKind advance_on(State& state, const StepGrid& grid, std::uint64_t& step, std::uint64_t stop,
                         StepReport& report, std::vector<Push>& pushes) override {
    return take_steps(state, grid, step, stop, report, pushes.data());
  }

  void reactions(const State&, double* lambda) override {
    for (int j = 0; j < model_.nb(); ++j) {
      lambda[j] = kernel_.contacts().joint_impulse()[j] / h_;
      if (const double* forces = kernel_.joint_forces()) lambda[j] += forces[j];
    }
  }
  void modes(StepModes& modes) override {
    modes.clear();
    if (!kernel_.contacts().touched()) return;
    kernel_.set_modes(modes);
    modes.is_clear = false;
  }
  const double* gap() const override { return kernel_.contacts().gap(); }
  void gaps(double t, const double* q, double* g) const override { kernel_.contacts().gaps(t, q, g); }
  StepCounts counts() const override { return kernel_.counts(); }
  std::string failure_detail() const override {
    const auto& contacts = kernel_.contacts();
    FailedStep step = kernel_.failed_step();
    step.restitution = contacts.restitution(), step.problem = contacts.problem().last_end(), step.t = t_end_;
    step.gap = contacts.gap(), step.gradient = contacts.listed_gradients();
    return failure_text(model_, kernel_.failure(), step);
  }
  bool ledger_is_exact() const override { return kernel_.ledger_is_exact(); }
  std::optional<AlgorithmicEnergy> algorithmic_energy() const override { return kernel_.algorithmic_energy(); }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  FailureKind take_steps(State& state, const StepGrid& grid, std::uint64_t& step, std::uint64_t stop,
                         StepReport& report, Push* pushes) {
    if (at_start_ && !start(state, grid.h, report)) return kernel_.failure();
    h_ = grid.h;
    if constexpr (Kernel::size > 0) return move_small(state, grid, step, stop, report, pushes);
    return move(state, grid, step, stop, report, pushes);
  }
  // Flattened: with everything inlined, the compiler keeps a small system in registers. Of others it takes only its
  // time to compile.
  [[RICOCHET_FLATTEN, gnu::noinline]] FailureKind move_small(State& state, const StepGrid& grid, std::uint64_t& step,
                                                             std::uint64_t stop, StepReport& report, Push* pushes) {
    return move(state, grid, step, stop, report, pushes);
  }
  FailureKind move(State& state, const StepGrid& grid, std::uint64_t& step, std::uint64_t stop, StepReport& report,
                   Push* pushes) {
    const auto& contacts = kernel_.contacts();
    const double h = grid.h, begin = state.t;
    const std::uint64_t first = step;
    const auto begin_of = [&](std::uint64_t k) { return k == first ? begin : grid.end_of(k - 1); };
    double violation = report.violation;
    FailureKind failure = FailureKind::none;
    std::uint64_t k = first;
    kernel_.set_out(h, state.q.data(), state.v.data(), state.z.data());
    const bool needs_time = kernel_.needs_time();
    for (bool goes_on = true; goes_on && k < stop; ++k) {
      if (is_set(report.interrupt)) [[unlikely]] {
        failure = FailureKind::interrupted;
        break;
      }
      if constexpr (Kernel::can_fly)
        if (!contacts.touched()) {
          const std::uint64_t flown = kernel_.fly(
              stop - k, [&](std::uint64_t i) { return begin_of(k + i); },
              [&](const LedgerTerms<double>& terms) { report.energy.add(terms); });
          if (flown > 0) {
            violation = std::max(violation, kernel_.flight_violation());
            if ((k += flown) == stop) break;
          }
        }
      const double t0 = needs_time ? begin_of(k) : 0.0, t1 = needs_time ? grid.end_of(k) : 0.0;
      if (!kernel_.go_on(t0, h, t1)) [[unlikely]] {
        t_end_ = grid.end_of(k);
        failure = kernel_.failure();
        break;
      }
      kernel_.hand_over(state.q, state.v);
      if (kernel_.has_ledger()) report.energy.add(kernel_.ledger());
      for (int j = 0; j < contacts.count(); ++j) violation = std::max(violation, -contacts.gap()[j]);
      if (!contacts.touched()) continue;
      if (contacts.has_friction()) [[unlikely]]
        contacts.add_slip_impulses(report.friction);
      if (pushes != nullptr && is_lasting()) {
        sum_up(pushes);
      } else {
        append_contacts(kernel_, contacts.count(), begin_of(k), h, report.contacts);
        goes_on = report.contacts.empty();
      }
    }
    kernel_.arrive(state.q.data(), state.v.data());
    state.t = begin_of(k);
    step = k;
    report.violation = violation;
    return failure;
  }

  // Contacts that close no faster than the smooth forces made them close in this step are no impacts, whatever else is
  // known of them (run/impact_filter.hpp).
  bool is_lasting() const {
    const auto& contacts = kernel_.contacts();
    if (kernel_.leaves_unfinished()) return false;
    bool lasting = true;
    for (int j = 0; j < contacts.count(); ++j) {
      if (!contacts.is_active(j)) continue;
      const double U = contacts.rate_minus()[j], U_plus = contacts.rate_plus()[j];
      lasting = lasting && ContactReport::closing_rate(U, U_plus) <= std::abs(contacts.smooth_rate_change(j)) &&
                finite(U + U_plus + contacts.impulse()[j]);
    }
    return lasting;
  }
  void sum_up(Push* pushes) const {
    const auto& contacts = kernel_.contacts();
    for (int j = 0; j < contacts.count(); ++j) {
      if (!contacts.is_active(j) || !(contacts.impulse()[j] > 0.0)) continue;
      pushes[j].impulse += contacts.impulse()[j];
      pushes[j].fastest = std::max(pushes[j].fastest, std::abs(contacts.rate_minus()[j]));
    }
  }

  [[gnu::noinline]] bool start(State& state, double h, StepReport& report) {
    if (!kernel_.start(state.t, h, state.q.data(), state.v.data(), state.z.data())) return false;
    report.energy.add(kernel_.ledger());
    if (kernel_.contacts().touched()) append_contacts(kernel_, model_.nc(), state.t, 0.0, report.contacts);
    at_start_ = false;
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
