// What the animation of a run shows, from its scenario: blocks on lines, pendulums, a beam, a bar, beads.
#pragma once

#include "io/format/json.hpp"
#include "ricochet/io/result/result_reader.hpp"

namespace ricochet::report {

// A list of figures as web/src/data.ts describes them. A scenario that cannot be read gives each coordinate a line.
Json figures_of(const StoredResult& result);

// True if a coordinate stands in the formula, and only inside sines and cosines.
enum class Occurrence { none, angle, plain };
Occurrence occurrence(const std::string& formula, const std::string& coordinate);

}  // namespace ricochet::report
