// Scenario -> TOML, over the tables of the keys. Keys that are empty are left out.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/place.hpp"
#include "io/scenario/toml_document.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "scenario/keys/key_table.hpp"

namespace ricochet {

namespace io {

namespace {

// Control characters, quotes and backslashes as TOML escapes.
std::string escaped(std::string_view text, bool keep_lines) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (keep_lines && (c == '\n' || c == '\t'))
      result += c;
    else if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\u{:04X}", byte);
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string toml_string(std::string_view text) {
  // The line break after the opening quotes is not part of the text.
  if (text.find('\n') != std::string_view::npos) return fmt::format("\"\"\"\n{}\"\"\"", escaped(text, true));
  return fmt::format("\"{}\"", escaped(text, false));
}

bool is_bare_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string toml_key(std::string_view key) {
  return is_bare_key(key) ? std::string(key) : fmt::format("\"{}\"", escaped(key, false));
}

std::string toml_number(double number) {
  std::string text = to_text(number);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace io

namespace {

std::string written(const std::string& text) { return io::toml_string(text); }

std::string written(const Quantity& value) {
  return value.is_number() ? io::toml_number(value.number()) : io::toml_string(value.formula());
}

template <class T>
std::string written(const std::vector<T>& list) {
  std::string entries;
  for (const T& entry : list) entries += (entries.empty() ? "" : ", ") + written(entry);
  return fmt::format("[{}]", entries);
}

template <class Value>
std::string written(const std::vector<std::pair<std::string, Value>>& values) {
  std::string entries;
  for (const auto& [name, value] : values)
    entries += fmt::format("{}{} = {}", entries.empty() ? "" : ", ", io::toml_key(name), written(value));
  return fmt::format("{{ {} }}", entries);
}

// Writes the keys of one table, then the tables within it.
class Writer {
 public:
  Writer(std::string path, const KeyTable& keys) : path_(std::move(path)) {
    for (const TableKey& key : keys) write(key);
  }

  std::string text() const {
    std::string result;
    for (const std::string& entry : lines_) result += entry + "\n";
    return result + after_;
  }

 private:
  void write(const TableKey& key) {
    switch (key.type) {
      case KeyType::text:
      case KeyType::formula: list(key, key.as<std::string>()); break;
      case KeyType::quantity: line(key, written(key.as<Quantity>())); break;
      case KeyType::optional_quantity:
        if (const auto& value = key.as<std::optional<Quantity>>()) line(key, written(*value));
        break;
      case KeyType::quantities: list(key, key.as<NamedQuantities>()); break;
      case KeyType::names: list(key, key.as<std::vector<std::string>>()); break;
      case KeyType::formulas: formulas(key, key.as<std::vector<std::string>>()); break;
      case KeyType::row: list(key, key.as<std::vector<Quantity>>()); break;
      case KeyType::matrix: list(key, key.as<std::vector<std::vector<Quantity>>>()); break;
      case KeyType::matrix_or_file: matrix_or_file(key, key.as<MatrixSource>()); break;
      case KeyType::values: values(key, key.as<CoordinateValues>()); break;
      case KeyType::count: line(key, fmt::format("{}", key.as<std::uint64_t>())); break;
      case KeyType::flag: line(key, key.as<bool>() ? "true" : "false"); break;
      case KeyType::points: list(key, key.as<NamedRows>()); break;
      case KeyType::table:
        if (key.tables().size() > 0) section(key, fmt::format("[{}]", path(key)), key.tables().at(0));
        break;
      case KeyType::tables:
        for (std::size_t i = 0; i < key.tables().size(); ++i)
          section(key, fmt::format("[[{}]]", path(key)), key.tables().at(i));
        break;
      case KeyType::rows: rows(key, key.tables()); break;
      case KeyType::word_or_table: word_or_table(key, key.as<SweepRecording>()); break;
      case KeyType::choice: choice(key, key.as<ModelDescription>()); break;
      case KeyType::scheme: scheme(key, key.as<Scheme>()); break;
    }
  }

  void formulas(const Key& key, const std::vector<std::string>& texts) {
    if (texts.size() == 1) return list(key, texts.front());
    list(key, texts);
  }

  // Words and lists that are empty are left out where they may be.
  template <class T>
  void list(const Key& key, const T& value) {
    if (key.required || !value.empty()) line(key, written(value));
  }
  void matrix_or_file(const Key& key, const MatrixSource& source) {
    if (const auto* rows = std::get_if<0>(&source))
      list(key, *rows);
    else
      line(key, written(std::get<std::string>(source)));
  }
  void values(const Key& key, const CoordinateValues& values) {
    if (values.for_all)
      line(key, written(*values.for_all));
    else
      list(key, values.by_name);
  }
  void rows(const Key& key, const InnerTables& tables) {
    if (tables.size() == 0) return;
    std::string list = "[\n";
    for (std::size_t i = 0; i < tables.size(); ++i) list += fmt::format("  {},\n", in_one_line(tables.at(i)));
    line(key, list + "]");
  }
  void word_or_table(const Key& key, SweepRecording& value) {
    if (const auto* word = std::get_if<std::string>(&value))
      list(key, *word);
    else
      line(key, in_one_line(keys_of(std::get<SectionDescription>(value))));
  }
  void choice(const Key& key, ModelDescription& model) {
    section(key, fmt::format("[{}]\nkind = \"{}\"", path(key), model_kinds[model.index()]), keys_of(model));
  }
  void scheme(const Key& key, const Scheme& scheme) {
    after_ += fmt::format("\n[{}]\nname = {}\n", path(key), io::toml_string(scheme.name));
    for (const auto& [name, value] : scheme.values) {
      std::string text;
      if (const double* number = std::get_if<double>(&value)) text = io::toml_number(*number);
      if (const bool* flag = std::get_if<bool>(&value)) text = *flag ? "true" : "false";
      if (const std::string* word = std::get_if<std::string>(&value)) text = io::toml_string(*word);
      after_ += fmt::format("{} = {}\n", io::toml_key(name), text);
    }
  }

  std::string path(const Key& key) const { return path_to(path_, key.name); }
  void line(const Key& key, const std::string& value) { lines_.push_back(fmt::format("{} = {}", key.name, value)); }

  static std::string in_one_line(const KeyTable& keys) {
    return fmt::format("{{ {} }}", fmt::join(Writer("", keys).lines_, ", "));
  }
  void section(const Key& key, const std::string& header, const KeyTable& keys) {
    after_ += fmt::format("\n{}\n{}", header, Writer(path(key), keys).text());
  }

  std::string path_;
  std::vector<std::string> lines_;  // key = value
  std::string after_;               // the tables within
};

}  // namespace

std::string write_scenario(const Scenario& scenario) {
  Scenario copy = scenario;
  return Writer("", keys_of(copy)).text();
}

}  // namespace ricochet
