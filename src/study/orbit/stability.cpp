#include "study/orbit/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/scheme/event_driven.hpp"

namespace ricochet {
namespace {

DenseMatrix product(const DenseMatrix& A, const DenseMatrix& B) {
  DenseMatrix C(A.rows, B.cols);
  for (int j = 0; j < B.cols; ++j)
    for (int k = 0; k < A.cols; ++k)
      for (int i = 0; i < A.rows; ++i) C(i, j) += A(i, k) * B(k, j);
  return C;
}

// S of (3) in ricochet/study/orbit.hpp.
DenseMatrix saltation(const ArcJet& jet) {
  const int n = static_cast<int>(jet.Y.size());
  DenseMatrix S = jet.A;
  const double rate = jet.condition_rate();
  for (int i = 0; i < n; ++i) {
    double jump = jet.f_plus[i] - jet.end_t[i];
    for (int l = 0; l < n; ++l) jump -= jet.A(i, l) * jet.f_minus[l];
    for (int j = 0; j < n; ++j) S(i, j) += jump * jet.gradient[j] / rate;
  }
  return S;
}

// Directions of multipliers that are 1: along the motion without a load, and along coordinates that come back shifted.
DenseMatrix neutral_directions(const ChainEquations& equations, const OrbitChain& chain, bool forced) {
  const int n = static_cast<int>(chain.shift.size()), shifts = static_cast<int>(chain.unknown_shifts.size());
  DenseMatrix directions(n, shifts + (forced ? 0 : 1));
  for (int k = 0; k < shifts; ++k) directions(chain.unknown_shifts[k], k) = 1.0;
  if (forced) return directions;
  const std::vector<double>& f = equations.jets().back().f_plus;
  for (int i = 0; i < n; ++i) directions(i, shifts) = f[i] / equations.sizes().y[i];
  return directions;
}

std::vector<double> state_along(OrbitMechanics& mechanics, const OrbitArc& arc, double t, double s) {
  std::vector<double> y = arc.y;
  ArcFlow::Steps steps;
  mechanics.flow().advance(t, s, arc.y.data(), arc.held, steps, y.data());
  return y;
}

State state_of(const std::vector<double>& y, double t, int nq) {
  return {t, {y.begin(), y.begin() + nq}, {y.begin() + nq, y.begin() + 2 * nq}, {y.begin() + 2 * nq, y.end()}};
}

// The largest difference of two states, relative to the sizes.
double distance(const State& a, const std::vector<double>& b, const OrbitSizes& sizes) {
  double largest = 0.0;
  std::size_t i = 0;
  for (const std::vector<double>* part : {&a.q, &a.v, &a.z})
    for (const double x : *part) {
      const double off = std::abs(x - b[i]) / sizes.y[i];
      largest = off <= largest ? largest : off;
      ++i;
    }
  return largest;
}

// At a whole number of periods after the start of the chain's time, modulo the period of the orbit.
State section_state(OrbitMechanics& mechanics, const OrbitChain& chain) {
  const int nq = mechanics.model().nq();
  if (!mechanics.system().is_forced()) return state_of(chain.arcs[0].y, chain.t, nq);
  const double T = mechanics.system().period, section = std::ceil(chain.t / T - 1e-12) * T;
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    if (section <= t + arc.tau) return state_of(state_along(mechanics, arc, t, section - t), section, nq);
    t += arc.tau;
  }
  return state_of(chain.arcs[0].y, chain.t, nq);
}

}  // namespace

DenseMatrix monodromy(const std::vector<ArcJet>& jets, const OrbitChain& chain) {
  DenseMatrix total;
  for (std::size_t k = 0; k < jets.size(); ++k) {
    const DenseMatrix arc = chain.arcs[k].struck.empty() ? jets[k].X : product(saltation(jets[k]), jets[k].X);
    total = k == 0 ? arc : product(arc, total);
  }
  return total;
}

// With Q orthonormal, its first columns a basis of the neutral directions, which the matrix leaves where they are:
// Qᵀ M Q is block triangular, and the block of the other columns has the eigenvalues that are left.
std::vector<std::complex<double>> multipliers(const DenseMatrix& monodromy, const ChainEquations& equations,
                                              const OrbitChain& chain, bool forced) {
  const int n = monodromy.rows;
  DenseMatrix scaled = monodromy;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) scaled(i, j) *= equations.sizes().y[j] / equations.sizes().y[i];
  const DenseMatrix neutral = neutral_directions(equations, chain, forced);
  if (neutral.cols == 0) return eigenvalues(scaled);
  const DenseMatrix rest = complement_basis(neutral);
  DenseMatrix turned(rest.cols, n);
  for (int i = 0; i < rest.cols; ++i)
    for (int j = 0; j < n; ++j) turned(i, j) = rest(j, i);
  return eigenvalues(product(turned, product(scaled, rest)));
}

GapMinimum lowest_gap(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes) {
  const Model& model = mechanics.model();
  const int nc = model.nc(), nq = model.nq();
  GapMinimum lowest{.gap = std::numeric_limits<double>::infinity()};
  std::vector<double> y, next, middle, H(static_cast<std::size_t>(model.layout().gradient.size()));
  double t0 = chain.t;
  for (std::size_t k = 0; k < chain.arcs.size(); ++k) {
    const OrbitArc& arc = chain.arcs[k];
    y = state_along(mechanics, arc, t0, arc.tau);
    const int looks = static_cast<int>(std::clamp(2.0 * arc.tau * mechanics.flow().fastest(), 48.0, 4096.0));
    const double ds = arc.tau / looks;
    y = arc.y;
    for (int look = 0; look < looks; ++look) {
      const double s = look * ds, t = t0 + s;
      ArcFlow::Steps steps;
      next.resize(y.size());
      if (!mechanics.flow().advance(t, ds, y.data(), arc.held, steps, next.data())) break;
      for (int j = 0; j < nc; ++j) {
        if (!arc.held.empty() && arc.held[j]) continue;
        double u0 = mechanics.gap_rate(j, t, y.data()), u1 = mechanics.gap_rate(j, t + ds, next.data());
        if (!(u0 < 0.0 && u1 >= 0.0)) continue;
        // U = 0: regula falsi with halved weights (Illinois)
        double a = 0.0, b = ds;
        middle = next;
        double at = b;
        int side = 0;
        for (int i = 0; i < 60 && b - a > 1e-15 * arc.tau && u1 != 0.0; ++i) {
          at = i < 30 ? a + (b - a) * (u0 / (u0 - u1)) : 0.5 * (a + b);
          ArcFlow::Steps inner;
          if (!mechanics.flow().advance(t, at, y.data(), arc.held, inner, middle.data())) break;
          const double u = mechanics.gap_rate(j, t + at, middle.data());
          if (u == 0.0) break;
          if (u > 0.0) {
            if (side == 1) u0 *= 0.5;
            b = at, u1 = u, side = 1;
          } else {
            if (side == -1) u1 *= 0.5;
            a = at, u0 = u, side = -1;
          }
        }
        model.gap_gradient(t + at, middle.data(), H.data());
        double size = 0.0;
        const Pattern& pattern = model.layout().gradient;
        for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
          size += std::abs(H[e]) * (pattern.row[e] < nq ? sizes.y[pattern.row[e]] : 0.0);
        const double gap = mechanics.gap(j, t + at, middle.data()) / (size > 0.0 ? size : 1.0);
        if (gap < lowest.gap) lowest = {j, k, s + at, gap};
      }
      y.swap(next);
    }
    t0 += arc.tau;
  }
  return lowest;
}

OrbitCheck run_again(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes, double growth) {
  const double same = std::min(1e-6 * std::max(1.0, growth), 1e-2);
  const OrbitArc& first = chain.arcs[0];
  const double T = chain.period(), begin = chain.t + 0.5 * first.tau;
  std::vector<double> y = state_along(mechanics, first, chain.t, 0.5 * first.tau);
  OrbitCheck check;
  try {
    const Scheme scheme = EventDriven{.rtol = 1e-12};
    const Solution run = simulate(mechanics.model(), state_of(y, begin, mechanics.model().nq()), {begin, begin + T},
                                  scheme, {.h = T, .record_every = 0, .keep = true});
    check.energy = run.energy;
    if (run.status != Status::completed) {
      check.difference = run.failure.message;
      return check;
    }
    std::size_t expected = 0;
    for (const OrbitArc& arc : chain.arcs) expected += arc.struck.size();
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += chain.shift[i];
    const double off = distance(run.final, y, sizes);
    if (run.impact_count != expected)
      check.difference = fmt::format("the motion from there has {} impacts in a period where the chain has {}",
                                     run.impact_count, expected);
    else if (!(off < same))
      check.difference = fmt::format("the motion from there is off by {:.1e} of its size after a period", off);
  } catch (const InputError& error) {
    check.difference = error.what();
  }
  return check;
}

Orbit describe_orbit(ChainEquations& equations, const OrbitChain& chain, const NewtonEnd& end) {
  OrbitMechanics& mechanics = equations.mechanics();
  const Layout& layout = mechanics.model().layout();
  Orbit orbit;
  orbit.chain = chain;
  orbit.period = chain.period();
  orbit.residual = end.residual;
  orbit.iterations = end.iterations;
  // The impact that ends the last arc is the one in front of the first, a period before.
  double t = chain.t;
  for (std::size_t i = 0; i < chain.arcs.size(); ++i) {
    const std::size_t k = i == 0 ? chain.arcs.size() - 1 : i - 1;
    const ArcJet& jet = equations.jets()[k];
    if (i > 0) t += chain.arcs[k].tau;
    for (const int j : chain.arcs[k].struck) {
      const double before = mechanics.gap_rate(j, jet.t_end, jet.Y.data());
      orbit.impacts.push_back({t, j, before, mechanics.gap_rate(j, jet.t_end, jet.y_plus.data())});
      if (!(before < 0.0) && orbit.inadmissible.empty())
        orbit.inadmissible = fmt::format("constraint {} opens where it should strike", layout.constraints[j]);
    }
  }
  orbit.multipliers = multipliers(monodromy(equations.jets(), chain), equations, chain, mechanics.system().is_forced());
  orbit.stable = std::all_of(orbit.multipliers.begin(), orbit.multipliers.end(),
                             [](const std::complex<double>& mu) { return std::abs(mu) < 1.0; });
  orbit.state = section_state(mechanics, chain);
  const double growth = orbit.multipliers.empty() ? 1.0 : std::abs(orbit.multipliers.front());
  const OrbitCheck check = run_again(mechanics, chain, equations.sizes(), growth);
  orbit.energy = check.energy;
  if (orbit.inadmissible.empty()) orbit.inadmissible = check.difference;
  return orbit;
}

}  // namespace ricochet
