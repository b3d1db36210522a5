// Where in a scenario a value stands, for the errors that name it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ricochet {

// "time" and "step" as "time.step"; the key alone where the table is the whole scenario.
inline std::string path_to(std::string_view table, std::string_view key) {
  return std::string(table) + (table.empty() ? "" : ".") + std::string(key);
}
// An entry of a list, or one of its keys: "constraint[2]", "constraint[2].gap".
inline std::string path_to(std::string_view list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}
inline std::string path_to(std::string_view list, std::size_t i, std::string_view key) {
  return path_to(path_to(list, i), key);
}

}  // namespace ricochet
