#include "scenario/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

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
  void matrix_or_file(const Key& key, MatrixSource& source) {
    if (auto* rows = std::get_if<0>(&source)) matrix(key, *rows);
  }
  void values(const Key& key, CoordinateValues& values) {
    quantities(key, values.by_name);
    quantity(key, values.for_all);
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
  template <class T>
  void word_or_table(const Key& key, std::variant<std::string, T>& value) {
    if (auto* inner = std::get_if<T>(&value)) inside(path(key), *inner);
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

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "the coordinates are x, y", or how many where they are many.
std::string spoken(const std::vector<std::string>& names, const char* what) {
  constexpr std::size_t most = 20;
  if (names.empty()) return fmt::format("there are no {}s", what);
  if (names.size() > most) return fmt::format("there are {}, {} to {}", names.size(), names.front(), names.back());
  return fmt::format("the {}s are {}", what, fmt::join(names, ", "));
}

}  // namespace

// The names of formulas: a letter or _, then letters, digits and _; elsewhere also -.
void check_name(const std::string& name, const std::string& field, bool hyphens) {
  const bool valid = !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || (hyphens && c == '-');
  });
  if (valid) return;
  throw InputError(field, fmt::format("'{}' is not a name: names begin with a letter and go on with letters, digits{}",
                                      name, hyphens ? ", _ and -" : " and _"));
}

void check_by_name(const NamedQuantities& values, const std::vector<std::string>& names, const std::string& field,
                   const char* what, bool all) {
  std::unordered_map<std::string_view, bool> given;
  for (const std::string& name : names) given.emplace(name, false);
  for (const auto& [name, value] : values) {
    const auto place = given.find(name);
    if (place == given.end()) {
      const std::string_view near = nearest(name, names);
      throw InputError(field + "." + name,
                       fmt::format("there is no {} '{}'; {}", what, name,
                                   near.empty() ? spoken(names, what) : fmt::format("did you mean '{}'?", near)));
    }
    if (place->second) throw InputError(field + "." + name, "is given twice");
    place->second = true;
  }
  if (!all) return;
  for (const std::string& name : names)
    if (!given.at(name)) throw InputError(field, fmt::format("the {} '{}' is missing: give it a value", what, name));
}

void check_initial(const Initial& initial, const std::vector<std::string>& coordinates, bool all) {
  check_by_name(initial.q.by_name, coordinates, "initial.q", "coordinate", all && !initial.q.for_all);
  check_by_name(initial.v.by_name, coordinates, "initial.v", "coordinate", false);
}

void check_known(const KnownAnswer& known, const std::vector<std::string>& coordinates,
                 const std::vector<std::string>& constraints, const std::vector<std::string>& observations) {
  const std::size_t nq = coordinates.size();
  if (known.source.empty()) throw InputError("known.source", "must say where the answer comes from");
  check_by_name(known.q, coordinates, "known.q", "coordinate", !known.q.empty());
  check_by_name(known.v, coordinates, "known.v", "coordinate", !known.v.empty());
  if (!known.window.empty() && known.window.size() != 2)
    throw InputError("known.window", fmt::format("must have two entries, from and until, got {}", known.window.size()));

  for (std::size_t i = 0; i < known.impacts.size(); ++i) {
    const std::string& name = known.impacts[i].constraint;
    if (std::find(constraints.begin(), constraints.end(), name) != constraints.end()) continue;
    throw InputError(fmt::format("known.impacts[{}].constraint", i), fmt::format("there is no constraint '{}'", name));
  }

  for (std::size_t i = 0; i < known.samples.size(); ++i) {
    const KnownSample& sample = known.samples[i];
    const std::string field = fmt::format("known.samples[{}]", i);
    if (sample.q.empty() && sample.observed.empty())
      throw InputError(field, "needs q, the coordinates, or observed, displacements that the model observes");
    check_by_name(sample.observed, observations, field + ".observed", "observation", false);
    if (!sample.q.empty() && sample.q.size() != nq)
      throw InputError(field + ".q", fmt::format("must have {} entries, got {}", nq, sample.q.size()));
    if (!sample.v.empty() && sample.v.size() != nq)
      throw InputError(field + ".v", fmt::format("must have {} entries, got {}", nq, sample.v.size()));
  }
}

}  // namespace ricochet
