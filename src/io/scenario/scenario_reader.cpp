// TomlDocument -> Scenario, over the tables of the keys.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/place.hpp"
#include "io/scenario/toml_document.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "scenario/keys/key_table.hpp"

namespace ricochet::io {

namespace {

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// Reads one table.
class Reader {
 public:
  Reader(const TomlDocument& document, const Table& table, std::string path)
      : document_(document), table_(table), path_(std::move(path)) {}

  // Unknown keys come first: a misspelt key is also a missing one.
  void read_all(const KeyTable& keys, std::vector<std::string> further_names = {}) const {
    for (const TableKey& key : keys) further_names.emplace_back(key.name);
    refuse_unknown(further_names, "key");
    for (const TableKey& key : keys)
      if (const Node* node = get(key)) read(key, *node);
  }

 private:
  void read(const TableKey& key, const Node& node) const {
    switch (key.type) {
      case KeyType::text: key.as<std::string>() = as_text(key, node); break;
      case KeyType::formula: key.as<std::string>() = as_quantity(node, path(key), "a formula in quotes").text(); break;
      case KeyType::quantity: key.as<Quantity>() = as_quantity(node, path(key)); break;
      case KeyType::optional_quantity: key.as<std::optional<Quantity>>() = as_quantity(node, path(key)); break;
      case KeyType::quantities: key.as<NamedQuantities>() = as_quantities(key, node); break;
      case KeyType::names: key.as<std::vector<std::string>>() = as_names(key, node); break;
      case KeyType::formulas: key.as<std::vector<std::string>>() = as_formulas(key, node); break;
      case KeyType::row: key.as<std::vector<Quantity>>() = as_row(node, path(key), key.example); break;
      case KeyType::matrix: key.as<std::vector<std::vector<Quantity>>>() = as_matrix(key, node); break;
      case KeyType::matrix_or_file: key.as<MatrixSource>() = as_matrix_or_file(key, node); break;
      case KeyType::values: read_values(key, node, key.as<CoordinateValues>()); break;
      case KeyType::count: key.as<std::uint64_t>() = as_count(key, node); break;
      case KeyType::flag: key.as<bool>() = as_flag(key, node); break;
      case KeyType::points: key.as<NamedRows>() = as_points(key, node); break;
      case KeyType::table: read_table(key, node); break;
      case KeyType::tables:
      case KeyType::rows: read_tables(key, node); break;
      case KeyType::word_or_table: read_word_or_table(key, node, key.as<SweepRecording>()); break;
      case KeyType::choice: read_choice(key, node, key.as<ModelDescription>()); break;
      case KeyType::scheme: inside(key, node).read_scheme(key.as<Scheme>()); break;
    }
  }

  const std::string& as_text(const Key& key, const Node& node) const {
    const std::string* text = node.text();
    if (!text) refuse_type(key, node, "a text in quotes");
    return *text;
  }
  NamedQuantities as_quantities(const Key& key, const Node& node) const {
    const Table* table = node.table();
    if (!table) refuse_type(key, node, fmt::format("a table such as {}", key.example));
    NamedQuantities values;
    for (const Entry& entry : *table)
      values.emplace_back(entry.key, as_quantity(entry.node, path(key) + "." + entry.key));
    return values;
  }
  std::vector<std::string> as_names(const Key& key, const Node& node) const {
    const Array* array = node.array();
    if (!array) refuse_type(key, node, fmt::format("a list of names such as {}", key.example));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string* name = (*array)[i].text();
      if (!name) refuse(path_to(path(key), i), "must be a name in quotes, got " + spoken((*array)[i]));
      names.push_back(*name);
    }
    return names;
  }
  std::vector<std::string> as_formulas(const Key& key, const Node& node) const {
    std::vector<std::string> formulas;
    if (!node.array()) return {as_quantity(node, path(key)).text()};
    for (const Quantity& formula : as_row(node, path(key), key.example)) formulas.push_back(formula.text());
    return formulas;
  }
  std::vector<std::vector<Quantity>> as_matrix(const Key& key, const Node& node) const {
    const Array* array = node.array();
    if (!array) refuse_type(key, node, fmt::format("a list of rows such as {}", key.example));
    std::vector<std::vector<Quantity>> rows;
    for (std::size_t i = 0; i < array->size(); ++i)
      rows.push_back(as_row((*array)[i], path_to(path(key), i), "[1.0, 0.0]"));
    return rows;
  }
  MatrixSource as_matrix_or_file(const Key& key, const Node& node) const {
    if (const std::string* file = node.text()) return *file;
    if (!node.array()) refuse_type(key, node, "a list of rows, or the name of a file in quotes");
    return as_matrix(key, node);
  }
  void read_values(const Key& key, const Node& node, CoordinateValues& values) const {
    if (node.table())
      values.by_name = as_quantities(key, node);
    else
      values.for_all = as_quantity(node, path(key), fmt::format("a table such as {}, a number or a text", key.example));
  }
  std::uint64_t as_count(const Key& key, const Node& node) const {
    const std::optional<double> number = as_number(node);
    if (!number || !(*number >= 0.0 && *number <= 1e15) || *number != std::floor(*number))
      refuse_type(key, node, "a whole number, 0 or more");
    return static_cast<std::uint64_t>(*number);
  }
  bool as_flag(const Key& key, const Node& node) const {
    const bool* flag = std::get_if<bool>(&node.value);
    if (!flag) refuse_type(key, node, "true or false");
    return *flag;
  }
  NamedRows as_points(const Key& key, const Node& node) const {
    const Table* table = node.table();
    if (!table) refuse_type(key, node, fmt::format("a table such as {}", key.example));
    NamedRows points;
    for (const Entry& entry : *table)
      points.emplace_back(entry.key, as_row(entry.node, path(key) + "." + entry.key, "[1.0, 0.0]"));
    return points;
  }
  // A table that begins with values may also be a text, which is then theirs.
  void read_table(const TableKey& key, const Node& node) const {
    const KeyTable keys = key.tables().add();
    const bool begins_with_values = !keys.empty() && keys.front().type == KeyType::values;
    if (!key.example.empty() && begins_with_values && node.text())
      return read_values(key, node, keys.front().as<CoordinateValues>());
    inside(key, node).read_all(keys);
  }
  void read_tables(const TableKey& key, const Node& node) const {
    const Array* array = node.array();
    if (!array) refuse_type(key, node, fmt::format("a list of tables, each written as [[{}]]", path(key)));
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string place = path_to(path(key), i);
      const Table* element = (*array)[i].table();
      if (!element) refuse(place, "must be a table, got " + spoken((*array)[i]));
      Reader(document_, *element, place).read_all(key.tables().add());
    }
  }
  void read_word_or_table(const Key& key, const Node& node, SweepRecording& value) const {
    if (const std::string* word = node.text())
      value = *word;
    else if (node.table())
      inside(key, node).read_all(keys_of(value.emplace<SectionDescription>()));
    else
      refuse_type(key, node, "a word in quotes or a table");
  }
  void read_choice(const Key& key, const Node& node, ModelDescription& model) const {
    const Reader inner = inside(key, node);
    choose_kind(model, inner.kind_of());
    inner.read_all(keys_of(model), {"kind"});
  }

  [[noreturn]] void refuse(const std::string& field, const std::string& message) const {
    throw ScenarioError(fmt::format("{}: {}: {}", document_.place(field), document_.spoken_path(field), message));
  }
  [[noreturn]] void refuse_type(const Key& key, const Node& node, std::string_view wanted) const {
    refuse(path(key), fmt::format("must be {}, got {}", wanted, spoken(node)));
  }

  void refuse_unknown(const std::vector<std::string>& known, std::string_view what) const {
    for (const Entry& entry : table_) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      std::string near(nearest(entry.key, known));
      if (path_.empty()) {
        std::string place = has_parameter(entry.key) ? "model.parameters." + entry.key : below(table_, "", entry.key);
        if (place.empty() && is_scheme_parameter(entry.key)) place = "scheme." + entry.key;
        if (!place.empty()) near = place;
      }
      const std::string field = path_to(path_, entry.key);
      throw ScenarioError(fmt::format(
          "{}: {}: unknown {} '{}'; {}", document_.spoken_place(entry.place), document_.spoken_path(field), what,
          entry.key, near.empty() ? "known here: " + joined(known) : fmt::format("did you mean '{}'?", near)));
    }
  }

  // Whether the model has a parameter of this name.
  bool has_parameter(std::string_view name) const {
    const Table* table = document_.root.table();
    for (const char* key : {"model", "parameters"}) {
      const Entry* entry = table != nullptr ? find(*table, key) : nullptr;
      table = entry != nullptr ? entry->node.table() : nullptr;
    }
    return table != nullptr && find(*table, name) != nullptr;
  }

  static bool is_scheme_parameter(std::string_view name) {
    for (const SchemeEntry& entry : catalogue())
      for (const ParameterSpec& spec : entry.parameters)
        if (spec.name == name) return true;
    return false;
  }

  // The path of the first key, or element of a list, of this name in the tables of a table; "" if there is none.
  static std::string below(const Table& table, const std::string& path, const std::string& name) {
    for (const Entry& entry : table) {
      const std::string place = path_to(path, entry.key);
      if (entry.key == name && !path.empty()) return place;
      if (const Table* inner = entry.node.table())
        if (const std::string found = below(*inner, place, name); !found.empty()) return found;
      if (const Array* elements = entry.node.array())
        for (const Node& element : *elements) {
          const Entry* named = element.table() != nullptr ? find(*element.table(), "name") : nullptr;
          if (named == nullptr || named->node.text() == nullptr) continue;
          if (*named->node.text() == name) return path_to(place, name);
          const std::string found = below(*element.table(), path_to(place, *named->node.text()), name);
          if (!found.empty()) return found;
        }
    }
    return "";
  }

  std::string path(const Key& key) const { return path_to(path_, key.name); }

  // The value of a key, or null if it is not there and need not be.
  const Node* get(const Key& key) const {
    const Entry* entry = find(table_, key.name);
    if (entry) return &entry->node;
    if (!key.required) return nullptr;
    const std::string what = key.example.empty()
                                 ? fmt::format("the table [{}]", path(key))
                                 : fmt::format("the key '{}', such as {} = {},", key.name, key.name, key.example);
    const std::string message = fmt::format("{} is missing: {}", what, key.meaning);
    if (path_.empty()) throw ScenarioError(fmt::format("{}: {}", document_.source, message));
    refuse(path_, message);
  }

  Reader inside(const Key& key, const Node& node) const {
    const Table* table = node.table();
    const bool is_named = node.text() != nullptr && (key.name == "scheme" || key.name == "solver");
    const std::string content = is_named ? fmt::format(" with name = \"{}\"", *node.text()) : "";
    if (!table) refuse_type(key, node, fmt::format("a table [{}]{}", path(key), content));
    return {document_, *table, path(key)};
  }

  static std::optional<double> as_number(const Node& node) {
    if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&node.value)) return *number;
    return std::nullopt;
  }

  Quantity as_quantity(const Node& node, const std::string& field,
                       std::string_view wanted = "a number or a formula in quotes") const {
    if (const auto number = as_number(node)) return *number;
    const std::string* text = node.text();
    if (!text) refuse(field, fmt::format("must be {}, got {}", wanted, spoken(node)));
    if (text->empty()) refuse(field, fmt::format("must be {}, got an empty text", wanted));
    return *text;
  }

  std::vector<Quantity> as_row(const Node& node, const std::string& field, std::string_view example) const {
    const Array* array = node.array();
    if (!array) refuse(field, fmt::format("must be a list such as {}, got {}", example, spoken(node)));
    std::vector<Quantity> values;
    for (std::size_t i = 0; i < array->size(); ++i) values.push_back(as_quantity((*array)[i], path_to(field, i)));
    return values;
  }

  std::size_t kind_of() const {
    const Entry* entry = find(table_, "kind");
    if (!entry) return 0;
    const std::string* kind = entry->node.text();
    const auto place = kind ? std::find(model_kinds.begin(), model_kinds.end(), *kind) : model_kinds.end();
    if (place == model_kinds.end())
      refuse(path_ + ".kind",
             fmt::format("must be one of {}, got {}", fmt::join(model_kinds, ", "), spoken(entry->node)));
    return static_cast<std::size_t>(place - model_kinds.begin());
  }

  static bool is_bool(const SchemeEntry& entry, std::string_view parameter) {
    const ParameterSpec* spec = find_parameter(entry, parameter);
    return spec != nullptr && std::holds_alternative<bool>(spec->fallback);
  }

  // The name decides which other keys there are.
  void read_scheme(Scheme& scheme) const {
    if (const Entry* name = find(table_, "name")) {
      const std::string* text = name->node.text();
      if (!text) refuse(path_ + ".name", "must be the name of a scheme in quotes, got " + spoken(name->node));
      scheme.name = *text;
    }
    const SchemeEntry* entry = nullptr;
    try {
      entry = &find_scheme(scheme.name);
    } catch (const InputError& error) {
      refuse(error.field(), error.message());
    }
    std::vector<std::string> known = {"name"};
    for (const ParameterSpec& spec : entry->parameters) known.emplace_back(spec.name);
    refuse_unknown(known, fmt::format("parameter of {}:", scheme.name));

    for (const Entry& given : table_) {
      if (given.key == "name") continue;
      if (const auto number = as_number(given.node))
        scheme.values.emplace_back(given.key, *number);
      else if (const std::string* word = given.node.text())
        scheme.values.emplace_back(given.key, *word);
      else if (const bool* flag = std::get_if<bool>(&given.node.value); flag && is_bool(*entry, given.key))
        scheme.values.emplace_back(given.key, *flag);
      else
        refuse(path_ + "." + given.key, "must be a number or a word in quotes, got " + spoken(given.node));
    }
  }

  const TomlDocument& document_;
  const Table& table_;
  std::string path_;
};

}  // namespace

Scenario read(const TomlDocument& document) {
  Scenario scenario;
  Reader(document, *document.root.table(), "").read_all(keys_of(scenario));
  return scenario;
}

}  // namespace ricochet::io
