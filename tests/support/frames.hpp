// Frames as scenarios: the beam pendulum with its reference, and what tests add to it.
#pragma once

#include <string>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/scenario/build.hpp"

namespace ricochet::testing {

inline const std::string frame_times = "\n[time]\nuntil = 1.0\nstep = 1e-3\n";

// The keys of [model] after `kind`, and further tables.
inline Problem frame_problem(const std::string& model, const std::string& before = {}) {
  return build(parse_scenario(before + "[model]\nkind = \"frame\"\n" + model + frame_times, "frame"));
}

// One metre, pinned at its left end, straight along x.
inline std::string beam_pendulum_text(int elements = 8, double damping = 0.0) {
  return "gravity = [0.0, -9.81]\npoints = { A = [0.0, 0.0], B = [1.0, 0.0] }\n"
         "members = [{ name = \"arm\", from = \"A\", to = \"B\", elements = " +
         std::to_string(elements) +
         ", EA = 1e4, GA = 5e3, EI = 2.0, rho_A = 1.0, rho_I = 1e-3, damping = " + std::to_string(damping) +
         " }]\n"
         "supports = [{ point = \"A\", kind = \"pinned\" }]\n";
}
inline const std::string beam_pendulum_floor =
    "[[model.constraint]]\nname = \"floor\"\ngap = \"B_y + 0.8\"\nrestitution = 0.5\n";

inline int place_of(const Model& model, const std::string& coordinate) {
  const auto& names = model.layout().coordinates;
  return static_cast<int>(std::find(names.begin(), names.end(), coordinate) - names.begin());
}

}  // namespace ricochet::testing
