// Quantities that the user names: formulas of what is recorded, and how quantities are shown.
#pragma once

#include <string>
#include <vector>

#include "ricochet/run/solution.hpp"

namespace ricochet {

// The unit and the label of a coordinate, a state, a constraint, an observation or an output.
struct Display {
  std::string name = {}, unit = {}, label = {};
  bool operator==(const Display&) const = default;
};

// Const and thread-safe.
class Outputs {
 public:
  virtual ~Outputs() = default;
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Display>& display() const { return display_; }  // of outputs and of what the model has
  // One number a name, of a sample that is complete but for its outputs. What a sample does not have is NaN.
  virtual void evaluate(const Sample& sample, double* values) const = 0;
  // Whether output i is made of the state alone, and not of impulses and forces since the row before.
  virtual bool is_of_state(std::size_t i) const = 0;
  std::vector<std::string> names_of_state() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (is_of_state(i)) names.push_back(names_[i]);
    return names;
  }

 protected:
  Outputs(std::vector<std::string> names, std::vector<Display> display)
      : names_(std::move(names)), display_(std::move(display)) {}

 private:
  std::vector<std::string> names_;
  std::vector<Display> display_;
};

}  // namespace ricochet
