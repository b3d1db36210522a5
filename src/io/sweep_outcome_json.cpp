#include "io/study_json.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/sweep_scenario.hpp"

namespace ricochet {

std::string to_json(const SweepOutcome& outcome, std::string_view scenario) {
  using io::Json;
  Json failures = Json::array();
  for (const SweepFailure& failure : outcome.failures)
    failures.push_back(
        {{"trajectory", failure.trajectory}, {"values", io::numbers(failure.values)}, {"message", failure.message}});

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
  return io::dump(json);
}

}  // namespace ricochet
