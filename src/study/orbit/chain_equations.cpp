#include "study/orbit/chain_equations.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

// (8 (f(s) − f(−s)) − (f(2s) − f(−2s)))/(12 s), exact for polynomials of degree 4. at(s, f) gives f; false ends it.
template <class At>
bool five_points(double s, std::size_t n, const At& at, double* slope) {
  constexpr double places[] = {1.0, -1.0, 2.0, -2.0}, weights[] = {8.0, -8.0, -1.0, 1.0};
  std::vector<double> f(n);
  std::fill_n(slope, n, 0.0);
  for (int k = 0; k < 4; ++k) {
    if (!at(places[k] * s, f.data())) return false;
    for (std::size_t i = 0; i < n; ++i) slope[i] += weights[k] * f[i];
  }
  for (std::size_t i = 0; i < n; ++i) slope[i] /= 12.0 * s;
  return true;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

const OrbitArc& next_of(const OrbitChain& chain, std::size_t k) { return chain.arcs[(k + 1) % chain.arcs.size()]; }

constexpr double reach = 3e-4;  // of differences of what is not linear, of the size of a component

}  // namespace

double ArcJet::condition_rate() const { return dot(gradient, f_minus) + condition_t; }

double OrbitMechanics::condition(const OrbitArc& arc, double t, const double* Y) {
  switch (arc.end) {
    case ArcEnd::impact: return map_.gap(arc.which, t, Y);
    case ArcEnd::opens: return flow_.force(t, Y, arc.held, arc.which);
    case ArcEnd::stops: return flow_.slip_along(t, Y, arc.held, arc.which);
    case ArcEnd::slips: return flow_.reserve(t, Y, arc.held, arc.which);
    case ArcEnd::period: break;
  }
  return 0.0;
}

bool OrbitMechanics::end(const OrbitArc& arc, const OrbitHold& next, double t, const double* Y, double* y_plus,
                         double& value) {
  std::copy_n(Y, flow_.size(), y_plus);
  value = condition(arc, t, Y);
  for (const OrbitBlow& blow : arc.blows)
    if (!map_.strike(t, Y, blow, y_plus + model().nq())) return false;
  return map_.hold(t, next, y_plus);
}

ChainEquations::ChainEquations(OrbitMechanics& mechanics, const OrbitChain& around)
    : mechanics_(&mechanics), n_(mechanics.flow().size()), forced_(mechanics.system().is_forced()), around_(around) {
  has_time_ = forced_ && around.has_events();
  has_phase_ = !forced_ && !around.has_events();
  const int arcs = static_cast<int>(around.arcs.size());
  size_ = arcs * (n_ + 1) + (has_time_ ? 1 : 0) + static_cast<int>(around.unknown_shifts.size());
  steps_.resize(around.arcs.size());
  jets_.resize(around.arcs.size());
  find_sizes(around);
  mechanics_->flow().set_sizes(sizes_.y);
  condition_sizes_.assign(around.arcs.size(), 1.0);
  double t = around.t;
  for (std::size_t k = 0; k < around.arcs.size(); ++k) {
    ArcJet& jet = jets_[k];
    jet.t_end = t + around.arcs[k].tau;
    jet.Y = around.arcs[k].y;
    if (differentiate_end(around.arcs[k], next_of(around, k).held, jet)) {
      double size = std::abs(jet.condition_t) * sizes_.t;
      for (int i = 0; i < n_; ++i) size += std::abs(jet.gradient[i]) * sizes_.y[i];
      if (size > 0.0 && std::isfinite(size)) condition_sizes_[k] = size;
    }
    t = jet.t_end;
  }
  phase_.assign(n_, 0.0);
  if (has_phase_ && mechanics_->flow().rate(around.t, around.arcs[0].y.data(), around.arcs[0].held, phase_.data())) {
    double length = 0.0;
    for (int i = 0; i < n_; ++i) phase_[i] /= sizes_.y[i], length += phase_[i] * phase_[i];
    for (double& f : phase_) f /= std::sqrt(length);
  }
}

// The largest of each component at the begins of arcs and on their way, from where the chain begins if it comes back
// shifted: such a coordinate has no origin. One that is always 0 has the size that others
// would give it, which only differences need.
void ChainEquations::find_sizes(const OrbitChain& chain) {
  constexpr int looks = 8;
  const int nq = mechanics_->model().nq();
  sizes_.t = chain.period();
  sizes_.y.assign(n_, 0.0);
  std::vector<double> y, origin(n_, 0.0);
  for (int i = 0; i < n_; ++i)
    if (chain.shift[i] != 0.0) origin[i] = chain.arcs[0].y[i];
  for (const int i : chain.unknown_shifts) origin[i] = chain.arcs[0].y[i];
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    y = arc.y;
    for (int look = 0; look <= looks; ++look) {
      for (int i = 0; i < n_; ++i)
        if (std::isfinite(y[i])) sizes_.y[i] = std::max(sizes_.y[i], std::abs(y[i] - origin[i]));
      ArcFlow::Steps steps;
      if (look == looks || !mechanics_->flow().advance(t, arc.tau / looks, y.data(), arc.held, steps, y.data())) break;
      t += arc.tau / looks;
    }
  }
  for (int i = 0; i < nq; ++i) {
    double &q = sizes_.y[i], &v = sizes_.y[nq + i];
    q = std::max(q, 1e-3 * v * sizes_.t), v = std::max(v, 1e-3 * q / sizes_.t);
  }
  const double largest = *std::max_element(sizes_.y.begin(), sizes_.y.end());
  for (double& size : sizes_.y)
    if (!(size > 0.0)) size = largest > 0.0 ? largest : 1.0;
}

void ChainEquations::use(OrbitMechanics& mechanics) {
  mechanics_ = &mechanics;
  mechanics.flow().set_sizes(sizes_.y);
}

std::vector<double> ChainEquations::scales() const {
  std::vector<double> scales;
  if (has_time_) scales.push_back(sizes_.t);
  for (std::size_t k = 0; k < around_.arcs.size(); ++k) {
    scales.insert(scales.end(), sizes_.y.begin(), sizes_.y.end());
    scales.push_back(sizes_.t);
  }
  for (const int i : around_.unknown_shifts) scales.push_back(sizes_.y[i]);
  return scales;
}

std::vector<double> ChainEquations::pack(const OrbitChain& chain) const {
  std::vector<double> x;
  if (has_time_) x.push_back(chain.t / sizes_.t);
  for (const OrbitArc& arc : chain.arcs) {
    for (int i = 0; i < n_; ++i) x.push_back(arc.y[i] / sizes_.y[i]);
    x.push_back(arc.tau / sizes_.t);
  }
  for (const int i : chain.unknown_shifts) x.push_back(chain.shift[i] / sizes_.y[i]);
  return x;
}

void ChainEquations::unpack(const std::vector<double>& x, OrbitChain& chain) const {
  std::size_t at = 0;
  if (has_time_) chain.t = x[at++] * sizes_.t;
  for (OrbitArc& arc : chain.arcs) {
    for (int i = 0; i < n_; ++i) arc.y[i] = x[at++] * sizes_.y[i];
    arc.tau = x[at++] * sizes_.t;
  }
  for (const int i : chain.unknown_shifts) chain.shift[i] = x[at++] * sizes_.y[i];
}

bool ChainEquations::residual(OrbitMechanics& mechanics, const OrbitChain& chain, std::vector<double>& F) {
  const std::size_t arcs = chain.arcs.size();
  std::vector<double> Y(n_), y_plus(n_);
  F.assign(size_, 0.0);
  double t = chain.t, sum = 0.0;
  std::size_t row = 0;
  for (std::size_t k = 0; k < arcs; ++k) {
    const OrbitArc& arc = chain.arcs[k];
    double condition = 0.0;
    ArcFlow::Steps own;
    ArcFlow::Steps& steps = &mechanics == mechanics_ ? own : steps_[k];
    if (!mechanics.flow().advance(t, arc.tau, arc.y.data(), arc.held, steps, Y.data())) return false;
    if (&mechanics == mechanics_) steps_[k] = own;
    if (!mechanics.end(arc, next_of(chain, k).held, t + arc.tau, Y.data(), y_plus.data(), condition)) return false;
    const bool last = k + 1 == arcs;
    const std::vector<double>& next = chain.arcs[last ? 0 : k + 1].y;
    for (int i = 0; i < n_; ++i) F[row++] = (next[i] + (last ? chain.shift[i] : 0.0) - y_plus[i]) / sizes_.y[i];
    if (arc.end != ArcEnd::period) F[row++] = condition / condition_sizes_[k];
    t += arc.tau, sum += arc.tau;
  }
  if (forced_) F[row++] = (sum - static_cast<double>(chain.periods) * mechanics.system().period) / sizes_.t;
  if (has_phase_)
    for (int i = 0; i < n_; ++i) F[row] += phase_[i] * (chain.arcs[0].y[i] - around_.arcs[0].y[i]) / sizes_.y[i];
  row += has_phase_ ? 1 : 0;
  for (const int i : chain.unknown_shifts) F[row++] = (chain.arcs[0].y[i] - around_.arcs[0].y[i]) / sizes_.y[i];
  return std::all_of(F.begin(), F.end(), [](double f) { return std::isfinite(f); });
}

bool ChainEquations::differentiate_flow(const OrbitArc& arc, double t, ArcFlow::Steps& steps, ArcJet& jet) {
  ArcFlow& flow = mechanics_->flow();
  const double far = flow.is_exact() ? 1.0 : reach;
  jet.X = DenseMatrix(n_, n_);
  jet.flow_t.assign(n_, 0.0);
  std::vector<double> y = arc.y, begin;
  for (int i = 0; i < n_; ++i) {
    // From where what is held is held: beside it, motions part from each other much faster.
    const auto at = [&](double s, double* Y) {
      begin = y;
      begin[i] += s;
      if (arc.held.any() && !mechanics_->impacts().hold(t, arc.held, begin.data())) return false;
      return flow.advance(t, arc.tau, begin.data(), arc.held, steps, Y);
    };
    if (!five_points(far * sizes_.y[i], n_, at, jet.X.col(i))) return false;
  }
  if (!forced_) return true;
  const auto later = [&](double s, double* Y) { return flow.advance(t + s, arc.tau, y.data(), arc.held, steps, Y); };
  return five_points(reach * mechanics_->system().period, n_, later, jet.flow_t.data());
}

bool ChainEquations::differentiate_end(const OrbitArc& arc, const OrbitHold& next, ArcJet& jet) {
  jet.A = DenseMatrix(n_, n_);
  jet.end_t.assign(n_, 0.0);
  jet.gradient.assign(n_, 0.0);
  jet.condition_t = 0.0;
  std::vector<double> Y = jet.Y, slope(n_ + 1);
  if (arc.end == ArcEnd::period && !next.any() && mechanics_->model().nb() == 0) {
    for (int i = 0; i < n_; ++i) jet.A(i, i) = 1.0;
    return true;
  }
  for (int i = 0; i < n_; ++i) {
    const auto at = [&](double s, double* f) {
      Y[i] = jet.Y[i] + s;
      return mechanics_->end(arc, next, jet.t_end, Y.data(), f, f[n_]);
    };
    if (!five_points(reach * sizes_.y[i], n_ + 1, at, slope.data())) return false;
    Y[i] = jet.Y[i];
    std::copy_n(slope.begin(), n_, jet.A.col(i));
    jet.gradient[i] = slope[n_];
  }
  if (!forced_) return true;
  const auto later = [&](double s, double* f) { return mechanics_->end(arc, next, jet.t_end + s, Y.data(), f, f[n_]); };
  if (!five_points(reach * mechanics_->system().period, n_ + 1, later, slope.data())) return false;
  std::copy_n(slope.begin(), n_, jet.end_t.begin());
  jet.condition_t = slope[n_];
  return true;
}

bool ChainEquations::jet(const OrbitArc& arc, const OrbitHold& next, double t, ArcFlow::Steps& steps, ArcJet& jet) {
  jet.t_end = t + arc.tau;
  jet.Y.resize(n_), jet.y_plus.resize(n_), jet.f_minus.resize(n_), jet.f_plus.resize(n_);
  ArcFlow& flow = mechanics_->flow();
  steps.clear();
  return flow.advance(t, arc.tau, arc.y.data(), arc.held, steps, jet.Y.data()) &&
         mechanics_->end(arc, next, jet.t_end, jet.Y.data(), jet.y_plus.data(), jet.condition) &&
         flow.rate(jet.t_end, jet.Y.data(), arc.held, jet.f_minus.data()) && differentiate_flow(arc, t, steps, jet) &&
         differentiate_end(arc, next, jet);
}

bool ChainEquations::jacobian(const OrbitChain& chain, DenseMatrix& J) {
  const int arcs = static_cast<int>(chain.arcs.size()), width = n_ + 1, first = has_time_ ? 1 : 0;
  double t = chain.t;
  for (int k = 0; k < arcs; ++k) {
    if (!jet(chain.arcs[k], next_of(chain, k).held, t, steps_[k], jets_[k])) return false;
    t = jets_[k].t_end;
  }
  for (int k = 0; k < arcs; ++k) {
    ArcJet& jet = jets_[k];
    const OrbitArc& next = chain.arcs[(k + 1) % arcs];
    if (!mechanics_->flow().rate(jet.t_end, jet.y_plus.data(), next.held, jet.f_plus.data())) return false;
  }

  int row = 0;
  for (int k = 0; k < arcs; ++k) {
    const ArcJet& jet = jets_[k];
    const OrbitArc& arc = chain.arcs[k];
    // rows of A X, A φ_t + R_t, A f⁻ + R_t, and of the condition likewise
    const auto put = [&](int i, const auto& through, double direct_t, double size, double sign) {
      for (int j = 0; j < n_; ++j) {
        double sum = 0.0;
        for (int l = 0; l < n_; ++l) sum += through(l) * jet.X(l, j);
        J(i, first + k * width + j) += sign * sum * sizes_.y[j] / size;
      }
      double by_begin = direct_t, by_length = direct_t;
      for (int l = 0; l < n_; ++l) by_begin += through(l) * jet.flow_t[l], by_length += through(l) * jet.f_minus[l];
      J(i, first + k * width + n_) += sign * by_length * sizes_.t / size;
      if (!forced_) return;
      if (has_time_) J(i, 0) += sign * by_begin * sizes_.t / size;
      for (int before = 0; before < k; ++before) J(i, first + before * width + n_) += sign * by_begin * sizes_.t / size;
    };
    const int after = (k + 1) % arcs;
    for (int i = 0; i < n_; ++i, ++row) {
      J(row, first + after * width + i) += 1.0;
      put(
          row, [&](int l) { return jet.A(i, l); }, jet.end_t[i], sizes_.y[i], -1.0);
    }
    if (arc.end == ArcEnd::period) continue;
    put(
        row++, [&](int l) { return jet.gradient[l]; }, jet.condition_t, condition_sizes_[k], 1.0);
  }
  int column = first + arcs * width;
  const int wrap = row - n_ - (chain.has_events() ? 1 : 0);  // where the last arc meets the first
  if (forced_) {
    for (int k = 0; k < arcs; ++k) J(row, first + k * width + n_) = 1.0;
    ++row;
  }
  if (has_phase_) {
    for (int i = 0; i < n_; ++i) J(row, first + i) = phase_[i];
    ++row;
  }
  for (const int i : chain.unknown_shifts) {
    J(wrap + i, column++) = 1.0;
    J(row++, first + i) = 1.0;
  }
  return true;
}

std::optional<NewtonEnd> solve_chain(ChainEquations& equations, OrbitChain& chain) {
  constexpr int most = 30, halvings = 6;
  constexpr double good = 1e-9, round_off = 1e-15;
  const int n = equations.size();
  const std::vector<double> begin = equations.pack(chain);
  std::vector<double> F, x = begin, trial(n), best_x = x;
  const auto size = [](const std::vector<double>& f) {
    double largest = 0.0;
    for (const double entry : f) largest = std::max(largest, std::abs(entry));
    return largest;
  };
  if (!equations.residual(equations.mechanics(), chain, F)) return std::nullopt;
  double now = size(F), best = now;
  int iteration = 0, idle = 0;
  for (; iteration < most && now > round_off && idle < 3; ++iteration) {
    DenseMatrix J(n, n);
    if (!equations.jacobian(chain, J)) return std::nullopt;
    const std::optional<std::vector<double>> step = solve(J, F);
    if (!step) return std::nullopt;
    double part = 1.0;
    for (int k = 0; k <= halvings; ++k, part *= 0.5) {
      for (int i = 0; i < n; ++i) trial[i] = x[i] - part * (*step)[i];
      equations.unpack(trial, chain);
      const bool possible = equations.residual(equations.mechanics(), chain, F);
      if (possible && (size(F) < now || size(F) < 1e-10)) break;
      if (k == halvings && !possible) return std::nullopt;
    }
    x = trial;
    now = size(F);
    idle = now < 0.5 * best ? 0 : idle + 1;
    if (now < best) best = now, best_x = x;
    if (now < 1e-13 && idle > 0) break;
  }
  equations.unpack(best_x, chain);
  if (!(best < good)) return std::nullopt;
  NewtonEnd end{best, iteration};
  for (int i = 0; i < n; ++i) end.moved = std::max(end.moved, std::abs(best_x[i] - begin[i]));
  return end;
}

}  // namespace ricochet
