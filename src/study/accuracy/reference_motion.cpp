#include "ricochet/study/reference_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/interrupt.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/run/simulate.hpp"

namespace ricochet {
namespace {

constexpr std::size_t most_vertices = 1'000'000;
constexpr std::size_t most_kept = 1'000'000, answers_kept = 64;  // numbers in an answer, answers
constexpr int most_attempts = 50;

// Times of a window, even, the ends among them.
std::vector<double> even_times(TimeSpan window, std::size_t intervals) {
  std::vector<double> times;
  const double width = window.until - window.from;
  for (std::size_t i = 0; i < intervals; ++i)
    times.push_back(window.from + width * static_cast<double>(i) / static_cast<double>(intervals));
  times.push_back(window.until);
  return times;
}

void append(std::vector<double>& to, const std::vector<double>& from) { to.insert(to.end(), from.begin(), from.end()); }

// What cannot wait until the run has ended.
struct NoteForwarder final : Observer {
  explicit NoteForwarder(const StudyProblem& problem) : to(problem.note) {}
  void note(const std::string& text) override {
    if (to) to("the reference: " + text);
  }
  const std::function<void(const std::string&)>& to;
};

}  // namespace

bool lies_in(TimeSpan part, TimeSpan whole) {
  const double slack = 1e-12 * std::max(std::abs(whole.from), std::abs(whole.until));
  return part.from >= whole.from - slack && part.until <= whole.until + slack;
}

// Between impacts even; at an impact the last instant before it and the first one after it.
std::vector<Graph> ReferenceMotion::velocity_graphs(TimeSpan window, double spacing) const {
  const double width = window.until - window.from;
  const auto intervals = static_cast<std::size_t>(std::clamp(std::ceil(width / spacing), 1.0, double{most_vertices}));
  std::vector<double> times = even_times(window, intervals);
  const double instant = 1e-10 * std::max({std::abs(window.from), std::abs(window.until), width});
  // Where impacts accumulate, the last ones are too close to be told apart.
  const double apart = 1e4 * instant;
  double last = -std::numeric_limits<double>::infinity();
  for (const double t : impacts()) {
    if (t - last > apart)
      for (const double side : {t - instant, t + instant})
        if (side > window.from && side < window.until) times.push_back(side);
    last = t;
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());

  const MotionSamples samples = sample(times);
  const std::size_t nq = samples.v.size() / times.size();
  std::vector<Graph> graphs(nq);
  for (std::size_t j = 0; j < nq; ++j) {
    graphs[j].t = times;
    for (std::size_t i = 0; i < times.size(); ++i) graphs[j].x.push_back(samples.v[i * nq + j]);
  }
  return graphs;
}

ComputedMotion::ComputedMotion(StudyProblem problem, Scheme scheme, double h, std::string description)
    : problem_(std::move(problem)), scheme_(std::move(scheme)), h_(h), description_(std::move(description)) {
  const RunSettings settings{.h = h_, .record_impacts = true, .solver = problem_.solver};
  NoteForwarder observer(problem_);
  solution_ = simulate(*problem_.model, problem_.start, problem_.span, scheme_, settings, &observer);
  if (solution_.status == Status::interrupted) throw InterruptedError("interrupted: the reference was not finished");
  if (solution_.status != Status::completed)
    throw InputError("reference", description_ + " does not reach the end: " + solution_.failure.message);
  for (const Impact& impact : solution_.impacts) impact_times_.push_back(impact.t);
  std::sort(impact_times_.begin(), impact_times_.end());
}

std::vector<Graph> ComputedMotion::velocity_graphs(TimeSpan window, double spacing) const {
  const double width = window.until - window.from;
  const RunSettings settings{.h = std::min(h_, std::max(spacing, width / double{most_vertices})),
                             .record_impacts = true,
                             .solver = problem_.solver};
  const Solution solution =
      simulate(*problem_.model, problem_.start, {problem_.span.from, window.until}, scheme_, settings);
  if (solution.status == Status::interrupted) throw InterruptedError("interrupted: the reference was not finished");
  if (!traits(scheme_).locates_impacts || solution.status != Status::completed)
    return ReferenceMotion::velocity_graphs(window, spacing);
  const Trajectory& path = solution.trajectory;
  const auto nq = static_cast<std::size_t>(problem_.model->nq());
  const auto first =
      static_cast<std::size_t>(std::lower_bound(path.t.begin(), path.t.end(), window.from) - path.t.begin());
  std::vector<Graph> graphs(nq);
  for (std::size_t j = 0; j < nq; ++j) {
    Graph& graph = graphs[j];
    if (first > 0 && path.t[first] > window.from) {
      const double s = (window.from - path.t[first - 1]) / (path.t[first] - path.t[first - 1]);
      const double x0 = path.v[(first - 1) * nq + j], x1 = path.v[first * nq + j];
      graph.t.push_back(window.from);
      graph.x.push_back(x0 + s * (x1 - x0));
    }
    for (std::size_t i = first; i < path.t.size(); ++i) {
      graph.t.push_back(path.t[i]);
      graph.x.push_back(path.v[i * nq + j]);
    }
  }
  return graphs;
}

MotionSamples ComputedMotion::sample(const std::vector<double>& t) const {
  const auto find = [&]() -> std::shared_ptr<const MotionSamples> {
    const std::lock_guard lock(mutex_);
    for (const auto& samples : kept_)
      if (samples->t == t) return samples;
    return nullptr;
  };
  if (const auto known = find()) return *known;
  const auto samples = std::make_shared<const MotionSamples>(computed_at(t));
  const std::lock_guard lock(mutex_);
  if (samples->q.size() <= most_kept) {
    if (kept_.size() >= answers_kept) kept_.erase(kept_.begin());
    kept_.push_back(samples);
  }
  return *samples;
}

// A time inside the last instants of an accumulation may be out of reach: then the state a little later, followed back
// at its velocity, takes its place.
MotionSamples ComputedMotion::computed_at(const std::vector<double>& t) const {
  std::vector<double> delay(t.size(), 0.0);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    MotionSamples samples;
    const std::size_t reached = go_through(t, delay, samples);
    if (reached == t.size()) return samples;
    delay[reached] = delay[reached] > 0.0 ? 4.0 * delay[reached] : 1e-4 * h_;
  }
  throw InputError("reference", description_ + " cannot be stopped at the times that are asked for");
}

// Returns how many of the times were reached.
std::size_t ComputedMotion::go_through(const std::vector<double>& t, const std::vector<double>& delay,
                                       MotionSamples& samples) const {
  // The first record is the start after an impact that may happen there.
  const Trajectory& path = solution_.trajectory;
  const auto first = [](const std::vector<double>& rows, int n) {
    return std::vector<double>(rows.begin(), rows.begin() + n);
  };
  const Model& model = *problem_.model;
  State state{path.t.front(), first(path.q, model.nq()), first(path.v, model.nq()), first(path.z, model.nz())};
  const auto stepper = make_stepper(model, scheme_, problem_.solver);
  stepper->begin(state);
  StepReport report;
  report.interrupt = InterruptScope::flag();
  for (std::size_t i = 0; i < t.size(); ++i) {
    // Steps no longer than those of the run.
    while (t[i] + delay[i] > state.t) {
      const double left = t[i] + delay[i] - state.t;
      const double target = left <= h_ * (1.0 + 1e-9) ? t[i] + delay[i] : state.t + h_;
      const FailureKind failure = stepper->advance(state, target - state.t, target, report);
      if (is_interrupted()) throw InterruptedError("interrupted: the reference was not finished");
      if (failure != FailureKind::none) return i;
      report.contacts.clear();
      state.t = target;
    }
    samples.t.push_back(t[i]);
    // Not 0 only after a delay, perhaps one of a time before.
    const double late = state.t - t[i];
    for (std::size_t j = 0; j < state.q.size(); ++j) samples.q.push_back(state.q[j] - std::max(late, 0.0) * state.v[j]);
    append(samples.v, state.v);
    append(samples.z, state.z);
  }
  return t.size();
}

RecordedMotion::RecordedMotion(MotionSamples nodes, std::vector<double> impacts, std::string description)
    : nodes_(std::move(nodes)), impacts_(std::move(impacts)), description_(std::move(description)) {
  const std::size_t n = nodes_.t.size();
  if (n < 2) throw InputError("reference", description_ + " has fewer than two recorded instants");
  nq_ = nodes_.q.size() / n;
  if (nodes_.q.size() != nq_ * n || (!nodes_.v.empty() && nodes_.v.size() != nodes_.q.size()))
    throw InputError("reference", description_ + " has rows of different lengths");
  for (std::size_t i = 1; i < n; ++i)
    if (!(nodes_.t[i] >= nodes_.t[i - 1])) throw InputError("reference", description_ + " has times that do not rise");
  if (!(nodes_.t.back() > nodes_.t.front()))
    throw InputError("reference", description_ + " has times that do not rise");
  has_jumps_ = std::adjacent_find(nodes_.t.begin(), nodes_.t.end()) != nodes_.t.end();
  for (const std::vector<double>* values : {&nodes_.q, &nodes_.v})
    for (const double x : *values)
      if (!std::isfinite(x)) throw InputError("reference", description_ + " has values that are not finite");
  std::sort(impacts_.begin(), impacts_.end());
}

// In the interval that begins at node i.
void RecordedMotion::at(double t, std::size_t i, double* q, double* v) const {
  const double t0 = nodes_.t[i], h = nodes_.t[i + 1] - t0, s = h > 0.0 ? (t - t0) / h : 1.0;
  const double *q0 = &nodes_.q[i * nq_], *q1 = q0 + nq_;
  if (nodes_.v.empty()) {
    for (std::size_t j = 0; j < nq_; ++j) q[j] = q0[j] + s * (q1[j] - q0[j]);
    return;
  }
  const double *v0 = &nodes_.v[i * nq_], *v1 = v0 + nq_;
  // The first impact in (t0, t1], if any; at its time the right side holds.
  const auto hit = std::upper_bound(impacts_.begin(), impacts_.end(), t0);
  const bool split = !has_jumps_ && hit != impacts_.end() && *hit <= nodes_.t[i + 1];
  const auto change = [&](std::size_t k, std::size_t j) {
    return (nodes_.v[(k + 1) * nq_ + j] - nodes_.v[k * nq_ + j]) / (nodes_.t[k + 1] - nodes_.t[k]);
  };
  for (std::size_t j = 0; j < nq_; ++j) {
    if (!split) {
      // q = h00 q0 + h10 h v0 + h01 q1 + h11 h v1 and its derivative.
      const double s2 = s * s, s3 = s2 * s;
      q[j] = (2 * s3 - 3 * s2 + 1) * q0[j] + (s3 - 2 * s2 + s) * h * v0[j] + (3 * s2 - 2 * s3) * q1[j] +
             (s3 - s2) * h * v1[j];
      v[j] = 6 * (s2 - s) / h * (q0[j] - q1[j]) + (3 * s2 - 4 * s + 1) * v0[j] + (3 * s2 - 2 * s) * v1[j];
    } else if (t < *hit) {
      const double a = i > 0 ? change(i - 1, j) : 0.0, d = t - t0;
      q[j] = q0[j] + d * (v0[j] + 0.5 * d * a);
      v[j] = v0[j] + d * a;
    } else {
      const double a = i + 2 < nodes_.t.size() ? change(i + 1, j) : 0.0, d = t - nodes_.t[i + 1];
      q[j] = q1[j] + d * (v1[j] + 0.5 * d * a);
      v[j] = v1[j] + d * a;
    }
  }
}

MotionSamples RecordedMotion::sample(const std::vector<double>& t) const {
  MotionSamples samples;
  samples.t = t;
  samples.q.resize(t.size() * nq_);
  samples.v.resize(nodes_.v.empty() ? 0 : t.size() * nq_);
  for (std::size_t k = 0; k < t.size(); ++k) {
    auto i = static_cast<std::size_t>(std::upper_bound(nodes_.t.begin(), nodes_.t.end(), t[k]) - nodes_.t.begin());
    i = std::clamp<std::size_t>(i, 1, nodes_.t.size() - 1) - 1;
    at(t[k], i, &samples.q[k * nq_], samples.v.empty() ? nullptr : &samples.v[k * nq_]);
  }
  return samples;
}

double agreement(const ReferenceMotion& a, const ReferenceMotion& b, TimeSpan window, double distance,
                 std::size_t nodes) {
  const std::vector<double> times = even_times(window, nodes);
  const MotionSamples x = a.sample(times), y = b.sample(times);
  const std::size_t nq = x.q.size() / times.size();
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = 0; j < nq; ++j)
      if (!(std::abs(x.q[i * nq + j] - y.q[i * nq + j]) <= distance)) return times[i];
  return window.until;
}

}  // namespace ricochet
