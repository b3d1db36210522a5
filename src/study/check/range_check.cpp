// A property holds over a range of time if intervals show it for each of its parts. A part for which they do not is
// halved, up to 4096 parts of the run; in its middle the model itself may turn out to be wrong. What is left is not
// known.
//
// All symmetric matrices within bounds are positive definite if elimination over the intervals has positive pivots.
// Walls with opposite constant gradients leave room between them as long as g_a/‖∇g_a‖ + g_b/‖∇g_b‖ ≥ 0, which does not
// depend on the position.
#include "study/check/range_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "contact/contact_kinematics.hpp"
#include "core/zeros.hpp"
#include "run/start.hpp"
#include "study/check/bounded_numbers.hpp"
#include "study/check/closable.hpp"

namespace ricochet {
namespace {

using formula::Interval;
using formula::Operation;

enum class Answer { yes, no, unknown };

struct RangeAnswer {
  Answer answer = Answer::yes;
  Interval values;  // all of them if yes; one that is not allowed if no
  double t = 0.0;   // where that is, or is not known first
  bool shows_parts() const { return values.lower <= values.upper; }  // of the run; if unknown
};

bool is_within(const Interval& part, double least, double most, double slack) {
  return part.is_number && part.lower >= least - slack && part.upper <= most + slack;
}

// Where between two times numbers end.
double end_of_numbers(const std::function<double(double)>& probe, double before, double behind) {
  constexpr int halvings = 50;
  for (int k = 0; k < halvings && std::isfinite(probe(before)); ++k) {
    const double middle = 0.5 * (before + behind);
    (std::isfinite(probe(middle)) ? before : behind) = middle;
  }
  return behind;
}

// Whether range(t) stays within [least, most]; probe(t), where there is one, is the number itself.
//
// Bounds are wider than the numbers: those that touch the limits need some `slack`, a share of the size of the numbers,
// and there the numbers themselves are looked at.
template <class Range>
RangeAnswer stays_within(double least, double most, double slack, TimeSpan span, const Range& range,
                         const std::function<double(double)>& probe) {
  constexpr double finest = 1.0 / 4096.0;
  RangeAnswer result{Answer::yes, {HUGE_VAL, -HUGE_VAL}, span.from};
  const auto refuted = [&](double t) -> std::optional<RangeAnswer> {
    if (!probe) return std::nullopt;
    const double x = probe(t);
    if (x >= least && x <= most) return std::nullopt;
    return RangeAnswer{Answer::no, Interval::point(x), std::isfinite(x) ? t : end_of_numbers(probe, span.from, t)};
  };
  const auto refuted_at = [&](double t) -> std::optional<RangeAnswer> {
    const Interval here = range(Interval::point(t));
    if (here.is_number && (here.upper < least || here.lower > most)) return RangeAnswer{Answer::no, here, t};
    return refuted(t);
  };
  // A narrow dip in a part: in the half with the worse bounds, again and again.
  const auto refuted_in = [&](Interval t) -> std::optional<RangeAnswer> {
    constexpr int halvings = 40;
    const auto excess = [&](const Interval& half) {
      const Interval x = range(half);
      return x.is_number ? std::max(least - x.lower, x.upper - most) : HUGE_VAL;
    };
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (t.lower + t.upper);
      const Interval before{t.lower, middle}, behind{middle, t.upper};
      t = excess(before) >= excess(behind) ? before : behind;
      if (const std::optional<RangeAnswer> no = refuted_at(0.5 * (t.lower + t.upper))) return no;
    }
    return std::nullopt;
  };
  constexpr int most_dips = 8;
  int dips = 0;
  std::vector<Interval> open = {{span.from, span.until}};
  while (!open.empty()) {
    const Interval t = open.back();
    open.pop_back();
    const Interval part = range(t);
    const double middle = 0.5 * (t.lower + t.upper);
    const double size = std::max(std::abs(part.lower), std::abs(part.upper));
    const bool touches = !is_within(part, least, most, 0.0);
    const bool holds = !touches || (std::isfinite(size) && is_within(part, least, most, slack * size));
    if (touches)
      for (const double where : {middle, t.lower, t.upper})
        if (const std::optional<RangeAnswer> no = refuted(where)) return *no;
    if (holds) {
      result.values.lower = std::min(result.values.lower, part.lower);
      result.values.upper = std::max(result.values.upper, part.upper);
      continue;
    }
    if (const std::optional<RangeAnswer> no = refuted_at(middle)) return *no;
    if (t.upper - t.lower <= finest * (span.until - span.from)) {
      if (part.is_number && dips++ < most_dips)
        if (const std::optional<RangeAnswer> no = refuted_in(t)) return *no;
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
  Ranges(const Model& model, const CheckedFormulas* formulas, const State& start, TimeSpan span)
      : model_(model), formulas_(formulas), start_(start), span_(span) {}

  RangeCheck go() {
    check_walls();
    if (formulas_ == nullptr) {
      check_sampled_values();
      return std::move(check_);
    }
    if (!layout_.structure.constant_mass && model_.nb() == 0) check_mass();
    for (const BoundedKind kind : all_bounded_kinds)
      if (!numbers_.are_constant(kind)) check_bounds(kind);
    check_values();
    return std::move(check_);
  }

 private:
  // What may be wrong at a time of the run leaves the motion behind it open.
  void say(const char* subject, Verdict verdict, std::string sentence) {
    check_.findings.push_back({subject, verdict, std::move(sentence)});
    check_.holds = check_.holds && verdict == Verdict::ok;
  }

  // Anywhere if that can be shown, otherwise where the start is. `probe` is of the start's position; it counts for all
  // others too where the number is one of time alone.
  template <class Range>
  std::pair<RangeAnswer, bool> decide(double least, double most, double slack, const Range& range,
                                      const std::function<double(double)>& probe, bool is_of_time) const {
    const auto ask = [&](const std::vector<double>* q) {
      return stays_within(
          least, most, slack, span_, [&](const Interval& t) { return range(t, q); },
          q != nullptr || is_of_time ? probe : nullptr);
    };
    const RangeAnswer anywhere = ask(nullptr);
    if (anywhere.answer != Answer::unknown || is_of_time) return {anywhere, true};
    return {ask(&start_.q), false};
  }

  // Not shown near a time, though it was at others.
  static bool is_doubtful(const RangeAnswer& answer) {
    return answer.answer == Answer::unknown && answer.shows_parts();
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
    const auto [mass, anywhere] = decide(
        std::numeric_limits<double>::min(), HUGE_VAL, 0.0,
        [&](const Interval& t, const std::vector<double>* q) { return least_pivot(t, q); }, nullptr, false);
    check_.mass_is_known = mass.answer == Answer::no || (mass.answer == Answer::yes && anywhere);
    if (mass.answer == Answer::no)
      say("mass", Verdict::problem,
          fmt::format("The mass matrix is not positive definite at t = {:.6g}{}.", mass.t, anywhere ? "" : at_start));
    else if (check_.mass_is_known)
      say("mass", Verdict::ok,
          "Shown, by intervals: the mass matrix is positive definite at all times of the run, wherever the bodies "
          "are.");
    else
      say("mass", is_doubtful(mass) ? Verdict::warning : Verdict::ok,
          fmt::format("Whether the mass matrix is positive definite everywhere is not known{}.",
                      mass.answer == Answer::yes ? only_at_start
                                                 : fmt::format(": it could not be shown near t = {:.6g}", mass.t)));
  }

  std::pair<RangeAnswer, bool> ask_bounds(const BoundedNumber& number) {
    const NumberBounds& bounds = bounds_of(number.kind);
    return decide(
        bounds.least, bounds.most, round_off,
        [&](const Interval& t, const std::vector<double>* q) {
          return formulas_->bounded(number.kind, number.name, t, q);
        },
        [&](double t) {
          numbers_.place(t, start_.q);
          return numbers_.value(number);
        },
        formulas_->is_of_time(number.kind, number.name));
  }

  // Told once a kind: the first that is wrong, or what is known of all.
  void check_bounds(BoundedKind kind) {
    const NumberBounds& bounds = bounds_of(kind);
    std::map<int, std::pair<RangeAnswer, bool>> known;  // by formula
    std::vector<std::string> open;
    std::string where = only_at_start;
    bool may_end = false;
    Interval all{HUGE_VAL, -HUGE_VAL};
    for (const BoundedNumber& number : numbers_.of(kind)) {
      const int mark = formulas_->mark(kind, number.name);
      const auto place = mark < 0 ? known.end() : known.find(mark);
      const auto [x, anywhere] = place == known.end() ? ask_bounds(number) : place->second;
      if (mark >= 0) known[mark] = {x, anywhere};
      if (x.answer == Answer::no) {
        check_.is_known[static_cast<std::size_t>(kind)] = true;
        return say(bounds.subject, Verdict::problem,
                   violation(number, 0.5 * (x.values.lower + x.values.upper),
                             fmt::format(" at t = {:.6g}{}", x.t, anywhere ? "" : at_start)));
      }
      if (x.answer == Answer::yes && anywhere) {
        all = {std::min(all.lower, x.values.lower), std::max(all.upper, x.values.upper)};
        continue;
      }
      open.push_back(number.name);
      if (x.answer == Answer::yes) continue;
      where = fmt::format(": it could not be shown near t = {:.6g}", x.t);
      may_end = may_end || is_doubtful(x) || !formulas_->bounded(kind, number.name, around(x.t), &start_.q).is_number;
    }
    check_.is_known[static_cast<std::size_t>(kind)] = open.empty();
    if (open.empty() && all.lower == all.upper) return;  // the same number all the time, looked at at the start
    const std::string what = bounds.what;                // "restitution of"
    if (open.empty())
      return say(bounds.subject, Verdict::ok,
                 fmt::format("Shown, by intervals: the {} stays between {:.4g} and {:.4g} at all times of the run, "
                             "wherever the bodies are.",
                             what.substr(0, what.size() - 3), std::max(all.lower, bounds.least),
                             std::min(all.upper, bounds.most)));
    say(bounds.subject, may_end ? Verdict::warning : Verdict::ok,
        fmt::format("Whether the {} {}{} is {} everywhere is not known{}.", what, open.front(),
                    open.size() > 1 ? fmt::format(" and {} more", open.size() - 1) : "", bounds.words, where));
  }

  // Those of tan x, 1/x, √x and log x end.
  void check_values() {
    const auto [values, anywhere] = decide(
        0.0, 0.0, 0.0,
        [&](const Interval& t, const std::vector<double>* q) -> Interval {
          return {0.0, 0.0, formulas_->lost(t, q).empty()};
        },
        [&](double t) { return lost_value(t).empty() ? 0.0 : std::nan(""); }, false);
    if (values.answer == Answer::yes && anywhere) return;
    check_.values_are_known = false;
    if (values.answer == Answer::yes)
      return say("values", Verdict::ok,
                 "Whether gaps, joints and forces have values wherever the bodies are is not known: at the start's "
                 "position they have, at all times of the run.");
    if (values.answer == Answer::no) return say("values", Verdict::problem, lost_value(values.t));
    // Not known at any time: that of velocities and states of which nothing is known.
    const bool at_times = values.shows_parts();
    check_.findings.push_back(
        {"values", Verdict::warning,
         fmt::format("The {} may have no value, or become infinite{}{}.", formulas_->lost(around(values.t), &start_.q),
                     at_times ? fmt::format(", near t = {:.6g}", values.t) : "", at_start)});
    check_.holds = check_.holds && !at_times;
  }
  // The part of the run that is not known.
  Interval around(double middle) const {
    const double half = (span_.until - span_.from) / 8192.0;
    return {middle - half, middle + half};
  }

  // Without formulas at some times.
  void check_sampled_values() {
    const Structure& structure = layout_.structure;
    if (structure.linear_force && structure.constant_load && layout_.fixed_rows() && layout_.nz() == 0) return;
    check_.values_are_known = false;
    for (int k = 1; k <= looks; ++k)
      if (const std::string lost = lost_value(span_.from + (span_.until - span_.from) * k / looks); !lost.empty())
        return say("values", Verdict::problem, lost);
  }

  // What is no number at the start's position; empty if all are.
  std::string lost_value(double t) {
    rows_.place_gaps(t, start_.q.data());
    rows_.place_obstacles(t, start_.q.data());
    model_.force(t, start_.q.data(), start_.v.data(), start_.z.data(), force_.data());
    if (model_.nz() > 0) model_.state_rate(t, start_.q.data(), start_.v.data(), start_.z.data(), state_rate_.data());
    const auto sentence = [&](const char* what, const std::string& name, double value) {
      return fmt::format("The {} {} is {} at t = {:.6g}{}.", what, name, to_text(value), t, at_start);
    };
    int row = 0;
    // Gaps and joints have positions and rates, slips rates.
    const auto lost_row = [&](const char* position, const char* rate, const std::string& name,
                              int rows) -> std::string {
      for (const int end = row + rows; row < end; ++row) {
        if (position != nullptr && !std::isfinite(rows_.gap(row))) return sentence(position, name, rows_.gap(row));
        if (!std::isfinite(rows_.obstacle_rate(row))) return sentence(rate, name, rows_.obstacle_rate(row));
      }
      return {};
    };
    std::string lost;
    for (int j = 0; j < model_.nc() && lost.empty(); ++j)
      lost = lost_row("gap of", "rate of the gap of", layout_.constraints[j], 1);
    for (std::size_t j = 0; j < layout_.joints.size() && lost.empty(); ++j)
      lost = lost_row(layout_.joints[j].has_position ? "equation of" : nullptr, "rate of", layout_.joints[j].name,
                      layout_.joints[j].rows);
    for (std::size_t k = 0; k < layout_.frictions.size() && lost.empty(); ++k)
      lost = lost_row(nullptr, "slip of", layout_.frictions[k].name, layout_.frictions[k].rows);
    for (int i = 0; i < model_.nq() && lost.empty(); ++i)
      if (!std::isfinite(force_[i])) lost = sentence("force on", layout_.coordinates[i], force_[i]);
    for (int i = 0; i < model_.nz() && lost.empty(); ++i)
      if (!std::isfinite(state_rate_[i])) lost = sentence("rate of", layout_.states[i], state_rate_[i]);
    return lost;
  }

  // Of gaps with constant gradients, where there are not too many.
  void check_walls() {
    constexpr int most_walls = 200;
    const int nc = model_.nc();
    if (nc < 2 || !layout_.structure.linear_gaps) return;
    check_.walls_are_known = is_fixed();
    if (nc > most_walls) return;
    const Pattern& pattern = layout_.gradient;
    std::vector<double> H = zeros(pattern.size());
    model_.gap_gradient(span_.from, start_.q.data(), H.data());
    model_.gap(span_.from, start_.q.data(), gap_.data());
    for (int a = 0; a < nc; ++a) length_[a] = std::sqrt(squared_length(pattern, H.data(), a));
    std::vector<int> all(static_cast<std::size_t>(nc));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<std::pair<int, int>> opposite = opposite_gaps(pattern, H.data(), all);
    std::string open;
    double least = HUGE_VAL;
    for (const auto& [a, b] : opposite) {
      const RangeAnswer room = room_between(a, b);
      const std::string walls = layout_.constraints[a] + " and " + layout_.constraints[b];
      if (room.answer == Answer::no)
        return say("walls", Verdict::problem,
                   fmt::format("{} exclude each other{}: they overlap by {:.4g}, and no position keeps to both.", walls,
                               is_fixed() ? "" : fmt::format(" at t = {:.6g}", room.t),
                               -0.5 * (room.values.lower + room.values.upper)));
      if (room.answer == Answer::unknown) {
        if (open.empty()) open = walls;
        // What is between walls that touch is hit by both.
        check_.holds = check_.holds && (formulas_ == nullptr || !rebounds(a, b));
      }
      least = std::min(least, room.values.lower);
    }
    const LinearGaps gaps(pattern, H.data());
    if (!check_all_gaps(gaps) || is_fixed()) return;
    // Opposite walls are all that gradients depend on each other by.
    const bool is_pairwise = nc - gaps.rank() == static_cast<int>(opposite.size());
    check_.walls_are_known = open.empty() && is_pairwise;
    if (!open.empty())
      say_walls(fmt::format("Whether {} leave room between them at all times of the run is not known.", open));
    else if (!opposite.empty())
      say_walls(
          fmt::format("Shown, by intervals: opposite walls leave room between them at all times of the run, at "
                      "least {:.4g}.",
                      least));
    if (!is_pairwise)
      say_walls(fmt::format("Whether more than two walls leave room between them was looked at at {} times of the run.",
                            looks + 1));
  }
  void say_walls(std::string sentence) { check_.findings.push_back({"walls", Verdict::ok, std::move(sentence)}); }
  // Paoli's condition allows opposite walls that are closed together where nothing comes back from them.
  bool rebounds(int a, int b) const {
    std::vector<double> e = zeros(model_.nc());
    model_.restitution(start_.t, start_.q.data(), e.data());
    return !layout_.structure.constant_restitution || e[a] > 0.0 || e[b] > 0.0;
  }

  // Three and more that leave no room, at some times; false if there are such.
  bool check_all_gaps(const LinearGaps& gaps) {
    for (int k = 0; k <= (is_fixed() ? 0 : looks); ++k) {
      const double t = span_.from + (span_.until - span_.from) * k / looks;
      model_.gap(t, start_.q.data(), gap_.data());
      if (std::all_of(gap_.begin(), gap_.end(), [](double g) { return g >= 0.0; })) continue;
      std::vector<std::string> names;
      for (const int j : gaps.conflict(gap_.data())) names.push_back(layout_.constraints[j]);
      if (names.empty()) continue;
      say("walls", Verdict::problem,
          fmt::format("{} exclude each other{}: no position keeps to all of them.", fmt::join(names, ", "),
                      is_fixed() ? "" : fmt::format(" at t = {:.6g}", t)));
      return false;
    }
    return true;
  }

  // g_a/‖∇g_a‖ + g_b/‖∇g_b‖ over the run: yes if it is more than 0, no if it is less; without formulas at some times.
  RangeAnswer room_between(int a, int b) {
    const double slack = 1e-12 * (std::abs(gap_[a]) / length_[a] + std::abs(gap_[b]) / length_[b]);
    const auto part = [&](const Interval& t, int j) {
      return formula::calculate(Operation::multiply, formulas_->gap(j, t, &origin_), Interval::point(1.0 / length_[j]));
    };
    const auto has = [&](double least) {
      return stays_within(
          least, HUGE_VAL, 0.0, span_,
          [&](const Interval& t) { return formula::calculate(Operation::add, part(t, a), part(t, b)); }, nullptr);
    };
    if (formulas_ != nullptr && !is_fixed()) {
      RangeAnswer room = has(-slack);
      if (room.answer == Answer::yes && has(slack).answer != Answer::yes) room.answer = Answer::unknown;  // may touch
      return room;
    }
    for (int k = 0; k <= (is_fixed() ? 0 : looks); ++k) {
      const double t = span_.from + (span_.until - span_.from) * k / looks;
      model_.gap(t, start_.q.data(), gap_.data());
      const double room = gap_[a] / length_[a] + gap_[b] / length_[b];
      if (room < -slack) return {Answer::no, Interval::point(room), t};
    }
    return {is_fixed() ? Answer::yes : Answer::unknown, {}, span_.from};
  }
  bool is_fixed() const { return layout_.structure.fixed_gaps; }

  static constexpr double round_off = 1e-13;  // of bounds
  static constexpr int looks = 64;            // at times of the run, where intervals do not help
  static constexpr const char* at_start = " at the start's position";
  static constexpr const char* only_at_start = "; at the start's position it is, at all times of the run";

  const Model& model_;
  const CheckedFormulas* formulas_;
  const Layout& layout_ = model_.layout();
  const State& start_;
  const TimeSpan span_;
  // At the start; of the gradients; where gaps with opposite gradients are added, which is the same everywhere.
  std::vector<double> gap_ = zeros(model_.nc()), length_ = gap_, origin_ = zeros(model_.nq());
  std::vector<double> force_ = zeros(model_.nq()), state_rate_ = zeros(model_.nz());
  ContactKinematics<double> rows_{model_};
  BoundedNumbers numbers_{model_};
  RangeCheck check_;
};

}  // namespace

namespace {

// A run that goes on behind the end of a table, or begins before it.
void check_tables(const CheckedFormulas& formulas, TimeSpan span, std::vector<Finding>& findings) {
  std::vector<std::string> told;
  for (const CheckedFormulas::TableUse& use : formulas.tables({span.from, span.until})) {
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

RangeCheck check_ranges(const Model& model, const CheckedFormulas* formulas, const State& start, TimeSpan span) {
  RangeCheck check = Ranges(model, formulas, start, span).go();
  if (formulas != nullptr) check_tables(*formulas, span, check.findings);
  return check;
}

}  // namespace ricochet
