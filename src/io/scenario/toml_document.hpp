// A TOML text as a tree that knows where each key and value stands. Keys keep the order of the text.
//
// Paths: "model.constraint[0].restitution". Messages and --set may use the name of a table in place of
// its position: "model.constraint.floor.restitution".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::io {

// In the file (lines and columns count from 1), or in one of the overrides given beside it.
struct Place {
  std::uint32_t line = 0, column = 0;
  int override_number = -1;
};

struct Moment {
  std::string text;  // a TOML date or time
};

struct Node;
struct Entry;
using Array = std::vector<Node>;
using Table = std::vector<Entry>;

struct Node {
  std::variant<bool, std::int64_t, double, std::string, Moment, Array, Table> value;
  Place place;

  const Table* table() const { return std::get_if<Table>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }
};

struct Entry {
  std::string key;
  Place place;
  Node node;
};

const Entry* find(const Table& table, std::string_view key);

// What a message says it got: "true", "the text 'abc'", "a table".
std::string spoken(const Node& node);

struct TomlDocument {
  std::string source;  // the file as the user named it
  Node root = {.value = Table{}, .place = {}};
  std::vector<std::string> overrides;  // "--set time.step=1"

  // "FILE:3:7", "FILE" or "--set time.step=1": the place of the path, or of what is nearest around it.
  std::string place(std::string_view path) const;
  Place find_place(std::string_view path) const;
  const Node* find_node(std::string_view path) const;  // null if there is none
  // The path for a reader: names in place of positions where a table has one.
  std::string spoken_path(std::string_view path) const;
  std::string spoken_place(const Place& place) const;
};

// Throws ScenarioError for text that is not TOML, or is nested too deeply.
TomlDocument parse_toml(std::string_view text, std::string_view source);

// One value of an override: TOML, or bare words taken as text.
Node parse_value(std::string_view text);

// Puts a value at a path, and makes the tables on the way. `label` names the override in messages.
// Throws ScenarioError.
void set(TomlDocument& document, std::string_view path, std::string_view value, std::string label);

// Throws ScenarioError for unknown and missing keys and for values of a wrong type.
Scenario read(const TomlDocument& document);

// Values as TOML text.
std::string toml_string(std::string_view text);
bool is_bare_key(std::string_view text);     // needs no quotes as a key
std::string toml_key(std::string_view key);  // in quotes only where it needs them
std::string toml_number(double number);      // always a float: "1.0"

}  // namespace ricochet::io
