// Explicit steps that follow a tolerance:
//
//     error = max_i |e_i| / (atol_i + rtol max(|y0_i|, |y1_i|)),   accepted if ≤ 1,
//     h_new = h clamp(0.9 error^(−0.85/k) error_before^(0.2/k), 0.2, 10 or 6),   k = order of the embedded result + 1,
//     8 for dop853.
//
// PI control as in the program DOPRI5; start by section II.4 of E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary
// Differential Equations I, Springer 1993, doi:10.1007/978-3-540-78862-1.
//
//     AdaptiveRungeKutta ode(find_tableau("dormand-prince"), n, {.rtol = 1e-8, .atol = 1e-10});
//     status = ode.begin(rhs, t, y, until);
//     while (status == OdeStatus::done && ode.t() < until) status = ode.advance(rhs, until);   // one accepted step
//
// After an event inside the last step: ode.dense_output(rhs, dense), then begin again at the event.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "runge_kutta/explicit.hpp"

namespace ricochet {

struct StepSettings {
  double rtol = 1e-8;   // ≥ 0
  double atol = 1e-10;  // > 0, of every component unless set_atol() says otherwise
  double h_max = std::numeric_limits<double>::infinity();
  int controlled = 0;  // the first components of y count in the error; 0: all
};

// Of tables with two embedded results, where their errors are `error` and `low`: what makes the first one an estimate
// of order 7, 1/√(1 + low²/(10 error)²). As the program DOP853 does it.
inline double error_share(double error, double low) {
  if (!(error > 0.0)) return 1.0;
  const double squares = error * error + 0.01 * low * low;
  if (std::isnormal(squares)) return error / std::sqrt(squares);
  const double ratio = low / error;  // of sizes whose squares are no numbers any more
  return 1.0 / std::sqrt(1.0 + 0.01 * ratio * ratio);
}

// The factor between one step and the next. Single precision is more than a step size needs, and three times as fast.
class StepController {
 public:
  explicit StepController(int error_order)
      : beta_(0.04F * (5.0F / static_cast<float>(error_order + 1))),
        exponent_(1.0F / static_cast<float>(error_order + 1) - 0.75F * beta_),
        largest_(error_order > 4 ? 6.0F : 10.0F) {}

  void reset() { log_before_ = log_floor, rejected_ = false; }

  // error ≤ 1: the step counts, and the next one is h · factor.
  double accepted(double error) {
    const float now = std::log2(std::max(static_cast<float>(error), 1e-10F));
    float factor = std::clamp(safety * std::exp2(beta_ * log_before_ - exponent_ * now), 0.2F, largest_);
    if (rejected_) factor = std::min(factor, 1.0F);
    log_before_ = std::max(now, log_floor);
    rejected_ = false;
    return static_cast<double>(factor);
  }
  // error > 1: the step is to be made again with h · factor.
  double rejected(double error) {
    rejected_ = true;
    const float now = std::log2(static_cast<float>(std::min(error, 1e30)));
    return static_cast<double>(std::max(0.2F, safety * std::exp2(-exponent_ * now)));
  }
  // The right-hand side could not be evaluated somewhere in the step.
  double failed() {
    rejected_ = true;
    return 0.2;
  }

 private:
  static constexpr float safety = 0.9F, log_floor = -13.287712F;  // log₂ 1e-4
  float beta_, exponent_, largest_, log_before_ = log_floor;
  bool rejected_ = false;
};

// Its size, without a branch.
inline double size_of(double x) { return std::abs(x); }
inline Lanes size_of(const Lanes& x) { return absolute(x); }

// max_i |e_i| / (atol_i + rtol max(|y0_i|, |y1_i|)) of both embedded results, infinity if a component is NaN.
template <class Value>
class StepErrors {
 public:
  StepErrors(int n, int controlled, double rtol, double atol)
      : controlled_(controlled > 0 ? std::min(controlled, n) : n),
        rtol_(rtol),
        atol_(static_cast<std::size_t>(n), atol) {
    e_.assign(n, Value(0.0));
    e_low_ = weight_ = e_;
  }
  int controlled() const { return controlled_; }
  std::vector<Value>& atol() { return atol_; }
  const std::vector<Value>& atol() const { return atol_; }
  std::vector<Value>& e() { return e_; }
  const std::vector<Value>& e() const { return e_; }

  void find(const ExplicitSteps<Value>& engine, const Value* y0, const Value* y1) {
    const Value rtol = rtol_, *atol = atol_.data();
    Value* weight = weight_.data();
    // the reciprocals do not wait for e
    each_component(controlled_,
                   [=](int i) { weight[i] = Value(1.0) / (atol[i] + rtol * larger(size_of(y0[i]), size_of(y1[i]))); });
    engine.error(e_.data());
    error = largest_ratio(e_.data());
    if (!engine.has_low_error()) return;
    engine.low_error(e_low_.data());
    low = largest_ratio(e_low_.data());
  }
  Value error = 0.0, low = 0.0;

 private:
  Value largest_ratio(const Value* e) const {
    const Value infinity = std::numeric_limits<double>::infinity(), *weight = weight_.data();
    Value error = 0.0;
    each_component(controlled_, [&](int i) {
      const Value ratio = size_of(e[i]) * weight[i];
      error = select(ratio < infinity, larger(error, ratio), infinity);
    });
    return error;
  }

  int controlled_;
  double rtol_;
  std::vector<Value> atol_, e_, e_low_, weight_;  // weight: 1/(atol + rtol |y|)
};

class AdaptiveRungeKutta {
 public:
  AdaptiveRungeKutta(const Tableau& tableau, int n, const StepSettings& settings, int outputs = 0)
      : engine_(tableau, n, outputs),
        controller_(tableau.error_order()),
        settings_(settings),
        errors_(n, settings.controlled, settings.rtol, settings.atol) {
    check();
    y_.assign(n, 0.0);
    y1_ = y_;
  }

  // One for each component that is controlled; they follow the sizes of the motion.
  void set_atol(const double* atol) {
    copy(errors_.controlled(), atol, errors_.atol().data());
    follows_ = true;
  }

  // Sets out from y at t < until. h: the first step to try; 0: chosen from f.
  template <class Rhs>
  OdeStatus begin(Rhs& rhs, double t, const double* y, double until, double h = 0.0) {
    t_ = t;
    longest_ = 0.0, share_ = 1.0;
    in_lane_ = false;
    copy(engine_.size(), y, y_.data());
    controller_.reset();
    start_ = Start::fresh;
    if (!engine_.evaluate_start(rhs, t, y)) return OdeStatus::evaluation_failed;
    if (!is_finite(engine_.size(), engine_.stage_derivative(0))) return OdeStatus::not_finite;
    start_ = Start::same;
    h_ = std::min(h > 0.0 ? h : first_step(rhs, until), settings_.h_max);
    return OdeStatus::done;
  }

  // One accepted step, which ends at `until` at the latest. Unless done, t and y are left as they were.
  template <class Rhs>
  OdeStatus advance(Rhs& rhs, double until) {
    in_lane_ = false;
    if (until <= t_) return OdeStatus::done;
    begin_attempts(until);
    while (true) {
      const Attempt attempt = next_attempt(until);
      const OdeStatus status = engine_.step(rhs, t_, attempt.h, y_.data(), y1_.data(), start_);
      if (status == OdeStatus::done) errors_.find(engine_, y_.data(), y1_.data());
      if (const std::optional<OdeStatus> ended = judge(attempt, status)) return *ended;
    }
  }

  // The same with steps that are made in a lane beside those of others (LaneSteps): nothing until they are, when it is
  // to be called again.
  template <class Rhs, class Steps>
  std::optional<OdeStatus> advance_in_lane(Rhs& rhs, double until, Steps& steps, int lane) {
    if (until <= t_) return OdeStatus::done;
    if (!in_lane_) {
      begin_attempts(until);
    } else {
      if (!steps.are_made()) return advance(rhs, until);
      const OdeStatus status = steps.take(lane, engine_, y1_.data(), errors_);
      const std::optional<OdeStatus> ended = judge(attempt_, status);
      if (ended) in_lane_ = false;
      if (ended) return ended;
    }
    attempt_ = next_attempt(until);
    in_lane_ = engine_.begin_lane(rhs, t_, attempt_.h, y_.data(), start_);
    if (!in_lane_) return advance(rhs, until);
    steps.put(lane, engine_, errors_);
    return std::nullopt;
  }

  double t() const { return t_; }
  const double* y() const { return y_.data(); }
  double next_step() const { return h_; }
  const ExplicitRungeKutta& engine() const { return engine_; }
  long accepted() const { return accepted_; }
  long rejected() const { return rejected_; }

  // The last accepted step as a polynomial.
  template <class Rhs>
  bool dense_output(Rhs& rhs, DenseOutput& dense) {
    return engine_.dense_output(rhs, dense);
  }

 private:
  void check() const {
    const Tableau& tableau = engine_.tableau();
    if (!engine_.has_error())
      throw InputError("scheme.tableau",
                       std::string(tableau.name) + " has no error estimate; rkf45, dormand-prince and dop853 have one");
    if (!(settings_.rtol >= 0.0) || !std::isfinite(settings_.rtol))
      throw InputError("scheme.rtol", "must be zero or positive, got " + to_text(settings_.rtol));
    if (!(settings_.atol > 0.0) || !std::isfinite(settings_.atol))
      throw InputError("scheme.atol", "must be positive, got " + to_text(settings_.atol));
    if (!(settings_.h_max > 0.0)) throw InputError("scheme.h_max", "must be positive, got " + to_text(settings_.h_max));
  }

  struct Attempt {
    double h = 0.0, end = 0.0;
    bool last = false;
  };
  void begin_attempts(double until) { longest_ = std::max(longest_, std::min(h_, until - t_)); }
  Attempt next_attempt(double until) const {
    if (t_ + 1.01 * h_ >= until) return {until - t_, until, true};
    return {h_, t_ + h_, false};
  }
  // What became of it; nothing if a shorter one is to be tried.
  std::optional<OdeStatus> judge(const Attempt& attempt, OdeStatus status) {
    const double h = attempt.h;
    if (status == OdeStatus::done) {
      double error = errors_.error;
      share_ = engine_.has_low_error() && std::isfinite(error) ? error_share(error, errors_.low) : 1.0;
      error *= share_;
      if (error <= 1.0) {
        accept(attempt.end, h * controller_.accepted(error), attempt.last);
        return status;
      }
      if (!std::isfinite(error)) status = OdeStatus::not_finite;
      h_ = h * (std::isfinite(error) ? controller_.rejected(error) : controller_.failed());
    } else {
      h_ = h * controller_.failed();
    }
    ++rejected_;
    start_ = Start::same;
    if (follows_ && h_ < 1e-8 * longest_) see_jump(longest_ / h);
    if (h_ <= 16.0 * std::numeric_limits<double>::epsilon() * std::abs(t_) || h_ < 1e-290)
      return status == OdeStatus::done ? OdeStatus::step_too_small : status;
    return std::nullopt;
  }

  // A force that jumps where nothing has moved before: a size is what the step that was tried first makes of the
  // motion.
  void see_jump(double longer) {
    std::vector<double>& atol = errors_.atol();
    for (int i = 0; i < errors_.controlled(); ++i) {
      const double made = (std::abs(y1_[i] - y_[i]) + share_ * std::abs(errors_.e()[i])) * longer;
      if (std::isfinite(made)) atol[i] = std::max(atol[i], 0.01 * settings_.rtol * made);
    }
  }

  // A step cut short by its end says little about the next one: that may be as long as was planned.
  void accept(double t, double h_next, bool last) {
    h_ = std::min(last ? std::max(h_, h_next) : h_next, settings_.h_max);
    t_ = t;
    y_.swap(y1_);
    start_ = Start::continued;
    ++accepted_;
  }

  // max |x_i| / scale of y_i, which is what `longest` makes of it at least
  double norm(const double* x, double longest) const {
    const double *f0 = engine_.stage_derivative(0), rtol = settings_.rtol;
    double largest = 0.0;
    for (int i = 0; i < errors_.controlled(); ++i) {
      const double scale = std::max(errors_.atol()[i] + rtol * std::abs(y_[i]), rtol * std::abs(f0[i]) * longest);
      if (x[i] != 0.0) largest = std::max(largest, std::abs(x[i]) / scale);
    }
    return largest;
  }

  // An Euler step tells the size of y''; with T the longest step, (h/T)^k max(T|y'|, T²|y''|) = 0.01 for the one
  // chosen.
  template <class Rhs>
  double first_step(Rhs& rhs, double until) {
    const double* f0 = engine_.stage_derivative(0);
    const double T = std::min(until - t_, settings_.h_max), d0 = norm(y_.data(), T), d1 = norm(f0, T);
    const double h0 = d0 > 0.0 && d1 > 0.0 ? std::min(0.01 * d0 / d1, T) : 0.01 * T;
    for (int i = 0; i < engine_.size(); ++i) y1_[i] = y_[i] + h0 * f0[i];
    std::vector<double>& bend = errors_.e();
    if (!engine_.evaluate_trial(rhs, t_ + h0, y1_.data(), bend.data())) return 0.01 * h0;
    for (int i = 0; i < engine_.size(); ++i) bend[i] = (bend[i] - f0[i]) / h0;
    const double d2 = norm(bend.data(), T), largest = std::max(d1 * T, d2 * T * T);
    if (!std::isfinite(d2)) return 0.01 * h0;
    if (!(largest > 0.01)) return T;
    return std::min(100.0 * h0, T * std::pow(0.01 / largest, 1.0 / (engine_.tableau().error_order() + 1)));
  }

  ExplicitRungeKutta engine_;
  StepController controller_;
  StepSettings settings_;
  StepErrors<double> errors_;
  double share_ = 1.0;                      // of e in the estimate
  bool follows_ = false, in_lane_ = false;  // atol follows the motion; a step is being made in a lane
  Attempt attempt_;                         // that one
  double t_ = 0.0, h_ = 0.0, longest_ = 0.0;
  Start start_ = Start::fresh;
  std::vector<double> y_, y1_;
  long accepted_ = 0, rejected_ = 0;
};

}  // namespace ricochet
