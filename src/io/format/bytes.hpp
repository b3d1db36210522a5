// Whole numbers as bytes, the lowest first on every machine, and checksums of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ricochet {

template <std::size_t size>
void append_number(std::string& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
}

// Of bytes that are there.
template <std::size_t size>
std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t result = 0;
  for (std::size_t i = size; i-- > 0;) result = (result << 8) | static_cast<unsigned char>(bytes[at + i]);
  return result;
}

// CRC-32 of zip and gzip; start with 0 and go on with the result.
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

}  // namespace ricochet
