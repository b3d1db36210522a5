#include "ricochet/scheme/moreau_jean.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/quantity.hpp"
#include "scheme/moreau_jean_step.hpp"
#include "scheme/parameters.hpp"

namespace ricochet {
namespace {

template <int Size>
class MoreauJeanStepper final : public Stepper {
 public:
  MoreauJeanStepper(const Model& model, const MoreauJean& parameters, const ComplementaritySettings& solver)
      : model_(model), parameters_(parameters), kernel_(model, parameters, solver) {}

  void begin(const State&) override { kernel_.begin(); }

  // Flattened: with everything inlined, the compiler keeps a small system in registers.
  [[gnu::flatten]] FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    if (!kernel_.step(state.t, h, t_end, state.q.data(), state.v.data(), state.z.data())) return kernel_.failure();
    report.energy.add(kernel_.ledger());
    for (int j = 0; j < model_.nc(); ++j) report.violation = std::max(report.violation, -kernel_.gap()[j]);
    if (kernel_.touched()) report_contacts(state.t, h, report);
    state.t = t_end;
    return FailureKind::none;
  }

  StepCounts counts() const override { return kernel_.counts(); }
  std::string failure_detail() const override;
  bool ledger_is_exact() const override { return kernel_.ledger_is_exact(); }
  std::vector<std::string> notes() const override;

 private:
  void report_contacts(double t0, double h, StepReport& report) const {
    for (int j = 0; j < model_.nc(); ++j) {
      if (!kernel_.active()[j] || !(kernel_.impulse()[j] > 0.0)) continue;
      const double g = kernel_.gap()[j], U = kernel_.forecast_rate()[j];
      const double flight = U < 0.0 ? std::clamp(-g / U, 0.0, h) : 0.0;
      report.contacts.push_back({j, t0 + flight, kernel_.rate_minus()[j], kernel_.rate_plus()[j], kernel_.impulse()[j],
                                 kernel_.rate_free()[j] - kernel_.rate_minus()[j]});
    }
  }

  const Model& model_;
  MoreauJean parameters_;
  MoreauJeanStep<double, Size> kernel_;
};

template <int Size>
std::string MoreauJeanStepper<Size>::failure_detail() const {
  const Layout& layout = model_.layout();
  const auto not_finite = [](const std::vector<std::string>& names, const double* x, std::string_view suffix) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!std::isfinite(x[i])) return names[i] + std::string(suffix) + " became " + to_text(x[i]);
    return std::string();
  };
  switch (kernel_.failure()) {
    case FailureKind::not_finite: {
      std::string what = not_finite(layout.coordinates, kernel_.trial_v(), "_dot");
      if (what.empty()) what = not_finite(layout.coordinates, kernel_.trial_q(), "");
      if (what.empty()) what = not_finite(layout.states, kernel_.trial_z(), "");
      if (what.empty()) what = not_finite(layout.coordinates, kernel_.trial_force(), ": its force");
      return what.empty() ? "the state became too large to add up" : what;
    }
    case FailureKind::mass_not_positive_definite: return "the mass matrix is not positive definite any more";
    case FailureKind::singular_iteration_matrix:
      return "the iteration matrix M + hθC + h²θ²K cannot be factorised; a smaller step would help";
    case FailureKind::newton_not_converged:
      return "the nonlinear equations of the step were not solved in 50 iterations; a smaller step would help";
    case FailureKind::complementarity_not_solved: {
      const ComplementarityResult& result = kernel_.contacts().last_result();
      return "the contact problem of " + std::to_string(std::max(1, kernel_.contacts().last_size())) +
             " contacts was not solved: " + std::string(name(result.status)) + ", residual " +
             to_text(result.residual) + " after " + std::to_string(result.iterations) +
             " iterations (is the gradient of a gap zero?)";
    }
    case FailureKind::restitution_out_of_range:
      for (int j = 0; j < model_.nc(); ++j) {
        const double e = kernel_.restitution()[j];
        if (!(e >= 0.0 && e <= 1.0))
          return "the restitution of " + layout.constraints[j] + " must be in [0, 1], its formula gave " + to_text(e);
      }
      return "a restitution left [0, 1]";
    case FailureKind::none: break;
  }
  return {};
}

template <int Size>
std::vector<std::string> MoreauJeanStepper<Size>::notes() const {
  std::vector<std::string> notes;
  const double theta = parameters_.theta;
  if (theta < 0.5)
    notes.push_back("theta = " + to_text(theta) +
                    " is below 1/2: undamped vibrations grow at every step size; 1/2 keeps them, more damps them");
  if (!model_.layout().structure.constant_restitution || model_.nc() == 0) return notes;
  std::vector<double> e(static_cast<std::size_t>(model_.nc())), origin(static_cast<std::size_t>(model_.nq()), 0.0);
  model_.restitution(0.0, origin.data(), e.data());
  const double largest = *std::max_element(e.begin(), e.end());
  if (theta > 1.0 / (1.0 + largest))
    notes.push_back("theta = " + to_text(theta) + " is above 1/(1 + e) = " + to_text(1.0 / (1.0 + largest)) +
                    ": the scheme is then not sure to lose energy in every contact step");
  return notes;
}

std::unique_ptr<Stepper> make(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  const MoreauJean parameters{.theta = number(scheme, "theta"), .forecast = number(scheme, "forecast")};
  if (model.nz() == 0) {
    switch (model.nq()) {
      case 1: return std::make_unique<MoreauJeanStepper<1>>(model, parameters, solver);
      case 2: return std::make_unique<MoreauJeanStepper<2>>(model, parameters, solver);
      case 3: return std::make_unique<MoreauJeanStepper<3>>(model, parameters, solver);
      case 4: return std::make_unique<MoreauJeanStepper<4>>(model, parameters, solver);
      default: break;
    }
  }
  return std::make_unique<MoreauJeanStepper<0>>(model, parameters, solver);
}

}  // namespace

template class MoreauJeanStep<double>;
template class MoreauJeanStep<Lanes>;

MoreauJean::operator Scheme() const { return {"moreau-jean", {{"theta", theta}, {"forecast", forecast}}}; }

SchemeEntry moreau_jean_entry() {
  const MoreauJean defaults;
  return {
      .name = "moreau-jean",
      .summary = "Moreau-Jean θ scheme: velocity level, impacts and contact forces in one impulse per step",
      .explanation =
          "The work-horse of nonsmooth mechanics. Each step solves M Δv = h F_θ + H P with a contact impulse P on "
          "the contacts that are forecast to close, and Newton's impact law on their gap rates. Accumulating impacts "
          "cost nothing extra and a body at rest stays at rest, with a constant penetration of size O(h²). With "
          "theta = 1/2 free motion is of second order and keeps the energy of linear systems; theta > 1/2 damps fast "
          "vibrations. Impacts are placed at the grid, so the order across impacts is one.",
      .order =
          "2 in free flight with theta = 1/2, otherwise 1; 1 across impacts (position in the sup norm, velocity "
          "in L1)",
      .reference =
          "M. Jean, The non-smooth contact dynamics method, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235, "
          "doi:10.1016/S0045-7825(98)00383-1; V. Acary, Numerical methods for nonsmooth mechanical systems, "
          "lecture, 2018, (41)",
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters =
          {
              {.name = "theta",
               .symbol = "θ",
               .meaning = "weight of the end of the step in x_θ = (1−θ) x₀ + θ x₁",
               .fallback = defaults.theta,
               .lower = 0.0,
               .upper = 1.0},
              {.name = "forecast",
               .symbol = "γ",
               .meaning = "a contact is active where g + γ h U ≤ 0 at the begin of the step",
               .fallback = defaults.forecast,
               .lower = 0.0},
          },
      .make = &make,
  };
}

}  // namespace ricochet
