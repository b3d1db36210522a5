#include "ricochet/study/norms.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr std::size_t most_graphs = 16;
constexpr double vertices_a_step = 8.0;

double largest(const double* a, const double* b, std::size_t n) {
  double size = 0.0;
  for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(a[j] - (b == nullptr ? 0.0 : b[j])));
  return size;
}

// Largest distance of the graphs of one coordinate, over the coordinates.
double graph_distance(const Trajectory& path, std::size_t begin, std::size_t end, std::size_t nq,
                      const std::vector<Graph>& graphs) {
  double worst = 0.0;
  for (std::size_t j = 0; j < nq; ++j) {
    Graph graph;
    for (std::size_t i = begin; i < end; ++i) {
      graph.t.push_back(path.t[i]);
      graph.x.push_back(path.v[i * nq + j]);
    }
    worst = std::max(worst, hausdorff(graph, cut(graphs[j], graph.t.back())).bound);
  }
  return worst;
}

}  // namespace

MeasuringStick measuring_stick(const ReferenceMotion& motion, TimeSpan window, double h) {
  MeasuringStick stick{&motion};
  if (!motion.has_velocity()) return stick;
  const std::size_t nq = motion.sample({window.from}).q.size();
  if (nq <= most_graphs) stick.graphs = motion.velocity_graphs(window, h / vertices_a_step);
  return stick;
}

Errors measure(const Model& model, const Trajectory& path, TimeSpan window, const MeasuringStick& stick) {
  Errors errors;
  const auto nq = static_cast<std::size_t>(model.nq());
  const double slack = 1e-12 * (window.until - window.from);
  const auto begin =
      static_cast<std::size_t>(std::lower_bound(path.t.begin(), path.t.end(), window.from - slack) - path.t.begin());
  const auto end =
      static_cast<std::size_t>(std::upper_bound(path.t.begin(), path.t.end(), window.until + slack) - path.t.begin());
  // Sums go over the nodes of the grid; states at impacts belong to the graphs only.
  std::vector<std::size_t> nodes;
  std::vector<double> times;
  for (std::size_t i = begin; i < end; ++i) {
    if (!path.event.empty() && path.event[i] != 0) continue;
    nodes.push_back(i);
    times.push_back(std::clamp(path.t[i], stick.motion->window().from, stick.motion->window().until));
  }
  if (nodes.size() < 2) return errors;
  const double h = (path.t[nodes.back()] - path.t[nodes.front()]) / static_cast<double>(nodes.size() - 1);
  const MotionSamples exact = stick.motion->sample(times);
  const bool with_v = stick.motion->has_velocity();

  double q_sup = 0.0, q_sum = 0.0, q_squares = 0.0, v_sum = 0.0, v_squares = 0.0, energy = 0.0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::size_t i = nodes[k];
    const double q = largest(&path.q[i * nq], &exact.q[k * nq], nq);
    q_sup = std::max(q_sup, q);
    q_sum += h * q;
    q_squares += h * q * q;
    if (!with_v) continue;
    const double v = largest(&path.v[i * nq], &exact.v[k * nq], nq);
    v_sum += h * v;
    v_squares += h * v * v;
    const double E = model.energy(path.t[i], &exact.q[k * nq], &exact.v[k * nq]).total();
    energy += std::abs(path.kinetic[i] + path.potential[i] - E);
  }
  errors[Norm::q_sup] = q_sup;
  errors[Norm::q_l1] = q_sum;
  errors[Norm::q_l2] = std::sqrt(q_squares);
  if (!with_v) return errors;
  errors[Norm::v_l1] = v_sum;
  errors[Norm::v_l2] = std::sqrt(v_squares);
  errors[Norm::energy] = energy / static_cast<double>(nodes.size());
  if (!stick.graphs.empty()) errors[Norm::v_hausdorff] = graph_distance(path, begin, end, nq, stick.graphs);
  return errors;
}

Errors size_of(const Model& model, const ReferenceMotion& motion, TimeSpan window, std::size_t nodes) {
  const auto nq = static_cast<std::size_t>(model.nq());
  const double width = window.until - window.from;
  std::vector<double> times;
  for (std::size_t i = 0; i <= nodes; ++i)
    times.push_back(std::min(window.until, window.from + width * static_cast<double>(i) / static_cast<double>(nodes)));
  const MotionSamples samples = motion.sample(times);
  double q = 0.0, v = 0.0, energy = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    q = std::max(q, largest(&samples.q[i * nq], nullptr, nq));
    if (samples.v.empty()) continue;
    v = std::max(v, largest(&samples.v[i * nq], nullptr, nq));
    const Energy<double> E = model.energy(times[i], &samples.q[i * nq], &samples.v[i * nq]);
    energy = std::max({energy, std::abs(E.kinetic), std::abs(E.total())});
  }
  Errors size;
  size[Norm::q_sup] = q;
  size[Norm::q_l1] = q * width;
  size[Norm::q_l2] = q * std::sqrt(width);
  size[Norm::v_l1] = v * width;
  size[Norm::v_l2] = v * std::sqrt(width);
  size[Norm::v_hausdorff] = v;
  size[Norm::energy] = energy;
  return size;
}

// With x = log h, y = log e: slope b = S_xy/S_xx, its standard error √(Σ r²/((n − 2) S_xx)).
OrderFit fit_order(const std::vector<double>& h, const std::vector<double>& error, double floor) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (!(error[i] > floor) || !std::isfinite(error[i]) || !(h[i] > 0.0)) continue;
    x.push_back(std::log(h[i]));
    y.push_back(std::log(error[i]));
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  OrderFit fit{nan, nan, x.size()};
  if (x.size() < 2) return fit;
  const auto n = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, rest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i)
    xx += (x[i] - mean_x) * (x[i] - mean_x), xy += (x[i] - mean_x) * (y[i] - mean_y);
  if (!(xx > 0.0)) return fit;
  fit.order = xy / xx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = y[i] - mean_y - fit.order * (x[i] - mean_x);
    rest += r * r;
  }
  if (x.size() > 2) fit.spread = std::sqrt(rest / ((n - 2.0) * xx));
  return fit;
}

}  // namespace ricochet
