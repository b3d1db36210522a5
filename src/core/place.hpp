// Where in a scenario a value stands, for the errors that name it.
#pragma once

#include <cstddef>
#include <string>

namespace ricochet {

// An entry of a list, or one of its keys: "constraint[2]", "constraint[2].gap".
inline std::string place(const std::string& list, std::size_t i) { return list + "[" + std::to_string(i) + "]"; }
inline std::string place(const std::string& list, std::size_t i, const std::string& key) {
  return place(list, i) + "." + key;
}

}  // namespace ricochet
