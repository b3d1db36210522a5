// The [sweep] table as plain values: many trajectories of one scenario. What each member means is said in
// src/scenario/keys/keys_sweep.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/core/quantity.hpp"

namespace ricochet {

struct SweepAxisDescription {
  std::string parameter = {};        // the path of a key: model.parameters.w
  std::vector<Quantity> range = {};  // from and until, with a count on a grid
  std::uint64_t count = 0;
  std::vector<Quantity> values = {};  // in place of both
  std::string spacing = "linear";     // or logarithmic
  std::string continuation = "none";  // or forward, backward, both
  std::uint64_t pieces = 1;           // of a continuation, that run side by side
  std::uint64_t overlap = 10;         // values that a piece runs through before its own
  bool operator==(const SweepAxisDescription&) const = default;
};

struct SectionDescription {
  std::string section = {};        // a formula of t, coordinates, velocities and states
  std::string direction = "both";  // or rising, falling
  bool operator==(const SectionDescription&) const = default;
};

struct RefineDescription {
  std::uint64_t budget = 0;  // further trajectories
  bool operator==(const RefineDescription&) const = default;
};

// One of the words stroboscopic, impacts and statistics, or a section.
using SweepRecording = std::variant<std::string, SectionDescription>;

struct SweepDescription {
  std::vector<SweepAxisDescription> axes = {};
  std::string sampling = "grid";  // or latin-hypercube, random
  std::uint64_t samples = 0, seed = 1;
  std::optional<RefineDescription> refine = std::nullopt;
  Quantity transient = 0.0, duration = 0.0;  // transient: or the word settled
  std::optional<Quantity> settle_within = std::nullopt;
  std::optional<Quantity> period = std::nullopt;
  SweepRecording record = {};
  std::uint64_t skip = 0, points = 0;
  std::vector<Quantity> impulse_bins = {};
  std::vector<std::string> measure = {};
  std::optional<Quantity> period_tolerance = std::nullopt;
  bool operator==(const SweepDescription&) const = default;
};

}  // namespace ricochet
