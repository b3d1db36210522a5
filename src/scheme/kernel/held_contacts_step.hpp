// A step of HeldContactsOde by any Butcher table, tried with several lengths from one point (t₀, y₀), y = (q, v, z).
//
// Works and contact impulses are stage outputs (λ, margins of frictions, input, damping, and with friction its work and
// λ_S) and summed with the weights of the table, h Σ b_i (·)_i: they do not enlarge the system of an implicit table.
// For the search of closing gaps the positions of a step are the quartics through q₀, v₀, a₀, q₁, v₁, whose error is
// O(h⁵) whatever the table is.
#pragma once

#include <optional>
#include <vector>

#include "ricochet/scheme/stepper.hpp"
#include "runge_kutta/dense_output.hpp"
#include "runge_kutta/explicit.hpp"
#include "runge_kutta/implicit.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"
#include "scheme/kernel/sparse_stages.hpp"

namespace ricochet {

class HeldContactsStep {
 public:
  HeldContactsStep(const Model& model, const Tableau& tableau);

  // Which contacts are closed.
  HeldContactsOde& flow() { return flow_; }
  const HeldContactsOde& flow() const { return flow_; }
  int size() const { return n_; }
  int order() const { return tableau_.order; }

  // The point to set out from. `continued`: it is the end of the last attempt, with the same contacts closed.
  FailureKind begin(double t, const double* y, bool continued);
  // Forces of contacts, and after them how far each friction is from the end of its mode.
  double start_force(int j) const { return start_outputs_[j]; }

  // y₁ = the motion after h.
  FailureKind attempt(double h);
  const double* end() const { return y1_.data(); }
  double end_time() const { return t0_ + h_; }
  double length() const { return h_; }
  // Along the last attempt.
  double input() const { return work(watched_); }
  double damping() const { return work(watched_ + 1); }
  double friction() const { return watched_ > nc_ ? work(watched_ + 2) : 0.0; }
  double slip_impulse(int s) const { return work(watched_ + 3 + s); }
  double impulse(int j) const { return work(j); }
  const DenseOutput& positions();

  // λ at the stages and at the end of the last attempt.
  int stages() const { return tableau_.stages; }
  double stage_place(int i) const { return tableau_.c[i]; }  // in units of h
  double stage_force(int i, int j) const { return outputs(i)[j]; }
  const double* stage_outputs(int i) const { return outputs(i); }
  FailureKind evaluate_end();
  // Slides in space are compared with their directions at the end of the last attempt from now on.
  void look();
  double end_force(int j) const { return end_outputs_[j]; }
  const double* end_outputs() const { return end_outputs_.data(); }
  const ExplicitRungeKutta& explicit_engine() const { return *explicit_; }  // of explicit tables

  StepCounts counts() const;

 private:
  // The right-hand side that the engines see.
  struct Motion {
    HeldContactsOde& flow;
    const int nq, slips, n = flow.motion_size();
    std::vector<double> dy = zeros(flow.size(true));  // with the works
    std::vector<double> size = zeros(n);              // of terms, only those of accelerations cancel
    const double* magnitude() const { return size.data(); }
    bool operator()(double t, const double* y, double* dy_dt, double* outputs);
  };

  double work(int k) const;
  const double* outputs(int i) const { return explicit_ ? explicit_->stage_output(i) : implicit_->stage_output(i); }
  FailureKind told(OdeStatus status) const;
  FailureKind told(bool evaluated) const;

  const Tableau& tableau_;
  const int nq_, nc_;
  HeldContactsOde flow_;
  const int n_ = flow_.motion_size();
  const int slips_, watched_ = flow_.outputs();  // watched: contacts and frictions
  const int outputs_ = watched_ + 2 + (slips_ > 0 ? 1 + slips_ : 0);
  Motion motion_{flow_, nq_, slips_};
  std::optional<ExplicitRungeKutta> explicit_;
  std::optional<SparseStages> sparse_;  // of an implicit table, where the model is large
  std::optional<ImplicitRungeKutta> implicit_;
  DenseOutput dense_{nq_};

  double t0_ = 0.0, h_ = 0.0;
  Start start_ = Start::fresh;
  std::vector<double> y0_ = zeros(n_), y1_ = y0_, dy0_ = y0_, dy1_ = y0_;
  std::vector<double> start_outputs_ = zeros(outputs_), end_outputs_ = start_outputs_;
};

}  // namespace ricochet
