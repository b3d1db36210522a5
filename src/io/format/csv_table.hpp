// A table of numbers and names as CSV: rows gather in a buffer that holds whole rows only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/atomic_file.hpp"

namespace ricochet {

// Quoted if it holds a comma, a semicolon or a quote, as RFC 4180 wants it; controls and line ends become U+FFFD.
std::string csv_quoted(const std::string& text);

class CsvTable {
 public:
  // `longest_text`: of all texts of a row together. `keeps`: rows in the temporary file are worth keeping.
  CsvTable(const std::filesystem::path& path, const std::vector<std::string>& names, std::size_t longest_text,
           bool keeps);

  void begin_row() {
    if (buffer_.size() - used_ < longest_row_) write_out();
  }
  // The fewest digits that read back to the same number, with a point in every locale.
  void number(double value);
  void number(std::uint64_t value);
  void numbers(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) number(values[i]);
  }
  void text(std::string_view text);
  // In place of the last comma.
  void end_row() {
    buffer_[used_ - 1] = '\n';
    ++rows_;
  }
  void write_out();

  bool has_rows() const { return rows_ > 0; }
  AtomicFile& file() { return file_; }
  const AtomicFile& file() const { return file_; }

 private:
  AtomicFile file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0, longest_row_;
  std::uint64_t rows_ = 0;
  bool keeps_;
};

}  // namespace ricochet
