#include "report/animation.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <type_traits>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "scenario/build/frame_mesh.hpp"
#include "scenario/keys/key_path.hpp"

namespace ricochet::report {

namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool begins(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

double value_or(const Parameters& parameters, const std::string& name, double otherwise) {
  for (const auto& [key, value] : parameters)
    if (key == name) return value;
  return otherwise;
}

Json all_lanes(std::size_t count, const char* source = "q") {
  Json places = Json::array();
  for (std::size_t k = 0; k < count; ++k) places.push_back(k);
  return {{"figure", "lanes"}, {"q", places}, {"source", source}};
}

// Modes have no places: what is observed is shown then.
Json line_figure(const StoredResult& result, const LineDescription& line, bool beam) {
  const DrawnLine nodes = drawn_line(line, beam, result.coordinates);
  if (nodes.places.empty() && !result.observed.empty()) return all_lanes(result.observed.size(), "observed");
  if (nodes.places.empty()) return all_lanes(result.q.size());
  return {{"figure", beam ? "beam" : "bar"}, {"q", nodes.places},
          {"abscissae", nodes.abscissae},    {"slopes", nodes.slopes},
          {"length", nodes.length},          {"ends", {line.left != "free", line.right != "free"}}};
}

DrawnNode drawn(const FrameMesh& mesh, int node) {
  const FrameNode& values = mesh.data.nodes[static_cast<std::size_t>(node)];
  DrawnNode result;
  for (const int axis : {0, 1}) {
    result.coordinate[axis] = values[axis].coordinate;
    result.held[axis] = values[axis].held;
    if (values[axis].drive >= 0) result.drive[axis] = mesh.data.drives[static_cast<std::size_t>(values[axis].drive)];
  }
  return result;
}

Json figure_node(const DrawnNode& node) {
  return Json::array({node.coordinate[0], node.coordinate[1], node.held[0], node.held[1]});
}

// Members as lines through their nodes, points with a support, masses.
Json frame_figure(const StoredResult& result, const FrameDescription& frame) {
  const Sources sources(frame.parameters, nullptr);
  const FrameMesh mesh(frame, sources);
  // The page knows columns of the result and what is held, not formulas of t.
  const auto moves = [](const FrameNode& node) { return node[0].drive >= 0 || node[1].drive >= 0; };
  const bool has_drives = std::any_of(mesh.data.nodes.begin(), mesh.data.nodes.end(), moves);
  if (has_drives || mesh.data.coordinates != result.coordinates) return all_lanes(result.q.size());
  Json places = Json::array(), members = Json::array(), held = Json::array(), masses = Json::array();
  for (std::size_t k = 0; k < result.coordinates.size(); ++k)
    if (!result.coordinates[k].ends_with("_angle")) places.push_back(k);
  for (const std::vector<int>& nodes : mesh.member_nodes) {
    Json member = Json::array();
    for (const int node : nodes) member.push_back(figure_node(drawn(mesh, node)));
    members.push_back(member);
  }
  const auto at_point = [&](const std::string& name) {
    return figure_node(drawn(mesh, mesh.find_point(name, "").nodes.front()));
  };
  for (const std::string& name : mesh.names)
    if (mesh.find_point(name, "").support) held.push_back(at_point(name));
  for (const PointMass& mass : frame.masses) masses.push_back(at_point(mass.point));
  return {{"figure", "frame"}, {"q", places}, {"members", members}, {"held", held}, {"masses", masses}};
}

bool named_angle(const std::string& name) {
  for (const char* start : {"theta", "phi", "psi", "angle"})
    if (begins(name, start)) return true;
  return false;
}

// By its name, or because all formulas have it in sines and cosines alone.
bool is_angle(const LagrangianDescription& model, const std::string& name) {
  if (named_angle(name)) return true;
  std::vector<std::string> formulas = {model.kinetic, model.potential, model.dissipation};
  for (const auto& row : model.mass)
    for (const Quantity& entry : row) formulas.push_back(entry.text());
  for (const auto& [key, force] : model.force) formulas.push_back(force.text());
  for (const ConstraintDescription& constraint : model.constraints) formulas.push_back(constraint.gap);
  bool found = false;
  for (const std::string& formula : formulas) {
    const Occurrence how = occurrence(formula, name);
    if (how == Occurrence::plain) return false;
    found = found || how == Occurrence::angle;
  }
  return found;
}

// Rods hang on each other if the kinetic energy has the cosine of the difference of their angles.
bool is_chain(const LagrangianDescription& model, const std::vector<std::size_t>& angles) {
  std::string kinetic;
  for (const char c : model.kinetic)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) kinetic += c;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    const std::string &a = model.coordinates[angles[i - 1]], &b = model.coordinates[angles[i]];
    if (!has(kinetic, "cos(" + a + "-" + b + ")") && !has(kinetic, "cos(" + b + "-" + a + ")")) return false;
  }
  return true;
}

Json pendulum(const std::vector<std::size_t>& angles, const Parameters& parameters) {
  Json lengths = Json::array();
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    lengths.push_back(value_or(parameters, "l" + number, angles.size() == 1 ? value_or(parameters, "l", 1.0) : 1.0));
  }
  return {{"figure", "pendulum"}, {"q", angles}, {"lengths", lengths}};
}

// A coordinate over a floor moves up and down.
bool is_height(const StoredResult& result) {
  if (result.coordinates.size() != 1) return false;
  return std::any_of(result.constraints.begin(), result.constraints.end(), [](const std::string& name) {
    return begins(name, "floor") || begins(name, "ground") || begins(name, "table");
  });
}

// Contacts and dry frictions with the coordinates whose velocities their slips have.
void add_marks(Json& figure, const LagrangianDescription& model, const std::vector<std::size_t>& drawn) {
  Json marks = Json::array();
  const auto add = [&](const std::string& name, const std::vector<std::string>& slips) {
    Json places = Json::array();
    for (const std::size_t k : drawn)
      for (const std::string& slip : slips)
        if (occurrence(slip, model.coordinates[k] + "_dot") != Occurrence::none) {
          places.push_back(k);
          break;
        }
    if (!places.empty()) marks.push_back(Json::array({name, places}));
  };
  for (const ConstraintDescription& contact : model.constraints) add(contact.name, contact.slip);
  for (const FrictionDescription& friction : model.frictions) add(friction.name, friction.slip);
  if (!marks.empty()) figure["marks"] = marks;
}

Json lagrangian_figures(const StoredResult& result, const LagrangianDescription& model) {
  if (model.coordinates != result.coordinates) return Json::array({all_lanes(result.q.size())});
  Parameters parameters;
  try {
    parameters = evaluate_parameters(model.parameters);
  } catch (const InputError&) {  // lengths are 1 then
  }
  std::vector<std::size_t> angles, others;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k)
    (is_angle(model, model.coordinates[k]) ? angles : others).push_back(k);

  // A point in the plane, or a stick.
  if (others.size() == 2 && model.coordinates[others[0]] == "x" && model.coordinates[others[1]] == "y" &&
      angles.size() <= 1) {
    Json figure = {{"figure", "plane"}, {"q", others}};
    add_obstacles(figure, result, model, others, true);
    if (!angles.empty()) figure["q"].push_back(angles[0]);
    // A stick, or what turns on its rim.
    const double length = value_or(parameters, "l", 0.0), radius = value_or(parameters, "R", 0.0);
    if (!angles.empty() && length > 0.0) figure["lengths"] = Json::array({length});
    if (!angles.empty() && length == 0.0 && radius > 0.0) figure["radius"] = radius;
    return Json::array({figure});
  }
  Json figures = Json::array();
  if (!angles.empty() && is_chain(model, angles))
    figures.push_back(pendulum(angles, parameters));
  else
    for (const std::size_t angle : angles) figures.push_back(pendulum({angle}, {}));
  if (!others.empty()) {
    Json lanes = all_lanes(0);
    lanes["q"] = others;
    lanes["round"] = is_height(result);
    lanes["vertical"] = is_height(result);
    add_obstacles(lanes, result, model, others, false);
    add_marks(lanes, model, others);
    figures.push_back(lanes);
  }
  return figures;
}

Json figures_of_scenario(const StoredResult& result, const Scenario& scenario) {
  return std::visit(
      [&result](const auto& model) -> Json {
        using Kind = std::decay_t<decltype(model)>;
        if constexpr (std::is_same_v<Kind, LagrangianDescription>) {
          return lagrangian_figures(result, model);
        } else if constexpr (std::is_same_v<Kind, BarDescription> || std::is_same_v<Kind, BeamDescription>) {
          return Json::array({line_figure(result, model, std::is_same_v<Kind, BeamDescription>)});
        } else if constexpr (std::is_same_v<Kind, FrameDescription>) {
          return Json::array({frame_figure(result, model)});
        } else if constexpr (std::is_same_v<Kind, BeadColumnDescription>) {
          Json figure = all_lanes(result.q.size());
          figure["vertical"] = true;
          figure["round"] = true;
          figure["radius"] = evaluate_quantity(model.radius, evaluate_parameters(model.parameters), "radius");
          return Json::array({figure});
        } else {
          Json figure = all_lanes(result.q.size());
          figure["round"] = std::is_same_v<Kind, BeadChainDescription>;
          return Json::array({figure});
        }
      },
      scenario.model);
}

}  // namespace

Occurrence occurrence(const std::string& formula, const std::string& coordinate) {
  Occurrence result = Occurrence::none;
  std::vector<bool> inside = {false};  // of a sine or cosine, for each open bracket
  std::string word;
  for (std::size_t i = 0; i < formula.size();) {
    if (is_word(formula[i])) {
      const std::size_t begin = i;
      while (i < formula.size() && is_word(formula[i])) ++i;
      word = formula.substr(begin, i - begin);
      if (word != coordinate) continue;
      if (!inside.back()) return Occurrence::plain;
      result = Occurrence::angle;
      continue;
    }
    if (formula[i] == '(') inside.push_back(inside.back() || word == "sin" || word == "cos");
    if (formula[i] == ')' && inside.size() > 1) inside.pop_back();
    if (formula[i] != ' ') word.clear();
    ++i;
  }
  return result;
}

DrawnLine drawn_line(const LineDescription& line, bool beam, const std::vector<std::string>& coordinates) {
  DrawnLine drawn;
  try {
    drawn.length = evaluate_quantity(line.length, evaluate_parameters(line.parameters), "length");
  } catch (const InputError&) {  // drawn with length 1
  }
  const double elements = static_cast<double>(std::max<std::uint64_t>(1, line.elements));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    // The deflection w12 is that of node 12.
    const std::string& name = coordinates[k];
    const auto node = begins(name, beam ? "w" : "u") ? as_index(std::string_view(name).substr(1)) : std::nullopt;
    if (!node) continue;
    drawn.places.push_back(k);
    drawn.abscissae.push_back(drawn.length * static_cast<double>(*node) / elements);
    const auto rotation = std::find(coordinates.begin(), coordinates.end(), "r" + std::to_string(*node));
    drawn.slopes.push_back(rotation == coordinates.end() ? -1 : static_cast<int>(rotation - coordinates.begin()));
  }
  return drawn;
}

std::vector<std::vector<DrawnNode>> frame_members(const FrameDescription& frame,
                                                  const std::vector<std::string>& coordinates) {
  const Sources sources(frame.parameters, nullptr);
  const FrameMesh mesh(frame, sources);
  if (mesh.data.coordinates != coordinates) return {};
  std::vector<std::vector<DrawnNode>> members;
  for (const std::vector<int>& nodes : mesh.member_nodes) {
    members.emplace_back();
    for (const int node : nodes) members.back().push_back(drawn(mesh, node));
  }
  return members;
}

std::vector<std::vector<DrawnNode>> frame_members(const StoredResult& result) {
  try {
    const Scenario scenario = parse_scenario(result.scenario_text, "scenario");
    const auto* frame = std::get_if<FrameDescription>(&scenario.model);
    return frame ? frame_members(*frame, result.coordinates) : std::vector<std::vector<DrawnNode>>();
  } catch (const Error&) {  // a scenario of another version
    return {};
  }
}

Animation animation_of(const StoredResult& result) {
  Animation animation;
  if (result.q.empty()) return animation;
  animation.figures = Json::array({all_lanes(result.q.size())});
  try {
    if (result.scenario_text.empty()) return animation;
    const Scenario scenario = parse_scenario(result.scenario_text, "scenario");
    animation.figures = figures_of_scenario(result, scenario);
    if (scenario.draw)
      animation.figures = Json::array({drawn_figure(result, scenario, animation.drawn)});
    else if (const std::optional<Json> shape = modal_figure(result, scenario, animation.drawn))
      animation.figures = Json::array({*shape});
  } catch (const Error&) {  // a scenario of another version, or one that names files
  }
  return animation;
}

}  // namespace ricochet::report
