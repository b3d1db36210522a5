// Names of the rows of joints: "pin.1", "pin.2", …
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet::testing {

inline std::vector<std::string> joint_rows(const Layout& layout) {
  std::vector<std::string> names;
  for (const Joint& joint : layout.joints)
    for (int row = 1; row <= joint.rows; ++row) names.push_back(joint.name + "." + std::to_string(row));
  return names;
}

}  // namespace ricochet::testing
