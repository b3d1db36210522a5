// Foreign text, made safe to show: control characters become spaces, bytes that are not UTF-8 and
// characters that would disturb a terminal become '?'.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ricochet::formula {

// One character of UTF-8 text at `position`: how many bytes it has, and what to show for it.
struct Character {
  std::size_t length;
  std::string shown;
};
Character character_at(std::string_view text, std::size_t position);

// The text, clipped to `longest` characters with … at its end.
std::string printable(std::string_view text, std::size_t longest);

}  // namespace ricochet::formula
