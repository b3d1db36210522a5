// Text files of numbers, line by line, in constant memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/format/input_bytes.hpp"

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

bool is_blank(char c);
std::string_view trimmed(std::string_view text);  // without blanks at its ends
// The next word of a line, cut off from its front; empty at the end.
std::string_view next_word(std::string_view& line);

// A piece of a file as a message shows it: short, in quotes, in plain ASCII.
std::string shown(std::string_view text);

enum class Reading { good, not_finite, out_of_range, no_number };

// The same in every locale. Also takes a leading + and Fortran's 1.5D-3.
Reading to_number(std::string_view text, double& value);

// A finite number; otherwise a complaint that begins with `what`.
double number_or_refuse(std::string_view text, const LineReader& lines, std::string_view what);

}  // namespace ricochet::io
