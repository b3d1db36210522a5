#include "scheme/kernel/held_contacts_step.hpp"

#include <algorithm>
#include <string>

#include "ricochet/core/error.hpp"
#include "scheme/kernel/failure_text.hpp"

namespace ricochet {
namespace {

// A dense matrix for the equations of all stages knows every derivative, and costs the cube of its rows: large models
// get sparse ones, from few coordinates on where these know as much.
bool has_sparse_stages(const Model& model, const Tableau& tableau) {
  constexpr int most_rows = 3000, few = 32;
  const Layout& layout = model.layout();
  const bool many = 2 * model.nq() + model.nz() > most_rows / tableau.stages;
  if (many && model.nz() > 0)
    throw InputError("scheme.tableau", std::string(tableau.name) +
                                           " is implicit, and with auxiliary states solves the " + "equations of its " +
                                           std::to_string(tableau.stages) + " stages with a dense matrix: at most " +
                                           std::to_string(most_rows / 2 / tableau.stages) +
                                           " coordinates, the model has " + std::to_string(model.nq()) +
                                           "; an explicit table or another scheme takes more");
  return many || (model.nq() > few && model.nz() == 0 && layout.structure.linear_force &&
                  layout.structure.constant_mass && layout.linear_rows());
}

}  // namespace

bool HeldContactsStep::Motion::operator()(double t, const double* y, double* dy_dt, double* outputs) {
  flow.carry_impulses(true);
  if (!flow(t, y, dy.data(), outputs)) return false;
  std::copy(dy.begin(), dy.begin() + n, dy_dt);
  std::copy(flow.acceleration_magnitude(), flow.acceleration_magnitude() + nq, size.begin() + nq);
  double* works = outputs + flow.outputs();
  works[0] = flow.input(dy.data());
  works[1] = flow.damping(dy.data());
  if (slips == 0) return true;
  works[2] = flow.friction(dy.data());
  std::copy(flow.slip_multipliers(), flow.slip_multipliers() + slips, works + 3);
  return true;
}

HeldContactsStep::HeldContactsStep(const Model& model, const Tableau& tableau)
    : tableau_(tableau), nq_(model.nq()), nc_(model.nc()), flow_(model), slips_(model.ns()) {
  if (tableau.is_explicit) {
    explicit_.emplace(tableau, n_, outputs_);
    return;
  }
  if (has_sparse_stages(model, tableau)) sparse_.emplace(model, tableau, flow_);
  implicit_.emplace(tableau, n_, outputs_, nq_, sparse_ ? &*sparse_ : nullptr);
}

FailureKind HeldContactsStep::told(OdeStatus status) const { return failure_of(status, flow_.failure()); }

FailureKind HeldContactsStep::told(bool evaluated) const {
  return told(evaluated ? OdeStatus::done : OdeStatus::evaluation_failed);
}

FailureKind HeldContactsStep::begin(double t, const double* y, bool continued) {
  t0_ = t;
  flow_.set_out(t);
  std::copy(y, y + n_, y0_.begin());
  start_ = continued ? Start::continued : Start::fresh;
  if (watched_ == 0) return FailureKind::none;
  if (!explicit_) return told(motion_(t, y, dy0_.data(), start_outputs_.data()));
  // The first stage of an explicit table is there too.
  if (!explicit_->evaluate_start(motion_, t, y)) return told(false);
  std::copy(explicit_->stage_derivative(0), explicit_->stage_derivative(0) + n_, dy0_.begin());
  std::copy(outputs(0), outputs(0) + outputs_, start_outputs_.begin());
  start_ = Start::same;
  return FailureKind::none;
}

FailureKind HeldContactsStep::attempt(double h) {
  h_ = h;
  const auto step = [&](Start start) {
    return explicit_ ? explicit_->step(motion_, t0_, h, y0_.data(), y1_.data(), start)
                     : implicit_->step(motion_, t0_, h, y0_.data(), y1_.data(), start);
  };
  OdeStatus status = step(start_);
  // The stages of another length may be a bad guess.
  if (status == OdeStatus::newton_not_converged && start_ != Start::fresh) status = step(Start::fresh);
  start_ = Start::same;
  if (status != OdeStatus::done) h_ = 0.0;
  return told(status);
}

double HeldContactsStep::work(int k) const {
  double sum = 0.0;
  for (int i = 0; i < tableau_.stages; ++i) sum += tableau_.b[i] * outputs(i)[k];
  return h_ * sum;
}

FailureKind HeldContactsStep::evaluate_end() {
  return told(motion_(end_time(), y1_.data(), dy1_.data(), end_outputs_.data()));
}

void HeldContactsStep::look() {
  if (flow_.modes().turns() && evaluate_end() == FailureKind::none) flow_.modes().look();
}

const DenseOutput& HeldContactsStep::positions() {
  dense_.begin(t0_, h_);
  for (int i = 0; i < nq_; ++i) {
    double* p = dense_.coefficients(i);
    p[0] = y0_[i];
    p[1] = h_ * y0_[nq_ + i];
    p[2] = 0.5 * h_ * h_ * dy0_[nq_ + i];
    const double rise = ((y1_[i] - p[0]) - p[1]) - p[2], slope = (h_ * y1_[nq_ + i] - p[1]) - 2.0 * p[2];
    p[3] = 4.0 * rise - slope;
    p[4] = slope - 3.0 * rise;
  }
  return dense_;
}

StepCounts HeldContactsStep::counts() const {
  StepCounts counts;
  counts.force_evaluations = flow_.evaluations();
  if (implicit_) counts.newton_iterations = static_cast<std::uint64_t>(implicit_->iterations());
  return counts;
}

}  // namespace ricochet
