// ricochet solve
#include "ricochet/present/solve.hpp"

#include "shared.hpp"

namespace ricochet::cli {

namespace {

ComplementaritySettings settings_of(const SolveOptions& options) {
  ComplementaritySettings settings;
  if (options.solver) settings.solver = *options.solver;
  if (options.tolerance) settings.tolerance = parse_number(*options.tolerance, "--tolerance");
  if (options.max_iterations)
    settings.max_iterations = parse_whole_number(*options.max_iterations, "--max-iterations", 1, 1'000'000'000);
  try {
    check(settings);
  } catch (const InputError& error) {
    throw InputError(error.field() == "solver.name" ? "--solver" : "--tolerance", error.message());
  }
  return settings;
}

}  // namespace

int solve(const SolveOptions& options) {
  const ComplementaritySettings settings = settings_of(options);
  RequestFiles files;
  files.reads(options.problem);
  files.writes("-o", options.output.value_or(""));
  files.check();
  const io::FclibProblem problem = io::read_fclib(options.problem);
  const SolveOutcome outcome = [&] {
    try {
      return solve_contact_problem(problem, settings);
    } catch (const InputError& error) {
      throw FileError(options.problem + ": " + error.field() + " " + error.message());
    }
  }();
  if (options.output) io::write_fclib(*options.output, problem, outcome.solution);
  print(options.json ? to_json(outcome, options.problem) + "\n" : summary(outcome));
  const std::string wrong = complaint(outcome);
  if (wrong.empty()) return done;
  print_error("error: " + wrong + "\n");
  return failed;
}

}  // namespace ricochet::cli
