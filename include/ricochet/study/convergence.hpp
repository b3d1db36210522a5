// Errors of schemes over a range of steps, and the orders fitted to them. See docs/converge.md.
//
// The error across an impact depends on where in its step the impact falls. So each step h is replaced by several close
// ones, h (0.98317 − 0.0371 i), and their errors are averaged.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/run/simulate.hpp"
#include "ricochet/study/norms.hpp"

namespace ricochet {

// A scheme with the name it has in the study: as the user wrote it.
struct SchemeChoice {
  std::string label;
  Scheme scheme;
};

// How the work of a study is done.
struct StudyWork {
  int threads = 0;                                                      // 0: one a core
  const std::atomic<bool>* interrupt = nullptr;                         // set it to end early: what is missing is NaN
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;  // called from any thread, one at a time
  std::function<void(const std::string&)> note = {};                    // as in StudyProblem
};

// How many phases a study takes, from 1 on: of grids, and of an impact in its step.
inline constexpr int most_phases = 16, most_local_phases = 1000;
// Throws InputError.
void check_phases(int phases, int most = most_phases);

// The steps that take the place of h: h itself for one phase.
std::vector<double> phase_steps(double h, int phases);

// One run and its errors.
struct MeasuredRun {
  Status status = Status::completed;
  std::string failure;  // a sentence if it failed
  Errors errors;
  Statistics statistics;
};

// With even steps of exactly h, as many as fit between the start and the end of the window.
MeasuredRun measured_run(const StudyProblem& problem, const Scheme& scheme, double h, TimeSpan window,
                         const MeasuringStick& stick, const std::atomic<bool>* interrupt = nullptr);

struct ConvergenceSettings {
  std::vector<SchemeChoice> schemes;
  std::vector<double> steps;  // falling
  int phases = 8;
  TimeSpan window = {};  // part of the span; the runs begin where the span does
  Errors floor{0.0};     // errors at or below it are not fitted
  StudyWork work = {};
};

struct SchemeConvergence {
  std::string label;
  std::string refused;                                // why the scheme does not take the problem; empty if it does
  std::vector<Errors> errors;                         // one a step: means over the phases
  std::vector<std::string> failures;                  // one a step: the first sentence of a run that failed, or empty
  std::array<OrderFit, norm_count> fits = {};         // one a norm
  std::array<std::size_t, norm_count> at_floor = {};  // points left out of the fit
  bool chooses_steps = false;                         // its errors follow its tolerances: no orders
};

struct Convergence {
  std::vector<double> steps;
  std::vector<SchemeConvergence> schemes;
};

// Throws InputError for steps, phases or a window that make no sense, and for unknown schemes and parameters.
Convergence converge(const StudyProblem& problem, const ReferenceMotion& reference,
                     const ConvergenceSettings& settings);

// One step across one impact: from the reference at t* − σ h to t* + (1 − σ) h, against the phase σ in (0, 1).
struct LocalSettings {
  std::vector<SchemeChoice> schemes;
  std::vector<double> steps;
  int phases = 16;  // values of σ: (i + ½)/phases
  TimeSpan window = {};
  double floor_q = 0.0, floor_v = 0.0;
};

struct LocalErrors {
  std::string label, refused;
  std::vector<std::vector<double>> q, v;     // [step][phase]: the largest coordinate of the error
  std::vector<OrderFit> q_orders, v_orders;  // in h, one a phase
  OrderFit q_mean, v_mean;                   // of the means over the phases
};

struct LocalStudy {
  double t_impact = 0.0;
  std::vector<double> steps, phases;
  std::vector<LocalErrors> schemes;
};

// The impact is the first of the window that is the only one within the largest step around it.
LocalStudy local_errors(const StudyProblem& problem, const ReferenceMotion& reference, const LocalSettings& settings);

}  // namespace ricochet
