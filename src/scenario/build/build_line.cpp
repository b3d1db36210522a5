// kind = "bar" and kind = "beam".
#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

Support bar_support(const std::string& word, const char* field) {
  return position_of(word, {"free", "fixed"}, field) == 0 ? Support::free : Support::fixed;
}

Support beam_support(const std::string& word, const char* field) {
  constexpr Support supports[] = {Support::free, Support::fixed, Support::pinned};
  return supports[position_of(word, {"free", "clamped", "pinned"}, field)];
}

LineGeometry geometry_of(const LineDescription& description, const Sources& sources, const Quantity& inertia,
                         Support (*support)(const std::string&, const char*)) {
  return {.length = sources.value(description.length, "length", positive),
          .young = sources.value(description.young, "young", positive),
          .inertia = sources.value(inertia, "inertia", positive),
          .area = sources.value(description.area, "area", positive),
          .density = sources.value(description.density, "density", positive),
          .elements = checked_count(description.elements, "elements"),
          .lumped = position_of(description.mass, {"consistent", "lumped"}, "mass") == 1,
          .left = support(description.left, "left"),
          .right = support(description.right, "right")};
}

// The weights of the displacement at an abscissa.
SparseVector point(const Field& field, const Quantity& at, double length, const Sources& sources,
                   const std::string& path) {
  const double x = sources.value(at, path, {0.0, length});
  SparseVector weights = field.at(x);
  if (weights.empty()) throw InputError(path, "the point is fixed: it does not move");
  return weights;
}

// All but the geometry, which is in the field.
BuiltModel build_line(const LineDescription& description, const std::optional<EndStop>& stop, Field field,
                      double length, const Sources& sources) {
  LinearSystemData system;
  system.coordinates = field.names;
  system.mass = field.mass;
  system.stiffness = field.stiffness;

  if (stop) {
    const bool left = position_of(stop->end, {"left", "right"}, "stop.end") == 0;
    SparseVector normal = point(field, left ? 0.0 : length, length, sources, "stop.end");
    for (auto& [i, weight] : normal) weight = left ? weight : -weight;
    system.gaps.push_back({"stop", normal, sources.value(stop->gap, "stop.gap"),
                           sources.restitution(stop->impact, "stop"), sources.compliance(stop->impact, "stop")});
  }
  for (std::size_t i = 0; i < description.stops.size(); ++i)
    add_stop(description.stops[i].limits,
             point(field, description.stops[i].at, length, sources, path_to("stops", i, "at")), i, path_to("stops", i),
             sources, system.gaps);
  RowNames names(system);
  for (std::size_t i = 0; i < description.held.size(); ++i)
    system.joints.push_back(held_joint(
        description.held[i].held, point(field, description.held[i].at, length, sources, path_to("joints", i, "at")), i,
        names, sources, path_to("joints", i)));
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    system.loads.push_back(
        sources.load(point(field, description.loads[i].at, length, sources, path_to("loads", i, "at")),
                     description.loads[i].signal, path_to("loads", i), "force"));
  if (description.base) {
    if (!description.base->direction.empty())
      throw InputError("base.direction", "is only for kind = \"linear\": the whole line goes with the base");
    std::vector<double> direction;
    for (const bool slope : field.is_slope) direction.push_back(slope ? 0.0 : 1.0);
    system.loads.push_back(base_load(*description.base, field.mass, direction, sources));
  }
  for (std::size_t i = 0; i < description.observe.size(); ++i) {
    const PointObservation& observation = description.observe[i];
    check_name(observation.name, path_to("observe", i, "name"), true);
    system.observations.push_back(
        {observation.name, point(field, observation.at, length, sources, path_to("observe", i, "at"))});
  }

  BuiltModel built;
  built.abscissa = std::move(field.abscissa);
  built.is_slope = std::move(field.is_slope);
  finish(std::move(system), {description.rayleigh, description.damping_ratios, description.modes}, sources, built);
  built.parameters = sources.parameters();
  return built;
}

}  // namespace

BuiltModel build_model(const BarDescription& description, const Attachments* files) {
  const Sources sources(description.parameters, files);
  const LineGeometry geometry = geometry_of(description, sources, 1.0, bar_support);
  return build_line(description, description.stop, bar(geometry), geometry.length, sources);
}

BuiltModel build_model(const BeamDescription& description, const Attachments* files) {
  const Sources sources(description.parameters, files);
  const LineGeometry geometry = geometry_of(description, sources, description.inertia, beam_support);
  const bool second = position_of(description.boundary, {"second-order", "first-order"}, "boundary") == 0;
  const BoundaryRows rows = second ? BoundaryRows::second_order : BoundaryRows::first_order;
  const bool hermite = position_of(description.method, {"hermite", "differences"}, "method") == 0;
  return build_line(description, {}, hermite ? beam(geometry) : beam_differences(geometry, rows), geometry.length,
                    sources);
}

}  // namespace ricochet
