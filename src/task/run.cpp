#include "ricochet/task/run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/friction_forces.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/run/simulate.hpp"
#include "scenario/build/file_tables.hpp"
#include "study/spectrum.hpp"

namespace ricochet {

namespace {

// One observer before several.
class Fan : public Observer {
 public:
  void add(Observer* observer) {
    if (observer) observers_.push_back(observer);
  }
  bool empty() const { return observers_.empty(); }

  void record(const Sample& sample) override {
    for (Observer* observer : observers_) observer->record(sample);
  }
  void impact(const Impact& impact) override {
    for (Observer* observer : observers_) observer->impact(impact);
  }
  void note(const std::string& text) override {
    for (Observer* observer : observers_) observer->note(text);
  }
  void progress(std::uint64_t step, std::uint64_t steps) override {
    for (Observer* observer : observers_) observer->progress(step, steps);
  }

 private:
  std::vector<Observer*> observers_;
};

// Where a run fails, or its scheme makes much energy, beyond the step that the scheme is stable for, that is why.
void explain_instability(const Problem& problem, double h, Solution& solution) {
  const EnergyLedger& energy = solution.energy;
  const bool blows_up = solution.status == Status::failed || !(energy.numerical <= 0.5 * energy.turnover);
  if (!blows_up || traits(problem.scheme).chooses_steps || problem.model->nb() > 0) return;
  const double limit = stability_limit(problem.scheme);
  if (!std::isfinite(limit)) return;
  const Frequency frequency = largest_frequency(*problem.model, problem.start);
  if (h * frequency.omega > limit)
    solution.notes.push_back(fmt::format("the largest frequency at the start is {:.4g}, h·ω = {:.4g}; {}",
                                         frequency.omega, h * frequency.omega,
                                         instability_text(problem.scheme, limit, frequency)));
}

}  // namespace

std::vector<std::pair<std::string, ParameterValue>> all_parameters(const Scheme& scheme) {
  std::vector<std::pair<std::string, ParameterValue>> result;
  for (const ParameterSpec& spec : find_scheme(scheme.name).parameters)
    result.emplace_back(spec.name, parameter(scheme, spec.name));
  return result;
}

std::string to_text(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  return number ? to_text(*number) : std::get<std::string>(value);
}

std::vector<std::string> reaction_names(const Layout& layout) {
  std::vector<std::string> names;
  for (const Joint& joint : layout.joints)
    for (int row = 1; row <= joint.rows; ++row) names.push_back(fmt::format("{}.reaction.{}", joint.name, row));
  return names;
}

std::vector<std::string> slip_names(const Layout& layout) {
  std::vector<std::string> names;
  for (const Friction& friction : layout.frictions)
    for (int row = 1; row <= friction.rows; ++row)
      names.push_back(friction.rows == 1 ? friction.name + ".slip" : fmt::format("{}.slip.{}", friction.name, row));
  return names;
}

ResultHeader result_header(const std::string& title, const std::string& text, const Scheme& scheme,
                           const Layout& layout, const Outputs* outputs) {
  ResultHeader header{.scenario_text = text,
                      .version = std::string(version),
                      .title = title,
                      .scheme = scheme.name,
                      .scheme_parameters = {},
                      .coordinates = layout.coordinates,
                      .states = layout.states,
                      .constraints = layout.constraints,
                      .observations = layout.observations,
                      .joints = reaction_names(layout),
                      .slips = slip_names(layout)};
  if (outputs != nullptr) header.outputs = outputs->names(), header.display = outputs->display();
  for (const auto& [name, value] : all_parameters(scheme)) header.scheme_parameters.emplace_back(name, to_text(value));
  return header;
}

RunOutcome run_problem(const Problem& problem, const std::string& title, const std::string& text,
                       const RunRequest& request) {
  const Layout& layout = problem.model->layout();
  RunOutcome run{
      .title = title,
      .scheme = problem.scheme,
      .coordinates = layout.coordinates,
      .states = layout.states,
      .constraints = layout.constraints,
      .observations = layout.observations,
      .joints = reaction_names(layout),
      .slips = slip_names(layout),
      .output = {},
      .h = (problem.span.until - problem.span.from) / static_cast<double>(step_count(problem.span, problem.settings.h)),
      .solution = {},
      .problems = {}};
  if (request.begin) request.begin();
  std::unique_ptr<ResultWriter> writer;
  if (request.open_result)
    writer = request.open_result(result_header(title, text, problem.scheme, layout, problem.settings.outputs.get()));
  Fan observers;
  observers.add(writer.get());
  observers.add(request.observer);

  RunSettings settings = problem.settings;
  settings.keep = false;
  settings.interrupt = request.interrupt;
  if (!writer) settings.record_every = 0;
  HardProblems hardest(request.keep_problems);
  if (request.keep_problems > 0) settings.solver.hardest = &hardest;
  try {
    run.solution = simulate(*problem.model, problem.start, problem.span, problem.scheme, settings,
                            observers.empty() ? nullptr : &observers);
    explain_instability(problem, run.h, run.solution);
    if (writer) writer->finish(run.solution);
  } catch (const FileError& error) {
    throw WriteError(error.what());
  }
  if (writer) run.output = writer->path();
  for (const HardProblems::Entry& entry : hardest.all()) run.problems.push_back(kept_problem(entry));
  if (request.keep_problems > 0 && run.problems.empty())
    run.solution.notes.push_back(
        "no contact problem was kept, as none was solved: schemes that locate events have them where something "
        "strikes, penalty has none; moreau-jean and its kin solve one in every step with contact");
  return run;
}

namespace {

// What forces of a scenario should have been instead. Told before the run, which may take long for that reason.
std::vector<std::string> notes_on_forces(const ScenarioFile& file, Observer* observer) {
  std::vector<std::string> notes;
  const FormulaFiles tables(file.files());
  if (const auto* model = std::get_if<LagrangianDescription>(&file.scenario().model))
    for (const std::string& field : forces_like_friction(*model))
      notes.push_back("model." + field +
                      " jumps with a velocity: that is dry friction, which needs a law and not a force; as a force it "
                      "makes schemes take ever smaller steps or lose their order. [[model.friction]] has the law");
  if (observer != nullptr)
    for (const std::string& note : notes) observer->note(note);
  return notes;
}

}  // namespace

RunOutcome run_scenario(const ScenarioFile& file, const RunRequest& request) {
  const Problem problem = file.build();
  try {
    const std::vector<std::string> notes = notes_on_forces(file, request.observer);
    RunOutcome outcome = run_problem(problem, file.scenario().title, file.text(), request);
    outcome.solution.notes.insert(outcome.solution.notes.end(), notes.begin(), notes.end());
    return outcome;
  } catch (const InputError& error) {
    // Without a field it is about the result file.
    if (error.field().empty()) throw;
    throw file.located(error);
  }
}

}  // namespace ricochet
