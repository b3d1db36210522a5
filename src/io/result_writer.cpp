#include "ricochet/io/result_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/csv_writer.hpp"
#include "io/hdf5_writer.hpp"
#include "io/npz_writer.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

std::unique_ptr<ResultWriter> open_result(const std::filesystem::path& path, const ResultHeader& header) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (ending == ".h5" || ending == ".hdf5") return open_hdf5(path, header);
  if (ending == ".csv") return open_csv(path, header);
  if (ending == ".npz") return open_npz(path, header);
  throw InputError("",
                   fmt::format("{}: the name of a result file ends in .h5 (or .hdf5), .csv or .npz", path.string()));
}

}  // namespace ricochet
