#include "ricochet/task/check.hpp"

#include "scenario/file_tables.hpp"

namespace ricochet {

std::vector<NonsmoothFunction> nonsmooth_functions(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  const auto* description = std::get_if<LagrangianDescription>(&scenario.model);
  if (description == nullptr) return {};
  std::vector<NonsmoothFunction> functions = nonsmooth_functions(*description);
  // Their fields count from the model.
  for (NonsmoothFunction& item : functions) item.field = "model." + item.field;
  return functions;
}

std::unique_ptr<const FormulaRanges> formula_ranges(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  constexpr std::size_t most = 50;  // coordinates: their number squared are the entries of the mass
  const auto* description = std::get_if<LagrangianDescription>(&scenario.model);
  if (description == nullptr || description->coordinates.size() > most) return nullptr;
  return std::make_unique<const FormulaRanges>(*description);
}

CheckOutcome check_problem(const Problem& problem, std::vector<NonsmoothFunction> nonsmooth,
                           const FormulaRanges* formulas) {
  return {{},
          problem.scheme.name,
          problem.model->layout().constraints,
          check_problem(*problem.model, problem.start, problem.span, problem.scheme, problem.settings,
                        std::move(nonsmooth), formulas)};
}

CheckOutcome check_scenario(const ScenarioFile& file) {
  const Problem problem = file.build();
  try {
    CheckOutcome outcome = check_problem(problem, nonsmooth_functions(file.scenario(), file.files()),
                                         formula_ranges(file.scenario(), file.files()).get());
    outcome.title = file.scenario().title;
    return outcome;
  } catch (const InputError& error) {
    throw file.located(error);
  }
}

}  // namespace ricochet
