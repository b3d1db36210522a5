// One step at velocity level, over doubles or lanes: the recursion of Moreau's and Jean's schemes, and of the position
// schemes of Paoli and Schatzman.
//
//   M(q_θ)(v₁ − v₀) − h F = H P                   x_θ = (1−θ) x₀ + θ x₁                        (1)
//   q₁ = q₀ + h v_φ + M⁻¹H_B τ,   z₁ = z₀ + h rate_θ;   τ: g_B(t₁, q₁) = 0                     (2)
//   F = (1−θ) F(t₀, q₀, v₀) + θ F(t₁, q₁ + μ h Δv, v₀ + ψ Δv),   Δv = v₁ − v₀                  (3)
//
//   scheme                     θ   φ   ψ         μ      contacts
//   moreau-jean                θ   θ   1         0      (4), A: g(t₀, q₀) + γ_f h U ≤ 0    [Acary 2018, (41)]
//   moreau-jean-dissipative    θ   ½   1         0      the same                         [Acary 2018, (87)]
//   moreau, mabrouk            1   0   1         0      (4), A: g(t₁, q₁) ≤ 0            [Paoli 2008; 2001]
//   moreau-inelastic           1   0   0         0      the same, e = 0                  [Paoli, abstract]
//   paoli-schatzman            1   0   ½ or 1    0, ¼   (5)                              [Paoli 2001, (3.1)-(3.3)]
//   feasible-position          1   0   0         0      (5), e = 0                       [Paoli 2015]
//
//   0 ≤ U₁ + e U₀ ⊥ P ≥ 0 on A, P = 0 elsewhere, U₁ = 0 for joints; H at q_θ, the rates by (1) and (2) of
//   step_contacts.hpp                                                                          (4)
//   0 ≤ g(t̄, q̄) ⊥ P ≥ 0; H at q̄ = q₁ + h (v₁ − e v₀)/(1+e), t̄ = t₁ + h (1−e)/(1+e)            (5)
//
// (5) is the two-step scheme of the positions written in its increments: with q_{i+1} = q_i + h v_i,
// M(q_{i+1} − 2q_i + q_{i−1}) − h²F = h H P and q̄ = (q_{i+1} + e q_{i−1})/(1+e). Round-off then does not grow like
// ε/h². For the linear force of μ = ¼ the matrix below is that of Paoli 2001, (3.12).
//
// Newton on (v₁, z₁) with the contact problem inside. With constant M, K, C the iteration matrix
// M̂ = M + hθψ C + h²θ(φ+μ) K is factorised once, and with constant H too one iteration is the solution.
// Left out of M̂: the derivatives of M(q_θ)(v₁−v₀) and H P, both O(h) against M.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/joint_projection.hpp"
#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/coordinates.hpp"
#include "scheme/kernel/iterations.hpp"
#include "scheme/kernel/linear_system.hpp"
#include "scheme/kernel/step_contacts.hpp"
#include "scheme/kernel/step_kernel.hpp"
#include "scheme/kernel/velocity/velocity_rule.hpp"

namespace ricochet {

template <class Value, class Shape = AnyShape>
class VelocityStep : public StepKernel {
 public:
  static constexpr bool can_fly = knows_rule<Shape>;
  static constexpr int size = Shape::coordinates;

  VelocityStep(const Mechanics<Value>& model, const VelocityRule& rule, const ComplementaritySettings& solver = {});

  // For those who look at results only now and then: no ledger, and no look whether the end of a step is finite. The
  // step size may then change with reload() alone.
  void skip_account() { accounts_ = false; }

  // The state was set from outside: nothing of the last step's end may be reused; at the begin of a motion nothing at
  // all.
  void resume() { remembers_ = false; }
  void resume(const ContactMemory* contacts) {
    resume();
    contacts_.recall(contacts);
  }
  void begin() {
    resume();
    contacts_.forget_active();
  }

  // Over lanes: the values of the model in this lane, or its motion, were set from outside.
  void reload(int lane);

  void set_out(const Value& h, Value* q, Value* v, Value* z) {
    failure_ = FailureKind::none;
    if (!prepared_ || (accounts_ && any(h != h_))) prepare(h);
    set_begin(q, v, z);
    move_ = pull_ = h;
  }

  Mask<Value> go_on(const Value& t0, const Value& h, const Value& t1) {
    if constexpr (!Shape::is_constant) t_theta_ = t0 + theta_ * h;  // where what depends on the place is taken
    const Mask<Value> good = solve_step(t0, t1);
    if (!any(good)) return good;
    account(t1);
    const bool everywhere = all(good);
    for (int i = 0; i < nq() && !swaps; ++i) {
      q0_[i] = everywhere ? q1_[i] : select(good, q1_[i], q0_[i]);
      v0_[i] = everywhere ? v1_[i] : select(good, v1_[i], v0_[i]);
    }
    for (int i = 0; i < nz(); ++i) z0_[i] = select(good, z1_[i], z0_[i]);
    remembers_ = true;
    return good;
  }
  void arrive(Value* q, Value* v) const {
    for (int i = 0; i < Size; ++i) q[i] = q0_[i], v[i] = v0_[i];
  }
  // Systems of any size leave the end of a step that was good here.
  static constexpr bool swaps = std::is_same_v<Value, double> && Shape::coordinates == 0;
  void hand_over(std::vector<Value>& q, std::vector<Value>& v) {
    if constexpr (swaps) {
      q.swap(q1_);
      v.swap(v1_);
      q0_ = q.data(), v0_ = v.data();
    }
  }
  // Of a shape that is constant: steps in which nothing touches and nothing fails, as many of n as there are from here
  // on; the next one has to go on. begin_of(k), begin_of(k + 1): begin and end of step k; book(terms): of each step
  // that changed the energy.
  template <class BeginOf, class Book>
  std::uint64_t fly(std::uint64_t n, const BeginOf& begin_of, const Book& book);
  const Value& flight_violation() const { return flight_violation_; }  // largest −g where its steps began
  // Whether steps ask what time it is.
  bool needs_time() const { return !(Shape::is_constant && linear_.constant_load()); }

  // What the rule does to v before the first step, at (t0, q).
  bool has_start() const { return start_ != VelocityRule::Start::none; }
  Mask<Value> start(const Value& t0, const Value& h, Value* q, Value* v, Value* z, const Mask<Value>& where = true);

  // Of the last step.
  const StepContacts<Value, typename Shape::of_contacts>& contacts() const { return contacts_; }
  void set_modes(StepModes& modes) requires std::is_same_v<Value, double> {
    std::fill(push_.begin(), push_.end(), 0.0);
    contacts_.add_push(push_.data());
    contacts_.set_modes(push_.data(), v1_.data(), modes);
  }
  bool is_unfinished(int j, int l = 0) const;  // in lane l: an impact that the next step goes on with
  bool leaves_unfinished() const { return at_position_; }
  bool has_ledger() const { return !keeps_energy_ || contacts_.touched(); }  // otherwise the energy is as before
  const LedgerTerms<Value>& ledger() const { return has_ledger() ? ledger_ : no_terms_; }
  bool ledger_is_exact() const { return linear_force_; }
  FailedStep failed_step() const { return {q1_.data(), v1_.data(), z1_.data(), F_.data()}; }

 private:
  static constexpr int Size = Shape::coordinates;
  using Values = std::vector<Value>;
  using Vector = Coordinates<Value, Size>;
  static Values zeros(int n) { return Values(static_cast<std::size_t>(n), Value(0.0)); }
  static Vector vector(int n) { return zero_coordinates<Value, Size>(n); }

  struct Place {
    Value q, q_theta, v_F, dq;
  };
  // Where a coordinate ends that ends with v₁, what the force takes of it and of its velocity, and how far it moves.
  Place place(const Value& q0, const Value& v0, const Value& v1) const {
    const Value dv = v1 - v0, dq = move_ * (v0 + phi_ * dv);
    return {q0 + dq, q0 + theta_ * dq, v0 + theta_v_ * dv, dq};
  }
  void read_constants();
  void set_begin(Value* q, Value* v, Value* z) {
    if constexpr (Size > 0) {
      for (int i = 0; i < Size; ++i) q0_[i] = q[i], v0_[i] = v[i];
    } else {
      q0_ = q, v0_ = v;
    }
    z0_ = z;
  }
  void prepare(const Value& h);
  void assemble(const Value* M, const Value* K, const Value* C);
  // The active set: by forecast from the begin, by the gap at the end, which for φ = 0 is known already, or by (5).
  void activate(const Value& t1) {
    if (at_position_) return contacts_.activate_none();
    if (at_end_) return contacts_.activate_by_gap(t1, q1_.data());
    contacts_.activate_by_forecast(h_forecast_);
  }
  // y is what the forces do to v₀: who touches as before, but for round-off.
  Mask<Value> keep_active(const Value& t0) {
    const bool kept = contacts_.keep_active(h_, y_.data(), hold_, [&](int j) {
      return at_end_ ? contacts_.end_gap(j) : contacts_.forecast_gap(j, h_forecast_);
    });
    if (!kept) [[likely]]
      return true;
    return note(contacts_.check_restitution(t0, q0_), FailureKind::restitution_out_of_range);
  }

  // (1) to (5) from (t₀, q₀, v₀, z₀): Newton, one iteration where matrices and, if anything touches, gradients are
  // constant. The result is in q1_, v1_, z1_.
  Mask<Value> solve_step(const Value& t0, const Value& t1) {
    const Mask<Value> measured = note(contacts_.measure(t0, q0_, v0_), FailureKind::not_finite);
    if (!any(measured)) [[unlikely]]
      return measured;
    begin_forces(t0, t1);
    if (!(swaps && has_bands_)) place_begin(t1);
    activate(t1);
    Mask<Value> good = measured & ready_;
    if constexpr (!Shape::is_constant)
      good = good & note(contacts_.check_restitution(t0, q0_), FailureKind::restitution_out_of_range);
    if constexpr (swaps)
      if (has_bands_) return good && solve_bands(t0, t1);
    if (constant_matrix_ && contacts_.constant_gradient() && !projects_) {
      good = good & iterate(t0, t1, true);
    } else {
      good = good & newton(t0, t1, good);
    }
    if (!any(good)) return good;
    for (int i = 0; i < nq(); ++i) v1_[i] = v_new_[i];
    for (int i = 0; i < nz(); ++i) z1_[i] = v_new_[nq() + i];
    good = good & note(place_end(t1, good), FailureKind::joint_not_held);
    if (!accounts_) return good;
    const Mask<Value> finite_end = end_is_finite();
    if (all(finite_end)) [[likely]]
      return good;
    return good & note(finite_end, FailureKind::not_finite);
  }
  Mask<Value> solve_bands(const Value& t0, const Value& t1);
  template <class Velocity>
  bool place_bands(const Velocity& v);
  // F, rates and loads at the begin: those of the last end where the motion goes on.
  void begin_forces(const Value& t0, const Value& t1) {
    if (linear_force_) {
      if (!linear_.set_loads(t0, t1, remembers_)) return;
      if (leads_) {
        linear_.take_average_load(t1 + h_);
      } else {
        linear_.take_load(theta_);
      }
      return;
    }
    if (remembers_) return;
    if (blends_) {
      model_.force(t0, q0_, v0_, z0_, F0_.data());
      ++counts_.force_evaluations;
    }
    if (nz() > 0) model_.state_rate(t0, q0_, v0_, z0_, rate0_.data());
    if (accounts_ && moves_with_mean_) power0_ = model_.power(t0, q0_, v0_, z0_);
  }

  // All positions and velocities for v₁ = v₀: where Newton begins.
  void place_begin(const Value& t1) {
    for (int i = 0; i < nq(); ++i) {
      v1_[i] = v_F_[i] = v0_[i];
      const Value dq = move_ * v0_[i];
      q_theta_[i] = q0_[i] + theta_ * dq;
      if constexpr (knows_rule<Shape>) continue;
      q1_[i] = q0_[i] + dq;
      if (leads_) q_F_[i] = q_theta_[i];
    }
    for (int i = 0; i < nz(); ++i) z1_[i] = z0_[i];
    if (!projects_) return;
    joints_.begin();
    for (int i = 0; i < nq(); ++i) dq_[i] = move_ * v0_[i];
    // Where q₁ does not depend on v₁ it decides who touches.
    if (!at_end_) return;
    if (!constant_mass_) model_.mass(t_theta_, q_theta_.data(), M_.data());
    project_joints(t1, true);
  }

  // The same for v₁ = v_new, or a part of the way where that does not converge; except in lanes that are done: these
  // repeat their last iteration, and so give the same numbers again.
  void place_next(const Value& t1, const Mask<Value>& done) {
    const Value& weight = iterations_.next_weight(M_.data(), [&](int i) { return v_new_[i] - v1_[i]; });
    const Mask<Value> plain = weight == Value(1.0);
    for (int i = 0; i < nq(); ++i)
      v1_[i] = select(done, v1_[i], select(plain, v_new_[i], v1_[i] + weight * (v_new_[i] - v1_[i])));
    for (int i = 0; i < nz(); ++i) z1_[i] = select(done, z1_[i], v_new_[nq() + i]);
    place_end(t1, !done);
  }

  // False where the joints were not met; looked for only in the lanes named.
  Mask<Value> place_end(const Value& t1, const Mask<Value>& where) {
    for (int i = 0; i < nq(); ++i) {
      const Place end = place(q0_[i], v0_[i], v1_[i]);
      q1_[i] = end.q, dq_[i] = end.dq;
      if (Shape::is_constant && keeps_energy_) continue;  // nobody looks at the forces
      q_theta_[i] = end.q_theta, v_F_[i] = end.v_F;
      if (leads_) q_F_[i] = q_theta_[i] + h_ * mu_ * (v1_[i] - v0_[i]);
    }
    if (projects_) [[unlikely]]
      return project_joints(t1, where);
    return true;
  }

  [[gnu::noinline]] Mask<Value> project_joints(const Value& t1, const Mask<Value>& where) {
    if (all(move_ == Value(0.0))) return true;  // on the spot
    if (!(mass_ready_ && constant_mass_)) {
      mass_.set_zero();
      mass_.add(0, M_.data(), Value(1.0));
      mass_.factorise();
      mass_ready_ = true;
    }
    const Mask<Value> good = joints_.project(mass_, contacts_.gradients(), t1, where, q1_.data());
    for (int i = 0; i < nq(); ++i) {
      dq_[i] += joints_.shift()[i];
      q_theta_[i] = q0_[i] + theta_ * dq_[i];
    }
    return good;
  }

  // y = −(residual of (1) and (2)) = h F − M(q_θ)(v₁ − v₀), h rate_θ − (z₁ − z₀); at first v₁ = v₀
  void residual(const Value& t1, bool first) {
    const Value* q_F = leads_ ? q_F_.data() : q_theta_.data();
    if (linear_force_) {
      linear_.force(q_F, v_F_.data(), F_.data());
    } else if (blends_) {
      model_.force(t1, q1_.data(), v1_.data(), z1_.data(), F1_.data());
      for (int i = 0; i < nq(); ++i) F_[i] = F0_[i] + theta_ * (F1_[i] - F0_[i]);
    } else {
      model_.force(t1, q_F, own_velocity_ ? v_F_.data() : v1_.data(), z1_.data(), F_.data());
    }
    ++counts_.force_evaluations;
    for (int i = 0; i < nq(); ++i) y_[i] = pull_ * F_[i];
    for (int j = 0; j < nq() && !first; ++j) {
      const Value dv = v1_[j] - v0_[j];
      for (int k = layout_.mass.start[j]; k < layout_.mass.start[j + 1]; ++k) y_[layout_.mass.row[k]] -= M_[k] * dv;
    }
    if (nz() == 0) return;
    model_.state_rate(t1, q1_.data(), v1_.data(), z1_.data(), rate1_.data());
    for (int i = 0; i < nz(); ++i)
      y_[nq() + i] = h_ * (rate0_[i] + theta_ * (rate1_[i] - rate0_[i])) - (z1_[i] - z0_[i]);
  }

  // Matrices that change with the motion: M(t_θ, q_θ), K, C and the derivatives of z' at the end of the step.
  Mask<Value> refresh_matrix(const Value& t1) {
    Mask<Value> good = true;
    if (!constant_mass_)
      good = good & note(is_definite_(layout_.mass, M_.data()), FailureKind::mass_not_positive_definite);
    model_.force_jacobians(t1, q1_.data(), v1_.data(), z1_.data(), K_.data(), C_.data());
    if (nz() > 0)
      model_.state_jacobians(t1, q1_.data(), v1_.data(), z1_.data(), F_z_.data(), rate_q_.data(), rate_v_.data(),
                             rate_z_.data());
    assemble(M_.data(), K_.data(), C_.data());
    return good & note(M_hat_.factorise(), FailureKind::singular_iteration_matrix);
  }
  // On curved gaps the end of the step is looked at, first that without contact. Lanes that are done repeat theirs.
  [[gnu::noinline]] void place_contact_ends(const Value& t1, bool first) {
    for (int i = 0; i < nq(); ++i) {
      Value q_end = first ? q0_[i] + move_ * (v0_[i] + phi_ * (v_new_[i] - v0_[i])) : q1_[i];
      if (first && projects_) q_end += joints_.shift()[i];
      q_contact_[i] = select(contacts_.settled(), q_contact_[i], q_end);
    }
    contacts_.place_end(t1, q_contact_.data(), v_new_.data(), first);
  }
  Mask<Value> solve_contacts(const Value& t0, const Value& t1, bool first) {
    if (!at_position_ && !contacts_.touched()) return true;
    const Mask<Value> good = at_position_ ? solve_at_position(t0, t1, first) : solve_at_velocity(t0, t1, first);
    if (!contacts_.touched()) return good;
    ++counts_.contact_problems;
    contacts_.add_push(v_new_.data());
    return note(good, FailureKind::complementarity_not_solved);
  }
  // P from (4) with v₁ = v_free + X P; v_new holds v_free here.
  Mask<Value> solve_at_velocity(const Value& t0, const Value& t1, bool first) {
    const Mask<Value> good =
        note(contacts_.place(t_theta_, q_theta_.data(), t0, t1, move_), FailureKind::friction_out_of_range);
    if (!contacts_.constant_gradient()) place_contact_ends(t1, first);
    if (!(constant_matrix_ && contacts_.constant_gradient())) contacts_.respond(M_hat_);
    return good & contacts_.solve(v0_, v_new_.data(), first ? v_new_.data() : v1_.data());
  }

  // P from (5), linearised first at v_free, which is the end of it unless somebody pushes, then at v₁.
  Mask<Value> solve_at_position(const Value& t0, const Value& t1, bool first) {
    if (nc_ == 0) return true;
    const Value e = contacts_.restitution()[0], reach = h_ / (Value(1.0) + e);
    const Vector& v_linear = first ? v_new_ : v1_;
    for (int i = 0; i < nq(); ++i)
      q_contact_[i] = select(contacts_.settled(), q_contact_[i], q1_[i] + reach * (v_linear[i] - e * v0_[i]));
    const Mask<Value> good =
        contacts_.solve_position(t1 + reach * (Value(1.0) - e), q_contact_.data(), Value(1.0) / reach, v_new_.data(),
                                 v_linear.data(), first, [&](int j) {
                                   if (constant_matrix_ && contacts_.constant_gradient()) return;
                                   if (contacts_.is_large()) return contacts_.respond(M_hat_);
                                   contacts_.respond(M_hat_, j);
                                 });
    if (!contacts_.touched()) return good;
    // v₀ belongs to [t₀, t₁], v₁ to the next interval.
    const Value half = Value(0.5) * h_;
    contacts_.place_times(q_contact_.data(), t0 + half, t1 + half);
    contacts_.set_rates(v0_, v_new_.data());
    return good;
  }

  // One Newton iteration: (v_new, z_new) = (v₁, z₁) + M̂⁻¹ y + X P with P from the contact problem.
  Mask<Value> iterate(const Value& t0, const Value& t1, bool first) {
    ++counts_.newton_iterations;
    if (!constant_mass_) model_.mass(t_theta_, q_theta_.data(), M_.data());
    residual(t1, first);
    Mask<Value> good = true;
    if (!constant_matrix_) good = note(is_finite(y_), FailureKind::not_finite) & refresh_matrix(t1);
    M_hat_.solve(y_.data());
    if (first && !at_position_) good = good & keep_active(t0);
    for (int i = 0; i < nq(); ++i) v_new_[i] = v1_[i] + y_[i];
    for (int i = 0; i < nz(); ++i) v_new_[nq() + i] = z1_[i] + y_[nq() + i];
    return good & solve_contacts(t0, t1, first);
  }

  // Newton's iterations, from v₁ = v₀, in the lanes that are good so far.
  [[gnu::noinline]] Mask<Value> newton(const Value& t0, const Value& t1, Mask<Value> good) {
    Mask<Value> done = !good;
    iterations_.begin();
    for (int iteration = 0; !all(done); ++iteration) {
      if (iterations_.are_over(iteration)) {
        good = good & note(done, FailureKind::newton_not_converged);
        break;
      }
      if (iteration > 0) place_next(t1, done);
      good = good & iterate(t0, t1, iteration == 0);
      if (constant_matrix_ && !projects_ && (contacts_.constant_gradient() || !contacts_.touched())) break;
      Mask<Value> ended = converged();
      if (any(ended)) ended = ended & balances();
      done = done | (!good) | ended;
      // Beside a lane in contact, one without has its solution, as it would have alone.
      if (constant_matrix_ && iteration == 0) done = done | contacts_.idle();
      contacts_.settle(done);
    }
    return good;
  }

  // Whether the last iteration moved (v₁, z₁) by less than matters: relative to the velocities, also to those that the
  // forces alone would give, or to what moves q by round-off.
  Mask<Value> converged() {
    const Value change = iterations_.change(
        M_.data(), q0_, h_, [&](int i) { return v_new_[i] - v1_[i]; }, [&](int i) { return speed(i); });
    Value size = 0.0, change_z = 0.0;
    for (int i = 0; i < nz(); ++i) {
      change_z = larger(change_z, absolute(v_new_[nq() + i] - z1_[i]));
      size = larger(size, larger(absolute(v_new_[nq() + i]), absolute(z0_[i])));
    }
    const Value tolerance_z = Value(1e-12) * size + Value(std::numeric_limits<double>::min());
    return iterations_.ended(change, nz() == 0, contacts_.has_joints()) & (change_z <= tolerance_z);
  }
  // h F + H P = M (v₁ − v₀) in the end.
  Mask<Value> balances() {
    if (constant_matrix_) return true;
    return iterations_.balances(
        M_.data(), q0_, [&](int i) { return pull_ * F_[i]; },
        {layout_.rows, contacts_.gradients(), contacts_.touched() ? contacts_.impulse() : nullptr, Value(1.0)},
        [&](int i) { return v_new_[i] - v0_[i]; }, [&](int i) { return speed(i); },
        {layout_.stiffness, K_.data(), q1_.data(), h_}, {layout_.damping, C_.data(), v1_.data(), h_});
  }
  Mask<Value> kick(const Value& t0, const Value& h, Value* q, Value* v, Value* z);
  Mask<Value> advance_velocity(const Value& t0, const Value& h, Value* q, Value* v, Value* z);
  void account(const Value& t1);
  void account_linear();
  LedgerTerms<Value> linear_work(const Value* q0, const Value* v0, const Value* q1, const Value* v1, const Value* dq,
                                 const Value* q_F, const Value* v_F);
  void account_power(const Value& t1);
  // That a coordinate has, or forces alone would give it.
  Value speed(int i) const { return larger(larger(absolute(v_new_[i]), absolute(v0_[i])), absolute(v1_[i] + y_[i])); }
  // A sum is finite only if its terms are.
  static Mask<Value> is_finite(const auto& x) {
    Value sum = 0.0;
    for (const Value& entry : x) sum += entry;
    return finite(sum);
  }
  Mask<Value> end_is_finite() const {
    Value sum = 0.0;
    for (int i = 0; i < nq(); ++i) sum += q1_[i] + v1_[i];
    for (int i = 0; i < nz(); ++i) sum += z1_[i];
    return finite(sum);
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  const int nq_, nc_, nz_, n_;
  int nq() const { return Size > 0 ? Size : nq_; }
  int nz() const { return Size > 0 ? 0 : nz_; }
  int n() const { return Size > 0 ? Size : n_; }
  const Value theta_, phi_, theta_v_, forecast_, mu_, start_time_, hold_;
  const Answer<Shape, false, knows_rule<Shape>> at_end_, at_position_, leads_;
  const bool blends_, own_velocity_, moves_with_mean_;  // the last: φ = ½
  const VelocityRule::Start start_;

  // What the model's structure allows to reuse.
  const Answer<Shape, true> constant_mass_, linear_force_, constant_matrix_;
  const bool returns_;                   // a stiffness can give back what it took, if there is one
  const Answer<Shape, false> projects_;  // joints have positions
  bool keeps_energy_ = false;            // steps without contact
  bool has_bands_ = false;               // all matrices of a large system
  Mask<Value> ready_ = true;             // the constant matrices could be factorised

  Value h_ = 0.0, h_forecast_ = 0.0, t_theta_ = 0.0;
  Value flight_violation_ = 0.0;
  Value move_ = 0.0, pull_ = 0.0;  // how long v moves q and F moves v: h, except in a step on the spot
  bool remembers_ = false, prepared_ = false, accounts_ = true;
  // The begin of the step: the caller's, or of few coordinates a copy, which the compiler can keep in registers.
  std::conditional_t<(Size > 0), Value[(Size > 0 ? Size : 1)], Value*> q0_ = {}, v0_ = {};
  Value* z0_ = nullptr;

  Values M_, K_, C_;
  Values F_z_, rate_q_, rate_v_, rate_z_;
  IterationMatrix<Value, Size> M_hat_;
  DefinitenessTest<Value, Size> is_definite_;
  StepContacts<Value, typename Shape::of_contacts> contacts_;
  JointProjection<Value> joints_;
  IterationMatrix<Value> mass_;  // factors of M, for the joints
  bool mass_ready_ = false;
  LinearSystem<Value, Vector, typename Shape::of_contacts> linear_;
  Iterations<Value, Vector> iterations_;

  Vector q1_, v1_, q_theta_, q_F_, v_F_, q_contact_, v_new_, y_, F0_, F1_, F_, dq_;
  Values z1_, rate0_, rate1_, push_;
  Power<Value> power0_;

  LedgerTerms<Value> ledger_;
  const LedgerTerms<Value> no_terms_ = {};
};

}  // namespace ricochet

#include "scheme/kernel/velocity/velocity_step_setup.hpp"
#include "scheme/kernel/velocity/velocity_step_shortcuts.hpp"
