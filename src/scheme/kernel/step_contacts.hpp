// The constraints in one step of a scheme: gaps and rates, which of them may push, their impulses, and what these did
// to the energy. Every kernel keeps one; how a velocity answers to an impulse is the kernel's own.
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "contact/delassus.hpp"
#include "core/mask_array.hpp"
#include "ricochet/core/ledger.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

template <class Value>
class StepContacts {
 public:
  // n: unknowns of the step's matrix, the coordinates first.
  StepContacts(const Mechanics<Value>& model, const ComplementaritySettings& solver, int n)
      : model_(model),
        layout_(model.layout()),
        nc_(model.nc()),
        constant_gradient_(layout_.structure.linear_gaps),
        fixed_gaps_(layout_.structure.fixed_gaps),
        problem_(n, layout_.gradient, solver),
        H_(static_cast<std::size_t>(layout_.gradient.size()), Value(0.0)),
        push_(static_cast<std::size_t>(problem_.is_large() ? n : 0), Value(0.0)),
        active_(static_cast<std::size_t>(nc_)) {
    for (std::vector<Value>* x :
         {&g_, &offset_, &U_, &U_minus_, &U_plus_, &U_free_, &g_t0_, &g_t1_, &b_, &P_, &e_, &blur_, &blur_units_})
      x->assign(static_cast<std::size_t>(nc_), Value(0.0));
    read_constants();
  }

  // What the model says once and for all; again if its values changed.
  void read_constants() {
    const std::vector<Value> origin(static_cast<std::size_t>(model_.nq()), Value(0.0));
    if (constant_gradient_) {
      model_.gap_gradient(Value(0.0), origin.data(), H_.data());
      if (fixed_gaps_) model_.gap(Value(0.0), origin.data(), offset_.data());
      if (fixed_gaps_) find_sums();
    }
    if (layout_.structure.constant_restitution) model_.restitution(Value(0.0), origin.data(), e_.data());
  }

  bool constant_gradient() const { return constant_gradient_; }
  bool fixed_gaps() const { return fixed_gaps_; }

  bool is_large() const { return problem_.is_large(); }
  // X̂ = A⁻¹: how velocities answer to impulses. Of one contact, of the active ones, or of all.
  template <class Factors>
  void respond(const Factors& A, int j) {
    problem_.set_column(A, H_.data(), j);
  }
  template <class Factors>
  void respond(const Factors& A) {
    problem_.set(A, H_.data(), active_.data());
  }
  void respond(const ImpulseResponse& response) requires std::is_same_v<Value, double> {
    problem_.set(response, H_.data());
  }
  // x += X̂ H P
  void add_push(Value* x) { problem_.add_push(P_.data(), x); }
  // x := H P
  void large_sum(double* x) const {
    for (int i = 0; i < layout_.gradient.rows; ++i) x[i] = 0.0;
    if constexpr (std::is_same_v<Value, double>) multiply_add(layout_.gradient, H_.data(), P_.data(), 1.0, x);
  }
  // A lane goes on with another motion: nothing of the last one is a guess for it.
  void forget(int lane) { problem_.forget(lane); }
  // Keeps the guesses of the other lanes from what is tried between them.
  std::vector<Value> guesses() const { return problem_.guesses(); }
  void set_guesses(const std::vector<Value>& guesses, const Mask<Value>& where) {
    problem_.set_guesses(guesses, where);
  }

  // g, H and U at the begin of the step.
  void measure(const Value& t0, const Value* q0, const Value* v0) {
    if (constant_gradient_ && fixed_gaps_) return measure_affine(q0, v0);
    if (!constant_gradient_) model_.gap_gradient(t0, q0, H_.data());
    if (!fixed_gaps_) model_.gap_time_derivative(t0, q0, g_t0_.data());
    gaps(t0, q0, g_.data());
    for (int j = 0; j < nc_; ++j) U_[j] = g_t0_[j] + along(j, v0);
  }

  // Who may push: where the gap, followed at its rate, closes within `reach`. A gap within the round-off of its own sum
  // is closed: a column of beads at rest would otherwise begin to fall between its beads.
  void activate_by_forecast(const Value& reach) {
    if (blurred_) return apart([&] { activate_blurred(reach); });
    begin_set();
    for (int j = 0; j < nc_; ++j) include(j, g_[j] + reach * U_[j] <= Value(0.0));
  }
  // Where g(t, q) ≤ 0.
  void activate_by_gap(const Value& t, const Value* q) {
    begin_set();
    gaps(t, q, b_.data());
    if (blurred_) apart([&] { set_blur(q); });
    for (int j = 0; j < nc_; ++j) include(j, b_[j] <= blur_[j]);
  }
  // Lanes in which nobody pushes, and where solve_position() shall not look again in this step.
  void settle(const Mask<Value>& where) { settled_ = where; }
  Mask<Value> idle() const {
    Mask<Value> pushed = false;
    for (int j = 0; j < nc_; ++j) pushed = pushed | active_[j];
    return !pushed;
  }
  // Nobody yet: solve_position() finds out.
  void activate_none() {
    begin_set();
    for (int j = 0; j < nc_; ++j) active_[j] = Mask<Value>(false);
  }
  // Everybody, to prepare constant responses.
  void activate_all() {
    for (int j = 0; j < nc_; ++j) active_[j] = Mask<Value>(true);
  }

  // False where a restitution that may be needed leaves [0, 1].
  Mask<Value> check_restitution(const Value& t, const Value* q) {
    Mask<Value> good = true;
    if (!touched_ || layout_.structure.constant_restitution) return good;
    model_.restitution(t, q, e_.data());
    for (int j = 0; j < nc_; ++j) good = good & ((!active_[j]) | ((e_[j] >= Value(0.0)) & (e_[j] <= Value(1.0))));
    return good;
  }

  // H at (t, q), and ∂g/∂t there at the times that belong to the velocities before and after.
  void place(const Value& t, const Value* q, const Value& t_before, const Value& t_after) {
    if (!constant_gradient_) model_.gap_gradient(t, q, H_.data());
    place_times(q, t_before, t_after);
  }
  void place_times(const Value* q, const Value& t_before, const Value& t_after) {
    if (fixed_gaps_) return;
    model_.gap_time_derivative(t_before, q, g_t0_.data());
    model_.gap_time_derivative(t_after, q, g_t1_.data());
  }

  // x := H_j, n long.
  void gradient_into(int j, Value* x, int n) const {
    for (int i = 0; i < n; ++i) x[i] = 0.0;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) x[layout_.gradient.row[k]] = H_[k];
  }
  // The velocity answers x to a unit impulse of j: column j of W = Hᵀ X.
  void set_response(int j, const Value* x) { problem_.set_column(H_.data(), j, x); }

  // Newton's law on the active set: 0 ≤ U₁ + e U₀ ⊥ P ≥ 0 with U₁ = U_free + W P.
  Mask<Value> solve(const Value* v0, const Value* v_free) {
    for (int j = 0; j < nc_; ++j) {
      if (!any(active_[j])) continue;
      set_rates(j, v0, v_free);
      b_[j] = U_free_[j] + e_[j] * U_minus_[j];
    }
    return problem_.solve(active_.data(), b_.data(), P_.data());
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
    if (!constant_gradient_ && !(at_free && !touched_ && nobody_violated())) model_.gap_gradient(t, q_bar, H_.data());
    for (int j = 0; j < nc_; ++j) {
      b_[j] *= scale;
      if (!at_free) b_[j] += along(j, v_free) - along(j, v_linear);
    }
    if constexpr (std::is_same_v<Value, double>)
      if (is_large()) return solve_position_large(respond);
    for (int j = 0; j < nc_; ++j)
      if (any(active_[j])) respond(j);
    Mask<Value> good = true;
    bool grown = join([&](int j) { return b_[j]; }, respond);
    while (grown || touched_) {
      good = problem_.solve(active_.data(), b_.data(), P_.data());
      grown = join([&](int j) { return b_[j] + problem_.row_dot(j, P_.data()); }, respond);
      if (!grown) break;
    }
    return good;
  }

  // U before the step and without contact forces, for the constraints that are active; after place().
  void set_rates(const Value* v0, const Value* v_free) {
    for (int j = 0; j < nc_; ++j)
      if (any(active_[j])) set_rates(j, v0, v_free);
  }

  // impact = ½ (U₀ + U₁)ᵀ P; a moving obstacle works −½ (∂g/∂t₀ + ∂g/∂t₁)ᵀ P.
  void account(const Value* v1, LedgerTerms<Value>& ledger) {
    if (!touched_) return;
    for (int j = 0; j < nc_; ++j) {
      if (!any(active_[j])) continue;
      U_plus_[j] = g_t1_[j] + along(j, v1);
      ledger.impact += Value(0.5) * (U_minus_[j] + U_plus_[j]) * P_[j];
      if (!fixed_gaps_) ledger.input -= Value(0.5) * (g_t0_[j] + g_t1_[j]) * P_[j];
    }
  }

  // g(t, q)
  void gaps(const Value& t, const Value* q, Value* g) const {
    if (!(constant_gradient_ && fixed_gaps_)) return model_.gap(t, q, g);
    for (int j = 0; j < nc_; ++j) g[j] = offset_[j] + along(j, q);
  }

  int count() const { return nc_; }
  bool touched() const { return touched_; }
  bool is_active(int j) const { return any(active_[j]); }
  const Mask<Value>* active() const { return active_.data(); }
  const Value* gap() const { return g_.data(); }         // at the begin
  const Value* begin_rate() const { return U_.data(); }  // at the begin, with its own H
  const Value* rate_minus() const { return U_minus_.data(); }
  const Value* rate_plus() const { return U_plus_.data(); }
  Value smooth_rate_change(int j) const {
    return U_free_[j] - U_minus_[j];
  }  // what the smooth forces alone did to the rate
  const Value* impulse() const { return P_.data(); }
  const Value* restitution() const { return e_.data(); }
  const Delassus<Value>& problem() const { return problem_; }

 private:
  Value along(int j, const Value* x) const { return column_dot(layout_.gradient, H_.data(), j, x); }

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
  static void apart(const Function& function) {
    if constexpr (std::is_same_v<Value, double>) {
      [&]() __attribute__((noinline)) { function(); }
      ();
    } else {
      function();
    }
  }
  void activate_blurred(const Value& reach) {
    begin_set();
    for (int j = 0; j < nc_; ++j) include(j, g_[j] + reach * U_[j] <= blur_[j]);
  }
  // The round-off of offset + Σ H q.
  void set_blur(const Value* q) {
    const Pattern& gradient = layout_.gradient;
    for (int j = 0; j < nc_; ++j) {
      Value size = absolute(offset_[j]);
      for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) size += absolute(H_[k] * q[gradient.row[k]]);
      blur_[j] = blur_units_[j] * size;
    }
  }
  void measure_affine(const Value* q0, const Value* v0) {
    if (blurred_) apart([&] { set_blur(q0); });
    const Pattern& gradient = layout_.gradient;
    for (int j = 0; j < nc_; ++j) {
      Value g = offset_[j], U = 0.0;
      for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) {
        g += H_[k] * q0[gradient.row[k]];
        U += H_[k] * v0[gradient.row[k]];
      }
      g_[j] = g, U_[j] = U;
    }
  }
  void begin_set() {
    if (touched_)
      for (int j = 0; j < nc_; ++j) P_[j] = 0.0;
    touched_ = false;
    settled_ = false;
  }
  void include(int j, const Mask<Value>& where) {
    active_[j] = where;
    touched_ = touched_ || any(where);
  }
  void set_rates(int j, const Value* v0, const Value* v_free) {
    U_minus_[j] = g_t0_[j] + along(j, v0);
    U_free_[j] = g_t1_[j] + along(j, v_free);
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
  // Constraints whose slack is negative join the active set.
  template <class Slack, class Respond>
  bool join(const Slack& slack, const Respond& respond) {
    bool grown = false;
    for (int j = 0; j < nc_; ++j) {
      const Mask<Value> joins = (!active_[j]) & (!settled_) & (slack(j) < Value(0.0));
      if (!any(joins)) continue;
      if (!any(active_[j])) respond(j);
      active_[j] = active_[j] | joins;
      grown = touched_ = true;
    }
    return grown;
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  const int nc_;
  const bool constant_gradient_, fixed_gaps_;
  Delassus<Value> problem_;
  std::vector<Value> H_, g_, offset_, U_, U_minus_, U_plus_, U_free_, g_t0_, g_t1_, b_, P_, e_, blur_, blur_units_;
  std::vector<Value> push_;  // of many
  MaskArray<Value> active_;
  Mask<Value> settled_ = false;
  bool touched_ = false, blurred_ = false;
};

}  // namespace ricochet
