// JSON as a value (RFC 8259): built, written, and read back where a file holds some.
//
//     Json json = {{"scheme", "moreau-jean"}, {"steps", 3}, {"final", {{"q", {0.1, 0.2}}}}};
//     json["notes"] = Json::array();
//     json.dump(2);
//
// A list of pairs that each begin with a text is an object, any other list an array, as it reads. Keys keep their
// order.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ricochet {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}  // written as null where it is not finite
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Json(Integer value) : value_(static_cast<std::int64_t>(value)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(const char* text) : value_(std::string(text)) {}
  template <class T>
  Json(const std::vector<T>& values) : value_(Array(values.begin(), values.end())) {}
  template <class T>
  Json(const std::optional<T>& value) {
    if (value) *this = Json(*value);
  }
  Json(std::initializer_list<Json> list);

  static Json array(std::initializer_list<Json> list = {}) { return Json(Array(list)); }
  static Json object() { return Json(Object()); }

  void push_back(Json value);              // null becomes an array
  Json& operator[](std::string_view key);  // null becomes an object; a new key comes last
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }

  const Array* as_array() const { return std::get_if<Array>(&value_); }
  const Object* as_object() const { return std::get_if<Object>(&value_); }
  const std::string* as_text() const { return std::get_if<std::string>(&value_); }
  bool is_number() const {
    return std::holds_alternative<double>(value_) || std::holds_alternative<std::int64_t>(value_);
  }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_true() const { return is_bool() && std::get<bool>(value_); }
  std::optional<double> as_number() const {
    if (const double* value = std::get_if<double>(&value_)) return *value;
    if (const std::int64_t* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
    return std::nullopt;
  }
  const Json& at(std::string_view key) const;  // null where there is none
  bool empty() const;                          // null, or without elements
  std::size_t size() const;

  // Numbers in the shortest form that reads back the same; text that is not UTF-8 with U+FFFD in place of what is
  // wrong. indent < 0: in one line without spaces.
  std::string dump(int indent = -1) const;

  // Nothing for a text that is not JSON, or deeper than 100 levels.
  static std::optional<Json> parse(std::string_view text);

  bool operator==(const Json&) const = default;

 private:
  explicit Json(Array values) : value_(std::move(values)) {}
  explicit Json(Object values) : value_(std::move(values)) {}
  void write(std::string& text, int indent, int depth) const;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

}  // namespace ricochet
