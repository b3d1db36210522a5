#include "scheme/describe.hpp"

namespace ricochet {

std::vector<ParameterSpec> ParameterTable::specs() const {
  std::vector<ParameterSpec> specs;
  for (const Row& row : rows_) specs.push_back(row.spec);
  return specs;
}

void ParameterTable::read(const Scheme& scheme) const {
  for (const auto& [name, value] : scheme.values)
    for (const Row& row : rows_)
      if (row.spec.name == name) row.read(value);
}

std::vector<std::pair<std::string, ParameterValue>> ParameterTable::values() const {
  std::vector<std::pair<std::string, ParameterValue>> values;
  for (const Row& row : rows_)
    if (const std::optional<ParameterValue> value = row.write()) values.emplace_back(row.spec.name, *value);
  return values;
}

std::optional<bool> bool_of(std::string_view word) {
  if (word == "on" || word == "true") return true;
  if (word == "off" || word == "false") return false;
  return std::nullopt;
}

}  // namespace ricochet
