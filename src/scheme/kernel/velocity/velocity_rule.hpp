// What tells the schemes with the recursion of velocity_step.hpp apart; its (1) to (5).
#pragma once

#include "core/shape.hpp"

namespace ricochet {

struct VelocityRule {
  enum class Contacts {
    forecast,    // (4) where g(t₀, q₀) + γ_f h U ≤ 0
    gap_at_end,  // (4) where g(t₁, q₁) ≤ 0, for φ = 0
    position     // (5), for φ = 0 and one restitution
  };
  enum class Start {
    none,
    kick,     // a step on the spot for v alone, the force acting for start_time · h
    advanced  // v₀ + start_time · h M⁻¹(F + Hλ), λ of the contacts that are closed
  };
  double theta = 0.5;     // θ: weight of the end in the force, and where M and H are taken
  double phi = 0.5;       // φ: weight of the end in the velocity that moves q
  double forecast = 0.5;  // γ_f
  Contacts contacts = Contacts::forecast;
  double psi = 1.0;  // ψ: weight of v₁ in the velocity of the force at the end; 1 unless θ = 1
  double mu = 0.0;   // μ: lead of its position; 0 unless θ = 1
  Start start = Start::none;
  double start_time = 1.0;
  // How far a contact at rest may be off its obstacle and stay closed, of what the forces of a step move it by: on
  // obstacles that turn or move a step drifts by O(h³).
  double hold = 0.0;

  bool forecasts() const { return contacts == Contacts::forecast && mu == 0.0; }
};

// A step over a shape that is constant knows that its rule forecasts, unless it may be any.
template <class Shape>
struct OfAnyRule : Shape {};
template <class Shape>
inline constexpr bool knows_rule = Shape::is_constant;
template <class Shape>
inline constexpr bool knows_rule<OfAnyRule<Shape>> = false;

}  // namespace ricochet
