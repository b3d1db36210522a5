#include "study/check/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "contact/impact_law.hpp"
#include "ricochet/contact/impact.hpp"
#include "ricochet/core/error.hpp"
#include "study/check/closable.hpp"
#include "study/spectrum.hpp"

namespace ricochet {
namespace {

constexpr int most_for_all_pairs = 200;          // constraints: beyond it only neighbours are paired
constexpr int most_for_search = 60;              // constraints: beyond it nonlinear gaps are only watched in the run
constexpr std::size_t most_pairs = 1'000'000;    // at all
constexpr std::size_t most_feasibility = 1'000;  // pairs that break nothing are asked about up to here
constexpr int sampled_times = 65;
constexpr int scattered = 24;
constexpr double most_work = 2e9;

double in_span(TimeSpan span, int i, int n) { return span.from + (span.until - span.from) * i / (n - 1); }

// Kinetic angles between the gradients of gaps at one point.
class Angles {
 public:
  explicit Angles(const Model& model)
      : law_(model),
        diagonal_(is_diagonal(model.layout().mass)),
        nc_(model.nc()),
        entries_(model.layout().rows.size()),
        column_(static_cast<std::size_t>(nc_), 0.0),
        length_(column_) {
    law_.clear();
    for (int j = 0; j < nc_; ++j) law_.include(j);
  }

  // False if the mass is not positive definite there, or something is not finite.
  bool place(double t, const double* q) {
    if (law_.place(t, q) != FailureKind::none) return false;
    const double* H = gradient();
    if (!std::all_of(H, H + entries_, [](double entry) { return std::isfinite(entry); })) return false;
    law_.respond();
    for (int j = 0; j < nc_; ++j) length_[j] = std::sqrt(law_.own_product(j));
    return true;
  }

  struct Angle {
    double product = 0.0, cosine = 0.0;  // cosine 0 where a gradient vanishes
    double e = 0.0;                      // the larger restitution of the two
  };
  // Of pairs sorted by their first member.
  std::vector<Angles::Angle> of(const std::vector<ConstraintPair>& pairs) {
    std::vector<Angle> result;
    result.reserve(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const int a = pairs[i].a;
      if (i == 0 || a != pairs[i - 1].a) {
        std::fill(column_.begin(), column_.end(), 0.0);
        law_.each_product(a, [&](int k, double W) { column_[k] = W; });
      }
      result.push_back(angle(a, pairs[i].b, column_[pairs[i].b]));
    }
    return result;
  }
  Angles::Angle of(int a, int b) { return of({ConstraintPair{.a = a, .b = b}}).front(); }

  bool has_diagonal_mass() const { return diagonal_; }
  const double* gradient() const { return law_.contacts().gradients(); }

 private:
  Angles::Angle angle(int a, int b, double product) const {
    Angle result{.product = product, .e = std::max(law_.contacts().restitution(a), law_.contacts().restitution(b))};
    const double lengths = length_[a] * length_[b];
    if (lengths > 0.0) result.cosine = std::clamp(product / lengths, -1.0, 1.0);
    return result;
  }

  ImpactLaw law_;
  const bool diagonal_;
  const int nc_, entries_;
  std::vector<double> column_, length_;  // of W, √W_jj; along what joints allow
};

class PairStudy : public PairFindings {
 public:
  PairStudy(const Model& model, const State& start, TimeSpan span, const Scheme& scheme, const RunSettings& settings)
      : model_(model),
        layout_(model.layout()),
        start_(start),
        span_(span),
        scheme_(scheme),
        settings_(settings),
        angles_(model),
        angles_fixed_(layout_.structure.constant_mass && layout_.linear_rows()),
        extent_(start.q.size(), 0.0) {}

  void go() {
    if (model_.nc() < 2) {
      continuous = true;
      return;
    }
    choose_pairs();
    if (!angles_.place(start_.t, start_.q.data())) return;
    limit_work();
    measured_.assign(pairs.size(), 0);
    // The angles at the start, for those that are never found closed.
    const std::vector<Angles::Angle> at_start = angles_.of(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) take(pairs[i], at_start[i], angles_fixed_);

    const bool is_known = layout_.linear_rows() && close_linear();
    if (!(is_known && angles_fixed_)) {
      follow_run();
      close_by_points();
    }
    decide();
  }

 private:
  struct Point {
    double t = 0.0;
    std::vector<double> q;
    std::string how;
  };

  // Pairs of gaps that come near zero together in the run.
  class Watch final : public Observer {
   public:
    Watch(PairStudy& study, double h) : study_(study), h_(h), begin_(study.start_.q) {}
    void record(const Sample& sample) override {
      const int nc = study_.model_.nc();
      for (std::size_t i = 0; i < begin_.size(); ++i)
        study_.extent_[i] = std::max(study_.extent_[i], std::abs(sample.q[i] - begin_[i]));
      near_.clear();
      for (int j = 0; j < nc; ++j)
        if (sample.gap[j] <= 3.0 * h_ * std::abs(sample.rate[j]) + 1e-9) near_.push_back(j);
      for (std::size_t i = 0; i < near_.size() && near_.size() < most_near; ++i)
        for (std::size_t k = i + 1; k < near_.size(); ++k) meet(sample, near_[i], near_[k]);
    }

   private:
    static constexpr std::size_t most_near = 200, most_kept = 10'000'000;

    // Keeps the place where both are closest to their obstacles.
    void meet(const Sample& sample, int a, int b) {
      const double size = std::max(std::abs(sample.gap[a]), std::abs(sample.gap[b]));
      const auto place = best_.find({a, b});
      if (place != best_.end() ? size >= place->second : best_.size() * begin_.size() > most_kept) return;
      best_[{a, b}] = size;
      study_.seen_in_run_[{a, b}] = {sample.t, std::vector<double>(sample.q, sample.q + begin_.size()),
                                     fmt::format("met in the run at t = {:.6g}", sample.t)};
    }

    PairStudy& study_;
    const double h_;
    const std::vector<double> begin_;
    std::vector<int> near_;
    std::map<std::pair<int, int>, double> best_;
  };

  // All pairs of a few constraints, of many only those that share a coordinate.
  void choose_pairs() {
    const int nc = model_.nc();
    if (nc > most_for_all_pairs) return choose_neighbours();
    for (int a = 0; a < nc; ++a)
      for (int b = a + 1; b < nc; ++b) pairs.push_back({.a = a, .b = b});
  }

  void choose_neighbours() {
    const Pattern& gradient = layout_.gradient;
    std::vector<std::vector<int>> at(gradient.rows);
    for (int j = 0; j < gradient.cols; ++j)
      for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) at[gradient.row[k]].push_back(j);
    std::set<int> partners;
    bool cut = false;
    for (int a = 0; a < gradient.cols && !cut; ++a) {
      partners.clear();
      for (int k = gradient.start[a]; k < gradient.start[a + 1]; ++k)
        for (const int b : at[gradient.row[k]])
          if (b > a) partners.insert(b);
      for (const int b : partners) pairs.push_back({.a = a, .b = b});
      cut = pairs.size() > most_pairs;
    }
    const auto nc = static_cast<std::uint64_t>(gradient.cols);
    skipped = nc * (nc - 1) / 2 - pairs.size();
    skipped_are_orthogonal = angles_.has_diagonal_mass() && !cut;
  }

  // Each constraint costs two solves with the mass.
  void limit_work() {
    const double solve = angles_.has_diagonal_mass() ? 3.0 * model_.nq() : 20.0 * layout_.mass.size();
    const auto most = static_cast<int>(std::clamp(most_work / solve, 50.0, 1e9));
    const auto beyond =
        std::find_if(pairs.begin(), pairs.end(), [&](const ConstraintPair& pair) { return pair.a >= most; });
    if (beyond == pairs.end()) return;
    skipped += static_cast<std::uint64_t>(pairs.end() - beyond);
    skipped_are_orthogonal = false;
    pairs.erase(beyond, pairs.end());
  }

  void take(ConstraintPair& pair, const Angles::Angle& angle, bool closed) {
    char& measured = measured_[static_cast<std::size_t>(&pair - pairs.data())];
    const bool breaks = closed && breaks_continuity(angle.cosine, angle.e);
    // The first point, then a worse one, or the largest cosine of those that are alike.
    const bool is_first = closed && !std::exchange(measured, measured || closed);
    const bool worse = breaks != pair.breaks_continuity ? breaks : std::abs(angle.cosine) > std::abs(pair.cosine);
    if (is_first || worse) {
      pair.product = angle.product;
      pair.cosine = angle.cosine;
    }
    pair.breaks_continuity = pair.breaks_continuity || breaks;
    pair.settled = angles_fixed_;
  }

  // Gaps that are linear in q: exact. False if joints that depend on them leave it to a search.
  bool close_linear() {
    std::vector<int> all(static_cast<std::size_t>(model_.nc() + model_.nb()));
    std::iota(all.begin(), all.end(), 0);
    const std::optional<bool> independent = independent_columns(layout_.rows, angles_.gradient(), all);
    if (independent.value_or(false)) {
      for (ConstraintPair& pair : pairs) {
        pair.can_be_active_together = true;
        pair.how = "linear gaps with independent gradients: exact";
      }
      return true;
    }
    if (model_.nb() > 0) return false;
    if (model_.nc() > most_for_all_pairs) {
      for (ConstraintPair& pair : pairs) pair.how = "too many constraints to decide";
      return true;
    }
    const LinearGaps gaps(layout_.gradient, angles_.gradient());
    const bool fixed = layout_.structure.fixed_gaps;
    for (ConstraintPair& pair : pairs) {
      if (pairs.size() > most_feasibility && angles_fixed_ && !pair.breaks_continuity) {
        pair.how = "not asked: its angle breaks nothing";
        continue;
      }
      pair.can_be_active_together = close_at_times(gaps, pair);
      pair.how =
          fixed ? "linear gaps, feasibility problem: exact"
                : fmt::format("linear moving gaps, feasibility problem at up to {} times of the run", sampled_times);
    }
    return true;
  }

  bool close_at_times(const LinearGaps& gaps, ConstraintPair& pair) {
    std::vector<double> g(model_.nc());
    const int times = layout_.structure.fixed_gaps ? 1 : sampled_times;
    for (int i = 0; i < times; ++i) {
      const double t = times == 1 ? start_.t : in_span(span_, i, times);
      model_.gap(t, start_.q.data(), g.data());
      const std::optional<std::vector<double>> d = gaps.close(g.data(), {pair.a, pair.b});
      if (!d) continue;
      if (angles_fixed_) return true;
      // The mass changes with the position: look there too.
      Point point{t, start_.q, {}};
      for (std::size_t k = 0; k < d->size(); ++k) point.q[k] += (*d)[k];
      if (angles_.place(t, point.q.data())) take(pair, angles_.of(pair.a, pair.b), true);
      return true;
    }
    return false;
  }

  // A start for the search, or a point of the run.
  void try_point(ConstraintPair& pair, const Point& point) {
    std::vector<double> q = point.q;
    if (!close_by_search(model_, point.t, pair.a, pair.b, q)) return;
    if (!angles_.place(point.t, q.data())) return;
    take(pair, angles_.of(pair.a, pair.b), true);
    if (!pair.can_be_active_together.value_or(false)) {
      pair.can_be_active_together = true;
      pair.how = point.how;
    }
  }

  void close_by_points() {
    const std::vector<Point> points = model_.nc() <= most_for_search ? scattered_points() : std::vector<Point>{};
    if (points.empty())
      remarks.push_back(
          fmt::format("{} constraints are too many for a search: only the run was watched.", model_.nc()));
    for (ConstraintPair& pair : pairs) {
      // What a feasibility problem excludes need not be searched for.
      if (pair.can_be_active_together == false) continue;
      if (const auto seen = seen_in_run_.find({pair.a, pair.b}); seen != seen_in_run_.end())
        try_point(pair, seen->second);
      for (const Point& point : points) try_point(pair, point);
      if (!pair.can_be_active_together)
        pair.how = points.empty() ? "not seen in the run" : fmt::format("not found from {} starts", points.size());
    }
  }

  // The start, and points around it at the distances that the run and the gaps suggest. The same ones every time.
  std::vector<Point> scattered_points() const {
    const Pattern& gradient = layout_.gradient;
    std::vector<double> g(model_.nc()), H(static_cast<std::size_t>(gradient.size()));
    model_.gap(start_.t, start_.q.data(), g.data());
    model_.gap_gradient(start_.t, start_.q.data(), H.data());
    double distance = 0.0;
    for (int j = 0; j < model_.nc(); ++j) {
      const double sum = squared_length(gradient, H.data(), j);
      if (sum > 1e-20) distance = std::max(distance, std::abs(g[j]) / std::sqrt(sum));
    }
    std::vector<Point> points = {{start_.t, start_.q, "found by a search from the start"}};
    FixedNumbers numbers;
    constexpr double factors[] = {0.3, 1.0, 3.0};
    for (int i = 0; i < scattered; ++i) {
      Point point{layout_.structure.fixed_gaps ? start_.t : in_span(span_, i, scattered), start_.q,
                  "found by a search from points around the start"};
      for (std::size_t k = 0; k < point.q.size(); ++k)
        point.q[k] += factors[i % 3] * numbers.next() * std::max({std::abs(start_.q[k]), extent_[k], distance, 1e-6});
      points.push_back(std::move(point));
    }
    return points;
  }

  void follow_run() {
    // As much of the run as is affordable.
    const std::uint64_t steps = step_count(span_, settings_.h);
    const double h = (span_.until - span_.from) / static_cast<double>(steps);
    const auto most = static_cast<std::uint64_t>(std::clamp(2e7 / (model_.nq() + 10.0 * model_.nc()), 1e3, 2e5));
    TimeSpan span = span_;
    if (steps > most) span.until = span.from + h * static_cast<double>(most);
    RunSettings settings = settings_;
    settings.keep = false;
    settings.record_every = 1;
    Watch watch(*this, h);
    try {
      const Solution solution = simulate(model_, start_, span, scheme_, settings, &watch);
      remarks.push_back(solution.status == Status::failed
                            ? fmt::format("The run {}.", solution.failure.message)
                            : fmt::format("The run was followed to t = {:.6g}{}.", solution.final.t,
                                          steps > most ? fmt::format(" of {:.6g}", span_.until) : ""));
    } catch (const InputError& error) {
      remarks.push_back(fmt::format("The run could not be followed: {}.", error.what()));
    }
  }

  void decide() {
    bool open = skipped > 0 && !skipped_are_orthogonal, broken = false;
    for (ConstraintPair& pair : pairs) {
      if (pair.can_be_active_together == false) {
        pair.breaks_continuity = false;
        continue;
      }
      broken = broken || (pair.can_be_active_together == true && pair.breaks_continuity);
      // A restitution that changes may be positive elsewhere.
      const bool harmless =
          pair.settled &&
          (layout_.structure.constant_restitution ? !pair.breaks_continuity : !breaks_continuity(pair.cosine, 1.0));
      open = open || !harmless;
    }
    if (broken) {
      continuous = false;
    } else if (!open) {
      continuous = true;
    }
  }

  const Model& model_;
  const Layout& layout_;
  const State& start_;
  const TimeSpan span_;
  const Scheme& scheme_;
  const RunSettings& settings_;
  Angles angles_;
  const bool angles_fixed_;     // the same everywhere
  std::vector<char> measured_;  // by pair: its angle is one of a point where both are closed
  std::vector<double> extent_;  // by coordinate: how far the run went
  std::map<std::pair<int, int>, Point> seen_in_run_;
};

}  // namespace

PairFindings study_pairs(const Model& model, const State& start, TimeSpan span, const Scheme& scheme,
                         const RunSettings& settings) {
  PairStudy study(model, start, span, scheme, settings);
  study.go();
  return study;
}

}  // namespace ricochet
