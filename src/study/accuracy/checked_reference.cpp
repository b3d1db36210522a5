#include "ricochet/study/checked_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "ricochet/scheme/event_driven.hpp"
#include "ricochet/scheme/mannshardt.hpp"

namespace ricochet {
namespace {

constexpr double same_motion = 1e-3;           // of its size
constexpr double compared_intervals = 1000.0;  // of the window, at which the two settings are compared
constexpr std::size_t agreement_nodes = 4000;

std::shared_ptr<const ComputedMotion> computed(const StudyProblem& problem, const Scheme& scheme, double h,
                                               const std::string& description) {
  try {
    return std::make_shared<const ComputedMotion>(problem, scheme, h, description);
  } catch (const InputError& error) {
    if (error.field().rfind("scheme", 0) != 0) throw;
    throw InputError("reference", scheme.name + " cannot be the reference here: " + error.message());
  }
}

// Both settings, compared: the looser one at its own nodes, measured by the tighter one.
CheckedReference compared(const StudyProblem& problem, TimeSpan window, double interval,
                          std::shared_ptr<const ComputedMotion> motion, std::shared_ptr<const ComputedMotion> other) {
  CheckedReference reference;
  const Errors size = size_of(*problem.model, *motion, window);
  reference.agreed_until = agreement(*motion, *other, window, same_motion * size[Norm::q_sup], agreement_nodes);
  reference.agreed =
      measure(*problem.model, other->solution().trajectory, window, measuring_stick(*motion, window, interval));
  reference.motion = std::move(motion);
  reference.other = std::move(other);
  return reference;
}

CheckedReference event_driven(const StudyProblem& problem, TimeSpan window, double interval, double rtol) {
  // Where the reference has exact flights, the steps of the check know nothing of them.
  const auto with = [&](double tolerance) {
    using Flow = EventDriven::Flow;
    const Flow flow = tolerance == rtol ? Flow::automatic : Flow::runge_kutta;
    return computed(problem, EventDriven{.flow = flow, .rtol = tolerance}, interval,
                    fmt::format("event-driven at rtol {:.0e}{}", tolerance,
                                tolerance == rtol ? fmt::format(", checked by {:.0e}", 100.0 * rtol) : ""));
  };
  return compared(problem, window, interval, with(rtol), with(100.0 * rtol));
}

}  // namespace

CheckedReference checked_reference(const StudyProblem& problem, std::string_view name, TimeSpan window) {
  StudyProblem part = problem;
  part.span.until = window.until;
  const double interval = (part.span.until - part.span.from) / compared_intervals;
  if (name == "mannshardt") {
    const double h = std::min(2.0 * problem.h, interval);
    const Mannshardt gauss{.tableau = "gauss-3"};
    return compared(part, window, interval,
                    computed(part, gauss, h, "mannshardt with gauss-3, checked by twice the step"),
                    computed(part, gauss, 2.0 * h, "mannshardt with gauss-3 at twice the step"));
  }
  if (name != "event-driven")
    throw InputError("reference", "\"" + std::string(name) + "\" is no reference scheme: event-driven or mannshardt");
  // Where impacts accumulate on a moving obstacle, the tightest tolerances may be below what numbers can tell apart.
  for (const double rtol : {1e-13, 1e-12}) try {
      return event_driven(part, window, interval, rtol);
    } catch (const InputError& error) {
      if (error.field() != "reference") throw;
    }
  return event_driven(part, window, interval, 1e-11);
}

}  // namespace ricochet
