// Results as comma-separated text, for spreadsheets and quick looks.
#pragma once

#include <filesystem>
#include <memory>

#include "ricochet/io/result_writer.hpp"

namespace ricochet {

std::unique_ptr<ResultWriter> open_csv(const std::filesystem::path& path, const ResultHeader& header);

}  // namespace ricochet
