// Tables of numbers as text: one row a line.
#pragma once

#include <cstddef>

#include "io/format/input_bytes.hpp"
#include "ricochet/core/number_table.hpp"

namespace ricochet::io {

inline constexpr std::size_t table_columns_max = 100'000;

// Columns are separated by semicolons, commas, tabs or blanks: by the first of these that the first line has.
// That line may give the columns names: then none of its fields is a number. # begins a comment at the start of a line
// or after a separator. Fields may be quoted. Every line has the same number of columns, and every field a finite
// number with a decimal point.
NumberTable read_number_table(const InputBytes& file);

}  // namespace ricochet::io
