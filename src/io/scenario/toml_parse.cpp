// The only file that includes toml++.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <sstream>

#include "io/format/text_lines.hpp"
#include "io/scenario/toml_document.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"

namespace ricochet::io {

namespace {

// No scenario comes near these; beyond them the recursion of the parser and of its tree would grow with the text.
constexpr int nesting_max = 32;
constexpr int points_max = 16;  // in one dotted key

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Refuses deep nesting, and characters beyond ASCII outside strings and comments, on which the parser is less clear.
// Text that is not TOML may confuse the check only after the place where the parser stops.
class TextCheck {
 public:
  TextCheck(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  void run() {
    if (text_.substr(0, 3) == byte_order_mark) at_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '[' || c == '{') ++depth_;
      if (c == ']' || c == '}') depth_ = std::max(depth_ - 1, 0);
      if (c == '.') ++points_;
      if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') points_ = 0;
      if (depth_ > nesting_max || points_ > points_max)
        refuse(fmt::format("nested too deeply: lists and tables may be nested {} deep, keys may have {} points",
                           nesting_max, points_max));
      if (static_cast<unsigned char>(c) >= 0x80)
        refuse("not valid TOML: letters beyond ASCII are allowed only in quotes and comments");
      ++at_;
    }
  }

 private:
  void skip_string(char quote) {
    const bool is_long = text_.substr(at_, 3) == std::string(3, quote);
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        const std::string_view escape = text_.substr(at_, 8);
        if (escape == "\\U0010FF" || escape == "\\U0010ff" || escape == "\\U0010fF" || escape == "\\U0010Ff")
          refuse("not valid here: an escape of a private character beyond U+10FEFF");
        at_ += 2;
      } else if (is_long && text_.substr(at_, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''")) {
        // Up to two quotes may stand before the closing three.
        at_ += 3;
        while (at_ < text_.size() && text_[at_] == quote) ++at_;
        return;
      } else if (!is_long && (text_[at_] == quote || text_[at_] == '\n')) {
        ++at_;
        return;
      } else {
        ++at_;
      }
    }
  }

  [[noreturn]] void refuse(const std::string& message) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + at_, '\n');
    throw ScenarioError(fmt::format("{}:{}: {}", source_, line, message));
  }

  std::string_view text_, source_;
  std::size_t at_ = 0;
  int depth_ = 0, points_ = 0;
};

// toml++ 3.3 runs into undefined behaviour on many letters beyond ASCII that stand where none may (a = ä). It never
// sees one: each byte b ≥ 0x80 becomes the private character U+10FF00 + b, and back in the values.

std::string veiled(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      result += c;
    else
      (result += "\xf4\x8f") += {static_cast<char>(0xbc + (byte >> 6)), static_cast<char>(0x80 | (byte & 0x3f))};
  }
  return result;
}

std::string unveiled(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view four = text.substr(at, 4);
    const auto third = four.size() == 4 ? static_cast<unsigned char>(four[2]) : 0u;
    if (four.substr(0, 2) == "\xf4\x8f" && third >= 0xbe) {
      result += static_cast<char>((third - 0xbc) << 6 | (static_cast<unsigned char>(four[3]) & 0x3f));
      at += 3;
    } else {
      result += text[at];
    }
  }
  return result;
}

// Places in the veiled text as places in the text itself: there a column is a byte, here a character.
class Places {
 public:
  explicit Places(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') lines_.push_back(at + 1);
      if ((text[at] & 0xc0) == 0x80) inner_.push_back(at);
    }
  }

  Place operator()(const toml::source_region& region) const {
    Place place = {.line = static_cast<std::uint32_t>(region.begin.line),
                   .column = static_cast<std::uint32_t>(region.begin.column)};
    if (place.line == 0 || place.line > lines_.size() || place.column == 0) return place;
    const std::size_t line = lines_[place.line - 1];
    const auto inner_before = [this](std::size_t at) { return std::lower_bound(inner_.begin(), inner_.end(), at); };
    place.column -= static_cast<std::uint32_t>(inner_before(line + place.column - 1) - inner_before(line));
    return place;
  }

 private:
  std::vector<std::size_t> lines_ = {0}, inner_;  // where each begins; bytes of characters after their first
};

Node convert(const toml::node& node, const Places& place_of);

Table convert(const toml::table& table, const Places& place_of) {
  Table result;
  result.reserve(table.size());
  for (const auto& [key, value] : table)
    result.push_back({unveiled(key.str()), place_of(key.source()), convert(value, place_of)});
  // toml++ sorts keys by name; the order of the text is the one meant.
  std::stable_sort(result.begin(), result.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return result;
}

Array convert(const toml::array& array, const Places& place_of) {
  Array result;
  result.reserve(array.size());
  for (const toml::node& value : array) result.push_back(convert(value, place_of));
  return result;
}

template <class T>
std::string written(const T& value) {
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream << value;
  return stream.str();
}

Node convert(const toml::node& node, const Places& place_of) {
  Node result;
  result.place = place_of(node.source());
  switch (node.type()) {
    case toml::node_type::table: result.value = convert(*node.as_table(), place_of); break;
    case toml::node_type::array: result.value = convert(*node.as_array(), place_of); break;
    case toml::node_type::string: result.value = unveiled(node.as_string()->get()); break;
    case toml::node_type::integer: result.value = node.as_integer()->get(); break;
    case toml::node_type::floating_point: result.value = node.as_floating_point()->get(); break;
    case toml::node_type::boolean: result.value = node.as_boolean()->get(); break;
    case toml::node_type::date: result.value = Moment{written(node.as_date()->get())}; break;
    case toml::node_type::time: result.value = Moment{written(node.as_time()->get())}; break;
    case toml::node_type::date_time: result.value = Moment{written(node.as_date_time()->get())}; break;
    case toml::node_type::none: break;
  }
  return result;
}

// "Error while parsing floating-point: …" without its first word.
std::string reason(const toml::parse_error& error) {
  std::string text(error.description());
  constexpr std::string_view opening = "Error while parsing ";
  if (text.rfind(opening, 0) == 0) text = "in the " + text.substr(opening.size());
  return text;
}

// "9,81" behind a key, anywhere in the line: what was meant.
std::string decimal_comma(std::string_view line) {
  const auto is_digit = [&](std::size_t at) { return at < line.size() && line[at] >= '0' && line[at] <= '9'; };
  for (std::size_t equals = line.find('='); equals != std::string_view::npos; equals = line.find('=', equals + 1)) {
    const std::size_t number = std::min(line.find_first_not_of(" \t", equals + 1), line.size());
    std::size_t comma = number;
    while (is_digit(comma) || (comma < line.size() && comma == number && line[comma] == '-')) ++comma;
    if (comma == number || comma >= line.size() || line[comma] != ',' || !is_digit(comma + 1)) continue;
    std::size_t end = comma + 1;
    while (is_digit(end)) ++end;
    const std::string_view before = line.substr(0, equals);
    const std::size_t key_end = before.find_last_not_of(" \t"), key = before.find_last_of(" \t{,", key_end);
    return fmt::format("; the decimal sign is a point: {} = {}.{}",
                       before.substr(key == std::string_view::npos ? 0 : key + 1, key_end - key),
                       line.substr(number, comma - number), line.substr(comma + 1, end - comma - 1));
  }
  return "";
}

// What people mean by a line that is not TOML: a decimal comma, a unit, or a formula without quotes.
std::string hint_for(std::string_view text, std::uint32_t number) {
  for (; number > 1 && text.find('\n') != std::string_view::npos; --number) text.remove_prefix(text.find('\n') + 1);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (std::string hint = decimal_comma(line); !hint.empty()) return hint;
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return "";
  const std::string_view key = trimmed(line.substr(0, equals), " \t"),
                         value = trimmed(line.substr(equals + 1, line.find('#') - equals - 1), " \t\r");
  const bool is_word = value.find_first_of("\"'[]{},") == std::string_view::npos;
  if (value.empty() || !is_word || value.find_first_not_of("0123456789.+-eE_") == std::string_view::npos) return "";
  // "1 ms"
  const std::size_t space = value.find(' ');
  if (space != std::string_view::npos && space > 0 &&
      value.substr(0, space).find_first_not_of("0123456789.+-eE_") == std::string_view::npos &&
      value.substr(space + 1).find_first_of("0123456789.+-*/^() ") == std::string_view::npos)
    return fmt::format("; units are not read: write the number alone, and everything in the same units: {} = {}", key,
                       value.substr(0, space));
  return fmt::format("; a formula or a text needs quotes: {} = \"{}\"", key, value);
}

}  // namespace

TomlDocument parse_toml(std::string_view text, std::string_view source) {
  TextCheck(text, source).run();
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  const Places place_of(text);
  try {
    const toml::table table = toml::parse(veiled(text));
    TomlDocument document;
    document.source = source;
    document.root.value = convert(table, place_of);
    return document;
  } catch (const toml::parse_error& error) {
    const Place place = place_of(error.source());
    throw ScenarioError(fmt::format("{}:{}:{}: not valid TOML: {}{}", source, place.line, place.column,
                                    unveiled(reason(error)), hint_for(text, place.line)));
  }
}

Node parse_value(std::string_view text) {
  // A number in any form the formulas know too (".5", "2.").
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return {number, {}};

  try {
    TomlDocument document = parse_toml(fmt::format("value = {}", text), "");
    auto& table = std::get<Table>(document.root.value);
    if (table.size() == 1 && table[0].key == "value") return std::move(table[0].node);
  } catch (const ScenarioError&) {
    // Not TOML: words.
  }
  return {std::string(text), {}};
}

}  // namespace ricochet::io
