#include "ricochet/present/solve.hpp"

#include <fmt/format.h>

#include "io/format/json.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {

namespace {

// What a solver did not take has no residual.
bool is_judged(const SolveOutcome& outcome) { return outcome.result.status != ComplementarityStatus::not_supported; }

}  // namespace

std::string to_json(const SolveOutcome& outcome, std::string_view problem) {
  const Json json = {{"problem", std::string(problem)},
                     {"kind", outcome.is_global ? "global" : "local"},
                     {"contacts", outcome.contacts},
                     {"dimension", outcome.dimension},
                     {"equations", outcome.equations},
                     {"solver", outcome.solver},
                     {"status", std::string(status_text(outcome.result))},
                     {"residual", is_judged(outcome) ? Json(outcome.residual) : Json()},
                     {"iterations", outcome.result.iterations},
                     {"seconds", outcome.seconds},
                     {"version", version}};
  return json.dump();
}

std::string summary(const SolveOutcome& outcome) {
  std::string text = fmt::format("{} contacts in {}, {} problem{}\n", outcome.contacts,
                                 outcome.dimension == 2 ? "the plane" : "space", outcome.is_global ? "global" : "local",
                                 outcome.equations > 0 ? fmt::format(" with {} equations", outcome.equations) : "");
  text += fmt::format("{}: {}", outcome.solver, status_text(outcome.result));
  if (is_judged(outcome))
    text += fmt::format(", residual {}, {} iterations, {} s", readable(outcome.residual), outcome.result.iterations,
                        readable(outcome.seconds));
  return text + "\n";
}

std::string complaint(const SolveOutcome& outcome) {
  using Status = ComplementarityStatus;
  switch (outcome.result.status) {
    case Status::solved: return "";
    case Status::not_supported:
      return fmt::format(
          "the solver {} does not take this problem: with friction automatic, alart-curnier, interior-point and "
          "gauss-seidel do, and lemke in the plane",
          outcome.solver);
    case Status::no_solution: return "the problem has no solution, as far as the solver can tell";
    default: break;
  }
  return fmt::format("the problem was not solved: {}, residual {} after {} iterations", name(outcome.result.status),
                     readable(outcome.residual), outcome.result.iterations);
}

}  // namespace ricochet
