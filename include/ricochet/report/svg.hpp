// A run as one picture for papers: time histories, phase portrait, energy.
#pragma once

#include <string>

#include "ricochet/io/result/result_reader.hpp"

namespace ricochet {

// Coordinates and velocities against time (at most six of them), the phase portrait of the first, the energy account.
std::string run_svg(const StoredResult& result);

}  // namespace ricochet
