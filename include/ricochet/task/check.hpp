// Whether a problem is well posed.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {

struct CheckOutcome {
  std::string title;
  std::string scheme;
  std::vector<std::string> constraints;
  CheckReport report;
};

// A start inside an obstacle is a finding. Throws InputError for what is no problem at all.
CheckOutcome check_problem(const Problem& problem, std::vector<NonsmoothFunction> nonsmooth,
                           const CheckedFormulas* formulas = nullptr);
// Throws ScenarioError.
CheckOutcome check_scenario(const ScenarioFile& file);

// Those in the formulas of a scenario, if its model is made of some.
std::vector<NonsmoothFunction> nonsmooth_functions(const Scenario& scenario, const Attachments* files = nullptr);
// The formulas of a scenario whose model has been built; nothing for large models.
std::unique_ptr<const CheckedFormulas> checked_formulas(const Scenario& scenario, const Model& model,
                                                        const Attachments* files = nullptr);

}  // namespace ricochet
