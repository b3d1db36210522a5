// Rows of any form for models whose mechanics are not formulas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet {

// A model whose constraints, joints or frictions are taken, and which of the coordinates are its own, ascending.
struct CurvedRows {
  std::shared_ptr<const Model> model = nullptr;
  std::vector<int> coordinates = {};
  std::string name = {};  // of its one constraint, where it is not the model's
};

}  // namespace ricochet
