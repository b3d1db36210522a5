#include "scenario/keys/key_path.hpp"

#include <algorithm>
#include <charconv>

namespace ricochet {

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of(".[]"), path.size());
    parts.push_back(path.substr(0, end));
    // A closing bracket may be followed by a point or an opening bracket, which separate nothing more.
    std::size_t next = end;
    if (next < path.size() && path[next] == ']') ++next;
    if (next < path.size() && (path[next] == '.' || path[next] == '[')) ++next;
    if (next == path.size() && end < path.size() && path[end] != ']') parts.emplace_back();
    path.remove_prefix(next);
  }
  return parts;
}

std::optional<std::size_t> as_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return index;
}

}  // namespace ricochet
