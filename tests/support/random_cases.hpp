// How many random cases a test that draws its own ones takes: as many as a property test, which RICOCHET_RANDOM_CASES
// says.
#pragma once

#include <cstdlib>
#include <string>

namespace ricochet::testing {

inline int random_cases() {
  constexpr int by_default = 100;
  const char* given = std::getenv("RC_PARAMS");
  if (given == nullptr) return by_default;
  const std::string text = given, key = "max_success=";
  const std::size_t place = text.find(key);
  return place == std::string::npos ? by_default : std::atoi(text.c_str() + place + key.size());
}

// make test-long
inline bool is_long() { return random_cases() >= 2000; }

}  // namespace ricochet::testing
