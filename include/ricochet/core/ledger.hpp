// Sums of an energy account that keep their digits over 10⁸ steps.
#pragma once

#include <cmath>

namespace ricochet {

// What one step adds to the account, as gains of the system.
template <class Value>
struct LedgerTerms {
  Value input = 0.0, damping = 0.0, impact = 0.0, friction = 0.0, numerical = 0.0;

  LedgerTerms& operator+=(const LedgerTerms& terms) {
    input += terms.input;
    damping += terms.damping;
    impact += terms.impact;
    friction += terms.friction;
    numerical += terms.numerical;
    return *this;
  }
};

// Neumaier's compensated sum.
class CompensatedSum {
 public:
  void add(double x) {
    if (x == 0.0) return;
    const double sum = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    gross_ += std::abs(x);
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }
  double gross() const { return gross_; }  // Σ|x|

 private:
  double sum_ = 0.0, lost_ = 0.0, gross_ = 0.0;
};

struct LedgerSums {
  CompensatedSum input, damping, impact, friction, numerical;

  void add(const LedgerTerms<double>& terms) {
    input.add(terms.input);
    damping.add(terms.damping);
    impact.add(terms.impact);
    friction.add(terms.friction);
    numerical.add(terms.numerical);
  }
  LedgerTerms<double> terms() const {
    return {input.value(), damping.value(), impact.value(), friction.value(), numerical.value()};
  }
};

}  // namespace ricochet
