// A property holds over a range of time if intervals show it for each of its parts. A part for which they do not is
// halved, up to 4096 parts of the run; in its middle the property may turn out to be wrong. What is left is not known.
//
// All symmetric matrices within bounds are positive definite if elimination over the intervals has positive pivots.
// Walls with opposite constant gradients leave room between them as long as g_a/‖∇g_a‖ + g_b/‖∇g_b‖ ≥ 0, which does not
// depend on the position.
#include "study/range_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/zeros.hpp"
#include "study/closable.hpp"

namespace ricochet {
namespace {

using formula::Interval;
using formula::Operation;

enum class Answer { yes, no, unknown };

struct RangeAnswer {
  Answer answer = Answer::yes;
  Interval values;  // all of them if yes; one that is not allowed if no
  double t = 0.0;   // where that is, or is not known first
};

// Whether range(t) stays within [least, most], up to `slack`.
template <class Range>
RangeAnswer stays_within(double least, double most, double slack, TimeSpan span, const Range& range) {
  constexpr double finest = 1.0 / 4096.0;
  RangeAnswer result{Answer::yes, {HUGE_VAL, -HUGE_VAL}, span.from};
  std::vector<Interval> open = {{span.from, span.until}};
  while (!open.empty()) {
    const Interval t = open.back();
    open.pop_back();
    const Interval part = range(t);
    if (part.is_number && part.lower >= least - slack && part.upper <= most + slack) {
      result.values.lower = std::min(result.values.lower, part.lower);
      result.values.upper = std::max(result.values.upper, part.upper);
      continue;
    }
    const double middle = 0.5 * (t.lower + t.upper);
    if (const Interval here = range(Interval::point(middle));
        here.is_number && (here.upper < least - slack || here.lower > most + slack))
      return {Answer::no, here, middle};
    if (t.upper - t.lower <= finest * (span.until - span.from)) {
      if (result.answer == Answer::yes) result.t = middle;
      result.answer = Answer::unknown;
      continue;
    }
    open.push_back({middle, t.upper});
    open.push_back({t.lower, middle});
  }
  return result;
}

class Ranges {
 public:
  Ranges(const Model& model, const FormulaRanges* formulas, const State& start, TimeSpan span)
      : model_(model), formulas_(formulas), start_(start), span_(span) {}

  RangeCheck go() {
    check_walls();
    if (formulas_ == nullptr) return std::move(check_);
    const Structure& structure = layout_.structure;
    if (!structure.constant_mass && model_.nb() == 0) check_mass();
    if (model_.nc() > 0 && !structure.constant_restitution) check_restitution();
    check_values();
    return std::move(check_);
  }

 private:
  void say(const char* subject, Verdict verdict, std::string sentence) {
    check_.findings.push_back({subject, verdict, std::move(sentence)});
    check_.holds = check_.holds && verdict != Verdict::problem;
  }

  // Anywhere if that can be shown, otherwise where the start is.
  template <class Range>
  std::pair<RangeAnswer, bool> decide(double least, double most, double slack, const Range& range) const {
    const auto ask = [&](const std::vector<double>* q) {
      return stays_within(least, most, slack, span_, [&](const Interval& t) { return range(t, q); });
    };
    const RangeAnswer anywhere = ask(nullptr);
    if (anywhere.answer != Answer::unknown) return {anywhere, true};
    return {ask(&start_.q), false};
  }

  // The least of the pivots of M.
  Interval least_pivot(const Interval& t, const std::vector<double>* q) const {
    const int n = model_.nq();
    std::vector<Interval> M(static_cast<std::size_t>(n) * n);
    const auto at = [&](int i, int j) -> Interval& { return M[static_cast<std::size_t>(i) * n + j]; };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) at(i, j) = formulas_->mass(i, j, t, q);
    Interval least{HUGE_VAL, HUGE_VAL};
    for (int k = 0; k < n; ++k) {
      const Interval pivot = at(k, k);
      least = formula::calculate(Operation::min, least, pivot);
      if (!pivot.is_number || !(pivot.lower > 0.0)) return least;
      for (int i = k + 1; i < n; ++i)
        for (int j = k + 1; j <= i; ++j) {
          const Interval product = i == j ? formula::calculate(Operation::power, at(i, k), Interval::point(2.0))
                                          : formula::calculate(Operation::multiply, at(i, k), at(j, k));
          at(i, j) =
              formula::calculate(Operation::subtract, at(i, j), formula::calculate(Operation::divide, product, pivot));
        }
    }
    return least;
  }

  void check_mass() {
    const auto [mass, anywhere] =
        decide(std::numeric_limits<double>::min(), HUGE_VAL, 0.0,
               [&](const Interval& t, const std::vector<double>* q) { return least_pivot(t, q); });
    check_.mass_is_known = mass.answer == Answer::no || (mass.answer == Answer::yes && anywhere);
    if (mass.answer == Answer::no)
      say("mass", Verdict::problem,
          fmt::format("The mass matrix is not positive definite at t = {:.6g}{}.", mass.t, anywhere ? "" : at_start));
    else if (check_.mass_is_known)
      say("mass", Verdict::ok,
          "Shown, by intervals: the mass matrix is positive definite at all times of the run, wherever the bodies "
          "are.");
    else
      say("mass", Verdict::ok,
          fmt::format("Whether the mass matrix is positive definite everywhere is not known{}.",
                      mass.answer == Answer::yes ? only_at_start
                                                 : fmt::format(": it could not be shown near t = {:.4g}", mass.t)));
  }

  // Told once: the first that is wrong, or what is known of all.
  void check_restitution() {
    constexpr double slack = 1e-9;  // formulas that touch 0 or 1
    std::vector<std::string> open;
    bool open_only_elsewhere = true;
    Interval all{HUGE_VAL, -HUGE_VAL};
    for (int j = 0; j < model_.nc(); ++j) {
      const auto [e, anywhere] = decide(0.0, 1.0, slack, [&](const Interval& t, const std::vector<double>* q) {
        return formulas_->restitution(j, t, q);
      });
      if (e.answer == Answer::no) {
        check_.restitution_is_known = true;
        return say("restitution", Verdict::problem,
                   fmt::format("The restitution of {} is {:.4g} at t = {:.6g}{}; it must be in [0, 1].",
                               layout_.constraints[j], 0.5 * (e.values.lower + e.values.upper), e.t,
                               anywhere ? "" : at_start));
      }
      if (e.answer == Answer::yes && anywhere) {
        all = {std::min(all.lower, e.values.lower), std::max(all.upper, e.values.upper)};
        continue;
      }
      open.push_back(layout_.constraints[j]);
      open_only_elsewhere = open_only_elsewhere && e.answer == Answer::yes;
    }
    check_.restitution_is_known = open.empty();
    if (open.empty())
      return say("restitution", Verdict::ok,
                 fmt::format("Shown, by intervals: the restitution stays between {:.4g} and {:.4g} at all times of the "
                             "run, wherever the bodies are.",
                             std::max(all.lower, 0.0), std::min(all.upper, 1.0)));
    say("restitution", Verdict::ok,
        fmt::format("Whether the restitution of {}{} is in [0, 1] everywhere is not known{}.", open.front(),
                    open.size() > 1 ? fmt::format(" and {} more", open.size() - 1) : "",
                    open_only_elsewhere ? only_at_start : ""));
  }

  // Those of tan x, 1/x, √x and log x end.
  void check_values() {
    const auto [values, anywhere] =
        decide(0.0, 0.0, 0.0, [&](const Interval& t, const std::vector<double>* q) -> Interval {
          return {0.0, 0.0, formulas_->have_values(t, q)};
        });
    if (values.answer == Answer::yes && anywhere) return;
    check_.values_are_known = false;
    if (values.answer == Answer::yes)
      return say("values", Verdict::ok,
                 "Whether gaps and forces have values wherever the bodies are is not known: at the start's position "
                 "they have, at all times of the run.");
    const std::string lost = lost_value();
    say("values", lost.empty() ? Verdict::warning : Verdict::problem,
        lost.empty() ? fmt::format("Gaps or forces may have no value, or become infinite, near t = {:.4g}{}.", values.t,
                                   at_start)
                     : lost);
  }

  // What has none at the start's position.
  std::string lost_value() {
    std::vector<double> F = zeros(model_.nq());
    for (int k = 0; k <= looks; ++k) {
      const double t = span_.from + (span_.until - span_.from) * k / looks;
      model_.gap(t, start_.q.data(), gap_.data());
      model_.force(t, start_.q.data(), start_.v.data(), start_.z.data(), F.data());
      const auto sentence = [&](const char* what, const std::string& name, double value) {
        return fmt::format("The {} {} is {} at t = {:.6g}{}.", what, name, value, t, at_start);
      };
      for (int j = 0; j < model_.nc(); ++j)
        if (!std::isfinite(gap_[j])) return sentence("gap of", layout_.constraints[j], gap_[j]);
      for (int i = 0; i < model_.nq(); ++i)
        if (!std::isfinite(F[i])) return sentence("force on", layout_.coordinates[i], F[i]);
    }
    return "";
  }

  // Of gaps with constant gradients, where there are not too many.
  void check_walls() {
    constexpr int most_walls = 200;
    const int nc = model_.nc();
    if (nc < 2 || nc > most_walls || !layout_.structure.linear_gaps) return;
    const Pattern& pattern = layout_.gradient;
    std::vector<double> H = zeros(pattern.size()), column = zeros(model_.nq());
    model_.gap_gradient(span_.from, start_.q.data(), H.data());
    model_.gap(span_.from, start_.q.data(), gap_.data());
    for (int a = 0; a < nc; ++a) length_[a] = std::sqrt(squared_length(pattern, H.data(), a));
    std::vector<std::string> open;
    double least = HUGE_VAL;
    for (int a = 0; a < nc; ++a) {
      for (int k = pattern.start[a]; k < pattern.start[a + 1]; ++k) column[pattern.row[k]] = H[k];
      for (int b = a + 1; b < nc; ++b) {
        if (!(column_dot(pattern, H.data(), b, column.data()) < -(1.0 - 1e-14) * length_[a] * length_[b])) continue;
        const RangeAnswer room = room_between(a, b);
        const std::string walls = layout_.constraints[a] + " and " + layout_.constraints[b];
        if (room.answer == Answer::no)
          return say("walls", Verdict::problem,
                     fmt::format("{} exclude each other{}: they overlap by {:.4g}, and no position keeps to both.",
                                 walls, is_fixed() ? "" : fmt::format(" at t = {:.6g}", room.t),
                                 -0.5 * (room.values.lower + room.values.upper)));
        if (room.answer == Answer::unknown) open.push_back(walls);
        least = std::min(least, room.values.lower);
      }
      for (int k = pattern.start[a]; k < pattern.start[a + 1]; ++k) column[pattern.row[k]] = 0.0;
    }
    if (!check_all_gaps(H)) return;
    if (is_fixed() || (open.empty() && least == HUGE_VAL)) return;
    say("walls", Verdict::ok,
        open.empty()
            ? fmt::format("Shown, by intervals: opposite walls leave room between them at all times of the run, "
                          "at least {:.4g}.",
                          std::max(least, 0.0))
            : fmt::format("Whether {} leave room between them at all times of the run is not known.", open[0]));
  }

  // Three and more that leave no room, at some times; false if there are such.
  bool check_all_gaps(const std::vector<double>& H) {
    std::optional<LinearGaps> gaps;
    for (int k = 0; k <= (is_fixed() ? 0 : looks); ++k) {
      const double t = span_.from + (span_.until - span_.from) * k / looks;
      model_.gap(t, start_.q.data(), gap_.data());
      if (std::all_of(gap_.begin(), gap_.end(), [](double g) { return g >= 0.0; })) continue;
      if (!gaps) gaps.emplace(layout_.gradient, H.data());
      std::vector<std::string> names;
      for (const int j : gaps->conflict(gap_.data())) names.push_back(layout_.constraints[j]);
      if (names.empty()) continue;
      say("walls", Verdict::problem,
          fmt::format("{} exclude each other{}: no position keeps to all of them.", fmt::join(names, ", "),
                      is_fixed() ? "" : fmt::format(" at t = {:.6g}", t)));
      return false;
    }
    return true;
  }

  // g_a/‖∇g_a‖ + g_b/‖∇g_b‖ over the run; without formulas at some times.
  RangeAnswer room_between(int a, int b) {
    const double slack = 1e-12 * (std::abs(gap_[a]) / length_[a] + std::abs(gap_[b]) / length_[b]);
    const auto part = [&](const Interval& t, int j) {
      return formula::calculate(Operation::multiply, formulas_->gap(j, t, &start_.q),
                                Interval::point(1.0 / length_[j]));
    };
    if (formulas_ != nullptr && !is_fixed())
      return stays_within(0.0, HUGE_VAL, slack, span_, [&](const Interval& t) {
        return formula::calculate(Operation::add, part(t, a), part(t, b));
      });
    for (int k = 0; k <= (is_fixed() ? 0 : looks); ++k) {
      const double t = span_.from + (span_.until - span_.from) * k / looks;
      model_.gap(t, start_.q.data(), gap_.data());
      const double room = gap_[a] / length_[a] + gap_[b] / length_[b];
      if (room < -slack) return {Answer::no, Interval::point(room), t};
    }
    return {is_fixed() ? Answer::yes : Answer::unknown, {}, span_.from};
  }
  bool is_fixed() const { return layout_.structure.fixed_gaps; }

  static constexpr int looks = 64;  // at times of the run, where intervals do not help
  static constexpr const char* at_start = " at the start's position";
  static constexpr const char* only_at_start = "; at the start's position it is, at all times of the run";

  const Model& model_;
  const FormulaRanges* formulas_;
  const Layout& layout_ = model_.layout();
  const State& start_;
  const TimeSpan span_;
  std::vector<double> gap_ = zeros(model_.nc()), length_ = gap_;  // at the start; of the gradients
  RangeCheck check_;
};

}  // namespace

namespace {

// A run that goes on behind the end of a table, or begins before it.
void check_tables(const FormulaRanges& formulas, TimeSpan span, std::vector<Finding>& findings) {
  std::vector<std::string> told;
  for (const FormulaRanges::TableUse& use : formulas.tables({span.from, span.until})) {
    const double slack = 1e-9 * (use.has.upper - use.has.lower);
    const bool before = use.asked.lower < use.has.lower - slack;
    const bool after = use.asked.upper > use.has.upper + slack;
    if ((!before && !after) || std::find(told.begin(), told.end(), use.file) != told.end()) continue;
    told.push_back(use.file);
    findings.push_back(
        {"tables", Verdict::warning,
         fmt::format("The table {} goes from {:.6g} to {:.6g}, and the run asks for {:.6g} to {:.6g}: it "
                     "is {:.4g} {}.",
                     use.file, use.has.lower, use.has.upper, use.asked.lower, use.asked.upper,
                     after ? use.after : use.before, after ? "behind its end" : "before its begin")});
  }
}

}  // namespace

RangeCheck check_ranges(const Model& model, const FormulaRanges* formulas, const State& start, TimeSpan span) {
  RangeCheck check = Ranges(model, formulas, start, span).go();
  if (formulas != nullptr) check_tables(*formulas, span, check.findings);
  return check;
}

}  // namespace ricochet
