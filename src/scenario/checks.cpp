#include "scenario/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ricochet/core/error.hpp"

namespace ricochet {

std::string Range::text() const {
  const bool bounded_above = upper != std::numeric_limits<double>::infinity();
  if (lower == 0.0 && above_lower && !bounded_above) return "positive";
  if (!bounded_above) return fmt::format("{} {}", above_lower ? "above" : "at least", to_text(lower));
  return fmt::format("in {}{}, {}]", above_lower ? "(" : "[", to_text(lower), to_text(upper));
}

namespace {

// Visits every number of a scenario: it must be finite and in the range of its key.
class NumberCheck {
 public:
  void text(const Key&, std::string&) {}
  void formula(const Key&, std::string&) {}
  void names(const Key&, std::vector<std::string>&) {}
  void count(const Key&, std::uint64_t&) {}

  void quantity(const Key& key, Quantity& value) { check(value, key.range, path(key)); }
  void quantity(const Key& key, std::optional<Quantity>& value) {
    if (value) check(*value, key.range, path(key));
  }
  void quantities(const Key& key, NamedQuantities& values) {
    for (const auto& [name, value] : values) check(value, key.range, path(key) + "." + name);
  }
  void row(const Key& key, std::vector<Quantity>& values) { row(values, key.range, path(key)); }
  void matrix(const Key& key, std::vector<std::vector<Quantity>>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) row(rows[i], key.range, fmt::format("{}[{}]", path(key), i));
  }

  template <class T>
  void table(const Key& key, T& value) {
    inside(path(key), value);
  }
  template <class T>
  void table(const Key& key, std::optional<T>& value) {
    if (value) inside(path(key), *value);
  }
  template <class T>
  void tables(const Key& key, std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) inside(fmt::format("{}[{}]", path(key), i), values[i]);
  }
  template <class T>
  void rows(const Key& key, std::vector<T>& values) {
    tables(key, values);
  }
  void choice(const Key& key, ModelDescription& model) {
    std::visit([&](auto& description) { inside(path(key), description); }, model);
  }
  void scheme(const Key&, Scheme&) {}  // the catalogue checks its own

 private:
  std::string path(const Key& key) const {
    return path_.empty() ? std::string(key.name) : fmt::format("{}.{}", path_, key.name);
  }

  template <class T>
  void inside(std::string place, T& value) {
    std::swap(path_, place);
    describe(*this, value);
    std::swap(path_, place);
  }

  static void row(const std::vector<Quantity>& values, const Range& range, const std::string& place) {
    for (std::size_t i = 0; i < values.size(); ++i) check(values[i], range, fmt::format("{}[{}]", place, i));
  }
  static void check(const Quantity& value, const Range& range, const std::string& place) {
    if (value.is_number()) check_number(value.number(), range, place);
  }

  std::string path_;
};

}  // namespace

void check_number(double value, const Range& range, const std::string& field) {
  if (!std::isfinite(value)) throw InputError(field, "must be a finite number, got " + to_text(value));
  if (!range.contains(value)) throw InputError(field, fmt::format("must be {}, got {}", range.text(), to_text(value)));
}

void check_numbers(const Scenario& scenario) {
  Scenario copy = scenario;
  NumberCheck check;
  describe(check, copy);
}

}  // namespace ricochet
