// Text as characters.
#pragma once

#include <string_view>

namespace ricochet {

// Reads one character of a text that is not empty, and moves on; what cannot be read is one byte of U+FFFD.
char32_t next_character(std::string_view& text);

bool is_utf8(std::string_view text);

}  // namespace ricochet
