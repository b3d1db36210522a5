// Failures of a step: their kinds and their sentences.
#pragma once

#include <optional>
#include <string>

#include "contact/delassus.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "runge_kutta/right_hand_side.hpp"

namespace ricochet {

// What the end of an engine's call means; `evaluation`: why the right-hand side refused, if it knows.
FailureKind failure_of(OdeStatus status, FailureKind evaluation);

// What the step had when it failed.
struct FailedStep {
  const double *q = nullptr, *v = nullptr, *z = nullptr, *force = nullptr, *restitution = nullptr;
  ContactProblemEnd problem = {};
  std::optional<double> t = {};
  const double *gap = nullptr, *gradient = nullptr, *bounds = nullptr;  // where they were looked at last
};

// Of a step that is not finite, though all that was looked at is.
inline constexpr const char* nothing_lost_text = "the state became too large to add up";

// Which velocity or coordinate is not finite; empty if all are.
std::string lost_state_text(const Layout& layout, const double* q, const double* v);

// Whose gap, or else the gradient of whose gap, is not finite; empty if all are.
std::string lost_gap_text(const Layout& layout, const double* gap, const double* gradient);
std::string lost_gap_text(const std::string& constraint);

std::string failure_text(const Model& model, FailureKind kind, const FailedStep& step);

}  // namespace ricochet
