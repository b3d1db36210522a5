// Results as NPZ: a zip archive of NumPy arrays.
//
// An archive can only be put together at the end, so a killed run leaves none. Until then each column is an array file
// of its own in the folder `.NAME.PID.partial` beside the target, which numpy.load opens one by one.
#pragma once

#include <filesystem>
#include <memory>

#include "ricochet/io/result_writer.hpp"

namespace ricochet {

std::unique_ptr<ResultWriter> open_npz(const std::filesystem::path& path, const ResultHeader& header);

}  // namespace ricochet
