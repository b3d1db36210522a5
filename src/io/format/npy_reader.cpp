#include "io/format/npy_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/utf8.hpp"
#include "io/format/npy.hpp"
#include "io/format/text_lines.hpp"

namespace ricochet::io {

namespace {

constexpr std::size_t header_size_max = 1 << 16;
constexpr std::size_t text_size_max = std::size_t{1} << 28;
constexpr std::size_t dimensions_max = 32;

// The header is a dictionary as Python writes it.
class Scanner {
 public:
  Scanner(std::string_view text, const NpyArray& array) : text_(text), array_(array) {}

  // The next character that is not blank, 0 at the end; taken if it is `wanted`.
  char peek() {
    while (!text_.empty() && (is_blank(text_.front()) || text_.front() == '\n')) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char wanted) {
    if (peek() != wanted || wanted == '\0') return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) broken();
  }

  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') broken();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) broken();
    const std::string_view result = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return result;
  }

  bool truth() {
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      peek();
      if (text_.substr(0, word.size()) != word) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    broken();
  }

  std::uint64_t whole() {
    peek();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) broken();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  [[noreturn]] void broken() { array_.refuse("has a broken header"); }

 private:
  std::string_view text_;
  const NpyArray& array_;
};

}  // namespace

NpyArray::NpyArray(std::string bytes, const InputBytes& file, std::string label)
    : bytes_(std::move(bytes)), file_(&file), label_(std::move(label)) {
  begin_ = read_header();
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t size : shape_) {
    if (size > 0 && size_ > most / size) refuse("has a shape beyond all bounds");
    size_ *= size;
  }
  const std::uint64_t there = bytes_.size() - begin_;
  const bool fits = element_size_ == 0 ? there == 0 : there % element_size_ == 0 && there / element_size_ == size_;
  if (!fits)
    refuse(
        fmt::format("has {} bytes of data where its shape needs {} elements of {} bytes", there, size_, element_size_));
}

void NpyArray::check_columns() const {
  if (cols() > table_columns_max) refuse(fmt::format("has {} columns; at most {} are read", cols(), table_columns_max));
  if (rows() > input_values_max) refuse(fmt::format("has {} rows: too large to be read", rows()));
}

void NpyArray::refuse(const std::string& message) const {
  file_->refuse(label_.empty() ? message : fmt::format("{}: {}", label_, message));
}

// Magic bytes, version, length of the header in 2 (version 1) or 4 bytes, header.
std::size_t NpyArray::read_header() {
  const auto byte = [this](std::size_t i) { return std::size_t{static_cast<unsigned char>(bytes_[i])}; };
  if (bytes_.size() < 12 || std::string_view(bytes_).substr(0, npy_magic.size()) != npy_magic)
    refuse("is not an array file of NumPy");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) refuse(fmt::format("has version {} of NumPy's format; 1 to 3 are read", version));
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t i = begin; i-- > 8;) length = (length << 8) | byte(i);
  if (length > bytes_.size() - begin) refuse("is cut short within its header");
  if (length > header_size_max) refuse("has a header that is too long");
  read_description(std::string_view(bytes_).substr(begin, length));
  return begin + length;
}

void NpyArray::read_description(std::string_view text) {
  Scanner scanner(text, *this);
  bool has_kind = false, has_order = false, has_shape = false;
  scanner.expect('{');
  while (!scanner.take('}')) {
    const std::string_view key = scanner.quoted();
    scanner.expect(':');
    if (key == "descr" && !std::exchange(has_kind, true)) {
      if (scanner.peek() == '[') refuse("has named fields; an array of plain numbers is needed");
      set_kind(scanner.quoted());
    } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
      fortran_order_ = scanner.truth();
    } else if (key == "shape" && !std::exchange(has_shape, true)) {
      scanner.expect('(');
      while (!scanner.take(')')) {
        if (shape_.size() == dimensions_max) refuse("has too many dimensions");
        shape_.push_back(scanner.whole());
        if (!scanner.take(',') && scanner.peek() != ')') scanner.broken();
      }
    } else {
      scanner.broken();
    }
    if (!scanner.take(',') && scanner.peek() != '}') scanner.broken();
  }
  if (!has_kind || !has_order || !has_shape || scanner.peek() != '\0') scanner.broken();
}

// "<f8": byte order, kind, size.
void NpyArray::set_kind(std::string_view description) {
  const std::string_view whole = description;
  const auto unknown = [&] {
    refuse(fmt::format("holds numbers of the kind {}; f4, f8, i1 to i8, u1 to u8 and b1 are read", shown(whole)));
  };
  if (!description.empty() && std::string_view("<>|=").find(description.front()) != std::string_view::npos) {
    big_endian_ = description.front() == '>' || (description.front() == '=' && std::endian::native == std::endian::big);
    description.remove_prefix(1);
  }
  if (!description.empty() && description.front() == 'O') refuse("holds Python objects, not numbers");
  if (!description.empty() && description.front() == 'c') refuse("holds complex numbers; real ones are needed");
  if (description.size() < 2) unknown();
  kind_ = description.front();
  const char* last = description.data() + description.size();
  const auto [end, error] = std::from_chars(description.data() + 1, last, element_size_);
  if (error != std::errc() || end != last || element_size_ > text_size_max) unknown();

  const auto one_of = [this](std::initializer_list<std::size_t> sizes) {
    return std::find(sizes.begin(), sizes.end(), element_size_) != sizes.end();
  };
  const bool known = is_text() || (kind_ == 'f' && one_of({4, 8})) || (kind_ == 'b' && one_of({1})) ||
                     ((kind_ == 'i' || kind_ == 'u') && one_of({1, 2, 4, 8}));
  if (!known) unknown();
  if (kind_ == 'U') element_size_ *= 4;
}

template <class Number>
Number NpyArray::load(std::uint64_t k) const {
  std::array<char, sizeof(Number)> raw;
  std::memcpy(raw.data(), bytes_.data() + begin_ + k * sizeof(Number), sizeof(Number));
  if (big_endian_ != (std::endian::native == std::endian::big)) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<Number>(raw);
}

double NpyArray::number(std::uint64_t k) const {
  if (kind_ == 'f') {
    const double value = element_size_ == 8 ? load<double>(k) : double{load<float>(k)};
    if (!std::isfinite(value)) refuse(fmt::format("element {} is {}: must be finite", k + 1, value));
    return value;
  }
  if (kind_ == 'u' && element_size_ == 8) return static_cast<double>(load<std::uint64_t>(k));
  return static_cast<double>(integer(k));
}

std::int64_t NpyArray::integer(std::uint64_t k) const {
  if (kind_ == 'b') return load<std::uint8_t>(k) != 0 ? 1 : 0;
  const bool is_signed = kind_ == 'i';
  if (is_signed && element_size_ == 8) return load<std::int64_t>(k);
  if (is_signed || kind_ == 'u') {
    if (element_size_ == 1) return is_signed ? load<std::int8_t>(k) : load<std::uint8_t>(k);
    if (element_size_ == 2) return is_signed ? load<std::int16_t>(k) : load<std::uint16_t>(k);
    if (element_size_ == 4) return is_signed ? std::int64_t{load<std::int32_t>(k)} : load<std::uint32_t>(k);
    const auto value = load<std::uint64_t>(k);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      refuse(fmt::format("element {} is {}: too large", k + 1, value));
    return static_cast<std::int64_t>(value);
  }
  refuse(is_text() ? "holds text where numbers are needed" : "holds fractions where whole numbers are needed");
}

double NpyArray::number(std::uint64_t i, std::uint64_t j) const {
  return number(fortran_order_ ? i + j * rows() : i * cols() + j);
}

std::vector<double> NpyArray::numbers() const {
  std::vector<double> result(size_);
  for (std::uint64_t k = 0; k < size_; ++k) result[k] = number(k);
  return result;
}

std::vector<std::vector<double>> NpyArray::columns() const {
  std::vector<std::vector<double>> result(cols());
  for (std::size_t j = 0; j < result.size(); ++j) {
    result[j].resize(rows());
    for (std::size_t i = 0; i < result[j].size(); ++i) result[j][i] = number(i, j);
  }
  return result;
}

std::vector<std::string> NpyArray::texts() const {
  if (!is_text() || element_size_ == 0) return {};
  std::vector<std::string> result(size_);
  const std::size_t length = element_size_ / (kind_ == 'U' ? 4 : 1);
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (std::size_t i = k * length; i < (k + 1) * length; ++i)
      append_character(result[k], kind_ == 'U' ? load<std::uint32_t>(i) : load<std::uint8_t>(i));
    // Short texts are filled up with zeros.
    result[k].erase(result[k].find_last_not_of('\0') + 1);
  }
  return result;
}

}  // namespace ricochet::io
