#include "model/reaction_names.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

// NAME, NAME_force, NAME_impulse, NAME_friction, NAME_friction_force, NAME_reaction; of several rows with _1 and so on
// behind. Hyphens of the name are _ in formulas.
bool is_reaction_of(std::string name, std::string_view word) {
  std::replace(name.begin(), name.end(), '-', '_');
  if (name.empty() || !word.starts_with(name)) return false;
  word.remove_prefix(name.size());
  const std::size_t digits = word.find_last_not_of("0123456789") + 1;
  if (digits > 1 && digits < word.size() && word[digits - 1] == '_') word = word.substr(0, digits - 1);
  const std::string_view parts[] = {"", "_force", "_impulse", "_friction", "_friction_force", "_reaction"};
  return std::find(std::begin(parts), std::end(parts), word) != std::end(parts);
}

}  // namespace

void refuse_reactions(const Quantity& limit, const formula::SymbolTable& own, const std::vector<std::string>& rows,
                      const std::string& variables, const std::string& field) {
  if (limit.is_number()) return;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const std::string& text = limit.formula();
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    if (!is_word(text[begin])) continue;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word = text.substr(begin, end - begin);
    if (own.find(word) || (end < text.size() && text[end] == '(')) continue;
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const std::string& name) { return is_reaction_of(name, word); });
    if (row == rows.end()) continue;
    throw InputError(field, "must be known before the motion is, a number or a formula of " + variables +
                                ": it cannot contain the reaction of '" + *row +
                                "'; for a contact there is friction = μ of its constraint");
  }
}

}  // namespace ricochet
