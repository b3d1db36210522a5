#include "scheme/kernel/mode_steps.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/scheme/moreau_jean.hpp"

namespace ricochet {

ModeSteps::ModeSteps(const Model& model, const ComplementaritySettings& solver, HeldContactsOde& flow,
                     ContactAcceleration<double>& forces, LastingContacts& lasting)
    : model_(model),
      flow_(flow),
      forces_(forces),
      lasting_(lasting),
      moreau_(find_scheme("moreau-jean").make(model, MoreauJean{}, solver)) {}

bool ModeSteps::choose(double t, const double* q, const double* v, const double* z) {
  if (lasting_.place(t, q) != FailureKind::none) return false;
  lasting_.see_speeds(v);
  lasting_.sort(v, forces_.modes());
  lasting_.close_in(forces_);
  ++own_.force_evaluations;
  if (forces_.any_closed()) ++own_.contact_problems;
  if (!forces_.solve(t, q, v, z)) return false;
  lasting_.open_unloaded(forces_);
  flow_.open_all();
  for (int j = 0; j < nc_; ++j) flow_.set_closed(j, lasting_.is_closed(j));
  flow_.modes() = forces_.modes();
  flow_.set_out(t);
  return true;
}

bool ModeSteps::hold_at(const double* outputs) const {
  for (int j = 0; j < nc_; ++j)
    if (flow_.is_closed(j) && outputs[j] < -flow_.force_noise(j)) return false;
  return std::none_of(outputs + nc_, outputs + flow_.outputs(), [](double margin) { return margin < 0.0; });
}

bool ModeSteps::hold_until(double t, const double* q, const double* v) {
  for (int k = 0; k < flow_.modes().size(); ++k)
    if (flow_.acts(k) && flow_.modes()[k].mode == FrictionMode::slide &&
        flow_.slip_along(k, v) < -flow_.modes()[k].floor)
      return false;
  model_.gap(t, q, g_.data());
  for (int j = 0; j < nc_; ++j)
    if (!flow_.is_closed(j) && !(g_[j] > 0.0)) return false;
  return true;
}

StepCounts ModeSteps::counts() const {
  StepCounts counts = own_;
  counts.force_evaluations += flow_.evaluations();
  return counts += moreau_->counts();
}

FailureKind ModeSteps::finish(double t, double* q, double* v, const double* lambda) {
  lasting_.set_modes(flow_.modes());
  continues_ = false;
  return lasting_.hold(t, q, v, lambda);
}

FailureKind ModeSteps::step_over(State& state, double h, double t_end, StepReport& report, bool is_tolerated) {
  constexpr double slow = 1e-9;  // of the speeds in the contact
  if (!continues_) moreau_->begin(state);
  continues_ = true;
  const std::size_t first = report.contacts.size();
  if (const FailureKind kind = moreau_->advance(state, h, t_end, report); kind != FailureKind::none) return kind;
  if (const FailureKind kind = lasting_.place(t_end, state.q.data()); kind != FailureKind::none) return kind;
  lasting_.see_speeds(state.v.data());
  for (int j = 0; j < nc_; ++j) lasting_.set_closed(j, false);
  for (std::size_t i = first; i < report.contacts.size(); ++i) {
    const int j = report.contacts[i].constraint;
    const double U = lasting_.contacts().rate(j, state.v.data());
    const double size = lasting_.contacts().rate_size(j, state.v.data()) + std::abs(report.contacts[i].rate_minus);
    const double change = is_tolerated ? std::abs(report.contacts[i].smooth_rate_change) : 0.0;
    lasting_.set_closed(j, std::abs(U) <= std::max(slow * size, change));
  }
  lasting_.clear_modes();
  return FailureKind::none;
}

}  // namespace ricochet
