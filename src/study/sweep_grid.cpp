#include "study/sweep_grid.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr double round_off = 1e-9;  // of a count: a quotient may miss a whole number

std::uint64_t at_least(double count) { return static_cast<std::uint64_t>(std::max(0.0, std::ceil(count - round_off))); }

}  // namespace

SweepGrid sweep_grid(const SweepCase& a_case, SweepRecord record) {
  const double all = a_case.transient + a_case.duration;
  SweepGrid grid;
  grid.span = {a_case.from, a_case.from + all};
  grid.steps = step_count(grid.span, a_case.step);
  if (std::isnan(a_case.period)) {
    if (record == SweepRecord::stroboscopic) throw InputError("sweep.period", "is needed for a stroboscopic section");
    grid.h = (grid.span.until - grid.span.from) / static_cast<double>(grid.steps);
    grid.transient = std::min(at_least(a_case.transient / grid.h), grid.steps - 1);
    return grid;
  }
  grid.per_period = step_count({0.0, a_case.period}, a_case.step);
  const double h = a_case.period / static_cast<double>(grid.per_period);
  if (record == SweepRecord::stroboscopic) {
    const double periods = std::floor(a_case.duration / a_case.period + round_off);
    if (!(periods >= 1.0))
      throw InputError("sweep.duration",
                       "must be at least one period, " + to_text(a_case.period) + ", got " + to_text(a_case.duration));
    grid.transient = at_least(a_case.transient / a_case.period) * grid.per_period;
    grid.steps = grid.transient + static_cast<std::uint64_t>(periods) * grid.per_period;
  } else {
    grid.transient = at_least(a_case.transient / h);
    grid.steps = grid.transient + std::max<std::uint64_t>(1, at_least(a_case.duration / h));
  }
  grid.span.until = a_case.from + static_cast<double>(grid.steps) * h;
  grid.h = (grid.span.until - grid.span.from) / static_cast<double>(grid.steps);
  return grid;
}

}  // namespace ricochet
