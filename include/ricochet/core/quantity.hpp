// A value in a description: a number, or a formula that gives one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ricochet {

class Quantity {
 public:
  Quantity(double number = 0.0) : value_(number) {}                // NOLINT: reads like the value
  Quantity(int number) : value_(static_cast<double>(number)) {}    // NOLINT
  Quantity(std::string formula) : value_(std::move(formula)) {}    // NOLINT
  Quantity(const char* formula) : value_(std::string(formula)) {}  // NOLINT

  bool is_number() const { return std::holds_alternative<double>(value_); }
  double number() const { return std::get<double>(value_); }
  const std::string& formula() const { return std::get<std::string>(value_); }

  // The text a formula reader takes: a number is written with all its digits.
  std::string text() const;

  bool operator==(const Quantity&) const = default;

 private:
  std::variant<double, std::string> value_;
};

// Names with their values, in the order given.
using NamedQuantities = std::vector<std::pair<std::string, Quantity>>;

// A number as text that reads back to the same double: "0.1", "1e-3", "nan".
std::string to_text(double number);

// With small letters in place of capitals, those of ASCII.
std::string lowered(std::string_view text);

// The candidate closest in spelling to `word`, or "" if none is near.
std::string_view nearest(std::string_view word, const std::vector<std::string>& candidates);

// "there is no scheme "moro"; did you mean moreau?", or the known ones where none is near.
std::string no_such(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

}  // namespace ricochet
