#include "ricochet/scheme/newmark.hpp"

#include <array>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/alpha_step.hpp"
#include "scheme/kernel_stepper.hpp"
#include "scheme/parameters.hpp"
#include "scheme/velocity_stepper.hpp"

namespace ricochet {
namespace {

std::unique_ptr<Stepper> make_alpha_stepper(const Model& model, const AlphaRule& rule,
                                            const ComplementaritySettings& solver,
                                            std::vector<std::string> notes = {}) {
  switch (model.nq()) {
    case 1: return std::make_unique<KernelStepper<AlphaStep<1>>>(model, std::move(notes), rule, solver);
    case 2: return std::make_unique<KernelStepper<AlphaStep<2>>>(model, std::move(notes), rule, solver);
    default: return std::make_unique<KernelStepper<AlphaStep<>>>(model, std::move(notes), rule, solver);
  }
}

struct Choice {
  std::string_view name;
  double gamma, beta;
};
constexpr std::array<Choice, 4> choices = {{{"average-acceleration", 0.5, 0.25},
                                            {"linear-acceleration", 0.5, 1.0 / 6.0},
                                            {"fox-goodwin", 0.5, 1.0 / 12.0},
                                            {"central-difference", 0.5, 0.0}}};

bool is_given(const Scheme& scheme, std::string_view name) {
  for (const auto& value : scheme.values)
    if (value.first == name) return true;
  return false;
}

// A number that the choice does not use must not contradict it.
void check_unused(const Scheme& scheme, const std::string& choice, std::string_view name, double used) {
  if (is_given(scheme, name) && std::abs(number(scheme, name) - used) > 1e-12)
    throw InputError("scheme." + std::string(name), "is " + to_text(used) + " for choice = \"" + choice + "\", got " +
                                                        to_text(number(scheme, name)) +
                                                        "; choice = \"custom\" takes any");
}

AlphaRule newmark_rule(const Scheme& scheme) {
  AlphaRule rule{.forecast = number(scheme, "forecast"), .has_energy = true};
  // Numbers without a choice speak for themselves.
  std::string choice = word(scheme, "choice");
  if (!is_given(scheme, "choice") && is_given(scheme, "gamma")) choice = is_given(scheme, "beta") ? "custom" : "damped";
  if (!is_given(scheme, "choice") && is_given(scheme, "beta")) choice = "custom";
  rule.gamma = number(scheme, "gamma"), rule.beta = number(scheme, "beta");
  if (choice == "custom") return rule;
  if (choice == "damped") {
    rule.beta = 0.25 * (rule.gamma + 0.5) * (rule.gamma + 0.5);
    check_unused(scheme, choice, "beta", rule.beta);
    return rule;
  }
  for (const Choice& named : choices)
    if (choice == named.name) rule.gamma = named.gamma, rule.beta = named.beta;
  check_unused(scheme, choice, "gamma", rule.gamma);
  check_unused(scheme, choice, "beta", rule.beta);
  return rule;
}

// Unconditional stability: 2β ≥ γ ≥ ½; otherwise (hω)² ≤ 1/(γ/2 − β) without damping.
std::vector<std::string> newmark_notes(const AlphaRule& rule) {
  if (2.0 * rule.beta >= rule.gamma - 1e-15) return {};
  return {"gamma = " + to_text(rule.gamma) + ", beta = " + to_text(rule.beta) + " is stable for h ω < " +
          to_text(std::round(1e6 / std::sqrt(0.5 * rule.gamma - rule.beta)) / 1e6) +
          " only, ω being the largest frequency of the system; 2 beta ≥ gamma has no such limit"};
}

std::unique_ptr<Stepper> make_newmark(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  refuse_states(model, "newmark");
  const AlphaRule rule = newmark_rule(scheme);
  return make_alpha_stepper(model, rule, solver, newmark_notes(rule));
}

std::unique_ptr<Stepper> make_hht(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  refuse_states(model, "hht");
  const double alpha = number(scheme, "alpha");
  return make_alpha_stepper(model,
                            {.alpha_f = alpha,
                             .gamma = 0.5 + alpha,
                             .beta = 0.25 * (1.0 + alpha) * (1.0 + alpha),
                             .forecast = number(scheme, "forecast"),
                             .has_energy = true},
                            solver);
}

std::unique_ptr<Stepper> make_generalized_alpha(const Model& model, const Scheme& scheme,
                                                const ComplementaritySettings& solver) {
  refuse_states(model, "generalized-alpha");
  const double rho = number(scheme, "rho_infinity");
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return make_alpha_stepper(model,
                            {.alpha_m = alpha_m,
                             .alpha_f = alpha_f,
                             .gamma = gamma,
                             .beta = 0.25 * (gamma + 0.5) * (gamma + 0.5),
                             .forecast = number(scheme, "forecast")},
                            solver);
}

constexpr std::string_view order = "2 in free flight, 1 across impacts (position in the sup norm, velocity in L1)";
constexpr std::string_view nonsmooth_reference =
    "; Q. Z. Chen, V. Acary, G. Virlez, O. Brüls, A nonsmooth generalized-α scheme for flexible multibody systems with "
    "unilateral constraints, Int. J. Numer. Meth. Engng 96 (2013) 487, doi:10.1002/nme.4563; V. Acary, Energy "
    "conservation and dissipation properties of time-integration methods for nonsmooth elastodynamics with contact, "
    "ZAMM 96 (2016) 585, doi:10.1002/zamm.201400231";

}  // namespace

Newmark::operator Scheme() const {
  Scheme scheme{"newmark", {{"choice", choice}, {"forecast", forecast}}};
  if (choice == "damped" || choice == "custom") scheme.values.emplace_back("gamma", gamma);
  if (choice == "custom") scheme.values.emplace_back("beta", beta);
  return scheme;
}
Hht::operator Scheme() const { return {"hht", {{"alpha", alpha}, {"forecast", forecast}}}; }
GeneralizedAlpha::operator Scheme() const {
  return {"generalized-alpha", {{"rho_infinity", rho_infinity}, {"forecast", forecast}}};
}

SchemeEntry newmark_entry() {
  const Newmark defaults;
  static const std::string reference =
      "N. M. Newmark, A method of computation for structural dynamics, J. Eng. Mech. Div. ASCE 85 (1959) 67, "
      "doi:10.1061/JMCEA3.0000098" +
      std::string(nonsmooth_reference);
  return {
      .name = "newmark",
      .summary = "nonsmooth Newmark: β and γ for the smooth motion, impacts as a jump of the velocity beside it",
      .explanation =
          "Accelerations carry the smooth forces only; impacts and contact forces enter as a jump w of the velocity, "
          "M w = H Λ, which moves the position by ½ h w. For structures: one factorisation, one solve a step. "
          "average-acceleration keeps the energy of free linear motion and is stable for every step; damped removes "
          "fast vibrations at the price of order 1; linear-acceleration, fox-goodwin and central-difference are stable "
          "for h ω < 2√3, √6, 2 only. On a body without stiffness it is moreau-jean with θ = ½. Beyond the fastest "
          "frequencies that the step resolves the contact problem becomes soft.",
      .order = "2 in free flight for γ = ½, otherwise 1; 1 across impacts (position in the sup norm, velocity in L1)",
      .reference = reference,
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters = {{.name = "choice",
                      .symbol = "(γ, β)",
                      .meaning = "(½, ¼), (½, 1/6), (½, 1/12), (½, 0); damped: β = ¼(γ + ½)² from gamma; custom: both",
                      .fallback = defaults.choice,
                      .words = {"average-acceleration", "linear-acceleration", "fox-goodwin", "central-difference",
                                "damped", "custom"}},
                     {.name = "gamma",
                      .symbol = "γ",
                      .meaning = "weight of the end of the step in the velocity, for damped and custom",
                      .fallback = defaults.gamma,
                      .lower = 0.5,
                      .upper = 1.0},
                     {.name = "beta",
                      .symbol = "β",
                      .meaning = "half the weight of the end of the step in the position, for custom",
                      .fallback = defaults.beta,
                      .lower = 0.0,
                      .upper = 1.0},
                     forecast_parameter()},
      .make = &make_newmark,
  };
}

SchemeEntry hht_entry() {
  const Hht defaults;
  static const std::string reference =
      "H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Improved numerical dissipation for time integration algorithms in "
      "structural dynamics, Earthq. Eng. Struct. Dyn. 5 (1977) 283, doi:10.1002/eqe.4290050306" +
      std::string(nonsmooth_reference);
  return {
      .name = "hht",
      .summary = "nonsmooth Hilber-Hughes-Taylor: Newmark with the force taken α h before the end of the step",
      .explanation =
          "M a₁ = (1−α) F₁ + α F₀ with γ = ½ + α, β = ¼(1 + α)², and the velocity jump of the nonsmooth Newmark "
          "scheme. "
          "Fast vibrations are damped, slow ones kept, and the order in flight stays 2. α ≥ 0 here; many texts write "
          "−α. α = 0 is newmark.",
      .order = order,
      .reference = reference,
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters = {{.name = "alpha",
                      .symbol = "α",
                      .meaning = "how far before the end of the step the force is taken, in steps",
                      .fallback = defaults.alpha,
                      .lower = 0.0,
                      .upper = 1.0 / 3.0},
                     forecast_parameter()},
      .make = &make_hht,
  };
}

SchemeEntry generalized_alpha_entry() {
  const GeneralizedAlpha defaults;
  static const std::string reference =
      "J. Chung, G. M. Hulbert, A time integration algorithm for structural dynamics with improved numerical "
      "dissipation: the generalized-α method, J. Appl. Mech. 60 (1993) 371, doi:10.1115/1.2900803" +
      std::string(nonsmooth_reference);
  return {
      .name = "generalized-alpha",
      .summary = "nonsmooth generalized-α: damping of fast vibrations chosen by the spectral radius ρ∞",
      .explanation =
          "Inertia taken α_m h and force α_f h before the end of the step, α_m = (2ρ∞−1)/(ρ∞+1), α_f = ρ∞/(ρ∞+1), γ = "
          "½ + "
          "α_f − α_m, β = ¼(γ + ½)², with the velocity jump of the nonsmooth Newmark scheme. Of all schemes of order 2 "
          "with the same damping of fast vibrations it damps slow ones least: ρ∞ = 1 keeps all energy, 0 removes what "
          "the step does not resolve at once.",
      .order = order,
      .reference = reference,
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters = {{.name = "rho_infinity",
                      .symbol = "ρ∞",
                      .meaning = "spectral radius for infinitely fast vibrations: 1 keeps them, 0 removes them",
                      .fallback = defaults.rho_infinity,
                      .lower = 0.0,
                      .upper = 1.0},
                     forecast_parameter()},
      .make = &make_generalized_alpha,
  };
}

}  // namespace ricochet
