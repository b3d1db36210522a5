// What can be said of a [sweep] table without reading a formula.
#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "scenario/checks.hpp"
#include "scenario/sweep/sweep_parts.hpp"

namespace ricochet {

namespace {

constexpr const char* axis_example = "{ parameter = \"model.parameters.w\", range = [2.0, 4.0], count = 100 }";

void check_word(const std::string& word, const char* kind, const std::vector<std::string>& known,
                const std::string& field) {
  if (std::find(known.begin(), known.end(), word) == known.end()) throw InputError(field, no_such(kind, word, known));
}

void check_grid_axis(const SweepAxisDescription& axis, const std::string& field) {
  if (!axis.values.empty() && (!axis.range.empty() || axis.count > 0))
    throw InputError(field + ".values", "give values, or range and count, not both");
  if (!axis.values.empty()) return;
  if (axis.range.empty())
    throw InputError(field, "has no values: give range = [2.0, 4.0] and count = 100, or values = [0.5, 0.8]");
  if (axis.count == 0)
    throw InputError(field, "needs count, the number of values from the first to the last, 1 or more");
}

void check_sampled_axis(const SweepAxisDescription& axis, const std::string& sampling, const std::string& field) {
  if (!axis.values.empty())
    throw InputError(field + ".values",
                     fmt::format("cannot be sampled: give range = [2.0, 4.0] for sampling = \"{}\"", sampling));
  if (axis.range.empty())
    throw InputError(field, fmt::format("needs range = [2.0, 4.0] for sampling = \"{}\"", sampling));
  if (axis.count > 0)
    throw InputError(field + ".count",
                     fmt::format("is for a grid: with sampling = \"{}\" sweep.samples says how many", sampling));
  if (axis.continuation != "none")
    throw InputError(field + ".continuation",
                     fmt::format("needs neighbours, which only a grid has, got sampling = \"{}\"", sampling));
}

void check_pieces(const SweepAxisDescription& axis, const std::string& field) {
  const SweepAxisDescription plain;
  if (axis.pieces == 0) throw InputError(field + ".pieces", "must be 1 or more, got 0");
  if (axis.pieces > 1 && axis.continuation == "none")
    throw InputError(field + ".pieces", "are those of a continuation: give continuation = \"forward\" too");
  if (axis.pieces == 1 && axis.overlap != plain.overlap)
    throw InputError(field + ".overlap", "is that of pieces: give pieces = 16 too");
  const std::uint64_t values = axis.values.empty() ? axis.count : axis.values.size();
  if (axis.pieces > 1 && axis.pieces > values)
    throw InputError(field + ".pieces",
                     fmt::format("must be at most the number of values, {}, got {}", values, axis.pieces));
}

void check_axis(const SweepAxisDescription& axis, const std::string& sampling, const std::string& field) {
  if (axis.parameter.empty())
    throw InputError(field + ".parameter", "must be the path of a key, such as model.parameters.w or initial.q.x");
  check_word(axis.spacing, "spacing", {"linear", "logarithmic"}, field + ".spacing");
  check_word(axis.continuation, "continuation", {"none", "forward", "backward", "both"}, field + ".continuation");
  if (!axis.range.empty() && axis.range.size() != 2)
    throw InputError(field + ".range",
                     fmt::format("must have two entries, the first and the last value, got {}", axis.range.size()));
  if (sampling == "grid")
    check_grid_axis(axis, field);
  else
    check_sampled_axis(axis, sampling, field);
  check_pieces(axis, field);
}

void check_axes(const SweepDescription& sweep) {
  if (sweep.axes.empty())
    throw InputError("sweep.axis", fmt::format("must have at least one axis, such as {}", axis_example));
  std::optional<std::size_t> continued;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const SweepAxisDescription& axis = sweep.axes[i];
    const std::string field = fmt::format("sweep.axis[{}]", i);
    check_axis(axis, sweep.sampling, field);
    if (axis.continuation == "none") continue;
    if (continued)
      throw InputError(
          field + ".continuation",
          fmt::format("only one axis can be continued, and sweep.axis[{}] is: leave one of the two out", *continued));
    continued = i;
  }
}

// The product, or most + 1 if it is larger.
std::uint64_t trajectory_count(const SweepDescription& sweep) {
  if (sweep.sampling != "grid") return std::min(sweep.samples, trajectories_max + 1);
  std::uint64_t count = 1;
  for (const SweepAxisDescription& axis : sweep.axes) {
    const std::uint64_t values = axis.values.empty() ? axis.count : axis.values.size();
    if (axis.continuation == "both") count *= 2;
    if (values > trajectories_max / count) return trajectories_max + 1;
    count *= values;
  }
  return count;
}

void check_count(const SweepDescription& sweep) {
  if (sweep.sampling == "grid" && sweep.samples > 0)
    throw InputError("sweep.samples",
                     "is for sampling = \"latin-hypercube\" or \"random\": a grid has all combinations of its axes");
  if (sweep.sampling != "grid" && sweep.samples == 0)
    throw InputError("sweep.samples",
                     fmt::format("must be 1 or more for sampling = \"{}\": how many trajectories", sweep.sampling));
  if (trajectory_count(sweep) > trajectories_max)
    throw InputError(sweep.sampling == "grid" ? "sweep.axis" : "sweep.samples",
                     "a sweep has at most 1e9 trajectories, this one has more");
}

void check_record(const SweepDescription& sweep) {
  const std::string* word = std::get_if<std::string>(&sweep.record);
  if (word) check_word(*word, "record", {"stroboscopic", "impacts", "statistics"}, "sweep.record");
  if (const auto* section = std::get_if<SectionDescription>(&sweep.record)) {
    check_word(section->direction, "direction", {"rising", "falling", "both"}, "sweep.record.direction");
    if (section->section.empty())
      throw InputError("sweep.record.section", "must be a formula such as \"x_dot\", got an empty text");
  }
  if (word && *word == "stroboscopic" && !sweep.period)
    throw InputError("sweep", "the period is missing: record = \"stroboscopic\" needs period = \"2*pi/w\" or a number");

  // Statistics have no points, the others no histogram.
  const bool statistics = word && *word == "statistics";
  const auto points_only = [&](const char* key, bool given) {
    if (statistics && given)
      throw InputError(fmt::format("sweep.{}", key),
                       "is for points, and record = \"statistics\" keeps none: record stroboscopic, impacts or a "
                       "section, or leave it out");
  };
  points_only("skip", sweep.skip > 0);
  points_only("points", sweep.points > 0);
  if (!statistics && !sweep.impulse_bins.empty())
    throw InputError("sweep.impulse_bins", "is for record = \"statistics\": only these have a histogram");
  if (sweep.impulse_bins.size() == 1)
    throw InputError("sweep.impulse_bins", "must have at least two edges, of one bin, got 1");
}

void check_transient(const SweepDescription& sweep) {
  if (!ends_when_settled(sweep) && sweep.settle_within)
    throw InputError("sweep.settle_within", "is for transient = \"settled\"");
  if (ends_when_settled(sweep) && !sweep.period)
    throw InputError("sweep",
                     "the period is missing: transient = \"settled\" looks at the state after every period, and needs "
                     "period = \"2*pi/w\" or a number");
}

void check_measures(const SweepDescription& sweep) {
  const std::string* word = std::get_if<std::string>(&sweep.record);
  for (std::size_t i = 0; i < sweep.measure.size(); ++i) {
    const std::string field = fmt::format("sweep.measure[{}]", i);
    check_word(sweep.measure[i], "measure", {"lyapunov", "spectrum", "attractors"}, field);
    if (sweep.measure[i] == "attractors" && word && *word == "statistics")
      throw InputError(field,
                       "attractors are told apart by their points, and record = \"statistics\" keeps none: record "
                       "stroboscopic, impacts or a section");
  }
}

void check_refine(const SweepDescription& sweep) {
  if (!sweep.refine) return;
  if (sweep.refine->budget == 0)
    throw InputError("sweep.refine.budget", "must be 1 or more: how many trajectories may be added");
  if (sweep.refine->budget > trajectories_max)
    throw InputError("sweep.refine.budget", fmt::format("must be at most 1e9, got {}", sweep.refine->budget));
  if (sweep.sampling != "grid")
    throw InputError("sweep.refine",
                     fmt::format("needs neighbours, which only a grid has, got sampling = \"{}\"", sweep.sampling));
  if (sweep.axes.size() > 2)
    throw InputError("sweep.refine", fmt::format("takes one or two axes, got {}", sweep.axes.size()));
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const SweepAxisDescription& axis = sweep.axes[i];
    if ((axis.values.empty() ? axis.count : axis.values.size()) < 2)
      throw InputError(fmt::format("sweep.axis[{}]", i),
                       "needs two values or more for sweep.refine to put some between");
    if (sweep.axes.size() > 1 && axis.continuation != "none")
      throw InputError(fmt::format("sweep.axis[{}].continuation", i), "goes with sweep.refine on one axis only");
  }
}

}  // namespace

void check_sweep(const SweepDescription& sweep) {
  check_word(sweep.sampling, "sampling", {"grid", "latin-hypercube", "random"}, "sweep.sampling");
  check_axes(sweep);
  check_count(sweep);
  check_record(sweep);
  check_transient(sweep);
  check_measures(sweep);
  check_refine(sweep);
}

bool ends_when_settled(const SweepDescription& sweep) { return sweep.transient == Quantity("settled"); }

const SweepDescription& needed_sweep(const Scenario& scenario) {
  if (scenario.sweep) return *scenario.sweep;
  throw InputError("sweep", fmt::format("the scenario has no table [sweep]; the least is\n"
                                        "  [sweep]\n"
                                        "  axis = [{}]\n"
                                        "  transient = 100.0\n"
                                        "  duration = 50.0\n"
                                        "  record = \"impacts\"",
                                        axis_example));
}

}  // namespace ricochet
