#include "ricochet/io/result/result_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/result/result_formats.hpp"

namespace ricochet {

std::optional<io::ResultFormat> io::format_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (ending == ".h5" || ending == ".hdf5") return ResultFormat::hdf5;
  if (ending == ".npz") return ResultFormat::npz;
  if (ending == ".csv") return ResultFormat::csv;
  return std::nullopt;
}

std::unique_ptr<ResultWriter> open_result(const std::filesystem::path& path, const ResultHeader& header) {
  const std::optional<io::ResultFormat> format = io::format_of(path);
  if (!format)
    throw InputError("",
                     fmt::format("{}: the name of a result file ends in .h5 (or .hdf5), .csv or .npz", path.string()));
  switch (*format) {
    case io::ResultFormat::hdf5: return io::open_hdf5(path, header);
    case io::ResultFormat::npz: return io::open_npz(path, header);
    case io::ResultFormat::csv: break;
  }
  return io::open_csv(path, header);
}

}  // namespace ricochet
