// Any bytes as a table of numbers: a sentence, or columns of one length; as time series they give numbers everywhere.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/format/text_lines.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/model/time_series.hpp"

namespace {

using namespace ricochet;

void check_series(const NumberTable& table) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    try {
      const TimeSeries series(table.values.front(), table.values.back(), interpolation, Outside::hold, "field");
      for (std::size_t i = 0; i < table.values.front().size(); ++i) {
        if (series(table.values.front()[i]) != table.values.back()[i]) __builtin_trap();
      }
      const double middle = 0.5 * table.values.front().front() + 0.5 * table.values.front().back();
      if (!std::isfinite(series(middle))) __builtin_trap();
    } catch (const InputError& error) {
      if (error.field() != "field") __builtin_trap();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const io::MemoryBytes file({reinterpret_cast<const char*>(data), size}, "fuzz", "field");
  try {
    const NumberTable table = io::read_number_table(file);
    if (!table.columns.empty() && table.columns.size() != table.values.size()) __builtin_trap();
    for (const auto& column : table.values) {
      if (column.empty() || column.size() != table.values.front().size()) __builtin_trap();
    }
    check_series(table);
  } catch (const InputError& error) {
    if (error.field() != "field") __builtin_trap();
  }
  return 0;
}
