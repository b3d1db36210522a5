// Plain text for people: lines, columns, numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

// Columns of text, aligned: numbers to the right, words to the left.
struct TextColumn {
  std::string title;
  bool right = true;
};
std::string aligned(const std::vector<TextColumn>& columns, const std::vector<std::vector<std::string>>& rows,
                    std::string_view indent);

// Lines of at most 80 characters.
std::string wrapped(std::string_view text);

// Control characters would drive a terminal, and XML has no place for them: each becomes U+FFFD, except ends of lines
// and tabs. So does what is no UTF-8.
std::string without_controls(std::string_view text);

// A number for reading: six digits.
std::string readable(double number);

}  // namespace ricochet
