// What the animation shows beyond its own figures: what a [draw] table says, and obstacles from the formulas of gaps.
#include <algorithm>
#include <array>
#include <cmath>

#include "report/animation.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "scenario/build/drawing.hpp"
#include "scenario/build/formulas.hpp"

namespace ricochet::report {

namespace {

std::vector<std::string> contacts_of(const StoredResult& result) {
  std::vector<std::string> names = result.constraints;
  for (const std::string& slip : result.slips) names.push_back(slip.substr(0, slip.rfind(".slip")));
  return names;
}

// [k] is the column k of what is drawn.
Json value_of(const DrawnValue& value) { return value.column < 0 ? Json(value.constant) : Json::array({value.column}); }

// The value of a gap, with all names of a model.
class GapFormula {
 public:
  GapFormula(const std::string& gap, const StoredResult& result, const Parameters& parameters) : symbols_(parameters) {
    for (std::size_t k = 0; k < result.coordinates.size(); ++k)
      if (!symbols_.table.find(result.coordinates[k]))
        symbols_.table.add(result.coordinates[k], coordinate(static_cast<int>(k)));
    node_ = formula::parse(graph_, gap, symbols_.table);
  }

  static formula::Symbol coordinate(int k) { return {formula::Bank::coordinate, k}; }

  // The coordinates that it depends on; −1 for anything else but parameters.
  std::vector<int> coordinates() const {
    std::vector<int> found;
    for (const formula::Symbol& symbol : graph_.symbols(node_))
      if (symbol.bank != formula::Bank::parameter)
        found.push_back(symbol.bank == formula::Bank::coordinate ? symbol.index : -1);
    return found;
  }
  // ∂gap/∂q_k where it is a constant.
  std::optional<double> slope(int k) {
    const formula::NodeId node = graph_.derivative(node_, coordinate(k));
    return graph_.is_constant(node) ? std::optional(value(node, {})) : std::nullopt;
  }
  formula::Tape tape() const { return formula::Tape(graph_, {node_}); }
  const std::vector<double>& parameters() const { return symbols_.values; }

 private:
  double value(formula::NodeId node, const std::vector<double>& q) const {
    const formula::Tape tape(graph_, {node});
    double result = 0.0, t = 0.0;
    tape.evaluate(formula::Inputs<double>{.t = &t, .q = q.data()}, tape.constants(symbols_.values.data()).data(),
                  &result);
    return result;
  }

  ParameterSymbols symbols_;
  formula::Graph graph_;
  formula::NodeId node_ = -1;
};

constexpr int cells = 96;  // of a level set along each axis

struct Sheet {
  std::array<double, 2> from, step;
  std::vector<double> values;  // at the corners, row after row
  double at(int i, int j) const {
    return values[static_cast<std::size_t>(j) * (cells + 1) + static_cast<std::size_t>(i)];
  }
  double x(double i) const { return from[0] + i * step[0]; }
  double y(double j) const { return from[1] + j * step[1]; }
};

// The range of a column, with a quarter of the larger one around it.
Sheet sheet_over(const std::vector<double>& x, const std::vector<double>& y) {
  Sheet sheet;
  double room = 0.0;
  std::array<std::pair<double, double>, 2> ranges;
  for (const int axis : {0, 1}) {
    const std::vector<double>& values = axis == 0 ? x : y;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    ranges[axis] = {*least, *most};
    room = std::max(room, 0.25 * (*most - *least));
  }
  for (const int axis : {0, 1}) {
    sheet.from[axis] = ranges[axis].first - room;
    sheet.step[axis] = (ranges[axis].second - ranges[axis].first + 2.0 * room) / cells;
  }
  return sheet;
}

// Where the values pass zero, cell by cell: pieces x1, y1, x2, y2 (marching squares, straight within a cell).
Json zero_lines(const Sheet& sheet) {
  Json pieces = Json::array();
  const auto rounded = [](double value, double step) { return std::round(value / (1e-3 * step)) * 1e-3 * step; };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const std::array<std::array<int, 2>, 4> corners = {{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
      std::vector<double> found;
      for (int k = 0; k < 4; ++k) {
        const auto &a = corners[k], &b = corners[(k + 1) % 4];
        const double ga = sheet.at(a[0], a[1]), gb = sheet.at(b[0], b[1]);
        if (!std::isfinite(ga) || !std::isfinite(gb) || (ga < 0.0) == (gb < 0.0)) continue;
        const double share = ga / (ga - gb);
        found.push_back(rounded(sheet.x(a[0] + share * (b[0] - a[0])), sheet.step[0]));
        found.push_back(rounded(sheet.y(a[1] + share * (b[1] - a[1])), sheet.step[1]));
      }
      if (found.size() >= 4)
        for (int k = 0; k < 4; ++k) pieces.push_back(found[static_cast<std::size_t>(k)]);
    }
  return pieces;
}

Json level_set(const GapFormula& gap, const StoredResult& result, int x, int y) {
  Sheet sheet = sheet_over(result.q[static_cast<std::size_t>(x)], result.q[static_cast<std::size_t>(y)]);
  if (!(sheet.step[0] > 0.0) || !(sheet.step[1] > 0.0)) return Json::array();
  const formula::Tape tape = gap.tape();
  const std::vector<double> constants = tape.constants(gap.parameters().data());
  std::vector<double> q(result.q.size(), 0.0);
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      q[static_cast<std::size_t>(x)] = sheet.x(i);
      q[static_cast<std::size_t>(y)] = sheet.y(j);
      double value = 0.0, t = 0.0;
      tape.evaluate(formula::Inputs<double>{.t = &t, .q = q.data()}, constants.data(), &value);
      sheet.values.push_back(value);
    }
  return zero_lines(sheet);
}

}  // namespace

Json drawn_figure(const StoredResult& result, const Scenario& scenario, StoredResult::Columns& columns) {
  const DrawingFormulas formulas(*scenario.draw, scenario.model, result.coordinates, contacts_of(result));
  Json items = Json::array();
  for (const DrawingFormulas::Item& item : formulas.items()) {
    Json values = Json::array();
    for (const DrawnValue& value : item.values) values.push_back(value_of(value));
    Json one = {{"kind", item.kind}, {"values", values}};
    if (item.closed) one["closed"] = true;
    if (!item.contact.empty()) one["contact"] = item.contact;
    items.push_back(one);
  }
  const std::size_t count = static_cast<std::size_t>(formulas.columns());
  columns.assign(count, std::vector<double>(result.rows()));
  std::vector<double> q(result.q.size()), v(result.v.size()), values(count);
  for (std::size_t row = 0; row < result.rows(); ++row) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = result.q[k][row];
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = result.v[k][row];
    formulas.evaluate(result.t[row], q.data(), v.data(), values.data());
    for (std::size_t k = 0; k < count; ++k) columns[k][row] = values[k];
  }
  return {{"figure", "draw"}, {"q", Json::array()}, {"items", items}};
}

void add_obstacles(Json& figure, const StoredResult& result, const LagrangianDescription& model,
                   const std::vector<std::size_t>& coordinates, bool is_plane) {
  const Parameters parameters = evaluate_parameters(model.parameters);
  Json walls = Json::array(), curves = Json::array();
  for (std::size_t c = 0; c < std::min(model.constraints.size(), result.constraints.size()); ++c) try {
      GapFormula gap(model.constraints[c].gap, result, parameters);
      const std::vector<int> needs = gap.coordinates();
      const auto is_drawn = [&coordinates](int k) {
        return k < 0 ||
               std::find(coordinates.begin(), coordinates.end(), static_cast<std::size_t>(k)) != coordinates.end();
      };
      if (!std::all_of(needs.begin(), needs.end(), is_drawn)) continue;
      const bool is_still = !needs.empty() && needs[0] >= 0;
      // One coordinate, perhaps with the time: a wall where q − gap/slope is.
      const std::optional<double> slope = needs.size() == (is_still ? 1 : 2) ? gap.slope(needs.back()) : std::nullopt;
      if (slope && *slope != 0.0) {
        walls.push_back(Json::array({c, needs.back(), *slope}));
      } else if (is_plane && is_still) {
        curves.push_back(level_set(gap, result, static_cast<int>(coordinates[0]), static_cast<int>(coordinates[1])));
      }
    } catch (const Error&) {  // a gap of auxiliary states
    }
  if (!walls.empty()) figure["walls"] = walls;
  if (!curves.empty()) figure["curves"] = curves;
}

}  // namespace ricochet::report
