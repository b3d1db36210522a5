// Helpers for catalogue entries: typed parameters out of a Scheme.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// γ of the forecast, for the schemes that have one.
inline ParameterSpec forecast_parameter() {
  return {.name = "forecast",
          .symbol = "γ",
          .meaning = "a contact is active where g + γ h U ≤ 0 at the begin of the step",
          .fallback = 0.5,
          .lower = 0.0};
}

// θ of moreau-jean and of the schemes that take its steps.
inline ParameterSpec theta_parameter(double fallback) {
  return {.name = "theta",
          .symbol = "θ",
          .meaning = "weight of the end of the step in x_θ = (1−θ) x₀ + θ x₁",
          .fallback = fallback,
          .lower = 0.0,
          .upper = 1.0};
}

// Tolerances of the schemes that may choose their steps.
inline ParameterSpec adaptive_rtol_parameter(double fallback) {
  return {.name = "rtol",
          .symbol = "rtol",
          .meaning = "relative error allowed in an adaptive step, componentwise",
          .fallback = fallback,
          .lower = 0.0};
}
inline ParameterSpec adaptive_atol_parameter(double fallback) {
  return {.name = "atol",
          .symbol = "atol",
          .meaning = "absolute error allowed in an adaptive step, positive",
          .fallback = fallback,
          .lower = 0.0};
}

// Tolerances of the schemes that control their error.
inline ParameterSpec rtol_parameter(double fallback) {
  return {.name = "rtol",
          .symbol = "rtol",
          .meaning = "error allowed in a step, relative to the size of a component",
          .fallback = fallback,
          .lower = 1e-14,
          .upper = 0.1};
}
inline ParameterSpec atol_parameter(double fallback) {
  return {.name = "atol",
          .symbol = "atol",
          .meaning = "error allowed in a step, absolute",
          .fallback = fallback,
          .lower = 1e-300};
}

inline double number(const Scheme& scheme, std::string_view name) { return std::get<double>(parameter(scheme, name)); }
inline std::string word(const Scheme& scheme, std::string_view name) {
  return std::get<std::string>(parameter(scheme, name));
}

SchemeEntry moreau_entry();
SchemeEntry moreau_inelastic_entry();
SchemeEntry mabrouk_entry();
SchemeEntry moreau_jean_entry();
SchemeEntry moreau_jean_dissipative_entry();
SchemeEntry feasible_position_entry();
SchemeEntry paoli_schatzman_entry();
SchemeEntry newmark_entry();
SchemeEntry hht_entry();
SchemeEntry generalized_alpha_entry();
SchemeEntry moreau_jean_adaptive_entry();
SchemeEntry extrapolated_moreau_entry();
SchemeEntry d1_minus_entry();
SchemeEntry splitting_entry();
SchemeEntry penalty_entry();
SchemeEntry event_driven_entry();
SchemeEntry mannshardt_entry();

}  // namespace ricochet
