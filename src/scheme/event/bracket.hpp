// Shrinks an interval in which a function passes from positive to not positive.
#pragma once

namespace ricochet {

class Bracket {
 public:
  // f(lower) ≥ 0 ≥ f(upper)
  Bracket(double lower, double f_lower, double upper, double f_upper)
      : lower_(lower),
        upper_(upper),
        x_(upper),
        f_(f_upper),
        x_before_(lower),
        f_before_(f_lower),
        size_(upper - lower) {}

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  double width() const { return upper_ - lower_; }

  void take(double x, double f) {
    (f > 0.0 ? lower_ : upper_) = x;
    x_before_ = x_, f_before_ = f_;
    x_ = x, f_ = f;
  }

  // Where to look next: the secant through the last two points. A root expected within `width` of an end is stepped
  // over, so that the interval ends up with that width; where that is slow the middle is taken.
  double next(double width) {
    const double middle = 0.5 * (lower_ + upper_);
    if (++looks_ % 3 == 0) {
      const bool slow = upper_ - lower_ > 0.25 * size_;
      size_ = upper_ - lower_;
      if (slow) return middle;
    }
    double x = x_ - f_ * (x_ - x_before_) / (f_ - f_before_);
    if (!(x >= lower_ && x <= upper_)) return middle;
    if (x < lower_ + width) x = lower_ + width;
    if (x > upper_ - width) x = upper_ - width;
    return x > lower_ && x < upper_ ? x : middle;
  }

 private:
  double lower_, upper_, x_, f_, x_before_, f_before_, size_;
  int looks_ = 0;
};

}  // namespace ricochet
