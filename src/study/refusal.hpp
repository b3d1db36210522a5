// Which schemes take a problem: what all studies ask first.
#pragma once

#include <string>

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

}  // namespace ricochet
