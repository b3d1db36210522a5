#include "ricochet/present/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/utf8.hpp"

namespace ricochet {

namespace {

// The number of characters, not bytes.
std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t size, bool right) {
  const std::string blanks(size - std::min(size, character_count(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string wrapped(std::string_view text) {
  std::string result, line;
  std::size_t length = 0;
  const auto add = [&](std::string_view word) {
    const std::size_t size = character_count(word);
    if (length > 0 && length + 1 + size > 80) {
      result += line + "\n";
      line.clear();
      length = 0;
    }
    line += (length == 0 ? "" : " ") + std::string(word);
    length += size + (length == 0 ? 0 : 1);
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (end > 0) add(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line.empty() ? result : result + line + "\n";
}

std::string aligned(const std::vector<TextColumn>& columns, const std::vector<std::vector<std::string>>& rows,
                    std::string_view indent) {
  std::vector<std::size_t> sizes;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::size_t size = character_count(columns[j].title);
    for (const std::vector<std::string>& row : rows) size = std::max(size, character_count(row[j]));
    sizes.push_back(size);
  }

  std::string result;
  const auto add = [&](const auto& entry) {
    std::string line(indent);
    for (std::size_t j = 0; j < columns.size(); ++j)
      line += (j == 0 ? "" : "  ") + padded(entry(j), sizes[j], columns[j].right);
    result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  if (std::any_of(columns.begin(), columns.end(), [](const TextColumn& column) { return !column.title.empty(); }))
    add([&](std::size_t j) { return columns[j].title; });
  for (const std::vector<std::string>& row : rows) add([&](std::size_t j) { return row[j]; });
  return result;
}

std::string without_controls(std::string_view text) {
  constexpr char32_t replacement = 0xFFFD;
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const char32_t c = next_character(text);
    const bool is_shown = c == '\n' || c == '\t' || !(is_control(c) || (c & 0xFFFE) == 0xFFFE);
    append_character(result, is_shown ? c : replacement);
  }
  return result;
}

std::string readable(double number) { return fmt::format("{:.6g}", number); }

}  // namespace ricochet
