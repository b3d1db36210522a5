// Which motion a study compares with.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/study_options.hpp"
#include "ricochet/scenario/known.hpp"

namespace ricochet {
namespace {

// Vertices every `spacing`, and more where the middle of an interval is off the chord: down to an instant where the
// function jumps.
Graph refined_graph(const std::function<double(double)>& x, TimeSpan window, double spacing) {
  const double width = window.until - window.from;
  const auto intervals = static_cast<std::size_t>(std::clamp(std::ceil(width / spacing), 1.0, 1e6));
  const double instant = 1e-12 * std::max({std::abs(window.from), std::abs(window.until), width});
  std::vector<double> t, values;
  double size = 0.0;
  for (std::size_t i = 0; i <= intervals; ++i) {
    t.push_back(i == intervals ? window.until
                               : window.from + width * static_cast<double>(i) / static_cast<double>(intervals));
    values.push_back(x(t.back()));
    size = std::max(size, std::abs(values.back()));
  }
  const double tolerance = 1e-7 * size;

  Graph graph{{t[0]}, {values[0]}};
  const std::function<void(double, double, double, double)> refine = [&](double t0, double x0, double t1, double x1) {
    const double middle = 0.5 * (t0 + t1), x_middle = x(middle);
    if (t1 - t0 > instant && std::abs(x_middle - 0.5 * (x0 + x1)) > tolerance) {
      refine(t0, x0, middle, x_middle);
      refine(middle, x_middle, t1, x1);
      return;
    }
    graph.t.push_back(t1);
    graph.x.push_back(x1);
  };
  for (std::size_t i = 0; i < intervals; ++i) refine(t[i], values[i], t[i + 1], values[i + 1]);
  return graph;
}

// The formulas of the scenario's known answer.
class KnownReference final : public ReferenceMotion {
 public:
  explicit KnownReference(KnownMotion known) : known_(std::move(known)) {
    for (const KnownMotion::Hit& hit : known_.impacts()) impacts_.push_back(hit.t);
    std::sort(impacts_.begin(), impacts_.end());
    impacts_.erase(std::unique(impacts_.begin(), impacts_.end()), impacts_.end());
  }

  TimeSpan window() const override { return known_.window(); }
  bool has_velocity() const override { return known_.has_v(); }
  const std::vector<double>& impacts() const override { return impacts_; }
  std::string description() const override { return "the formulas of the known answer"; }

  MotionSamples sample(const std::vector<double>& t) const override {
    MotionSamples samples;
    samples.t = t;
    const auto add = [](std::vector<double>& rows, const std::vector<double>& row) {
      rows.insert(rows.end(), row.begin(), row.end());
    };
    for (const double time : t) {
      add(samples.q, known_.q(time));
      if (has_velocity()) add(samples.v, known_.v(time));
    }
    return samples;
  }

  std::vector<Graph> velocity_graphs(TimeSpan window, double spacing) const override {
    std::vector<Graph> graphs;
    const std::size_t nq = known_.v(window.from).size();
    for (std::size_t j = 0; j < nq; ++j)
      graphs.push_back(refined_graph([&](double t) { return known_.v(t)[j]; }, window, spacing));
    return graphs;
  }

 private:
  KnownMotion known_;
  std::vector<double> impacts_;
};

std::unique_ptr<KnownMotion> formulas_of(const ScenarioFile& file, const Problem& problem) {
  if (!file.scenario().known) return nullptr;
  auto known = std::make_unique<KnownMotion>(file.scenario(), problem);
  return known->has_q() ? std::move(known) : nullptr;
}

bool holds(TimeSpan outer, TimeSpan inner) {
  const double slack = 1e-12 * std::max(std::abs(outer.from), std::abs(outer.until));
  return inner.from >= outer.from - slack && inner.until <= outer.until + slack;
}

StudyReference exact_reference(std::unique_ptr<KnownMotion> known, TimeSpan window) {
  if (!holds(known->window(), window))
    throw InputError("--window", "the known answer holds from " + to_text(known->window().from) + " to " +
                                     to_text(known->window().until) + " only; use --reference event-driven beyond");
  StudyReference reference{"exact", {}};
  if (!known->has_v())
    reference.notes.push_back(
        "the known answer has no formulas for the velocities (known.v): errors of v and of the energy are not "
        "measured");
  reference.checked.motion = std::make_shared<const KnownReference>(std::move(*known));
  reference.checked.agreed_until = window.until;
  return reference;
}

// A result file of the same system. Its own accuracy is not known.
StudyReference recorded_reference(const std::string& path, const Problem& problem, TimeSpan window) {
  const StoredResult stored = read_result(path);
  if (stored.coordinates != problem.model->layout().coordinates)
    throw InputError("--reference", path + " has other coordinates than the scenario");
  if (stored.q.size() != stored.coordinates.size()) throw InputError("--reference", path + " has no positions");
  const auto rows = [&](const StoredResult::Columns& columns) {
    std::vector<double> values;
    for (std::size_t i = 0; i < stored.rows(); ++i)
      for (const std::vector<double>& column : columns) values.push_back(column.at(i));
    return values;
  };
  std::vector<double> impacts;
  for (const Impact& impact : stored.impacts) impacts.push_back(impact.t);
  StudyReference reference{path, {}};
  reference.checked.motion = std::make_shared<const RecordedMotion>(
      MotionSamples{stored.t, rows(stored.q), rows(stored.v), {}}, std::move(impacts), path);
  if (!holds(reference.checked.motion->window(), window))
    throw InputError("--window", path + " goes from " + to_text(reference.checked.motion->window().from) + " to " +
                                     to_text(reference.checked.motion->window().until) + " only");
  reference.checked.agreed_until = window.until;
  reference.notes.push_back("how accurate " + path +
                            " is cannot be told from it: orders are those of the differences to it");
  return reference;
}

bool is_file(const std::string& name) { return std::filesystem::exists(name) || name.find('.') != std::string::npos; }

TimeSpan default_window(const ScenarioFile& file, const Problem& problem, const std::string& kind) {
  if (!kind.empty() && kind != "exact") return problem.span;
  const auto known = formulas_of(file, problem);
  if (!known) return problem.span;
  return {std::max(known->window().from, problem.span.from), std::min(known->window().until, problem.span.until)};
}

}  // namespace

TimeSpan study_window(const std::optional<TimeSpan>& asked, const ScenarioFile& file, const Problem& problem,
                      const std::string& kind) {
  const TimeSpan window = asked ? *asked : default_window(file, problem, kind), span = problem.span;
  if (window.from < span.from || window.until > span.until * (1.0 + 1e-12))
    throw InputError("--window", "must lie in the run, from " + to_text(span.from) + " to " + to_text(span.until) +
                                     ", got " + to_text(window.from) + ":" + to_text(window.until));
  return window;
}

StudyReference computed_reference(const StudyProblem& problem, const std::string& kind, TimeSpan window) {
  if (!kind.empty()) return {kind, checked_reference(problem, kind, window)};
  try {
    return {"event-driven", checked_reference(problem, "event-driven", window)};
  } catch (const InputError& error) {
    if (error.field() != "reference") throw;
    StudyReference reference{"mannshardt", checked_reference(problem, "mannshardt", window)};
    reference.notes.push_back("the reference is mannshardt: " + error.message());
    return reference;
  }
}

Errors StudyReference::floor(const Model& model, TimeSpan window) const {
  constexpr double round_off = 1e-13, caution = 3.0;
  Errors floor = size_of(model, *checked.motion, window);
  for (std::size_t n = 0; n < norm_count; ++n) {
    const double agreed = checked.agreed.at(n);
    floor.at(n) = std::max(round_off * floor.at(n), std::isnan(agreed) ? 0.0 : caution * agreed);
  }
  return floor;
}

StudyReference study_reference(const ScenarioFile& file, const Problem& problem, const std::string& kind,
                               TimeSpan window) {
  if (kind.empty() || kind == "exact") {
    auto known = formulas_of(file, problem);
    if (known && (kind == "exact" || holds(known->window(), window))) return exact_reference(std::move(known), window);
    if (kind == "exact")
      throw InputError(
          "--reference",
          "the scenario has no formulas for its motion (known.q): use event-driven, mannshardt or a result "
          "file");
  }
  if (kind.empty() || kind == "event-driven" || kind == "mannshardt") {
    StudyReference reference = computed_reference(study_problem(problem), kind, window);
    if (reference.checked.agreed_until < window.until)
      reference.notes.push_back(
          "two settings of the reference agree until t = " + to_text(reference.checked.agreed_until) +
          " only: beyond, errors against it mean nothing (--window " + to_text(window.from) + ":" +
          to_text(reference.checked.agreed_until) + ")");
    return reference;
  }
  if (is_file(kind)) return recorded_reference(kind, problem, window);
  throw InputError("--reference", "\"" + kind + "\" is neither exact, event-driven, mannshardt nor a result file");
}

}  // namespace ricochet
