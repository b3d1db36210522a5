// Nonsmooth Newmark scheme; see docs/schemes/newmark.md.
#pragma once

#include <optional>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Newmark {
  // (γ, β): (½, ¼), (½, 1/6), (½, 1/12), (½, 0); damped: β = ¼(γ + ½)²; custom: both are given. Without a choice:
  // damped if γ is given, custom if β is, otherwise average acceleration.
  enum class Choice { average_acceleration, linear_acceleration, fox_goodwin, central_difference, damped, custom };
  std::optional<Choice> choice = std::nullopt;
  std::optional<double> gamma = std::nullopt;  // γ in [½, 1], ½ unless given
  std::optional<double> beta = std::nullopt;   // β in [0, 1], ¼ unless given
  double forecast = 0.5;                       // a contact is active where g + forecast h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
