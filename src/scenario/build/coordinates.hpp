// The coordinates of a model that is not made of formulas, by name or number, and rows that are formulas of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ricochet/model/curved_rows.hpp"
#include "scenario/build/build_model.hpp"

namespace ricochet {

class Coordinates {
 public:
  // The names must stay.
  explicit Coordinates(const std::vector<std::string>& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i) by_name_.emplace(names[i], static_cast<int>(i));
  }

  const std::vector<std::string>& names() const { return names_; }
  const int* by_name(std::string_view text) const {
    const auto place = by_name_.find(text);
    return place == by_name_.end() ? nullptr : &place->second;
  }
  int find(const std::string& text, const std::string& field) const;
  int find(const Quantity& dof, const std::string& field) const;
  SparseVector row(const NamedQuantities& weights, const Sources& sources, const std::string& field) const;

 private:
  const std::vector<std::string>& names_;
  std::unordered_map<std::string_view, int> by_name_;
};

// The text with each name x, and x of x_dot, replaced by what the function makes of it.
std::string with_names(std::string_view text, const std::function<std::string(std::string_view)>& name);

// Calls a function with each formula of the constraints, joints and frictions of a description.
void each_row_formula(LagrangianDescription& formulas, const std::function<void(std::string&)>& function);

// Constraints, joints and frictions as formulas: those of a model of formulas with the coordinates they use.
CurvedRows curved_rows(LagrangianDescription formulas, const Coordinates& coordinates);

}  // namespace ricochet
