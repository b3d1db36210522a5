#include "run/watched_run.hpp"

#include <string_view>
#include <utility>

#include "core/zeros.hpp"

namespace ricochet {
namespace {

// A parameter of the scheme; `missing` if it has none of that name.
double number_of(const Scheme& scheme, std::string_view name, double missing) {
  for (const auto& [given, value] : scheme.values)
    if (given == name) return std::get<double>(value);
  for (const ParameterSpec& parameter : find_scheme(scheme.name).parameters)
    if (parameter.name == name) return std::get<double>(parameter.fallback);
  return missing;
}

}  // namespace

WatchedRun::WatchedRun(const Model& the_model, const Scheme& scheme, double step, bool every_step)
    : model(the_model),
      layout(model.layout()),
      h(step),
      records_every_step(every_step),
      is_rigid(!traits(scheme).compliant),
      has_fixed_steps(is_rigid && !traits(scheme).chooses_steps && !traits(scheme).locates_impacts),
      chooses_steps(traits(scheme).chooses_steps),
      has_position_law(traits(scheme).position_law),
      follows_gaps(chooses_steps && (!is_rigid || traits(scheme).locates_impacts)),
      locates(traits(scheme).locates_impacts && number_of(scheme, "bracket", 0.0) == 0.0),
      gap_tolerance(2.0 * number_of(scheme, "gap_tolerance", 0.0)),
      gap_error(100.0 * number_of(scheme, "rtol", 1e-8)) {}

void WatchedRun::end_or_note(std::string text, Observer* observer) {
  if (!has_fixed_steps) {
    why_end = std::move(text);
    return;
  }
  notes.push_back(std::move(text));
  if (observer != nullptr) observer->note(notes.back());
}

MassAndForce::MassAndForce(const Model& model, const State& state)
    : M(model.layout().mass.size()), F(zeros(model.nq())) {
  model.mass(state.t, state.q.data(), M.data());
  M = diagonal_of(model.layout().mass, M.data());
  model.force(state.t, state.q.data(), state.v.data(), state.z.data(), F.data());
}

}  // namespace ricochet
