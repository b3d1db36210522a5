// Step sizes of schemes that follow a tolerance [Acary 2018, (110)-(113)]:
//
//     error = max_i |e_i| / (atol_i + rtol max(|x_k,i|, |x_k+1,i|)),   accepted if ≤ 1
//     h_new = h min(α_max, max(α_min, α error^(−1/(p+1))))
//
// with these additions: no growth right after a rejection, none by less than a fifth (a new step size costs a linear
// system new factors), and the steps to the end of an interval are even ones.
#pragma once

#include <algorithm>
#include <cmath>

namespace ricochet {

struct StepFactors {
  double safety = 0.9;    // α
  double smallest = 0.2;  // α_min
  double largest = 5.0;   // α_max
};

// The step that is proposed next. It outlives the interval in which it was found.
class StepProposal {
 public:
  explicit StepProposal(const StepFactors& factors) : factors_(factors) {}

  void reset() { proposed_ = last_ = 0.0, after_rejection_ = false; }

  // The step to try with `remaining` to go: all of it, or an even part of at most the proposal.
  struct Trial {
    double h;
    bool is_last;
  };
  Trial next(double remaining, double longest) {
    proposed_ = proposed_ > 0.0 ? std::min(proposed_, longest) : longest;
    const double parts = std::max(1.0, std::ceil(remaining / proposed_ * (1.0 - 1e-9)));
    double h = remaining / parts;
    // Round-off is no reason for new factors.
    if (std::abs(h - last_) <= 1e-12 * h) h = last_;
    last_ = h;
    return {h, parts == 1.0};
  }

  void accepted(double h, double error, int order) {
    const double best = h * factors_.safety * std::pow(std::max(error, 1e-30), -1.0 / (order + 1));
    double next = std::clamp(best, factors_.smallest * h, factors_.largest * h);
    if (after_rejection_) next = std::min(next, h);
    constexpr double worth_while = 1.2;
    if (next >= h && next < worth_while * h) next = h;
    // A step cut short by the end of its interval says little against a longer one.
    proposed_ = std::max(next, std::min(proposed_, best));
    after_rejection_ = false;
  }
  void rejected(double h, double error, int order) {
    const double best = factors_.safety * std::pow(error, -1.0 / (order + 1));
    shrink(h * std::clamp(best, factors_.smallest, factors_.safety));
  }
  // The step could not be made at all.
  void failed(double h) { shrink(h * factors_.smallest); }

  double proposed() const { return proposed_; }
  void at_least(double h) { proposed_ = std::max(proposed_, h); }

 private:
  void shrink(double h) { proposed_ = h, after_rejection_ = true; }

  StepFactors factors_;
  double proposed_ = 0.0, last_ = 0.0;
  bool after_rejection_ = false;
};

}  // namespace ricochet
