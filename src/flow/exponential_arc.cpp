#include "flow/exponential_arc.hpp"

#include <algorithm>

#include "ricochet/formula/elementary.hpp"

namespace ricochet {
namespace {

// What a·b leaves out, by Dekker's splitting: T. J. Dekker, A floating-point technique for extending the available
// precision, Numer. Math. 18 (1971) 224, doi:10.1007/BF01397083.
double product_error(double a, double b, double product) {
  constexpr double splitter = 134217729.0;  // 2²⁷ + 1
  const double ca = splitter * a, cb = splitter * b;
  const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

}  // namespace

Complex exponential(const Complex& lambda, double s, double low) {
  double sine = 0.0, cosine = 1.0;
  if (lambda.im != 0.0) {
    const double phase = lambda.im * s;
    formula::elementary::sincos(phase, sine, cosine);
    const double rest = product_error(lambda.im, s, phase) + lambda.im * low;
    const double turned = cosine - rest * sine;
    sine += rest * cosine;
    cosine = turned;
  }
  if (lambda.re == 0.0) return {cosine, sine};
  const double e = formula::elementary::exp(lambda.re * s + lambda.re * low);
  return {e * cosine, e * sine};
}

void ExponentialArc::clear(int channels, int watched) {
  channels_ = channels;
  watched_ = watched;
  rows_ = 0;
  rates_.clear();
  c_.clear();
}

int ExponentialArc::add_rate(const Complex& lambda, int degree) {
  for (std::size_t r = 0; r < rates_.size(); ++r)
    if (rates_[r].lambda == lambda && rates_[r].degree >= degree) return static_cast<int>(r);
  const double size = magnitude(lambda);
  rates_.push_back({lambda, lambda * lambda, size, size * size * size, rows_, degree, {1.0, 0.0}, 1.0});
  rows_ += degree + 1;
  c_.resize(static_cast<std::size_t>(rows_ * channels_));
  return static_cast<int>(rates_.size()) - 1;
}

void ExponentialArc::finish() {
  even_ = true;
  fastest_ = 0.0;
  sizes_.resize(static_cast<std::size_t>(rows_ * watched_));
  for (int k = 0; k < rows_; ++k)
    for (int j = 0; j < watched_; ++j)
      sizes_[static_cast<std::size_t>(k * watched_ + j)] =
          magnitude(c_[static_cast<std::size_t>(k * channels_ + channels_ - watched_ + j)]);
  for (const Rate& rate : rates_) {
    fastest_ = std::max(fastest_, rate.size);
    if (rate.lambda.re > 0.0 || (rate.degree > 0 && rate.size > 0.0) || rate.degree > 3) even_ = false;
  }
  s_ = 0.0;
}

void ExponentialArc::place(double s) {
  if (s == s_) return;
  s_ = s;
  for (Rate& rate : rates_) {
    if (rate.size == 0.0) continue;
    rate.E = s == 0.0 ? Complex{1.0, 0.0} : exponential(rate.lambda, s);
    rate.magnitude = rate.lambda.re == 0.0 || s == 0.0 ? 1.0 : magnitude(rate.E);
  }
}

Complex ExponentialArc::polynomial(const Rate& rate, int channel) const {
  const Complex* c = c_.data() + rate.first * channels_ + channel;
  Complex p = c[rate.degree * channels_];
  for (int n = rate.degree - 1; n >= 0; --n) p = s_ * p + c[n * channels_];
  return p;
}

double ExponentialArc::value(int channel) const {
  double sum = 0.0;
  for (const Rate& rate : rates_) {
    const Complex p = polynomial(rate, channel);
    sum += p.re * rate.E.re - p.im * rate.E.im;
  }
  return sum;
}

double ExponentialArc::size(int channel) const {
  double sum = 0.0;
  for (const Rate& rate : rates_) {
    double size = 0.0;
    for (int n = rate.degree; n >= 0; --n)
      size = s_ * size + magnitude(c_[static_cast<std::size_t>((rate.first + n) * channels_ + channel)]);
    sum += size * rate.magnitude;
  }
  return sum;
}

double ExponentialArc::rate(int channel) const {
  double sum = 0.0;
  for (const Rate& rate : rates_) {
    const Complex* c = c_.data() + rate.first * channels_ + channel;
    Complex p = c[rate.degree * channels_], p1;
    for (int n = rate.degree - 1; n >= 0; --n) {
      p1 = s_ * p1 + p;
      p = s_ * p + c[n * channels_];
    }
    const Complex d = p1 + rate.lambda * p;
    sum += d.re * rate.E.re - d.im * rate.E.im;
  }
  return sum;
}

void ExponentialArc::values(int count, double* q, double* v) const {
  for (int i = 0; i < count; ++i) {
    q[i] = value(i);
    v[i] = rate(i);
  }
}

ExponentialArc::Jet ExponentialArc::jet(int j) const {
  Jet jet;
  for (const Rate& rate : rates_) {
    const Complex* c = c_.data() + rate.first * channels_ + channels_ - watched_ + j;
    const double* sizes = sizes_.data() + rate.first * watched_ + j;
    Complex p = c[rate.degree * channels_], p1, p2;
    double size = sizes[rate.degree * watched_];
    if (rate.degree == 0) {
      const Complex z = p * rate.E;
      jet.f += z.re;
      jet.f1 += rate.lambda.re * z.re - rate.lambda.im * z.im;
      jet.f2 += rate.square.re * z.re - rate.square.im * z.im;
      jet.size += size * rate.magnitude;
      if (rate.size == 0.0) jet.steady += z.re;
      continue;
    }
    for (int n = rate.degree - 1; n >= 0; --n) {
      p2 = s_ * p2 + p1;
      p1 = s_ * p1 + p;
      p = s_ * p + c[n * channels_];
      size = s_ * size + sizes[n * watched_];
    }
    const Complex d1 = p1 + rate.lambda * p, d2 = 2.0 * (p2 + rate.lambda * p1) + rate.square * p;
    jet.f += p.re * rate.E.re - p.im * rate.E.im;
    jet.f1 += d1.re * rate.E.re - d1.im * rate.E.im;
    jet.f2 += d2.re * rate.E.re - d2.im * rate.E.im;
    jet.size += size * rate.magnitude;
  }
  return jet;
}

double ExponentialArc::third(int j, double h) const {
  double sum = 0.0;
  for (const Rate& rate : rates_) {
    const double* sizes = sizes_.data() + rate.first * watched_ + j;
    const double growth =
        rate.lambda.re > 0.0 ? rate.magnitude * formula::elementary::exp(rate.lambda.re * h) : rate.magnitude;
    if (rate.degree == 0) {
      sum += growth * rate.cube * sizes[0];
      continue;
    }
    double p = sizes[rate.degree * watched_], p1 = 0.0, p2 = 0.0, p3 = 0.0;
    const double s = s_ + h;
    for (int n = rate.degree - 1; n >= 0; --n) {
      p3 = s * p3 + p2;
      p2 = s * p2 + p1;
      p1 = s * p1 + p;
      p = s * p + sizes[n * watched_];
    }
    const double rho = rate.size;
    sum += growth * (6.0 * p3 + 6.0 * rho * p2 + 3.0 * rho * rho * p1 + rate.cube * p);
  }
  return sum;
}

}  // namespace ricochet
