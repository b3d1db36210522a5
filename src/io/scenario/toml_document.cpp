#include "io/scenario/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/place.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "scenario/keys/key_path.hpp"

namespace ricochet::io {

namespace {

// The name a table calls itself, if it can stand in a path.
std::string_view name_of(const Node& node) {
  const Table* table = node.table();
  const Entry* entry = table ? find(*table, "name") : nullptr;
  const std::string* text = entry ? entry->node.text() : nullptr;
  return text && is_bare_key(*text) && !as_index(*text) ? std::string_view(*text) : std::string_view();
}

// The element of a list by position or name.
std::optional<std::size_t> position(const Array& array, std::string_view part) {
  if (const auto index = as_index(part)) return *index < array.size() ? index : std::nullopt;
  for (std::size_t i = 0; i < array.size(); ++i)
    if (name_of(array[i]) == part) return i;
  return std::nullopt;
}

// The name of an element, if it finds that very element.
std::string_view own_name(const Array& array, std::size_t index) {
  const std::string_view name = name_of(array[index]);
  return !name.empty() && position(array, name) == index ? name : std::string_view();
}

// One step down the tree; null if there is nothing.
const Node* step(const Node& node, std::string_view part) {
  if (const Table* table = node.table()) {
    const Entry* entry = find(*table, part);
    return entry ? &entry->node : nullptr;
  }
  if (const Array* array = node.array()) {
    const auto index = position(*array, part);
    return index ? &(*array)[*index] : nullptr;
  }
  return nullptr;
}

}  // namespace

const Entry* find(const Table& table, std::string_view key) {
  const auto place = std::find_if(table.begin(), table.end(), [&](const Entry& entry) { return entry.key == key; });
  return place == table.end() ? nullptr : &*place;
}

std::string spoken(const Node& node) {
  struct Speaker {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return to_text(value); }
    std::string operator()(const std::string& value) const {
      return value.size() <= 60 ? fmt::format("the text '{}'", value) : "a long text";
    }
    std::string operator()(const Moment& value) const { return "the date or time " + value.text; }
    std::string operator()(const Array& value) const {
      return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
    }
    std::string operator()(const Table&) const { return "a table"; }
  };
  return std::visit(Speaker{}, node.value);
}

const Node* TomlDocument::find_node(std::string_view path) const {
  const Node* node = &root;
  for (const std::string_view part : split_path(path))
    if (!(node = step(*node, part))) return nullptr;
  return node;
}

Place TomlDocument::find_place(std::string_view path) const {
  Place place = root.place;
  const Node* node = &root;
  for (const std::string_view part : split_path(path)) {
    node = step(*node, part);
    if (!node) break;
    if (node->place.line > 0 || node->place.override_number >= 0) place = node->place;
  }
  return place;
}

std::string TomlDocument::spoken_place(const Place& place) const {
  if (place.override_number >= 0) return overrides[place.override_number];
  return place.line == 0 ? source : fmt::format("{}:{}:{}", source, place.line, place.column);
}

std::string TomlDocument::place(std::string_view path) const { return spoken_place(find_place(path)); }

std::string TomlDocument::spoken_path(std::string_view path) const {
  std::string result;
  const Node* node = &root;
  for (const std::string_view part : split_path(path)) {
    const Array* array = node ? node->array() : nullptr;
    const auto index = array ? position(*array, part) : std::nullopt;
    const std::string_view name = index ? own_name(*array, *index) : std::string_view();
    // Positions in brackets, all else after a point; a path that leaves the tree keeps its positions.
    if (name.empty() && as_index(part) && (array || !node))
      result += fmt::format("[{}]", part);
    else
      result = path_to(result, name.empty() ? part : name);
    node = node ? step(*node, part) : nullptr;
  }
  return result;
}

void set(TomlDocument& document, std::string_view path, std::string_view value, std::string label) {
  const auto refuse = [&](const std::string& message) { throw ScenarioError(label + ": " + message); };
  const std::vector<std::string_view> parts = split_path(path);
  if (parts.empty() || std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); }))
    refuse(fmt::format("'{}' is not the path of a key, such as model.parameters.g or time.step", path));
  if (parts.size() > 16) refuse("the path is nested too deeply");

  const Place place = {.line = 0, .column = 0, .override_number = static_cast<int>(document.overrides.size())};
  document.overrides.push_back(label);

  Node* node = &document.root;
  std::string walked;
  for (const std::string_view part : parts) {
    if (auto* table = std::get_if<Table>(&node->value)) {
      // A key that is not there yet begins as an empty table; the last one gets the value.
      auto* entry = const_cast<Entry*>(find(*table, part));
      if (!entry) entry = &table->emplace_back(Entry{std::string(part), place, Node{Table{}, place}});
      node = &entry->node;
    } else if (auto* array = std::get_if<Array>(&node->value)) {
      const auto index = position(*array, part);
      if (!index) {
        std::vector<std::string> names;
        for (const Node& element : *array) names.emplace_back(name_of(element));
        std::erase(names, "");
        refuse(names.empty()
                   ? fmt::format("{} has no entry '{}': it has {}, counted from 0", walked, part, array->size())
                   : fmt::format("{} has no entry '{}'; there {} {}", walked, part,
                                 names.size() == 1 ? "is only" : "are", fmt::join(names, ", ")));
      }
      node = &(*array)[*index];
    } else {
      refuse(fmt::format("{} is a value, not a table with keys", walked));
    }
    walked = path_to(walked, part);
  }

  // The value and all it contains come from the override.
  *node = parse_value(value);
  const auto mark = [&](const auto& self, Node& at) -> void {
    at.place = place;
    if (auto* table = std::get_if<Table>(&at.value))
      for (Entry& entry : *table) {
        entry.place = place;
        self(self, entry.node);
      }
    if (auto* array = std::get_if<Array>(&at.value))
      for (Node& element : *array) self(self, element);
  };
  mark(mark, *node);
}

}  // namespace ricochet::io
