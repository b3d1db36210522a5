// Step sizes for schemes that make explicit steps themselves, cut them at events and reject them for reasons of their
// own; the error norm and the factors are those of runge_kutta/adaptive.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/zeros.hpp"
#include "ricochet/core/status.hpp"
#include "runge_kutta/adaptive.hpp"
#include "scheme/kernel/motion_errors.hpp"

namespace ricochet {

class EventStepControl {
 public:
  // Of the n components of y those of the motion count, (q, v, z).
  EventStepControl(const Tableau& tableau, const Model& model, int n, double rtol, std::optional<double> atol)
      : controller_(tableau.error_order()),
        nq_(model.nq()),
        controlled_(2 * nq_ + model.nz()),
        errors_(model, rtol, atol),
        e_(zeros(n)),
        e_low_(e_) {}

  // A motion begins at (t, y); forget what was learned, and try h first.
  void begin(double t, const double* y, double h) {
    controller_.reset(), h_ = h, longest_ = 0.0;
    errors_.begin(t, y);
  }
  double proposal() const { return h_; }
  void propose(double h) { h_ = h; }

  // max_i |e_i| / (atol_i + rtol max(|y0_i|, |y1_i|)); infinity where something is not finite.
  double error(const ExplicitRungeKutta& engine, const double* y0, const double* y1, double h) {
    engine.error(e_.data());
    set_out(y0, engine.stage_derivative(0), engine.stage_derivative(0) + nq_, h);
    longest_ = std::max(longest_, h);
    if (h < 1e-8 * longest_) errors_.see_jump(y0, y1, e_.data(), longest_ / h);
    const double error = largest_ratio(e_.data(), y0, y1);
    if (!engine.has_low_error() || !std::isfinite(error)) return error;
    engine.low_error(e_low_.data());
    const double share = error_share(error, largest_ratio(e_low_.data(), y0, y1));
    for (double& e : e_) e *= share;
    return error * share;
  }
  // A trial of h from y0, its accelerations being sums of these terms.
  void set_out(const double* y0, const double* dy0, const double* terms, double h) {
    errors_.see(y0, h);
    errors_.set_out(dy0, terms, h);
  }
  const double* last_error() const { return e_.data(); }  // e
  double allowed(int i, double size) const { return errors_.allowed(i, size); }

  // From t: a step of h, or of all that remains if that is nearly as much, or shorter ones until the error is at
  // most 1. attempt(h, error) makes it; h and the error are then those of the step that counts.
  template <class Attempt>
  FailureKind shorten(double t, double remaining, double& h, double& error, const Attempt& attempt) {
    for (;;) {
      if (1.01 * h >= remaining) h = remaining;
      const FailureKind kind = attempt(h, error);
      const bool made = kind == FailureKind::none;
      if (made && error <= 1.0) return kind;
      h_ = h * (made && std::isfinite(error) ? controller_.rejected(error) : controller_.failed());
      ++rejected_;
      h = h_;
      if (h <= shortest(t)) return made ? FailureKind::step_too_small : kind;
    }
  }
  // Below that time does not go on.
  static double shortest(double t) { return 16.0 * std::numeric_limits<double>::epsilon() * std::abs(t) + 1e-290; }

  // `cut`: the step ended where it had to, not where it could have. The next one may be as long as was planned.
  void accepted(double h, double error, bool cut) {
    const double next = h * controller_.accepted(error);
    h_ = cut ? std::max(h_, next) : next;
    ++accepted_;
  }
  // For a reason other than the error: the step is made again with a length that its maker knows.
  void count_rejected() { ++rejected_; }

  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t rejected() const { return rejected_; }

 private:
  double largest_ratio(const double* e, const double* y0, const double* y1) const {
    double worst = 0.0;
    for (int i = 0; i < controlled_; ++i) {
      const double ratio = std::abs(e[i]) / errors_.allowed(i, std::max(std::abs(y0[i]), std::abs(y1[i])));
      if (!std::isfinite(ratio)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, ratio);
    }
    return worst;
  }

  StepController controller_;
  const int nq_, controlled_;
  MotionErrors errors_;
  double h_ = 0.0, longest_ = 0.0;
  std::vector<double> e_, e_low_;
  std::uint64_t accepted_ = 0, rejected_ = 0;
};

}  // namespace ricochet
