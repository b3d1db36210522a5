#include "ricochet/core/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ricochet {

std::string to_text(double number) {
  if (std::isnan(number)) return "nan";
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

std::string Quantity::text() const { return is_number() ? to_text(number()) : formula(); }

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

namespace {

// Insertions, deletions, replacements and swaps of neighbours that turn a into b, each counted once;
// a letter in the other case counts nothing.
std::size_t distance(std::string_view word, std::string_view other) {
  const std::string a = lowered(word), b = lowered(other);
  const std::size_t n = b.size();
  std::vector<std::size_t> before(n + 1), last(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= n; ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string>& candidates) {
  // near: a third of the letters may differ, one in short words, three in long ones
  std::string_view best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size()),
                      shorter = std::min(word.size(), candidate.size());
    const std::size_t allowed = std::clamp<std::size_t>(longer / 3, 1, 3);
    if (longer - shorter > allowed) continue;
    const std::size_t d = distance(word, candidate);
    if (d <= allowed && d < longer && d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string no_such(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  std::string message = "there is no " + std::string(kind) + " \"" + std::string(name) + "\"; ";
  if (const std::string_view near = nearest(name, known); !near.empty())
    return message + "did you mean " + std::string(near) + "?";
  message += "known: ";
  for (std::size_t i = 0; i < known.size(); ++i) message += (i == 0 ? "" : ", ") + known[i];
  return message;
}

}  // namespace ricochet
