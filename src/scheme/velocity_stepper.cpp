#include "scheme/velocity_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

template <int Size>
class VelocityStepper final : public Stepper {
 public:
  VelocityStepper(const Model& model, const VelocityScheme& scheme, const ComplementaritySettings& solver)
      : model_(model), scheme_(scheme), kernel_(model, scheme.rule, solver) {}

  void begin(const State&) override {
    kernel_.begin();
    kick_ = scheme_.kick;
  }

  // Flattened: with everything inlined, the compiler keeps a small system in registers.
  [[gnu::flatten]] FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    if (kick_ && !kick(state, h, report)) return kernel_.failure();
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
  std::vector<std::string> notes() const override { return scheme_.notes; }

 private:
  [[gnu::noinline]] bool kick(State& state, double h, StepReport& report) {
    if (!kernel_.kick(state.t, h, state.q.data(), state.v.data(), state.z.data())) return false;
    report.energy.add(kernel_.ledger());
    if (kernel_.touched()) report_contacts(state.t, 0.0, report);
    kick_ = false;
    return true;
  }

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
  VelocityScheme scheme_;
  VelocityStep<double, Size> kernel_;
  bool kick_ = false;
};

template <int Size>
std::string VelocityStepper<Size>::failure_detail() const {
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

}  // namespace

template class VelocityStep<double>;
template class VelocityStep<Lanes>;

std::unique_ptr<Stepper> make_velocity_stepper(const Model& model, const VelocityScheme& scheme,
                                               const ComplementaritySettings& solver) {
  if (model.nz() == 0) {
    switch (model.nq()) {
      case 1: return std::make_unique<VelocityStepper<1>>(model, scheme, solver);
      case 2: return std::make_unique<VelocityStepper<2>>(model, scheme, solver);
      case 3: return std::make_unique<VelocityStepper<3>>(model, scheme, solver);
      case 4: return std::make_unique<VelocityStepper<4>>(model, scheme, solver);
      default: break;
    }
  }
  return std::make_unique<VelocityStepper<0>>(model, scheme, solver);
}

std::optional<double> largest_restitution(const Model& model) {
  if (!model.layout().structure.constant_restitution || model.nc() == 0) return std::nullopt;
  std::vector<double> e(static_cast<std::size_t>(model.nc())), origin(static_cast<std::size_t>(model.nq()), 0.0);
  model.restitution(0.0, origin.data(), e.data());
  return *std::max_element(e.begin(), e.end());
}

void refuse_states(const Model& model, std::string_view scheme) {
  if (model.nz() > 0)
    throw InputError("scheme.name", std::string(scheme) + " cannot take auxiliary states (" + model.layout().states[0] +
                                        "); moreau-jean can");
}

}  // namespace ricochet
