// Text files of numbers: tables and matrices, read line by line in constant memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/format/input_bytes.hpp"
#include "ricochet/core/number_table.hpp"
#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet::io {

class LineReader {
 public:
  static constexpr std::size_t line_size_max = std::size_t{16} << 20;

  explicit LineReader(const InputBytes& file) : file_(file) {}

  // The next line without its end (LF or CR LF) and without a byte order mark; false after the last one.
  // The line lives until the next call.
  bool next(std::string_view& line);
  std::uint64_t number() const { return number_; }  // of the last line given, from 1
  const InputBytes& file() const { return file_; }

 private:
  void read_piece();

  const InputBytes& file_;
  std::string buffer_;
  std::size_t begin_ = 0;     // of the next line in the buffer
  std::uint64_t offset_ = 0;  // of the first byte that was not read yet
  std::uint64_t number_ = 0;
};

inline constexpr std::string_view all_blanks = " \t\r\f\v";
inline bool is_blank(char c) { return all_blanks.find(c) != std::string_view::npos; }
// Without blanks at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = all_blanks);
// The next word of a line, cut off from its front; empty at the end.
std::string_view next_word(std::string_view& line);

// A piece of a file as a message shows it: short, in quotes, in plain ASCII.
std::string shown(std::string_view text);

enum class Reading { good, not_finite, out_of_range, no_number };

// The same in every locale. Also takes a leading + and Fortran's 1.5D-3.
Reading to_number(std::string_view text, double& value);

// A finite number; otherwise a complaint that begins with `what`.
double number_or_refuse(std::string_view text, const LineReader& lines, std::string_view what);

// Tables of numbers, one row a line.

// Columns are separated by semicolons, commas, tabs or blanks: by the first of these that the first line has.
// That line may give the columns names: then none of its fields is a number. # begins a comment at the start of a line
// or after a separator. Fields may be quoted. Every line has the same number of columns, and every field a finite
// number with a decimal point.
NumberTable read_number_table(const InputBytes& file);

// Columns t and `quantity`.
NumberTable read_peer_record(const InputBytes& file, const std::string& quantity);

// Matrix Market files, https://math.nist.gov/MatrixMarket/formats.html.
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
