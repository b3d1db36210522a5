// A sweep's diagram behind the branches of orbits.
#pragma once

#include <filesystem>

#include "ricochet/task/orbit.hpp"

namespace ricochet {

// Adds the points of the sweep's result to be drawn behind the branches. Throws InputError ("--sweep") for a file that
// is no sweep along the same key, or kept no coordinates; FileError for one that cannot be read.
void put_behind(ContinueOutcome& outcome, const std::filesystem::path& sweep);

}  // namespace ricochet
