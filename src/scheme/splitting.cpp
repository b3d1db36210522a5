// Splitting [Acary 2018, (140)-(143)]: smooth motion over the step, then the impacts at its end.
//
//   (q₁, v₁⁻) = flow of  q' = v,  M v' = F + H λ  over h, one explicit Runge-Kutta step                (1)
//   0 ≤ Γ ⊥ λ ≥ 0 on closed contacts, or λ = 0 without contact forces                                  (2)
//   v₁ = v₁⁻ + M⁻¹ H P,   0 ≤ U₁ + e U₁⁻ ⊥ P ≥ 0 where g(t₁, q₁) ≤ 0                                   (3)
//
// When a contact closes, which the source leaves open: an impact (g ≤ 0, the predicate of (3)) slower than what the
// forces do to the rate in one step, |U⁻| ≤ h|Γ| with Γ < 0, has no rebound, and what has no rebound is closed from
// then on until Γ > 0. A closed contact that presses is held at g = 0, U = 0 at the nodes.
//
// Adaptive steps: the table's embedded result estimates the error of (1), and a step that would go deeper into an
// obstacle than the tolerance is cut where the gap closes. The contact then closes where the flight after the impact
// would stay within the tolerance, (eU⁻)² ≤ 2|Γ| tol.
#include "ricochet/scheme/splitting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "contact/impact_angles.hpp"
#include "contact/lasting_contacts.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/kernel/event_step_control.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/unilateral_contacts_ode.hpp"

namespace ricochet {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

class SplittingStepper final : public Stepper {
 public:
  SplittingStepper(const Model& model, const Splitting& scheme, const ComplementaritySettings& solver)
      : model_(model),
        layout_(model.layout()),
        nq_(model.nq()),
        nc_(model.nc()),
        scheme_(scheme),
        adaptive_(scheme.steps == Splitting::Steps::adaptive),
        flow_(model, solver),
        engine_(find_tableau(scheme.tableau), flow_.size(), nc_),
        steps_(engine_.tableau(), model, flow_.size(), scheme.rtol, scheme.atol),
        lasting_(model, solver),
        angles_(model),
        search_(model),
        dense_(flow_.size()),
        y0_(zeros(flow_.size())),
        y1_(y0_),
        y_inside_(y0_),
        H_(zeros(layout_.gradient.size())) {
    for (std::vector<double>* x : {&g0_, &U0_, &g1_, &g_t_, &impulse_, &tolerance_}) *x = zeros(nc_);
  }

  void begin(const State& state) override {
    ContactAcceleration<double>& contacts = flow_.contacts();
    contacts.open_all();
    if (scheme_.contact_forces) contacts.close_touching(state.t, state.q.data(), state.v.data());
    lasting_.begin(contacts);
    fresh_ = true;
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    if (!adaptive_) return failure_ = fixed_step(state, h, t_end, report);
    if (std::exchange(fresh_, false)) {
      flow_.pack(state, y0_);
      steps_.begin(state.t, y0_.data(), h);
    }
    while (state.t < t_end) {
      failure_ = report.interrupted() ? FailureKind::interrupted : adaptive_step(state, h, t_end, report);
      if (failure_ != FailureKind::none) return failure_;
    }
    return FailureKind::none;
  }

  std::string failure_detail() const override {
    if (failure_ == FailureKind::step_too_small)
      return "the tolerances ask for a step of " + to_text(last_trial_) + "; larger ones would help";
    const Delassus<double>& problem = in_flow_ ? flow_.contacts().problem() : lasting_.problem();
    return failure_text(model_, failure_,
                        {y1_.data(), y1_.data() + nq_, y1_.data() + 2 * nq_, flow_.contacts().force(),
                         lasting_.contacts().restitutions(), &problem});
  }
  bool ledger_is_exact() const override { return false; }
  StepCounts counts() const override {
    return {.force_evaluations = flow_.evaluations(),
            .contact_problems = flow_.problems() + lasting_.problems(),
            .accepted = steps_.accepted(),
            .rejected = steps_.rejected()};
  }
  std::vector<std::string> notes() const override;

 private:
  static std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }
  double* q1() { return y1_.data(); }
  double* v1() { return y1_.data() + nq_; }

  FailureKind fixed_step(State& state, double h, double t1, StepReport& report);
  FailureKind adaptive_step(State& state, double longest, double t_end, StepReport& report);
  FailureKind start(const State& state);
  FailureKind flow(double t0, double h);
  FailureKind end(double t0, double h, double t1);
  void finish(State& state, double h, double t1, StepReport& report);
  void measure_begin(double t0);
  bool is_short(int j, double h, double U_minus, double Gamma) const;
  double crossing(int j, double h) const;

  void watch_gaps(double t0);
  std::optional<double> landing(double t0, double h, int attempt);
  double gap_tolerance(int j, double t) const;
  double rate_inside(int j, double theta);

  const Model& model_;
  const Layout& layout_;
  const int nq_, nc_;
  const Splitting scheme_;
  const bool adaptive_;
  UnilateralContactsOde flow_;
  ExplicitRungeKutta engine_;
  EventStepControl steps_;
  LastingContacts lasting_;
  ImpactAngles angles_;
  GapSearch search_;
  DenseOutput dense_;

  std::vector<double> y0_, y1_;       // begin and end of the step
  std::vector<double> g0_, U0_, g1_;  // gaps and rates there
  std::vector<double> y_inside_, H_, g_t_, impulse_, tolerance_;
  bool fresh_ = true, in_flow_ = false, measured_ = false, touched_ = false;
  double last_trial_ = 0.0;
  LedgerTerms<double> ledger_;
  FailureKind failure_ = FailureKind::none;
};

// The begin of a step: forces there, and contacts that open.
FailureKind SplittingStepper::start(const State& state) {
  flow_.pack(state, y0_);
  ledger_ = {};
  measured_ = false;
  for (int j = 0; j < nc_; ++j) flow_.contacts().close(j, lasting_.is_closed(j));
  in_flow_ = true;
  if (!engine_.evaluate_start(flow_, state.t, y0_.data()))
    return flow_.contacts().failure() == FailureKind::none ? FailureKind::not_finite : flow_.contacts().failure();
  in_flow_ = false;
  // Forces at this point are the same whether those without are closed or open.
  lasting_.open_unloaded(flow_.contacts());
  for (int j = 0; j < nc_; ++j) flow_.contacts().close(j, lasting_.is_closed(j));
  model_.gap(state.t, y0_.data(), g0_.data());
  return FailureKind::none;
}

// (1) and (2)
FailureKind SplittingStepper::flow(double t0, double h) {
  in_flow_ = true;
  const OdeStatus status = engine_.step(flow_, t0, h, y0_.data(), y1_.data(), Start::same);
  if (status == OdeStatus::done) {
    in_flow_ = false;
    return FailureKind::none;
  }
  const FailureKind kind = flow_.contacts().failure();
  return status == OdeStatus::evaluation_failed && kind != FailureKind::none ? kind : FailureKind::not_finite;
}

void SplittingStepper::measure_begin(double t0) {
  if (std::exchange(measured_, true)) return;
  model_.gap_gradient(t0, y0_.data(), H_.data());
  model_.gap_time_derivative(t0, y0_.data(), U0_.data());
  for (int j = 0; j < nc_; ++j) U0_[j] += column_dot(layout_.gradient, H_.data(), j, y0_.data() + nq_);
}

// The end of a step: lasting contacts are held, then (3).
FailureKind SplittingStepper::end(double t0, double h, double t1) {
  bool touches = false;
  model_.gap(t1, q1(), g1_.data());
  for (int j = 0; j < nc_; ++j) {
    impulse_[j] = flow_.impulse(y1_.data(), j);
    touches = touches || lasting_.is_closed(j) || g1_[j] <= 0.0;
  }
  ledger_.input += flow_.input(y1_.data());
  ledger_.damping += flow_.damping(y1_.data());
  touched_ = touches;
  if (!touches) return FailureKind::none;

  measure_begin(t0);
  ContactAcceleration<double>* forces = scheme_.contact_forces ? &flow_.contacts() : nullptr;
  in_flow_ = true;
  if (forces != nullptr && !engine_.evaluate_end(flow_)) return flow_.contacts().failure();
  in_flow_ = false;
  if (const FailureKind kind = lasting_.place(t1, q1()); kind != FailureKind::none) return kind;
  if (const FailureKind kind = lasting_.hold(t1, q1(), v1(), flow_.contacts().multiplier()); kind != FailureKind::none)
    return kind;
  const FailureKind kind =
      lasting_.settle(t1, q1(), v1(), y1_.data() + 2 * nq_, forces,
                      [&](int j, double U_minus, double, double Gamma) { return is_short(j, h, U_minus, Gamma); });
  ledger_ += lasting_.ledger();
  for (int j = 0; j < nc_; ++j) impulse_[j] += lasting_.impulse(j);
  return kind;
}

bool SplittingStepper::is_short(int j, double h, double U_minus, double Gamma) const {
  if (!(Gamma < 0.0) || !lasting_.was_struck(j)) return false;
  if (!adaptive_) return std::abs(U_minus) <= h * -Gamma;
  const double rebound = lasting_.contacts().restitution(j) * U_minus;
  return rebound * rebound <= 2.0 * -Gamma * tolerance_[j];
}

// When the gap closed, counted from the begin: on the cubic through gaps and rates at both ends.
double SplittingStepper::crossing(int j, double h) const {
  const double g0 = g0_[j], g1 = g1_[j], d0 = h * U0_[j], d1 = h * lasting_.rate_minus(j);
  if (!(g0 > 0.0)) return d0 < 0.0 ? 0.0 : h;
  const double c2 = 3.0 * (g1 - g0) - 2.0 * d0 - d1, c3 = 2.0 * (g0 - g1) + d0 + d1;
  double lower = 0.0, upper = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double x = 0.5 * (lower + upper);
    (g0 + x * (d0 + x * (c2 + x * c3)) > 0.0 ? lower : upper) = x;
  }
  return upper * h;
}

void SplittingStepper::finish(State& state, double h, double t1, StepReport& report) {
  report.energy.add(ledger_);
  const std::size_t first = report.contacts.size();
  for (int j = 0; j < nc_; ++j) {
    report.violation = std::max(report.violation, -g0_[j]);
    if (!(impulse_[j] > 0.0)) continue;
    // Adaptive steps end where the gap closes: what rebounds, or stops for want of restitution, is an impact.
    const bool struck = touched_ && lasting_.was_struck(j);
    const bool impact = adaptive_ && struck && lasting_.rate_minus(j) < 0.0;
    const bool settles = impact && lasting_.is_closed(j) && lasting_.contacts().restitution(j) > 0.0;
    ContactReport contact{.constraint = j, .t = state.t, .impulse = impulse_[j]};
    if (struck) {
      contact.t += crossing(j, h);
      contact.rate_minus = lasting_.rate_minus(j), contact.rate_plus = lasting_.rate_plus(j);
      contact.loss = lasting_.loss(j);
    }
    if (settles || !impact) contact.smooth_rate_change = contact.rate_minus - U0_[j];
    report.contacts.push_back(contact);
  }
  flow_.unpack(y1_.data(), state);
  state.t = t1;
  if (adaptive_ && report.contacts.size() > first)
    angles_.decide_impacts(state, 0.0, std::span(report.contacts).subspan(first));
}

FailureKind SplittingStepper::fixed_step(State& state, double h, double t1, StepReport& report) {
  if (const FailureKind kind = start(state); kind != FailureKind::none) return kind;
  if (const FailureKind kind = flow(state.t, h); kind != FailureKind::none) return kind;
  if (const FailureKind kind = end(state.t, h, t1); kind != FailureKind::none) return kind;
  finish(state, h, t1, report);
  return FailureKind::none;
}

// One step of at most `longest` that ends at t_end at the latest.
FailureKind SplittingStepper::adaptive_step(State& state, double longest, double t_end, StepReport& report) {
  if (const FailureKind kind = start(state); kind != FailureKind::none) return kind;
  watch_gaps(state.t);
  const double remaining = t_end - state.t, shortest = 16.0 * epsilon * std::abs(state.t) + 1e-290;
  double h = std::min(steps_.proposal(), longest), error = 0.0;
  for (int attempt = 0;;) {
    if (attempt == 0 && 1.01 * h >= remaining) h = remaining;
    last_trial_ = h;
    const FailureKind kind = flow(state.t, h);
    error = kind == FailureKind::none ? steps_.error(engine_, y0_.data(), y1_.data(), h) : 0.0;
    if (kind != FailureKind::none || !(error <= 1.0)) {
      kind != FailureKind::none ? steps_.failed(h) : steps_.rejected(h, error);
      h = steps_.proposal();
      if (h <= shortest) return kind != FailureKind::none ? kind : FailureKind::step_too_small;
      continue;
    }
    const std::optional<double> shorter = landing(state.t, h, attempt++);
    if (!shorter) break;
    steps_.count_rejected();
    h = std::max(*shorter, shortest);
  }
  const bool is_last = h == remaining;
  const double t1 = is_last ? t_end : state.t + h;
  steps_.accepted(h, error, h < steps_.proposal());
  if (const FailureKind kind = end(state.t, h, t1); kind != FailureKind::none) return kind;
  finish(state, h, t1, report);
  return FailureKind::none;
}

// What is looked for in a step: where an open gap closes, or one that begins with an opening rate is back again.
void SplittingStepper::watch_gaps(double t0) {
  if (nc_ == 0) return;
  measure_begin(t0);
  for (int j = 0; j < nc_; ++j) {
    tolerance_[j] = gap_tolerance(j, t0);
    search_.watch(j) = lasting_.is_closed(j)
                           ? GapSearch::Watch::no
                           : (g0_[j] > 0.0 ? GapSearch::Watch::open
                                           : (U0_[j] > 0.0 ? GapSearch::Watch::bounced : GapSearch::Watch::no));
  }
}

// The errors that q is allowed, seen by the gap, and what the resolution of time makes of its rate; H at the begin.
double SplittingStepper::gap_tolerance(int j, double t) const {
  double sum = 0.0;
  for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) {
    const int i = layout_.gradient.row[k];
    sum += std::abs(H_[k]) * (steps_.allowed(i, std::abs(y0_[i])) + 64.0 * epsilon * std::abs(t * y0_[nq_ + i]));
  }
  return sum;
}

// U_j inside the step.
double SplittingStepper::rate_inside(int j, double theta) {
  const double t = dense_.t0() + theta * dense_.h();
  dense_.value(theta, y_inside_.data());
  model_.gap_gradient(t, y_inside_.data(), H_.data());
  model_.gap_time_derivative(t, y_inside_.data(), g_t_.data());
  return g_t_[j] + column_dot(layout_.gradient, H_.data(), j, y_inside_.data() + nq_);
}

// Nothing if the step of h ends no deeper in an obstacle than the tolerance; otherwise the length of one that does:
// to where the gap closes, and on by half of what is tolerated, less with every attempt.
std::optional<double> SplittingStepper::landing(double t0, double h, int attempt) {
  constexpr int most_attempts = 60;
  if (nc_ == 0 || attempt >= most_attempts || !engine_.dense_output(flow_, dense_)) return std::nullopt;
  std::optional<GapSearch::Event> event = search_.first(dense_);
  for (int j = 0; j < nc_ && !event; ++j)
    if (!lasting_.is_closed(j) && g0_[j] <= 0.0 && U0_[j] < 0.0) event = GapSearch::Event{j, 0.0, false};
  if (!event) return std::nullopt;

  bool landed = false, too_deep = false;
  model_.gap(t0 + h, q1(), g1_.data());
  for (int j = 0; j < nc_; ++j) {
    if (lasting_.is_closed(j)) continue;
    landed = landed || (j == event->constraint && g1_[j] <= 0.0);
    too_deep = too_deep || -g1_[j] > std::max(0.0, -g0_[j]) + tolerance_[j];
  }
  if (landed && !too_deep) return std::nullopt;

  const int j = event->constraint;
  const double speed = std::abs(rate_inside(j, event->theta));
  const double further = std::min(h, std::ldexp(tolerance_[j], -1 - attempt) / std::max(speed, 1e-300));
  return std::min(event->theta * h + further, h);
}

std::vector<std::string> SplittingStepper::notes() const {
  if (scheme_.contact_forces || nc_ == 0) return {};
  return {
      "contact_forces is off: a body at rest on an obstacle sinks into it by h |f| (1 - e)/(2 (1 + e)) per unit time, "
      "f being the acceleration that presses it on; contact_forces = \"on\" holds it"};
}

std::unique_ptr<Stepper> make(const Model& model, const Splitting& scheme, const ComplementaritySettings& solver) {
  const bool adaptive = scheme.steps == Splitting::Steps::adaptive;
  if (adaptive && find_tableau(scheme.tableau).b_embedded.empty())
    throw InputError("scheme.tableau",
                     scheme.tableau + " has no error estimate for adaptive steps; rkf45 and dormand-prince do");
  if (adaptive && !scheme.contact_forces)
    throw InputError("scheme.steps",
                     "must be fixed without contact forces: impacts that accumulate would need ever smaller steps");
  return std::make_unique<SplittingStepper>(model, scheme, solver);
}

Traits traits_of(const Splitting& scheme) {
  return {.takes_states = true, .chooses_steps = scheme.steps == Splitting::Steps::adaptive, .energy_identity = false};
}

}  // namespace

void describe(ParameterTable& table, Splitting& scheme) {
  std::vector<std::string> explicit_tables;
  for (const Tableau& tableau : tableaus())
    if (tableau.is_explicit) explicit_tables.emplace_back(tableau.name);
  table("contact_forces", "λ", "whether lasting contacts push during the smooth motion; off: a body at rest sinks",
        scheme.contact_forces);
  table("tableau", "", "the Runge-Kutta table of the smooth motion", scheme.tableau, {.words = explicit_tables});
  table("steps", "h", "one step of the table a step, or adaptive: smaller ones where rtol and atol ask for them",
        scheme.steps, {.words = {"fixed", "adaptive"}});
  describe_adaptive_rtol(table, scheme.rtol);
  describe_atol(table, scheme.atol);
}

Splitting::operator Scheme() const { return scheme_of("splitting", *this); }

template <>
SchemeEntry scheme_entry<Splitting>() {
  return {
      .name = "splitting",
      .summary = "smooth motion by a Runge-Kutta step of high order, then the impacts at its end",
      .explanation =
          "Each step is one of an explicit Runge-Kutta table, with the forces of lasting contacts in its stages, and "
          "then the impact law where the end of the step lies inside an obstacle. So flight and lasting contact are "
          "as accurate as the table, and only impacts are met up to a step late. A contact whose impacts become slower "
          "than what the forces do in a step closes and is held on its surface. Without contact forces, as in the "
          "source's first form, a body at rest sinks. Adaptive steps follow rtol and atol and end where a gap closes, "
          "so the positions follow the tolerance through impacts as well; step is then the largest one. Explicit: fast "
          "vibrations limit the step to about h ω < 3.",
      .order =
          "that of the table in free flight and in lasting contact (5 for rkf45), 1 across impacts (position in the "
          "sup norm, velocity in L1); with adaptive steps errors like the tolerance",
      .literature =
          "V. Acary, lecture on numerical methods for nonsmooth mechanical systems, 2018, (140)-(143); E. Fehlberg, "
          "Computing 6 (1970) 61, doi:10.1007/BF02241732",
      .flight_order = 5.0,
      .parameters = parameters_of<Splitting>(),
      .traits = traits_with<Splitting, traits_of>,
      .make = make_with<Splitting, make>,
  };
}

}  // namespace ricochet
