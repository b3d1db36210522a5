// A computed reference that is checked by two settings agreeing.
#pragma once

#include <memory>
#include <optional>

#include "ricochet/study/norms.hpp"

namespace ricochet {

struct CheckedReference {
  std::shared_ptr<const ReferenceMotion> motion;
  // The distance of the two settings in each norm: the reference itself is nearer to the truth. NaN without a check.
  Errors agreed;
  // The two differ by less than a thousandth of the motion up to here: the end of the window, unless motion is chaotic.
  // Nothing without a check.
  std::optional<double> agreed_until = std::nullopt;
  std::shared_ptr<const ReferenceMotion> other = nullptr;  // the looser setting, for those that want to see it
};

// event-driven at rtol 1e-13, checked by 1e-11 (or 1e-12 and 1e-11, where impacts accumulate too fast for that);
// mannshardt with gauss-3, checked by twice the step. `name` is one of
// the two; throws InputError("reference") if the scheme refuses the problem or stops.
CheckedReference checked_reference(const StudyProblem& problem, std::string_view name, TimeSpan window);

}  // namespace ricochet
