#include "io/scenario_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ricochet/io/scenario_toml.hpp"
#include "ricochet/scenario/describe.hpp"

namespace ricochet::io {

namespace {

// Collects the keys a table may have.
class KeyNames {
 public:
  std::vector<std::string> names_found;

  void text(const Key& key, std::string&) { add(key); }
  void formula(const Key& key, std::string&) { add(key); }
  void names(const Key& key, std::vector<std::string>&) { add(key); }
  void count(const Key& key, std::uint64_t&) { add(key); }
  template <class T>
  void quantity(const Key& key, T&) {
    add(key);
  }
  void quantities(const Key& key, NamedQuantities&) { add(key); }
  void row(const Key& key, std::vector<Quantity>&) { add(key); }
  void matrix(const Key& key, std::vector<std::vector<Quantity>>&) { add(key); }
  void matrix_or_file(const Key& key, MatrixSource&) { add(key); }
  void values(const Key& key, CoordinateValues&) { add(key); }
  template <class T>
  void table(const Key& key, T&) {
    add(key);
  }
  template <class T>
  void tables(const Key& key, std::vector<T>&) {
    add(key);
  }
  template <class T>
  void rows(const Key& key, std::vector<T>&) {
    add(key);
  }
  template <class T>
  void word_or_table(const Key& key, std::variant<std::string, T>&) {
    add(key);
  }
  void choice(const Key& key, ModelDescription&) { add(key); }
  void scheme(const Key& key, Scheme&) { add(key); }

 private:
  void add(const Key& key) { names_found.emplace_back(key.name); }
};

// The alternative of the given position, with its defaults.
template <std::size_t I = 0>
ModelDescription make_kind(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<ModelDescription>)
    if (index != I) return make_kind<I + 1>(index);
  return ModelDescription(std::in_place_index<I>);
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// Reads one table.
class Reader {
 public:
  Reader(const Document& document, const Table& table, std::string path)
      : document_(document), table_(table), path_(std::move(path)) {}

  // All keys of a struct. Unknown keys come first: a misspelt key is also a missing one.
  template <class T>
  void read_all(T& value, std::vector<std::string> further_keys = {}) {
    KeyNames known;
    describe(known, value);
    known.names_found.insert(known.names_found.begin(), further_keys.begin(), further_keys.end());
    refuse_unknown(known.names_found, "key");
    describe(*this, value);
  }

  void text(const Key& key, std::string& value) {
    const Node* node = get(key);
    if (!node) return;
    const std::string* text = node->text();
    if (!text) refuse_type(key, *node, "a text in quotes");
    value = *text;
  }
  void formula(const Key& key, std::string& value) {
    const Node* node = get(key);
    if (!node) return;
    const Quantity quantity = as_quantity(*node, path(key), "a formula in quotes");
    value = quantity.is_number() ? to_text(quantity.number()) : quantity.formula();
  }
  void quantity(const Key& key, Quantity& value) {
    if (const Node* node = get(key)) value = as_quantity(*node, path(key));
  }
  void quantity(const Key& key, std::optional<Quantity>& value) {
    if (const Node* node = get(key)) value = as_quantity(*node, path(key));
  }
  void quantities(const Key& key, NamedQuantities& values) {
    const Node* node = get(key);
    if (!node) return;
    const Table* table = node->table();
    if (!table) refuse_type(key, *node, fmt::format("a table such as {}", key.example));
    for (const Entry& entry : *table)
      values.emplace_back(entry.key, as_quantity(entry.node, path(key) + "." + entry.key));
  }
  void names(const Key& key, std::vector<std::string>& values) {
    const Node* node = get(key);
    if (!node) return;
    const Array* array = node->array();
    if (!array) refuse_type(key, *node, fmt::format("a list of names such as {}", key.example));
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string* name = (*array)[i].text();
      if (!name) refuse(fmt::format("{}[{}]", path(key), i), "must be a name in quotes, got " + spoken((*array)[i]));
      values.push_back(*name);
    }
  }
  void row(const Key& key, std::vector<Quantity>& values) {
    if (const Node* node = get(key)) values = as_row(*node, path(key), key.example);
  }
  void matrix(const Key& key, std::vector<std::vector<Quantity>>& values) {
    const Node* node = get(key);
    if (!node) return;
    const Array* array = node->array();
    if (!array) refuse_type(key, *node, fmt::format("a list of rows such as {}", key.example));
    for (std::size_t i = 0; i < array->size(); ++i)
      values.push_back(as_row((*array)[i], fmt::format("{}[{}]", path(key), i), "[1.0, 0.0]"));
  }
  void matrix_or_file(const Key& key, MatrixSource& source) {
    const Node* node = get(key);
    if (!node) return;
    if (const std::string* file = node->text()) {
      source = *file;
    } else if (node->array()) {
      matrix(key, source.emplace<0>());
    } else {
      refuse_type(key, *node, "a list of rows, or the name of a file in quotes");
    }
  }
  void values(const Key& key, CoordinateValues& values) {
    const Node* node = get(key);
    if (!node) return;
    if (node->table()) return quantities(key, values.by_name);
    values.for_all = as_quantity(*node, path(key), fmt::format("a table such as {}, a number or a text", key.example));
  }
  void count(const Key& key, std::uint64_t& value) {
    const Node* node = get(key);
    if (!node) return;
    const std::optional<double> number = as_number(*node);
    if (!number || !(*number >= 0.0 && *number <= 1e15) || *number != std::floor(*number))
      refuse_type(key, *node, "a whole number, 0 or more");
    value = static_cast<std::uint64_t>(*number);
  }

  template <class T>
  void table(const Key& key, T& value) {
    if (const Node* node = get(key)) Reader(document_, as_table(key, *node), path(key)).read_all(value);
  }
  template <class T>
  void table(const Key& key, std::optional<T>& value) {
    if (const Node* node = get(key)) Reader(document_, as_table(key, *node), path(key)).read_all(value.emplace());
  }
  template <class T>
  void tables(const Key& key, std::vector<T>& values) {
    const Node* node = get(key);
    if (!node) return;
    const Array* array = node->array();
    if (!array) refuse_type(key, *node, fmt::format("a list of tables, each written as [[{}]]", path(key)));
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string place = fmt::format("{}[{}]", path(key), i);
      const Table* element = (*array)[i].table();
      if (!element) refuse(place, "must be a table, got " + spoken((*array)[i]));
      Reader(document_, *element, place).read_all(values.emplace_back());
    }
  }
  template <class T>
  void rows(const Key& key, std::vector<T>& values) {
    tables(key, values);
  }

  template <class T>
  void word_or_table(const Key& key, std::variant<std::string, T>& value) {
    const Node* node = get(key);
    if (!node) return;
    if (const std::string* word = node->text()) {
      value = *word;
    } else if (const Table* table = node->table()) {
      Reader(document_, *table, path(key)).read_all(value.template emplace<T>());
    } else {
      refuse_type(key, *node, "a word in quotes or a table");
    }
  }

  void choice(const Key& key, ModelDescription& model) {
    const Node* node = get(key);
    if (!node) return;
    const Table& table = as_table(key, *node);
    model = make_kind(kind_of(table, path(key) + ".kind"));
    std::visit([&](auto& value) { Reader(document_, table, path(key)).read_all(value, {"kind"}); }, model);
  }

  void scheme(const Key& key, Scheme& scheme) {
    const Node* node = get(key);
    if (!node) return;
    Reader(document_, as_table(key, *node), path(key)).read_scheme(scheme);
  }

 private:
  [[noreturn]] void refuse(const std::string& field, const std::string& message) const {
    throw ScenarioError(fmt::format("{}: {}: {}", document_.place(field), document_.spoken_path(field), message));
  }
  [[noreturn]] void refuse_type(const Key& key, const Node& node, std::string_view wanted) const {
    refuse(path(key), fmt::format("must be {}, got {}", wanted, spoken(node)));
  }

  void refuse_unknown(const std::vector<std::string>& known, std::string_view what) const {
    for (const Entry& entry : table_) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      const std::string_view near = nearest(entry.key, known);
      const std::string field = path_.empty() ? entry.key : path_ + "." + entry.key;
      throw ScenarioError(fmt::format(
          "{}: {}: unknown {} '{}'; {}", document_.spoken_place(entry.place), document_.spoken_path(field), what,
          entry.key, near.empty() ? "known here: " + joined(known) : fmt::format("did you mean '{}'?", near)));
    }
  }

  std::string path(const Key& key) const {
    return path_.empty() ? std::string(key.name) : fmt::format("{}.{}", path_, key.name);
  }

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

  const Table& as_table(const Key& key, const Node& node) const {
    const Table* table = node.table();
    if (!table) refuse_type(key, node, fmt::format("a table [{}]", path(key)));
    return *table;
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
    for (std::size_t i = 0; i < array->size(); ++i)
      values.push_back(as_quantity((*array)[i], fmt::format("{}[{}]", field, i)));
    return values;
  }

  std::size_t kind_of(const Table& table, const std::string& field) const {
    const Entry* entry = find(table, "kind");
    if (!entry) return 0;
    const std::string* kind = entry->node.text();
    const auto place = kind ? std::find(model_kinds.begin(), model_kinds.end(), *kind) : model_kinds.end();
    if (place == model_kinds.end())
      refuse(field, fmt::format("must be one of {}, got {}", fmt::join(model_kinds, ", "), spoken(entry->node)));
    return static_cast<std::size_t>(place - model_kinds.begin());
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
      else
        refuse(path_ + "." + given.key, "must be a number or a word in quotes, got " + spoken(given.node));
    }
  }

  const Document& document_;
  const Table& table_;
  std::string path_;
};

}  // namespace

Scenario read(const Document& document) {
  Scenario scenario;
  Reader(document, *document.root.table(), "").read_all(scenario);
  return scenario;
}

}  // namespace ricochet::io
