#include "scenario/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/parse.hpp"
#include "scenario/keys/key_table.hpp"

namespace ricochet {

std::string Range::text() const {
  const bool bounded_above = upper != std::numeric_limits<double>::infinity();
  if (lower == 0.0 && above_lower && !bounded_above) return "positive";
  if (!bounded_above) return fmt::format("{} {}", above_lower ? "above" : "at least", to_text(lower));
  return fmt::format("in {}{}, {}]", above_lower ? "(" : "[", to_text(lower), to_text(upper));
}

void check_number(double value, const Range& range, const std::string& field) {
  if (!std::isfinite(value)) throw InputError(field, "must be a finite number, got " + to_text(value));
  if (!range.contains(value)) throw InputError(field, fmt::format("must be {}, got {}", range.text(), to_text(value)));
}

namespace {

void check(const Quantity& value, const Range& range, const std::string& field) {
  if (value.is_number()) check_number(value.number(), range, field);
}
void check(const std::optional<Quantity>& value, const Range& range, const std::string& field) {
  if (value) check(*value, range, field);
}
void check(const NamedQuantities& values, const Range& range, const std::string& field) {
  for (const auto& [name, value] : values) check(value, range, field + "." + name);
}
template <class T>
void check(const std::vector<T>& list, const Range& range, const std::string& field) {
  for (std::size_t i = 0; i < list.size(); ++i) check(list[i], range, path_to(field, i));
}

// The scheme's catalogue checks its own; the rest has no numbers.
void check_numbers(const KeyTable& keys, const std::string& path) {
  for (const TableKey& key : keys) {
    const std::string field = path_to(path, key.name);
    switch (key.type) {
      case KeyType::quantity: check(key.as<Quantity>(), key.range, field); break;
      case KeyType::optional_quantity: check(key.as<std::optional<Quantity>>(), key.range, field); break;
      case KeyType::quantities: check(key.as<NamedQuantities>(), key.range, field); break;
      case KeyType::row: check(key.as<std::vector<Quantity>>(), key.range, field); break;
      case KeyType::matrix: check(key.as<std::vector<std::vector<Quantity>>>(), key.range, field); break;
      case KeyType::matrix_or_file:
        if (const auto* rows = std::get_if<0>(&key.as<MatrixSource>())) check(*rows, key.range, field);
        break;
      case KeyType::points:
        for (const auto& [name, row] : key.as<NamedRows>()) check(row, key.range, field + "." + name);
        break;
      case KeyType::values:
        check(key.as<CoordinateValues>().by_name, key.range, field);
        check(key.as<CoordinateValues>().for_all, key.range, field);
        break;
      case KeyType::table:
        if (key.tables().size() > 0) check_numbers(key.tables().at(0), field);
        break;
      case KeyType::tables:
      case KeyType::rows:
        for (std::size_t i = 0; i < key.tables().size(); ++i) check_numbers(key.tables().at(i), path_to(field, i));
        break;
      case KeyType::word_or_table:
        if (auto* table = std::get_if<SectionDescription>(&key.as<SweepRecording>()))
          check_numbers(keys_of(*table), field);
        break;
      case KeyType::choice: check_numbers(keys_of(key.as<ModelDescription>()), field); break;
      case KeyType::text:
      case KeyType::formula:
      case KeyType::names:
      case KeyType::formulas:
      case KeyType::count:
      case KeyType::flag:
      case KeyType::scheme: break;
    }
  }
}

}  // namespace

void check_numbers(const Scenario& scenario) {
  Scenario copy = scenario;
  check_numbers(keys_of(copy), "");
}

namespace {

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
  std::string word = name;
  if (hyphens && !word.starts_with('-')) std::replace(word.begin(), word.end(), '-', '_');
  if (formula::is_identifier(word)) return;
  throw InputError(field, fmt::format("'{}' is not a name: names begin with a letter and go on with letters, digits{}",
                                      name, hyphens ? ", _ and -" : " and _"));
}

std::size_t position_of(const std::string& word, const std::vector<std::string>& allowed, const std::string& field) {
  const auto place = std::find(allowed.begin(), allowed.end(), word);
  if (place == allowed.end())
    throw InputError(field, fmt::format("must be {} or {}, got '{}'",
                                        fmt::join(allowed.begin(), allowed.end() - 1, ", "), allowed.back(), word));
  return static_cast<std::size_t>(place - allowed.begin());
}

int checked_count(std::uint64_t count, const std::string& field) {
  if (count < 1 || count > 10'000'000)
    throw InputError(field, fmt::format("must be a whole number from 1 to 1e7, got {}", count));
  return static_cast<int>(count);
}

std::size_t first_repeated(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, bool> seen;
  std::size_t i = 0;
  while (i < names.size() && seen.emplace(names[i], true).second) ++i;
  return i;
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
