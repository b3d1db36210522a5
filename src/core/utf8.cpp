#include "core/utf8.hpp"

namespace ricochet {

namespace {

constexpr char32_t unreadable = 0xFFFD;

// The length of the sequence that a first byte announces, 0 for none.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

}  // namespace

std::size_t character_length(std::string_view text) {
  const std::size_t before = text.size();
  const bool unread = next_character(text) == unreadable;
  const std::size_t length = before - text.size();
  return unread && length == 1 ? 0 : length;  // U+FFFD itself takes three bytes
}

char32_t next_character(std::string_view& text) {
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = sequence_length(byte(0));
  char32_t character = length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
  bool good = length > 0 && length <= text.size();
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xC0) == 0x80;
    character = (character << 6) | (byte(i) & 0x3Fu);
  }
  good = good && character >= least[length] && character <= 0x10FFFF && (character < 0xD800 || character > 0xDFFF);
  text.remove_prefix(good ? length : 1);
  return good ? character : unreadable;
}

void append_character(std::string& text, char32_t character) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) character = unreadable;
  if (character < 0x80) return byte(character);
  if (character < 0x800) {
    byte(0xC0 | (character >> 6));
  } else {
    if (character < 0x10000) {
      byte(0xE0 | (character >> 12));
    } else {
      byte(0xF0 | (character >> 18));
      byte(0x80 | ((character >> 12) & 0x3F));
    }
    byte(0x80 | ((character >> 6) & 0x3F));
  }
  byte(0x80 | (character & 0x3F));
}

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) append_character(result, next_character(text));
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace ricochet
