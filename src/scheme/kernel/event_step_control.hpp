// Step sizes for schemes that make explicit steps themselves, cut them at events and reject them for reasons of their
// own; the error norm and the factors are those of runge_kutta/adaptive.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "runge_kutta/adaptive.hpp"

namespace ricochet {

class EventStepControl {
 public:
  // The first `controlled` components of y count.
  EventStepControl(const Tableau& tableau, int n, int controlled, double rtol, double atol)
      : controller_(tableau.embedded_order),
        controlled_(controlled),
        rtol_(rtol),
        atol_(atol),
        e_(static_cast<std::size_t>(n), 0.0) {}

  // Forget what was learned, and try h first.
  void reset(double h) { controller_.reset(), h_ = h; }
  double proposal() const { return h_; }
  void propose(double h) { h_ = h; }

  // max_i |e_i| / (atol + rtol max(|y0_i|, |y1_i|)); infinity where something is not finite.
  double error(const ExplicitRungeKutta& engine, const double* y0, const double* y1) {
    engine.error(e_.data());
    double worst = 0.0;
    for (int i = 0; i < controlled_; ++i) {
      const double ratio = std::abs(e_[i]) / tolerance(std::max(std::abs(y0[i]), std::abs(y1[i])));
      if (!std::isfinite(ratio)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, ratio);
    }
    return worst;
  }
  const double* last_error() const { return e_.data(); }  // e
  double tolerance(double size) const { return atol_ + rtol_ * size; }

  // `cut`: the step ended where it had to, not where it could have. The next one may be as long as was planned.
  void accepted(double h, double error, bool cut) {
    const double next = h * controller_.accepted(error);
    h_ = cut ? std::max(h_, next) : next;
    ++accepted_;
  }
  void rejected(double h, double error) {
    h_ = h * (std::isfinite(error) ? controller_.rejected(error) : controller_.failed());
    ++rejected_;
  }
  void failed(double h) {
    h_ = h * controller_.failed();
    ++rejected_;
  }
  // For a reason other than the error: the step is made again with a length that its maker knows.
  void count_rejected() { ++rejected_; }

  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t rejected() const { return rejected_; }

 private:
  StepController controller_;
  int controlled_;
  double rtol_, atol_, h_ = 0.0;
  std::vector<double> e_;
  std::uint64_t accepted_ = 0, rejected_ = 0;
};

}  // namespace ricochet
