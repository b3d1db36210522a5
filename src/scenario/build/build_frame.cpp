// kind = "frame".
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/length.hpp"
#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "scenario/build/coordinates.hpp"
#include "scenario/build/frame_mesh.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

// From a description to the model: what acts on the mesh.
class FrameBuilder {
 public:
  FrameBuilder(const FrameDescription& description, const Attachments* files)
      : description_(description), sources_(description.parameters, files) {}

  BuiltModel run() {
    add_masses();
    add_springs();
    add_loads();
    if (!description_.gravity.empty()) data_.gravity = frame_pair(description_.gravity, sources_, "gravity");
    data_.lumped = position_of(description_.mass, {"consistent", "lumped"}, "mass") == 1;
    data_.mass_damping = sources_.value(description_.mass_damping, "mass_damping", not_negative);
    add_rows();

    BuiltModel built;
    built.coordinates = data_.coordinates;
    built.rest = mesh_.start;
    built.model = frame(std::move(data_));
    built.parameters = sources_.parameters();
    built.check_start = [driven = mesh_.driven](double t) { check_start(driven, t); };
    return built;
  }

 private:
  // Without a start of its own the frame is undeformed: a support that begins elsewhere would tear it there.
  static void check_start(const std::vector<FrameMesh::Driven>& driven, double t) {
    for (const FrameMesh::Driven& drive : driven) {
      const double value = drive.motion(t).value;
      if (!(std::abs(value - drive.at) <= 1e-9 * drive.size))
        throw InputError(drive.field,
                         fmt::format("is {:.6g} at the start, where the undeformed frame has '{}' at {:.6g}: "
                                     "give the place itself, not how far it moves; or give initial.q, or "
                                     "initial = \"equilibrium\"",
                                     value, drive.point, drive.at));
    }
  }

  void add_masses() {
    for (std::size_t i = 0; i < description_.masses.size(); ++i) {
      const PointMass& mass = description_.masses[i];
      const std::string field = path_to("masses", i);
      const FrameMesh::Point& point = mesh_.find_point(mass.point, field + ".point");
      const double inertia = sources_.value(mass.inertia, field + ".inertia", not_negative);
      if (point.is_hinge && inertia > 0.0)
        throw InputError(field + ".inertia", fmt::format("'{}' is a hinge and has no angle of its own", mass.point));
      data_.masses.push_back({point.nodes.front(), sources_.value(mass.mass, field + ".mass", not_negative), inertia});
    }
  }

  // ½ k (w·(values) − start)²; values that are held have no part in it.
  void add_spring(const std::vector<std::pair<FrameValue, double>>& weights, double k, double c) {
    FrameSpring spring{{}, 0.0, k, c};
    for (const auto& [value, weight] : weights) {
      if (weight == 0.0) continue;
      if (value.coordinate >= 0) {
        spring.direction.emplace_back(value.coordinate, weight);
        spring.offset -= weight * mesh_.start[value.coordinate];
      } else if (value.drive >= 0) {
        spring.driven.emplace_back(value.drive, weight);
        spring.offset -= weight * mesh_.driven[value.drive].at;
      }
    }
    if (!spring.direction.empty()) data_.springs.push_back(std::move(spring));
  }
  void add_springs() {
    for (std::size_t i = 0; i < description_.springs.size(); ++i) {
      const PointSpring& spring = description_.springs[i];
      const std::string field = path_to("springs", i);
      const FrameMesh::Point& point = mesh_.find_point(spring.point, field + ".point");
      const double k = sources_.value(spring.stiffness, field + ".stiffness", not_negative);
      const double c = sources_.value(spring.damping, field + ".damping", not_negative);
      const FrameNode& node = data_.nodes[point.nodes.front()];
      if (spring.angle) {
        if (!spring.direction.empty()) throw InputError(field + ".direction", "does not go with angle = true");
        if (point.nodes.size() > 2)
          throw InputError(field,
                           fmt::format("at the hinge '{}' {} members meet: a spring turns two against each other",
                                       spring.point, point.nodes.size()));
        std::vector<std::pair<FrameValue, double>> weights = {{node[2], 1.0}};
        if (point.nodes.size() == 2) weights.emplace_back(data_.nodes[point.nodes[1]][2], -1.0);
        add_spring(weights, k, c);
      } else if (spring.direction.empty()) {
        add_spring({{node[0], 1.0}}, k, c);
        add_spring({{node[1], 1.0}}, k, c);
      } else {
        const std::array<double, 2> direction = frame_pair(spring.direction, sources_, field + ".direction");
        const double length = ricochet::length(direction[0], direction[1]);
        if (length == 0.0)
          throw InputError(field + ".direction", "is zero: give the direction in which the spring draws");
        add_spring({{node[0], direction[0] / length}, {node[1], direction[1] / length}}, k, c);
      }
    }
  }

  // A force on what is held does nothing.
  void add_load(const FrameValue& value, const Quantity& force, const std::string& field, const char* key) {
    SignalDescription signal;
    signal.formula = force.text();
    LinearLoad load = sources_.load({{value.coordinate, 1.0}}, signal, field, key);
    if (value.coordinate >= 0 && force != Quantity(0.0)) data_.loads.push_back(std::move(load));
  }
  void add_loads() {
    for (std::size_t i = 0; i < description_.loads.size(); ++i) {
      const FrameLoad& load = description_.loads[i];
      const std::string field = path_to("loads", i);
      const FrameMesh::Point& point = mesh_.find_point(load.point, field + ".point");
      if (load.force.empty() && !load.moment) throw InputError(field, "needs force = [X, Y], a moment, or both");
      if (!load.force.empty() && load.force.size() != 2)
        throw InputError(field + ".force", fmt::format("must have two entries, [X, Y], got {}", load.force.size()));
      const FrameNode& node = data_.nodes[point.nodes.front()];
      for (std::size_t k = 0; k < load.force.size(); ++k)
        add_load(node[k], load.force[k], field, k == 0 ? "force[0]" : "force[1]");
      if (!load.moment) continue;
      if (point.is_hinge)
        throw InputError(field + ".moment", fmt::format("'{}' is a hinge and has no angle of its own", load.point));
      add_load(node[2], *load.moment, field, "moment");
    }
  }

  // Formulas see coordinates by their one name, what is held as parameters, and what is driven as its formula.
  CurvedRows rows_of(LagrangianDescription formulas, const Coordinates& coordinates, const char* first,
                     const std::string& field) const {
    formulas.parameters = description_.parameters;
    std::unordered_map<std::string, bool> held;
    each_row_formula(formulas, [&](std::string& text) {
      text = with_names(text, [&](std::string_view word) {
        const auto place = mesh_.values.find(std::string(word));
        if (place == mesh_.values.end()) return std::string(word);
        const auto& [name, value] = place->second;
        if (value.drive >= 0) return "(" + mesh_.driven[value.drive].text + ")";
        if (value.coordinate < 0 && held.emplace(name, true).second) {
          formulas.parameters.emplace_back(name, value.held);
          formulas.parameters.emplace_back(name + "_dot", 0.0);
        }
        return name;
      });
      for (const FrameMesh::Driven& drive : mesh_.driven)
        if (text.find("(" + drive.text + ")_dot") != std::string::npos)
          throw InputError(field, fmt::format("takes the velocity of '{}', which is driven: write it as a formula of t",
                                              drive.point));
    });
    try {
      return curved_rows(std::move(formulas), coordinates);
    } catch (const InputError& error) {
      if (!error.field().starts_with(first)) throw;
      throw InputError(field + error.field().substr(std::string_view(first).size()), error.message());
    }
  }
  void add_contact(const ConstraintDescription& contact, const Coordinates& coordinates, const std::string& field) {
    LagrangianDescription formulas;
    formulas.constraints.push_back(contact);
    data_.rows.push_back(rows_of(std::move(formulas), coordinates, "constraint[0]", field));
  }
  void add_joint(const JointDescription& joint, const Coordinates& coordinates, const std::string& field) {
    LagrangianDescription formulas;
    formulas.joints.push_back(joint);
    data_.rows.push_back(rows_of(std::move(formulas), coordinates, "joint[0]", field));
  }

  // One model of formulas of x, y and angle for all nodes whose three values move; one of its own for each other.
  void add_member_contact(const FrameConstraint& constraint, const Coordinates& coordinates, RowNames& taken,
                          const std::string& field) {
    std::size_t m = 0;
    while (m < description_.members.size() && description_.members[m].name != constraint.member) ++m;
    if (m == description_.members.size())
      throw InputError(field + ".member", fmt::format("there is no member '{}'", constraint.member));
    CurvedRows shared;
    const std::size_t before = data_.rows.size();
    for (std::size_t i = 0; i < mesh_.member_nodes[m].size(); ++i) {
      const FrameNode& node = data_.nodes[mesh_.member_nodes[m][i]];
      ConstraintDescription contact = constraint.contact;
      contact.name = fmt::format("{}-{}", contact.name, i);
      taken.take(contact.name, field + ".name");
      if (shared.model &&
          std::all_of(node.begin(), node.end(), [](const auto& value) { return value.coordinate >= 0; })) {
        CurvedRows piece{shared.model, {}, contact.name};
        for (const int k : shared.coordinates) piece.coordinates.push_back(node[k].coordinate);
        if (std::is_sorted(piece.coordinates.begin(), piece.coordinates.end())) {
          data_.rows.push_back(std::move(piece));
          continue;
        }
      }
      // As formulas of the node's own names.
      const std::string prefix = fmt::format("{}_{}_", constraint.member, i);
      bool moves = false;
      LagrangianDescription formulas;
      formulas.constraints.push_back(contact);
      each_row_formula(formulas, [&](std::string& text) {
        text = with_names(text, [&](std::string_view word) {
          for (int k = 0; k < 3; ++k)
            if (word == frame_values[k]) {
              moves = moves || node[k].coordinate >= 0;
              return prefix + std::string(word);
            }
          return std::string(word);
        });
      });
      if (!moves) continue;
      data_.rows.push_back(rows_of(std::move(formulas), coordinates, "constraint[0]", field));
      share(data_.rows.back(), node, shared);
    }
    if (data_.rows.size() == before)
      throw InputError(field + ".gap",
                       fmt::format("depends on nothing that moves at a node of '{}': give a formula of x, "
                                   "y and angle",
                                   constraint.member));
  }
  // The formulas of an inner node serve all others.
  static void share(const CurvedRows& rows, const FrameNode& node, CurvedRows& shared) {
    CurvedRows places{rows.model, {}, {}};
    for (const int coordinate : rows.coordinates)
      for (int k = 0; k < 3; ++k)
        if (node[k].coordinate == coordinate) places.coordinates.push_back(k);
    const bool is_own = places.coordinates.size() == rows.coordinates.size();
    if (is_own && std::all_of(node.begin(), node.end(), [](const auto& value) { return value.coordinate >= 0; }))
      shared = std::move(places);
  }

  void add_rows() {
    const Coordinates coordinates(data_.coordinates);
    RowNames taken;
    for (std::size_t i = 0; i < description_.constraints.size(); ++i) {
      const FrameConstraint& constraint = description_.constraints[i];
      const std::string field = path_to("constraint", i);
      if (constraint.member.empty()) {
        taken.take(constraint.contact.name, field + ".name");
        add_contact(constraint.contact, coordinates, field);
      } else {
        add_member_contact(constraint, coordinates, taken, field);
      }
    }
    for (std::size_t i = 0; i < description_.joints.size(); ++i) {
      taken.take(description_.joints[i].name, path_to("joint", i, "name"));
      add_joint(description_.joints[i], coordinates, path_to("joint", i));
    }
    for (const std::string& name : mesh_.names) add_roller(name, coordinates, taken);
    for (std::size_t i = 0; i < description_.frictions.size(); ++i) {
      taken.take(description_.frictions[i].name, path_to("friction", i, "name"));
      LagrangianDescription formulas;
      formulas.frictions.push_back(description_.frictions[i]);
      data_.rows.push_back(rows_of(std::move(formulas), coordinates, "friction[0]", path_to("friction", i)));
    }
    for (std::size_t i = 0; i < description_.observe.size(); ++i) {
      const RowObservation& row = description_.observe[i];
      check_name(row.name, path_to("observe", i, "name"), true);
      data_.observations.push_back({row.name, coordinates.row(row.normal, sources_, path_to("observe", i, "normal"))});
    }
  }

  // Rollers that move obliquely.
  void add_roller(const std::string& name, const Coordinates& coordinates, RowNames& taken) {
    const FrameMesh::Point& point = mesh_.find_point(name, "points");
    if (!point.support) return;
    const FrameSupport& support = *point.support;
    if (support.kind != "roller" || mesh_.holds(point, 0) || mesh_.holds(point, 1)) return;
    const std::array<double, 2> direction = frame_pair(support.direction, sources_, point.support_field + ".direction");
    const double length = ricochet::length(direction[0], direction[1]);
    const std::string joint = name + "-roller";
    taken.take(joint, point.support_field);
    add_joint({joint,
               {fmt::format("({})*({}_x - ({})) - ({})*({}_y - ({}))", to_text(direction[1] / length), name,
                            to_text(point.place[0]), to_text(direction[0] / length), name, to_text(point.place[1]))}},
              coordinates, point.support_field);
  }

  const FrameDescription& description_;
  const Sources sources_;
  FrameMesh mesh_{description_, sources_};
  FrameData& data_ = mesh_.data;
};

}  // namespace

BuiltModel build_model(const FrameDescription& description, const Attachments* files) {
  return FrameBuilder(description, files).run();
}

}  // namespace ricochet
