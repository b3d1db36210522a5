// Matrix Market files: https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include <cstdint>

#include "io/format/input_bytes.hpp"
#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet::io {

// Coordinate or array; real, double or integer; general, symmetric or skew-symmetric. Comments and empty lines may
// stand anywhere after the first line. Refused, with a sentence that names the line: complex numbers, patterns without
// values, numbers that are not finite, and whatever is broken.
//
// Entries given more than once are added up, as in SciPy and MATLAB: that is how assembled elements are written.
// A symmetric file holds one triangle, the lower or the upper; entries in both are refused, for nobody could tell
// whether they are the same entry twice. Zeros of an array are left out of the pattern, zeros given by coordinates
// kept.
SparseMatrix read_matrix_market(const InputBytes& file);

// The most rows or columns that a file of this many bytes may announce: a matrix needs memory for each of them, also
// where they are empty.
std::uint64_t size_limit(std::uint64_t file_size);

}  // namespace ricochet::io
