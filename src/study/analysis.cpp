#include "ricochet/study/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

using Numbers = std::vector<double>;

// The rows [begin, end) of a window.
struct Rows {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

Rows rows_in(const Numbers& t, TimeSpan window) {
  const double slack = 1e-12 * std::max(std::abs(window.from), std::abs(window.until));
  return {static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), window.from - slack) - t.begin()),
          static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), window.until + slack) - t.begin())};
}

Distribution distribution_of(Numbers values, std::size_t bins) {
  Distribution result;
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  for (const double x : values) result.mean += x, result.rms += x * x;
  result.mean /= n;
  result.rms = std::sqrt(result.rms / n);
  const std::size_t half = values.size() / 2;
  result.median = values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
  result.most = values.back();
  const double width = result.most / static_cast<double>(bins);
  for (std::size_t k = 0; k <= bins; ++k) result.edges.push_back(width * static_cast<double>(k));
  result.counts.assign(bins, 0.0);
  for (const double x : values) {
    const std::size_t k = width > 0.0 ? static_cast<std::size_t>(std::max(0.0, x / width)) : 0;
    result.counts[std::min(k, bins - 1)] += 1.0;
  }
  return result;
}

// The impulse J(t) up to a time: straight where a contact lasts, with jumps at impacts.
class ImpulseCurve {
 public:
  // From the last place on: straight to t, by P more; or at once.
  void go_to(double t, double P) {
    t_.push_back(t);
    J_.push_back((J_.empty() ? 0.0 : J_.back()) + P);
  }
  // Largest (J(t + w) − J(t))/w: where a straight piece or a jump of J begins at t or ends at t + w.
  double largest_mean(double w) const {
    double most = 0.0;
    for (std::size_t i = 0; i < t_.size(); ++i) {
      most = std::max(most, right(t_[i] + w) - left(t_[i]));
      most = std::max(most, right(t_[i]) - left(t_[i] - w));
    }
    return most / w;
  }

 private:
  double between(std::size_t i, double t) const {
    return J_[i - 1] + (J_[i] - J_[i - 1]) * ((t - t_[i - 1]) / (t_[i] - t_[i - 1]));
  }
  double left(double t) const {
    const auto i = static_cast<std::size_t>(std::lower_bound(t_.begin(), t_.end(), t) - t_.begin());
    if (i == t_.size()) return J_.back();
    return i == 0 ? 0.0 : t_[i] == t ? J_[i] : between(i, t);
  }
  double right(double t) const {
    const auto i = static_cast<std::size_t>(std::upper_bound(t_.begin(), t_.end(), t) - t_.begin());
    if (i == t_.size()) return J_.back();
    return i == 0 ? 0.0 : t_[i - 1] == t ? J_[i - 1] : between(i, t);
  }

  Numbers t_, J_;
};

// The discrete Fourier transform of 2^m numbers, in place [Cooley, Tukey 1965].
void transform(std::vector<std::complex<double>>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2)
    for (std::size_t k = 0; k < length / 2; ++k) {
      const std::complex<double> w =
          std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
      for (std::size_t i = k; i < n; i += length) {
        const std::complex<double> a = x[i], b = w * x[i + length / 2];
        x[i] = a + b;
        x[i + length / 2] = a - b;
      }
    }
}

class Analyst {
 public:
  Analyst(const RecordedColumns& motion, const AnalysisSettings& settings) : motion_(motion), settings_(settings) {
    check();
    find_rows();
    find_segments();
  }

  Analysis result() {
    for (const RecordedColumns::Contact& contact : motion_.contacts)
      result_.contacts.push_back(contact_analysis(contact, result_.contacts.size()));
    for (const RecordedColumns::Quantity& quantity : motion_.quantities)
      result_.quantities.push_back(quantity_analysis(quantity));
    if (!motion_.contacts.empty() && !result_.force_window)
      result_.notes.push_back(
          "Peak forces are not given: impacts of rigid bodies have impulses and no forces. With a force window, the "
          "time that an impact would last, the largest mean force over it is.");
    return std::move(result_);
  }

 private:
  void check() const {
    if (motion_.t->size() < 2) throw InputError("window", "there are fewer than two recorded instants");
    if (settings_.window && !(settings_.window->until > settings_.window->from))
      throw InputError("window", "must end after its begin");
    if (settings_.force_window && !(*settings_.force_window > 0.0 && std::isfinite(*settings_.force_window)))
      throw InputError("force-window", "must be a positive time, got " + to_text(*settings_.force_window));
    if (!(settings_.overlap >= 0.0 && settings_.overlap < 1.0))
      throw InputError("overlap", "must be in [0, 1), got " + to_text(settings_.overlap));
    if (settings_.bins == 0) throw InputError("bins", "must be at least 1");
    if (settings_.segment != 0 && (settings_.segment < 4 || (settings_.segment & (settings_.segment - 1)) != 0))
      throw InputError("segment",
                       "must be a power of two, 4 or more, got " + std::to_string(settings_.segment) + " samples");
  }

  void find_rows() {
    const Numbers& t = *motion_.t;
    result_.window = settings_.window.value_or(TimeSpan{t.front(), t.back()});
    rows_ = rows_in(t, result_.window);
    if (rows_.size() < 2)
      throw InputError("window", "holds fewer than two recorded instants; the motion goes from " + to_text(t.front()) +
                                     " to " + to_text(t.back()));
    result_.window = {t[rows_.begin], t[rows_.end - 1]};
    duration_ = result_.window.until - result_.window.from;
    if (!(duration_ > 0.0)) throw InputError("window", "holds one instant only");
    result_.force_window = settings_.force_window;
    if (!result_.force_window && motion_.compliant)
      result_.force_window = duration_ / static_cast<double>(rows_.size() - 1);
  }

  // The rows of the grid, if they are even; the last one may come early.
  void find_segments() {
    constexpr double uneven = 1e-6;
    for (std::size_t i = rows_.begin; i < rows_.end; ++i)
      if ((*motion_.event)[i] == 0.0) grid_.push_back(i);
    const auto time = [this](std::size_t k) { return (*motion_.t)[grid_[k]]; };
    if (grid_.size() < 8) return note("There are too few instants of an even grid for spectra.");
    const double step = time(1) - time(0);
    if (std::abs(time(grid_.size() - 1) - time(grid_.size() - 2) - step) > uneven * step) grid_.pop_back();
    for (std::size_t k = 1; k < grid_.size(); ++k)
      if (!(std::abs(time(k) - time(k - 1) - step) <= uneven * step))
        return note("The recorded instants are not even: there are no spectra.");
    const std::size_t n = grid_.size();
    std::size_t segment = settings_.segment;
    if (segment == 0)
      for (segment = 4; segment * 2 <= n / 4;) segment *= 2;
    if (segment > n)
      throw InputError("segment",
                       std::to_string(segment) + " samples are more than the " + std::to_string(n) + " that there are");
    result_.sampling = static_cast<double>(n - 1) / (time(n - 1) - time(0));
    result_.segment = segment;
    result_.overlap = settings_.overlap;
    hop_ = std::max<std::size_t>(
        1, segment - static_cast<std::size_t>(std::floor(settings_.overlap * static_cast<double>(segment))));
    result_.segments = (n - segment) / hop_ + 1;
    const auto N = static_cast<double>(segment);
    for (std::size_t k = 0; k <= segment / 2; ++k)
      result_.frequency.push_back(static_cast<double>(k) * result_.sampling / N);
    for (std::size_t s = 0; s < result_.segments; ++s)
      result_.segment_time.push_back(0.5 * (time(s * hop_) + time(s * hop_ + segment - 1)));
    for (std::size_t k = 0; k < segment; ++k)
      taper_.push_back(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(k) / N));
  }

  void note(const char* text) {
    grid_.clear();
    result_.notes.emplace_back(text);
  }

  ContactAnalysis contact_analysis(const RecordedColumns::Contact& contact, std::size_t j) const {
    ContactAnalysis result;
    result.name = contact.name;
    const Numbers &t = *motion_.t, &P = *contact.impulse;
    Numbers speeds, impulses;
    std::vector<const Impact*> hits;
    double lost = 0.0;
    for (const Impact& impact : *motion_.impacts) {
      if (static_cast<std::size_t>(impact.constraint) != j) continue;
      if (impact.t < result_.window.from || impact.t > result_.window.until) continue;
      speeds.push_back(std::abs(impact.rate_minus));
      impulses.push_back(impact.impulse);
      lost += impact.energy_loss;
      if (!motion_.compliant) hits.push_back(&impact);
    }
    std::sort(hits.begin(), hits.end(), [](const Impact* a, const Impact* b) { return a->t < b->t; });
    result.impacts = speeds.size();
    result.impact_rate = static_cast<double>(result.impacts) / duration_;
    result.speed = distribution_of(std::move(speeds), settings_.bins);
    result.impulse = distribution_of(std::move(impulses), settings_.bins);
    result.impact_work_rate = lost / duration_;

    double total = 0.0, closed = 0.0, rubbed = 0.0;
    ImpulseCurve curve;
    curve.go_to(t[rows_.begin], 0.0);
    auto hit = hits.begin();
    for (std::size_t i = rows_.begin + 1; i < rows_.end; ++i) {
      total += P[i];
      // Impacts of the row. One at its very time may belong to the next one: to that after the impact, or to the step
      // that begins with it.
      const auto first = hit;
      double struck = 0.0;
      while (hit != hits.end() && ((*hit)->t < t[i] || ((*hit)->t == t[i] && P[i] >= (1.0 - 1e-9) * (*hit)->impulse)))
        struck += (*hit++)->impulse;
      const double pushed = pushes(P[i], struck) ? P[i] - struck : 0.0, length = t[i] - t[i - 1];
      if (pushed > 0.0) closed += length;
      double reached = t[i - 1];
      const auto go_to = [&](double time) {
        const double share = length > 0.0 ? (time - reached) / length : 0.0;
        curve.go_to(time, share * pushed);
        reached = time;
      };
      for (auto one = first; one != hit; ++one) {
        go_to(std::clamp((*one)->t, reached, t[i]));
        curve.go_to(reached, (*one)->impulse);
      }
      go_to(t[i]);
      for (std::size_t k = 0; k < contact.slip.size(); ++k)
        rubbed -= 0.5 * ((*contact.slip[k])[i - 1] + (*contact.slip[k])[i]) * (*contact.friction[k])[i];
    }
    result.mean_force = total / duration_;
    result.contact_share = closed / duration_;
    result.friction_work_rate = rubbed / duration_;
    if (result_.force_window) result.peak_force = curve.largest_mean(*result_.force_window);
    return result;
  }

  // Whether a row's impulse is more than that of impacts.
  bool pushes(double P, double struck) const {
    constexpr double round_off = 1e-9;
    return motion_.compliant ? P > 0.0 : P - struck > round_off * P;
  }

  QuantityAnalysis quantity_analysis(const RecordedColumns::Quantity& quantity) const {
    QuantityAnalysis result;
    result.name = quantity.name;
    const Numbers &t = *motion_.t, &x = *quantity.values;
    const auto integral = [&](const auto& f) {
      double sum = 0.0;
      for (std::size_t i = rows_.begin + 1; i < rows_.end; ++i)
        sum += 0.5 * (t[i] - t[i - 1]) * (f(x[i - 1]) + f(x[i]));
      return sum / duration_;
    };
    result.mean = integral([](double value) { return value; });
    result.rms = std::sqrt(integral([](double value) { return value * value; }));
    result.deviation = std::sqrt(integral([&](double value) { return (value - result.mean) * (value - result.mean); }));
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(rows_.begin),
               end = x.begin() + static_cast<std::ptrdiff_t>(rows_.end);
    const auto [least, most] = std::minmax_element(begin, end);
    result.least = *least, result.most = *most;
    const double peak = std::max(result.most - result.mean, result.mean - result.least);
    result.crest = result.deviation > 0.0 ? peak / result.deviation : 0.0;
    if (result_.segment > 0) add_spectra(x, result);
    return result;
  }

  void add_spectra(const Numbers& x, QuantityAnalysis& result) const {
    const std::size_t N = result_.segment;
    double squares = 0.0;
    for (const double w : taper_) squares += w * w;
    std::vector<std::complex<double>> segment(N);
    result.density.assign(N / 2 + 1, 0.0);
    for (std::size_t s = 0; s < result_.segments; ++s) {
      const std::size_t first = s * hop_;
      double mean = 0.0;
      for (std::size_t k = 0; k < N; ++k) mean += x[grid_[first + k]];
      mean /= static_cast<double>(N);
      for (std::size_t k = 0; k < N; ++k) segment[k] = taper_[k] * (x[grid_[first + k]] - mean);
      transform(segment);
      Numbers density(N / 2 + 1);
      for (std::size_t k = 0; k <= N / 2; ++k) {
        const double sides = k == 0 || k == N / 2 ? 1.0 : 2.0;
        density[k] = sides * std::norm(segment[k]) / (result_.sampling * squares);
        result.density[k] += density[k] / static_cast<double>(result_.segments);
      }
      result.spectrogram.push_back(std::move(density));
      // States at impacts are among the extremes.
      const auto begin = x.begin() + static_cast<std::ptrdiff_t>(grid_[first]),
                 end = x.begin() + static_cast<std::ptrdiff_t>(grid_[first + N - 1]) + 1;
      const auto [least, most] = std::minmax_element(begin, end);
      result.lower.push_back(*least);
      result.upper.push_back(*most);
    }
  }

  const RecordedColumns& motion_;
  const AnalysisSettings& settings_;
  Analysis result_;
  Rows rows_;
  double duration_ = 0.0;
  std::vector<std::size_t> grid_;  // rows of the even grid
  std::size_t hop_ = 1;
  Numbers taper_;
};

}  // namespace

Analysis analyse(const RecordedColumns& motion, const AnalysisSettings& settings) {
  return Analyst(motion, settings).result();
}

}  // namespace ricochet
