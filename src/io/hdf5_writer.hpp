// Results as HDF5.
#pragma once

#include <filesystem>
#include <memory>

#include "ricochet/io/result_writer.hpp"

namespace ricochet {

std::unique_ptr<ResultWriter> open_hdf5(const std::filesystem::path& path, const ResultHeader& header);

}  // namespace ricochet
