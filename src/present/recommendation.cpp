// What the data of a comparison say, in plain sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "present/study_parts.hpp"

namespace ricochet {
namespace {

struct Candidate {
  const SchemeComparison* scheme = nullptr;
  const WorkPoint* point = nullptr;
};

std::string spoken(const WorkPoint& point) {
  if (point.tolerance) return fmt::format("rtol {:.2g}", *point.tolerance);
  return fmt::format("a step of {:.3g}", point.h);
}

std::string cost(const WorkPoint& point) {
  const double ms = 1e3 * point.seconds;
  return fmt::format("{:.2g} ms, {:.0f} steps, {:.0f} force evaluations", ms, point.steps, point.force_evaluations);
}

// The cheapest point of each scheme that reaches the accuracy, cheapest scheme first.
std::vector<Candidate> that_reach(const Comparison& comparison, double accuracy) {
  std::vector<Candidate> found;
  for (const SchemeComparison& scheme : comparison.schemes) {
    Candidate best{&scheme, nullptr};
    for (const WorkPoint& point : scheme.points) {
      if (!point.failure.empty() || !(relative_error(comparison, point) <= accuracy)) continue;
      if (best.point == nullptr || point.seconds < best.point->seconds) best.point = &point;
    }
    if (best.point != nullptr) found.push_back(best);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.point->seconds < b.point->seconds; });
  return found;
}

// The smallest error of any point, of schemes that locate impacts or of the others.
Candidate best_energy(const Comparison& comparison, bool locates) {
  Candidate best;
  for (const SchemeComparison& scheme : comparison.schemes)
    for (const WorkPoint& point : scheme.points) {
      if (scheme.locates != locates || !point.failure.empty()) continue;
      const double error = point.errors[Norm::energy];
      if (std::isnan(error) || (best.point != nullptr && error >= best.point->errors[Norm::energy])) continue;
      best = {&scheme, &point};
    }
  return best;
}

void add_refusal(std::vector<std::string>& text, const auto& scheme) {
  if (!scheme.refused.empty())
    text.push_back(fmt::format("{} does not take this problem: {}", scheme.label, scheme.refused));
}

// The first one; `said` names the step or tolerance of a point.
void add_failure(std::vector<std::string>& text, const auto& scheme, const auto& said) {
  const auto& points = scheme.points;
  const auto failed =
      std::find_if(points.begin(), points.end(), [](const auto& point) { return !point.failure.empty(); });
  if (failed != points.end())
    text.push_back(fmt::format("{} failed with {}: {}", scheme.label, said(*failed), failed->failure));
}

std::string accuracy_text(double accuracy) { return fmt::format("{:.2g} of the size of q", accuracy); }

void add_cheapest(std::vector<std::string>& text, const Comparison& comparison, double accuracy) {
  const std::vector<Candidate> found = that_reach(comparison, accuracy);
  if (found.empty()) {
    Candidate best;
    for (const SchemeComparison& scheme : comparison.schemes)
      for (const WorkPoint& point : scheme.points)
        if (std::isfinite(relative_error(comparison, point)) &&
            (best.point == nullptr || relative_error(comparison, point) < relative_error(comparison, *best.point)))
          best = {&scheme, &point};
    text.push_back(
        best.point == nullptr
            ? "No scheme gave a motion to measure."
            : fmt::format("No scheme reaches an error of {}; {} comes nearest, {:.2g} with {}. Smaller steps or "
                          "tolerances are needed.",
                          accuracy_text(accuracy), best.scheme->label, relative_error(comparison, *best.point),
                          spoken(*best.point)));
    return;
  }
  const Candidate& first = found.front();
  text.push_back(fmt::format("Cheapest for an error of {}: {} with {} ({}; error {:.2g}).", accuracy_text(accuracy),
                             first.scheme->label, spoken(*first.point), cost(*first.point),
                             relative_error(comparison, *first.point)));
  // Where impacts are located the cheapest is rarely a time-stepping scheme: name the best of those too.
  const auto other = std::find_if(found.begin(), found.end(), [&](const Candidate& candidate) {
    return candidate.scheme->locates != first.scheme->locates;
  });
  if (other != found.end())
    text.push_back(fmt::format("Cheapest {}: {} with {} ({}; error {:.2g}).",
                               other->scheme->locates ? "of those that locate impacts" : "time-stepping scheme",
                               other->scheme->label, spoken(*other->point), cost(*other->point),
                               relative_error(comparison, *other->point)));
  std::vector<std::string> missing;
  for (const SchemeComparison& scheme : comparison.schemes) {
    if (!scheme.refused.empty()) continue;
    if (std::none_of(found.begin(), found.end(), [&](const Candidate& c) { return c.scheme == &scheme; }))
      missing.push_back(scheme.label);
  }
  if (!missing.empty()) text.push_back(fmt::format("Not reached in this range by: {}.", fmt::join(missing, ", ")));
}

void add_energy(std::vector<std::string>& text, const Comparison& comparison) {
  const Candidate located = best_energy(comparison, true), stepping = best_energy(comparison, false);
  const auto sentence = [&](const char* what, const Candidate& best) {
    text.push_back(fmt::format("{}: {} with {} (mean error {:.2g}, of {:.3g} at most).", what, best.scheme->label,
                               spoken(*best.point), best.point->errors[Norm::energy], comparison.size[Norm::energy]));
  };
  if (stepping.point != nullptr) sentence("Best energy of the time-stepping schemes", stepping);
  if (located.point != nullptr) sentence("Best energy of those that locate impacts", located);
}

// Where trajectories part: what means and distributions say.
std::vector<std::string> statistics_text(const CompareOutcome& result) {
  const StatisticsComparison& statistics = *result.statistics;
  std::vector<std::string> text;
  text.push_back(fmt::format(
      "Trajectories computed with two tolerances part at t = {:.4g}, long before the end at {:.6g}: the motion is "
      "chaotic, or does not depend continuously on the data. So means and distributions are compared.",
      result.reference.agreed_until, result.window.until));
  text.push_back(
      fmt::format("The reference at another tolerance differs by {:.2g} in the impact rate, {:.2g} in the "
                  "RMS and {:.2g} in the distribution of impacts: smaller differences mean nothing.",
                  statistics.noise.rate_error, statistics.noise.rms_error,
                  std::max(statistics.noise.phase_distance, statistics.noise.speed_distance)));
  // The cheapest point that is as near as twice the noise.
  const SchemeStatistics* best = nullptr;
  const StatisticsPoint* point = nullptr;
  const double noise = std::max({statistics.noise.phase_distance, statistics.noise.speed_distance, 0.02});
  for (const SchemeStatistics& scheme : statistics.schemes)
    for (const StatisticsPoint& one : scheme.points) {
      if (!one.failure.empty() || std::max(one.phase_distance, one.speed_distance) > 2.0 * noise) continue;
      if (point == nullptr || one.seconds < point->seconds) best = &scheme, point = &one;
    }
  if (point != nullptr)
    text.push_back(fmt::format("Cheapest with the same distribution of impacts: {} with {}{} ({:.2g} s).", best->label,
                               point->tolerance ? "" : "a step of ", setting(point->h, point->tolerance),
                               point->seconds));
  for (const SchemeStatistics& scheme : statistics.schemes) {
    add_refusal(text, scheme);
    add_failure(text, scheme, [](const StatisticsPoint& one) { return setting(one.h, one.tolerance); });
  }
  return text;
}

}  // namespace

std::vector<std::string> recommendation(const Comparison& comparison, double accuracy) {
  std::vector<std::string> text;
  add_cheapest(text, comparison, accuracy);
  add_energy(text, comparison);
  for (const SchemeComparison& scheme : comparison.schemes) add_failure(text, scheme, spoken);
  for (const SchemeComparison& scheme : comparison.schemes) add_refusal(text, scheme);
  return text;
}

std::vector<std::string> recommendation(const CompareOutcome& outcome) {
  return outcome.statistics ? statistics_text(outcome) : recommendation(outcome.study, outcome.accuracy);
}

}  // namespace ricochet
