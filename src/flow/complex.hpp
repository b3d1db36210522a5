// Complex numbers without the checks for infinities that std::complex multiplies with.
#pragma once

#include <cmath>

namespace ricochet {

struct Complex {
  double re = 0.0, im = 0.0;

  friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Complex operator*(double a, const Complex& b) { return {a * b.re, a * b.im}; }
  friend Complex operator/(const Complex& a, double b) { return {a.re / b, a.im / b}; }
  friend Complex operator/(const Complex& a, const Complex& b) {
    const double scale = std::abs(b.re) + std::abs(b.im);
    const Complex c{b.re / scale, b.im / scale};
    const double norm = (c.re * c.re + c.im * c.im) * scale;
    return {(a.re * c.re + a.im * c.im) / norm, (a.im * c.re - a.re * c.im) / norm};
  }
  Complex& operator+=(const Complex& b) { return *this = *this + b; }
  bool operator==(const Complex&) const = default;
};

inline double magnitude(const Complex& a) { return std::sqrt(a.re * a.re + a.im * a.im); }

}  // namespace ricochet
