// Formulas of the time and perhaps one more variable, compiled with the values of the parameters.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "ricochet/model/time_piece.hpp"

namespace ricochet {

using Parameters = std::vector<std::pair<std::string, double>>;

// Parameters as the symbols of formulas, with their values in the order of the symbols.
struct ParameterSymbols {
  explicit ParameterSymbols(const Parameters& parameters);
  formula::SymbolTable table;
  std::vector<double> values;
};

class Formulas {
 public:
  struct Item {
    std::string field, text;
  };

  // With a variable, each formula is followed by its derivative with respect to it. Throws InputError with the field
  // of the formula that cannot be read.
  Formulas(const std::vector<Item>& items, const Parameters& parameters, const std::string& variable = {});

  int size() const { return tape_.output_count(); }
  void evaluate(double t, double variable, double* values) const {
    tape_.evaluate(formula::Inputs<double>{.t = &t, .q = &variable}, constants_.data(), values);
  }
  std::vector<double> operator()(double t, double variable = 0.0) const {
    std::vector<double> values(size());
    evaluate(t, variable, values.data());
    return values;
  }

 private:
  formula::Tape tape_;
  std::vector<double> constants_;
};

// Where a formula of t may become infinite.
TimePoles time_poles(const std::string& formula, const Parameters& parameters);

// A formula of t as a sum of terms, if it is one.
std::optional<TimeSum> time_sum(const std::string& formula, const Parameters& parameters);

}  // namespace ricochet
