// From a description to what simulate() takes.
#pragma once

#include <memory>

#include "ricochet/model/model.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

struct Problem {
  std::unique_ptr<Model> model;
  State start;
  TimeSpan span;
  Scheme scheme;
  RunSettings settings;
};

// Both throw InputError with the field's path in the scenario ("model.constraint[2].restitution").
void validate(const Scenario& scenario);  // what can be said without reading a formula
Problem build(const Scenario& scenario);  // validates first

}  // namespace ricochet
