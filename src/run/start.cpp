#include "run/start.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/definiteness.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr double touch_tolerance = 1e-12;  // of the size of the coordinates: closer than that touches

std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }

double largest(const std::vector<double>& x) {
  double size = 0.0;
  for (const double entry : x) size = std::max(size, std::abs(entry));
  return size;
}

void check_vector(const std::vector<double>& x, const std::vector<std::string>& names, const std::string& field,
                  const std::string& suffix) {
  if (x.size() != names.size())
    throw InputError(field,
                     "has " + std::to_string(x.size()) + " values, the model needs " + std::to_string(names.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw InputError(field + "." + names[i], names[i] + suffix + " must be a finite number, got " + to_text(x[i]));
}

// The diagonal of the mass at the start, which must be positive definite.
std::vector<double> checked_mass(const Model& model, const State& state) {
  const Layout& layout = model.layout();
  std::vector<double> M = zeros(layout.mass.size()), diagonal = zeros(model.nq());
  model.mass(state.t, state.q.data(), M.data());
  for (int j = 0; j < model.nq(); ++j)
    for (int k = layout.mass.start[j]; k < layout.mass.start[j + 1]; ++k)
      if (layout.mass.row[k] == j) diagonal[j] = M[k];
  if (DefinitenessTest<double>()(layout.mass, M.data())) return diagonal;
  // An entry that is not positive is the usual reason, and the one that can be named.
  std::string reason;
  for (int j = 0; j < model.nq() && reason.empty(); ++j)
    if (!(diagonal[j] > 0.0)) reason = " (that of " + layout.coordinates[j] + " is " + to_text(diagonal[j]) + ")";
  throw InputError("model",
                   "the mass matrix is not symmetric and positive definite at the start: every direction of "
                   "motion needs a positive mass" +
                       reason);
}

std::vector<double> responses(const Layout& layout, const std::vector<double>& mass, const std::vector<double>& H) {
  std::vector<double> W = zeros(layout.nc());
  for (int j = 0; j < layout.nc(); ++j)
    for (int k = layout.gradient.start[j]; k < layout.gradient.start[j + 1]; ++k)
      W[j] += H[k] * H[k] / mass[layout.gradient.row[k]];
  return W;
}

void check_restitution(const Model& model, const State& state) {
  std::vector<double> e = zeros(model.nc());
  model.restitution(state.t, state.q.data(), e.data());
  for (int j = 0; j < model.nc(); ++j)
    if (!(e[j] >= 0.0 && e[j] <= 1.0))
      throw InputError("model.constraint[" + std::to_string(j) + "].restitution",
                       "must be in [0, 1], got " + to_text(e[j]) + " at the start");
}

// Inside an obstacle is refused; within round-off of its surface is touching.
void check_gaps(const Layout& layout, const State& state, const std::vector<double>& gap) {
  const double size = largest(state.q);
  for (int j = 0; j < layout.nc(); ++j) {
    if (!std::isfinite(gap[j]))
      throw InputError("initial.q", "the gap of " + layout.constraints[j] + " is " + to_text(gap[j]) +
                                        " at the start, it must be a finite number");
    if (gap[j] < -touch_tolerance * std::max(1.0, size))
      throw InputError("initial.q", "starts " + to_text(-gap[j]) + " inside the obstacle of constraint " +
                                        layout.constraints[j] + ": its gap must be at least 0 at the start");
  }
}

}  // namespace

GapRates::GapRates(const Model& mechanics)
    : model(mechanics), gap(zeros(model.nc())), rate(gap), H(zeros(model.layout().gradient.size())) {}

void GapRates::measure(const State& state) {
  const double* q = state.q.data();
  model.gap(state.t, q, gap.data());
  model.gap_gradient(state.t, q, H.data());
  model.gap_time_derivative(state.t, q, rate.data());
  for (int j = 0; j < model.nc(); ++j) rate[j] += column_dot(model.layout().gradient, H.data(), j, state.v.data());
}

std::vector<double> check_start(const Model& model, State& state, double from, GapRates& rates) {
  const Layout& layout = model.layout();
  check_vector(state.q, layout.coordinates, "initial.q", "");
  if (state.v.empty()) state.v = zeros(model.nq());
  check_vector(state.v, layout.coordinates, "initial.v", "_dot");
  check_vector(state.z, layout.states, "initial.z", "");
  state.t = from;
  const std::vector<double> mass = checked_mass(model, state);
  check_restitution(model, state);
  rates.measure(state);
  check_gaps(layout, state, rates.gap);
  return responses(layout, mass, rates.H);
}

std::optional<ImpactOutcome> hit_at_start(const Model& model, State& state, const GapRates& rates) {
  std::vector<int> touching;
  bool closing = false;
  const double size = largest(state.q), speed = largest(state.v);
  for (int j = 0; j < model.nc(); ++j) {
    if (rates.gap[j] > touch_tolerance * std::max(1.0, size)) continue;
    touching.push_back(j);
    closing = closing || rates.rate[j] < -touch_tolerance * std::max(speed, std::abs(rates.rate[j]));
  }
  if (!closing) return std::nullopt;
  ImpactOutcome outcome = apply_impact(model, state, touching);
  if (outcome.failure != FailureKind::none) throw InputError("initial", "the impact at the start cannot be solved");
  return outcome;
}

}  // namespace ricochet
