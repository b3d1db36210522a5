// The schemes by their parameters, each a small struct that stands wherever a Scheme is asked for, in the order of the
// catalogue. What they do: docs/schemes/, one page each.
#pragma once

#include <optional>
#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// Moreau's velocity scheme.
struct Moreau {
  operator Scheme() const { return {"moreau"}; }  // NOLINT
};

// Moreau's scheme for inelastic impacts.
struct MoreauInelastic {
  operator Scheme() const { return {"moreau-inelastic"}; }  // NOLINT
};

// Moreau's scheme after a velocity step on the spot.
struct Mabrouk {
  operator Scheme() const { return {"mabrouk"}; }  // NOLINT
};

// Paoli's position scheme, inelastic.
struct FeasiblePosition {
  enum class Start { acceleration, plain };
  Start start = Start::acceleration;  // plain: q₁ = q₀ + h v₀
  operator Scheme() const;            // NOLINT
};

// The position scheme of Paoli and Schatzman.
struct PaoliSchatzman {
  enum class Start { acceleration, plain };
  enum class Force { central, mabrouk, newmark };
  Start start = Start::acceleration;  // plain: q₁ = q₀ + h v₀
  Force force = Force::central;
  operator Scheme() const;  // NOLINT
};

// Moreau-Jean θ scheme with forecast γ_f.
struct MoreauJean {
  double theta = 0.5;       // θ in [0, 1]: weight of the end of the step
  double forecast = 0.5;    // γ_f ≥ 0: a contact is active where g + γ_f h U ≤ 0
  operator Scheme() const;  // NOLINT
};

// Moreau-Jean with positions that move with v_½.
struct MoreauJeanDissipative {
  double theta = 0.6;       // θ in [½, 1]: weight of the end of the step in the force
  double forecast = 0.5;    // γ_f ≥ 0: a contact is active where g + γ_f h U ≤ 0
  operator Scheme() const;  // NOLINT
};

// Nonsmooth Newmark scheme.
struct Newmark {
  // (γ, β): (½, ¼), (½, 1/6), (½, 1/12), (½, 0); damped: β = ¼(γ + ½)²; custom: both are given. Without a choice:
  // damped if γ is given, custom if β is, otherwise average acceleration.
  enum class Choice { average_acceleration, linear_acceleration, fox_goodwin, central_difference, damped, custom };
  std::optional<Choice> choice = std::nullopt;
  std::optional<double> gamma = std::nullopt;  // γ in [½, 1], ½ unless given
  std::optional<double> beta = std::nullopt;   // β in [0, 1], ¼ unless given
  double forecast = 0.5;                       // a contact is active where g + forecast h U ≤ 0
  operator Scheme() const;                     // NOLINT
};

// Nonsmooth Hilber-Hughes-Taylor scheme.
struct Hht {
  double alpha = 0.1;       // α in [0, 1/3]: γ = ½ + α, β = ¼(1 + α)²; the force is that of t₁ − α h
  double forecast = 0.5;    // a contact is active where g + forecast h U ≤ 0
  operator Scheme() const;  // NOLINT
};

// Nonsmooth generalized-α scheme.
struct GeneralizedAlpha {
  double rho_infinity = 0.8;  // ρ∞ in [0, 1]: spectral radius for fast vibrations
  double forecast = 0.5;      // a contact is active where g + forecast h U ≤ 0
  operator Scheme() const;    // NOLINT
};

// Nonsmooth generalized-α scheme with contacts and joints at position and velocity level.
struct Nsga {
  double rho_infinity = 0.8;  // ρ∞ in [0, 1]: spectral radius for fast vibrations
  operator Scheme() const;    // NOLINT
};

// Moreau-Jean with steps that follow a tolerance.
struct MoreauJeanAdaptive {
  enum class Estimate { variable, order_0, order_1, order_2 };
  double theta = 0.5;                                        // θ in [0, 1]: weight of the end of the step
  double forecast = 0.5;                                     // γ_f ≥ 0: a contact is active where g + γ_f h U ≤ 0
  double rtol = 1e-8;                                        // relative error allowed in a step, and
  std::optional<double> atol = std::nullopt;                 // absolute; by default rtol/100 of what there has been
  Estimate estimate = Estimate::variable;                    // p: order taken for the estimate
  bool violation = true;                                     // false does not converge
  std::optional<double> violation_tolerance = std::nullopt;  // of a step; by default what rtol and atol mean for g
  std::optional<double> largest_step = std::nullopt;         // by default the recording interval
  std::optional<double> smallest_step = std::nullopt;        // the run ends there; 1e-13 of the recording interval
  double safety = 0.9;                                       // α in (0, 1]
  double smallest_factor = 0.2;                              // α_min in (0, 1)
  double largest_factor = 5.0;                               // α_max > 1
  operator Scheme() const;                                   // NOLINT
};

// Moreau's midpoint scheme, extrapolated where nothing touches.
struct ExtrapolatedMoreau {
  int columns = 3;          // 1 to 6: order 2 · columns in free flight
  operator Scheme() const;  // NOLINT
};

// The half-explicit time-discontinuous Galerkin scheme D1-minus.
struct D1Minus {
  operator Scheme() const { return {"d1-minus"}; }  // NOLINT
};

// Splitting: smooth motion over a step, then the impacts at its end.
struct Splitting {
  enum class Steps { fixed, adaptive };
  bool contact_forces = true;                 // without them a body at rest sinks
  std::string tableau = "rkf45";              // an explicit table
  Steps steps = Steps::fixed;                 // adaptive: they follow rtol and atol in flight and at impacts
  double rtol = 1e-8;                         // for adaptive steps
  std::optional<double> atol = std::nullopt;  // by default rtol/100 of the sizes that there have been
  operator Scheme() const;                    // NOLINT
};

// Event-driven integration with index sets.
struct EventDriven {
  enum class Flow { automatic, exact, runge_kutta };
  Flow flow = Flow::automatic;                         // exact: in closed form, where the model has one
  std::string tableau = "automatic";                   // of the smooth motion; dop853 where rtol < 1e-7
  double rtol = 1e-8;                                  // of the smooth motion
  std::optional<double> atol = std::nullopt;           // by default rtol/100 of the sizes that there have been
  double closing = 1e-8;                               // a flight shorter than this share of the longest one closes
  std::optional<double> gap_tolerance = std::nullopt;  // ε_g: gaps below it are closed; by default rtol of the motion
  double rate_tolerance = 1e-10;                       // ε_U: rates below this share of the contact's fastest are 0
  operator Scheme() const;                             // NOLINT
};

// Runge-Kutta of any order between events, one Moreau step across each.
struct Mannshardt {
  std::string tableau = "gauss-2";  // a name from tableaus()
  double bracket = 0.0;             // C ≥ 0: events are located to C h^{p+1}, as well as numbers allow with 0
  bool repeat = true;               // false: one event a step
  operator Scheme() const;          // NOLINT
};

// Compliant contacts: a spring and a damper that give the restitution.
struct Penalty {
  enum class Steps { adaptive, fixed };
  enum class Flow { automatic, exact, runge_kutta };
  std::optional<double> stiffness = std::nullopt;    // k of every contact; by default from the penetration
  std::optional<double> penetration = std::nullopt;  // depth of impacts; by default contacts last a tenth of the step
  Steps steps = Steps::adaptive;                     // fixed: one Runge-Kutta step a step
  std::optional<double> slip_speed = std::nullopt;   // v_s; by default a thousandth of the slips at the start
  std::string tableau = "dormand-prince";            // of the motion, or dop853
  double rtol = 1e-8;                                // for adaptive steps
  std::optional<double> atol = std::nullopt;         // by default rtol/100 of the sizes that there have been
  Flow flow = Flow::automatic;                       // exact: in closed form where the model is linear
  operator Scheme() const;                           // NOLINT
};

// ζ in [0, 1] of the damper κ = 2ζ√(k m) that gives the restitution e in [0, 1]: ζ = −ln e/√(π² + ln² e), 1 for e = 0.
double damping_ratio(double restitution);
// And back: e = exp(−πζ/√(1 − ζ²)), 0 from ζ = 1 on.
double restitution_of_ratio(double zeta);
// e of the force k δⁿ (1 + α δ') for an impact with the rate v, a = α v: a − ln(1 + a) = −e a − ln(1 − e a). And back.
double restitution_of_hysteresis(double a);
double hysteresis_of_restitution(double restitution);

}  // namespace ricochet
