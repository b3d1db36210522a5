// A number that differs from trajectory to trajectory of a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/quantity.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "scenario/keys/key.hpp"

namespace ricochet {

// A number for all, the value of an axis, or a formula of the parameters, which is read only once.
class TrajectoryValue {
 public:
  // Throws InputError with `field` if the formula cannot be read.
  TrajectoryValue(const Quantity& quantity, const formula::SymbolTable& parameters, std::string field,
                  const Range& range = {});
  static TrajectoryValue of_axis(std::size_t axis, std::string field, const Range& range);

  // Throws InputError with the field for a value that is not finite or not in the range.
  double operator()(const std::vector<double>& parameters, const std::vector<double>& axes) const;

  // The numbers of the parameters that must be known before.
  const std::vector<std::size_t>& needs() const { return needs_; }

 private:
  TrajectoryValue(std::string field, const Range& range) : field_(std::move(field)), range_(range) {}

  std::string field_;
  Range range_;
  double number_ = 0.0;
  std::optional<std::size_t> axis_ = std::nullopt;
  std::optional<formula::Tape> tape_ = std::nullopt;
  std::vector<std::size_t> needs_ = {};
};

// The names as symbols of parameters, in their order. Throws InputError ("model.parameters.k").
formula::SymbolTable parameter_symbols(const std::vector<std::string>& names);

}  // namespace ricochet
