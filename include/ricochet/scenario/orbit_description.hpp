// The tables [orbit] and [continue] as plain values. What each member means is said in
// src/scenario/keys/keys_orbit.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/quantity.hpp"

namespace ricochet {

struct OrbitDescription {
  std::optional<Quantity> period = std::nullopt;
  std::string section = {}, start = {};
  std::uint64_t longest = 16, guess = 0;
  std::optional<Quantity> settle = std::nullopt;
  std::vector<std::string> drift = {};
  NamedQuantities shift = {};
  bool operator==(const OrbitDescription&) const = default;
};

struct ContinueDescription {
  std::string along = {};            // the path of a key: model.parameters.w
  std::vector<Quantity> range = {};  // from and until
  Quantity step = 0.02;
  std::uint64_t points = 2000;
  bool branches = false;
  std::string second = {};                  // the key of a second parameter
  std::vector<Quantity> second_range = {};  // from and until
  bool operator==(const ContinueDescription&) const = default;
};

}  // namespace ricochet
