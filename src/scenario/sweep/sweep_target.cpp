// The key that an axis of a sweep changes.
#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "scenario/keys/key_path.hpp"
#include "scenario/keys/key_table.hpp"
#include "scenario/sweep/sweep_parts.hpp"

namespace ricochet {

namespace {

// The name that a table of a list goes by.
std::string name_of(const KeyTable& keys) {
  const TableKey* name = find(keys, "name");
  return name ? name->as<std::string>() : std::string();
}

// Walks down a path, from table to table.
class Finder {
 public:
  Finder(const std::string& path, std::string axis) : path_(path), axis_(std::move(axis)), parts_(split_path(path_)) {
    const auto is_empty = [](std::string_view part) { return part.empty(); };
    if (parts_.empty() || std::any_of(parts_.begin(), parts_.end(), is_empty))
      refuse(fmt::format("'{}' is not the path of a key, such as model.parameters.w or initial.q.x", path_));
  }

  AxisTarget find(Scenario& scenario) {
    if (const auto* model = std::get_if<LagrangianDescription>(&scenario.model)) coordinates_ = model->coordinates;
    inside(keys_of(scenario));
    check_top();
    if (target_.field == "sweep.transient" && ends_when_settled(*scenario.sweep))
      refuse(fmt::format("'{}' is the word \"settled\": an axis changes a number", path_));
    return target_;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { throw InputError(axis_, message); }
  [[noreturn]] void refuse_as(const char* what) const { refuse(fmt::format("'{}' is {}", path_, what)); }
  [[noreturn]] void refuse_top() const {
    refuse(
        fmt::format("'{}' cannot be an axis: it must be a number of model, initial, scheme or solver, time.from, "
                    "time.step, sweep.transient, sweep.duration or sweep.period",
                    path_));
  }

  // "there is no key 'time.stp'; did you mean 'time.step'?"
  [[noreturn]] void refuse_unknown(const std::vector<std::string>& known) const {
    const std::string_view near = nearest(parts_[at_], known);
    const std::string before = walked_.empty() ? "" : walked_ + ".";
    std::string meant = before + std::string(near);
    for (std::size_t i = at_ + 1; i < parts_.size(); ++i)
      meant += as_index(parts_[i]) ? fmt::format("[{}]", parts_[i]) : fmt::format(".{}", parts_[i]);
    refuse(fmt::format("there is no key '{}'; {}", path_,
                       near.empty() ? fmt::format("{} has {}", walked_.empty() ? "a scenario" : walked_,
                                                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))
                                    : fmt::format("did you mean '{}'?", meant)));
  }

  void walk(const std::string& part, bool in_brackets) {
    walked_ += in_brackets ? fmt::format("[{}]", part) : (walked_.empty() ? "" : ".") + part;
    ++at_;
  }
  void need_more(const char* what) const {
    if (at_ == parts_.size()) refuse_as(what);
  }

  // Goes on with the key that is next on the path.
  void inside(const KeyTable& keys) {
    const TableKey* key = ricochet::find(keys, parts_[at_]);
    if (!key) refuse_unknown(names_of(keys));
    walk(std::string(key->name), false);
    switch (key->type) {
      case KeyType::text: refuse_as("a text: an axis changes a number");
      case KeyType::formula:
      case KeyType::formulas: refuse_as("a formula: use a parameter in it, and make the axis model.parameters.NAME");
      case KeyType::names: refuse_as("a list of names: an axis changes a number");
      case KeyType::count: refuse_as("a whole number, which changes what is calculated: an axis cannot");
      case KeyType::flag: refuse_as("true or false: an axis changes a number");
      case KeyType::points: return point(*key, key->as<NamedRows>());
      case KeyType::quantity: return end(key->as<Quantity>(), *key);
      case KeyType::optional_quantity: return optional_quantity(*key, key->as<std::optional<Quantity>>());
      case KeyType::quantities:
        need_more("a table: name one of its entries");
        return entry(key->as<NamedQuantities>(), *key, {});
      case KeyType::values: return values(*key, key->as<CoordinateValues>());
      case KeyType::row: return row_entry(key->as<std::vector<Quantity>>(), *key);
      case KeyType::matrix: return matrix_entry(key->as<std::vector<std::vector<Quantity>>>(), *key);
      case KeyType::matrix_or_file:
        if (auto* rows = std::get_if<0>(&key->as<MatrixSource>())) return matrix_entry(*rows, *key);
        refuse(fmt::format("{} is the name of a file: an axis changes a number", walked_));
      case KeyType::table: return table(key->tables());
      case KeyType::tables:
      case KeyType::rows: return one_of(key->tables());
      case KeyType::word_or_table: refuse_top();
      case KeyType::choice:
        need_more("a table: name one of its keys");
        return inside(keys_of(key->as<ModelDescription>()));
      case KeyType::scheme:
        need_more("a table: name one of its parameters");
        return scheme_parameter(find_scheme(key->as<Scheme>().name));
    }
  }

  void optional_quantity(const Key& key, std::optional<Quantity>& value) {
    if (!value) value = 0.0;
    end(*value, key);
  }
  void values(const Key& key, CoordinateValues& values) {
    if (at_ == parts_.size()) {
      if (!values.by_name.empty()) need_more("a table: name one of its entries");
      values.for_all = 0.0;  // it may have been a file
      return end(*values.for_all, key);
    }
    if (values.for_all) refuse(fmt::format("{} is one value for all coordinates: make the axis {}", walked_, walked_));
    const std::string name(parts_[at_]);
    const auto given = [&](const auto& item) { return item.first == name; };
    const bool known =
        coordinates_.empty() || std::find(coordinates_.begin(), coordinates_.end(), name) != coordinates_.end();
    if (known && std::none_of(values.by_name.begin(), values.by_name.end(), given))
      values.by_name.emplace_back(name, 0.0);
    entry(values.by_name, key, coordinates_);
  }
  void table(const InnerTables& tables) {
    if (tables.size() == 0)
      refuse(fmt::format("the scenario has no table [{}], whose '{}' is to change", walked_, parts_.back()));
    need_more("a table: name one of its keys");
    inside(tables.at(0));
  }
  void one_of(const InnerTables& tables) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tables.size(); ++i) names.push_back(name_of(tables.at(i)));
    const KeyTable element = tables.at(position(tables.size(), names));
    need_more("a table: name one of its keys");
    inside(element);
  }

  void end(Quantity& value, const Key& key) {
    if (at_ < parts_.size()) refuse(fmt::format("there is no key '{}': {} is a value, not a table", path_, walked_));
    target_ = {.quantity = &value, .field = walked_, .range = key.range};
  }

  // One of a table from names to numbers; `further` names could be in it too.
  void entry(NamedQuantities& values, const Key& key, const std::vector<std::string>& further) {
    std::vector<std::string> names = further;
    for (const auto& item : values)
      if (std::find(names.begin(), names.end(), item.first) == names.end()) names.push_back(item.first);
    const auto place =
        std::find_if(values.begin(), values.end(), [&](const auto& item) { return item.first == parts_[at_]; });
    if (place == values.end()) refuse_unknown(names);
    walk(place->first, false);
    end(place->second, key);
  }
  void row_entry(std::vector<Quantity>& values, const Key& key) {
    Quantity& value = values[position(values.size())];
    end(value, key);
  }
  void point(const Key& key, NamedRows& points) {
    need_more("a table: name one of its entries");
    std::vector<std::string> names;
    for (auto& [name, row] : points) {
      names.push_back(name);
      if (name != parts_[at_]) continue;
      walk(name, false);
      return row_entry(row, key);
    }
    refuse_unknown(names);
  }
  void matrix_entry(std::vector<std::vector<Quantity>>& rows, const Key& key) {
    row_entry(rows[position(rows.size())], key);
  }

  // The element of a list by position or name.
  std::size_t position(std::size_t size, const std::vector<std::string>& names = {}) {
    need_more("a list: name one of its entries by its position from 0");
    const std::string part(parts_[at_]);
    std::optional<std::size_t> index = as_index(part);
    if (const auto named = std::find(names.begin(), names.end(), part); !index && named != names.end())
      index = static_cast<std::size_t>(named - names.begin());
    std::vector<std::string> known = names;
    std::erase(known, "");
    if (!index && !known.empty()) refuse_unknown(known);
    if (!index || *index >= size)
      refuse(fmt::format(
          "there is no key '{}': {} {}", path_, walked_,
          size == 0 ? "is empty" : fmt::format("has {} {}, counted from 0", size, size == 1 ? "entry" : "entries")));
    walk(fmt::format("{}", *index), true);
    return *index;
  }

  void scheme_parameter(const SchemeEntry& entry) {
    std::vector<std::string> numbers;
    for (const ParameterSpec& spec : entry.parameters) {
      const bool is_number = std::holds_alternative<double>(spec.fallback);
      if (is_number) numbers.emplace_back(spec.name);
      if (spec.name != parts_[at_]) continue;
      if (!is_number) refuse(fmt::format("'{}' is a word: an axis changes a number", path_));
      walk(std::string(spec.name), false);
      if (at_ < parts_.size()) refuse(fmt::format("there is no key '{}': {} is a value, not a table", path_, walked_));
      target_ = {.scheme_parameter = std::string(spec.name), .field = walked_, .range = {spec.lower, spec.upper}};
      return;
    }
    if (parts_[at_] == "name") refuse(fmt::format("'{}' is a text: an axis changes a number", path_));
    refuse_unknown(numbers);
  }

  // Not everything with a number matters to a trajectory.
  void check_top() const {
    if (parts_[0] == "known" || target_.field == "sweep.period_tolerance" || target_.field == "sweep.settle_within")
      refuse_top();
    if (parts_[0] == "sweep" && parts_.size() > 2) refuse_top();
    if (target_.field == "time.until")
      refuse("'time.until' does not matter to a sweep: trajectories last sweep.transient and sweep.duration");
  }

  const std::string path_, axis_;
  const std::vector<std::string_view> parts_;
  std::vector<std::string> coordinates_;  // if the description says them

  std::size_t at_ = 0;  // the next part
  std::string walked_;
  AxisTarget target_;
};

}  // namespace

AxisTarget find_target(Scenario& scenario, const std::string& path, const std::string& axis) {
  return Finder(path, axis).find(scenario);
}

void set_parameter(Scheme& scheme, const std::string& name, double value) {
  for (auto& [given, old] : scheme.values)
    if (given == name) {
      old = value;
      return;
    }
  scheme.values.emplace_back(name, value);
}

}  // namespace ricochet
