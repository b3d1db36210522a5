// What a run gives: the motion, every impact, an energy account that closes, how it ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/ledger.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"

namespace ricochet {

// One impact of one constraint. Times lie inside the step in which the scheme met the impact.
struct Impact {
  double t = 0.0;
  int constraint = 0;
  double rate_minus = 0.0, rate_plus = 0.0;  // gap rate U before and after
  double impulse = 0.0;                      // P
  double energy_loss = 0.0;  // −½(U⁻ + U⁺) P, normal and tangential: positive when energy is lost
  // Other contacts were closed too, at angles for which the motion after the impact does not depend continuously on the
  // motion before it (docs/check.md).
  bool discontinuous = false;
  SlipReport slip = {};
  bool operator==(const Impact&) const = default;
};

struct EnergyLedger {
  // final − initial = input + damping + impact + friction + numerical, all signed as gains of the system.
  double initial = 0.0, final = 0.0;
  double input = 0.0, damping = 0.0, impact = 0.0, friction = 0.0, numerical = 0.0;
  bool numerical_is_remainder = false;  // true: no identity of the scheme applies (nonlinear models)
  // The energy that newmark and hht keep or dissipate in linear motion in place of E (docs/energy.md).
  std::optional<double> algorithmic_initial = std::nullopt, algorithmic_final = std::nullopt;
  double turnover = 0.0;  // Σ|input| + Σ|damping| + Σ|impact| + Σ|friction| + largest kinetic energy seen
};

// One recorded instant, borrowed: the arrays live until the observer returns.
struct Sample {
  double t = 0.0;
  int event = 0;                     // −1, +1: before and after an impact that was located; 0: an instant of the grid
  const double* q = nullptr;         // nq
  const double* v = nullptr;         // nq
  const double* z = nullptr;         // nz
  const double* gap = nullptr;       // nc
  const double* rate = nullptr;      // nc: U = Hᵀv + ∂g/∂t
  const double* impulse = nullptr;   // nc: contact impulse since the previous sample
  const double* slip = nullptr;      // ns: U_S = H_Sᵀv + o_S
  const double* friction = nullptr;  // ns: impulse of friction since the previous sample
  // nc, ns: mean forces since the previous sample, impulses less those of impacts by the time; under penalty impacts
  // have forces too. At the start the forces there, after a located impact those before it. Only for outputs.
  const double *force = nullptr, *friction_force = nullptr;
  const double* reaction = nullptr;  // nb: forces of the joints' rows; of schemes in velocities the mean over a step
  double kinetic = 0.0, potential = 0.0;
  const double* observed = nullptr;       // displacements that the model observes
  const double* observed_rate = nullptr;  // and their velocities
  LedgerTerms<double> ledger = {};        // the energy account from the start to here
  const double* output = nullptr;         // what RunSettings::outputs name
};

// Recorded instants, row after row: q[i*nq + j] is coordinate j at t[i].
struct Trajectory {
  std::vector<int> event;  // as in Sample; empty: all 0
  std::vector<double> t, q, v, z, gap, rate, impulse, slip, friction, reaction, kinetic, potential, observed,
      observed_rate, output;
};

struct Statistics {
  std::uint64_t steps = 0;                   // of the even grid
  std::uint64_t accepted = 0, rejected = 0;  // steps made; more or less than those of the grid if the scheme chooses
  std::uint64_t newton_iterations = 0;
  std::uint64_t force_evaluations = 0;
  std::uint64_t contact_problems = 0;  // complementarity problems solved
  double seconds = 0.0;
};

struct Solution {
  Status status = Status::completed;
  Failure failure;
  State final;
  std::vector<double> observed;  // at the end, what the model observes
  std::vector<double> reaction;  // at the end, the forces of the joints' rows
  Trajectory trajectory;         // empty unless RunSettings::keep
  std::vector<Impact> impacts;   // all with RunSettings::keep, otherwise the first 100
  std::uint64_t impact_count = 0;
  std::uint64_t discontinuous_count = 0;  // of them
  double violation_max = 0.0;             // largest −g over all nodes, 0 if none was outside
  EnergyLedger energy;
  Statistics statistics;
  std::vector<std::string> notes;  // remarks for the user, one sentence each
};

// Watches a run: writers, progress lines and tests are observers.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void record(const Sample&) {}
  virtual void impact(const Impact&) {}
  // A note of the run that its user may want to know at once; it is among those of the Solution too.
  virtual void note(const std::string&) {}
  // Called some hundred times in a run, from the loop's thread.
  virtual void progress(std::uint64_t /*step*/, std::uint64_t /*steps*/) {}
};

}  // namespace ricochet
