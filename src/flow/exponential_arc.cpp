#include "flow/exponential_arc.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "formula/execute.hpp"
#include "ricochet/formula/elementary.hpp"

namespace ricochet {

namespace {

using Arc = ExponentialArc;
using Sums = Arc::Sums;
using Four = Arc::Four;

// What a·b leaves out, by Dekker's splitting: T. J. Dekker, A floating-point technique for extending the available
// precision, Numer. Math. 18 (1971) 224, doi:10.1007/BF01397083.
template <class Value>
[[gnu::always_inline]] inline Value product_error(const Value& a, const Value& b, const Value& product) {
  constexpr double splitter = 134217729.0;  // 2²⁷ + 1
  const Value ca = splitter * a, cb = splitter * b;
  const Value ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

// e^{iω(s + low)}
template <class Value>
[[gnu::always_inline]] inline void turn(const Value& omega, const Value& s, const Value& low, Value& cosine,
                                        Value& sine) {
  const Value phase = omega * s;
  formula::elementary::sincos(phase, sine, cosine);
  const Value rest = product_error(omega, s, phase) + omega * low;
  const Value turned = cosine - rest * sine;
  sine = sine + rest * cosine;
  cosine = turned;
}

// For pure arcs, rates by fours: the same operations in the same order in registers of two and of four.
// e^{λs} with the bits of exponential(), and its size.
template <class Part>
[[gnu::always_inline]] inline void exponentials_of(int count, double at, const double* alpha, const double* omega,
                                                   double* re, double* im, double* size) {
  const Part s = at;
  for (int i = 0; i < count; i += formula::pack_width<Part>) {
    Part cosine, sine;
    turn(formula::load<Part>(omega + i), s, Part(0.0), cosine, sine);
    const Part e = formula::elementary::exp(formula::load<Part>(alpha + i) * s);
    formula::store(re + i, e * cosine);
    formula::store(im + i, e * sine);
    formula::store(size + i, e);
  }
}

// f, f'; and of watched channels f'', |f|, (2). Count: int, or a constant where all rates are one four.
template <class Part, bool watched, class Count>
[[gnu::always_inline]] inline void sum_of(const Sums& in, Count count, Four* sums) {
  constexpr int width = formula::pack_width<Part>, parts = 4 / width, n = watched ? 5 : 2;
  Part total[n][parts];
  for (auto& row : total)
    for (Part& part : row) part = Part(0.0);
  for (int i = 0; i < count; i += 4)
    for (int k = 0; k < parts; ++k) {
      const auto at = [&](const double* x) { return formula::load<Part>(x + i + k * width); };
      const auto of = [&](Arc::Row row) { return at(in.rates + row * count); };
      const Part a = at(in.c), b = at(in.c + count), E = of(Arc::E_re), F = of(Arc::E_im);
      const Part re = a * E - b * F, im = a * F + b * E;
      total[0][k] = total[0][k] + re;
      total[1][k] = total[1][k] + (of(Arc::alpha) * re - of(Arc::omega) * im);
      if constexpr (watched) {
        const Part size = at(in.sizes) * of(Arc::size_of_E);
        total[2][k] = total[2][k] + (of(Arc::square_re) * re - of(Arc::square_im) * im);
        total[3][k] = total[3][k] + size;
        total[4][k] = total[4][k] + of(Arc::cube) * size;
      }
    }
  for (int m = 0; m < n; ++m)
    for (int k = 0; k < parts; ++k) formula::store(sums[m].x + k * width, total[m][k]);
}
template <class Part, bool watched>
[[gnu::always_inline]] inline void sum_of(const Sums& in, Four* sums) {
  if (in.count == 4) return sum_of<Part, watched>(in, std::integral_constant<int, 4>(), sums);
  sum_of<Part, watched>(in, in.count, sums);
}

using Exponentials = void (*)(int, double, const double*, const double*, double*, double*, double*);
using Summation = void (*)(const Sums&, Four*);
struct Kernels {
  Exponentials exponentials;
  Summation motion, jet;
};
#define RICOCHET_ARC_KERNELS(name, Part, attribute)                                                             \
  attribute void name##_exponentials(int count, double s, const double* alpha, const double* omega, double* re, \
                                     double* im, double* size) {                                                \
    exponentials_of<Part>(count, s, alpha, omega, re, im, size);                                                \
  }                                                                                                             \
  attribute void name##_motion(const Sums& in, Four* sums) { sum_of<Part, false>(in, sums); }                   \
  attribute void name##_jet(const Sums& in, Four* sums) { sum_of<Part, true>(in, sums); }                       \
  constexpr Kernels name = {name##_exponentials, name##_motion, name##_jet};

RICOCHET_ARC_KERNELS(baseline, formula::Pack<2>, )
#if defined(__x86_64__)
RICOCHET_ARC_KERNELS(wide, formula::Pack<4>, [[gnu::target("avx2")]])
#else
constexpr Kernels wide = baseline;
#endif
#undef RICOCHET_ARC_KERNELS
const Kernels kernels = formula::has_avx2() ? wide : baseline;

}  // namespace

// Series have coefficients whose squares leave the numbers.
static double size_of(const Complex& c) {
  const double size = magnitude(c);
  return size <= std::numeric_limits<double>::max() ? size : std::abs(c.re) + std::abs(c.im);
}

Complex exponential(const Complex& lambda, double s, double low) {
  double sine = 0.0, cosine = 1.0;
  if (lambda.im != 0.0) turn(lambda.im, s, low, cosine, sine);
  if (lambda.re == 0.0) return {cosine, sine};
  const double e = formula::elementary::exp(lambda.re * s + lambda.re * low);
  return {e * cosine, e * sine};
}

void ExponentialArc::clear(int channels, int watched) {
  new_rates_ = channels != channels_ || watched != watched_;
  channels_ = channels;
  watched_ = watched;
  rows_ = 0;
  added_ = 0;
  c_.clear();
}

int ExponentialArc::add_rate(const Complex& lambda, int degree) {
  for (std::size_t r = 0; r < added_; ++r)
    if (rates_[r].lambda == lambda && rates_[r].degree >= degree) return static_cast<int>(r);
  if (added_ == rates_.size() || !(rates_[added_].lambda == lambda && rates_[added_].degree == degree)) {
    new_rates_ = true;
    rates_.resize(added_);
    const double size = magnitude(lambda);
    rates_.push_back({lambda, lambda * lambda, size, size * size * size, rows_, degree});
  }
  rates_[added_].E = {1.0, 0.0};
  rates_[added_].magnitude = 1.0;
  rows_ += degree + 1;
  c_.resize(static_cast<std::size_t>(rows_ * channels_));
  return static_cast<int>(added_++);
}

void ExponentialArc::see_rates() {
  even_ = true;
  fastest_ = growth_ = lasting_ = 0.0;
  for (const Rate& rate : rates_) {
    fastest_ = std::max(fastest_, rate.size);
    growth_ = std::max(growth_, rate.lambda.re);
    lasting_ = std::max({lasting_, std::abs(rate.lambda.im), rate.lambda.re});
    if (rate.lambda.re > 0.0 || (rate.degree > 0 && rate.size > 0.0) || rate.degree > 3) even_ = false;
  }
  pure_ = rows_ == rate_count();
}

void ExponentialArc::finish() {
  new_rates_ = new_rates_ || added_ < rates_.size();
  rates_.resize(added_);
  if (new_rates_) see_rates();
  s_ = 0.0;
  sizes_.resize(static_cast<std::size_t>(rows_ * watched_));
  for (int k = 0; k < rows_; ++k)
    for (int j = 0; j < watched_; ++j)
      sizes_[static_cast<std::size_t>(k * watched_ + j)] =
          size_of(c_[static_cast<std::size_t>(k * channels_ + channels_ - watched_ + j)]);
  if (pure_) pack();
}

ExponentialArc::Sums ExponentialArc::sums_of(int channel) const {
  const double* x = row(0);
  const int n = 4 * fours_, first_watched = channels_ - watched_;
  const double* c = x + (rows_of_rates + 2 * channel) * n;
  const double* sizes = x + (rows_of_rates + 2 * channels_ + channel - first_watched) * n;
  return {n, x, c, channel >= first_watched ? sizes : nullptr};
}

// The rows of a pure arc.
void ExponentialArc::pack() {
  const int R = rate_count();
  if (new_rates_) {
    fours_ = std::max(1, (R + 3) / 4);
    packed_.assign(static_cast<std::size_t>((rows_of_rates + 2 * channels_ + watched_) * fours_), {});
    for (int r = 0; r < R; ++r) {
      const Rate& rate = rates_[static_cast<std::size_t>(r)];
      row(alpha)[r] = rate.lambda.re, row(omega)[r] = rate.lambda.im;
      row(square_re)[r] = rate.square.re, row(square_im)[r] = rate.square.im, row(cube)[r] = rate.cube;
    }
  }
  begin_exponentials();
  steady_.assign(static_cast<std::size_t>(watched_), 0.0);
  double* const all = row(0);
  const int n = 4 * fours_;
  for (int r = 0; r < R; ++r) {
    const Rate& rate = rates_[static_cast<std::size_t>(r)];
    double* x = all + r;
    const Complex* c = c_.data() + rate.first * channels_;
    for (int i = 0; i < channels_; ++i) {
      x[(rows_of_rates + 2 * i) * n] = c[i].re;
      x[(rows_of_rates + 2 * i + 1) * n] = c[i].im;
    }
    for (int j = 0; j < watched_; ++j) {
      x[(rows_of_rates + 2 * channels_ + j) * n] = sizes_[static_cast<std::size_t>(rate.first * watched_ + j)];
      if (rate.size == 0.0) steady_[static_cast<std::size_t>(j)] += c[channels_ - watched_ + j].re;
    }
  }
}

// e^{λs} at s = 0
void ExponentialArc::begin_exponentials() {
  std::fill_n(row(E_re), 4 * fours_, 1.0);
  std::fill_n(row(E_im), 4 * fours_, 0.0);
  std::fill_n(row(size_of_E), 4 * fours_, 1.0);
}

void ExponentialArc::place(double s) {
  if (s == s_) return;
  s_ = s;
  if (pure_) {
    if (s == 0.0) return begin_exponentials();
    return kernels.exponentials(4 * fours_, s, row(alpha), row(omega), row(E_re), row(E_im), row(size_of_E));
  }
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
  if (pure_) {
    Four sums[2];
    kernels.motion(sums_of(channel), sums);
    return sums[0].sum();
  }
  for (const Rate& rate : rates_) {
    const Complex p = polynomial(rate, channel);
    sum += p.re * rate.E.re - p.im * rate.E.im;
  }
  return sum;
}

double ExponentialArc::size(int channel) const {
  double sum = 0.0;
  if (pure_) {
    const Sums in = sums_of(channel);
    for (int r = 0; r < rate_count(); ++r) sum += magnitude(Complex{in.c[r], in.c[in.count + r]}) * row(size_of_E)[r];
    return sum;
  }
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
  if (pure_) {
    Four sums[2];
    kernels.motion(sums_of(channel), sums);
    return sums[1].sum();
  }
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
  for (int i = 0; i < count && pure_; ++i) {
    Four sums[2];
    kernels.motion(sums_of(i), sums);
    q[i] = sums[0].sum();
    v[i] = sums[1].sum();
  }
  for (int i = 0; i < count && !pure_; ++i) {
    q[i] = value(i);
    v[i] = rate(i);
  }
}

ExponentialArc::Jet ExponentialArc::jet(int j) const {
  Jet jet;
  if (pure_) {
    Four sums[5];
    kernels.jet(sums_of(channels_ - watched_ + j), sums);
    return {sums[0].sum(), sums[1].sum(), sums[2].sum(), sums[3].sum(), steady_[static_cast<std::size_t>(j)],
            sums[4].sum()};
  }
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
  for (std::size_t r = 0; r < rates_.size(); ++r) {
    const Rate& rate = rates_[r];
    const double* sizes = sizes_.data() + rate.first * watched_ + j;
    const double now = pure_ ? row(size_of_E)[r] : rate.magnitude;
    const double growth = rate.lambda.re > 0.0 ? now * formula::elementary::exp(rate.lambda.re * h) : now;
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
