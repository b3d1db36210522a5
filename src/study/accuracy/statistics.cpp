// Comparison of means and distributions, where trajectories part.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/core/error.hpp"
#include "ricochet/study/comparison.hpp"
#include "study/accuracy/level_points.hpp"

namespace ricochet {
namespace {

constexpr double transient = 0.1;         // share of the window that is left out
constexpr double slowest = 1e-3;          // of the fastest impact: slower ones are not counted
constexpr double most_samples = 20000.0;  // of a motion
constexpr std::size_t parts_of_window = 20;
constexpr double far_apart = 0.1;  // of the size of q

// A motion as statistics take it.
struct Recording {
  const std::vector<double>& t;
  const std::vector<double>& q;
  const std::vector<Impact>& impacts;
};

// Parts of a chaotic motion that are much longer than its memory are independent: the deviation of their mean is that
// of a part by √n.
double deviation_of_mean(const std::vector<double>& parts) {
  const auto n = static_cast<double>(parts.size());
  double mean = 0.0, squares = 0.0;
  for (const double x : parts) mean += x / n;
  for (const double x : parts) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / (n * (n - 1.0)));
}

MotionStatistics statistics_of(const Recording& motion, TimeSpan window, double period, double least_speed) {
  MotionStatistics statistics;
  const double begin = window.from + transient * (window.until - window.from);
  const std::size_t nq = motion.q.size() / motion.t.size();
  statistics.rms.assign(nq, 0.0);
  double count = 0.0;
  for (std::size_t i = 0; i < motion.t.size(); ++i) {
    if (motion.t[i] < begin) continue;
    count += 1.0;
    for (std::size_t j = 0; j < nq; ++j) statistics.rms[j] += motion.q[i * nq + j] * motion.q[i * nq + j];
  }
  for (double& sum : statistics.rms) sum = std::sqrt(sum / std::max(count, 1.0));

  double last = std::numeric_limits<double>::quiet_NaN();
  const double part = (window.until - begin) / static_cast<double>(parts_of_window);
  std::vector<double> rates(parts_of_window, 0.0);
  for (const Impact& impact : motion.impacts) {
    if (impact.t < begin || std::abs(impact.rate_minus) < least_speed) continue;
    rates[std::min(parts_of_window - 1, static_cast<std::size_t>((impact.t - begin) / part))] += 1.0 / part;
    statistics.speeds.push_back(std::abs(impact.rate_minus));
    if (period > 0.0)
      statistics.phases.push_back(impact.t / period - std::floor(impact.t / period));
    else if (!std::isnan(last))
      statistics.phases.push_back(impact.t - last);
    last = impact.t;
  }
  statistics.impact_rate = static_cast<double>(statistics.speeds.size()) / (window.until - begin);
  statistics.rate_deviation = deviation_of_mean(rates);
  return statistics;
}

double fastest(const std::vector<Impact>& impacts) {
  double speed = 0.0;
  for (const Impact& impact : impacts) speed = std::max(speed, std::abs(impact.rate_minus));
  return speed;
}

double relative_difference(double a, double b) {
  return b != 0.0 ? std::abs(a - b) / std::abs(b) : (a == 0.0 ? 0.0 : std::numeric_limits<double>::infinity());
}

void compare_with(const MotionStatistics& reference, double period, StatisticsPoint& point) {
  const MotionStatistics& own = point.statistics;
  point.rate_error = relative_difference(own.impact_rate, reference.impact_rate);
  if (reference.impact_rate > 0.0)
    point.rate_deviation = std::hypot(own.rate_deviation, reference.rate_deviation) / reference.impact_rate;
  for (std::size_t j = 0; j < own.rms.size(); ++j)
    point.rms_error = std::max(point.rms_error, relative_difference(own.rms[j], reference.rms[j]));
  point.phase_distance = distribution_distance(own.phases, reference.phases, period > 0.0);
  point.speed_distance = distribution_distance(own.speeds, reference.speeds, false);
}

class Statistician {
 public:
  Statistician(const StudyProblem& problem, const ComputedMotion& motion, TimeSpan window, double period)
      : problem_(problem), motion_(motion), window_(window), period_(period) {
    least_speed_ = slowest * fastest(motion.solution().impacts);
    size_ = size_of(*problem.model, motion, window)[Norm::q_sup];
  }

  MotionStatistics of(const ComputedMotion& motion) const {
    std::vector<double> times;
    for (double i = 0.0; i <= most_samples; i += 1.0)
      times.push_back(std::min(window_.until, window_.from + (window_.until - window_.from) * i / most_samples));
    const MotionSamples samples = motion.sample(times);
    return statistics_of({samples.t, samples.q, motion.solution().impacts}, window_, period_, least_speed_);
  }

  StatisticsPoint point(const Level& level, const MotionStatistics& reference,
                        const std::atomic<bool>* interrupt) const {
    // Means need many samples, also of schemes that choose their steps.
    const double width = window_.until - window_.from;
    const double h = level.tolerance ? std::min(level.h, 4.0 * width / most_samples) : level.h;
    StatisticsPoint point{h, level.tolerance, {}};
    const TimeSpan span{problem_.span.from, window_.until};
    const double steps = static_cast<double>(step_count(span, h));
    const RunSettings settings{
        .h = h,
        .record_every = static_cast<std::uint64_t>(std::max(1.0, std::floor(steps / most_samples))),
        .solver = problem_.solver,
        .interrupt = interrupt};
    const double begin = cpu_time();
    const Solution solution = simulate(*problem_.model, problem_.start, span, level.scheme, settings);
    point.seconds = cpu_time() - begin;
    point.failure = solution.failure.message;
    if (solution.status != Status::completed) return point;
    const Trajectory& path = solution.trajectory;
    point.statistics = statistics_of({path.t, path.q, solution.impacts}, window_, period_, least_speed_);
    point.agrees_until = agrees_until(path);
    compare_with(reference, period_, point);
    return point;
  }

 private:
  double agrees_until(const Trajectory& path) const {
    const MotionSamples exact = motion_.sample(path.t);
    for (std::size_t k = 0; k < path.q.size(); ++k)
      if (!(std::abs(path.q[k] - exact.q[k]) <= far_apart * size_))
        return path.t[k / static_cast<std::size_t>(problem_.model->nq())];
    return window_.until;
  }

  const StudyProblem& problem_;
  const ComputedMotion& motion_;
  TimeSpan window_;
  double period_;
  double least_speed_ = 0.0, size_ = 0.0;
};

}  // namespace

double distribution_distance(std::vector<double> a, std::vector<double> b, bool circle) {
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 0.0 : 1.0;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double up = 0.0, down = 0.0;
  std::size_t i = 0, j = 0;
  const auto na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  while (i < a.size() || j < b.size()) {
    const double x = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    const double difference = static_cast<double>(i) / na - static_cast<double>(j) / nb;
    up = std::max(up, difference);
    down = std::max(down, -difference);
  }
  return circle ? up + down : std::max(up, down);
}

StatisticsComparison compare_statistics(const StudyProblem& problem, const CheckedReference& reference,
                                        const ComparisonSettings& settings, double period) {
  const auto motion = std::dynamic_pointer_cast<const ComputedMotion>(reference.motion);
  const auto other = std::dynamic_pointer_cast<const ComputedMotion>(reference.other);
  if (!motion || !other)
    throw InputError("reference", "statistics need a computed reference: event-driven or mannshardt");
  const Statistician statistician(problem, *motion, settings.window, period);
  StatisticsComparison result;
  result.reference = statistician.of(*motion);
  result.noise.statistics = statistician.of(*other);
  result.noise.agrees_until = reference.agreed_until.value_or(settings.window.until);
  compare_with(result.reference, period, result.noise);

  result.schemes = level_points<SchemeStatistics>(
      problem, settings.schemes.empty() ? whole_catalogue() : settings.schemes, settings,
      [&](const Level& level) { return statistician.point(level, result.reference, settings.work.interrupt); });
  return result;
}

}  // namespace ricochet
