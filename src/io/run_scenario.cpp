#include "ricochet/io/run_scenario.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "ricochet/core/version.hpp"
#include "ricochet/io/result_writer.hpp"
#include "ricochet/run/simulate.hpp"

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
  void progress(std::uint64_t step, std::uint64_t steps) override {
    for (Observer* observer : observers_) observer->progress(step, steps);
  }

 private:
  std::vector<Observer*> observers_;
};

ResultHeader header_of(const ScenarioRun& run, const std::string& text) {
  ResultHeader header;
  header.scenario_text = text;
  header.version = version;
  header.title = run.title;
  header.scheme = run.scheme;
  for (const auto& [name, value] : run.parameters) header.scheme_parameters.emplace_back(name, to_text(value));
  header.coordinates = run.coordinates;
  header.states = run.states;
  header.constraints = run.constraints;
  header.observations = run.observations;
  return header;
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

ScenarioRun run_scenario(const ScenarioFile& file, const RunRequest& request) {
  Problem problem = file.build();
  problem.settings.keep = false;
  problem.settings.interrupt = request.interrupt;
  if (request.output.empty()) problem.settings.record_every = 0;

  const Layout& layout = problem.model->layout();
  ScenarioRun run;
  run.title = file.scenario().title;
  run.scheme = problem.scheme.name;
  run.parameters = all_parameters(problem.scheme);
  run.coordinates = layout.coordinates;
  run.states = layout.states;
  run.constraints = layout.constraints;
  run.observations = layout.observations;

  // What cannot be written is refused before the run.
  std::unique_ptr<ResultWriter> writer;
  if (!request.output.empty()) writer = open_result(request.output, header_of(run, file.text()));
  Fan observers;
  observers.add(writer.get());
  observers.add(request.observer);

  try {
    run.h =
        (problem.span.until - problem.span.from) / static_cast<double>(step_count(problem.span, problem.settings.h));
    run.solution = simulate(*problem.model, problem.start, problem.span, problem.scheme, problem.settings,
                            observers.empty() ? nullptr : &observers);
    if (writer) writer->finish(run.solution);
  } catch (const InputError& error) {
    throw file.located(error);
  } catch (const FileError& error) {
    throw WriteError(error.what());
  }
  if (writer) run.output = writer->path();
  return run;
}

std::string to_json(const ScenarioRun& run, std::string_view scenario) {
  using Json = nlohmann::ordered_json;
  const Solution& solution = run.solution;
  const EnergyLedger& energy = solution.energy;

  Json parameters = Json::object();
  for (const auto& [name, value] : run.parameters)
    std::visit([&, key = name](const auto& x) { parameters[key] = x; }, value);

  Json impacts = Json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(solution.impacts.size(), 100); ++i) {
    const Impact& impact = solution.impacts[i];
    impacts.push_back({{"t", impact.t},
                       {"constraint", run.constraints[static_cast<std::size_t>(impact.constraint)]},
                       {"rate_minus", impact.rate_minus},
                       {"rate_plus", impact.rate_plus},
                       {"impulse", impact.impulse},
                       {"energy_loss", impact.energy_loss},
                       {"discontinuous", impact.discontinuous}});
  }

  Json final = {{"q", solution.final.q}, {"v", solution.final.v}};
  if (!run.states.empty()) final["z"] = solution.final.z;
  if (!run.observations.empty()) final["observed"] = solution.observed;

  Json json = {{"scenario", scenario},
               {"title", run.title},
               {"version", version},
               {"scheme", run.scheme},
               {"parameters", parameters},
               {"status", name(solution.status)},
               {"t_end", solution.final.t},
               {"steps", solution.statistics.steps},
               {"impacts", solution.impact_count},
               {"discontinuous_impacts", solution.discontinuous_count},
               {"first_impacts", impacts},
               {"coordinates", run.coordinates},
               {"constraints", run.constraints},
               {"final", final},
               {"violation_max", solution.violation_max},
               {"energy",
                {{"initial", energy.initial},
                 {"final", energy.final},
                 {"input", energy.input},
                 {"damping", energy.damping},
                 {"impact", energy.impact},
                 {"numerical", energy.numerical}}},
               {"statistics",
                {{"steps", solution.statistics.steps},
                 {"accepted", solution.statistics.accepted},
                 {"rejected", solution.statistics.rejected},
                 {"newton_iterations", solution.statistics.newton_iterations},
                 {"force_evaluations", solution.statistics.force_evaluations},
                 {"contact_problems", solution.statistics.contact_problems}}},
               {"seconds", solution.statistics.seconds}};
  if (energy.algorithmic_final)
    json["energy"]["algorithmic"] = {{"initial", *energy.algorithmic_initial}, {"final", *energy.algorithmic_final}};
  if (!run.states.empty()) json["states"] = run.states;
  if (!run.observations.empty()) json["observations"] = run.observations;
  if (!run.output.empty()) json["output"] = run.output.string();
  if (!solution.notes.empty()) json["notes"] = solution.notes;
  if (solution.failure.kind != FailureKind::none)
    json["failure"] = {
        {"kind", name(solution.failure.kind)}, {"t", solution.failure.t}, {"message", solution.failure.message}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ricochet
