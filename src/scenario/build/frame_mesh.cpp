#include "scenario/build/frame_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/length.hpp"
#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/elementary.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

std::array<double, 2> frame_pair(const std::vector<Quantity>& row, const Sources& sources, const std::string& field) {
  if (row.size() != 2) throw InputError(field, fmt::format("must have two entries, [x, y], got {}", row.size()));
  const std::vector<double> values = sources.values(row, field);
  return {values[0], values[1]};
}

static std::string suffix(int k) { return fmt::format("_{}", frame_values[k]); }

FrameMesh::FrameMesh(const FrameDescription& description, const Sources& sources)
    : description_(description), sources_(sources) {
  read_points();
  count_members();
  read_hinges();
  read_supports();
  for (std::size_t i = 0; i < description_.members.size(); ++i) add_member(i);
  add_free_points();
  refuse_repeated_names();
}

void FrameMesh::read_points() {
  for (const auto& [name, row] : description_.points) {
    const std::string field = "points." + name;
    check_name(name, field, false);
    Point point;
    point.place = frame_pair(row, sources_, field);
    if (!points_.emplace(name, std::move(point)).second) throw InputError(field, "is given twice");
    names.push_back(name);
  }
}
const FrameMesh::Point& FrameMesh::find_point(const std::string& name, const std::string& field) const {
  const auto place = points_.find(name);
  if (place != points_.end()) return place->second;
  const std::string_view near = nearest(name, names);
  throw InputError(field, fmt::format("there is no point '{}'; {}", name,
                                      near.empty() ? fmt::format("the points are {}", fmt::join(names, ", "))
                                                   : fmt::format("did you mean '{}'?", near)));
}

FrameMesh::Point& FrameMesh::point_of(const std::string& name, const std::string& field) {
  return const_cast<Point&>(find_point(name, field));
}

void FrameMesh::count_members() {
  constexpr std::uint64_t most_elements = 100'000;
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < description_.members.size(); ++i) {
    const MemberDescription& member = description_.members[i];
    const std::string field = path_to("members", i);
    check_name(member.name, field + ".name", false);
    for (std::size_t k = 0; k < i; ++k)
      if (description_.members[k].name == member.name)
        throw InputError(field + ".name", fmt::format("there are two members named '{}'", member.name));
    Point &from = point_of(member.from, field + ".from"), &to = point_of(member.to, field + ".to");
    if (from.place == to.place)
      throw InputError(field, fmt::format("the member '{}' has no length: '{}' and '{}' are at the same place",
                                          member.name, member.from, member.to));
    elements += static_cast<std::uint64_t>(checked_count(member.elements, field + ".elements"));
    if (elements > most_elements)
      throw InputError(field + ".elements", fmt::format("a frame has at most {} elements in all", most_elements));
    ++from.members;
    ++to.members;
  }
}

void FrameMesh::read_hinges() {
  for (std::size_t i = 0; i < description_.hinges.size(); ++i) {
    const std::string field = path_to("hinges", i);
    Point& point = point_of(description_.hinges[i], field);
    if (point.is_hinge) throw InputError(field, fmt::format("'{}' is given twice", description_.hinges[i]));
    if (point.members < 2)
      throw InputError(field, fmt::format("a hinge joins two or more members, at '{}' there {}; to let an end turn at "
                                          "its support, make the support pinned",
                                          description_.hinges[i], point.members == 1 ? "is a single one" : "are none"));
    point.is_hinge = true;
  }
}

void FrameMesh::check_support(const FrameSupport& support, const Point& point, const std::string& field) const {
  const std::size_t kind = position_of(support.kind, {"clamped", "pinned", "roller", "driven"}, field + ".kind");
  if (point.support)
    throw InputError(field,
                     fmt::format("the point '{}' has two supports, {} and {}: give one that says all that is held",
                                 support.point, point.support->kind, support.kind));
  const bool is_clamped = kind == 0, is_roller = kind == 2, is_driven = kind == 3;
  if (is_roller == support.direction.empty())
    throw InputError(field + ".direction", is_roller ? "is missing: [x, y], along which the roller moves"
                                                     : "belongs to a roller: the support is " + support.kind);
  for (const auto& [text, key] : {std::pair{&support.x, ".x"}, {&support.y, ".y"}, {&support.angle, ".angle"}})
    if (!text->empty() && !is_driven)
      throw InputError(field + key, fmt::format("belongs to a driven support, this one is {}", support.kind));
  if (is_driven && support.x.empty() && support.y.empty() && support.angle.empty())
    throw InputError(field, "is driven by nothing: give angle, x or y as a formula of t, or make it pinned");
  if (point.is_hinge && (is_clamped || !support.angle.empty()))
    throw InputError(field, fmt::format("'{}' is a hinge and has no angle of its own: make the support pinned, or do "
                                        "without the hinge",
                                        support.point));
}

void FrameMesh::read_supports() {
  for (std::size_t i = 0; i < description_.supports.size(); ++i) {
    const FrameSupport& support = description_.supports[i];
    const std::string field = path_to("supports", i);
    Point& point = point_of(support.point, field + ".point");
    check_support(support, point, field);
    point.support = &support;
    point.support_field = field;
  }
}

bool FrameMesh::holds(const Point& point, int k) const {
  if (!point.support) return false;
  const FrameSupport& support = *point.support;
  if (support.kind == "clamped") return true;
  if (support.kind == "pinned") return k < 2;
  if (support.kind == "driven") return k < 2 && (k == 0 ? support.x : support.y).empty();
  const std::array<double, 2> direction = frame_pair(support.direction, sources_, point.support_field + ".direction");
  if (direction[0] == 0.0 && direction[1] == 0.0)
    throw InputError(point.support_field + ".direction", "is zero: give the direction in which the roller moves");
  return k < 2 && direction[k] == 0.0;
}

FrameValue FrameMesh::new_value(const std::string& name, double at, bool is_held) {
  FrameValue value{.held = at};
  if (!is_held) {
    value.coordinate = static_cast<int>(data.coordinates.size());
    data.coordinates.push_back(name);
    start.push_back(at);
  }
  values.emplace(name, Named{name, value});
  return value;
}
// x, y or the angle at a point under the name of its coordinate.
FrameValue FrameMesh::value_at(const std::string& name, int k, const std::string& value_name, bool is_still) {
  const Point& point = points_.at(name);
  const double at = k < 2 ? point.place[k] : 0.0;
  const FrameSupport* support = point.support;
  const std::string* text = !support ? nullptr : k == 0 ? &support->x : k == 1 ? &support->y : &support->angle;
  if (!text || text->empty()) return new_value(value_name, at, is_still || holds(point, k));
  const std::string field = fmt::format("{}.{}", point.support_field, frame_values[k]);
  Driven drive{.field = field, .point = name, .text = *text, .at = at};
  drive.motion = motion_of(Quantity(*text), 1.0, sources_.parameters(), field);
  if (k < 2) drive.size = 0.0;
  for (const auto& [other, there] : points_)
    if (k < 2) drive.size = std::max({drive.size, std::abs(there.place[0]), std::abs(there.place[1])});
  if (!drive.motion) {
    const double value = sources_.value(Quantity(*text), field);
    drive.motion = [value](double) { return OffsetMotion{.value = value}; };
  }
  const FrameValue value{.drive = static_cast<int>(driven.size())};
  data.drives.push_back(drive.motion);
  data.drive_poles.push_back(time_poles(drive.text, sources_.parameters()));
  driven.push_back(std::move(drive));
  values.emplace(value_name, Named{value_name, value});
  return value;
}
int FrameMesh::new_node(const FrameNode& node) {
  data.nodes.push_back(node);
  return static_cast<int>(data.nodes.size()) - 1;
}

// The node of a member at a point; at a hinge with an angle of its own.
int FrameMesh::node_at(const std::string& name, const std::string& node_name) {
  Point& point = points_.at(name);
  if (point.nodes.empty() || point.is_hinge) {
    FrameNode node;
    for (int k = 0; k < 2; ++k)
      node[k] = point.nodes.empty() ? value_at(name, k, name + suffix(k)) : data.nodes[point.nodes.front()][k];
    node[2] = value_at(name, 2, (point.is_hinge ? node_name : name) + suffix(2));
    point.nodes.push_back(new_node(node));
  }
  for (int k = 0; k < (point.is_hinge ? 2 : 3); ++k) values.emplace(node_name + suffix(k), values.at(name + suffix(k)));
  return point.nodes.back();
}

// Nodes on a line, or on a polygon of equal sides that turns by the same angle at each node.
void FrameMesh::add_member(std::size_t number) {
  const MemberDescription& member = description_.members[number];
  const std::string field = path_to("members", number);
  const int n = checked_count(member.elements, field + ".elements");
  const std::array<double, 2> from = points_.at(member.from).place, to = points_.at(member.to).place;
  const double dx = to[0] - from[0], dy = to[1] - from[1], chord = length(dx, dy);
  const double turn = sources_.value(member.turn, field + ".turn", {-6.28, 6.28});
  const auto bend = [&](int e) { return turn * ((e + 0.5) / n - 0.5); };  // of element e against the chord
  double reach = 0.0;
  for (int e = 0; e < n; ++e) reach += formula::elementary::cos(bend(e));
  FrameElement element = section_of(member, field);
  element.length = chord / reach;

  std::vector<int> nodes = {node_at(member.from, member.name + "_0")};
  double x = from[0], y = from[1];
  for (int e = 0; e < n; ++e) {
    element.direction = std::atan2(dy, dx) + bend(e);
    x = turn == 0.0 ? from[0] + dx * (e + 1) / n : x + element.length * formula::elementary::cos(element.direction);
    y = turn == 0.0 ? from[1] + dy * (e + 1) / n : y + element.length * formula::elementary::sin(element.direction);
    const std::string name = fmt::format("{}_{}", member.name, e + 1);
    const int second = e + 1 == n ? node_at(member.to, name)
                                  : new_node({new_value(name + "_x", x, false), new_value(name + "_y", y, false),
                                              new_value(name + "_angle", 0.0, false)});
    element.node = {nodes.back(), second};
    data.elements.push_back(element);
    nodes.push_back(second);
  }
  member_nodes.push_back(std::move(nodes));
}

FrameElement FrameMesh::section_of(const MemberDescription& member, const std::string& field) const {
  FrameElement element;
  element.damping = sources_.value(member.damping, field + ".damping", not_negative);
  const std::pair<const char*, const std::optional<Quantity>*> material[] = {
      {".young", &member.young}, {".area", &member.area}, {".inertia", &member.inertia}, {".density", &member.density}};
  const std::pair<const char*, const std::optional<Quantity>*> section[] = {{".EA", &member.EA},
                                                                            {".GA", &member.GA},
                                                                            {".EI", &member.EI},
                                                                            {".rho_A", &member.rho_A},
                                                                            {".rho_I", &member.rho_I}};
  const bool by_material = member.young || member.area || member.inertia || member.density;
  const auto value = [&](const auto& key, const Range& range) {
    if (!*key.second)
      throw InputError(field + key.first, fmt::format("is missing: give young, area, inertia and density, or EA, GA, "
                                                      "EI, rho_A and rho_I"));
    return sources_.value(**key.second, field + key.first, range);
  };
  if (by_material) {
    for (const auto& key : section)
      if (*key.second)
        throw InputError(field + key.first, "cannot be given together with young, area, inertia or density");
    const double E = value(material[0], positive), A = value(material[1], positive), I = value(material[2], positive);
    const double rho = value(material[3], not_negative);
    const double nu = sources_.value(member.poisson, field + ".poisson", {-1.0, 0.5, true});
    element.EA = E * A;
    element.EI = E * I;
    element.GA = sources_.value(member.shear_factor, field + ".shear_factor", positive) * element.EA / (2.0 + 2.0 * nu);
    element.rho_A = rho * A;
    element.rho_I = rho * I;
  } else {
    element.EA = value(section[0], positive);
    element.GA = value(section[1], positive);
    element.EI = value(section[2], positive);
    element.rho_A = value(section[3], not_negative);
    element.rho_I = value(section[4], not_negative);
  }
  return element;
}

// Points without members are bodies of their own, if they have a mass; without inertia they do not turn.
void FrameMesh::add_free_points() {
  for (const std::string& name : names) {
    Point& point = points_.at(name);
    if (point.members > 0) continue;
    const auto at_point = [&](const PointMass& mass) { return mass.point == name; };
    const auto mass = std::find_if(description_.masses.begin(), description_.masses.end(), at_point);
    if (mass == description_.masses.end())
      throw InputError("points." + name, "belongs to no member and has no mass: nothing is there");
    FrameNode node;
    for (int k = 0; k < 3; ++k) node[k] = value_at(name, k, name + suffix(k), k == 2 && mass->inertia == Quantity(0.0));
    point.nodes.push_back(new_node(node));
  }
  if (data.coordinates.empty()) throw InputError("", "nothing can move: every node is held by a support");
}

// A point arm_3 and node 3 of a member arm.
void FrameMesh::refuse_repeated_names() const {
  if (const std::size_t i = first_repeated(data.coordinates); i < data.coordinates.size())
    throw InputError("points", fmt::format("the name '{}' is that of a point and of a node of a member: rename one",
                                           data.coordinates[i]));
}

}  // namespace ricochet
