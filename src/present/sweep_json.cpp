#include "ricochet/present/sweep_json.hpp"

#include "io/format/json.hpp"
#include "ricochet/core/version.hpp"

namespace ricochet {

std::string to_json(const SweepOutcome& outcome, std::string_view scenario) {
  Json failures = Json::array();
  for (const SweepFailure& failure : outcome.failures)
    failures.push_back({{"trajectory", failure.trajectory}, {"values", failure.values}, {"message", failure.message}});

  Json json = {{"scenario", scenario},       {"title", outcome.title},
               {"version", version},         {"scheme", outcome.scheme},
               {"record", outcome.record},   {"status", name(outcome.status)},
               {"axes", outcome.axes},       {"trajectories", outcome.trajectories},
               {"done", outcome.done},       {"failed", outcome.failed},
               {"resumed", outcome.resumed}, {"points", outcome.points},
               {"steps", outcome.steps},     {"seconds", outcome.seconds},
               {"threads", outcome.threads}, {"ranks", outcome.ranks},
               {"lanes", outcome.lanes}};
  if (outcome.attractors) json["attractors"] = *outcome.attractors;
  json["output"] = outcome.output.empty() ? Json(nullptr) : Json(outcome.output.string());
  if (!outcome.csv.empty()) json["csv"] = outcome.csv.string();
  if (!outcome.journal.empty()) json["journal"] = outcome.journal.string();
  if (!failures.empty()) json["failures"] = failures;
  return json.dump(2);
}

}  // namespace ricochet
