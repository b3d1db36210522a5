// Text as characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ricochet {

// The bytes of the first character of a text that is not empty; 0 if it cannot be read.
std::size_t character_length(std::string_view text);

// Reads one character of a text that is not empty, and moves on; what cannot be read is one byte of U+FFFD.
char32_t next_character(std::string_view& text);

// Adds one character; U+FFFD for what is none.
void append_character(std::string& text, char32_t character);

bool is_utf8(std::string_view text);
// With U+FFFD for what cannot be read.
std::string as_utf8(std::string_view text);

// What a terminal obeys and does not show: controls, what turns text from left to right or back, ends of lines and
// paragraphs, and the mark of byte order.
constexpr bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

}  // namespace ricochet
