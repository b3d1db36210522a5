// From the tables [orbit] and [continue] of a scenario to orbits as numbers.
#pragma once

#include <string>

#include "ricochet/scenario/attachments.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/study/special_curves.hpp"

namespace ricochet {

struct OrbitPlan {
  OrbitSystem system;
  State start;
  OrbitSettings settings;  // all but interrupt
};
// Throws InputError with the field's path in the scenario.
OrbitPlan plan_orbit(const Scenario& scenario, const Attachments* files = nullptr);

struct ContinuationPlan {
  OrbitPlan orbit;
  OrbitFamily family;      // `files` must outlive it
  std::string key, name;   // of the parameter: "model.parameters.w", "w"
  double parameter = 0.0;  // its value in the scenario
  ContinuationSettings settings;
  std::string second_key = {}, second_name = {};  // of the second parameter; empty: there is none
  double second = 0.0;                            // its value in the scenario
  OrbitPlane plane = {};
  CurveSettings curves = {};
};
ContinuationPlan plan_continuation(const Scenario& scenario, const Attachments* files = nullptr);

}  // namespace ricochet
