// A scheme at work on one model: advances a state and reports what happened on the way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/ledger.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"

namespace ricochet {

struct StepCounts {
  std::uint64_t newton_iterations = 0, force_evaluations = 0, contact_problems = 0;
  std::uint64_t accepted = 0, rejected = 0;  // steps of schemes that choose their own

  StepCounts& operator+=(const StepCounts& counts) {
    newton_iterations += counts.newton_iterations;
    force_evaluations += counts.force_evaluations;
    contact_problems += counts.contact_problems;
    accepted += counts.accepted;
    rejected += counts.rejected;
    return *this;
  }
};

// The motion at impacts that a scheme has located inside an advance, in the order of time: v jumps there. What belongs
// to several instants stands one after the other; the caller empties it.
struct ImpactStates {
  struct Instant {
    double t = 0.0;
    std::size_t before = 0, after = 0;                // contacts of the report up to there, without and with the impact
    LedgerTerms<double> ledger_before, ledger_after;  // the account from the start
  };
  std::vector<Instant> instants;
  std::vector<double> motion;    // q, v⁻, v⁺, z
  std::vector<double> friction;  // impulses along the slips: since the instant before, and of the impact

  void clear() {
    instants.clear();
    motion.clear();
    friction.clear();
  }
};

// What a stepper reports. Everything adds up over the run; the caller empties `contacts` when it has read them.
struct StepReport {
  ContactReports contacts;
  std::vector<double> friction;           // impulses along the slips, one a slip; the caller empties it
  LedgerSums energy;                      // `numerical` only where ledger_is_exact()
  double violation = 0.0;                 // largest −g at the nodes where an advance began
  ImpactStates* impact_states = nullptr;  // set by a caller who wants them

  // Set by the caller: schemes that choose their steps ask before each of them whether to stop there, with
  // FailureKind::interrupted. takes_long is told of each million of them, and says whether to stop.
  const std::atomic<bool>* interrupt = nullptr;
  std::function<bool()> takes_long = {};
  std::uint64_t asked = 0;  // beyond a thousand times an interval
  bool interrupted() {
    constexpr std::uint64_t many = 1'000'000;
    if (++asked % many == 0 && takes_long && takes_long()) return true;
    return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
  }
};

// The energy that a scheme keeps or dissipates in linear motion without damping, less the energy E of the state: where
// the motion began, and now.
struct AlgorithmicEnergy {
  double at_start = 0.0, now = 0.0;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  // The state was set from outside: forget what was remembered of the motion before it.
  virtual void begin(const State& state) = 0;

  // From state.t to t_end = state.t + h (h is the exact step; t_end the rounded end). On failure the
  // state is left as it was, or at the end of the last step that a scheme with its own steps accepted, and the
  // failure is returned by kind.
  virtual FailureKind advance(State& state, double h, double t_end, StepReport& report) = 0;

  // One sentence on the last failure: which constraint, how many iterations, what residual.
  virtual std::string failure_detail() const { return {}; }

  // True if `numerical` comes from an identity of the scheme: the ledger must then close to round-off.
  virtual bool ledger_is_exact() const { return false; }

  // Nobody looks at the ledger: a scheme may leave out what it costs, not what changes the motion. Before begin().
  virtual void skip_account() {}

  // Nothing if the scheme has none.
  virtual std::optional<AlgorithmicEnergy> algorithmic_energy() const { return std::nullopt; }

  // The forces of joints, a row each, at the state where the last advance ended; of schemes in velocities the impulses
  // of its last step by the length of that step.
  virtual void reactions(const State& /*state*/, double* /*lambda*/) {}

  // Work done since the stepper was made.
  virtual StepCounts counts() const = 0;

  // Remarks on the choice of parameters for this model, one sentence each.
  virtual std::vector<std::string> notes() const { return {}; }

  // Remarks on what happened, for the end of the run.
  virtual std::vector<std::string> remarks() const { return {}; }
};

}  // namespace ricochet
