#include "study/orbit/arc_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr StepSettings at_round_off = {.rtol = 2e-14, .atol = 1e-300};

}  // namespace

ArcFlow::ArcFlow(std::shared_ptr<const Model> model)
    : model_(std::move(model)),
      adaptive_(find_tableau("dop853"), n_, at_round_off),
      fixed_(find_tableau("dop853"), n_),
      padded_(zeros(ode_.size(true))),
      rate_(padded_),
      now_(zeros(n_)) {
  ode_.skip_account();
  ode_.carry_impulses(false);
  // With friction by steps: equations of orbits ask for motions that slip a little where they stick.
  if (model_->nf() == 0 && LinearFlow::obstacle(*model_, 0.0).empty()) exact_ = std::make_unique<LinearFlow>(*model_);
}

void ArcFlow::set_sizes(const std::vector<double>& sizes) {
  std::vector<double> atol(sizes);
  for (double& size : atol) size = std::max(size * at_round_off.rtol, 1e-300);
  adaptive_.set_atol(atol.data());
}

void ArcFlow::hold(const OrbitHold& held) {
  ode_.open_all();
  for (std::size_t j = 0; j < held.contacts.size(); ++j)
    if (held.contacts[j]) ode_.set_closed(static_cast<int>(j), true);
  using Mode = OrbitFriction::Mode;
  FrictionModes& modes = ode_.modes();
  for (std::size_t k = 0; k < held.frictions.size(); ++k) {
    FrictionModes::Entry& entry = modes[static_cast<int>(k)];
    const OrbitFriction& friction = held.frictions[k];
    entry.mode = friction.mode == Mode::none    ? FrictionMode::none
                 : friction.mode == Mode::stick ? FrictionMode::stick
                                                : FrictionMode::slide;
    entry.s = entry.now = entry.seen = friction.s;
  }
}

bool ArcFlow::evaluate(double t, const double* y, double* dy) {
  std::copy_n(y, n_, padded_.begin());
  if (!ode_(t, padded_.data(), rate_.data(), nullptr)) return false;
  std::copy_n(rate_.begin(), n_, dy);
  return true;
}

bool ArcFlow::rate(double t, const double* y, const OrbitHold& held, double* f) {
  hold(held);
  return evaluate(t, y, f);
}

double ArcFlow::force(double t, const double* y, const OrbitHold& held, int contact) {
  return rate(t, y, held, now_.data()) ? ode_.multipliers()[contact] : std::numeric_limits<double>::quiet_NaN();
}

double ArcFlow::slip_along(double t, const double* y, const OrbitHold& held, int friction) {
  hold(held);
  rows_.place_rates(t, y);
  const FrictionModes::Entry& entry = ode_.modes()[friction];
  return FrictionModes::dot(FrictionModes::slip(entry, rows_, y + nq_), entry.s);
}

double ArcFlow::reserve(double t, const double* y, const OrbitHold& held, int friction) {
  if (!rate(t, y, held, now_.data())) return std::numeric_limits<double>::quiet_NaN();
  return ode_.bound(friction) - FrictionModes::norm(ode_.friction_force(friction));
}

double ArcFlow::separation(double t, const double* y, const OrbitHold& held, int contact) {
  if (!rate(t, y, held, now_.data())) return std::numeric_limits<double>::quiet_NaN();
  rows_.place_accelerations(t, y, y + nq_);
  return rows_.acceleration(contact, now_.data() + nq_);
}

bool ArcFlow::advance(double t, double tau, const double* y, const OrbitHold& held, Steps& steps, double* Y) {
  if (tau == 0.0) {
    std::copy_n(y, n_, Y);
    return true;
  }
  if (!std::isfinite(tau)) return false;
  if (exact_) return fly(t, tau, y, held, Y);
  hold(held);
  return steps.empty() ? integrate(t, tau, y, steps, Y) : repeat(t, tau, y, steps, Y);
}

bool ArcFlow::fly(double t, double tau, const double* y, const OrbitHold& held, double* Y) {
  std::copy_n(y, n_, Y);
  double done = 0.0;
  fastest_ = 0.0;
  while (true) {
    for (int i = 0; i < n_; ++i)
      if (!std::isfinite(Y[i])) return false;
    const double now = t + done, low = (t - now) + done;
    if (!exact_->begin(now, low, Y, Y + nq_, held.contacts, std::abs(tau))) return false;
    const double left = tau - done, s = std::clamp(left, -exact_->length(), exact_->length());
    fastest_ = std::max(fastest_, exact_->arc().fastest());
    exact_->arc().place(s);
    exact_->arc().values(nq_, Y, Y + nq_);
    if (s == left) return true;
    done += s;
  }
}

bool ArcFlow::integrate(double t, double tau, const double* y, Steps& steps, double* Y) {
  if (!(tau > 0.0)) return false;
  Rhs rhs{*this};
  const double until = t + tau;
  if (adaptive_.begin(rhs, t, y, until) != OdeStatus::done) return false;
  while (adaptive_.t() < until) {
    if (adaptive_.advance(rhs, until) != OdeStatus::done) {
      steps.clear();
      return false;
    }
    steps.push_back((adaptive_.t() - t) / tau);
  }
  std::copy_n(adaptive_.y(), n_, Y);
  return true;
}

bool ArcFlow::repeat(double t, double tau, const double* y, const Steps& steps, double* Y) {
  Rhs rhs{*this};
  std::copy_n(y, n_, now_.begin());
  double before = 0.0;
  for (const double part : steps) {
    const double h = (part - before) * tau;
    if (fixed_.step(rhs, t + before * tau, h, now_.data(), now_.data()) != OdeStatus::done) return false;
    before = part;
  }
  std::copy_n(now_.begin(), n_, Y);
  return true;
}

}  // namespace ricochet
