// The message of a formula error: where it is and what stands there.
#include <fmt/format.h>

#include <algorithm>

#include "core/utf8.hpp"
#include "formula/function_table.hpp"
#include "ricochet/formula/parse.hpp"

namespace ricochet::formula {

namespace {

constexpr std::size_t excerpt_width = 60;

// Not a control, formatting, private or unassigned character that a terminal might act on; combining
// marks would move the caret.
bool is_showable(char32_t c) {
  const auto between = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  return c >= 0xa1 && c != 0xad && !between(0x300, 0x36f) && !between(0x600, 0x61c) && !between(0x1160, 0x11ff) &&
         !between(0x180b, 0x180f) && !between(0x2000, 0x200f) && !between(0x2028, 0x202f) && !between(0x205f, 0x206f) &&
         !between(0xd800, 0xf8ff) && !between(0xfe00, 0xfe0f) && c != 0xfeff && !between(0xfff0, 0xffff) && c < 0x20000;
}

}  // namespace

Character character_at(std::string_view text, std::size_t position) {
  std::string_view rest = text.substr(position);
  const char32_t c = next_character(rest);
  const std::string_view bytes = text.substr(position, text.size() - position - rest.size());
  if (c < 0x20 || c == 0x7f) return {1, " "};
  return {bytes.size(), c < 0x80 || is_showable(c) ? std::string(bytes) : "?"};
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string result;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    if (count == longest) return result + "…";
    const Character c = character_at(text, i);
    result += c.shown;
    i += c.length;
  }
  return result;
}

// The column and the two lines under the message.
struct FormulaError::Place {
  int column = 1;
  std::string lines;

  Place(std::string_view text, std::size_t position) {
    // the characters up to a little after the place
    std::vector<std::string> characters;
    std::size_t here = 0, i = 0;
    while (i < text.size() && (i < position || characters.size() < here + excerpt_width)) {
      const Character c = character_at(text, i);
      characters.push_back(c.shown);
      i += c.length;
      if (i <= position) here = characters.size();
    }
    column = static_cast<int>(here) + 1;

    // a window of them, the place in its middle unless an end is near
    const std::size_t size = characters.size();
    const bool whole = size <= excerpt_width && i == text.size();
    std::size_t begin = 0, end = size;
    if (!whole) {
      begin = here > excerpt_width / 2 ? here - excerpt_width / 2 : 0;
      end = std::min(size, begin + excerpt_width);
      begin = end > excerpt_width ? std::min(begin, end - excerpt_width) : 0;
    }
    const bool clipped_before = begin > 0, clipped_after = end < size || i < text.size();
    std::string excerpt;
    for (std::size_t k = begin; k < end; ++k) {
      const bool mark = (k == begin && clipped_before) || (k + 1 == end && clipped_after);
      excerpt += mark ? "…" : characters[k];
    }
    lines = fmt::format("\n  {}\n  {}^", excerpt, std::string(here - begin, ' '));
  }
};

FormulaError::FormulaError(const std::string& message, std::string_view text, std::size_t position)
    : FormulaError(message, Place(text, position)) {}

FormulaError::FormulaError(const std::string& message, const Place& place)
    : Error(message + place.lines), message_(message), column_(place.column) {}

}  // namespace ricochet::formula
