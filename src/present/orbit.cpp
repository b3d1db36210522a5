#include "ricochet/present/orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/format/json.hpp"
#include "present/study_parts.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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

// What is held along an arc: contacts that are closed, frictions that stick and that slide, by name.
struct HeldNames {
  std::vector<std::string> closed, stick, slide;
};
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

StudyTable arcs_table(const OrbitChain& chain, const OrbitHeader& header) {
  StudyTable table{"Arcs of one period", {"t", "duration", "closed", "sticks", "slides", "ends with"}};
  const auto joined = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("-") : fmt::format("{}", fmt::join(names, ", "));
  };
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    const HeldNames names = held_names(arc.held, header);
    table.rows.push_back({readable(t), readable(arc.tau), joined(names.closed), joined(names.stick),
                          joined(names.slide), end_text(arc, header)});
    t += arc.tau;
  }
  return table;
}

void add_orbit(Json& json, const Orbit& orbit, const OrbitHeader& header) {
  json["period"] = orbit.period;
  json["periods"] = std::isnan(header.load_period) ? Json(nullptr) : Json(orbit.chain.periods);
  json["impacts"] = impacts_json(orbit, header.constraints);
  json["multipliers"] = multipliers_json(orbit);
  json["stable"] = orbit.stable;
  json["residual"] = orbit.residual;
  json["state"] = state_json(orbit.state);
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

std::string multiplier_text(const std::complex<double>& mu) {
  if (mu.imag() == 0.0) return readable(mu.real());
  return fmt::format("{} {} {} i", readable(mu.real()), mu.imag() < 0.0 ? "-" : "+", readable(std::abs(mu.imag())));
}

std::string title_of(const OrbitHeader& header) {
  return header.title.empty() ? "Scenario without a title" : header.title;
}

std::string count_of(std::size_t n, const char* one, const char* many) {
  return n == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", n, many);
}

// Curves of special points over both parameters.
void add_curves(const ContinueOutcome& outcome, StudyPage& page) {
  StudyTable table{"Curves in two parameters", {"kind", "points", "begins with", "ends with"}};
  StudyPlot plot{"Special points in two parameters", {outcome.name}, {outcome.second_name}};
  page.text.push_back(fmt::format(
      "{} in {} and {}, the latter from {} to {}.",
      count_of(outcome.curves.size(), "curve of folds, flips or grazing", "curves of folds, flips and grazing"),
      outcome.key, outcome.second_key, to_text(outcome.second_from), to_text(outcome.second_until)));
  if (outcome.curves.empty()) return;
  for (std::size_t k = 0; k < outcome.curves.size(); ++k) {
    const OrbitCurve& curve = outcome.curves[k];
    table.rows.push_back(
        {std::string(name(curve.kind)), fmt::format("{}", curve.first.size()), curve.begin, curve.end});
    plot.series.push_back({.name = fmt::format("{} {}", name(curve.kind), k + 1), .x = curve.first, .y = curve.second});
  }
  page.tables.push_back(std::move(table));
  page.plots.insert(page.plots.begin(), std::move(plot));
}

StudyFile titled_file(const char* study, const OrbitHeader& header, std::string_view scenario, const StudyPage& page) {
  return {{{"scenario", std::string(scenario)},
           {"title", header.title},
           {"version", std::string(version)},
           {"study", study},
           {"page", to_json(page)}},
          {}};
}

// How large each coordinate gets just after impacts, or at the section: what a diagram of branches shows.
double shown_value(const Orbit& orbit, std::size_t i) { return orbit.state.q[i]; }

double largest_multiplier(const Orbit& orbit) {
  return orbit.multipliers.empty() ? nan : std::abs(orbit.multipliers.front());
}

// Parts of a branch that are stable, and parts that are not, each with the point where it goes over into the other.
void add_parts(const OrbitBranch& branch, std::size_t number, StudyPlot& plot, const auto& value) {
  StudySeries stable{fmt::format("branch {}, stable", number + 1), {}, {}}, unstable = stable;
  unstable.name = fmt::format("branch {}, unstable", number + 1);
  unstable.dashed = true;
  for (std::size_t k = 0; k < branch.points.size(); ++k) {
    const BranchPoint& point = branch.points[k];
    StudySeries& own = point.orbit.stable ? stable : unstable;
    if (k > 0 && branch.points[k - 1].orbit.stable != point.orbit.stable) {
      StudySeries& other = point.orbit.stable ? unstable : stable;
      other.x.insert(other.x.end(), {point.parameter, nan});
      other.y.insert(other.y.end(), {value(point.orbit), nan});
    }
    own.x.push_back(point.parameter);
    own.y.push_back(value(point.orbit));
  }
  for (StudySeries* series : {&stable, &unstable})
    if (!series->x.empty()) plot.series.push_back(std::move(*series));
}

void add_special(const Continuation& all, StudyPlot& plot, const auto& value) {
  for (const SpecialPoint& point : all.points) {
    if (point.branch >= all.branches.size() || point.index >= all.branches[point.branch].points.size()) continue;
    const BranchPoint& at = all.branches[point.branch].points[point.index];
    plot.series.push_back({.name = fmt::format("{} at {}", name(point.kind), readable(at.parameter)),
                           .x = {at.parameter},
                           .y = {value(at.orbit)},
                           .note = point.sentence});
  }
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
  json["seconds"] = outcome.seconds;
  return json.dump(2);
}

std::string complaint(const OrbitOutcome& outcome) {
  if (!outcome.search.failure.empty()) return outcome.search.failure;
  if (!outcome.search.orbit.inadmissible.empty()) return "the orbit is no motion: " + outcome.search.orbit.inadmissible;
  return "";
}

std::string complaint(const ContinueOutcome& outcome) { return outcome.start.failure; }

StudyPage study_page(const OrbitOutcome& outcome) {
  const Orbit& orbit = outcome.search.orbit;
  StudyPage page{.kind = "orbit", .title = title_of(outcome)};
  if (!outcome.search.failure.empty()) return page;
  const std::string load = std::isnan(outcome.load_period)
                               ? "nothing depends on time"
                               : count_of(orbit.chain.periods, "period of the load", "periods of the load");
  page.text.push_back(fmt::format("Period {} ({}), {}, {}.", to_text(orbit.period), load,
                                  count_of(orbit.impacts.size(), "impact", "impacts"),
                                  orbit.stable ? "stable" : "unstable"));
  std::string shift;
  for (std::size_t i = 0; i < outcome.coordinates.size(); ++i)
    if (orbit.chain.shift[i] != 0.0)
      shift += fmt::format("{}{} comes back shifted by {}", shift.empty() ? "" : ", ", outcome.coordinates[i],
                           to_text(orbit.chain.shift[i]));
  if (!shift.empty()) page.text.push_back(shift + ".");
  page.text.push_back(fmt::format("Residual {:.1e} after {} iterations; the motion was simulated until t = {}.",
                                  orbit.residual, orbit.iterations, readable(outcome.search.simulated)));

  StudyTable impacts{"Impacts of one period", {"constraint", "t", "rate before", "rate after"}};
  for (const OrbitImpact& impact : orbit.impacts)
    impacts.rows.push_back({outcome.constraints[impact.constraint], to_text(impact.t), to_text(impact.rate_minus),
                            to_text(impact.rate_plus)});
  if (!impacts.rows.empty()) page.tables.push_back(std::move(impacts));
  if (has_lasting_contact(orbit.chain)) page.tables.push_back(arcs_table(orbit.chain, outcome));
  StudyTable multipliers{"Floquet multipliers", {"multiplier", "modulus"}};
  for (const std::complex<double>& mu : orbit.multipliers)
    multipliers.rows.push_back({multiplier_text(mu), readable(std::abs(mu))});
  if (!multipliers.rows.empty()) page.tables.push_back(std::move(multipliers));
  const EnergyLedger& energy = orbit.energy;
  StudyTable account{"Energy in one period", {"input", "damping", "impacts"}};
  std::vector<std::string> row = {readable(energy.input), readable(energy.damping), readable(energy.impact)};
  if (!outcome.frictions.empty()) account.columns.push_back("friction"), row.push_back(readable(energy.friction));
  account.columns.push_back("sum");
  row.push_back(readable(energy.input + energy.damping + energy.impact + energy.friction));
  account.rows.push_back(std::move(row));
  page.tables.push_back(std::move(account));

  for (std::size_t i = 0; i < outcome.coordinates.size(); ++i) {
    StudyPlot phase{
        outcome.coordinates[i] + " in phase space", {outcome.coordinates[i]}, {outcome.coordinates[i] + "'"}};
    StudySeries series{.name = "orbit", .marks = false};
    for (const State& state : outcome.motion) series.x.push_back(state.q[i]), series.y.push_back(state.v[i]);
    phase.series.push_back(std::move(series));
    page.plots.push_back(std::move(phase));
  }
  StudyPlot circle{"Multipliers and the unit circle", {"real part"}, {"imaginary part"}};
  StudySeries unit{.name = "unit circle", .marks = false}, places{.name = "multipliers"};
  for (int k = 0; k <= 120; ++k) {
    const double angle = 2.0 * 3.14159265358979323846 * k / 120.0;
    unit.x.push_back(std::cos(angle)), unit.y.push_back(std::sin(angle));
  }
  for (const std::complex<double>& mu : orbit.multipliers) {
    places.x.insert(places.x.end(), {mu.real(), nan}), places.y.insert(places.y.end(), {mu.imag(), nan});
  }
  circle.series = {std::move(unit), std::move(places)};
  page.plots.push_back(std::move(circle));
  show_units(page, outcome.display);
  return page;
}

StudyPage study_page(const ContinueOutcome& outcome) {
  const Continuation& all = outcome.continuation;
  StudyPage page{.kind = "continue", .title = title_of(outcome)};
  if (!outcome.start.failure.empty()) return page;
  std::size_t count = 0;
  for (const OrbitBranch& branch : all.branches) count += branch.points.size();
  page.text.push_back(fmt::format("{} along {} from {} to {}: {}.",
                                  count_of(all.branches.size(), "branch of orbits", "branches of orbits"), outcome.key,
                                  to_text(outcome.from), to_text(outcome.until), count_of(count, "point", "points")));
  StudyTable special{"Special points", {"kind", outcome.name, "branch", "what happens"}};
  for (const SpecialPoint& point : all.points)
    special.rows.push_back({std::string(name(point.kind)), fmt::format("{:.12g}", point.parameter),
                            fmt::format("{}", point.branch + 1), point.sentence});
  page.tables.push_back(std::move(special));
  StudyTable branches{"Branches", {"branch", "begins at", "points", "impacts", "period", "stable points"}};
  for (std::size_t b = 0; b < all.branches.size(); ++b) {
    const OrbitBranch& branch = all.branches[b];
    if (branch.points.empty()) continue;
    const auto stable = std::count_if(branch.points.begin(), branch.points.end(),
                                      [](const BranchPoint& point) { return point.orbit.stable; });
    const Orbit& first = branch.points.front().orbit;
    branches.rows.push_back({fmt::format("{}", b + 1), branch.origin.empty() ? "the start" : branch.origin,
                             fmt::format("{}", branch.points.size()), fmt::format("{}", first.impacts.size()),
                             readable(first.period), fmt::format("{}", stable)});
  }
  page.tables.push_back(std::move(branches));

  const auto add_plot = [&](const std::string& title, const StudyAxis& axis, const auto& value) {
    StudyPlot plot{title, {outcome.name}, axis};
    for (std::size_t b = 0; b < all.branches.size(); ++b) add_parts(all.branches[b], b, plot, value);
    add_special(all, plot, value);
    page.plots.push_back(std::move(plot));
  };
  for (std::size_t i = 0; i < outcome.coordinates.size(); ++i)
    add_plot("Branches: " + outcome.coordinates[i], {outcome.coordinates[i]},
             [i](const Orbit& orbit) { return shown_value(orbit, i); });
  add_plot("Fastest impact", {"rate before"}, [](const Orbit& orbit) {
    double fastest = 0.0;
    for (const OrbitImpact& impact : orbit.impacts) fastest = std::max(fastest, -impact.rate_minus);
    return fastest;
  });
  // At grazing it grows beyond all bounds.
  add_plot("Largest multiplier", {"modulus", true}, largest_multiplier);
  if (!outcome.second_key.empty()) add_curves(outcome, page);
  show_units(page, outcome.display);
  return page;
}

StudyFile study_file(const OrbitOutcome& outcome, std::string_view scenario) {
  const Orbit& orbit = outcome.search.orbit;
  StudyFile file = titled_file("orbit", outcome, scenario, study_page(outcome));
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
      state.width = orbit.state.q.size() * 2 + orbit.state.z.size();
      multipliers.width = 2 * orbit.multipliers.size();
    }
    for (StudyArray* array : {&parameter, &period, &stable, &impacts, &state, &multipliers})
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
      for (const std::vector<double>* part : {&orbit.state.q, &orbit.state.v})
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
