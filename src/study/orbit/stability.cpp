#include "study/orbit/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flow/quadrature.hpp"
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

// What is held along all arcs.
OrbitHold held_always(const OrbitChain& chain) {
  OrbitHold always = chain.arcs.front().held;
  for (const OrbitArc& arc : chain.arcs) {
    for (std::size_t j = 0; j < always.contacts.size(); ++j)
      if (!arc.held.contacts[j]) always.contacts[j] = 0;
    for (std::size_t k = 0; k < always.frictions.size(); ++k)
      if (arc.held.frictions[k].mode != OrbitFriction::Mode::stick) always.frictions[k] = {};
  }
  return always;
}

// The columns of both, side by side.
DenseMatrix beside(const DenseMatrix& A, const DenseMatrix& B) {
  DenseMatrix both(A.rows, A.cols + B.cols);
  std::copy(A.values.begin(), A.values.end(), both.values.begin());
  std::copy(B.values.begin(), B.values.end(), both.values.begin() + static_cast<std::ptrdiff_t>(A.values.size()));
  return both;
}

// Where an arc begins, scaled: directions of multipliers that are 1, along the motion without a load and along
// coordinates that come back shifted.
DenseMatrix neutral_directions(ChainEquations& equations, const OrbitChain& chain, std::size_t first) {
  const bool forced = equations.mechanics().system().is_forced();
  const int n = static_cast<int>(chain.shift.size()), shifts = static_cast<int>(chain.unknown_shifts.size());
  DenseMatrix directions(n, shifts + (forced ? 0 : 1));
  for (int k = 0; k < shifts; ++k) directions(chain.unknown_shifts[k], k) = 1.0;
  if (forced) return directions;
  const std::size_t before = (first + chain.arcs.size() - 1) % chain.arcs.size();
  const std::vector<double>& f = equations.jets()[before].f_plus;
  for (int i = 0; i < n; ++i) directions(i, shifts) = f[i] / equations.sizes().y[i];
  return directions;
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

// At whole numbers of periods of the load from the start of the chain's time on; without a load where it begins.
std::vector<State> returns_of(OrbitMechanics& mechanics, const OrbitChain& chain) {
  const int nq = mechanics.model().nq();
  std::vector<State> returns;
  const double T = mechanics.system().is_forced() ? mechanics.system().period : 0.0;
  double section = T > 0.0 ? std::ceil(chain.t / T - 1e-12) * T : 0.0, t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    for (; T > 0.0 && returns.size() < chain.periods && section <= t + arc.tau; section += T)
      returns.push_back(state_of(state_along(mechanics, arc, t, section - t), section, nq));
    t += arc.tau;
  }
  if (returns.empty()) returns.push_back(state_of(chain.arcs[0].y, chain.t, nq));
  return returns;
}

// √(1/T ∫ q_i² dt) by Gauss's rule, sixteen places an arc or period of the load.
std::vector<double> rms_of(OrbitMechanics& mechanics, const OrbitChain& chain) {
  std::vector<double> sums(mechanics.model().nq(), 0.0);
  const double panels = chain.has_events() ? 2.0 : 2.0 * static_cast<double>(chain.periods);
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    const double rate = 1.5 * (panels - 0.5) / arc.tau;
    for_each_gauss_place(0.0, arc.tau, rate, rate, [&](double s, double weight) {
      const std::vector<double> y = state_along(mechanics, arc, t, s);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * y[i] * y[i];
      return true;
    });
    t += arc.tau;
  }
  for (double& sum : sums) sum = std::sqrt(sum / chain.period());
  return sums;
}

}  // namespace

DenseMatrix monodromy(const std::vector<ArcJet>& jets, const OrbitChain& chain, std::size_t first) {
  DenseMatrix total;
  for (std::size_t i = 0; i < jets.size(); ++i) {
    const std::size_t k = (first + i) % jets.size();
    const DenseMatrix end = chain.arcs[k].end == ArcEnd::period ? jets[k].A : saltation(jets[k]);
    total = i == 0 ? product(end, jets[k].X) : product(product(end, jets[k].X), total);
  }
  return total;
}

// From the arc on that holds most, at its begin: all motions are then tangent to what it holds, T. With Q orthonormal,
// its first columns a basis of the normals of T and of the neutral directions, which the matrix leaves where they are,
// the block of the other columns has the eigenvalues that are left; normals of what is not held always have 0.
std::vector<std::complex<double>> multipliers(ChainEquations& equations, const OrbitChain& chain) {
  constexpr double independent = 1e-9;
  ImpactMap& map = equations.mechanics().impacts();
  const std::vector<double>& sizes = equations.sizes().y;
  const OrbitHold always = held_always(chain);
  const auto normals_at = [&](double t, std::size_t k, const OrbitHold& held) {
    const DenseMatrix all = map.normals(t, chain.arcs[k].y.data(), held, sizes);
    return all.cols > 0 ? column_basis(all, independent) : all;
  };
  DenseMatrix normals;
  std::size_t first = 0;
  double t = chain.t, t_first = t;
  for (std::size_t k = 0; k < chain.arcs.size(); t += chain.arcs[k++].tau) {
    DenseMatrix here = normals_at(t, k, chain.arcs[k].held);
    if (k == 0 || here.cols > normals.cols) normals = std::move(here), first = k, t_first = t;
  }
  const int kept = normals_at(t_first, first, always).cols;

  DenseMatrix scaled = monodromy(equations.jets(), chain, first);
  const int n = scaled.rows;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) scaled(i, j) *= sizes[j] / sizes[i];
  const DenseMatrix left_out = beside(normals, neutral_directions(equations, chain, first));
  if (left_out.cols == 0) return eigenvalues(scaled);
  std::vector<std::complex<double>> found;
  if (left_out.cols < n) {
    const DenseMatrix rest = complement_basis(left_out);
    DenseMatrix turned(rest.cols, n);
    for (int i = 0; i < rest.cols; ++i)
      for (int j = 0; j < n; ++j) turned(i, j) = rest(j, i);
    found = eigenvalues(product(turned, product(scaled, rest)));
  }
  found.resize(found.size() + static_cast<std::size_t>(normals.cols - kept), 0.0);
  return found;
}

OrbitCheck run_again(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes, double growth) {
  const double same = std::min(1e-6 * std::max(1.0, growth), 1e-2);
  // Round-off counts least inside the longest arc.
  const auto longest = std::max_element(chain.arcs.begin(), chain.arcs.end(),
                                        [](const OrbitArc& a, const OrbitArc& b) { return a.tau < b.tau; });
  double t = chain.t;
  for (auto arc = chain.arcs.begin(); arc != longest; ++arc) t += arc->tau;
  const double T = chain.period(), begin = t + 0.5 * longest->tau;
  std::vector<double> y = state_along(mechanics, *longest, t, 0.5 * longest->tau);
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
    // How many impacts of an accumulation are told apart depends on the flights before it.
    std::size_t expected = 0;
    for (const OrbitArc& arc : chain.arcs) expected += arc.struck.size();
    const std::vector<char> in_row = accumulating(chain);
    const bool accumulates = std::count(in_row.begin(), in_row.end(), 1) > 1;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += chain.shift[i];
    const double off = distance(run.final, y, sizes);
    if (run.impact_count != expected && !accumulates)
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
      orbit.impacts.push_back({t, j, before, mechanics.gap_rate(j, jet.t_end, jet.y_plus.data()), k});
      if (!(before < 0.0) && orbit.inadmissible.empty())
        orbit.inadmissible = fmt::format("constraint {} opens where it should strike", layout.constraints[j]);
    }
  }
  orbit.multipliers = multipliers(equations, chain);
  orbit.stable = std::all_of(orbit.multipliers.begin(), orbit.multipliers.end(),
                             [](const std::complex<double>& mu) { return std::abs(mu) < 1.0; });
  orbit.returns = returns_of(mechanics, chain);
  orbit.state = orbit.returns.front();
  orbit.rms = rms_of(mechanics, chain);
  const double growth = orbit.multipliers.empty() ? 1.0 : std::abs(orbit.multipliers.front());
  const OrbitCheck check = run_again(mechanics, chain, equations.sizes(), growth);
  orbit.energy = check.energy;
  if (orbit.inadmissible.empty()) orbit.inadmissible = check.difference;
  return orbit;
}

}  // namespace ricochet
