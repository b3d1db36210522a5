// kind = "bar" and kind = "beam".
#include <fmt/format.h>

#include "ricochet/core/error.hpp"
#include "scenario/build_model.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

constexpr std::uint64_t most_elements = 10'000'000;

std::string place(const char* list, std::size_t i) { return fmt::format("{}[{}]", list, i); }

int element_count(const LineDescription& description) {
  if (description.elements < 1 || description.elements > most_elements)
    throw InputError("elements", fmt::format("must be a whole number from 1 to 1e7, got {}", description.elements));
  return static_cast<int>(description.elements);
}

bool is_lumped(const LineDescription& description) {
  if (description.mass != "consistent" && description.mass != "lumped")
    throw InputError("mass", fmt::format("must be consistent or lumped, got '{}'", description.mass));
  return description.mass == "lumped";
}

Support bar_support(const std::string& word, const char* field) {
  if (word == "free") return Support::free;
  if (word == "fixed") return Support::fixed;
  throw InputError(field, fmt::format("must be free or fixed, got '{}'", word));
}

Support beam_support(const std::string& word, const char* field) {
  if (word == "free") return Support::free;
  if (word == "clamped") return Support::fixed;
  if (word == "pinned") return Support::pinned;
  throw InputError(field, fmt::format("must be free, clamped or pinned, got '{}'", word));
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
    if (stop->end != "left" && stop->end != "right")
      throw InputError("stop.end", fmt::format("must be left or right, got '{}'", stop->end));
    const bool left = stop->end == "left";
    SparseVector normal = point(field, left ? 0.0 : length, length, sources, "stop.end");
    for (auto& [i, weight] : normal) weight = left ? weight : -weight;
    system.gaps.push_back(
        {"stop", normal, sources.value(stop->gap, "stop.gap"), sources.restitution(stop->impact, "stop")});
  }
  for (std::size_t i = 0; i < description.stops.size(); ++i)
    add_stop(description.stops[i].limits,
             point(field, description.stops[i].at, length, sources, place("stops", i) + ".at"), i, place("stops", i),
             sources, system.gaps);
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    system.loads.push_back({point(field, description.loads[i].at, length, sources, place("loads", i) + ".at"),
                            sources.signal(description.loads[i].signal, place("loads", i), "force")});
  if (description.base) {
    if (!description.base->direction.empty())
      throw InputError("base.direction", "is only for kind = \"linear\": the whole line goes with the base");
    std::vector<double> direction;
    for (const bool slope : field.is_slope) direction.push_back(slope ? 0.0 : 1.0);
    system.loads.push_back(base_load(*description.base, field.mass, direction, sources));
  }
  for (std::size_t i = 0; i < description.observe.size(); ++i) {
    const PointObservation& observation = description.observe[i];
    check_name(observation.name, place("observe", i) + ".name", true);
    system.observations.push_back(
        {observation.name, point(field, observation.at, length, sources, place("observe", i) + ".at")});
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
  const BarGeometry geometry = {.length = sources.value(description.length, "length", positive),
                                .young = sources.value(description.young, "young", positive),
                                .area = sources.value(description.area, "area", positive),
                                .density = sources.value(description.density, "density", positive),
                                .elements = element_count(description),
                                .lumped = is_lumped(description),
                                .left = bar_support(description.left, "left"),
                                .right = bar_support(description.right, "right")};
  return build_line(description, description.stop, bar(geometry), geometry.length, sources);
}

BuiltModel build_model(const BeamDescription& description, const Attachments* files) {
  const Sources sources(description.parameters, files);
  const BeamGeometry geometry = {.length = sources.value(description.length, "length", positive),
                                 .young = sources.value(description.young, "young", positive),
                                 .inertia = sources.value(description.inertia, "inertia", positive),
                                 .area = sources.value(description.area, "area", positive),
                                 .density = sources.value(description.density, "density", positive),
                                 .elements = element_count(description),
                                 .lumped = is_lumped(description),
                                 .left = beam_support(description.left, "left"),
                                 .right = beam_support(description.right, "right")};
  if (description.boundary != "second-order" && description.boundary != "first-order")
    throw InputError("boundary", fmt::format("must be second-order or first-order, got '{}'", description.boundary));
  if (description.method == "hermite") return build_line(description, {}, beam(geometry), geometry.length, sources);
  if (description.method != "differences")
    throw InputError("method", fmt::format("must be hermite or differences, got '{}'", description.method));
  const BoundaryRows rows =
      description.boundary == "first-order" ? BoundaryRows::first_order : BoundaryRows::second_order;
  return build_line(description, {}, beam_differences(geometry, rows), geometry.length, sources);
}

}  // namespace ricochet
