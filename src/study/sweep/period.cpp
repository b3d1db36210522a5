#include "study/sweep/period.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/study/sweep.hpp"

namespace ricochet {
namespace {

// The states among the columns, each as a part of its size.
class Points {
 public:
  Points(const std::vector<double>& points, int first, int nq, int nz, const std::vector<double>& motion, int behind)
      : points_(points),
        begin_(static_cast<std::size_t>(first)),
        n_(static_cast<std::size_t>(2 * nq + nz)),
        width_(begin_ + n_ + static_cast<std::size_t>(behind)),
        count_(points.size() / width_) {
    const std::size_t q = static_cast<std::size_t>(nq);
    // Which size a column is measured by: that of all coordinates, all velocities, or its own.
    for (std::size_t i = 0; i < n_; ++i) group_.push_back(i < q ? 0 : i < 2 * q ? 1 : i - 2 * q + 2);
    size_.assign(static_cast<std::size_t>(nz) + 2, 0.0);
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t i = 0; i < n_; ++i) size_[group_[i]] = std::max(size_[group_[i]], std::abs(at(k, i)));
    for (std::size_t i = 0; i < motion.size(); ++i)
      size_[group_[i]] = std::max(size_[group_[i]], least_part * motion[i]);
    // A section may lie at q = 0 or v = 0: with the mean time between points, one is the measure of the other.
    if (count_ < 2) return;
    const double between = mean_interval(points, count_);
    const double x = size_[0], v = size_[1];
    size_[0] = std::max(x, v * between), size_[1] = std::max(v, x / between);
  }

  std::size_t count() const { return count_; }

  // Whether the last `many` points repeat after p: no class of them has a spread beyond the tolerance.
  bool repeat(std::size_t p, std::size_t many, double tolerance) const {
    const std::size_t begin = count_ - many;
    for (std::size_t k = begin; k < begin + p; ++k)
      for (std::size_t i = 0; i < n_; ++i) {
        double least = at(k, i), most = least;
        for (std::size_t j = k + p; j < count_; j += p) {
          const double x = at(j, i);
          if (!(std::abs(x) < std::numeric_limits<double>::infinity())) return false;
          least = std::min(least, x), most = std::max(most, x);
          if (!(most - least <= tolerance * size_[group_[i]])) return false;
        }
      }
    return true;
  }

  // ‖x_k − x_{k+p}‖, the largest part of a size.
  double distance(std::size_t k, std::size_t p) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < n_; ++i)
      if (const double size = size_[group_[i]]; size > 0.0)
        largest = std::max(largest, std::abs(at(k, i) - at(k + p, i)) / size);
    return largest;
  }

  // Points p apart come closer, nearly every time: a multiplier that is real.
  bool approach(std::size_t p, double tolerance) const {
    constexpr std::size_t least_looks = 8;
    const std::size_t begin = count_ / 4;
    if (begin + 2 * p + least_looks > count_) return false;
    const std::size_t looks = count_ - 2 * p - begin;
    std::size_t against = 0;
    for (std::size_t k = begin; k < begin + looks; ++k) {
      const double before = distance(k, p), after = distance(k + p, p);
      if (!(after < before || after <= tolerance) && 10 * ++against > looks) return false;
    }
    return true;
  }

  // The largest distance falls from each third of the last three quarters to the next: multipliers that turn too.
  bool spiral(std::size_t p) const {
    constexpr double falls = 0.6;
    const std::size_t third = count_ / 4;
    if (third < 3 * p || third < 4) return false;
    double last = std::numeric_limits<double>::infinity();
    for (int part = 0; part < 3; ++part) {
      double largest = 0.0;
      const std::size_t begin = count_ - (3 - static_cast<std::size_t>(part)) * third;
      for (std::size_t k = begin; k + p < begin + third; ++k) largest = std::max(largest, distance(k, p));
      if (!(largest <= falls * last)) return false;
      last = largest;
    }
    return true;
  }

 private:
  double at(std::size_t k, std::size_t i) const { return points_[k * width_ + begin_ + i]; }

  const std::vector<double>& points_;
  const std::size_t begin_, n_, width_, count_;
  std::vector<std::size_t> group_;
  std::vector<double> size_;
};

// About to repeat: the last quarter does, or distances shrink.
bool settles(const Points& points, double tolerance) {
  const std::size_t n = points.count();
  for (std::size_t p = 1; 6 * p <= n; ++p)
    if (points.repeat(p, std::max(n / 4, 3 * p), tolerance) || points.approach(p, tolerance) || points.spiral(p))
      return true;
  return false;
}

}  // namespace

double mean_interval(const std::vector<double>& points, std::size_t count) {
  const std::size_t width = points.size() / count;
  return (points[(count - 1) * width] - points[0]) / static_cast<double>(count - 1);
}

std::int64_t find_period(const std::vector<double>& points, int first, int nq, int nz, double tolerance,
                         const std::vector<double>& motion, int behind) {
  const Points all(points, first, nq, nz, motion, behind);
  const std::size_t n = all.count();
  for (std::size_t p = 1; 2 * p <= n; ++p) {
    if (!all.repeat(p, std::max(n - n / 2, 2 * p), tolerance)) continue;
    // A second look: before a flip points alternate for long, and repeat after 2p sooner than after p.
    for (std::size_t part = 1; part < p; ++part)
      if (p % part == 0 && all.approach(part, 0.0)) return SweepTrajectory::not_settled;
    return static_cast<std::int64_t>(p);
  }
  return settles(all, tolerance) ? SweepTrajectory::not_settled : 0;
}

}  // namespace ricochet
