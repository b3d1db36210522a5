#include "scenario/build/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/parse.hpp"
#include "scenario/build/frame_mesh.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

// The parameters, and of a frame x, y and angle where they are held.
Parameters constants_of(const ModelDescription& model) {
  Parameters constants = std::visit([](const auto& kind) { return evaluate_parameters(kind.parameters); }, model);
  if (const auto* frame = std::get_if<FrameDescription>(&model)) {
    const Sources sources(frame->parameters, nullptr);
    const FrameMesh mesh(*frame, sources);
    for (const auto& [name, named] : mesh.values)
      if (named.value.coordinate < 0) constants.emplace_back(name, named.value.held);
  }
  return constants;
}

// The numbers of one drawing, in the order of its items.
class Collector {
 public:
  Collector(const Parameters& constants, const std::vector<std::string>& coordinates,
            std::span<const std::string> contacts)
      : symbols_(constants), contacts_(contacts) {
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      add(coordinates[i], {formula::Bank::coordinate, static_cast<int>(i)});
      add(coordinates[i] + "_dot", {formula::Bank::velocity, static_cast<int>(i)});
    }
  }

  void place(DrawingFormulas::Item& item, const DrawnPlace& at, const std::string& field) {
    if (at.size() != 2)
      throw InputError(field, fmt::format("must have two entries, [x, y], numbers or formulas; got {}", at.size()));
    for (std::size_t k = 0; k < 2; ++k) value(item, at[k], path_to(field, k));
  }
  void value(DrawingFormulas::Item& item, const Quantity& quantity, const std::string& field) {
    const formula::NodeId node = formula::parse(graph_, quantity.text(), symbols_.table, field);
    if (!graph_.is_constant(node)) {
      item.values.push_back({static_cast<int>(moving_.size())});
      moving_.push_back(node);
      return;
    }
    const formula::Tape tape(graph_, {node});
    DrawnValue constant;
    tape.evaluate(formula::Inputs<double>{}, tape.constants(symbols_.values.data()).data(), &constant.constant);
    check_number(constant.constant, {}, field);
    item.values.push_back(constant);
  }
  const std::string& contact(const std::string& name, const std::string& field) const {
    if (!name.empty() && std::find(contacts_.begin(), contacts_.end(), name) == contacts_.end())
      throw InputError(field, contacts_.empty() ? fmt::format("there is no contact '{}': the model has none", name)
                                                : fmt::format("there is no contact '{}'; the model has {}", name,
                                                              fmt::join(contacts_, ", ")));
    return name;
  }

  formula::Tape tape() const { return formula::Tape(graph_, moving_); }
  const std::vector<double>& parameters() const { return symbols_.values; }

 private:
  // Names that formulas cannot use (mode-1, or one that is taken) are left out.
  void add(const std::string& name, formula::Symbol symbol) {
    if (formula::is_identifier(name) && !symbols_.table.find(name)) symbols_.table.add(name, symbol);
  }

  ParameterSymbols symbols_;
  std::span<const std::string> contacts_;
  formula::Graph graph_;
  std::vector<formula::NodeId> moving_;
};

}  // namespace

DrawingFormulas::DrawingFormulas(const Drawing& drawing, const ModelDescription& model,
                                 const std::vector<std::string>& coordinates, std::span<const std::string> contacts) {
  Collector collector(constants_of(model), coordinates, contacts);
  // The fields of one list, each thing read by `read(item, thing, field)`.
  const auto each = [this](const char* kind, const char* key, const auto& things, const auto& read) {
    for (std::size_t i = 0; i < things.size(); ++i) {
      Item item{kind};
      read(item, things[i], path_to(fmt::format("draw.{}", key), i));
      items_.push_back(std::move(item));
    }
  };
  each("segment", "segments", drawing.segments, [&](Item& item, const DrawnSegment& segment, const std::string& field) {
    if (segment.through.size() < 2)
      throw InputError(field + ".through",
                       fmt::format("must have two points or more, such as [[0, 0], [\"x\", \"y\"]]; got {}",
                                   segment.through.size()));
    for (std::size_t k = 0; k < segment.through.size(); ++k)
      collector.place(item, segment.through[k], path_to(field + ".through", k));
    item.closed = segment.closed;
    item.contact = collector.contact(segment.contact, field + ".contact");
  });
  each("circle", "circles", drawing.circles, [&](Item& item, const DrawnCircle& circle, const std::string& field) {
    collector.place(item, circle.at, field + ".at");
    collector.value(item, circle.radius, field + ".radius");
    if (circle.angle) collector.value(item, *circle.angle, field + ".angle");
    item.contact = collector.contact(circle.contact, field + ".contact");
  });
  each("spring", "springs", drawing.springs, [&](Item& item, const DrawnSpring& spring, const std::string& field) {
    collector.place(item, spring.from, field + ".from");
    collector.place(item, spring.to, field + ".to");
  });
  each("point", "points", drawing.points, [&](Item& item, const DrawnPoint& point, const std::string& field) {
    collector.place(item, point.at, field + ".at");
    item.contact = collector.contact(point.contact, field + ".contact");
  });
  tape_ = collector.tape();
  constants_ = tape_.constants(collector.parameters().data());
}

}  // namespace ricochet
