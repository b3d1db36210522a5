// What a scheme may know about a mechanical system:
//
//     M(t, q) dv = F(t, q, v, z) dt + H dI + H_B dI_B + H_S dI_S,   z' = rate(t, q, v, z),
//     contacts g(t, q) ≥ 0, U = Hᵀv + ∂g/∂t, dI ≥ 0;   joints g_B(t, q) = 0, U_B = H_Bᵀv + o_B = 0, dI_B of any sign;
//     friction along slips U_S = H_Sᵀv + o_S, |dI_S| ≤ μ dI of a contact, or ≤ L dt with a limit L of its own.
//
// Derive from Model to write one by hand: mass, force, gap and gap_gradient are enough for a motion,
// energy for a ledger. Everything else has a default (derivatives by central differences).
// A model is const in a run, and its functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/lanes.hpp"
#include "ricochet/core/pattern.hpp"
#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/model/time_terms.hpp"

namespace ricochet {

// Structure that lets a scheme factorise once, or skip work. False is always safe.
struct Structure {
  bool constant_mass = false;         // M depends on nothing
  bool linear_force = false;          // F = f(t) − l(t) − K q − C v with constant K and C (see LinearForce)
  bool constant_load = false;         // f, l and V₀ of a linear force do not depend on t
  bool linear_gaps = false;           // H depends on nothing
  bool fixed_gaps = false;            // g does not depend on t
  bool constant_restitution = false;  // e depends on nothing
  bool linear_joints = false;         // H_B depends on nothing
  bool fixed_joints = false;          // o_B = 0: no joint depends on t
  bool linear_slips = false;          // H_S depends on nothing
  bool fixed_slips = false;           // o_S = 0: no surface moves by itself
  bool constant_friction = false;     // μ, L and e_T depend on nothing
  bool operator==(const Structure&) const = default;
};

// A joint holds one or more rows at U = 0, and at g = 0 if it has a position: a rate, such as that of a wheel which
// rolls, need not be the derivative of anything.
struct Joint {
  std::string name;
  int rows = 1;
  bool has_position = true;
  bool operator==(const Joint&) const = default;
};

// Coulomb's friction of a contact, or dry friction with a known limit: −λ_S ∈ bound ∂‖U_S‖, the bound being μ λ of the
// contact or L. Two slips are the Cartesian components of one velocity in the plane of contact.
struct Friction {
  std::string name;     // of the contact, or its own
  int constraint = -1;  // the contact whose force bounds it; −1: a limit of its own
  int rows = 1;         // slips: 1 in the plane, 2 in space
  bool operator==(const Friction&) const = default;
};

// Names, sizes and patterns. Patterns left without rows and columns become dense ones.
//
// What can push or pull is a row: first the contacts, one row each, then those of the joints, then the slips. g, H, o,
// c of all rows in this order are what contact/ works on.
struct Layout {
  std::vector<std::string> coordinates;
  std::vector<std::string> constraints = {};
  std::vector<std::string> states = {};
  Structure structure = {};
  Pattern mass = {};       // M, both triangles
  Pattern stiffness = {};  // −∂F/∂q
  Pattern damping = {};    // −∂F/∂v
  Pattern gradient = {};   // H: one column a constraint
  std::vector<Joint> joints = {};
  Pattern joint_gradient = {};           // H_B: one column a row of a joint
  std::vector<Friction> frictions = {};  // those of contacts in the order of the constraints, then those with a limit
  Pattern slip_gradient = {};            // H_S: one column a slip
  Pattern rows = {};                     // [H H_B H_S]; made by the model

  // Displacements to look at besides the coordinates: y = Nᵀq, one column of N each.
  std::vector<std::string> observations = {};
  SparseMatrix observation = {};

  int nq() const { return static_cast<int>(coordinates.size()); }
  int nc() const { return static_cast<int>(constraints.size()); }
  int nz() const { return static_cast<int>(states.size()); }
  int no() const { return static_cast<int>(observations.size()); }
  int nb() const;  // rows of joints
  int nf() const { return static_cast<int>(frictions.size()); }
  int ns() const;  // slips
  int nr() const { return nc() + nb() + ns(); }
  // Of all rows.
  bool linear_rows() const {
    return structure.linear_gaps && (joints.empty() || structure.linear_joints) &&
           (frictions.empty() || structure.linear_slips);
  }
  bool fixed_rows() const {
    return structure.fixed_gaps && (joints.empty() || structure.fixed_joints) &&
           (frictions.empty() || structure.fixed_slips);
  }
  // Whether row k of the joints has a position.
  std::vector<bool> joint_has_position() const;
};

// E = kinetic + potential: kinetic is T₂, potential is V − T₀ (T_k: part of T of degree k in v).
template <class Value>
struct Energy {
  Value kinetic = 0.0, potential = 0.0;
  Value total() const { return kinetic + potential; }
};

// Rates at which energy enters: dE/dt = input + damping between impacts.
template <class Value>
struct Power {
  Value input = 0.0, damping = 0.0;
};

// The constant matrices of a linear force, F = f(t) − l(t) − K q − C v, with the parts that have an
// energy of their own: V − T₀ = ½ qᵀ K_V q + lᵀq + V₀, dissipation D = ½ vᵀ C_D v.
// K and K_V in the stiffness pattern, C and C_D in the damping pattern.
template <class Value>
struct LinearForce {
  std::vector<Value> K, K_V, C, C_D;
};

// The load of a linear force at one time. The arrays are the caller's, nq long.
template <class Value>
struct Load {
  Value* f = nullptr;  // external
  Value* l = nullptr;  // from the potential
  Value V0 = 0.0;      // V₀: V − T₀ at q = 0
};

template <class Value>
class Mechanics {
 public:
  explicit Mechanics(Layout layout);
  virtual ~Mechanics() = default;

  const Layout& layout() const { return layout_; }
  int nq() const { return layout_.nq(); }
  int nc() const { return layout_.nc(); }
  int nz() const { return layout_.nz(); }
  int nb() const { return nb_; }
  int nf() const { return layout_.nf(); }
  int ns() const { return layout_.rows.cols - nb_ - layout_.nc(); }

  // M(t, q), symmetric positive definite, in the order of layout().mass.
  virtual void mass(Value t, const Value* q, Value* M) const = 0;
  // F(t, q, v, z): all applied and inertia forces, without contact forces.
  virtual void force(Value t, const Value* q, const Value* v, const Value* z, Value* F) const = 0;
  // K = −∂F/∂q and C = −∂F/∂v in their patterns.
  virtual void force_jacobians(Value t, const Value* q, const Value* v, const Value* z, Value* K, Value* C) const;

  // g(t, q), H = (∂g/∂q)ᵀ in the order of layout().gradient, ∂g/∂t.
  virtual void gap(Value t, const Value* q, Value* g) const;
  virtual void gap_gradient(Value t, const Value* q, Value* H) const;
  virtual void gap_time_derivative(Value t, const Value* q, Value* g_t) const;
  // c = vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t², so that g'' = Hᵀv' + c.
  virtual void gap_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const;
  // e per constraint, in [0, 1]; whoever uses it checks.
  virtual void restitution(Value t, const Value* q, Value* e) const;

  // The rows of all joints: g_B, which is 0 for those without a position; H_B in the order of layout().joint_gradient;
  // o_B = ∂g_B/∂t, or what a rate is at v = 0; c_B, so that U_B' = H_Bᵀv' + c_B. By default H_B and o_B are differences
  // of joint(): override them for joints without a position.
  virtual void joint(Value t, const Value* q, Value* g) const;
  virtual void joint_gradient(Value t, const Value* q, Value* H) const;
  virtual void joint_drift(Value t, const Value* q, Value* o) const;
  virtual void joint_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const;

  // The slips of all frictions: H_S in the order of layout().slip_gradient; o_S, the slip at v = 0, by default 0; c_S,
  // so that U_S' = H_Sᵀv' + c_S, by default differences.
  virtual void slip_gradient(Value t, const Value* q, Value* H) const;
  virtual void slip_drift(Value t, const Value* q, Value* o) const;
  virtual void slip_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const;
  // One a friction: μ ≥ 0 or the limit L ≥ 0; e_T in [0, 1], by default 0. Whoever uses them checks.
  virtual void friction_bound(Value t, const Value* q, Value* bound) const;
  virtual void tangential_restitution(Value t, const Value* q, Value* e) const;

  // z' and its derivatives, dense by columns: ∂F/∂z (nq × nz); ∂rate/∂q, ∂rate/∂v (nz × nq), ∂rate/∂z (nz × nz).
  virtual void state_rate(Value t, const Value* q, const Value* v, const Value* z, Value* rate) const;
  virtual void state_jacobians(Value t, const Value* q, const Value* v, const Value* z, Value* F_z, Value* rate_q,
                               Value* rate_v, Value* rate_z) const;

  // The energy account. By default the energy is ½ vᵀMv, and the power is what changes energy() along the free motion,
  // all of it counted as input: override energy() to keep a potential, power() to tell damping from input.
  virtual Energy<Value> energy(Value t, const Value* q, const Value* v) const;
  virtual Power<Value> power(Value t, const Value* q, const Value* v, const Value* z) const;

  // Only for layout().structure.linear_force.
  virtual LinearForce<Value> linear_force() const;
  virtual void load(Value t, Load<Value>& load) const;
  // Loads and moving rows from t on as sums of terms, if they are: by default those that are constant.
  virtual std::optional<LinearTerms> linear_terms(double t) const;

 private:
  Layout layout_;
  const int nb_ = layout_.nb();
};

using Model = Mechanics<double>;

extern template class Mechanics<double>;
extern template class Mechanics<Lanes>;

}  // namespace ricochet
