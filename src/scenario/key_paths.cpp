#include "ricochet/scenario/key_paths.hpp"

#include <fmt/format.h>

#include "core/place.hpp"
#include "scenario/key_table.hpp"

namespace ricochet {

namespace {

class KeyPaths {
 public:
  std::vector<std::string> paths;

  void add(const std::string& table, const KeyTable& keys) {
    for (const TableKey& key : keys) add(path_to(table, key.name), key);
  }

 private:
  void add(const std::string& path, const TableKey& key) {
    switch (key.type) {
      case KeyType::quantities:
        for (const auto& [name, value] : key.as<NamedQuantities>()) paths.push_back(path_to(path, name));
        return;
      case KeyType::table:
        if (key.tables().size() > 0) add(path, key.tables().at(0));
        return;
      case KeyType::tables:
      case KeyType::rows:
        for (std::size_t i = 0; i < key.tables().size(); ++i) add_row(path, i, key.tables().at(i));
        return;
      case KeyType::choice: return add(path, keys_of(key.as<ModelDescription>()));
      case KeyType::scheme: return add_scheme(path, key.as<Scheme>());
      default: paths.push_back(path);
    }
  }

  // One table of a list: [[model.constraint]].
  void add_row(const std::string& path, std::size_t i, const KeyTable& keys) {
    const TableKey* name = find(keys, "name");
    const bool named = name && name->type == KeyType::text && !name->as<std::string>().empty();
    add(named ? path_to(path, name->as<std::string>()) : fmt::format("{}[{}]", path, i), keys);
  }

  void add_scheme(const std::string& path, const Scheme& scheme) {
    paths.push_back(path_to(path, "name"));
    for (const SchemeEntry& entry : catalogue())
      if (entry.name == scheme.name)
        for (const ParameterSpec& spec : entry.parameters) paths.push_back(path_to(path, spec.name));
  }
};

}  // namespace

std::vector<std::string> key_paths(Scenario scenario) {
  KeyPaths listing;
  listing.add("", keys_of(scenario));
  return std::move(listing.paths);
}

}  // namespace ricochet
