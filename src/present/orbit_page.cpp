// The pages of orbits and of branches of orbits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "present/orbit_parts.hpp"
#include "present/study_parts.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/present/orbit.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_details = 400;  // orbits that a page can show: beyond, every second, third … point has one

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

double largest_multiplier(const Orbit& orbit, std::size_t) {
  return orbit.multipliers.empty() ? nan : std::abs(orbit.multipliers.front());
}

// Parts of a branch that are stable, and parts that are not, each with the point where it goes over into the other.
// `value`: of an orbit and one of its `rounds`. `details`: of its points, what a click shows; none if it is empty.
void add_parts(const OrbitBranch& branch, std::size_t number, const std::vector<int>& details, std::size_t rounds,
               StudyPlot& plot, const auto& value) {
  StudySeries stable{fmt::format("branch {}, stable", number + 1), {}, {}}, unstable = stable;
  unstable.name = fmt::format("branch {}, unstable", number + 1);
  unstable.dashed = true;
  if (!details.empty()) stable.marks = unstable.marks = false;  // they would hide the curves
  const auto add = [&](StudySeries& series, double x, double y, int detail) {
    series.x.push_back(x), series.y.push_back(y);
    if (!details.empty()) series.details.push_back(detail);
  };
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < branch.points.size(); ++k) {
      const BranchPoint& point = branch.points[k];
      const int detail = details.empty() ? -1 : details[k];
      const double y = value(point.orbit, round);
      if (k > 0 && branch.points[k - 1].orbit.stable != point.orbit.stable) {
        StudySeries& other = point.orbit.stable ? unstable : stable;
        add(other, point.parameter, y, detail), add(other, nan, nan, -1);
      }
      add(point.orbit.stable ? stable : unstable, point.parameter, y, detail);
    }
    for (StudySeries* series : {&stable, &unstable})
      if (!series->x.empty() && round + 1 < rounds) add(*series, nan, nan, -1);
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
                           .y = {value(at.orbit, 0)},
                           .note = point.sentence});
  }
}

// One period of coordinate i in phase space: arcs, and dashed the impacts, where velocities jump.
StudyPlot phase_plot(const std::vector<State>& motion, std::size_t i, const std::string& name) {
  StudyPlot phase{name + " in phase space", {name}, {name + "'"}};
  StudySeries arcs{.name = "orbit", .marks = false}, jumps{.name = "impacts", .dashed = true};
  const auto add = [](StudySeries& series, double x, double y) { series.x.push_back(x), series.y.push_back(y); };
  double fastest = 0.0;
  for (const State& state : motion) fastest = std::max(fastest, std::abs(state.v[i]));
  const auto is_jump = [&](const State& a, const State& b) { return std::abs(a.v[i] - b.v[i]) > 1e-9 * fastest; };
  for (std::size_t k = 0; k < motion.size(); ++k) {
    const State& now = motion[k];
    // An arc ends when the next one begins; around the period the first one does.
    if (k > 0 && !(now.t > motion[k - 1].t)) {
      add(arcs, nan, nan);
      if (is_jump(motion[k - 1], now)) {
        add(jumps, motion[k - 1].q[i], motion[k - 1].v[i]);
        add(jumps, now.q[i], now.v[i]), add(jumps, nan, nan);
      }
    }
    add(arcs, now.q[i], now.v[i]);
  }
  phase.series.push_back(std::move(arcs));
  if (!motion.empty() && is_jump(motion.back(), motion.front())) {
    // The period ends with an impact. A coordinate that drifts begins elsewhere, but does not jump.
    add(jumps, motion.back().q[i], motion.back().v[i]);
    add(jumps, motion.back().q[i], motion.front().v[i]);
  }
  if (!jumps.x.empty()) phase.series.push_back(std::move(jumps));
  return phase;
}

// A multiplier far outside would make the circle a dot: it is shown on the rim in its direction, and told.
StudyPlot circle_plot(const Orbit& orbit) {
  constexpr double rim = 2.0;
  StudyPlot circle{"Multipliers and the unit circle", {"real part"}, {"imaginary part"}, {}, true};
  StudySeries unit{.name = "unit circle", .marks = false}, places{.name = "multipliers"};
  for (int k = 0; k <= 120; ++k) {
    const double angle = 2.0 * 3.14159265358979323846 * k / 120.0;
    unit.x.push_back(std::cos(angle)), unit.y.push_back(std::sin(angle));
  }
  circle.series = {std::move(unit), StudySeries{}};
  for (const std::complex<double>& mu : orbit.multipliers) {
    if (std::abs(mu) <= rim) {
      places.x.insert(places.x.end(), {mu.real(), nan}), places.y.insert(places.y.end(), {mu.imag(), nan});
    } else {
      const std::complex<double> edge = rim / std::abs(mu) * mu;
      circle.series.push_back(
          {.name = fmt::format("{}, outside", multiplier_text(mu)), .x = {edge.real()}, .y = {edge.imag()}});
    }
  }
  circle.series[1] = std::move(places);
  return circle;
}

std::vector<StudyPlot> orbit_plots(const Orbit& orbit, const std::vector<State>& motion,
                                   const std::vector<std::string>& coordinates) {
  std::vector<StudyPlot> plots;
  for (std::size_t i = 0; i < coordinates.size(); ++i) plots.push_back(phase_plot(motion, i, coordinates[i]));
  plots.push_back(circle_plot(orbit));
  return plots;
}

// What a click on a point of a branch shows: which detail each has.
std::vector<std::vector<int>> add_details(const ContinueOutcome& outcome, StudyPage& page) {
  std::vector<std::vector<int>> places;
  std::size_t count = 0;
  for (const auto& branch : outcome.motions) count += branch.size();
  const std::size_t every = count / most_details + 1;
  for (std::size_t b = 0; b < outcome.motions.size(); ++b) {
    places.emplace_back();
    int last = -1;
    for (std::size_t k = 0; k < outcome.motions[b].size(); ++k) {
      const BranchPoint& point = outcome.continuation.branches[b].points[k];
      if (k % every == 0 || k + 1 == outcome.motions[b].size()) {
        last = static_cast<int>(page.details.size());
        page.details.push_back(
            {fmt::format("Orbit at {} = {}, branch {}: period {}, {}, {}", outcome.name, readable(point.parameter),
                         b + 1, readable(point.orbit.period), count_of(point.orbit.impacts.size(), "impact", "impacts"),
                         point.orbit.stable ? "stable" : "unstable"),
             orbit_plots(point.orbit, outcome.motions[b][k], outcome.coordinates)});
      }
      places.back().push_back(last);
    }
  }
  return places;
}

}  // namespace

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

  page.plots = orbit_plots(orbit, outcome.motion, outcome.coordinates);
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

  const std::vector<std::vector<int>> details = add_details(outcome, page);
  const auto add_plot = [&](const std::string& title, const StudyAxis& axis, bool all_rounds, const auto& value) {
    StudyPlot plot{title, {outcome.name}, axis};
    for (std::size_t b = 0; b < all.branches.size(); ++b) {
      const std::vector<BranchPoint>& points = all.branches[b].points;
      const std::size_t rounds = all_rounds && !points.empty() ? points.front().orbit.returns.size() : 1;
      add_parts(all.branches[b], b, details.empty() ? std::vector<int>() : details[b], rounds, plot, value);
    }
    add_special(all, plot, value);
    page.plots.push_back(std::move(plot));
  };
  for (std::size_t i = 0; i < outcome.coordinates.size(); ++i) {
    // As a sweep shows it: an orbit of n periods of the load has n points.
    add_plot("Branches: " + outcome.coordinates[i], {outcome.coordinates[i]}, true,
             [i](const Orbit& orbit, std::size_t round) {
               return round < orbit.returns.size() ? orbit.returns[round].q[i] : nan;
             });
    if (i < outcome.swept_coordinates.size() && !outcome.swept_coordinates[i].empty())
      page.plots.back().series.push_back(
          {.name = "sweep", .x = outcome.swept, .y = outcome.swept_coordinates[i], .dots = true});
  }
  add_plot("Fastest impact", {"rate before"}, false, [](const Orbit& orbit, std::size_t) {
    double fastest = 0.0;
    for (const OrbitImpact& impact : orbit.impacts) fastest = std::max(fastest, -impact.rate_minus);
    return fastest;
  });
  // At grazing it grows beyond all bounds.
  add_plot("Largest multiplier", {"modulus", true}, false, largest_multiplier);
  if (!outcome.second_key.empty()) add_curves(outcome, page);
  show_units(page, outcome.display);
  return page;
}

}  // namespace ricochet
