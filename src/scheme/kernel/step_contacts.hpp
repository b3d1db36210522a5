// The rows in one step of a scheme, contacts, joints and slips: gaps and rates, which of them may push, their impulses,
// and what these did to the energy. Every kernel keeps one; how a velocity answers to an impulse is the kernel's own.
//
// Impulses act along H at a middle position q_m of the step. Rates on curved gaps, o = ∂g/∂t:
//
//   impact            U₀ = H(q_m)ᵀv₀ + o(t₀, q_m),   U₁ = H(q_m)ᵀv₁ + o(t₁, q_m)                              (1)
//   lasting contact   U₀ = H(q₀)ᵀv₀ + o(t₀, q₀),     U₁ = H(q₁)ᵀv₁ + o(t₁, q₁)                                (2)
//
// An impact is what closes faster than the smooth forces can make it close within the step, −U₀ > |U_free − U₀| with
// both rates at their own positions, q_free being the end of the step without contact. (1) keeps the energy for e = 1;
// with it a body that slides along a curve would meet the wall anew in every step, as it sees one half of how the wall
// turns. On flat gaps (1) and (2) are the same. Joints always act, by (2) with U₁ = 0.
//
// Friction: −P_S ∈ μ P ∂‖U₁ + e_T U₀‖ along the slips of a contact, active with it and measured as it is; dry friction
// −P_S ∈ h L ∂‖U₁‖ always acts, by (2). μ and L at q_m.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/impulse_account.hpp"
#include "core/mask_array.hpp"
#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/ledger.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "scheme/kernel/step_mode.hpp"

namespace ricochet {

template <class Value, class Shape = AnyShape>
class StepContacts {
 public:
  // n: unknowns of the step's matrix, the coordinates first. Of few constraints `rows` entries of each answer are kept,
  // if a kernel has more of them.
  StepContacts(const Mechanics<Value>& model, const ComplementaritySettings& solver, int n, int rows = 0)
      : model_(model),
        layout_(model.layout()),
        nc_(model.nc()),
        held_(nc_ + model.nb()),
        nr_(layout_.rows.cols),
        constant_gradient_(layout_.linear_rows()),
        fixed_gaps_(layout_.fixed_rows()),
        constant_restitution_(layout_.structure.constant_restitution),
        constant_friction_(layout_.structure.constant_friction),
        problem_(n, layout_, solver, rows, ContactRows::with_slips),
        middle_(model),
        end_(model),
        push_(static_cast<std::size_t>(problem_.is_large() ? n : 0), Value(0.0)) {
    for (ShapedMasks<Shape, Value>* masks : {&active_, &last_active_, &lasting_, &settles_, &unsolved_})
      masks->assign(static_cast<std::size_t>(nr_));
    for (Rows* x : {&g_, &offset_, &U_, &U_minus_, &U_plus_, &change_, &o_begin_, &o0_, &b_, &P_, &kept_P_, &e_, &blur_,
                    &blur_units_, &fall_})
      x->assign(static_cast<std::size_t>(nr_), Value(0.0));
    bounds_.assign(static_cast<std::size_t>(model.nf()), Value(0.0));
    for (int j = nc_; j < nr_; ++j) active_[j] = lasting_[j] = Mask<Value>(true);
    if constexpr (!Shape::is_constant) slips_ = slip_rows(layout_);
    always_acts_ = nr_ > nc_ && (held_ > nc_ || layout_.frictions.back().constraint < 0);
    touched_ = always_acts_;
    read_constants();
  }

  // What the model says once and for all; again if its values changed.
  void read_constants() {
    const std::vector<Value> origin(static_cast<std::size_t>(model_.nq()), Value(0.0));
    if (constant_gradient_) {
      middle_.place_gradients(Value(0.0), origin.data());
      if (fixed_gaps_) place_rows(Value(0.0), origin.data(), offset_.data());
      if (fixed_gaps_) find_sums();
    }
    if (constant_friction_) read_friction(Value(0.0), origin.data());
    if (!constant_restitution_) return;
    model_.restitution(Value(0.0), origin.data(), e_.data());
    constant_e_ = true;
    for (int j = 0; j < nc_; ++j) constant_e_ = constant_e_ & (e_[j] >= Value(0.0)) & (e_[j] <= Value(1.0));
  }

  bool constant_gradient() const { return constant_gradient_; }

  bool is_large() const { return problem_.is_large(); }
  // X̂ = A⁻¹: how velocities answer to impulses. Of one contact, of the active ones, or of all.
  template <class Factors>
  void respond(const Factors& A, int j) {
    problem_.set_column(A, rates().gradients(), middle_.gradients(), j);
  }
  template <class Factors>
  void respond(const Factors& A) {
    problem_.set(A, rates().gradients(), middle_.gradients(), active_.data());
  }
  template <class Factors>
  void respond_all(const Factors& A) {
    for (int j = 0; j < nr_; ++j) unsolved_[j] = Mask<Value>(true);
    problem_.set(A, rates().gradients(), middle_.gradients(), unsolved_.data());
  }
  void respond(const ImpulseResponse& response) requires std::is_same_v<Value, double> {
    problem_.set(response, middle_.gradients());
  }
  // x += X̂ H P
  void add_push(Value* x) { problem_.add_push(P_.data(), x); }
  // x := H P
  void large_sum(double* x) const {
    for (int i = 0; i < layout_.rows.rows; ++i) x[i] = 0.0;
    if constexpr (is_single) multiply_add(layout_.rows, middle_.gradients(), P_.data(), 1.0, x);
  }
  // x := H_S P_S, of the slips alone
  void slip_sum(double* x) const requires std::is_same_v<Value, double> {
    for (int i = 0; i < layout_.rows.rows; ++i) x[i] = 0.0;
    for (int j = held_; j < nr_; ++j)
      if (P_[j] != 0.0) middle_.add_gradient(j, P_[j], x);
  }
  // A lane goes on with another motion: nothing of the last one is a guess for it.
  void forget(int lane) {
    problem_.forget(lane);
    set_lane(begins_, lane, true);
    for (int j = 0; j < nc_; ++j) set_lane(active_[j], lane, false), set_lane(P_[j], lane, 0.0);
  }
  void forget_active() {
    begins_ = true;
    for (int j = 0; j < nc_; ++j) active_[j] = Mask<Value>(false), P_[j] = fall_[j] = Value(0.0);
  }
  // Who touched where the motion goes on from.
  ContactMemory contact_memory(int j) const requires std::is_same_v<Value, double> { return {active_[j], fall_[j]}; }
  void recall(const ContactMemory* contacts) requires std::is_same_v<Value, double> {
    begins_ = false;
    for (int j = 0; j < nc_; ++j) active_[j] = contacts[j].active, fall_[j] = contacts[j].fall, P_[j] = 0.0;
  }
  // What the next step begins with: guesses, and who was active. Keeps it for the other lanes from what is tried
  // between them.
  struct Memory {
    std::vector<Value> guesses, P;
    std::vector<Mask<Value>> active;
  };
  Memory memory() const {
    return {problem_.guesses(), std::vector<Value>(P_.data(), P_.data() + nc_),
            std::vector<Mask<Value>>(active_.data(), active_.data() + nc_)};
  }
  void recall(const Memory& memory, const Mask<Value>& where) {
    problem_.set_guesses(memory.guesses, where);
    for (int j = 0; j < nc_; ++j) {
      const std::size_t k = static_cast<std::size_t>(j);
      active_[j] = (where & memory.active[k]) | (active_[j] & !where);
      P_[j] = select(where, memory.P[k], P_[j]);
    }
  }

  // g, H and U at the begin of the step. False where one of them is no finite number; those of linear gaps are as long
  // as the motion is.
  Mask<Value> measure(const Value& t0, const Value* q0, const Value* v0) {
    if (constant_gradient_ && fixed_gaps_) {
      measure_affine(q0, v0);
      return true;
    }
    if (!constant_gradient_) middle_.place_gradients(t0, q0);
    if (!fixed_gaps_) drifts(t0, q0, o_begin_.data());
    gaps(t0, q0, g_.data());
    Value sum = 0.0;
    for (int j = 0; j < nr_; ++j) {
      U_[j] = o_begin_[j] + along(j, v0);
      sum += g_[j] + U_[j];
    }
    return finite(sum);
  }

  // Who may push: where the gap, followed at its rate, closes within `reach`. A gap within the round-off of its own sum
  // is closed: a column of beads at rest would otherwise begin to fall between its beads.
  void activate_by_forecast(const Value& reach) {
    if (blurred_) return apart([&] { activate_where([&](int j) { return forecast_gap(j, reach) <= blur_[j]; }); });
    activate_where([&](int j) { return forecast_gap(j, reach) <= Value(0.0); });
  }
  // The same for gaps that are linear and do not move, and nothing of it kept: g and U, and who may push.
  Mask<Value> forecast(const Value& reach, const Value* q, const Value* v, Value* g, Value* U) const {
    Mask<Value> closes = false;
    for (int j = 0; j < nc_; ++j) {
      measure_affine(j, q, v, g[j], U[j]);
      closes = closes | (g[j] + reach * U[j] <= (blurred_ ? blur(j, q) : Value(0.0)));
    }
    return closes;
  }
  // Nobody does, at the end of a flight; gaps and rates where its last step began.
  void end_flight(const Value* g, const Value* U) {
    begin_set();
    for (int j = 0; j < nc_; ++j) g_[j] = g[j], U_[j] = U[j], active_[j] = Mask<Value>(false);
    include_slips();
    begins_ = false;
  }
  // Where g(t, q) ≤ 0.
  void activate_by_gap(const Value& t, const Value* q) {
    gaps(t, q, b_.data());
    if (blurred_) apart([&] { set_blur(q); });
    activate_where([&](int j) { return b_[j] <= blur_[j]; });
  }
  // Where another law has closed them.
  template <class Closed>
  void activate_where(const Closed& closed) {
    begin_set();
    for (int j = 0; j < nc_; ++j) include(j, closed(j));
    include_slips();
  }
  // A contact of the last step stays one where only round-off has opened it: the gap that activated nobody,
  // forecast(j), is no more than 1e-9 of what the step's own forces and the last impulse move its terms by, dv being
  // what they do to the velocities in h. A body at rest on several feet would otherwise lose one of them for a step now
  // and then, a light one under a heavy one too. One that rests stays within `hold` of what the forces do; beyond that
  // it falls. Where a motion begins any contact may have been one. True if one does.
  template <class Forecast>
  bool keep_active(const Value& h, const Value* dv, const Value& hold, const Forecast& forecast) {
    bool kept = false;
    for (int j = 0; j < nc_; ++j) {
      if constexpr (is_single)
        if (last_active_[j]) fall_[j] = 0.0;
      const Mask<Value> lost = (last_active_[j] | begins_) & !active_[j];
      if (!any(lost)) continue;
      constexpr double round_off = 1e-9;
      const Value move = middle_.size_along(j, dv), off = absolute(forecast(j));
      const Value push = any(kept_P_[j] > Value(0.0)) ? problem_.diagonal(j) * kept_P_[j] : Value(0.0);
      const Mask<Value> rests = last_active_[j] & (absolute(U_[j]) <= Value(little) * move);
      const Mask<Value> keeps =
          lost & ((off <= Value(round_off) * h * (move + push)) | (rests & (off <= hold * h * move)));
      if constexpr (is_single)
        if (hold > 0.0 && rests && !keeps)
          fall_[j] = 2.0 * std::sqrt(2.0 * off * move / h);  // twice what it lands with
      kept = kept || any(keeps);
      include(j, active_[j] | keeps);
    }
    begins_ = false;
    if (kept) include_slips();
    return kept;
  }
  const Value& end_gap(int j) const { return b_[j]; }  // after activate_by_gap()
  Value forecast_gap(int j, const Value& reach) const { return g_[j] + reach * U_[j]; }
  // Lanes that have their solution: while their neighbours iterate, their impulses stay as they are.
  void settle(const Mask<Value>& where) { settled_ = where; }
  const Mask<Value>& settled() const { return settled_; }
  Mask<Value> idle() const {
    Mask<Value> pushed = false;
    for (int j = 0; j < nr_; ++j) pushed = pushed | active_[j];
    return !pushed;
  }
  // Nobody yet: solve_position() finds out.
  void activate_none() {
    begin_set();
    for (int j = 0; j < nc_; ++j) active_[j] = Mask<Value>(false);
  }
  // Everybody, to prepare constant responses.
  void activate_all() {
    for (int j = 0; j < nr_; ++j) active_[j] = Mask<Value>(true);
  }

  // False where a restitution that may be needed leaves [0, 1].
  Mask<Value> check_restitution(const Value& t, const Value* q) {
    if (constant_restitution_) return constant_e_;
    Mask<Value> good = true;
    if (!touched_) return good;
    model_.restitution(t, q, e_.data());
    for (int j = 0; j < nc_; ++j) good = good & ((!active_[j]) | ((e_[j] >= Value(0.0)) & (e_[j] <= Value(1.0))));
    return good;
  }

  // H at (t, q), and ∂g/∂t there at the times that belong to the velocities before and after. False where friction is
  // not allowed there. duration: how long limits act, 0 at an instant.
  Mask<Value> place(const Value& t, const Value* q, const Value& t_before, const Value& t_after,
                    const Value& duration) {
    if (!constant_gradient_) middle_.place_gradients(t, q);
    place_times(q, t_before, t_after);
    return slips_.empty() ? Mask<Value>(true) : apart([&] { return place_friction(t, q, duration); });
  }
  void place_times(const Value* q, const Value& t_before, const Value& t_after) {
    if (fixed_gaps_) return;
    drifts(t_before, q, o0_.data());
    middle_.place_obstacles(t_after, q);
  }

  // Curved gaps, after place(): (2) for lasting contact, with the end of the step at (t₁, q₁). The first time in a step
  // that is the end without contact, reached with v_free, and tells who is an impact.
  void place_end(const Value& t1, const Value* q1, const Value* v_free, bool first) {
    end_.place_rates(t1, q1);
    own_ends_ = true;
    for (int j = 0; j < nc_; ++j) {
      if (!any(active_[j])) continue;
      if (first) tell_impact(j, v_free);
      end_.place_as(j, middle_, !lasting_[j]);
    }
    for (const SlipRow& slip : slips_) {
      if (slip.contact < 0 || !any(active_[slip.contact])) continue;
      lasting_[slip.row] = lasting_[slip.contact];
      end_.place_as(slip.row, middle_, !lasting_[slip.row]);
    }
  }

  // Newton's law on the active set: 0 ≤ U₁ + e U₀ ⊥ P ≥ 0 with U₁ = U_free + W P. Where many constraints make W = HᵀX,
  // (G − H)ᵀv₁ is taken from the last iterate `v_last`.
  Mask<Value> solve(const Value* v0, const Value* v_free, const Value* v_last) {
    if (own_ends_) return solve_curved(v0, v_free, v_last);
    for (int j = 0; j < nr_; ++j) {
      if (!any(active_[j])) continue;
      const Value U_free = set_rates(j, v0, v_free);
      b_[j] = U_free + e_[j] * U_minus_[j];
    }
    return solve_in(!settled_);
  }

  // The law at position level, 0 ≤ g(t, q̄) ⊥ P ≥ 0 where q̄ moves with v/scale, linearised at the q̄ of v_linear:
  //     0 ≤ scale g(t, q̄) + Hᵀ(v_free − v_linear) + W P ⊥ P ≥ 0,
  // over all constraints: those that would be violated join until none is. `respond(j)` sets the response of j; with
  // many constraints it is called once, for all.
  // Whether anybody pushes is known without H where v_linear = v_free (`at_free`).
  template <class Respond>
  Mask<Value> solve_position(const Value& t, const Value* q_bar, const Value& scale, const Value* v_free,
                             const Value* v_linear, bool at_free, const Respond& respond) {
    gaps(t, q_bar, b_.data());
    if (!constant_gradient_ && !(at_free && !touched_ && nobody_violated())) middle_.place_gradients(t, q_bar);
    for (int j = 0; j < nc_; ++j) {
      b_[j] *= scale;
      if (!at_free) b_[j] += along(j, v_free) - along(j, v_linear);
    }
    if constexpr (is_single)
      if (is_large()) return solve_position_large(respond);
    for (int j = 0; j < nc_; ++j)
      if (any(active_[j])) respond(j);
    join([&](int j) { return b_[j]; }, respond);
    Mask<Value> good = true, grown = !settled_;
    while (touched_ && any(grown)) {
      good = select(grown, solve_in(grown), good);
      grown = join([&](int j) { return b_[j] + problem_.row_dot(j, P_.data()); }, respond);
    }
    return good;
  }

  // U before the step and without contact forces, for the constraints that are active; after place().
  void set_rates(const Value* v0, const Value* v_free) {
    for (int j = 0; j < nc_; ++j)
      if (any(active_[j])) set_rates(j, v0, v_free);
  }

  // impact = U_½ᵀP; a moving obstacle or a driven joint works −o_½ᵀP. With (2) that is not all of the work v_½ᵀH(q_m)P:
  // the rest, of second order and of either sign, is the scheme's own, as all of U_½ᵀP of a joint is.
  void account(const Value* v0, const Value* v1, LedgerTerms<Value>& ledger) {
    if (!touched_) return;
    if (own_ends_) return account_curved(v0, v1, ledger);
    for (int j = 0; j < nr_; ++j) {
      if (!any(active_[j])) continue;
      U_plus_[j] = middle_.rate(j, v1);
      account_impulse(P_[j], U_minus_[j], U_plus_[j], o0_[j], middle_.obstacle_rate(j), ledger, own_term(j));
    }
  }

  // g(t, q) of the contacts
  void gaps(const Value& t, const Value* q, Value* g) const {
    if (!(constant_gradient_ && fixed_gaps_)) return model_.gap(t, q, g);
    for (int j = 0; j < nc_; ++j) g[j] = offset_[j] + along(j, q);
  }

  bool has_joints() const { return held_ > nc_; }
  bool has_friction() const { return nr_ > held_; }
  const Value* joint_impulse() const { return P_.data() + nc_; }
  // The impulses of friction, a slip each, are added to `sums`.
  void add_slip_impulses(std::vector<double>& sums, int l = 0) const {
    if (sums.size() < slips_.size()) sums.resize(slips_.size());
    for (const SlipRow& slip : slips_) sums[static_cast<std::size_t>(slip.row - held_)] += lane(P_[slip.row], l);
  }
  // What friction did at contact j.
  SlipReport slip_report(int j, int l = 0) const {
    return slip_report_of(slips_, j, U_minus_, U_plus_, P_, bounds_, l);
  }
  // What contacts and frictions did in the last step (step_modes.hpp). push: what the impulses did to the velocities;
  // v: one of the step.
  void set_modes(const double* push, const double* v, StepModes& modes) const requires std::is_same_v<Value, double>;
  const Value* gradients() const { return middle_.gradients(); }  // H of all rows, along which impulses act
  // In the order of the layout; null where that is not kept, as H never changes.
  const Value* listed_gradients() const { return Shape::is_constant ? nullptr : middle_.gradients(); }

  bool touched() const { return touched_; }  // some row acts; a contact:
  bool contact_touched() const {
    return touched_ &&
           (!always_acts_ || std::any_of(active_.data(), active_.data() + nc_, [](auto m) { return any(m); }));
  }
  bool is_active(int j) const { return any(active_[j]); }
  const Mask<Value>* active() const { return active_.data(); }
  const Value* gap() const { return g_.data(); }         // at the begin
  const Value* begin_rate() const { return U_.data(); }  // at the begin, with its own H
  const Value* rate_minus() const { return U_minus_.data(); }
  const Value* rate_plus() const { return U_plus_.data(); }
  Value smooth_rate_change(int j) const { return change_[j]; }  // what the smooth forces alone did to the rate
  const Value* impulse() const { return P_.data(); }
  const Value* restitution() const { return e_.data(); }
  int count() const { return nc_; }
  const Delassus<Value, Shape>& problem() const { return problem_; }

 private:
  static constexpr bool is_single = std::is_same_v<Value, double>;
  static constexpr double little = 1e-3;  // beside what acts in a step: as good as nothing
  // Slip k of a shape that is constant: that of friction k, at contact k.
  struct KnownSlips {
    static constexpr std::array<SlipRow, Shape::slips> slips = [] {
      std::array<SlipRow, Shape::slips> slips = {};
      for (int k = 0; k < Shape::slips; ++k) slips[k] = {k, k, Shape::contacts + k, true};
      return slips;
    }();
    constexpr auto begin() const { return slips.begin(); }
    constexpr auto end() const { return slips.end(); }
    static constexpr bool empty() { return slips.empty(); }
    static constexpr std::size_t size() { return slips.size(); }
  };
  Value along(int j, const Value* x) const { return middle_.along(j, x); }
  const ContactKinematics<Value, Shape>& rates() const { return own_ends_ ? end_ : middle_; }

  double rest_rate(int j, const double* push, const double* v) const;
  StepMode contact_mode(int j, double zero) const;
  StepMode friction_mode(const SlipRow& slip, double zero, const StepModes& modes) const;
  double stick_margin(const SlipRow& slip) const;
  int other_row(const SlipRow& slip) const { return slip.row + (layout_.frictions[slip.friction].rows > 1 ? 1 : 0); }
  double slip_size(const SlipRow& slip, const auto& U) const;
  double sense(const SlipRow& slip) const;

  // Which gaps are sums of several terms, which may cancel: those are known to some units of the last place only.
  void find_sums() {
    constexpr double units = 4.0 * std::numeric_limits<double>::epsilon();
    blurred_ = false;
    for (int j = 0; j < nc_; ++j) {
      const Mask<Value> is_sum =
          Mask<Value>(layout_.gradient.start[j + 1] - layout_.gradient.start[j] > 1) | (offset_[j] != Value(0.0));
      blur_units_[j] = select(is_sum, Value(units), Value(0.0));
      blurred_ = blurred_ || any(is_sum);
    }
  }
  // For a single trajectory, what is rare stays out of the way of what is frequent; over lanes all is inlined.
  template <class Function>
  static auto apart(const Function& function) {
    if constexpr (is_single && !Shape::is_constant) {
      const auto out_of_line = [&]() __attribute__((noinline)) { return function(); };
      return out_of_line();
    } else {
      return function();
    }
  }
  // The round-off of offset + Σ H q.
  Value blur(int j, const Value* q) const { return blur_units_[j] * (absolute(offset_[j]) + middle_.size_along(j, q)); }
  void set_blur(const Value* q) {
    for (int j = 0; j < nc_; ++j) blur_[j] = blur(j, q);
  }
  void measure_affine(const Value* q0, const Value* v0) {
    if (blurred_) apart([&] { set_blur(q0); });
    for (int j = 0; j < held_; ++j) measure_affine(j, q0, v0, g_[j], U_[j]);  // slips are measured where they act
  }
  void measure_affine(int j, const Value* q0, const Value* v0, Value& gap, Value& rate) const {
    Value g = offset_[j], U = 0.0;
    middle_.each_entry(j, [&](int i, const Value& H) {
      g += H * q0[i];
      U += H * v0[i];
    });
    gap = g, rate = U;
  }
  void begin_set() {
    for (int j = 0; j < nc_; ++j) last_active_[j] = active_[j];
    for (int j = 0; j < nc_; ++j) kept_P_[j] = P_[j];
    if (touched_)
      for (int j = 0; j < nr_; ++j) P_[j] = 0.0;
    touched_ = always_acts_;
    settled_ = false;
  }
  void include(int j, const Mask<Value>& where) {
    active_[j] = where;
    touched_ = touched_ || any(where);
  }
  // The slips of a contact act with it.
  void include_slips() {
    for (const SlipRow& slip : slips_)
      if (slip.contact >= 0) active_[slip.row] = active_[slip.contact];
  }
  void read_friction(const Value& t, const Value* q) {
    if (slips_.empty()) return;
    middle_.place_bounds(t, q);
    model_.tangential_restitution(t, q, bounds_.data());
    for (const SlipRow& slip : slips_) e_[slip.row] = bounds_[slip.friction];
  }
  Mask<Value> place_friction(const Value& t, const Value* q, const Value& duration) {
    if (!constant_friction_) read_friction(t, q);
    Mask<Value> good = true;
    for (const SlipRow& slip : slips_) {
      const Value &bound = middle_.bound(slip.friction), &e = e_[slip.row];
      const Mask<Value> is_bound = (bound >= Value(0.0)) & finite(bound);
      // No solver gets what is none.
      bounds_[slip.friction] = select(is_bound, slip.contact < 0 ? duration * bound : bound, Value(0.0));
      good = good & ((!active_[slip.row]) | (is_bound & (e >= Value(0.0)) & (e <= Value(1.0))));
    }
    return good;
  }

  using Terms = LedgerTerms<Value>;
  Value Terms::*own_term(int j) const {
    return j < nc_ ? &Terms::impact : j < held_ ? &Terms::numerical : &Terms::friction;
  }
  [[gnu::noinline]] void account_curved(const Value* v0, const Value* v1, LedgerTerms<Value>& ledger) {
    for (int j = 0; j < nr_; ++j) {
      if (!any(active_[j])) continue;
      const Value o0 = select(lasting_[j], o_begin_[j], o0_[j]), &o1 = end_.obstacle_rate(j);
      U_plus_[j] = end_.rate(j, v1);
      account_impulse(P_[j], U_minus_[j], U_plus_[j], o0, o1, ledger, own_term(j));
      ledger.numerical += (along(j, v0) + along(j, v1) - (U_minus_[j] - o0) - (U_plus_[j] - o1)) * (Value(0.5) * P_[j]);
    }
  }
  // A step does not resolve the curve if an impulse at its middle hardly acts at its end, G_jᵀX̂H_j < ½ H_jᵀX̂H_j, or if
  // W is so unsymmetric that the problem has no solution: (1) then, which never gains.
  void give_up_unresolved() {
    for (int j = 0; j < nc_; ++j) {
      const Mask<Value> lost = lasting_[j] & (problem_.diagonal(j) < Value(0.5) * along(j, problem_.column(j)));
      if (any(lost & active_[j])) give_up(j, lost);
    }
  }
  void give_up(int j, const Mask<Value>& where) {
    give_up_row(j, where);
    for (const SlipRow& slip : slips_)
      if (slip.contact == j) give_up_row(slip.row, where);
  }
  void give_up_row(int j, const Mask<Value>& where) {
    lasting_[j] = lasting_[j] & !where;
    end_.place_as(j, middle_, where);
    problem_.set_row(end_.gradients(), j);
  }
  // U₀ of the law, and the U₁ that it would have without impulses, where both are measured at the middle.
  Value set_rates(int j, const Value* v0, const Value* v_free) {
    const Value U_free = middle_.rate(j, v_free);
    U_minus_[j] = o0_[j] + along(j, v0);
    change_[j] = U_free - U_minus_[j];
    return U_free;
  }
  // Rates that are round-off of the velocities are no impacts. Nor is a fall from where lasting contact has drifted to,
  // by forces of steps that may have been longer: it has no rebound.
  void tell_impact(int j, const Value* v_free) {
    constexpr double round_off = 1e-10;
    change_[j] = end_.rate(j, v_free) - U_[j];
    change_[j] = select(fall_[j] > Value(0.0), absolute(change_[j]) + fall_[j], change_[j]);
    lasting_[j] = -U_[j] <= absolute(change_[j]) + Value(round_off) * end_.size_along(j, v_free);
    settles_[j] = lasting_[j] & (fall_[j] > Value(0.0));
  }
  [[gnu::noinline]] Mask<Value> solve_curved(const Value* v0, const Value* v_free, const Value* v_last) {
    if (!is_large()) give_up_unresolved();
    set_curved_rates(v0, v_free, v_last);
    const Mask<Value> good = solve_in(!settled_);
    if (is_large() || all(good)) return good;
    for (int j = 0; j < nc_; ++j) give_up(j, !good);
    set_curved_rates(v0, v_free, v_last);
    return solve_in(!good);
  }
  void set_curved_rates(const Value* v0, const Value* v_free, const Value* v_last) {
    for (int j = 0; j < nr_; ++j) {
      if (!any(active_[j])) continue;
      const Value U_free = end_.rate(j, v_free);
      U_minus_[j] = select(lasting_[j], U_[j], o0_[j] + along(j, v0));
      b_[j] = U_free + select(settles_[j], Value(0.0), e_[j]) * U_minus_[j];
      if (is_large()) b_[j] += along(j, v_free) - along(j, v_last) - (end_.along(j, v_free) - end_.along(j, v_last));
    }
  }
  // The contact problem in these lanes; the others keep their impulses.
  Mask<Value> solve_in(const Mask<Value>& where) {
    if (is_single || all(where)) return problem_.solve(active_.data(), b_.data(), P_.data(), bounds_.data());
    for (int j = 0; j < nr_; ++j) kept_P_[j] = P_[j], unsolved_[j] = active_[j] & where;
    const Mask<Value> good = problem_.solve(unsolved_.data(), b_.data(), P_.data(), bounds_.data());
    for (int j = 0; j < nr_; ++j) P_[j] = select(where, P_[j], kept_P_[j]);
    return good | !where;
  }

  bool nobody_violated() const {
    for (int j = 0; j < nc_; ++j)
      if (any(b_[j] < Value(0.0))) return false;
    return true;
  }
  // Many constraints: after some rounds all of them take part, as a load may pass from one to the next through a whole
  // column.
  template <class Respond>
  [[gnu::noinline]] bool solve_position_large(const Respond& respond) {
    constexpr int rounds = 3;
    const auto nothing = [](int) {};
    bool good = true;
    if (!join([&](int j) { return b_[j]; }, nothing) && !touched_) return good;
    respond(0);
    for (int round = 1;; ++round) {
      good = problem_.solve(active_.data(), b_.data(), P_.data());
      push_.assign(push_.size(), 0.0);
      problem_.add_push(P_.data(), push_.data());
      if (!join([&](int j) { return b_[j] + along(j, push_.data()); }, nothing) || round > rounds) return good;
      if (round == rounds) activate_all();
    }
  }
  // Constraints whose slack is negative join the active set: in which lanes any did.
  template <class Slack, class Respond>
  Mask<Value> join(const Slack& slack, const Respond& respond) {
    Mask<Value> grown = false;
    for (int j = 0; j < nc_; ++j) {
      const Mask<Value> joins = (!active_[j]) & (!settled_) & (slack(j) < Value(0.0));
      if (!any(joins)) continue;
      if (!any(active_[j])) respond(j);
      active_[j] = active_[j] | joins;
      grown = grown | joins;
      touched_ = true;
    }
    return grown;
  }

  // g and o of all rows.
  void place_rows(const Value& t, const Value* q, Value* g) const {
    model_.gap(t, q, g);
    if (held_ > nc_) model_.joint(t, q, g + nc_);
  }
  void drifts(const Value& t, const Value* q, Value* o) const {
    model_.gap_time_derivative(t, q, o);
    if (held_ > nc_) model_.joint_drift(t, q, o + nc_);
    if (nr_ > held_) model_.slip_drift(t, q, o + held_);
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  const Number<Shape::contacts> nc_, held_;  // contacts, with joints
  const Number<Shape::rows> nr_;
  const Answer<Shape, true> constant_gradient_, fixed_gaps_, constant_restitution_, constant_friction_;
  Delassus<Value, Shape> problem_;
  ContactKinematics<Value, Shape> middle_, end_;  // where impulses act; curved gaps: what measures U₁
  using Rows = ShapedVector<Shape, Value, Shape::rows>;
  Rows g_, offset_, U_, o_begin_;        // at the begin
  Rows U_minus_, U_plus_, change_, o0_;  // of the law
  Rows b_, P_, kept_P_, e_, blur_, blur_units_;
  Rows fall_;  // of contacts that have drifted off: rates below are no impact
  std::conditional_t<Shape::is_constant, KnownSlips, std::vector<SlipRow>> slips_;
  ShapedVector<Shape, Value, Shape::slips> bounds_;  // μ, or L by the duration, one a friction
  Answer<Shape, false> always_acts_ = false;         // joints or dry friction
  std::vector<Value> push_;                          // of many
  ShapedMasks<Shape, Value> active_, last_active_, lasting_, settles_, unsolved_;  // last_active_: in the last step
  Mask<Value> settled_ = false, constant_e_ = true;  // constant restitutions lie in [0, 1]
  Mask<Value> begins_ = true;                        // nothing is known of the last step
  bool touched_ = false, blurred_ = false;
  Answer<Shape, false> own_ends_ = false;
};

}  // namespace ricochet

#include "scheme/kernel/step_modes.hpp"
