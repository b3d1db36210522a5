// NumPy's array files: a short header, then the numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

// The first bytes of every array file; two bytes of version follow.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

// Every header here has the same length, so that the number of rows can be set again later.
inline constexpr std::size_t npy_header_size = 128;

// kind: "f8", "i4", "u8", "U12"; an empty shape is a single value.
std::string npy_header(std::string_view kind, const std::vector<std::uint64_t>& shape);

std::string npy_number(double value);
std::string npy_number(std::uint64_t value);
// Text is an array of fixed width in UTF-32. Bytes that are not UTF-8 become U+FFFD.
std::string npy_text(const std::string& text);
std::string npy_list(const std::vector<std::string>& texts);

}  // namespace ricochet
