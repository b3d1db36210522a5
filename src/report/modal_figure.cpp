// Bars and beams computed by modes: their shape, put together from the modes.
#include <algorithm>
#include <type_traits>

#include "report/animation.hpp"
#include "scenario/build/build_model.hpp"

namespace ricochet::report {

namespace {

constexpr std::uint64_t elements_max = 2000;                   // whose modes are found anew for a page
constexpr std::size_t nodes_max = 60, values_max = 1'000'000;  // that are drawn

// Where the slope of a node is among the unknowns, their number if there is none.
std::size_t slope_at(const BuiltModel& built, double abscissa) {
  for (std::size_t i = 0; i < built.abscissa.size(); ++i)
    if (built.is_slope[i] && built.abscissa[i] == abscissa) return i;
  return built.abscissa.size();
}

// Σ φ_ik η_k in every row.
std::vector<double> displacement(const StoredResult& result, const ModalBasis& basis, std::size_t unknown) {
  std::vector<double> values(result.rows(), 0.0);
  for (int mode = 0; mode < basis.m; ++mode) {
    const double share = basis.shape(static_cast<int>(unknown), mode);
    const std::vector<double>& eta = result.q[static_cast<std::size_t>(mode)];
    for (std::size_t row = 0; row < values.size(); ++row) values[row] += share * eta[row];
  }
  return values;
}

Json shape_of(const StoredResult& result, const LineDescription& line, const BuiltModel& built, bool beam,
              StoredResult::Columns& columns) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < built.abscissa.size(); ++i)
    if (!built.is_slope[i]) nodes.push_back(i);
  Json places = Json::array(), abscissae = Json::array(), slopes = Json::array();
  const auto add = [&](std::size_t unknown) {
    columns.push_back(displacement(result, *built.basis, unknown));
    return static_cast<int>(columns.size()) - 1;
  };
  const std::size_t most =
      std::clamp<std::size_t>(values_max / (2 * std::max<std::size_t>(1, result.rows())), 9, nodes_max);
  const std::size_t step = std::max<std::size_t>(1, (nodes.size() + most - 1) / most);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (k % step != 0 && k + 1 != nodes.size()) continue;
    places.push_back(add(nodes[k]));
    abscissae.push_back(built.abscissa[nodes[k]]);
    const std::size_t slope = slope_at(built, built.abscissa[nodes[k]]);
    slopes.push_back(slope < built.abscissa.size() ? add(slope) : -1);
  }
  return {{"figure", beam ? "beam" : "bar"},
          {"q", places},
          {"source", "drawn"},
          {"abscissae", abscissae},
          {"slopes", slopes},
          {"length", evaluate_quantity(line.length, built.parameters, "length")},
          {"ends", {line.left != "free", line.right != "free"}}};
}

}  // namespace

std::optional<Json> modal_figure(const StoredResult& result, const Scenario& scenario, StoredResult::Columns& columns) {
  return std::visit(
      [&](const auto& model) -> std::optional<Json> {
        using Kind = std::decay_t<decltype(model)>;
        if constexpr (std::is_base_of_v<LineDescription, Kind>) {
          if (model.modes == 0 || model.elements > elements_max) return std::nullopt;
          const BuiltModel built = build_model(model, nullptr);
          if (!built.basis || static_cast<std::size_t>(built.basis->m) != result.q.size()) return std::nullopt;
          return shape_of(result, model, built, std::is_same_v<Kind, BeamDescription>, columns);
        } else {
          return std::nullopt;
        }
      },
      scenario.model);
}

}  // namespace ricochet::report
