// Nonsmooth generalized-α scheme with contacts and joints at position and velocity level [Brüls, Acary, Cardona 2014],
// α_m = (2ρ∞−1)/(ρ∞+1), α_f = ρ∞/(ρ∞+1), γ = ½ + α_f − α_m, β = ¼(γ + ½)². State q, v, a, ã; at the start a = ã from
// (1).
//
//   M(q₁) ã₁ = F(t₁, q₁, v₁) + H_B λ̃,   H_Bᵀã₁ + c_B = 0                                           (1)
//   (1−α_m) a₁ + α_m a₀ = (1−α_f) ã₁ + α_f ã₀                                                      (2)
//   ṽ = v₀ + h a_γ,   q̃ = q₀ + h v₀ + ½h² a_{2β},   x_s = (1−s) x₀ + s x₁                          (3)
//   q₁ = q̃ + ½h M⁻¹ H_S(q_½) Λ_S + M⁻¹ H(q₁) ν,   0 ≤ g(t₁, q₁) ⊥ ν ≥ 0 for all contacts,   g_B(t₁, q₁) = 0   (4)
//   v₁ = ṽ + M⁻¹ H(q_½) Λ,   0 ≤ U₁ + e U₀ ⊥ Λ ≥ 0 for contacts closed by (4), with Coulomb's law on their slips,
//       U₁ = 0 for joints, dry friction; the rates by (1) and (2) of kernel/step_contacts.hpp      (5)
//
// Departures from the paper:
//   - Impulses act along H(q_½), not H(q₁), with M at q_½ too: a body that slides along a curve otherwise loses energy
//     of first order.
//   - An impact measures both rates with H(q_½), so that e = 1 keeps the energy on any wall.
//   - A contact takes part in (5) also where (4) leaves it closed to round-off with ν = 0, as one of several that
//     support a body redundantly.
//   - A contact with friction that (4) closed in one iteration of a step takes part in (5) in the others too.
//   - The term of friction in (4): without it friction does not move the position in its own step, and sliding is of
//     first order.
//
// Newton on a₁, σ = (1−α_m)/(1−α_f), S = σM + h²β K + hγ C, the joints of (1) kept in every solve: S⁺y is the a with
// S a = y + H_B λ, H_Bᵀa = 0. With d = M⁻¹Hν and w = M⁻¹HΛ a₁ answers by −S⁺(K d + C w), so
//
//   q₁ = q_free + (1 − h²β S⁺K) M⁻¹ H ν,   v₁ = v_free + (1 − hγ S⁺C) M⁻¹ H Λ.
//
// What w does to q₁, through C, is left to the next iteration; where stiff springs and dampers meet, Anderson's
// acceleration sees that few are needed. Linear systems without damping or without contact need one; ½h M⁻¹ H_S Λ_S is
// that of the last iteration, and −S⁺K times it is in a₁.
#include "ricochet/scheme/nsga.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/jointed_solve.hpp"
#include "contact/mass_factors.hpp"
#include "contact/position_problem.hpp"
#include "core/constants.hpp"
#include "core/iteration_matrix.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"
#include "scheme/describe.hpp"
#include "scheme/kernel/alpha/alpha_response.hpp"
#include "scheme/kernel/anderson.hpp"
#include "scheme/kernel/iterations.hpp"
#include "scheme/kernel/kernel_stepper.hpp"
#include "scheme/kernel/linear_system.hpp"
#include "scheme/kernel/step_contacts.hpp"
#include "scheme/kernel/step_kernel.hpp"

namespace ricochet {
namespace {

struct Weights {
  explicit Weights(double rho)
      : alpha_m((2.0 * rho - 1.0) / (rho + 1.0)),
        alpha_f(rho / (rho + 1.0)),
        gamma(0.5 + alpha_f - alpha_m),
        beta(0.25 * (gamma + 0.5) * (gamma + 0.5)),
        sigma((1.0 - alpha_m) / (1.0 - alpha_f)) {}
  const double alpha_m, alpha_f, gamma, beta, sigma;
};

class NsgaStep : public StepKernel {
 public:
  NsgaStep(const Model& model, const Nsga& scheme, const ComplementaritySettings& solver);

  // The state was set from outside: a and ã are to be found anew.
  void begin() { remembers_ = false; }

  void set_out(double h, double* q, double* v, double* /*z*/) {
    failure_ = FailureKind::none;
    q0_ = q, v0_ = v;
    ready_ = h == h_ || prepare(h);
  }
  bool go_on(double t0, double h, double t1);

  // Of the last step.
  const StepContacts<double>& contacts() const { return contacts_; }
  const double* joint_forces() const { return lambda_.data() + nc_; }  // λ̃, besides Λ_B/h
  const LedgerTerms<double>& ledger() const { return ledger_; }
  bool ledger_is_exact() const { return linear_force_; }
  FailedStep failed_step() const { return {q1_.data(), v1_.data(), nullptr, F1_.data()}; }

 private:
  using Vector = std::vector<double>;

  bool prepare(double h);
  bool find_acceleration(double t0);
  bool factorise();
  bool linearise(double t1);
  void place_smooth();
  bool solve_acceleration(double t1, bool first);
  bool solve_position(double t1);
  bool solve_velocity(double t0, double t1);
  bool place_rates(double t0, double t1);
  void find_slide();
  void respond_to_positions(const bool* which);
  void respond_to_velocities();
  void relax();
  void accelerate();
  double speed(int i) const {
    constexpr double of_speed = 2e-4;  // a of a uniform motion is round-off
    return h_ * (std::abs(a1_[i]) + y_[i]) + std::abs(w_[i]) + of_speed * std::abs(v0_[i]);
  }
  bool converged(double t1);
  bool balances();
  void find_cancelling_terms();
  bool solve_step(double t0, double t1);
  void account(double t1);
  void account_linear();
  double driven_power(double t, const double* q);
  bool end_is_finite() const {
    double sum = 0.0;
    for (int i = 0; i < nq_; ++i) sum += q1_[i] + v1_[i] + a1_[i];
    return std::isfinite(sum);
  }

  void add_stiffness_answer(const Vector& d);
  void add_damping_answer(double factor, const Vector& w);
  void answer_stiffness(const double* x, double* y);

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const Weights is_;
  const int nq_ = model_.nq(), nc_ = model_.nc(), nr_ = nc_ + model_.nb();
  const bool linear_force_ = layout_.structure.linear_force && layout_.structure.constant_mass;
  const bool constant_mass_ = layout_.structure.constant_mass, constant_gradient_ = layout_.linear_rows();
  bool has_K_ = layout_.stiffness.size() > 0, has_C_ = layout_.damping.size() > 0;

  double h_ = std::numeric_limits<double>::quiet_NaN();
  bool ready_ = false, remembers_ = false, told_impacts_ = false;
  double *q0_ = nullptr, *v0_ = nullptr;
  Vector K_ = zeros(layout_.stiffness.size()), C_ = zeros(layout_.damping.size());
  MassFactors<double> mass_{model_}, middle_mass_{model_};  // at q₁ and, for impulses, at q_½
  IterationMatrix<double> S_;
  JointedSolve jointed_{layout_};

  struct PositionAnswer {  // x := (1 − h²β S⁺K) M⁻¹ x
    void solve(double* x) const {
      step.mass_.solve(x);
      if (!step.has_K_) return;
      double* y = step.answer_.data();
      step.answer_stiffness(x, y);
      step.jointed_.constrain(y);
      for (int i = 0; i < step.nq_; ++i) x[i] -= y[i];
    }
    NsgaStep& step;
  };
  struct VelocityAnswer {  // x := (1 − hγ S⁺C) M⁻¹ x
    void solve(double* x) const {
      mass.solve(x);
      if (!step.has_C_) return;
      std::vector<double>& y = step.answer_;
      std::fill(y.begin(), y.end(), 0.0);
      multiply_add(step.layout_.damping, step.C_.data(), x, -step.h_ * step.is_.gamma, y.data());
      step.S_.solve(y.data());
      step.jointed_.constrain(y.data());
      for (int i = 0; i < step.nq_; ++i) x[i] += y[i];
    }
    NsgaStep& step;
    const MassFactors<double>& mass;
  };
  PositionAnswer position_answer_{*this};
  VelocityAnswer velocity_answer_{*this, constant_mass_ ? mass_ : middle_mass_};
  LentFactors lent_position_, lent_velocity_;
  AlphaResponse large_position_, large_velocity_;
  Vector answer_ = zeros(nq_);

  PositionProblem positions_;
  StepContacts<double> contacts_;
  ContactKinematics<double> rows_{model_};  // of the joints of (1)
  ContactAcceleration<double> start_{model_};
  LinearSystem<double, Vector> linear_;
  Iterations<double, Vector> iterations_;
  Anderson anderson_{2 * nq_, 5 * nq_};
  Vector together_ = zeros(5 * nq_), change_ = zeros(2 * nq_);  // a₁, q₁, v₁, d, w; of w and h a₁

  Vector a0_ = zeros(nq_), a1_ = a0_, at0_ = a0_, at1_ = a0_, q1_ = a0_, v1_ = a0_, q_free_ = a0_, v_free_ = a0_;
  Vector slide_ = a0_, d_ = a0_, w_ = a0_, F1_ = a0_, y_ = a0_, q_half_ = a0_,
         v_half_ = a0_;  // ½h M⁻¹H_SΛ_S, d = M⁻¹Hν, w = M⁻¹HΛ
  Vector a_last_ = a0_, q_last_ = a0_, v_last_ = a0_, d_last_ = a0_, w_last_ = a0_;
  Vector a_base_ = a0_, q_size_ = a0_, target_ = zeros(nr_ - nc_);
  Vector lambda_ = zeros(layout_.rows.cols), lambda_base_ = lambda_;  // λ̃, 0 for contacts and slips
  MaskArray<double> closed_{nc_};
  bool positions_hold_ = true;
  double last_change_ = 0.0;  // of an iteration
  Power<double> power0_;
  double driven_power0_ = 0.0;

  LedgerTerms<double> ledger_;
};

NsgaStep::NsgaStep(const Model& model, const Nsga& scheme, const ComplementaritySettings& solver)
    : model_(model),
      is_(scheme.rho_infinity),
      positions_(model, solver),
      contacts_(model, solver, model.nq()),
      linear_(model, linear_force_, zeros(nq_)),
      iterations_(zeros(nq_), layout_.mass, nr_ > 0 && !constant_gradient_) {
  S_.resize(nq_, {&layout_.mass, &layout_.stiffness, &layout_.damping});
}

bool NsgaStep::factorise() {
  S_.set_zero();
  S_.add(0, mass_.values(), is_.sigma);
  S_.add(1, K_.data(), h_ * h_ * is_.beta);
  S_.add(2, C_.data(), h_ * is_.gamma);
  return note(S_.factorise(), FailureKind::singular_iteration_matrix);
}

// A new step size; constant matrices and responses.
bool NsgaStep::prepare(double h) {
  h_ = h;
  if (!linear_force_) return true;
  const auto nonzero = [](const Vector& A) {
    return std::any_of(A.begin(), A.end(), [](double x) { return x != 0.0; });
  };
  K_.assign(linear_.K(), linear_.K() + K_.size());
  C_.assign(linear_.C(), linear_.C() + C_.size());
  has_K_ = nonzero(K_), has_C_ = nonzero(C_);
  bool good = note(mass_.place(0.0, q0_), FailureKind::mass_not_positive_definite) && factorise();
  if (good && constant_gradient_) {
    rows_.place_gradients(0.0, q0_);
    good = note(jointed_.set(S_, rows_.gradients()), FailureKind::singular_iteration_matrix);
    positions_.prepare(q0_, [this](const bool* which) { respond_to_positions(which); });
    contacts_.activate_all();
    respond_to_velocities();
  }
  if (!good) h_ = std::numeric_limits<double>::quiet_NaN();
  return good;
}

// Many rows: the matrix behind the answer is S/σ without joints, up to damping. Elsewhere there is none.
void NsgaStep::respond_to_positions(const bool* which) {
  if (!positions_.is_large()) return positions_.delassus().set(position_answer_, positions_.gradients(), which);
  lent_position_.lend(position_answer_);
  ImpulseResponse response{.answer = &lent_position_};
  if (S_.is_definite() && constant_mass_ && (nr_ == nc_ || !has_K_))
    large_position_.set(S_.pattern(), S_.values(), S_.pattern(), S_.values(),
                        {.alpha_m = 1.0 - is_.sigma, .ratio = 0.0}, response);
  positions_.delassus().set(response, positions_.gradients());
}

// Many rows: it is M without damping.
void NsgaStep::respond_to_velocities() {
  if (!contacts_.is_large()) return contacts_.respond(velocity_answer_);
  lent_velocity_.lend(velocity_answer_);
  ImpulseResponse response{.answer = &lent_velocity_};
  const IterationMatrix<double>& M = velocity_answer_.mass.factors();
  if (M.is_definite() && !has_C_)
    large_velocity_.set(M.pattern(), M.values(), M.pattern(), M.values(), {.alpha_m = 0.0, .ratio = 0.0}, response);
  contacts_.respond(response);
}

// a₀ = ã₀ by (1).
bool NsgaStep::find_acceleration(double t0) {
  if (!start_.solve(t0, q0_, v0_, nullptr)) return note(false, start_.failure());
  ++counts_.force_evaluations;
  for (int i = 0; i < nq_; ++i) a0_[i] = at0_[i] = start_.value()[i];
  std::copy(start_.reactions(), start_.reactions() + (nr_ - nc_), lambda_.begin() + nc_);
  driven_power0_ = driven_power(t0, q0_);
  if (!linear_force_) power0_ = model_.power(t0, q0_, v0_, nullptr);
  return true;
}

// What drives the joints does this with the forces λ̃.
double NsgaStep::driven_power(double t, const double* q) {
  if (nr_ == nc_ || layout_.structure.fixed_joints) return 0.0;
  rows_.place_obstacles(t, q);
  return rows_.obstacle_work(lambda_.data());
}

// F₁, and S with the joints of (1) at (q₁, v₁).
bool NsgaStep::linearise(double t1) {
  ++counts_.force_evaluations;
  if (nr_ > nc_) rows_.place_accelerations(t1, q1_.data(), v1_.data());
  if (linear_force_) {
    linear_.force(q1_.data(), v1_.data(), F1_.data());
    return constant_gradient_ || nr_ == nc_ ||
           note(jointed_.set(S_, rows_.gradients()), FailureKind::singular_iteration_matrix);
  }
  if (!note(mass_.place(t1, q1_.data()), FailureKind::mass_not_positive_definite)) return false;
  model_.force(t1, q1_.data(), v1_.data(), nullptr, F1_.data());
  model_.force_jacobians(t1, q1_.data(), v1_.data(), nullptr, K_.data(), C_.data());
  return factorise() && note(jointed_.set(S_, rows_.gradients()), FailureKind::singular_iteration_matrix);
}

// ã₁ by (2).
void NsgaStep::place_smooth() {
  const double m = is_.alpha_m / (1.0 - is_.alpha_f), f = is_.alpha_f / (1.0 - is_.alpha_f);
  for (int i = 0; i < nq_; ++i) at1_[i] = is_.sigma * a1_[i] + m * a0_[i] - f * at0_[i];
}

// a₁ by (1) and (2), linearised, for the present w and d = 0. What is linear is so from the first time on.
bool NsgaStep::solve_acceleration(double t1, bool first) {
  if (linear_force_ && constant_gradient_ && !first) {
    a1_ = a_base_, lambda_ = lambda_base_;
    add_damping_answer(-1.0, w_);
    if (contacts_.has_friction() && has_K_) add_stiffness_answer(slide_);
    return true;
  }
  if (!linearise(t1)) return false;
  place_smooth();
  y_ = F1_;
  multiply_add(layout_.mass, mass_.values(), at1_.data(), -1.0, y_.data());
  if (has_K_) multiply_add(layout_.stiffness, K_.data(), d_.data(), 1.0, y_.data());
  S_.solve(y_.data());
  for (int j = nc_; j < nr_; ++j) {
    target_[j - nc_] = -rows_.acceleration(j, at1_.data()) / is_.sigma;
    lambda_[j] = 0.0;
  }
  if (!note(jointed_.constrain(target_.data(), y_.data(), lambda_.data() + nc_),
            FailureKind::singular_iteration_matrix))
    return false;
  for (int i = 0; i < nq_; ++i) a1_[i] += y_[i];
  a_base_ = a1_, lambda_base_ = lambda_;
  return true;
}

// y := S⁻¹ h²β K x, as x − S⁻¹(σM + hγ C) x: stiff springs would leave their round-off in the rest of the motion.
void NsgaStep::answer_stiffness(const double* x, double* y) {
  for (int i = 0; i < nq_; ++i) y[i] = 0.0;
  multiply_add(layout_.mass, mass_.values(), x, -is_.sigma, y);
  if (has_C_) multiply_add(layout_.damping, C_.data(), x, -h_ * is_.gamma, y);
  S_.solve(y);
  for (int i = 0; i < nq_; ++i) y[i] += x[i];
}

// a₁ −= S⁺K d
void NsgaStep::add_stiffness_answer(const Vector& d) {
  const double scale = -1.0 / (h_ * h_ * is_.beta);
  answer_stiffness(d.data(), y_.data());
  for (double& y : y_) y *= scale;
  std::fill(target_.begin(), target_.end(), 0.0);
  jointed_.constrain(target_.data(), y_.data(), lambda_.data() + nc_);
  for (int i = 0; i < nq_; ++i) a1_[i] += y_[i];
}

// a₁ += factor S⁺C w
void NsgaStep::add_damping_answer(double factor, const Vector& w) {
  std::fill(y_.begin(), y_.end(), 0.0);
  multiply_add(layout_.damping, C_.data(), w.data(), factor, y_.data());
  S_.solve(y_.data());
  std::fill(target_.begin(), target_.end(), 0.0);
  jointed_.constrain(target_.data(), y_.data(), lambda_.data() + nc_);
  for (int i = 0; i < nq_; ++i) a1_[i] += y_[i];
}

// (4), and what d does to a₁.
bool NsgaStep::solve_position(double t1) {
  for (int i = 0; i < nq_; ++i)
    q_free_[i] = q0_[i] + h_ * (v0_[i] + 0.5 * h_ * (a0_[i] + 2.0 * is_.beta * (a1_[i] - a0_[i]))) + slide_[i];
  if (nr_ == 0) {
    q1_ = q_free_;
    return true;
  }
  positions_hold_ = positions_.solve(
      t1, q_free_.data(), [this](const bool* which) { respond_to_positions(which); }, q1_.data());
  if (!positions_.pushes()) return true;
  std::fill(d_.begin(), d_.end(), 0.0);
  if (!has_K_) return true;
  multiply_add(layout_.rows, positions_.gradients(), positions_.multiplier(), 1.0, d_.data());
  mass_.solve(d_.data());
  add_stiffness_answer(d_);
  return true;
}

// H at the middle, and on curved gaps at the end. All contacts are told once in a step whether they would be impacts.
bool NsgaStep::place_rates(double t0, double t1) {
  const double t_half = t0 + 0.5 * h_;
  for (int i = 0; i < nq_; ++i) q_half_[i] = 0.5 * (q0_[i] + q1_[i]);
  // With friction a contact that was closed once in a step stays so: what friction itself moves may open the gap.
  const auto closed = [this](int j) {
    if (!contacts_.has_friction()) return positions_.is_closed(j);
    return static_cast<bool>(closed_[j] = closed_[j] || positions_.is_closed(j));
  };
  contacts_.activate_where(closed);
  if (!contacts_.touched()) return true;
  if (!constant_gradient_ && !told_impacts_) {
    contacts_.activate_all();
    contacts_.place(t_half, q_half_.data(), t0, t1, h_);
    contacts_.place_end(t1, q_free_.data(), v_free_.data(), true);
    contacts_.activate_where(closed);
    told_impacts_ = true;
  }
  if (!note(contacts_.place(t_half, q_half_.data(), t0, t1, h_), FailureKind::friction_out_of_range)) return false;
  if (!constant_gradient_) contacts_.place_end(t1, q1_.data(), v_free_.data(), false);
  return true;
}

// What friction does to the position within the step.
void NsgaStep::find_slide() {
  contacts_.slip_sum(slide_.data());
  velocity_answer_.mass.solve(slide_.data());
  for (double& x : slide_) x *= 0.5 * h_;
}

// (5), and what w does to a₁.
bool NsgaStep::solve_velocity(double t0, double t1) {
  if (has_C_ && contacts_.touched()) add_damping_answer(1.0, w_);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (int i = 0; i < nq_; ++i) v_free_[i] = v0_[i] + h_ * (a0_[i] + is_.gamma * (a1_[i] - a0_[i]));
  std::fill(slide_.begin(), slide_.end(), 0.0);
  if (layout_.nr() > 0 && !place_rates(t0, t1)) return false;
  if (contacts_.touched()) {
    if (!note(contacts_.check_restitution(t0, q0_), FailureKind::restitution_out_of_range)) return false;
    if (!constant_mass_ &&
        !note(middle_mass_.place(t0 + 0.5 * h_, q_half_.data()), FailureKind::mass_not_positive_definite))
      return false;
    if (!(linear_force_ && constant_gradient_)) respond_to_velocities();
    ++counts_.contact_problems;
    if (!note(contacts_.solve(v0_, v_free_.data(), v_last_.data()), FailureKind::complementarity_not_solved))
      return false;
    contacts_.large_sum(w_.data());
    velocity_answer_.mass.solve(w_.data());
    if (contacts_.has_friction()) find_slide();
    if (has_C_) add_damping_answer(-1.0, w_);
  }
  for (int i = 0; i < nq_; ++i) v1_[i] = v0_[i] + (h_ * (a0_[i] + is_.gamma * (a1_[i] - a0_[i])) + w_[i]);
  return true;
}

// Where plain iterations do not get there: a part of the last one, or with damping a combination of several.
void NsgaStep::relax() {
  if (has_C_ && contacts_.touched()) return accelerate();
  const double weight = iterations_.next_weight(mass_.values(), [&](int i) { return v1_[i] - v_last_[i]; });
  if (weight == 1.0) return;
  const auto retreat = [&](const Vector& last, Vector& x) {
    for (int i = 0; i < nq_; ++i) x[i] = last[i] + weight * (x[i] - last[i]);
  };
  retreat(a_last_, a1_), retreat(q_last_, q1_), retreat(v_last_, v1_), retreat(d_last_, d_), retreat(w_last_, w_);
}

// Impulses and accelerations together tell how far it is: where impulses are round-off, as on a straight guide, forces
// that are not linear still change accelerations.
void NsgaStep::accelerate() {
  Vector* const parts[] = {&a1_, &q1_, &v1_, &d_, &w_};
  double* x = together_.data();
  for (const Vector* part : parts) x = std::copy(part->begin(), part->end(), x);
  for (int i = 0; i < nq_; ++i) {
    change_[i] = w_[i] - w_last_[i];
    change_[nq_ + i] = h_ * (a1_[i] - a_last_[i]);
  }
  const auto product = [this](const double* r, const double* s) {
    return bilinear(layout_.mass, mass_.values(), r, s) + bilinear(layout_.mass, mass_.values(), r + nq_, s + nq_);
  };
  anderson_.next(product, change_.data(), together_.data());
  const double* next = together_.data();
  for (Vector* part : parts) {
    std::copy(next, next + nq_, part->begin());
    next += nq_;
  }
}

// Whether the last iteration changed a₁, v₁ and q₁ by less than round-off does, that of the formulas of joints too.
bool NsgaStep::converged(double t1) {
  find_cancelling_terms();
  for (int i = 0; i < nq_; ++i) q_size_[i] = std::max(std::abs(q0_[i]), positions_.unresolved(i) / epsilon);
  const double change = iterations_.change(
      mass_.values(), q_size_.data(), h_,
      [&](int i) {
        return std::max(
            {h_ * std::abs(a1_[i] - a_last_[i]), std::abs(v1_[i] - v_last_[i]), std::abs(q1_[i] - q_last_[i]) / h_});
      },
      [&](int i) { return speed(i); });
  if (!iterations_.ended(change)) {
    const bool falls = change <= 0.25 * std::exchange(last_change_, change);
    if (!falls && !constant_gradient_) positions_.see_unresolved(t1, q1_.data());
    return false;
  }
  return balances();
}

// h times (1), in the end.
bool NsgaStep::balances() {
  if (linear_force_) return true;
  place_smooth();
  return iterations_.balances(
      mass_.values(), q0_, [&](int i) { return h_ * F1_[i]; }, {layout_.rows, rows_.gradients(), lambda_.data(), h_},
      [&](int i) { return h_ * at1_[i]; }, [&](int i) { return speed(i); },
      {layout_.stiffness, K_.data(), q1_.data(), h_}, {layout_.damping, C_.data(), v1_.data(), h_});
}

// y := 2e-4 (|F| + |K||q|)/M: forces in balance leave their round-off, those of stiff springs that of their terms.
void NsgaStep::find_cancelling_terms() {
  std::fill(y_.begin(), y_.end(), 0.0);
  const Pattern &stiffness = layout_.stiffness, &mass = layout_.mass;
  for (int j = 0; j < nq_ && !linear_force_; ++j)
    for (int k = stiffness.start[j]; k < stiffness.start[j + 1]; ++k) y_[stiffness.row[k]] += std::abs(K_[k] * q1_[j]);
  for (int j = 0; j < nq_; ++j)
    for (int k = mass.start[j]; k < mass.start[j + 1]; ++k)
      if (mass.row[k] == j) y_[j] = 2e-4 * (y_[j] + std::abs(F1_[j])) / mass_.values()[k];
}

// (1) to (5); the result is in q1_, v1_, a1_, at1_, lambda_.
bool NsgaStep::solve_step(double t0, double t1) {
  if (!note(contacts_.measure(t0, q0_, v0_), FailureKind::not_finite)) return false;
  positions_.begin();
  iterations_.begin();
  anderson_.begin();
  told_impacts_ = false;
  last_change_ = std::numeric_limits<double>::infinity();
  closed_.assign(static_cast<std::size_t>(nc_));
  if (linear_force_ && (linear_.set_loads(t0, t1, remembers_) || !remembers_)) linear_.take_load(1.0);
  // The motion goes on as it is.
  for (int i = 0; i < nq_; ++i) {
    a1_[i] = a0_[i];
    v1_[i] = v0_[i] + h_ * a0_[i];
    q1_[i] = q0_[i] + h_ * (v0_[i] + 0.5 * h_ * a0_[i]);
    slide_[i] = d_[i] = w_[i] = 0.0;
  }
  for (int iteration = 0;; ++iteration) {
    if (iterations_.are_over(iteration))
      return note(false, positions_hold_ ? FailureKind::newton_not_converged : FailureKind::drift_not_projected);
    if (iteration > 0) relax();
    ++counts_.newton_iterations;
    a_last_ = a1_, q_last_ = q1_, v_last_ = v1_, d_last_ = d_, w_last_ = w_;
    if (!solve_acceleration(t1, iteration == 0) || !solve_position(t1) || !solve_velocity(t0, t1)) return false;
    const bool feeds_back = (has_C_ || contacts_.has_friction()) && contacts_.touched();
    const bool is_linear = linear_force_ && (layout_.nr() == 0 || (constant_gradient_ && !feeds_back));
    if (is_linear || converged(t1)) break;
  }
  if (!note(positions_hold_, nr_ > nc_ ? FailureKind::joint_not_held : FailureKind::drift_not_projected)) return false;
  place_smooth();
  return note(end_is_finite(), FailureKind::not_finite);
}

bool NsgaStep::go_on(double t0, double /*h*/, double t1) {
  if (!ready_) return false;
  if (!remembers_ && !find_acceleration(t0)) return false;
  if (!solve_step(t0, t1)) return false;
  account(t1);
  for (int i = 0; i < nq_; ++i) {
    q0_[i] = q1_[i];
    v0_[i] = v1_[i];
    a0_[i] = a1_[i];
    at0_[i] = at1_[i];
  }
  remembers_ = true;
  return true;
}

void NsgaStep::account(double t1) {
  ledger_ = {};
  if (linear_force_) {
    account_linear();
  } else {
    const Power<double> power1 = model_.power(t1, q1_.data(), v1_.data(), nullptr);
    ledger_.input = 0.5 * h_ * (power0_.input + power1.input);
    ledger_.damping = 0.5 * h_ * (power0_.damping + power1.damping);
    power0_ = power1;
  }
  const double driven_power1 = driven_power(t1, q1_.data()), driven = 0.5 * h_ * (driven_power0_ + driven_power1);
  ledger_.input += driven;
  ledger_.numerical -= driven;
  driven_power0_ = driven_power1;
  contacts_.account(v0_, v1_.data(), ledger_);
}

// With M Δv = h M a_γ + H Λ, exactly: ΔT = h v_½ᵀM a_γ + v_½ᵀHΛ. Input and damping are booked with the forces at the
// middle of the step and the actual Δq; what is left is the scheme's own, with the work of the joints and of ν in it:
//   numerical = h v_½ᵀM a_γ − Δqᵀ(F at q_½, v_½)
void NsgaStep::account_linear() {
  for (int i = 0; i < nq_; ++i) {
    q_half_[i] = 0.5 * (q0_[i] + q1_[i]);
    v_half_[i] = 0.5 * (v0_[i] + v1_[i]);
    d_[i] = q1_[i] - q0_[i];
    q_free_[i] = h_ * (a0_[i] + is_.gamma * (a1_[i] - a0_[i]));
  }
  linear_.take_load(0.5);
  linear_.account(q0_, q1_.data(), d_.data(), q_half_.data(), v_half_.data(), ledger_);
  linear_.force(q_half_.data(), v_half_.data(), y_.data());
  linear_.take_load(1.0);
  ledger_.numerical = bilinear(layout_.mass, mass_.values(), v_half_.data(), q_free_.data());
  for (int i = 0; i < nq_; ++i) ledger_.numerical -= d_[i] * y_[i];
}

std::unique_ptr<Stepper> make(const Model& model, const Nsga& scheme, const ComplementaritySettings& solver) {
  return std::make_unique<KernelStepper<NsgaStep>>(model, std::vector<std::string>{}, scheme, solver);
}

}  // namespace

void describe(ParameterTable& table, Nsga& scheme) {
  table("rho_infinity", "ρ∞", "spectral radius for infinitely fast vibrations: 1 keeps them, 0 removes them",
        scheme.rho_infinity, {.lower = 0.0, .upper = 1.0});
}

Nsga::operator Scheme() const { return scheme_of("nsga", *this); }

template <>
SchemeEntry scheme_entry<Nsga>() {
  return {
      .name = "nsga",
      .summary = "nonsmooth generalized-α with contacts and joints at position and velocity level: no penetration",
      .explanation =
          "The smooth forces and those of joints by generalized-α; then the end of the step is brought onto joints and "
          "out of obstacles, and the contacts that this takes have Newton's impact law. At the nodes nothing "
          "penetrates and joints hold in position and velocity, both to round-off. Fast vibrations are damped as the "
          "spectral radius ρ∞ says; contact forces are impulses in every step. An impact puts the body on the "
          "obstacle, in the step in which it happens.",
      .order =
          "2 in free flight, with joints and in lasting contact, 1 across impacts (position in the sup norm, "
          "velocity in L1)",
      .literature =
          "O. Brüls, V. Acary, A. Cardona, Simultaneous enforcement of constraints at position and velocity levels in "
          "the nonsmooth generalized-α scheme, Comput. Methods Appl. Mech. Engrg. 281 (2014) 131, "
          "doi:10.1016/j.cma.2014.07.025",
      .flight_order = 2.0,
      .parameters = parameters_of<Nsga>(),
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_with<Nsga, make>,
  };
}

}  // namespace ricochet
