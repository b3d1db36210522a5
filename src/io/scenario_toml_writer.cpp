// Scenario -> TOML, over the description of the keys. Keys that are empty are left out.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/toml_text.hpp"
#include "ricochet/io/scenario_toml.hpp"
#include "ricochet/scenario/describe.hpp"

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

std::string toml_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(key) : fmt::format("\"{}\"", escaped(key, false));
}

std::string toml_number(double number) {
  std::string text = to_text(number);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace io

namespace {

std::string written(const Quantity& value) {
  return value.is_number() ? io::toml_number(value.number()) : io::toml_string(value.formula());
}

std::string written(const std::vector<Quantity>& row) {
  std::vector<std::string> entries;
  for (const Quantity& value : row) entries.push_back(written(value));
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

std::string written(const NamedQuantities& values) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : values)
    entries.push_back(fmt::format("{} = {}", io::toml_key(name), written(value)));
  return fmt::format("{{ {} }}", fmt::join(entries, ", "));
}

// Writes the keys of one table, then the tables within it.
class Writer {
 public:
  explicit Writer(std::string path) : path_(std::move(path)) {}

  void text(const Key& key, const std::string& value) {
    if (key.required || !value.empty()) line(key, io::toml_string(value));
  }
  void formula(const Key& key, const std::string& value) { text(key, value); }
  void quantity(const Key& key, const Quantity& value) { line(key, written(value)); }
  void quantity(const Key& key, const std::optional<Quantity>& value) {
    if (value) line(key, written(*value));
  }
  void quantities(const Key& key, const NamedQuantities& values) {
    if (key.required || !values.empty()) line(key, written(values));
  }
  void names(const Key& key, const std::vector<std::string>& values) {
    if (!key.required && values.empty()) return;
    std::vector<std::string> entries;
    for (const std::string& value : values) entries.push_back(io::toml_string(value));
    line(key, fmt::format("[{}]", fmt::join(entries, ", ")));
  }
  void row(const Key& key, const std::vector<Quantity>& values) {
    if (key.required || !values.empty()) line(key, written(values));
  }
  void matrix(const Key& key, const std::vector<std::vector<Quantity>>& rows) {
    std::vector<std::string> entries;
    for (const std::vector<Quantity>& row : rows) entries.push_back(written(row));
    if (!rows.empty()) line(key, fmt::format("[{}]", fmt::join(entries, ", ")));
  }
  void matrix_or_file(const Key& key, const MatrixSource& source) {
    if (const auto* rows = std::get_if<0>(&source)) return matrix(key, *rows);
    line(key, io::toml_string(std::get<std::string>(source)));
  }
  void values(const Key& key, const CoordinateValues& values) {
    if (values.for_all) return quantity(key, *values.for_all);
    quantities(key, values.by_name);
  }
  void count(const Key& key, std::uint64_t value) { line(key, fmt::format("{}", value)); }

  template <class T>
  void table(const Key& key, T& value) {
    section(fmt::format("[{}]", path(key)), path(key), value);
  }
  template <class T>
  void table(const Key& key, std::optional<T>& value) {
    if (value) table(key, *value);
  }
  template <class T>
  void tables(const Key& key, std::vector<T>& values) {
    for (T& value : values) section(fmt::format("[[{}]]", path(key)), path(key), value);
  }
  template <class T>
  void rows(const Key& key, std::vector<T>& values) {
    if (values.empty()) return;
    std::string list = "[\n";
    for (T& value : values) list += fmt::format("  {},\n", in_one_line(value));
    line(key, list + "]");
  }
  template <class T>
  void word_or_table(const Key& key, std::variant<std::string, T>& value) {
    if (const auto* word = std::get_if<std::string>(&value)) return text(key, *word);
    line(key, in_one_line(std::get<T>(value)));
  }
  void choice(const Key& key, ModelDescription& model) {
    const std::string_view kind = model_kinds[model.index()];
    std::visit([&](auto& value) { section(fmt::format("[{}]\nkind = \"{}\"", path(key), kind), path(key), value); },
               model);
  }
  void scheme(const Key& key, const Scheme& scheme) {
    after_ += fmt::format("\n[{}]\nname = {}\n", path(key), io::toml_string(scheme.name));
    for (const auto& [name, value] : scheme.values) {
      const double* number = std::get_if<double>(&value);
      after_ += fmt::format("{} = {}\n", io::toml_key(name),
                            number ? io::toml_number(*number) : io::toml_string(std::get<std::string>(value)));
    }
  }

  std::string text() const {
    std::string result;
    for (const std::string& entry : lines_) result += entry + "\n";
    return result + after_;
  }

 private:
  std::string path(const Key& key) const {
    return path_.empty() ? std::string(key.name) : fmt::format("{}.{}", path_, key.name);
  }
  void line(const Key& key, const std::string& value) { lines_.push_back(fmt::format("{} = {}", key.name, value)); }

  template <class T>
  static std::string in_one_line(T& value) {
    Writer row("");
    describe(row, value);
    return fmt::format("{{ {} }}", fmt::join(row.lines_, ", "));
  }

  template <class T>
  void section(const std::string& header, const std::string& place, T& value) {
    Writer inner(place);
    describe(inner, value);
    after_ += fmt::format("\n{}\n{}", header, inner.text());
  }

  std::string path_;
  std::vector<std::string> lines_;  // key = value
  std::string after_;               // the tables within
};

}  // namespace

std::string write_scenario(const Scenario& scenario) {
  Scenario copy = scenario;
  Writer writer("");
  describe(writer, copy);
  return writer.text();
}

}  // namespace ricochet
