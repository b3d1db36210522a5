#include "study/orbit/margins.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/constants.hpp"

namespace ricochet {
namespace {

using Mode = OrbitFriction::Mode;

// An arc at even times, close enough to see what its rates can do.
struct Looks {
  double t = 0.0, ds = 0.0;
  std::vector<std::vector<double>> y;
};
Looks look_along(OrbitMechanics& mechanics, const OrbitArc& arc, double t) {
  std::vector<double> y = state_along(mechanics, arc, t, arc.tau);
  const int count = static_cast<int>(std::clamp(2.0 * arc.tau * mechanics.flow().fastest(), 48.0, 4096.0));
  Looks looks{t, arc.tau / count, {arc.y}};
  for (int k = 0; k < count; ++k) {
    ArcFlow::Steps steps;
    if (!mechanics.flow().advance(t + k * looks.ds, looks.ds, looks.y.back().data(), arc.held, steps, y.data())) break;
    looks.y.push_back(y);
  }
  return looks;
}

// U_j = 0 between two looks, at which it changes from − to +: regula falsi with halved weights (Illinois).
double turning(OrbitMechanics& mechanics, const OrbitArc& arc, const Looks& looks, std::size_t k, int j,
               std::vector<double>& at_turn) {
  const double t = looks.t + static_cast<double>(k) * looks.ds;
  double a = 0.0, b = looks.ds, u0 = mechanics.gap_rate(j, t, looks.y[k].data());
  double u1 = mechanics.gap_rate(j, t + b, looks.y[k + 1].data()), at = b;
  int side = 0;
  at_turn = looks.y[k + 1];
  for (int i = 0; i < 60 && b - a > 4.0 * epsilon * arc.tau && u1 != 0.0; ++i) {
    at = i < 30 ? a + (b - a) * (u0 / (u0 - u1)) : 0.5 * (a + b);
    ArcFlow::Steps steps;
    if (!mechanics.flow().advance(t, at, looks.y[k].data(), arc.held, steps, at_turn.data())) break;
    const double u = mechanics.gap_rate(j, t + at, at_turn.data());
    if (u == 0.0) break;
    if (u > 0.0) {
      if (side == 1) u0 *= 0.5;
      b = at, u1 = u, side = 1;
    } else {
      if (side == -1) u1 *= 0.5;
      a = at, u0 = u, side = -1;
    }
  }
  return at;
}

// The minimum of f in [0, 2 ds] behind a look, by golden sections: its value is right to round-off where its place is
// to the root of it.
template <class Value>
double lowest_behind(const Value& f, double length, double& at) {
  constexpr double golden = 0.6180339887498949;
  double a = 0.0, b = length, x = b - golden * (b - a), y = a + golden * (b - a), fx = f(x), fy = f(y);
  while (b - a > 1e-8 * length) {
    if (fx < fy) {
      b = y, y = x, fy = fx, x = b - golden * (b - a), fx = f(x);
    } else {
      a = x, x = y, fx = fy, y = a + golden * (b - a), fy = f(y);
    }
  }
  at = 0.5 * (a + b);
  return f(at);
}

// What must stay positive along an arc that holds something: f(t, y), by contact and friction.
struct HeldMargin {
  int which;
  std::function<double(double, const double*)> value;
};
std::vector<HeldMargin> held_margins(OrbitMechanics& mechanics, const OrbitArc& arc) {
  std::vector<HeldMargin> margins;
  ArcFlow& flow = mechanics.flow();
  const OrbitHold& held = arc.held;
  for (std::size_t j = 0; j < held.contacts.size(); ++j)
    if (held.contacts[j]) {
      const int contact = static_cast<int>(j);
      margins.push_back({contact, [&, contact](double t, const double* y) { return flow.force(t, y, held, contact); }});
    }
  for (std::size_t k = 0; k < held.frictions.size(); ++k) {
    const int friction = static_cast<int>(k);
    if (held.frictions[k].mode == Mode::slide && mechanics.model().layout().frictions[k].rows == 1)
      margins.push_back(
          {friction, [&, friction](double t, const double* y) { return flow.slip_along(t, y, held, friction); }});
    if (held.frictions[k].mode == Mode::stick)
      margins.push_back(
          {friction, [&, friction](double t, const double* y) { return flow.reserve(t, y, held, friction); }});
  }
  return margins;
}

void see_held(OrbitMechanics& mechanics, const OrbitArc& arc, std::size_t number, const Looks& looks,
              const HeldMargin& margin, LowestMargin& lowest) {
  std::vector<double> values, y;
  for (std::size_t k = 0; k < looks.y.size(); ++k)
    values.push_back(margin.value(looks.t + static_cast<double>(k) * looks.ds, looks.y[k].data()));
  double size = 0.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  if (!(size > 0.0)) return;
  for (std::size_t k = 1; k + 1 < values.size(); ++k) {
    if (!(values[k] < values[k - 1] && values[k] <= values[k + 1])) continue;
    const double t = looks.t + static_cast<double>(k - 1) * looks.ds;
    const auto behind = [&](double s) {
      ArcFlow::Steps steps;
      y = looks.y[k - 1];
      if (!mechanics.flow().advance(t, s, looks.y[k - 1].data(), arc.held, steps, y.data())) return size;
      return margin.value(t + s, y.data());
    };
    double at = 0.0;
    const double value = lowest_behind(behind, 2.0 * looks.ds, at) / size;
    if (value < lowest.value) lowest = {margin.which, number, static_cast<double>(k - 1) * looks.ds + at, value};
  }
}

// Whether U_j is round-off where an arc begins: the contact has just opened.
bool rests(OrbitMechanics& mechanics, int j, double t, const double* y, double U, const OrbitSizes& sizes) {
  constexpr double round_off = 1e-12;
  const Model& model = mechanics.model();
  return std::abs(U) <= round_off * gap_scale(model, j, t, y, sizes.y.data() + model.nq());
}

bool holds_more(const OrbitHold& now, const OrbitHold& before) {
  for (std::size_t j = 0; j < now.contacts.size(); ++j)
    if (now.contacts[j] && !before.contacts[j]) return true;
  for (std::size_t k = 0; k < now.frictions.size(); ++k)
    if (now.frictions[k].mode == Mode::stick && before.frictions[k].mode != Mode::stick) return true;
  return false;
}

}  // namespace

std::vector<double> state_along(OrbitMechanics& mechanics, const OrbitArc& arc, double t, double s) {
  std::vector<double> y = arc.y;
  ArcFlow::Steps steps;
  mechanics.flow().advance(t, s, arc.y.data(), arc.held, steps, y.data());
  return y;
}

double gap_scale(const Model& model, int j, double t, const double* q, const double* sizes) {
  const Pattern& pattern = model.layout().gradient;
  std::vector<double> H(static_cast<std::size_t>(pattern.size()));
  model.gap_gradient(t, q, H.data());
  double size = 0.0;
  for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
    if (pattern.row[e] < model.nq()) size += std::abs(H[e]) * sizes[pattern.row[e]];
  return size > 0.0 ? size : 1.0;
}

LowestMargin lowest_gap(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes) {
  LowestMargin lowest;
  std::vector<double> y;
  double t = chain.t;
  for (std::size_t number = 0; number < chain.arcs.size(); t += chain.arcs[number++].tau) {
    const OrbitArc& arc = chain.arcs[number];
    const Looks looks = look_along(mechanics, arc, t);
    for (std::size_t k = 0; k + 1 < looks.y.size(); ++k)
      for (int j = 0; j < mechanics.model().nc(); ++j) {
        const double s = static_cast<double>(k) * looks.ds, U = mechanics.gap_rate(j, t + s, looks.y[k].data());
        if (arc.held.contacts[j] || !(U < 0.0) || (k == 0 && rests(mechanics, j, t, arc.y.data(), U, sizes))) continue;
        if (!(mechanics.gap_rate(j, t + s + looks.ds, looks.y[k + 1].data()) >= 0.0)) continue;
        const double at = s + turning(mechanics, arc, looks, k, j, y);
        const double size = gap_scale(mechanics.model(), j, t + at, y.data(), sizes.y.data());
        const double gap = mechanics.gap(j, t + at, y.data()) / size;
        if (gap < lowest.value) lowest = {j, number, at, gap};
      }
  }
  return lowest;
}

LowestMargin lowest_held(OrbitMechanics& mechanics, const OrbitChain& chain) {
  LowestMargin lowest;
  double t = chain.t;
  for (std::size_t number = 0; number < chain.arcs.size(); t += chain.arcs[number++].tau) {
    const OrbitArc& arc = chain.arcs[number];
    if (!arc.held.any()) continue;
    const Looks looks = look_along(mechanics, arc, t);
    for (const HeldMargin& margin : held_margins(mechanics, arc))
      see_held(mechanics, arc, number, looks, margin, lowest);
  }
  return lowest;
}

std::vector<char> accumulating(const OrbitChain& chain) {
  const std::size_t arcs = chain.arcs.size();
  std::vector<char> marks(arcs, 0);
  for (std::size_t k = 0; k < arcs; ++k) {
    const OrbitArc& arc = chain.arcs[k];
    if (arc.end != ArcEnd::impact || !chain.arcs[(k + 1) % arcs].held.contacts[arc.which]) continue;
    // back along impacts of the same contact, each flight longer than the one behind it
    double flight = 0.0;
    for (std::size_t i = 0; i < arcs; ++i) {
      const std::size_t before = (k + arcs - i) % arcs;
      const OrbitArc& one = chain.arcs[before];
      if (one.end != ArcEnd::impact || one.which != arc.which || !(one.tau > flight)) break;
      marks[before] = 1;
      flight = one.tau;
    }
  }
  return marks;
}

double shortest_flight(ChainEquations& equations, const OrbitChain& chain) {
  double least = 1.0;
  if (!chain.has_events()) return least;
  OrbitMechanics& mechanics = equations.mechanics();
  const std::vector<char> in_row = accumulating(chain);
  const double period = chain.period();
  for (std::size_t k = 0; k < chain.arcs.size(); ++k) {
    const OrbitArc& arc = chain.arcs[k];
    const ArcJet& jet = equations.jets()[k];
    const OrbitHold& before = chain.arcs[(k + chain.arcs.size() - 1) % chain.arcs.size()].held;
    if (!in_row[k] && !holds_more(arc.held, before)) least = std::min(least, arc.tau / period);
    for (int j = 0; j < mechanics.model().nc() && arc.end == ArcEnd::impact; ++j) {
      if (arc.held.contacts[j] || std::find(arc.struck.begin(), arc.struck.end(), j) != arc.struck.end()) continue;
      const double size = gap_scale(mechanics.model(), j, jet.t_end, jet.Y.data(), equations.sizes().y.data());
      least = std::min(least, mechanics.gap(j, jet.t_end, jet.Y.data()) / size);
    }
  }
  return least;
}

double nearest_sticking(ChainEquations& equations, const OrbitChain& chain) {
  double least = 1.0;
  if (!chain.has_events()) return least;
  OrbitMechanics& mechanics = equations.mechanics();
  const Model& model = mechanics.model();
  const double period = chain.period();
  std::vector<double> e(static_cast<std::size_t>(model.nc()));
  for (std::size_t k = 0; k < chain.arcs.size(); ++k) {
    const OrbitArc &arc = chain.arcs[k], &next = chain.arcs[(k + 1) % chain.arcs.size()];
    const ArcJet& jet = equations.jets()[k];
    if (holds_more(next.held, arc.held)) least = std::min(least, next.tau / period);
    // Without rebound, and not held: Γ > 0.
    if (model.nc() > 0) model.restitution(jet.t_end, jet.Y.data(), e.data());
    for (const int j : arc.struck) {
      if (next.held.contacts[j] || e[j] != 0.0) continue;
      const double* speeds = equations.sizes().y.data() + model.nq();
      const double size = gap_scale(model, j, jet.t_end, jet.Y.data(), speeds) / period;
      least = std::min(least, mechanics.flow().separation(jet.t_end, jet.y_plus.data(), next.held, j) / size);
    }
    // A slip that only turns round: what would hold it is more than friction has.
    if (arc.end != ArcEnd::stops || next.held.frictions[arc.which].mode != Mode::slide) continue;
    OrbitHold stuck = next.held;
    stuck.frictions[arc.which] = {Mode::stick, {}};
    const double reserve = mechanics.flow().reserve(jet.t_end, jet.y_plus.data(), stuck, arc.which);
    const double size =
        std::abs(mechanics.flow().reserve(jet.t_end, jet.y_plus.data(), next.held, arc.which)) + std::abs(reserve);
    if (size > 0.0) least = std::min(least, -reserve / size);
  }
  return least;
}

}  // namespace ricochet
