#include "io/format/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/utf8.hpp"

namespace ricochet {

namespace {

constexpr int deepest = 100;

void append_quoted(std::string& text, std::string_view value) {
  text += '"';
  while (!value.empty()) {
    const char32_t character = next_character(value);
    switch (character) {
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      case '\n': text += "\\n"; break;
      case '\r': text += "\\r"; break;
      case '\t': text += "\\t"; break;
      default:
        if (is_control(character))
          text += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        else
          append_character(text, character);
    }
  }
  text += '"';
}

// Whole numbers keep a ".0": readers then see that they are not counts.
void append_double(std::string& text, double number) {
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  const std::string written = fmt::format("{}", number);
  text += written;
  if (written.find_first_of(".e") == std::string::npos) text += ".0";
}

// What follows is read from the front of a text that shrinks.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<Json> whole() {
    std::optional<Json> value = read(0);
    skip_space();
    return text_.empty() ? value : std::nullopt;
  }

 private:
  void skip_space() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }
  bool take(std::string_view token) {
    if (text_.substr(0, token.size()) != token) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  std::optional<Json> read(int depth) {
    skip_space();
    if (depth > deepest || text_.empty()) return std::nullopt;
    if (take("null")) return Json();
    if (take("true")) return Json(true);
    if (take("false")) return Json(false);
    if (text_.front() == '"') {
      std::optional<std::string> value = quoted();
      return value ? std::optional(Json(std::move(*value))) : std::nullopt;
    }
    if (take("[")) return array(depth);
    if (take("{")) return object(depth);
    return number();
  }

  std::optional<Json> array(int depth) {
    Json list = Json::array();
    for (bool first = true;; first = false) {
      skip_space();
      if (take("]")) return list;
      if (!first && !take(",")) return std::nullopt;
      std::optional<Json> value = read(depth + 1);
      if (!value) return std::nullopt;
      list.push_back(std::move(*value));
    }
  }

  std::optional<Json> object(int depth) {
    Json members = Json::object();
    for (bool first = true;; first = false) {
      skip_space();
      if (take("}")) return members;
      if (!first && !take(",")) return std::nullopt;
      skip_space();
      const std::optional<std::string> key = quoted();
      skip_space();
      if (!key || !take(":")) return std::nullopt;
      std::optional<Json> value = read(depth + 1);
      if (!value) return std::nullopt;
      members[*key] = std::move(*value);
    }
  }

  std::optional<Json> number() {
    const std::string_view token = text_.substr(0, text_.find_first_not_of("+-.0123456789eE"));
    const char* end = token.data() + token.size();
    if (token.empty() || token.front() == '+' || token.front() == '.') return std::nullopt;
    text_.remove_prefix(token.size());
    std::int64_t whole = 0;
    if (const auto [at, error] = std::from_chars(token.data(), end, whole); error == std::errc() && at == end)
      return Json(whole);
    double value = 0.0;
    if (const auto [at, error] = std::from_chars(token.data(), end, value); error == std::errc() && at == end)
      return Json(value);
    return std::nullopt;
  }

  std::optional<std::string> quoted() {
    if (!take("\"")) return std::nullopt;
    std::string value;
    while (!text_.empty()) {
      const char c = text_.front();
      text_.remove_prefix(1);
      if (c == '"') return value;
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        value += c;
      } else if (!escape(value)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool escape(std::string& value) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (text_.empty()) return false;
    const char c = text_.front();
    text_.remove_prefix(1);
    if (const std::size_t i = letters.find(c); i != std::string_view::npos) {
      value += meanings[i];
      return true;
    }
    if (c != 'u') return false;
    std::optional<char32_t> character = unit();
    if (character && *character >= 0xD800 && *character < 0xDC00 && take("\\u")) {
      const std::optional<char32_t> low = unit();
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
      character = 0x10000 + ((*character - 0xD800) << 10) + (*low - 0xDC00);
    }
    if (!character) return false;
    append_character(value, *character);
    return true;
  }

  std::optional<char32_t> unit() {
    unsigned bits = 0;
    const std::string_view digits = text_.substr(0, 4);
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (digits.size() < 4 || error != std::errc() || at != digits.data() + 4) return std::nullopt;
    text_.remove_prefix(4);
    return static_cast<char32_t>(bits);
  }

  std::string_view text_;
};

}  // namespace

Json::Json(std::initializer_list<Json> list) {
  const bool pairs = std::all_of(list.begin(), list.end(), [](const Json& item) {
    const Array* pair = item.as_array();
    return pair && pair->size() == 2 && std::holds_alternative<std::string>(pair->front().value_);
  });
  if (!pairs || list.size() == 0) {
    value_ = Array(list);
    return;
  }
  Object members;
  members.reserve(list.size());
  for (const Json& item : list) {
    const Array& pair = *item.as_array();
    members.emplace_back(std::get<std::string>(pair[0].value_), pair[1]);
  }
  value_ = std::move(members);
}

void Json::push_back(Json value) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Array();
  std::get<Array>(value_).push_back(std::move(value));
}

const Json& Json::at(std::string_view key) const {
  static const Json nothing;
  if (const Object* object = as_object())
    for (const auto& [name, value] : *object)
      if (name == key) return value;
  return nothing;
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Object();
  Object& members = std::get<Object>(value_);
  for (auto& [name, value] : members)
    if (name == key) return value;
  return members.emplace_back(std::string(key), Json()).second;
}

std::size_t Json::size() const {
  if (const Array* values = as_array()) return values->size();
  if (const Object* members = as_object()) return members->size();
  return 0;
}

bool Json::empty() const {
  return std::holds_alternative<std::monostate>(value_) || ((as_array() || as_object()) && size() == 0);
}

void Json::write(std::string& text, int indent, int depth) const {
  const auto line = [&](int level) {
    if (indent < 0) return;
    text += '\n';
    text.append(static_cast<std::size_t>(indent * level), ' ');
  };
  const auto list = [&](char open, const auto& items, char close, const auto& write_one) {
    text += open;
    const char* between = "";
    for (const auto& item : items) {
      text += between;
      line(depth + 1);
      write_one(item);
      between = ",";
    }
    if (!items.empty()) line(depth);
    text += close;
  };

  if (const bool* truth = std::get_if<bool>(&value_)) {
    text += *truth ? "true" : "false";
  } else if (const std::int64_t* whole = std::get_if<std::int64_t>(&value_)) {
    text += fmt::format("{}", *whole);
  } else if (const double* number = std::get_if<double>(&value_)) {
    append_double(text, *number);
  } else if (const std::string* quoted = std::get_if<std::string>(&value_)) {
    append_quoted(text, *quoted);
  } else if (const Array* values = as_array()) {
    list('[', *values, ']', [&](const Json& item) { item.write(text, indent, depth + 1); });
  } else if (const Object* members = as_object()) {
    list('{', *members, '}', [&](const auto& member) {
      append_quoted(text, member.first);
      text += indent < 0 ? ":" : ": ";
      member.second.write(text, indent, depth + 1);
    });
  } else {
    text += "null";
  }
}

std::string Json::dump(int indent) const {
  std::string text;
  write(text, indent, 0);
  return text;
}

std::optional<Json> Json::parse(std::string_view text) { return Parser(text).whole(); }

}  // namespace ricochet
