#include "io/format/bytes.hpp"

#include <zlib.h>

namespace ricochet {

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  if (bytes.empty()) return crc;
  return static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace ricochet
