// A motion in closed form from some instant on, s being the time since then. Each channel (a coordinate, a gap, a
// force) is a sum over rates that all share,
//
//     f(s) = Σ_r Re[p_r(s) e^{λ_r s}],   p_r polynomials with complex coefficients,                              (1)
//
// and so are its derivatives. On [s, s + h]
//
//     |f'''| ≤ Σ_r max(e^{αs}, e^{α(s+h)}) Σ_n |c_rn| [D³ + 3ρD² + 3ρ²D + ρ³] σⁿ,  σ = s + h, D = d/dσ, ρ = |λ|. (2)
//
// Phases ωs are reduced from the exact product, so that long arcs lose nothing. Arcs without powers of s are evaluated
// four rates at a time, with the same bits whatever registers there are.
#pragma once

#include <cmath>
#include <vector>

#include "flow/complex.hpp"

namespace ricochet {

class ExponentialArc {
 public:
  // A new motion with so many channels; the last `watched` of them have second derivatives and bounds.
  void clear(int channels, int watched);
  // The number of the rate, which is added if it is new; its polynomials have room for this degree.
  int add_rate(const Complex& lambda, int degree);
  // Of all channels, to be added to: 0 as it begins. Good until the next rate is added.
  Complex* coefficients(int rate, int power) {
    return c_.data() + (rates_[static_cast<std::size_t>(rate)].first + power) * channels_;
  }
  void add(int rate, int power, int channel, const Complex& c) { coefficients(rate, power)[channel] += c; }
  // All is added: sizes of what is watched.
  void finish();

  // What (1) is made of: its rates, and coefficients of the power 0.
  int rate_count() const { return static_cast<int>(rates_.size()); }
  const Complex& lambda(int rate) const { return rates_[static_cast<std::size_t>(rate)].lambda; }
  Complex E(int rate) const {  // e^{λs}
    return pure_ ? Complex{row(E_re)[rate], row(E_im)[rate]} : rates_[static_cast<std::size_t>(rate)].E;
  }
  const Complex& coefficient(int rate, int channel) const {
    return c_[static_cast<std::size_t>(rates_[static_cast<std::size_t>(rate)].first * channels_ + channel)];
  }
  // No powers of s.
  bool is_pure() const { return pure_; }

  // At s: value and rate of a channel.
  void place(double s);
  double s() const { return s_; }
  double value(int channel) const;
  double rate(int channel) const;
  double size(int channel) const;  // of what the value is a sum of
  // All of the first channels.
  void values(int count, double* q, double* v) const;

  // Of watched channel j, counted from 0 among those.
  struct Jet {
    double f = 0.0, f1 = 0.0, f2 = 0.0;
    double size = 0.0;    // of what f is a sum of
    double steady = 0.0;  // its constant term
    double third = 0.0;   // (2) at the place, if the arc is pure
  };
  Jet jet(int j) const;
  // Below that f never falls from the place on, if the arc is even and pure: what decays never adds up to more again.
  static double least(const Jet& jet) { return jet.steady + std::abs(jet.steady) - jet.size; }
  // (2) from the place on; `h` only matters where is_even() is false.
  double third(int j, double h) const;
  double third(int j, double h, const Jet& jet) const { return pure_ && even_ ? jet.third : third(j, h); }
  // Only decaying or steady exponentials: the bound at s holds from there on.
  bool is_even() const { return even_; }
  double fastest() const { return fastest_; }  // largest ρ
  double growth() const { return growth_; }    // largest α, or 0
  double lasting() const { return lasting_; }  // largest |ω| or α > 0: what does not decay

  // Rows of a pure arc, by fours: one number a rate each, then Re and Im of the coefficients of each channel, then |c|
  // of the watched ones.
  enum Row { alpha, omega, square_re, square_im, cube, E_re, E_im, size_of_E, rows_of_rates };
  // What the kernels add up: rows of so many numbers; c: those of a channel, and of its |c| if it is watched.
  struct Sums {
    int count;
    const double *rates, *c, *sizes;
  };
  struct alignas(32) Four {
    double x[4];
    double sum() const { return (x[0] + x[1]) + (x[2] + x[3]); }
  };

 private:
  struct Rate {
    Complex lambda, square;
    double size, cube;  // ρ, ρ³
    int first, degree;
    Complex E = {};          // e^{λs}
    double magnitude = 1.0;  // |E|
  };
  Complex polynomial(const Rate& rate, int channel) const;
  void see_rates();
  void pack();
  void begin_exponentials();
  Sums sums_of(int channel) const;

  int channels_ = 0, watched_ = 0, rows_ = 0;
  std::vector<Rate> rates_;  // while they are added, behind `added_` those of the last arc: mostly the same
  std::size_t added_ = 0;
  bool new_rates_ = true;
  std::vector<Complex> c_;
  std::vector<double> sizes_;  // |c| of the watched channels
  double s_ = 0.0, fastest_ = 0.0, growth_ = 0.0, lasting_ = 0.0;
  bool even_ = true, pure_ = false;
  int fours_ = 0;  // in a row
  std::vector<Four> packed_;
  std::vector<double> steady_;  // constant terms of the watched channels
  double* row(int k) { return packed_[static_cast<std::size_t>(k * fours_)].x; }
  const double* row(int k) const { return packed_[static_cast<std::size_t>(k * fours_)].x; }
};

// e^{(α + iω)(s + low)}, ωs from the exact product.
Complex exponential(const Complex& lambda, double s, double low = 0.0);

}  // namespace ricochet
