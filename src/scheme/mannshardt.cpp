// Runge-Kutta of any order between events, one Moreau step across each [Mannshardt 1978; Acary 2018, (130)-(136)].
//
// On a step [t_k, t_k + h], with the contacts that are closed now:
//   1. M v' = F + H λ, q' = v, Γ = Hᵀv' + c = 0 on closed contacts, by a Runge-Kutta step over the rest   (131)-(133)
//   2. where a gap closes first: t_a < t⋆ ≤ t_b, t_b − t_a ≤ w = C h^{p+1}                                      (130)
//      by secants on the length of the Runge-Kutta step, then the Runge-Kutta step to t_a
//   3. one Moreau-Jean step with θ = ½ over [t_a, t_b], the contacts of the event and the closed ones active:
//        v⁻ = v_a + ½w a_a,   v⁺ = v⁻ + M⁻¹H P,   0 ≤ U⁺ + e U⁻ ⊥ P ≥ 0,
//        v_b = v⁺ + ½w a_b,   q_b = q_a + ½w (v_a + v_b)
//      M, H, g_t at t_a + ½w, q_a + ½w v_a;  a_a, a_b: accelerations before and after, contact forces included
//   4. again from t_b, until t_k + h.
// Release: where the force of a closed contact becomes negative, bracketed likewise; the Runge-Kutta step to t_b, then
// the contact problem 0 ≤ Γ ⊥ λ ≥ 0 decides who opens (Delassus: not always the one whose force is negative).
// Closing rule: a rebound with U⁺ ≤ |Γ| δ has no flight; the contact is closed, U = 0. δ is w, but at least the
// resolution of time, and such that the height of the flight, U²/(2|Γ|), is above the round-off of the gap. If events
// are not repeated, δ is h at least. Closed contacts are projected to g = 0, U = 0 after every Runge-Kutta step.
//
// Departures: (41) has the force at one instant and the law with U_a in place of U⁻, a difference of O(w) that the
// bracket has anyway; with e = 1 this form keeps the energy wherever in the bracket the impact is. A position that the
// Moreau step leaves inside the obstacle of the event is moved to its surface, O(w) again. w is at most h/10, at most
// an eighth of the flight before it, and at least the resolution of time.
#include "ricochet/scheme/mannshardt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/core/quantity.hpp"
#include "ricochet/runge_kutta/tableau.hpp"
#include "scheme/describe.hpp"
#include "scheme/event/bracket.hpp"
#include "scheme/event/mannshardt_contacts.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/held_contacts_step.hpp"

namespace ricochet {
namespace {

class MannshardtStepper final : public Stepper {
 public:
  MannshardtStepper(const Model& model, const Mannshardt& settings, const ComplementaritySettings& solver)
      : nc_(model.nc()),
        settings_(settings),
        step_(model, find_tableau(settings.tableau)),
        slips_(model.ns()),
        contacts_(model, step_.flow(), solver) {
    scale_.repeat = settings.repeat;
  }

  void begin(const State&) override { settled_ = false; }
  FailureKind advance(State& state, double h, double t_end, StepReport& report) override;

  std::string failure_detail() const override;
  StepCounts counts() const override {
    StepCounts counts = step_.counts();
    counts.contact_problems = contacts_.problems();
    return counts;
  }
  std::vector<std::string> notes() const override {
    if (scale_.repeat || nc_ == 0) return {};
    return {
        "with repeat = off only the first event of a step is located: what follows it in the same step is met at the "
        "next node, and a contact closes where its next flight would be shorter than two steps"};
  }
  std::vector<std::string> remarks() const override;
  void reactions(const State& state, double* lambda) override { step_.flow().reactions(state, lambda); }

 private:
  // Where a gap closes on the last attempt: t_a and t_b from where it set out. Without crossing only t_a counts.
  struct Location {
    double a = 0.0, b = 0.0;
    bool crosses = false;
  };

  FailureKind settle() {
    continued_ = false;
    settled_ = true;
    return watched_ > 0 ? contacts_.reset(t_, y_.data(), scale_) : FailureKind::none;
  }
  void prepare(const State& state, double h, double t_end);
  FailureKind sub_step(StepReport& report);
  FailureKind try_rest(double& length);
  FailureKind follow(double length);
  // The motion after s, and its gaps.
  FailureKind evaluate(double s) {
    if (const FailureKind kind = step_.attempt(s); kind != FailureKind::none) return kind;
    contacts_.measure(step_.end_time(), step_.end());
    return FailureKind::none;
  }
  FailureKind keep_slips(Location& found);
  FailureKind locate(int j, double guess, double length, Location& found);
  FailureKind enclose(int j, double guess, double length, Location& found);
  FailureKind shrink(int j, double f_lower, double f_upper, Location& found);
  template <class Function>
  FailureKind narrow(Bracket& bracket, const Function& function);
  bool pulls(double& where) const;
  FailureKind least_margin(double s, double& least);
  FailureKind locate_release(double where, double length, bool& released);
  FailureKind accept(double length);
  FailureKind cross(double width) {
    const double t0 = t_;
    move_on(width);
    continued_ = false;
    in_vain_ = 0;
    searching_ = scale_.repeat;
    roughly_ = roughly_ || scale_.width >= 0.1 * scale_.h;
    return contacts_.cross(t0, width, t_, y_.data(), scale_);
  }
  FailureKind release_at_once() {
    for (int j = 0; j < watched_; ++j) lambda_[j] = step_.start_force(j);
    name_changes();
    continued_ = false;
    return contacts_.release(t_, y_.data(), lambda_.data(), scale_);
  }
  // What is below 0 in lambda_: the least force of a closed contact, the margin of a friction.
  double margin(int j, double output) const {
    if (j >= nc_) return output;
    return contacts_.is_closed(j) ? output - contacts_.least_force(j) : std::numeric_limits<double>::infinity();
  }
  // Frictions that have come to the end of their mode, at the last evaluation of the flow.
  void name_changes() {
    const HeldContactsOde& flow = step_.flow();
    for (int k = 0; k < flow.modes().size(); ++k) {
      if (!(lambda_[nc_ + k] < 0.0)) continue;
      if (flow.modes()[k].mode == FrictionMode::stick) {
        contacts_.slip(k, flow.friction_force(k));
      } else {
        contacts_.stop(k);
      }
    }
  }
  void move_on(double length) {
    elapsed_ += length;
    if (elapsed_ >= scale_.h - scale_.resolution) elapsed_ = scale_.h;
    t_ = elapsed_ == scale_.h ? t_end_ : t_begin_ + elapsed_;
  }
  double width_before(double upper) const { return std::max(scale_.resolution, std::min(scale_.width, 0.125 * upper)); }

  const int nc_;
  const Mannshardt settings_;
  HeldContactsStep step_;
  const int watched_ = step_.flow().outputs(), slips_;  // contacts and frictions
  MannshardtContacts contacts_;
  EventScale scale_;

  std::vector<double> y_ = zeros(step_.size()), lambda_ = zeros(watched_);
  double t_begin_ = 0.0, t_end_ = 0.0, t_ = 0.0, elapsed_ = 0.0;
  double wanted_width_ = 0.0;  // C h^{p+1}, at most h/10
  long events_ = 0;
  int in_vain_ = 0;  // attempts since the last event
  bool settled_ = false, continued_ = false, searching_ = true;
  bool roughly_ = false;  // an event was located to a tenth of a step only
  FailureKind failure_ = FailureKind::none;
};

void MannshardtStepper::prepare(const State& state, double h, double t_end) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  step_.flow().pack(state, y_);
  t_begin_ = t_ = state.t;
  t_end_ = t_end;
  elapsed_ = 0.0;
  events_ = 0;
  in_vain_ = 0;
  searching_ = watched_ > 0;
  if (h != scale_.h) wanted_width_ = std::min(settings_.bracket * std::pow(h, step_.order() + 1), 0.1 * h);
  scale_.h = h;
  scale_.resolution = 16.0 * epsilon * std::max({std::abs(t_begin_), std::abs(t_end), h});
  scale_.width = std::max(wanted_width_, scale_.resolution);
  // After some thousand steps positions know the times of impacts no better.
  scale_.together = 4096.0 * scale_.resolution;
  contacts_.clear_report();
}

FailureKind MannshardtStepper::advance(State& state, double h, double t_end, StepReport& report) {
  prepare(state, h, t_end);
  failure_ = settled_ ? FailureKind::none : settle();
  if (failure_ != FailureKind::none) return failure_;
  while (elapsed_ < h) {
    failure_ = report.interrupted() ? FailureKind::interrupted : sub_step(report);
    if (failure_ != FailureKind::none) return failure_;
  }

  step_.flow().unpack(y_.data(), state);
  state.t = t_end;
  contacts_.end_report(t_begin_, report);
  return FailureKind::none;
}

// Up to the next event, or to the end of the step.
FailureKind MannshardtStepper::sub_step(StepReport& report) {
  constexpr long most_events = 1'000'000;
  if (++events_ > most_events) return FailureKind::events_do_not_end;
  const double rest = scale_.h - elapsed_;
  const bool at_once = nc_ > 0 && contacts_.set_out(t_, y_.data(), scale_);
  for (int j = 0; j < nc_ && elapsed_ == 0.0; ++j) report.violation = std::max(report.violation, -contacts_.gap(j));
  if (at_once && searching_) return cross(std::min(scale_.width, rest));
  if (const FailureKind kind = step_.begin(t_, y_.data(), continued_); kind != FailureKind::none) return kind;
  for (int j = 0; j < watched_ && searching_; ++j)
    if (margin(j, step_.start_force(j)) < 0.0) return release_at_once();

  double length = rest;
  if (const FailureKind kind = try_rest(length); kind != FailureKind::none) return kind;
  return searching_ ? follow(length) : accept(length);
}

// Beyond an obstacle forces may be undefined: then a part of the rest will do. Up to the obstacle that is so a number
// of times that halves can be taken of halves; what goes on without one is noise.
FailureKind MannshardtStepper::try_rest(double& length) {
  constexpr int most_halvings = 40, most_in_vain = most_halvings * most_halvings;
  FailureKind kind = step_.attempt(length);
  for (int k = 0; k < most_halvings && kind != FailureKind::none && searching_ && ++in_vain_ < most_in_vain; ++k) {
    length *= 0.5;
    kind = step_.attempt(length);
  }
  return kind;
}

// The last attempt, cut off at its first event.
FailureKind MannshardtStepper::follow(double length) {
  Location found{.a = length};
  if (contacts_.any_open()) {
    const std::optional<GapSearch::Event> event = contacts_.search(step_.positions());
    if (event && event->lost) return contacts_.lose(*event);
    if (event) {
      const FailureKind kind = locate(event->constraint, event->theta * length, length, found);
      if (kind != FailureKind::none) return kind;
    }
  }
  if (found.a > 0.0 && step_.flow().is_held()) {
    if (const FailureKind kind = step_.evaluate_end(); kind != FailureKind::none) return kind;
    if (const FailureKind kind = keep_slips(found); kind != FailureKind::none) return kind;
    double where = 0.0;
    bool released = false;
    if (pulls(where))
      if (const FailureKind kind = locate_release(where, found.a, released); kind != FailureKind::none || released)
        return kind;
  }
  if (found.a > 0.0)
    if (const FailureKind kind = accept(found.a); kind != FailureKind::none) return kind;
  return found.crosses ? cross(found.b - found.a) : FailureKind::none;
}

// Near its stop a slip in space turns ever faster: a step leaves a third of it, until what is left, or the time to go,
// is a small share of what there has been.
FailureKind MannshardtStepper::keep_slips(Location& found) {
  constexpr double third = 1.0 / 3.0, short_time = 0x1p-12, little = 1e7;  // in units of round-off: 1e-6 of the speeds
  const auto vanishes = [&] {
    const HeldContactsOde& flow = step_.flow();
    for (int k = 0; k < flow.modes().size(); ++k) {
      const FrictionModes::Entry& entry = flow.modes()[k];
      const bool turns = entry.mode == FrictionMode::slide && entry.rows > 1 && flow.acts(k);
      const double slip = step_.start_force(nc_ + k);
      if (turns && slip > little * entry.floor && step_.end_force(nc_ + k) < third * slip) return true;
    }
    return false;
  };
  while (found.a > short_time * scale_.h && vanishes()) {
    found = {.a = 0.5 * found.a};
    if (const FailureKind kind = try_rest(found.a); kind != FailureKind::none) return kind;
    if (const FailureKind kind = step_.evaluate_end(); kind != FailureKind::none) return kind;
  }
  return FailureKind::none;
}

// The bracket of the first crossing; afterwards the last attempt ends at t_a.
FailureKind MannshardtStepper::locate(int j, double guess, double length, Location& found) {
  constexpr int most_contacts = 16;
  for (int k = 0; k < most_contacts; ++k) {
    if (const FailureKind kind = enclose(j, guess, length, found); kind != FailureKind::none) return kind;
    if (found.a <= 0.0) return FailureKind::none;
    if (step_.length() != found.a)
      if (const FailureKind kind = evaluate(found.a); kind != FailureKind::none) return kind;
    // Another contact may have closed before.
    contacts_.measure(step_.end_time(), step_.end());
    const int earlier = contacts_.passed(j);
    if (earlier < 0) return FailureKind::none;
    j = earlier;
    length = found.a;
    guess = length + contacts_.distance(j) / -contacts_.rate(j);
  }
  return FailureKind::none;
}

FailureKind MannshardtStepper::enclose(int j, double guess, double length, Location& found) {
  constexpr int most_tries = 20;
  contacts_.measure(step_.end_time(), step_.end());
  double upper = length, f_upper = contacts_.approach(j, length), lower = 0.0, f_lower = contacts_.approach(j, 0.0);
  bool has_upper = f_upper <= 0.0;
  if (has_upper) contacts_.name_event(j, scale_.together);
  if (!has_upper && contacts_.is_still(j, length)) {
    found = {.a = length};
    return FailureKind::none;
  }

  // Inside the step it may open again: a point beyond the crossing is needed.
  double s = std::clamp(guess, std::min(scale_.resolution, length), length);
  for (int k = 0; k < most_tries; ++k) {
    if (const FailureKind kind = evaluate(s); kind != FailureKind::none) return kind;
    const double f = contacts_.approach(j, s), U = contacts_.rate(j);
    if (f <= 0.0) {
      contacts_.name_event(j, scale_.together);
      has_upper = true;
      upper = s, f_upper = f;
      break;
    }
    lower = s, f_lower = f;
    if (has_upper) break;
    // The quartic of the search was wrong by O(h⁵), as where a gap opens from rest.
    if (!(U < 0.0) && s < 1e-3 * length) {
      s *= 16.0;
      continue;
    }
    if (!(U < 0.0) || s >= length) {
      found = {.a = s};
      return FailureKind::none;
    }
    // Where rates say that it is open the gap may be below 0 by round-off: on from here all the same.
    s = std::min(length, s + 2.0 * std::max(0.0, contacts_.distance(j)) / -U + scale_.width);
  }
  found = {.a = lower, .b = upper, .crosses = has_upper};
  return has_upper ? shrink(j, f_lower, f_upper, found) : FailureKind::none;
}

FailureKind MannshardtStepper::shrink(int j, double f_lower, double f_upper, Location& found) {
  Bracket bracket(found.a, f_lower, found.b, f_upper);
  const FailureKind kind = narrow(bracket, [&](double s, double& f) {
    if (const FailureKind failure = evaluate(s); failure != FailureKind::none) return failure;
    f = contacts_.approach(j, s);
    if (f <= 0.0) contacts_.name_event(j, scale_.together);
    return FailureKind::none;
  });
  // What is not solved for, as next to where a slip in space vanishes, may be from nearer by.
  if (kind != FailureKind::none && bracket.lower() > scale_.resolution) {
    found = {.a = bracket.lower()};
    return FailureKind::none;
  }
  found = {.a = bracket.lower(), .b = bracket.upper(), .crosses = true};
  return kind;
}

// As narrow as an event is located, by the function f(s).
template <class Function>
FailureKind MannshardtStepper::narrow(Bracket& bracket, const Function& function) {
  while (bracket.width() > width_before(bracket.upper())) {
    const double s = bracket.next(0.5 * width_before(bracket.upper()));
    if (!(s > bracket.lower() && s < bracket.upper())) break;
    double f = 0.0;
    if (const FailureKind kind = function(s, f); kind != FailureKind::none) return kind;
    bracket.take(s, f);
  }
  return FailureKind::none;
}

// Whether a closed contact pulls at a stage or at the end of the last attempt; where it does first.
bool MannshardtStepper::pulls(double& where) const {
  where = 2.0;
  for (int j = 0; j < watched_; ++j) {
    if (margin(j, step_.end_force(j)) < 0.0) where = std::min(where, 1.0);
    for (int i = 0; i < step_.stages(); ++i)
      if (margin(j, step_.stage_force(i, j)) < 0.0) where = std::min(where, step_.stage_place(i));
  }
  return where <= 1.0;
}

// The force of the closed contact that is nearest to pulling, after s. What the last attempt has reached is not solved
// for again: where slips vanish a second solution need not be found from the first.
FailureKind MannshardtStepper::least_margin(double s, double& least) {
  if (step_.length() != s)
    if (const FailureKind kind = step_.attempt(s); kind != FailureKind::none) return kind;
  if (const FailureKind kind = step_.evaluate_end(); kind != FailureKind::none) return kind;
  least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < watched_; ++j) {
    lambda_[j] = step_.end_force(j);
    least = std::min(least, margin(j, lambda_[j]));
  }
  return FailureKind::none;
}

// Goes to where the first force becomes negative, if there is such a point.
FailureKind MannshardtStepper::locate_release(double where, double length, bool& released) {
  constexpr int most_further = 8;
  double begin = std::numeric_limits<double>::infinity(), f = 0.0, upper = length;
  for (int j = 0; j < watched_; ++j) begin = std::min(begin, margin(j, step_.start_force(j)));
  if (const FailureKind kind = least_margin(upper, f); kind != FailureKind::none) return kind;
  if (f >= 0.0 && where > 0.0 && where < 1.0) {
    upper = where * length;
    if (const FailureKind kind = least_margin(upper, f); kind != FailureKind::none) return kind;
  }
  released = f < 0.0;
  if (!released) return step_.attempt(length);

  Bracket bracket(0.0, begin, upper, f);
  const auto least = [&](double place, double& value) { return least_margin(place, value); };
  // Next to where a slip in space vanishes its direction turns without bound: up to there by shorter steps.
  while (narrow(bracket, least) != FailureKind::none) {
    upper = 0.5 * bracket.upper();
    if (const FailureKind kind = try_rest(upper); kind != FailureKind::none) return kind;
    if (const FailureKind kind = least_margin(upper, f); kind != FailureKind::none) return kind;
    if (f >= 0.0) return accept(upper);
    bracket = Bracket(0.0, begin, upper, f);
  }
  // Round-off of another iteration may have it still before the end of the mode there.
  double s = bracket.upper();
  if (const FailureKind kind = least_margin(s, f); kind != FailureKind::none) return kind;
  for (int k = 0; k < most_further && f >= 0.0; ++k) {
    s += std::ldexp(scale_.resolution, k);
    if (const FailureKind kind = least_margin(s, f); kind != FailureKind::none) return kind;
  }
  name_changes();
  if (const FailureKind kind = accept(s); kind != FailureKind::none) return kind;
  continued_ = false;
  searching_ = scale_.repeat;
  return contacts_.release(t_, y_.data(), lambda_.data(), scale_);
}

// The last attempt counts.
FailureKind MannshardtStepper::accept(double length) {
  std::copy(step_.end(), step_.end() + step_.size(), y_.begin());
  contacts_.add_works({.input = step_.input(), .damping = step_.damping(), .friction = step_.friction()});
  for (int s = 0; s < slips_; ++s) contacts_.add_slip_impulse(s, step_.slip_impulse(s));
  move_on(length);
  continued_ = true;
  if (!step_.flow().is_held() && !step_.flow().has_joints()) return FailureKind::none;
  step_.look();
  for (int j = 0; j < nc_; ++j)
    if (contacts_.is_closed(j)) contacts_.add_impulse(j, step_.impulse(j));
  return contacts_.project(t_, y_.data());
}

std::string MannshardtStepper::failure_detail() const {
  if (failure_ == FailureKind::not_finite && !contacts_.has_lost()) return nothing_lost_text;
  return contacts_.failure_detail(failure_, t_, y_.data());
}

std::vector<std::string> MannshardtStepper::remarks() const {
  std::vector<std::string> all = contacts_.remarks();
  if (roughly_)
    all.push_back("impacts were located to a tenth of a step only, which is less than C h^(p+1) with C = " +
                  to_text(settings_.bracket) + ": a smaller bracket would be more accurate");
  return all;
}

}  // namespace

void describe(ParameterTable& table, Mannshardt& scheme) {
  std::vector<std::string> tables;
  for (const Tableau& tableau : tableaus()) tables.emplace_back(tableau.name);
  table("tableau", "", "Butcher table of the smooth motion; its order is p", scheme.tableau, {.words = tables});
  table("bracket", "C", "events are located to C h^(p+1); 0: as well as numbers allow", scheme.bracket, {.lower = 0.0});
  table("repeat", "", "whether further events in the same step are located too", scheme.repeat);
}

Mannshardt::operator Scheme() const { return scheme_of("mannshardt", *this); }

template <>
SchemeEntry scheme_entry<Mannshardt>() {
  return {
      .name = "mannshardt",
      .summary = "Runge-Kutta of any order at a fixed step, impacts located inside it, one Moreau step across each",
      .explanation =
          "Between events the motion is a Runge-Kutta step of the chosen table, with the forces of closed contacts at "
          "its stages; the default, Gauss with two stages, is implicit and symplectic. Where a gap closes or a contact "
          "force vanishes the step is cut, the event bracketed to C h^(p+1), and one Moreau step goes over it, again "
          "and again until the step is filled: accumulations keep the order. A contact whose next flight would be "
          "shorter than the bracket closes, and the result says when and after how many impacts. The step must resolve "
          "the smooth motion; forces far beyond an obstacle are looked at while an impact is searched for.",
      .order =
          "p of the table in free flight, in lasting contact and across impacts, accumulations included (position in "
          "the sup norm): 4 for gauss-2, 6 for gauss-3",
      .literature =
          "R. Mannshardt, One-step methods of any order for ordinary differential equations with discontinuous "
          "right-hand sides, Numer. Math. 31 (1978) 131, doi:10.1007/BF01397472; V. Acary, Higher order event "
          "capturing time-stepping schemes for nonsmooth multibody systems with unilateral constraints and impacts, "
          "Appl. Numer. Math. 62 (2012) 1259, doi:10.1016/j.apnum.2012.06.026",
      .flight_order = 4.0,
      .impact_order = 4.0,
      .parameters = parameters_of<Mannshardt>(),
      .traits = always<Traits{
          .takes_states = true, .takes_friction = true, .locates_impacts = true, .energy_identity = false}>,
      .make = make_as<Mannshardt, MannshardtStepper>,
  };
}

}  // namespace ricochet
