// What the zip archive's reader and writer share: PKWARE's APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12
// (directory), 4.3.14 to 4.3.16 (its end), 4.5.3 (zip64).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ricochet::zip {

inline constexpr std::uint32_t local_signature = 0x04034B50u;
inline constexpr std::uint32_t directory_signature = 0x02014B50u;
inline constexpr std::uint32_t end_signature = 0x06054B50u;
inline constexpr std::uint32_t zip64_end_signature = 0x06064B50u;
inline constexpr std::uint32_t zip64_locator_signature = 0x07064B50u;

// Sizes of the records without their names and extra fields.
inline constexpr std::size_t local_size = 30, directory_size = 46, end_size = 22, zip64_end_size = 56,
                             zip64_locator_size = 20;

inline constexpr std::uint16_t zip64_extra = 1;  // kind of the extra field
// Numbers that stand for one in the zip64 form.
inline constexpr std::uint32_t in_zip64 = 0xFFFFFFFFu;
inline constexpr std::uint16_t many_in_zip64 = 0xFFFFu;

}  // namespace ricochet::zip
