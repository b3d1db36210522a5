// Sentences on failures of a step.
#pragma once

#include <string>

#include "contact/delassus.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// What the step had when it failed.
struct FailedStep {
  const double *q = nullptr, *v = nullptr, *z = nullptr, *force = nullptr, *restitution = nullptr;
  const Delassus<double>* problem = nullptr;
};

std::string failure_text(const Model& model, FailureKind kind, const FailedStep& step);

}  // namespace ricochet
