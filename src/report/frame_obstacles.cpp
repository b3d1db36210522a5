// Obstacles of a frame, drawn as lines.
#include <algorithm>
#include <cmath>

#include "report/animation.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"

namespace ricochet::report {
namespace {

// "arm_3_x" is x of the node arm_3.
std::string node_of(const std::string& coordinate) { return coordinate.substr(0, coordinate.find_last_of('_')); }

std::vector<double> row_of(const StoredResult& result, std::size_t row) {
  std::vector<double> q;
  for (const std::vector<double>& column : result.q) q.push_back(column[row]);
  return q;
}

}  // namespace

std::vector<ObstacleLine> frame_obstacles(const StoredResult& result) {
  std::vector<ObstacleLine> lines;
  try {
    const Scenario scenario = parse_scenario(result.scenario_text, "scenario");
    if (!std::holds_alternative<FrameDescription>(scenario.model) || result.rows() == 0) return {};
    const Problem problem = build(scenario);
    const Model& model = *problem.model;
    const Layout& layout = model.layout();
    if (layout.coordinates != result.coordinates) return {};
    const std::size_t last = result.rows() - 1;
    const std::vector<double> q = row_of(result, last), q_first = row_of(result, 0);
    const double t = result.t[last];
    std::vector<double> g(model.nc()), H(layout.gradient.size()), H_first(H);
    model.gap(t, q.data(), g.data());
    model.gap_gradient(t, q.data(), H.data());
    model.gap_gradient(t, q_first.data(), H_first.data());
    for (int j = 0; j < model.nc(); ++j) {
      // a x + b y + c of one node; where the gradient changes, or the angle counts, it is no line.
      ObstacleLine line{0.0, 0.0, g[j]};
      std::string node;
      bool is_line = true;
      for (int k = layout.gradient.start[j]; k < layout.gradient.start[j + 1]; ++k) {
        const std::string& name = layout.coordinates[layout.gradient.row[k]];
        is_line = is_line && H[k] == H_first[k] && (name.ends_with("_x") || name.ends_with("_y")) &&
                  (node.empty() || node == node_of(name));
        node = node_of(name);
        (name.ends_with("_x") ? line.a : line.b) += H[k];
        line.c -= H[k] * q[layout.gradient.row[k]];
      }
      const double length = std::hypot(line.a, line.b);
      if (!is_line || !(length > 0.0)) continue;
      line = {line.a / length, line.b / length, line.c / length};
      const auto same = [&](const ObstacleLine& other) {
        return std::hypot(other.a - line.a, other.b - line.b) < 1e-9 &&
               std::abs(other.c - line.c) <= 1e-9 * (std::abs(line.c) + std::abs(other.c));
      };
      if (std::none_of(lines.begin(), lines.end(), same)) lines.push_back(line);
    }
  } catch (const Error&) {  // a scenario of another version, or one that names files
    return {};
  }
  return lines;
}

}  // namespace ricochet::report
