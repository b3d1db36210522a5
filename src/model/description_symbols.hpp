// The names that the formulas of a description may use.
#pragma once

#include <string>

#include "ricochet/formula/parse.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

// Of one that lagrangian() takes.
inline formula::SymbolTable symbols_of(const LagrangianDescription& description) {
  using formula::Bank;
  formula::SymbolTable table;
  const auto add = [&](const std::string& name, Bank bank, std::size_t i) {
    table.add(name, {bank, static_cast<int>(i)});
  };
  for (std::size_t i = 0; i < description.coordinates.size(); ++i) {
    add(description.coordinates[i], Bank::coordinate, i);
    add(description.coordinates[i] + "_dot", Bank::velocity, i);
  }
  for (std::size_t i = 0; i < description.states.size(); ++i) add(description.states[i].name, Bank::state, i);
  for (std::size_t i = 0; i < description.parameters.size(); ++i)
    add(description.parameters[i].first, Bank::parameter, i);
  return table;
}

}  // namespace ricochet
