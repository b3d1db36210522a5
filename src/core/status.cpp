#include "ricochet/core/status.hpp"

#include <cstddef>
#include <iterator>

namespace ricochet {

// Both in the order of the enumeration.
std::string_view name(Status status) {
  constexpr std::string_view names[] = {"completed", "interrupted", "failed"};
  return names[static_cast<int>(status)];
}

std::string_view name(FailureKind kind) {
  constexpr std::string_view names[] = {"none",
                                        "not-finite",
                                        "mass-not-positive-definite",
                                        "singular-iteration-matrix",
                                        "newton-not-converged",
                                        "complementarity-not-solved",
                                        "restitution-out-of-range",
                                        "drift-not-projected",
                                        "friction-out-of-range",
                                        "joint-not-held",
                                        "step-too-small",
                                        "interrupted",
                                        "events-do-not-end"};
  static_assert(std::size(names) == static_cast<std::size_t>(FailureKind::events_do_not_end) + 1);
  return names[static_cast<int>(kind)];
}

}  // namespace ricochet
