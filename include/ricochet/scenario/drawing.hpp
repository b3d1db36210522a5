// What a page draws of a motion, as plain values: points, lines, circles and springs whose places are formulas. What
// each member means is said in src/scenario/keys/keys.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/quantity.hpp"

namespace ricochet {

// A place is [x, y].
using DrawnPlace = std::vector<Quantity>;

struct DrawnPoint {
  DrawnPlace at = {};
  std::string contact = {};
  bool operator==(const DrawnPoint&) const = default;
};

struct DrawnSegment {
  std::vector<DrawnPlace> through = {};
  bool closed = false;
  std::string contact = {};
  bool operator==(const DrawnSegment&) const = default;
};

struct DrawnCircle {
  DrawnPlace at = {};
  Quantity radius = 0.0;
  std::optional<Quantity> angle = std::nullopt;
  std::string contact = {};
  bool operator==(const DrawnCircle&) const = default;
};

struct DrawnSpring {
  DrawnPlace from = {}, to = {};
  bool operator==(const DrawnSpring&) const = default;
};

struct Drawing {
  std::vector<DrawnSegment> segments = {};
  std::vector<DrawnCircle> circles = {};
  std::vector<DrawnSpring> springs = {};
  std::vector<DrawnPoint> points = {};
  bool operator==(const Drawing&) const = default;
};

}  // namespace ricochet
