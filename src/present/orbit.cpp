#include "ricochet/present/orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/format/json.hpp"
#include "present/orbit_parts.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"

namespace ricochet {

HeldNames held_names(const OrbitHold& held, const OrbitHeader& header) {
  HeldNames names;
  for (std::size_t j = 0; j < held.contacts.size(); ++j)
    if (held.contacts[j]) names.closed.push_back(header.constraints[j]);
  for (std::size_t k = 0; k < held.frictions.size(); ++k) {
    if (held.frictions[k].mode == OrbitFriction::Mode::stick) names.stick.push_back(header.frictions[k]);
    if (held.frictions[k].mode == OrbitFriction::Mode::slide) names.slide.push_back(header.frictions[k]);
  }
  return names;
}

bool has_lasting_contact(const OrbitChain& chain) {
  return std::any_of(chain.arcs.begin(), chain.arcs.end(), [](const OrbitArc& arc) { return arc.held.any(); });
}

// What ends an arc.
std::string end_text(const OrbitArc& arc, const OrbitHeader& header) {
  switch (arc.end) {
    case ArcEnd::impact: return "impact of " + header.constraints[arc.which];
    case ArcEnd::opens: return header.constraints[arc.which] + " opens";
    case ArcEnd::stops: return "the slip of " + header.frictions[arc.which] + " stops";
    case ArcEnd::slips: return header.frictions[arc.which] + " slips";
    case ArcEnd::period: break;
  }
  return "the period";
}

namespace {

Json header_json(const OrbitHeader& header, std::string_view scenario) {
  return {{"scenario", scenario},
          {"title", header.title},
          {"version", version},
          {"coordinates", header.coordinates},
          {"constraints", header.constraints}};
}

Json impacts_json(const Orbit& orbit, const std::vector<std::string>& constraints) {
  Json json = Json::array();
  for (const OrbitImpact& impact : orbit.impacts)
    json.push_back({{"t", impact.t},
                    {"constraint", constraints[impact.constraint]},
                    {"rate_minus", impact.rate_minus},
                    {"rate_plus", impact.rate_plus}});
  return json;
}

Json multipliers_json(const Orbit& orbit) {
  Json json = Json::array();
  for (const std::complex<double>& mu : orbit.multipliers) json.push_back({{"re", mu.real()}, {"im", mu.imag()}});
  return json;
}

Json state_json(const State& state) {
  Json json = {{"t", state.t}, {"q", state.q}, {"v", state.v}};
  if (!state.z.empty()) json["z"] = state.z;
  return json;
}

Json arcs_json(const OrbitChain& chain, const OrbitHeader& header) {
  Json json = Json::array();
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    const HeldNames names = held_names(arc.held, header);
    json.push_back({{"t", t},
                    {"duration", arc.tau},
                    {"ends", end_text(arc, header)},
                    {"closed", names.closed},
                    {"stick", names.stick},
                    {"slide", names.slide}});
    t += arc.tau;
  }
  return json;
}

void add_orbit(Json& json, const Orbit& orbit, const OrbitHeader& header) {
  json["period"] = orbit.period;
  json["periods"] = std::isnan(header.load_period) ? Json(nullptr) : Json(orbit.chain.periods);
  json["impacts"] = impacts_json(orbit, header.constraints);
  json["multipliers"] = multipliers_json(orbit);
  json["stable"] = orbit.stable;
  json["residual"] = orbit.residual;
  json["state"] = state_json(orbit.state);
  json["rms"] = orbit.rms;
}

Json curves_json(const ContinueOutcome& outcome) {
  Json json = Json::array();
  for (const OrbitCurve& curve : outcome.curves)
    json.push_back({{"kind", name(curve.kind)},
                    {"first", curve.first},
                    {"second", curve.second},
                    {"begin", curve.begin},
                    {"end", curve.end}});
  return json;
}

Json shifts_json(const Orbit& orbit, const std::vector<std::string>& coordinates) {
  Json json = Json::object();
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (orbit.chain.shift[i] != 0.0) json[coordinates[i]] = orbit.chain.shift[i];
  return json;
}

StudyFile titled_file(const char* study, const OrbitHeader& header, std::string_view scenario, const StudyPage& page) {
  return {{{"scenario", std::string(scenario)},
           {"title", header.title},
           {"version", std::string(version)},
           {"study", study},
           {"page", to_json(page)}},
          {}};
}

}  // namespace

std::string to_json(const OrbitOutcome& outcome, std::string_view scenario) {
  Json json = header_json(outcome, scenario);
  const OrbitSearch& search = outcome.search;
  json["status"] = outcome.interrupted ? "interrupted" : search.failure.empty() ? "completed" : "failed";
  if (!search.failure.empty()) {
    json["failure"] = search.failure;
    return json.dump(2);
  }
  add_orbit(json, search.orbit, outcome);
  if (has_lasting_contact(search.orbit.chain)) json["arcs"] = arcs_json(search.orbit.chain, outcome);
  json["admissible"] = search.orbit.inadmissible.empty();
  if (!search.orbit.inadmissible.empty()) json["inadmissible"] = search.orbit.inadmissible;
  if (Json shifts = shifts_json(search.orbit, outcome.coordinates); !shifts.empty()) json["shift"] = shifts;
  const EnergyLedger& energy = search.orbit.energy;
  json["energy"] = {
      {"input", energy.input}, {"damping", energy.damping}, {"impact", energy.impact}, {"numerical", energy.numerical}};
  if (!outcome.frictions.empty()) json["energy"]["friction"] = energy.friction;
  json["iterations"] = search.orbit.iterations;
  json["simulated"] = search.simulated;
  json["seconds"] = outcome.seconds;
  return json.dump(2);
}

std::string to_json(const ContinueOutcome& outcome, std::string_view scenario) {
  Json json = header_json(outcome, scenario);
  json["parameter"] = outcome.key;
  json["range"] = Json::array({outcome.from, outcome.until});
  json["status"] = outcome.interrupted ? "interrupted" : outcome.start.failure.empty() ? "completed" : "failed";
  if (!outcome.start.failure.empty()) json["failure"] = outcome.start.failure;
  json["branches"] = Json::array();
  for (const OrbitBranch& branch : outcome.continuation.branches) {
    Json one = {{"parent", branch.parent < 0 ? Json(nullptr) : Json(branch.parent)},
                {"origin", branch.origin.empty() ? Json(nullptr) : Json(branch.origin)},
                {"points", Json::array()}};
    for (const BranchPoint& point : branch.points) {
      Json at = {{"parameter", point.parameter}};
      add_orbit(at, point.orbit, outcome);
      one["points"].push_back(std::move(at));
    }
    json["branches"].push_back(std::move(one));
  }
  json["points"] = Json::array();
  for (const SpecialPoint& point : outcome.continuation.points)
    json["points"].push_back({{"kind", name(point.kind)},
                              {"parameter", point.parameter},
                              {"branch", point.branch},
                              {"index", point.index},
                              {"sentence", point.sentence}});
  if (!outcome.second_key.empty()) {
    json["second"] = outcome.second_key;
    json["second_range"] = Json::array({outcome.second_from, outcome.second_until});
    json["curves"] = curves_json(outcome);
  }
  json["resumed"] = outcome.resumed;
  json["seconds"] = outcome.seconds;
  return json.dump(2);
}

std::string complaint(const OrbitOutcome& outcome) {
  if (!outcome.search.failure.empty()) return outcome.search.failure;
  if (!outcome.search.orbit.inadmissible.empty()) return "the orbit is no motion: " + outcome.search.orbit.inadmissible;
  return "";
}

std::string complaint(const ContinueOutcome& outcome) { return outcome.start.failure; }

StudyFile study_file(const OrbitOutcome& outcome, std::string_view scenario) {
  const Orbit& orbit = outcome.search.orbit;
  StudyFile file = titled_file("orbit", outcome, scenario, study_page(outcome));
  std::string columns = "t";
  for (const char* dot : {"", "_dot"})
    for (const std::string& coordinate : outcome.coordinates) columns += "\n" + coordinate + dot;
  for (const std::string& one : outcome.states) columns += "\n" + one;
  file.texts.emplace_back("columns", columns);  // of the motion: what an orbit is begun from again
  StudyArray motion{"motion", {}, 1 + 2 * outcome.coordinates.size() + outcome.states.size()};
  for (const State& state : outcome.motion) {
    motion.values.push_back(state.t);
    for (const std::vector<double>* part : {&state.q, &state.v, &state.z})
      motion.values.insert(motion.values.end(), part->begin(), part->end());
  }
  StudyArray impacts{"impacts", {}, 4}, multipliers{"multipliers", {}, 2};
  for (const OrbitImpact& impact : orbit.impacts)
    impacts.values.insert(impacts.values.end(),
                          {impact.t, static_cast<double>(impact.constraint), impact.rate_minus, impact.rate_plus});
  for (const std::complex<double>& mu : orbit.multipliers)
    multipliers.values.insert(multipliers.values.end(), {mu.real(), mu.imag()});
  motion.attributes = {{"period", orbit.period}, {"stable", orbit.stable ? 1.0 : 0.0}, {"residual", orbit.residual}};
  for (StudyArray* array : {&motion, &impacts, &multipliers})
    if (!array->values.empty()) file.arrays.push_back(std::move(*array));
  return file;
}

StudyFile study_file(const ContinueOutcome& outcome, std::string_view scenario) {
  StudyFile file = titled_file("continue", outcome, scenario, study_page(outcome));
  const Continuation& all = outcome.continuation;
  for (std::size_t b = 0; b < all.branches.size(); ++b) {
    const std::string path = fmt::format("branches/{}/", b);
    StudyArray parameter{path + "parameter", {}}, period{path + "period", {}}, stable{path + "stable", {}};
    StudyArray impacts{path + "impacts", {}}, state{path + "state", {}}, multipliers{path + "multipliers", {}};
    StudyArray rms{path + "rms", {}, outcome.coordinates.size()};
    for (const BranchPoint& point : all.branches[b].points) {
      const Orbit& orbit = point.orbit;
      parameter.values.push_back(point.parameter);
      period.values.push_back(orbit.period);
      stable.values.push_back(orbit.stable ? 1.0 : 0.0);
      impacts.values.push_back(static_cast<double>(orbit.impacts.size()));
      for (const std::vector<double>* part : {&orbit.state.q, &orbit.state.v, &orbit.state.z})
        state.values.insert(state.values.end(), part->begin(), part->end());
      for (const std::complex<double>& mu : orbit.multipliers)
        multipliers.values.insert(multipliers.values.end(), {mu.real(), mu.imag()});
      rms.values.insert(rms.values.end(), orbit.rms.begin(), orbit.rms.end());
      state.width = orbit.state.q.size() * 2 + orbit.state.z.size();
      multipliers.width = 2 * orbit.multipliers.size();
    }
    for (StudyArray* array : {&parameter, &period, &stable, &impacts, &state, &rms, &multipliers})
      if (!array->values.empty()) file.arrays.push_back(std::move(*array));
  }
  for (std::size_t k = 0; k < outcome.curves.size(); ++k) {
    const OrbitCurve& curve = outcome.curves[k];
    StudyArray array{fmt::format("curves/{}", k), {}, 2};
    for (std::size_t i = 0; i < curve.first.size(); ++i)
      array.values.insert(array.values.end(), {curve.first[i], curve.second[i]});
    array.attributes = {{"kind", static_cast<double>(curve.kind)}};
    if (!array.values.empty()) file.arrays.push_back(std::move(array));
  }
  StudyArray points{"points", {}, 4};
  for (const SpecialPoint& point : all.points)
    points.values.insert(points.values.end(), {static_cast<double>(point.kind), point.parameter,
                                               static_cast<double>(point.branch), static_cast<double>(point.index)});
  if (!points.values.empty()) file.arrays.push_back(std::move(points));
  return file;
}

std::string branches_csv(const ContinueOutcome& outcome) {
  std::size_t most = 0;
  const Continuation& all = outcome.continuation;
  for (const OrbitBranch& branch : all.branches)
    for (const BranchPoint& point : branch.points) most = std::max(most, point.orbit.multipliers.size());
  std::string text = fmt::format("branch,{},period,stable,impacts,fastest", outcome.name);
  for (const char* dot : {"", "_dot"})
    for (const std::string& coordinate : outcome.coordinates) text += fmt::format(",{}{}", coordinate, dot);
  for (const std::string& coordinate : outcome.coordinates) text += fmt::format(",{}_rms", coordinate);
  for (std::size_t i = 1; i <= most; ++i) text += fmt::format(",multiplier{}_re,multiplier{}_im", i, i);
  text += ",special\n";
  for (std::size_t b = 0; b < all.branches.size(); ++b)
    for (std::size_t k = 0; k < all.branches[b].points.size(); ++k) {
      const BranchPoint& point = all.branches[b].points[k];
      const Orbit& orbit = point.orbit;
      double fastest = 0.0;
      for (const OrbitImpact& impact : orbit.impacts) fastest = std::max(fastest, -impact.rate_minus);
      text += fmt::format("{},{},{},{},{},{}", b + 1, to_text(point.parameter), to_text(orbit.period),
                          orbit.stable ? 1 : 0, orbit.impacts.size(), to_text(fastest));
      for (const std::vector<double>* part : {&orbit.state.q, &orbit.state.v, &orbit.rms})
        for (const double x : *part) text += "," + to_text(x);
      for (std::size_t i = 0; i < most; ++i)
        text += i < orbit.multipliers.size()
                    ? fmt::format(",{},{}", to_text(orbit.multipliers[i].real()), to_text(orbit.multipliers[i].imag()))
                    : ",,";
      text += ",";
      for (const SpecialPoint& special : all.points)
        if (special.branch == b && special.index == k) text += std::string(name(special.kind));
      text += "\n";
    }
  return text;
}

std::string curves_csv(const ContinueOutcome& outcome) {
  std::string text = fmt::format("curve,kind,{},{}\n", outcome.name, outcome.second_name);
  for (std::size_t k = 0; k < outcome.curves.size(); ++k)
    for (std::size_t i = 0; i < outcome.curves[k].first.size(); ++i)
      text += fmt::format("{},{},{},{}\n", k + 1, name(outcome.curves[k].kind), to_text(outcome.curves[k].first[i]),
                          to_text(outcome.curves[k].second[i]));
  return text;
}

}  // namespace ricochet
