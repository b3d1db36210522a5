#include "ricochet/scenario/key_paths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/place.hpp"
#include "scenario/keys/key_table.hpp"

namespace ricochet {

namespace {

class KeyPaths {
 public:
  std::vector<std::string> paths;
  std::vector<NumberKey> numbers;  // those of them that are numbers, and the entries of tables of values

  void add(const std::string& table, const KeyTable& keys) {
    for (const TableKey& key : keys) add(path_to(table, key.name), key);
  }

 private:
  void add(const std::string& path, const TableKey& key) {
    switch (key.type) {
      case KeyType::quantities:
        for (const auto& [name, value] : key.as<NamedQuantities>()) {
          paths.push_back(path_to(path, name));
          number(paths.back(), value, key.range);
        }
        return;
      case KeyType::quantity: number(path, key.as<Quantity>(), key.range); break;
      case KeyType::optional_quantity:
        if (const auto& value = key.as<std::optional<Quantity>>()) number(path, *value, key.range);
        break;
      case KeyType::values: values(path, key.as<CoordinateValues>(), key.range); break;
      case KeyType::table:
        if (key.tables().size() > 0) add(path, key.tables().at(0));
        return;
      case KeyType::tables:
      case KeyType::rows:
        for (std::size_t i = 0; i < key.tables().size(); ++i) add_row(path, i, key.tables().at(i));
        return;
      case KeyType::choice: return add(path, keys_of(key.as<ModelDescription>()));
      case KeyType::scheme: return add_scheme(path, key.as<Scheme>());
      default: break;
    }
    paths.push_back(path);
  }

  void number(const std::string& path, const Quantity& value, const Range& range) {
    if (value.is_number()) numbers.push_back({path, value.number(), range.lower, range.upper});
  }
  void values(const std::string& path, const CoordinateValues& values, const Range& range) {
    if (values.for_all) return number(path, *values.for_all, range);
    for (const auto& [name, value] : values.by_name) number(path_to(path, name), value, range);
  }

  // One table of a list: [[model.constraint]].
  void add_row(const std::string& path, std::size_t i, const KeyTable& keys) {
    const TableKey* name = find(keys, "name");
    const bool named = name && name->type == KeyType::text && !name->as<std::string>().empty();
    add(named ? path_to(path, name->as<std::string>()) : fmt::format("{}[{}]", path, i), keys);
  }

  void add_scheme(const std::string& path, const Scheme& scheme) {
    paths.push_back(path_to(path, "name"));
    for (const SchemeEntry& entry : catalogue()) {
      if (entry.name != scheme.name) continue;
      for (const ParameterSpec& spec : entry.parameters) {
        paths.push_back(path_to(path, spec.name));
        const ParameterValue value = parameter(scheme, spec.name);
        if (const double* real = std::get_if<double>(&value)) number(paths.back(), *real, {spec.lower, spec.upper});
      }
    }
  }
};

KeyPaths listing_of(Scenario& scenario) {
  KeyPaths listing;
  listing.add("", keys_of(scenario));
  return listing;
}

// The velocities that are not given are 0.
void complete_velocities(Scenario& scenario) {
  const auto* model = std::get_if<LagrangianDescription>(&scenario.model);
  NamedQuantities& given = scenario.initial.v.by_name;
  if (!model || scenario.initial.v.for_all) return;
  for (const std::string& name : model->coordinates)
    if (std::none_of(given.begin(), given.end(), [&](const auto& entry) { return entry.first == name; }))
      given.emplace_back(name, 0.0);
}

}  // namespace

std::vector<std::string> key_paths(Scenario scenario) { return listing_of(scenario).paths; }

std::vector<NumberKey> number_keys(Scenario scenario) {
  complete_velocities(scenario);
  std::vector<NumberKey> numbers = listing_of(scenario).numbers;
  std::erase_if(numbers, [](const NumberKey& key) {
    const auto begins = [&](const char* table) { return key.path.starts_with(table); };
    return !begins("model.") && !begins("initial.") && !begins("scheme.") && key.path != "time.step" &&
           key.path != "time.until";
  });
  return numbers;
}

}  // namespace ricochet
