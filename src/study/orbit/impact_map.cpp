#include "study/orbit/impact_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/length.hpp"

namespace ricochet {
namespace {

using Mode = OrbitFriction::Mode;

// One unknown impulse: along which row's rate its equation is, by how much more than that rate, and along what it acts.
struct Impulse {
  int row;
  double factor;
  std::vector<double> push;
};

}  // namespace

bool OrbitHold::any() const {
  return std::any_of(contacts.begin(), contacts.end(), [](char closed) { return closed != 0; }) ||
         std::any_of(frictions.begin(), frictions.end(), [](const OrbitFriction& f) { return f.mode != Mode::none; });
}

bool ImpactMap::strike(double t, const double* q, const OrbitBlow& blow, double* v) {
  const Layout& layout = model_.layout();
  const int nq = model_.nq();
  if (!mass_.place(t, q)) return false;
  contacts_.place_rates(t, q);
  contacts_.place_restitutions(t, q);
  contacts_.place_bounds(t, q);
  std::vector<Impulse> impulses;
  const auto add = [&](int row, double factor) -> Impulse& {
    Impulse& one = impulses.emplace_back(Impulse{row, factor, zeros(nq)});
    contacts_.add_gradient(row, 1.0, one.push.data());
    return one;
  };
  for (const int j : blow.contacts) {
    Impulse& normal = add(j, 1.0 + contacts_.restitution(j));
    for (std::size_t k = 0; k < blow.frictions.size(); ++k) {
      if (layout.frictions[k].constraint != j || blow.frictions[k].mode != Mode::slide) continue;
      const double mu = contacts_.bound(static_cast<int>(k));
      for (int m = 0; m < layout.frictions[k].rows; ++m)
        contacts_.add_gradient(slip_row(static_cast<int>(k)) + m, -mu * blow.frictions[k].s[m], normal.push.data());
    }
  }
  for (int b = 0; b < model_.nb(); ++b) add(model_.nc() + b, 1.0);
  for (std::size_t k = 0; k < blow.frictions.size(); ++k)
    for (int m = 0; m < layout.frictions[k].rows && blow.frictions[k].mode == Mode::stick; ++m)
      add(slip_row(static_cast<int>(k)) + m, 1.0 + contacts_.tangential_restitution(static_cast<int>(k)));

  // W P = −(1 + e) U⁻
  const int n = static_cast<int>(impulses.size());
  DenseMatrix W(n, n);
  std::vector<double> right;
  for (int i = 0; i < n; ++i) {
    mass_.solve(impulses[i].push.data());
    for (int k = 0; k < n; ++k) W(k, i) = contacts_.along(impulses[k].row, impulses[i].push.data());
    right.push_back(-impulses[i].factor * contacts_.rate(impulses[i].row, v));
  }
  if (n == 0) return true;
  const std::optional<std::vector<double>> P = ricochet::solve(W, right);
  if (!P) return false;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < nq; ++k) v[k] += impulses[i].push[k] * (*P)[i];
  return true;
}

std::vector<int> ImpactMap::held_rows(const OrbitHold& held) const {
  std::vector<int> rows;
  for (std::size_t j = 0; j < held.contacts.size(); ++j)
    if (held.contacts[j]) rows.push_back(static_cast<int>(j));
  for (int b = 0; b < model_.nb(); ++b) rows.push_back(model_.nc() + b);
  for (std::size_t k = 0; k < held.frictions.size(); ++k)
    for (int m = 0; m < model_.layout().frictions[k].rows && held.frictions[k].mode == Mode::stick; ++m)
      rows.push_back(slip_row(static_cast<int>(k)) + m);
  return rows;
}

bool ImpactMap::hold(double t, const OrbitHold& held, double* y) {
  const std::vector<int> rows = held_rows(held);
  if (rows.empty()) return true;
  const int slips = model_.nc() + model_.nb();
  if (law_.place(t, y) != FailureKind::none) return false;
  law_.clear();
  for (const int row : rows)
    if (row < slips) law_.include(row);
  if (law_.included_count() > 0 && law_.close_gaps(t, y) != FailureKind::none) return false;
  for (const int row : rows) law_.include(row);
  return law_.hold(y + model_.nq()) == FailureKind::none;
}

std::optional<std::vector<OrbitBlow>> ImpactMap::blows(double t, const double* q, const std::vector<char>& touches,
                                                       double* v) {
  constexpr std::size_t most = 16;
  const Layout& layout = model_.layout();
  std::vector<OrbitBlow> found;
  if (law_.place(t, q) != FailureKind::none) return std::nullopt;
  // Rates below are round-off of the speeds in front of the impact.
  constexpr double round_off = 1e-10;
  std::vector<double> slow;
  for (int j = 0; j < model_.nc(); ++j) slow.push_back(round_off * law_.contacts().rate_size(j, v));
  const auto is_inwards = [&] {
    for (int j = 0; j < model_.nc(); ++j)
      if (touches[j] && law_.contacts().rate(j, v) < -slow[j]) return true;
    return false;
  };
  while (is_inwards()) {
    if (found.size() == most) return std::nullopt;
    law_.clear();
    for (int j = 0; j < model_.nc(); ++j)
      if (touches[j]) law_.include(j);
    if (law_.strike(v) != FailureKind::none) return std::nullopt;
    OrbitBlow& blow = found.emplace_back();
    blow.frictions.resize(static_cast<std::size_t>(layout.nf()));
    for (int j = 0; j < model_.nc(); ++j)
      if (touches[j] && law_.impulse(j) > 0.0) blow.contacts.push_back(j);
    for (int k = 0; k < layout.nf(); ++k) {
      const int j = layout.frictions[k].constraint;
      if (j < 0 || !touches[j] || !(law_.impulse(j) > 0.0)) continue;
      const SlipReport slip = law_.slip_report(j);
      const double size = length(slip.impulse[0], slip.impulse[1]);
      if (slip.status == SlipStatus::stick) {
        blow.frictions[k].mode = Mode::stick;
      } else if (size > 0.0) {
        if (layout.frictions[k].rows > 1) return std::nullopt;
        blow.frictions[k] = {Mode::slide, {-slip.impulse[0] / size, 0.0}};
      }
    }
  }
  return found;
}

DenseMatrix ImpactMap::normals(double t, const double* y, const OrbitHold& held, const std::vector<double>& sizes) {
  const std::vector<int> rows = held_rows(held);
  const int nq = model_.nq(), n = static_cast<int>(sizes.size()), slips = model_.nc() + model_.nb();
  const std::vector<bool> has_position = model_.layout().joint_has_position();
  DenseMatrix all(n, 2 * static_cast<int>(rows.size()));
  int column = 0;
  std::vector<double> H(static_cast<std::size_t>(nq)), x(y, y + n);
  const auto gradient = [&](int row) {
    contacts_.place_rates(t, x.data());
    std::fill(H.begin(), H.end(), 0.0);
    contacts_.add_gradient(row, 1.0, H.data());
  };
  for (const int row : rows) {
    gradient(row);
    const bool placed = row < model_.nc() || (row < slips && has_position[row - model_.nc()]);
    for (int i = 0; i < nq && placed; ++i) all(i, column) = H[i] * sizes[i];
    column += placed ? 1 : 0;
    for (int i = 0; i < nq; ++i) all(nq + i, column) = H[i] * sizes[nq + i];
    // ∂U/∂q by differences
    for (int i = 0; i < nq; ++i) {
      const double s = 1e-5 * sizes[i];
      x[i] = y[i] + s;
      const double above = gap_rate(row, t, x.data());
      x[i] = y[i] - s;
      all(i, column) = (above - gap_rate(row, t, x.data())) / (2.0 * s) * sizes[i];
      x[i] = y[i];
    }
    ++column;
  }
  all.cols = column;
  all.values.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(column));
  return all;
}

}  // namespace ricochet
