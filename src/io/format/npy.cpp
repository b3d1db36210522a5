// The format: version 1.0 of numpy.lib.format.
#include "io/format/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "core/utf8.hpp"

namespace ricochet {

namespace {

constexpr char byte_order = std::endian::native == std::endian::little ? '<' : '>';

template <class Value>
std::string bytes_of(const Value& value) {
  std::string result(sizeof(Value), '\0');
  std::memcpy(result.data(), &value, sizeof(Value));
  return result;
}

std::u32string decoded(std::string_view text) {
  std::u32string result;
  while (!text.empty()) result += next_character(text);
  return result;
}

std::string texts_array(const std::vector<std::string>& texts, const std::vector<std::uint64_t>& shape) {
  std::vector<std::u32string> decoded_texts;
  std::size_t width = 1;
  for (const std::string& text : texts) {
    decoded_texts.push_back(decoded(text));
    width = std::max(width, decoded_texts.back().size());
  }
  std::string result = npy_header(fmt::format("U{}", width), shape);
  for (std::u32string& text : decoded_texts) {
    text.resize(width, U'\0');
    for (const char32_t character : text) result += bytes_of(character);
  }
  return result;
}

}  // namespace

std::string npy_header(std::string_view kind, const std::vector<std::uint64_t>& shape) {
  std::string sizes;
  for (const std::uint64_t size : shape) sizes += fmt::format("{}{}", sizes.empty() ? "" : " ", size) + ",";
  // "(3,)" and "(3, 2)", as Python writes them.
  if (shape.size() > 1) sizes.pop_back();

  std::string header = std::string(npy_magic) + '\x01' + '\0';
  const std::size_t length = npy_header_size - header.size() - 2;
  header += static_cast<char>(length & 0xFF);
  header += static_cast<char>(length >> 8);
  header += fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", byte_order, kind, sizes);
  if (header.size() >= npy_header_size) throw std::length_error("npy header too long");
  header.resize(npy_header_size - 1, ' ');
  return header + '\n';
}

std::string npy_number(double value) { return npy_header("f8", {}) + bytes_of(value); }
std::string npy_number(std::uint64_t value) { return npy_header("u8", {}) + bytes_of(value); }
std::string npy_text(const std::string& text) { return texts_array({text}, {}); }
std::string npy_list(const std::vector<std::string>& texts) { return texts_array(texts, {texts.size()}); }

}  // namespace ricochet
