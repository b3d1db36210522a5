#include "scenario/build/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/place.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

int Coordinates::find(const std::string& text, const std::string& field) const {
  if (const int* named = by_name(text)) return *named;
  int index = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool is_number = error == std::errc() && stop == text.data() + text.size();
  if (is_number && index >= 0 && index < static_cast<int>(names_.size())) return index;
  const std::string_view near = is_number ? std::string_view() : nearest(text, names_);
  throw InputError(field, fmt::format("there is no coordinate '{}'; {}", text,
                                      near.empty() ? fmt::format("they count from 0 to {}", names_.size() - 1)
                                                   : fmt::format("did you mean '{}'?", near)));
}

int Coordinates::find(const Quantity& dof, const std::string& field) const {
  if (!dof.is_number()) return find(dof.formula(), field);
  if (dof.number() != std::floor(dof.number()) || std::abs(dof.number()) > 1e9)
    throw InputError(field, "must be a whole number or the name of a coordinate, got " + dof.text());
  return find(fmt::format("{}", static_cast<std::int64_t>(dof.number())), field);
}

SparseVector Coordinates::row(const NamedQuantities& weights, const Sources& sources, const std::string& field) const {
  SparseVector result;
  for (const auto& [name, weight] : weights) {
    const int i = find(name, field + "." + name);
    for (const auto& [other, value] : result)
      if (other == i) throw InputError(field + "." + name, "the coordinate is given twice");
    result.emplace_back(i, sources.value(weight, field + "." + name));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string with_names(std::string_view text, const std::function<std::string(std::string_view)>& name) {
  constexpr std::string_view velocity = "_dot";
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    std::string_view word = text.substr(i, end - i);
    const bool is_velocity = word.ends_with(velocity);
    if (is_velocity) word.remove_suffix(velocity.size());
    if (end == i && end < text.size() && (text[i] == '"' || text[i] == '\'')) {
      // the name of a file, as it is
      end = std::min(text.find(text[i], i + 1), text.size() - 1) + 1;
      result += text.substr(i, end - i);
      i = end;
      continue;
    }
    if (end > i) result += name(word);
    if (is_velocity) result += velocity;
    if (end < text.size() && end == i) result += text[end++];
    i = end;
  }
  return result;
}

void each_row_formula(LagrangianDescription& formulas, const std::function<void(std::string&)>& function) {
  const auto quantity = [&](Quantity& value) {
    if (value.is_number()) return;
    std::string text = value.formula();
    function(text);
    value = text;
  };
  for (ConstraintDescription& constraint : formulas.constraints) {
    function(constraint.gap);
    for (auto* value : {&constraint.restitution, &constraint.dissipation_index, &constraint.friction,
                        &constraint.tangential_restitution})
      if (*value) quantity(**value);
    for (std::string& slip : constraint.slip) function(slip);
  }
  for (JointDescription& joint : formulas.joints) {
    for (std::string& equation : joint.equation) function(equation);
    for (std::string& rate : joint.rate) function(rate);
  }
  for (FrictionDescription& friction : formulas.frictions) {
    for (std::string& slip : friction.slip) function(slip);
    quantity(friction.limit);
  }
}

CurvedRows curved_rows(LagrangianDescription formulas, const Coordinates& coordinates) {
  CurvedRows rows;
  std::vector<int>& found = rows.coordinates;
  each_row_formula(formulas, [&](std::string& text) {
    with_names(text, [&](std::string_view word) {
      if (const int* coordinate = coordinates.by_name(word)) found.push_back(*coordinate);
      return std::string();
    });
  });
  if (found.empty()) found.push_back(0);  // the reader of formulas then says what is wrong
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const int i : found) {
    const std::string& name = coordinates.names()[i];
    formulas.coordinates.push_back(name);
    formulas.kinetic += fmt::format("{}{}_dot^2/2", formulas.kinetic.empty() ? "" : " + ", name);
  }
  rows.model = lagrangian(formulas);
  return rows;
}

}  // namespace ricochet
