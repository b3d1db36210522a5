// A table of numbers, as files hold them.
#pragma once

#include <string>
#include <vector>

namespace ricochet {

struct NumberTable {
  std::vector<std::string> columns = {};         // their names; empty if the file has none
  std::vector<std::vector<double>> values = {};  // by column
};

}  // namespace ricochet
