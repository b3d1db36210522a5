#include "run/start_joints.hpp"

#include <algorithm>
#include <cmath>

#include "contact/contact_kinematics.hpp"
#include "contact/joint_forces.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "run/start.hpp"

namespace ricochet {
namespace {

constexpr double allowed = 1e-9;     // of the terms of a row
constexpr double round_off = 1e-14;  // not worth a note

std::string row_name(const Layout& layout, int row) {
  for (const Joint& joint : layout.joints) {
    if (row < joint.rows)
      return joint.name + (joint.rows > 1 ? " (row " + std::to_string(row + 1) + ")" : std::string());
    row -= joint.rows;
  }
  return {};
}

// What the rows are off by at a state, the largest one of positions and of velocities against its terms.
struct Offence {
  int row = -1;
  double value = 0.0, share = 0.0;
};
struct Offences {
  Offence position, velocity;
};
Offences offences(const Model& model, const State& state) {
  ContactKinematics<double> rows(model);
  const double *q = state.q.data(), *v = state.v.data();
  rows.place_gaps(state.t, q);
  rows.place_rates(state.t, q);
  Offences worst;
  const auto see = [](Offence& most, int row, double value, double size) {
    const double share = value == 0.0 ? 0.0 : std::abs(value) / size;
    if (most.row < 0 || !(share <= most.share)) most = {row, value, share};
  };
  const int nc = model.nc(), nb = model.nb();
  const std::vector<char> round_off_of_formulas = round_off_rows(model, state, rows, nc, nc + nb);
  for (int k = 0; k < nb; ++k) {
    const int j = nc + k;
    see(worst.position, k, round_off_of_formulas[k] ? 0.0 : rows.gap(j), rows.gap_size(j, state.t, q));
    see(worst.velocity, k, rows.rate(j, v), rows.rate_size(j, v));
  }
  return worst;
}

void refuse(const Layout& layout, const Offences& found) {
  if (!(found.position.share <= allowed))
    throw InputError("initial.q", "does not satisfy the joint " + row_name(layout, found.position.row) +
                                      ": its equation gives " + to_text(found.position.value) +
                                      " at the start, it must be 0 (up to 1e-9 of its terms)");
  if (!(found.velocity.share <= allowed))
    throw InputError("initial.v", "does not satisfy the joint " + row_name(layout, found.velocity.row) +
                                      ": its rate is " + to_text(found.velocity.value) +
                                      " at the start, it must be 0 (up to 1e-9 of its terms)");
}

// A row that depends on coordinates, but not to first order here: squares of distances do that where they vanish.
bool is_idle(const Model& model, const State& state, int row) {
  const Pattern& pattern = model.layout().joint_gradient;
  std::vector<double> H = zeros(pattern.size());
  model.joint_gradient(state.t, state.q.data(), H.data());
  const auto begin = H.begin() + pattern.start[row], end = H.begin() + pattern.start[row + 1];
  return begin != end && std::all_of(begin, end, [](double entry) { return entry == 0.0; });
}

void tell_rows_left_out(const Model& model, const State& state, HeldStart& start) {
  std::string dependent, idle;
  for (const int row : start.regularity.redundant) {
    std::string& names = is_idle(model, state, row) ? idle : dependent;
    names += (names.empty() ? "" : ", ") + row_name(model.layout(), row);
  }
  if (!dependent.empty())
    start.notes.push_back(start.dependent = "of the joints " + dependent +
                                            " follows from the others: the motion is determined, how the reactions are "
                                            "shared is not (those of least norm are given)");
  if (!idle.empty())
    start.notes.push_back(start.idle = "the joint " + idle +
                                       " holds nothing: its gradient vanishes at the start. Write it so that it passes "
                                       "0 with a slope, as x does and x^2 does not");
}

}  // namespace

HeldStart hold_joints(const Model& given, State& state) {
  const Layout& layout = given.layout();
  HeldStart result;
  result.regularity = joint_regularity(given, state);
  if (!result.regularity.is_regular)
    throw InputError(
        "model",
        "the mass matrix is singular at the start, and the joints do not hold all directions without mass: "
        "every direction of motion needs a positive mass or a joint");
  const Offences found = offences(given, state);
  refuse(layout, found);
  if (!result.regularity.is_plain()) result.model = regular_joints(given, result.regularity);
  const Model& model = result.model ? *result.model : given;
  if (model.nb() > 0 && JointForces(model).project(state.t, state.q.data(), state.v.data()) != FailureKind::none)
    throw InputError("initial.q", "no position near the start satisfies all joints");
  refuse(layout, offences(given, state));
  const double moved = std::max(found.position.share, found.velocity.share);
  if (moved > round_off)
    result.notes.push_back("the start was off the joints by " + to_text(moved) +
                           " of their terms, and moved onto them");
  tell_rows_left_out(given, state, result);
  return result;
}

std::vector<int> locked_contacts(const Model& model, const State& state) {
  constexpr double locked = 1e-10;  // of what an impulse does without the joints
  MassFactors<double> mass(model);
  JointForces joints(model);
  ContactKinematics<double> rows(model);
  const double *q = state.q.data(), *v = state.v.data();
  std::vector<double> x = zeros(model.nq());
  if (model.nb() == 0 || !mass.place(state.t, q) || !joints.add(mass, state.t, q, v, x.data())) return {};
  rows.place_gaps(state.t, q);
  rows.place_gradients(state.t, q);
  // The gap of a pin in the middle of its hole is largest there: its gradient is round-off and tells nothing.
  const auto is_extreme = [&](int j) {
    return !model.layout().structure.linear_gaps && rows.size_along(j, q) <= locked * std::abs(rows.gap(j));
  };
  std::vector<int> found;
  for (int j = 0; j < model.nc(); ++j) {
    if (is_extreme(j)) continue;
    std::fill(x.begin(), x.end(), 0.0);
    rows.add_gradient(j, 1.0, x.data());
    mass.solve(x.data());
    const double free = rows.along(j, x.data());
    joints.constrain(x.data());
    if (rows.along(j, x.data()) <= locked * free) found.push_back(j);
  }
  return found;
}

std::string dead_centre_remark(const Model& model, const State& state) {
  const int row = nearly_dependent_joint(model, state);
  if (row < 0) return {};
  return "; the joint " + row_name(model.layout(), row) +
         " nearly follows from the others here: the mechanism locks, or is at a dead centre";
}

std::string broken_redundant_joint(const Model& given, const JointRegularity& regularity, const State& state) {
  constexpr double broken = 1e-6;  // of the terms of a row
  ContactKinematics<double> rows(given);
  rows.place_gaps(state.t, state.q.data());
  rows.place_rates(state.t, state.q.data());
  for (const int k : regularity.redundant) {
    const int j = given.nc() + k;
    const double g = rows.gap(j), U = rows.rate(j, state.v.data());
    if (std::abs(g) > broken * rows.gap_size(j, state.t, state.q.data()) ||
        std::abs(U) > broken * rows.rate_size(j, state.v.data()))
      return row_name(given.layout(), k);
  }
  return {};
}

}  // namespace ricochet
