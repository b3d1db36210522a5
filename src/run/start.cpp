#include "run/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "contact/row_resolution.hpp"
#include "core/definiteness.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/run/simulate.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_steps = 1'000'000'000'000;

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
  std::vector<double> M(layout.mass.size());
  model.mass(state.t, state.q.data(), M.data());
  const std::vector<double> diagonal = diagonal_of(layout.mass, M.data());
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

std::vector<double> responses(const Layout& layout, const std::vector<double>& mass, const double* H) {
  std::vector<double> W(layout.nc());
  for (int j = 0; j < layout.nc(); ++j)
    for (int k = layout.gradient.start[j]; k < layout.gradient.start[j + 1]; ++k)
      W[j] += H[k] * H[k] / mass[layout.gradient.row[k]];
  return W;
}

// HᵀM⁻¹H of a row with a gradient must be a number: contacts and joints divide by it.
void check_scales(const Layout& layout, const std::vector<double>& mass, const double* H) {
  const Pattern& rows = layout.rows;
  for (int r = 0; r < rows.cols; ++r) {
    double response = 0.0, largest = 0.0;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      response += H[k] * H[k] / mass[rows.row[k]];
      largest = std::max(largest, std::abs(H[k]));
    }
    if (largest == 0.0 || !std::isfinite(largest) || (response > 0.0 && std::isfinite(response))) continue;
    const bool is_gap = r < layout.nc(), is_slip = r >= rows.cols - layout.ns();
    throw InputError(
        "model", "the gradient of " +
                     (is_gap ? "the gap of " + layout.constraints[r] : std::string(is_slip ? "a slip" : "a joint")) +
                     " is " + to_text(largest) + " at the start, and its square by the mass " + to_text(response) +
                     ": write it, or the mass, in other units");
  }
}

void check_restitution(const Model& model, const State& state) {
  std::vector<double> e(model.nc());
  model.restitution(state.t, state.q.data(), e.data());
  for (int j = 0; j < model.nc(); ++j)
    if (!(e[j] >= 0.0 && e[j] <= 1.0))
      throw InputError("model.constraint[" + std::to_string(j) + "].restitution",
                       "must be in [0, 1], got " + to_text(e[j]) + " at the start");
}

void check_gaps(const Model& model, const State& state, const GapRates& rates) {
  const std::vector<int> violated = contacts_at_start(model, state, rates).violated;
  for (int j = 0; j < model.nc(); ++j) {
    const std::string& name = model.layout().constraints[j];
    if (!std::isfinite(rates.gap[j]))
      throw InputError("initial.q", "the gap of " + name + " is " + to_text(rates.gap[j]) +
                                        " at the start, it must be a finite number");
    if (std::binary_search(violated.begin(), violated.end(), j))
      throw InputError("initial.q", "starts " + to_text(-rates.gap[j]) + " inside the obstacle of constraint " + name +
                                        ": its gap must be at least 0 at the start");
  }
}

}  // namespace

std::vector<double> diagonal_of(const Pattern& pattern, const double* A) {
  std::vector<double> diagonal(pattern.cols);
  for (int j = 0; j < pattern.cols; ++j) diagonal[j] = diagonal_entry(pattern, A, j);
  return diagonal;
}

GapRates::GapRates(const Model& mechanics)
    : model(mechanics), contacts(model), gap(model.nc()), rate(gap), slip(model.ns()) {}

void GapRates::measure(const State& state) {
  contacts.place_gaps(state.t, state.q.data());
  contacts.place_rates(state.t, state.q.data());
  for (int j = 0; j < model.nc(); ++j) gap[j] = contacts.gap(j), rate[j] = contacts.rate(j, state.v.data());
  for (int s = 0; s < model.ns(); ++s) slip[s] = contacts.rate(model.nc() + model.nb() + s, state.v.data());
}

void observe(const Layout& layout, const double* x, double* observed) {
  const SparseMatrix& N = layout.observation;
  for (int j = 0; j < layout.no(); ++j) observed[j] = column_dot(N.pattern, N.values.data(), j, x);
}

void complete_start(const Model& model, State& state, double from) {
  const Layout& layout = model.layout();
  check_vector(state.q, layout.coordinates, "initial.q", "");
  if (state.v.empty()) state.v.resize(model.nq());
  check_vector(state.v, layout.coordinates, "initial.v", "_dot");
  check_vector(state.z, layout.states, "initial.z", "");
  state.t = from;
}

std::vector<double> check_start(const Model& model, State& state, double from, GapRates& rates) {
  const Layout& layout = model.layout();
  complete_start(model, state, from);
  const std::vector<double> mass = checked_mass(model, state);
  check_restitution(model, state);
  rates.measure(state);
  check_gaps(model, state, rates);
  check_scales(layout, mass, rates.contacts.gradients());
  return responses(layout, mass, rates.contacts.gradients());
}

std::vector<char> round_off_rows(const Model& model, const State& state, const ContactKinematics<double>& rows,
                                 int first, int last) {
  RowResolution<double> resolution(model);
  std::vector<char> found(static_cast<std::size_t>(last - first), 0), moved(static_cast<std::size_t>(model.nq()));
  std::vector<double> dq = zeros(model.nq());
  std::vector<int> left(found.size()), later, tried;
  std::iota(left.begin(), left.end(), first);
  for (; !left.empty(); std::swap(left, later)) {
    std::fill(moved.begin(), moved.end(), 0);
    std::fill(dq.begin(), dq.end(), 0.0);
    later.clear(), tried.clear();
    for (const int row : left) {
      bool free = true;
      double square = 0.0;
      rows.each_entry(row, [&](int i, double H) { free = free && !moved[i], square += H * H; });
      (free ? tried : later).push_back(row);
      if (!free || !(square > 0.0)) continue;
      rows.each_entry(row, [&](int i, double) { moved[i] = 1; });
      rows.add_gradient(row, -rows.gap(row) / square, dq.data());
    }
    resolution.move(state.t, state.q.data(), dq.data());
    for (const int row : tried) found[row - first] = resolution.is_round_off(row, dq.data(), rows.gap(row), rows);
  }
  return found;
}

StartContacts contacts_at_start(const Model& model, const State& state, const GapRates& rates) {
  constexpr double round_off = 1e-12;  // of the terms of a gap, and of a rate
  std::vector<char> round_off_of_formulas = zeros<char>(model.nc());
  if (!model.layout().structure.linear_gaps)
    round_off_of_formulas = round_off_rows(model, state, rates.contacts, 0, model.nc());
  StartContacts contacts;
  for (int j = 0; j < model.nc(); ++j) {
    const double g = rates.gap[j], U = rates.rate[j], near = round_off * rates.contacts.size_along(j, state.q.data());
    const bool touches = std::abs(g) <= near || round_off_of_formulas[j];
    if (!(g >= -near) && !touches) contacts.violated.push_back(j);
    if (!(g <= near) && !touches) continue;
    contacts.closed.push_back(j);
    if (U < -round_off * std::max(rates.contacts.size_along(j, state.v.data()), std::abs(U)))
      contacts.closing.push_back(j);
  }
  return contacts;
}

std::optional<ImpactOutcome> hit_at_start(const Model& model, State& state, const GapRates& rates) {
  const StartContacts contacts = contacts_at_start(model, state, rates);
  if (contacts.closing.empty()) return std::nullopt;
  ImpactOutcome outcome = apply_impact(model, state, contacts.closed);
  if (outcome.failure != FailureKind::none) throw InputError("initial", "the impact at the start cannot be solved");
  return outcome;
}

namespace {

// The entries of a gradient that are not 0, with their coordinates.
using Entries = std::vector<std::pair<int, double>>;
Entries entries_of(const Pattern& gradient, const double* H, int j) {
  Entries entries;
  for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k)
    if (H[k] != 0.0) entries.emplace_back(gradient.row[k], H[k]);
  return entries;
}

// H_i = −c H_j with c > 0, entry by entry: in any units.
bool are_opposite(const Entries& a, const Entries& b) {
  const double c = -a.front().second / b.front().second;
  return c > 0.0 && std::equal(a.begin(), a.end(), b.begin(), b.end(), [c](const auto& x, const auto& y) {
           return x.first == y.first && std::abs(x.second + c * y.second) <= 1e-12 * std::abs(x.second);
         });
}

}  // namespace

std::vector<std::pair<int, int>> opposite_gaps(const Pattern& gradient, const double* H,
                                               const std::vector<int>& among) {
  std::map<int, std::vector<std::pair<int, Entries>>> gaps;  // by the first coordinate in them
  std::vector<std::pair<int, int>> found;
  for (const int j : among) {
    Entries entries = entries_of(gradient, H, j);
    if (entries.empty()) continue;
    auto& alike = gaps[entries.front().first];
    for (const auto& [i, others] : alike)
      if (are_opposite(others, entries)) found.emplace_back(i, j);
    alike.emplace_back(j, std::move(entries));
  }
  return found;
}

std::vector<std::string> start_notes(const Model& model, const State& state, const GapRates& gaps) {
  std::vector<std::string> notes;
  const std::vector<std::string>& names = model.layout().constraints;
  const std::vector<int> closed = contacts_at_start(model, state, gaps).closed;
  const auto opposite = opposite_gaps(model.layout().gradient, gaps.contacts.gradients(), closed);
  if (!opposite.empty())
    notes.push_back("the gaps of " + names[opposite.front().first] + " and " + names[opposite.front().second] +
                    " are opposite and both closed: nothing moves between them. If that lasts it is a joint, not two "
                    "contacts: give it as [[model.joint]] in their place");
  // A gap below a part in 10¹² of its terms counts as closed, though numbers still tell it from 0.
  for (const int j : closed) {
    const double size = gaps.contacts.gap_size(j, state.t, state.q.data());
    if (!(gaps.gap[j] > 4.0 * std::numeric_limits<double>::epsilon() * size)) continue;
    notes.push_back("the gap of " + names[j] + " is " + to_text(gaps.gap[j]) +
                    " at the start, less than 1e-12 of the " + to_text(size) +
                    " that it is the difference of, and counts as closed: measure the coordinates from nearer by");
    break;
  }
  return notes;
}

std::uint64_t step_count(TimeSpan span, double h) {
  if (!std::isfinite(span.from)) throw InputError("time.from", "must be a finite number, got " + to_text(span.from));
  if (!std::isfinite(span.until)) throw InputError("time.until", "must be a finite number, got " + to_text(span.until));
  if (!(span.until > span.from))
    throw InputError("time.until",
                     "must be later than the start " + to_text(span.from) + ", got " + to_text(span.until));
  if (!(h > 0.0) || !std::isfinite(h)) throw InputError("time.step", "must be a positive number, got " + to_text(h));
  // The quotient may miss a whole number by round-off: 3/0.001 are 3000 steps, not 3001.
  const double exact = (span.until - span.from) / h;
  const double steps = std::max(1.0, std::ceil(exact * (1.0 - 1e-12)));
  if (!(steps <= static_cast<double>(most_steps)))
    throw InputError("time.step", to_text(h) + " would need over 1e12 steps from " + to_text(span.from) + " to " +
                                      to_text(span.until));
  const double even = (span.until - span.from) / steps, latest = std::max(std::abs(span.from), std::abs(span.until));
  if (!(even > 8.0 * std::numeric_limits<double>::epsilon() * latest))
    throw InputError("time.step",
                     to_text(h) + " is below what numbers resolve at t = " + to_text(latest) + ", where they are " +
                         to_text(std::nextafter(latest, std::numeric_limits<double>::infinity()) - latest) +
                         " apart: count the time from nearer by, or take larger steps");
  return static_cast<std::uint64_t>(steps);
}

}  // namespace ricochet
