// What studies of schemes share: which of them take a problem, and means over runs.
#pragma once

#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet {

// Why a scheme does not take the problem; empty if it does. Bad parameters throw.
inline std::string refusal(const StudyProblem& problem, const SchemeChoice& choice) {
  check(choice.scheme);
  try {
    make_stepper(*problem.model, choice.scheme, problem.solver);
  } catch (const InputError& error) {
    return error.message();
  }
  return {};
}

// The mean of the errors of several runs, not a number if one of them failed; `failure` is that of the first that did.
void average(const std::vector<MeasuredRun>& runs, Errors& mean, std::string& failure);

}  // namespace ricochet
