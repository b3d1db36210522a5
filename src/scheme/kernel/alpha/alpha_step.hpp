// One step of the nonsmooth generalized-α family [Acary 2018, (52)-(73); Chen, Acary, Virlez, Brüls 2013]:
//
//   M[(1−α_m) a₁ + α_m a₀] = (1−α_f) F₁ + α_f F₀           F without contact forces              (1)
//   v₁ = v₀ + h a_γ + w,   q₁ = q₀ + h v₀ + ½h² a_{2β} + ½h w + M⁻¹H_B τ,   M w = H(q_½) Λ       (2)
//   τ: g_B(t₁, q₁) = 0
//   0 ≤ U₁ + e U₀ ⊥ Λ ≥ 0 where g(t₀, q₀) + γ_f h U ≤ 0, Λ = 0 elsewhere, U₁ = 0 for joints          (3)
//       the rates by (1) and (2) of step_contacts.hpp;   x_s = (1−s) x₀ + s x₁
//
//   newmark: α_m = α_f = 0;  hht: α_m = 0;  generalized-alpha: both. M a = F at the start.
//
// w collects impacts and the impulses of contact forces: an impulse inside a would be counted twice or not at all.
// M of (1) is taken at the position predicted for t₁ − α_f h, the time to which it belongs: at another time the order
// in flight falls to 1 where M depends on q. H and M of (2) are taken at the middle: elsewhere the order falls to 1
// where a body slides along a curve, or impulses last and M depends on q.
//
// Newton on a₁ with the contact problem inside, S = (1−α_m)M + (1−α_f)(h²β K + hγ C):
//   a₁ = a_free + Z Λ,   Y = M⁻¹H,   Z = −(1−α_f) S⁻¹(½h K + C) Y,   v₁ = v_free + (Y + hγ Z) Λ.
// With constant matrices S and M are factorised once and one iteration is the solution: that is what lanes take, with
// H that is constant too and joints without positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "contact/joint_projection.hpp"
#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/alpha/alpha_response.hpp"
#include "scheme/kernel/alpha/alpha_stepper.hpp"
#include "scheme/kernel/coordinates.hpp"
#include "scheme/kernel/iterations.hpp"
#include "scheme/kernel/linear_system.hpp"
#include "scheme/kernel/step_contacts.hpp"
#include "scheme/kernel/step_kernel.hpp"

namespace ricochet {

// A shape that is constant has answers of three parts.
template <class Value = double, class Shape = AnyShape>
class AlphaStep : public StepKernel {
  static constexpr bool is_single = std::is_same_v<Value, double>;

 public:
  static constexpr int size = Shape::coordinates;
  // Whether one iteration is the solution, and the matrices are small enough to be dense ones.
  static bool takes_lanes(const Layout& layout) {
    constexpr int most_coordinates = 16;
    return layout.structure.linear_force && layout.structure.constant_mass && layout.linear_rows() &&
           !JointProjection<Value>::is_wanted(layout) && layout.nz() == 0 && layout.nq() <= most_coordinates;
  }

  AlphaStep(const Mechanics<Value>& model, const AlphaRule& rule, const ComplementaritySettings& solver = {})
      : model_(model),
        layout_(model.layout()),
        rule_(rule),
        nq_(model.nq()),
        linear_force_(layout_.structure.linear_force && layout_.structure.constant_mass),
        constant_gradient_(layout_.linear_rows()),
        constant_mass_(layout_.structure.constant_mass),
        projects_(JointProjection<Value>::is_wanted(layout_)),
        M_(zeros(layout_.mass.size())),
        M_half_(M_),
        K_(zeros(layout_.stiffness.size())),
        C_(zeros(layout_.damping.size())),
        contacts_(model, solver, nq_, 3 * nq_),
        joints_(model),
        linear_(model, linear_force_, zero_coordinates<Value, Size>(nq_)),
        iterations_(zero_coordinates<Value, Size>(nq_), layout_.mass, layout_.nr() > 0 && !layout_.linear_rows()) {
    for (Vector* x : {&a0_, &a1_, &a_last_, &w_, &w_last_, &q1_, &v1_, &v_free_, &F0_, &F1_, &y_, &dq_, &q_half_,
                      &v_half_, &a_gamma_})
      *x = zero_coordinates<Value, Size>(nq_);
    (contacts_.is_large() ? z_large_ : push_) = zeros(contacts_.is_large() ? nq_ : 3 * nq_);
    y_large_ = z_large_;
    mass_.resize(nq_, {&layout_.mass});
    S_.resize(nq_, {&layout_.mass, &layout_.stiffness, &layout_.damping});
  }

  // The state was set from outside: a is to be found anew.
  void begin() {
    remembers_ = false;
    contacts_.forget_active();
  }
  // Over lanes: the values of the model in this lane, or its motion, were set from outside.
  void reload(int lane) {
    contacts_.read_constants();
    contacts_.forget(lane);
    linear_.read_constants();
    prepared_mass_ = false;
    h_ = std::numeric_limits<double>::quiet_NaN();
    set_lane(remembers_, lane, false);
  }

  void set_out(const Value& h, Value* q, Value* v, Value* /*z*/) {
    failure_ = FailureKind::none;
    q0_ = q, v0_ = v;
    if (any(h != h_)) ready_ = prepare(h);
  }

  Mask<Value> go_on(const Value& t0, const Value& /*h*/, const Value& t1) {
    Mask<Value> good = ready_;
    if (any(good) && !all(remembers_)) good = good & find_acceleration(t0);
    if (any(good)) good = good & solve_step(t0, t1);
    if (!any(good)) return good;
    account(t1);
    for (int i = 0; i < nq(); ++i) {
      q0_[i] = select(good, q1_[i], q0_[i]);
      v0_[i] = select(good, v1_[i], v0_[i]);
      a0_[i] = a1_[i];
    }
    remembers_ = true;
    return good;
  }

  // Of the last step.
  const StepContacts<Value, typename Shape::of_contacts>& contacts() const { return contacts_; }
  const LedgerTerms<Value>& ledger() const { return ledger_; }
  bool ledger_is_exact() const { return linear_force_; }
  const Value* acceleration() const { return a0_.data(); }  // a at the present node

  // 𝓗 − E = ¼h²(2β−γ) aᵀMa + ½α_f(1−γ) ΔqᵀKΔq [Acary 2018, (93), (103)] at the start and now, of linear systems.
  std::optional<AlgorithmicEnergy> algorithmic_energy() const {
    if (!rule_.has_energy || !linear_force_ || !remembers_) return std::nullopt;
    return AlgorithmicEnergy{energy_at_start_, storage()};
  }

  FailedStep failed_step() const { return {q1_.data(), v1_.data(), nullptr, F1_.data()}; }

 private:
  static constexpr int Size = Shape::coordinates;
  using Vector = Coordinates<Value, Size>;
  using Values = std::vector<Value>;
  static Values zeros(int n) { return Values(static_cast<std::size_t>(n), Value(0.0)); }

  // Constant matrices for a new step size.
  Mask<Value> prepare(const Value& h) {
    h_ = h;
    if (!linear_force_) return true;
    model_.mass(0.0, q0_, M_.data());
    K_.assign(linear_.K(), linear_.K() + K_.size());
    C_.assign(linear_.C(), linear_.C() + C_.size());
    Mask<Value> good = factorise_mass(M_.data());
    if (any(good)) good = good & factorise_iteration(K_.data(), C_.data());
    if (!all(good)) h_ = std::numeric_limits<double>::quiet_NaN();
    if (any(good) && constant_gradient_) set_responses(true);
    return good;
  }
  Mask<Value> factorise_mass(const Value* M) {
    if (prepared_mass_ && constant_mass_) return true;
    mass_.set_zero();
    mass_.add(0, M, 1.0);
    const Mask<Value> good =
        note(is_definite_(layout_.mass, M) & mass_.factorise(), FailureKind::mass_not_positive_definite);
    prepared_mass_ = all(good);
    return good;
  }
  Mask<Value> factorise_iteration(const Value* K, const Value* C) {
    const double weight = 1.0 - rule_.alpha_f;
    S_.set_zero();
    S_.add(0, M_.data(), 1.0 - rule_.alpha_m);
    S_.add(1, K, weight * h_ * h_ * rule_.beta);
    S_.add(2, C, weight * h_ * rule_.gamma);
    return note(S_.factorise(), FailureKind::singular_iteration_matrix);
  }

  // M a₀ = F₀
  Mask<Value> find_acceleration(const Value& t0) {
    Mask<Value> good = true;
    if (!constant_mass_ || !prepared_mass_) {
      model_.mass(t0, q0_, M_.data());
      good = factorise_mass(M_.data());
      if (!any(good)) return good;
    }
    model_.force(t0, q0_, v0_, nullptr, F1_.data());
    ++counts_.force_evaluations;
    for (int i = 0; i < nq(); ++i) {
      F0_[i] = select(remembers_, F0_[i], F1_[i]);
      y_[i] = F0_[i], dq_[i] = select(remembers_, dq_[i], Value(0.0));
    }
    mass_.solve(y_.data());
    for (int i = 0; i < nq(); ++i) a0_[i] = select(remembers_, a0_[i], y_[i]);
    if constexpr (is_single) {
      if (linear_force_) {
        energy_at_start_ = storage();
      } else {
        power0_ = model_.power(t0, q0_, v0_, nullptr);
      }
    }
    return good;
  }
  // The load of the linear force is that at the end: F₀ is remembered.
  void begin_forces(const Value& t0, const Value& t1) {
    if (!linear_force_) return;
    const bool goes_on = all(remembers_);
    if (linear_.set_loads(t0, t1, goes_on) || !goes_on) linear_.take_load(1.0);
  }

  // M at the positions predicted for t₁ − α_f h and, for impulses, for the middle.
  void place_mass(const Value& t0) {
    if (constant_mass_) return;
    const auto place = [&](const Value& s, Value* M) {
      for (int i = 0; i < nq(); ++i) q_half_[i] = q0_[i] + s * (v0_[i] + 0.5 * s * a0_[i]);
      model_.mass(t0 + s, q_half_.data(), M);
    };
    place((1.0 - rule_.alpha_f) * h_, M_.data());
    if (contacts_.touched()) place(0.5 * h_, M_half_.data());
  }

  // H at the middle. The first look at the end of the step is at that without contact: the present a₁ with w = 0.
  Mask<Value> place_contacts(const Value& t0, const Value& t1, bool first) {
    if (!constant_gradient_)
      for (int i = 0; i < nq(); ++i) q_half_[i] = q0_[i] + 0.5 * dq_[i];
    const Mask<Value> good =
        note(contacts_.place(t0 + 0.5 * h_, q_half_.data(), t0, t1, h_), FailureKind::friction_out_of_range);
    if (constant_gradient_ || !any(good)) return good;
    if (first) place_end(t1);
    contacts_.place_end(t1, q1_.data(), v_free_.data(), first);
    return good;
  }

  // (2) for the present a₁ and w.
  Mask<Value> place_end(const Value& t1) {
    const double gamma = rule_.gamma, beta = rule_.beta;
    for (int i = 0; i < nq(); ++i) {
      a_gamma_[i] = a0_[i] + gamma * (a1_[i] - a0_[i]);
      v1_[i] = v0_[i] + h_ * a_gamma_[i] + w_[i];
      dq_[i] = h_ * (v0_[i] + 0.5 * h_ * (a0_[i] + 2.0 * beta * (a1_[i] - a0_[i])) + 0.5 * w_[i]);
      q1_[i] = q0_[i] + dq_[i];
    }
    if constexpr (is_single)
      if (projects_) return project_joints(t1);
    return true;
  }
  [[gnu::noinline]] bool project_joints(double t1) {
    if (!prepared_mass_) return true;  // before the first iteration
    const bool good = joints_.project(mass_, contacts_.gradients(), t1, true, q1_.data());
    for (int i = 0; i < nq(); ++i) dq_[i] += joints_.shift()[i];
    return good;
  }

  // y = −(residual of (1)) = (1−α_f) F₁ + α_f F₀ − M[(1−α_m) a₁ + α_m a₀]
  void residual(const Value& t1) {
    const double f = rule_.alpha_f, m = rule_.alpha_m;
    if (linear_force_) {
      linear_.force(q1_.data(), v1_.data(), F1_.data());
    } else {
      model_.force(t1, q1_.data(), v1_.data(), nullptr, F1_.data());
    }
    ++counts_.force_evaluations;
    for (int i = 0; i < nq(); ++i) y_[i] = F1_[i] + f * (F0_[i] - F1_[i]);
    for (int j = 0; j < nq(); ++j) {
      const Value a = a1_[j] + m * (a0_[j] - a1_[j]);
      for (int k = layout_.mass.start[j]; k < layout_.mass.start[j + 1]; ++k) y_[layout_.mass.row[k]] -= M_[k] * a;
    }
  }
  void set_responses(bool of_all = false) {
    if constexpr (is_single)
      if (contacts_.is_large()) return set_large_responses();
    if (of_all) return contacts_.respond_all(answer_);
    contacts_.respond(answer_);
  }
  [[gnu::noinline]] void set_large_responses() {
    lent_answer_.lend(large_answer_);
    ImpulseResponse response{.answer = &lent_answer_};
    if (mass_.is_definite() && S_.is_definite())
      large_response_.set(mass_.pattern(), mass_.values(), S_.pattern(), S_.values(),
                          {.alpha_m = rule_.alpha_m, .ratio = 1.0 - 0.5 * rule_.gamma / rule_.beta}, response);
    contacts_.respond(response);
  }
  // a₁ += Z Λ, w += Y Λ; w is 0 before.
  void push() {
    if constexpr (is_single)
      if (contacts_.is_large()) return push_large();
    Value *w = push_.data() + nq(), *a = w + nq();
    for (int i = 0; i < nq(); ++i) push_[i] = w[i] = 0.0, a[i] = a1_[i];
    contacts_.add_push(push_.data());
    for (int i = 0; i < nq(); ++i) w_[i] = w[i], a1_[i] = a[i];
  }
  // By one solve each.
  [[gnu::noinline]] void push_large() {
    contacts_.large_sum(w_.data());
    mass_.solve(w_.data());
    respond(w_.data(), z_large_.data());
    for (int i = 0; i < nq(); ++i) a1_[i] += z_large_[i];
  }
  // z = −(1−α_f) S⁻¹(½h K + C) y
  void respond(const Value* y, Value* z) const {
    for (int i = 0; i < nq(); ++i) z[i] = 0.0;
    const double weight = -(1.0 - rule_.alpha_f);
    multiply_add(layout_.stiffness, K_.data(), y, 0.5 * h_ * weight, z);
    multiply_add(layout_.damping, C_.data(), y, Value(weight), z);
    S_.solve(z);
  }
  // y = M⁻¹x, z = −(1−α_f) S⁻¹(½h K + C) y, x := y + hγ z
  void answer(Value* x, Value* y, Value* z) const {
    for (int i = 0; i < nq(); ++i) y[i] = x[i];
    mass_.solve(y);
    respond(y, z);
    for (int i = 0; i < nq(); ++i) x[i] = y[i] + h_ * rule_.gamma * z[i];
  }

  // Λ from (3) with v₁ = v_free + X Λ; then a₁ and w.
  Mask<Value> solve_contacts(const Value& t0, const Value& t1, bool first) {
    if (!contacts_.touched()) return true;
    const Mask<Value> placed = place_contacts(t0, t1, first);
    if (!any(placed)) return placed;
    if (!(linear_force_ && constant_gradient_)) set_responses();
    ++counts_.contact_problems;
    const Mask<Value> solved = note(contacts_.solve(v0_, v_free_.data(), first ? v_free_.data() : v1_.data()),
                                    FailureKind::complementarity_not_solved);
    if (any(solved)) push();
    return placed & solved;
  }

  // One Newton iteration: the step without contact from the present one, then the contacts.
  Mask<Value> iterate(const Value& t0, const Value& t1, int iteration) {
    ++counts_.newton_iterations;
    residual(t1);
    if (!linear_force_) {
      if (iteration == 0 && !all(factorise_mass((contacts_.touched() ? M_half_ : M_).data()))) return false;
      model_.force_jacobians(t1, q1_.data(), v1_.data(), nullptr, K_.data(), C_.data());
      if (!all(factorise_iteration(K_.data(), C_.data()))) return false;
    }
    // Taking w away changes the linearised force by (1−α_f)(½h K + C) w.
    if (iteration > 0 && contacts_.touched()) {
      const double weight = 1.0 - rule_.alpha_f;
      multiply_add(layout_.stiffness, K_.data(), w_.data(), 0.5 * h_ * weight, y_.data());
      multiply_add(layout_.damping, C_.data(), w_.data(), Value(weight), y_.data());
    }
    S_.solve(y_.data());
    for (int i = 0; i < nq(); ++i) {
      a_last_[i] = a1_[i];
      w_last_[i] = w_[i];
      a1_[i] += y_[i];
      w_[i] = 0.0;
      v_free_[i] = v0_[i] + h_ * (a0_[i] + rule_.gamma * (a1_[i] - a0_[i]));
    }
    return solve_contacts(t0, t1, iteration == 0);
  }

  // Where plain iterations do not get there: only a part of the last one.
  void relax() {
    const double weight = iterations_.next_weight(
        M_.data(), [&](int i) { return h_ * rule_.gamma * (a1_[i] - a_last_[i]) + (w_[i] - w_last_[i]); });
    if (weight == 1.0) return;
    for (int i = 0; i < nq(); ++i) {
      a1_[i] = a_last_[i] + weight * (a1_[i] - a_last_[i]);
      w_[i] = w_last_[i] + weight * (w_[i] - w_last_[i]);
    }
  }
  double speed(int i) const {
    constexpr double of_speed = 2e-4;  // a of a uniform motion is round-off
    return h_ * std::abs(a1_[i]) + of_speed * std::abs(v0_[i]);
  }

  // Whether the last iteration changed a₁, and w on curved gaps, by less than matters.
  bool converged() {
    const double change = iterations_.change(
        M_.data(), q0_, h_,
        [&](int i) {
          const double dv = h_ * std::abs(a1_[i] - a_last_[i]);
          return constant_gradient_ ? dv : std::max(dv, std::abs(w_[i] - w_last_[i]));
        },
        [&](int i) { return speed(i); });
    return iterations_.ended(change, true, contacts_.has_joints()) && balances();
  }

  // h times (1), in the end.
  bool balances() {
    if (linear_force_) return true;
    const double f = rule_.alpha_f, m = rule_.alpha_m;
    return iterations_.balances(
        M_.data(), q0_, [&](int i) { return h_ * (F1_[i] + f * (F0_[i] - F1_[i])); },
        {layout_.rows, nullptr, nullptr, 1.0}, [&](int i) { return h_ * (a1_[i] + m * (a0_[i] - a1_[i])); },
        [&](int i) { return speed(i); }, {layout_.stiffness, K_.data(), q1_.data(), h_},
        {layout_.damping, C_.data(), v1_.data(), h_});
  }

  // (1) to (3); the result is in q1_, v1_, a1_, F1_.
  Mask<Value> solve_step(const Value& t0, const Value& t1) {
    Mask<Value> good = note(contacts_.measure(t0, q0_, v0_), FailureKind::not_finite);
    if (!any(good)) return good;
    const Value reach = rule_.forecast * h_;
    contacts_.activate_by_forecast(reach);
    contacts_.keep_active(h_ * h_, a0_.data(), 0.0, [&](int j) { return contacts_.forecast_gap(j, reach); });
    good = good & note(contacts_.check_restitution(t0, q0_), FailureKind::restitution_out_of_range);
    if (!any(good)) return good;
    begin_forces(t0, t1);
    place_mass(t0);
    for (int i = 0; i < nq(); ++i) a1_[i] = a0_[i], w_[i] = 0.0;
    joints_.begin();
    iterations_.begin();
    for (int iteration = 0;; ++iteration) {
      if (iterations_.are_over(iteration)) return note(false, FailureKind::newton_not_converged);
      if constexpr (is_single)
        if (iteration > 0) relax();
      place_end(t1);
      good = good & iterate(t0, t1, iteration);
      if (!any(good)) return good;
      if (linear_force_ && !projects_ && (constant_gradient_ || !contacts_.touched())) break;
      if constexpr (is_single)
        if (converged()) break;
    }
    good = good & note(place_end(t1), FailureKind::joint_not_held);
    return any(good) ? good & note(end_is_finite(), FailureKind::not_finite) : good;
  }

  // The ledger's terms of this step, and F at its end, which is the next one's begin.
  void account(const Value& t1) {
    ledger_ = {};
    if (linear_force_) {
      if constexpr (is_single) {
        account_linear();
        if (!linear_.constant_load()) linear_.take_load(1.0);
      }
      linear_.force(q1_.data(), v1_.data(), F0_.data());
    } else {
      model_.force(t1, q1_.data(), v1_.data(), nullptr, F0_.data());
      ++counts_.force_evaluations;
      const Power<Value> power1 = model_.power(t1, q1_.data(), v1_.data(), nullptr);
      ledger_.input = 0.5 * h_ * (power0_.input + power1.input);
      ledger_.damping = 0.5 * h_ * (power0_.damping + power1.damping);
      power0_ = power1;
    }
    contacts_.account(v0_, v1_.data(), ledger_);
  }

  // With M Δv = h M a_γ + H Λ, exactly: ΔT = h v_½ᵀM a_γ + v_½ᵀHΛ. Input and damping are booked with the forces at the
  // middle of the step, and what h v_½ᵀM a_γ has beyond them is the scheme's own:
  //   numerical = h v_½ᵀM a_γ − Δqᵀ(F at q_½, v_½)
  void account_linear() {
    for (int i = 0; i < nq(); ++i) {
      q_half_[i] = 0.5 * (q0_[i] + q1_[i]);
      v_half_[i] = 0.5 * (v0_[i] + v1_[i]);
    }
    if (!linear_.constant_load()) linear_.take_load(0.5);
    linear_.account(q0_, q1_.data(), dq_.data(), q_half_.data(), v_half_.data(), ledger_);
    linear_.force(q_half_.data(), v_half_.data(), y_.data());
    ledger_.numerical = h_ * bilinear(layout_.mass, M_.data(), v_half_.data(), a_gamma_.data());
    for (int i = 0; i < nq(); ++i) ledger_.numerical -= dq_[i] * y_[i];
  }
  double storage() const {
    const double inertia = bilinear(layout_.mass, M_.data(), a0_.data(), a0_.data());
    const double stiffness = bilinear(layout_.stiffness, K_.data(), dq_.data(), dq_.data());
    return 0.25 * h_ * h_ * (2.0 * rule_.beta - rule_.gamma) * inertia +
           0.5 * rule_.alpha_f * (1.0 - rule_.gamma) * stiffness;
  }
  Mask<Value> end_is_finite() const {
    Value sum = 0.0;
    for (int i = 0; i < nq(); ++i) sum += q1_[i] + v1_[i] + a1_[i];
    return finite(sum);
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  const AlphaRule rule_;
  const int nq_;
  int nq() const { return Size > 0 ? Size : nq_; }
  const Answer<Shape, true> linear_force_, constant_gradient_, constant_mass_;
  const Answer<Shape, false> projects_;

  Value h_ = std::numeric_limits<double>::quiet_NaN();
  Mask<Value> remembers_ = false, ready_ = true;  // ready: what is constant could be factorised
  bool prepared_mass_ = false;
  Value *q0_ = nullptr, *v0_ = nullptr;  // the state, where it stands with the caller
  Values M_, M_half_, K_, C_;
  IterationMatrix<Value, Size> mass_, S_;
  struct SmallAnswer {  // (x, ·, ·) := (X x, Y x, Z x)
    void solve(Value* x) const { step.answer(x, x + step.nq(), x + 2 * step.nq()); }
    const AlphaStep& step;
  };
  struct LargeAnswer {  // x := X x
    void solve(double* x) const { step.answer(x, step.y_large_.data(), step.z_large_.data()); }
    const AlphaStep& step;
  };
  SmallAnswer answer_{*this};
  LargeAnswer large_answer_{*this};
  LentFactors lent_answer_;
  AlphaResponse large_response_;
  DefinitenessTest<Value, Size> is_definite_;
  StepContacts<Value, typename Shape::of_contacts> contacts_;
  JointProjection<Value> joints_;
  LinearSystem<Value, Vector, typename Shape::of_contacts> linear_;
  Iterations<Value, Vector> iterations_;

  Vector a0_, a1_, a_last_, w_, w_last_, q1_, v1_, v_free_, F0_, F1_, y_, dq_, q_half_, v_half_, a_gamma_;
  Values push_;  // (·, w, a₁)
  mutable Values y_large_, z_large_;
  Power<Value> power0_;
  double energy_at_start_ = 0.0;

  LedgerTerms<Value> ledger_;
};

}  // namespace ricochet
