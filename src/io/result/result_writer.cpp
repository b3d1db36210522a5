#include "ricochet/io/result/result_writer.hpp"

#include <fmt/format.h>

#include "io/format/atomic_file.hpp"
#include "io/result/result_formats.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {

std::optional<io::ResultFormat> io::format_of(const std::filesystem::path& path) {
  const std::string ending = lowered(path.extension().string());
  if (ending == ".h5" || ending == ".hdf5") return ResultFormat::hdf5;
  if (ending == ".npz") return ResultFormat::npz;
  if (ending == ".csv") return ResultFormat::csv;
  return std::nullopt;
}

std::vector<std::filesystem::path> io::result_files(const std::filesystem::path& path) {
  if (format_of(path) != ResultFormat::csv) return {path};
  return {path, impacts_file(followed(path))};
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
