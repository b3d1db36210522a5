// Which motion a study compares with, over which window.
#include <algorithm>
#include <array>
#include <cmath>

#include "ricochet/core/quantity.hpp"
#include "ricochet/scenario/known.hpp"
#include "scenario/build/outputs.hpp"
#include "task/study_case.hpp"

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

std::unique_ptr<KnownMotion> formulas_of(const Problem& problem, const Scenario* scenario) {
  if (scenario == nullptr || !scenario->known) return nullptr;
  auto known = std::make_unique<KnownMotion>(*scenario, problem);
  return known->has_q() ? std::move(known) : nullptr;
}

bool is_file(const std::string& name) { return std::filesystem::exists(name) || name.find('.') != std::string::npos; }

// Finds the reference and what there is to say about it.
class ReferenceSearch {
 public:
  ReferenceSearch(const Problem& problem, const StudyRequest& request, const Scenario* scenario, StudyCase& study)
      : problem_(problem), request_(request), scenario_(scenario), study_(study), about_(study.outcome.reference) {}

  void find() {
    choose();
    about_.description = study_.reference.motion->description();
    about_.has_velocity = study_.reference.motion->has_velocity();
    about_.agreed = study_.reference.agreed;
    about_.agreed_until = study_.reference.agreed_until.value_or(window().until);
  }

 private:
  TimeSpan window() const { return study_.outcome.window; }

  void choose() {
    const std::string& kind = request_.reference;
    if (request_.solution != nullptr) return record("the solution", *request_.solution);
    if ((kind.empty() || kind == "exact") && exact()) return;
    if (kind.empty()) return compute_best();
    if (kind == "event-driven" || kind == "mannshardt") return compute(kind);
    if (is_file(kind) && request_.read_result) return record(kind, request_.read_result(kind));
    throw InputError("reference", "\"" + kind + "\" is neither exact, event-driven, mannshardt nor a result file");
  }

  // The formulas, if they are asked for or hold over the window.
  bool exact() {
    const bool wanted = request_.reference == "exact";
    auto known = formulas_of(problem_, scenario_);
    if (wanted && !known)
      throw InputError(
          "reference",
          scenario_ != nullptr
              ? "the scenario has no formulas for its motion (known.q): use event-driven, mannshardt or a result file"
              : "a model has no known answer: use event-driven, mannshardt, a solution or its file");
    if (!known || (!wanted && !lies_in(window(), known->window()))) return false;
    if (!lies_in(window(), known->window()))
      throw InputError("window", "the known answer holds from " + to_text(known->window().from) + " to " +
                                     to_text(known->window().until) + " only; use --reference event-driven beyond");
    about_.kind = "exact";
    study_.reference.motion = std::make_shared<const KnownReference>(std::move(*known));
    return true;
  }

  void compute(const std::string& kind) {
    about_.kind = kind;
    study_.reference = checked_reference(study_.problem, kind, window());
  }

  void compute_best() {
    try {
      compute("event-driven");
    } catch (const InputError& error) {
      if (error.field() != "reference") throw;
      compute("mannshardt");
      about_.instead = error.message();
    }
  }

  // A result of the same system. Its own accuracy is not known.
  void record(const std::string& name, const StoredResult& result) {
    if (result.coordinates != problem_.model->layout().coordinates)
      throw InputError("reference",
                       name + " has other coordinates than the " + (scenario_ != nullptr ? "scenario" : "model"));
    if (result.q.size() != result.coordinates.size()) throw InputError("reference", name + " has no positions");
    const auto rows = [&](const StoredResult::Columns& columns) {
      std::vector<double> values;
      for (std::size_t i = 0; i < result.rows(); ++i)
        for (const std::vector<double>& column : columns) values.push_back(column.at(i));
      return values;
    };
    std::vector<double> impacts;
    for (const Impact& impact : result.impacts) impacts.push_back(impact.t);
    about_.kind = name;
    about_.recorded = true;
    study_.reference.motion = std::make_shared<const RecordedMotion>(
        MotionSamples{result.t, rows(result.q), rows(result.v), {}}, std::move(impacts), name);
    const TimeSpan has = study_.reference.motion->window();
    if (!lies_in(window(), has))
      throw InputError("window", name + " goes from " + to_text(has.from) + " to " + to_text(has.until) + " only");
  }

  const Problem& problem_;
  const StudyRequest& request_;
  const Scenario* scenario_;
  StudyCase& study_;
  ReferenceOutcome& about_;
};

// Where the known answer holds, if it is what the study compares with; otherwise the whole run.
TimeSpan default_window(const Problem& problem, const StudyRequest& request, const Scenario* scenario) {
  const bool maybe_exact = request.reference.empty() || request.reference == "exact";
  const auto known = maybe_exact && request.solution == nullptr ? formulas_of(problem, scenario) : nullptr;
  if (!known) return problem.span;
  return {std::max(known->window().from, problem.span.from), std::min(known->window().until, problem.span.until)};
}

// Five steps down to the one given, as far as they fit into the window.
std::vector<double> default_steps(double h, double longest) {
  constexpr int levels = 5;
  std::vector<double> steps;
  for (int i = levels - 1; i >= 0; --i)
    if (const double step = std::ldexp(h, i); 4.0 * step <= longest || i == 0) steps.push_back(step);
  return steps;
}

TimeSpan study_window(const Problem& problem, const StudyRequest& request, const Scenario* scenario) {
  const TimeSpan span = problem.span;
  const TimeSpan window = request.window ? *request.window : default_window(problem, request, scenario);
  if (!(window.until > window.from) || !lies_in(window, span))
    throw InputError("window", "must lie in the run, from " + to_text(span.from) + " to " + to_text(span.until) +
                                   ", got " + to_text(window.from) + ":" + to_text(window.until));
  return window;
}

}  // namespace

StudyCase study_case(const Problem& problem, const StudyRequest& request, const Scenario* scenario) {
  StudyCase study;
  study.problem = {problem.model.get(), problem.start,           problem.span,
                   problem.settings.h,  problem.settings.solver, request.work.note};
  if (scenario != nullptr) {
    study.outcome.title = scenario->title;
    study.outcome.display = display_of(*scenario);
  }
  study.outcome.window = study_window(problem, request, scenario);
  study.steps = request.steps;
  if (study.steps.empty())
    study.steps = default_steps(problem.settings.h, study.outcome.window.until - problem.span.from);
  ReferenceSearch(problem, request, scenario, study).find();
  return study;
}

bool is_of_request(const InputError& error) {
  constexpr std::array names = {"steps", "tolerances", "window", "phases", "reference", "accuracy", "period"};
  return std::find(names.begin(), names.end(), error.field()) != names.end();
}

}  // namespace ricochet
