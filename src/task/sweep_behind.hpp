// A sweep's diagram behind the branches of orbits.
#pragma once

#include <filesystem>
#include <string>

#include "io/result/sweep_reader.hpp"
#include "ricochet/task/orbit.hpp"

namespace ricochet {

// Throws InputError ("--sweep") for a file that is no sweep along `key`, or kept no coordinates; FileError for one that
// cannot be read.
io::StoredSweep read_behind(const std::filesystem::path& sweep, const std::string& key);
// Adds its points, those in the range of the branches.
void put_behind(ContinueOutcome& outcome, const io::StoredSweep& sweep);

}  // namespace ricochet
