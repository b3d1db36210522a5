// From a description to what simulate() takes.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/scenario/attachments.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

struct Problem {
  std::shared_ptr<const Model> model;
  State start;
  TimeSpan span;
  Scheme scheme;
  RunSettings settings;
  std::vector<std::pair<std::string, double>> parameters = {};  // of the model, as numbers
};

// Both throw InputError with the field's path in the scenario ("model.constraint[2].restitution").
void validate(const Scenario& scenario);  // what can be said without reading a formula
// Validates first. `files` reads those that the scenario names; without it there must be none.
Problem build(const Scenario& scenario, const Attachments* files = nullptr);

}  // namespace ricochet
