// One array of NumPy: a .npy file, or an entry of an .npz file. Versions 1 to 3 of numpy.lib.format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/input_bytes.hpp"

namespace ricochet::io {

// Numbers (f4 f8, i1 … i8, u1 … u8, b1) or text (S, U) in either byte order, in C or Fortran order.
// Whatever is broken or of another kind is refused; `label` names the array within its file in messages, if it is not
// the whole file.
class NpyArray {
 public:
  NpyArray(std::string bytes, const InputBytes& file, std::string label);

  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t size() const { return size_; }  // number of elements
  bool is_text() const { return kind_ == 'S' || kind_ == 'U'; }

  // Element k in the order of the file. Refused: text for a number, numbers that are not finite, fractions for an
  // integer.
  double number(std::uint64_t k) const;
  std::int64_t integer(std::uint64_t k) const;
  // Element (i, j) of a table: two sizes, or one for a single column.
  double number(std::uint64_t i, std::uint64_t j) const;
  // All of a list, and the columns of a table.
  std::vector<double> numbers() const;
  std::vector<std::vector<double>> columns() const;
  std::uint64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  std::uint64_t cols() const { return shape_.size() < 2 ? 1 : shape_[1]; }
  // Refuses a table with more columns or rows than are read: they take room even where it has no elements.
  void check_columns() const;

  // All texts in UTF-8; none of an array of numbers.
  std::vector<std::string> texts() const;

  [[noreturn]] void refuse(const std::string& message) const;

 private:
  std::size_t read_header();
  void read_description(std::string_view text);
  void set_kind(std::string_view description);
  template <class Number>
  Number load(std::uint64_t k) const;

  std::string bytes_;
  const InputBytes* file_;
  std::string label_;
  std::vector<std::uint64_t> shape_;
  char kind_ = '\0';
  std::size_t element_size_ = 0;
  bool big_endian_ = false, fortran_order_ = false;
  std::uint64_t size_ = 1;
  std::size_t begin_ = 0;  // of the elements
};

}  // namespace ricochet::io
