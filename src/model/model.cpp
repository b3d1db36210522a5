// Defaults of the Model interface: central differences for what a hand-written model leaves out.
#include "ricochet/model/model.hpp"

#include "core/iteration_matrix.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

// A pattern that was left out is a dense one.
void complete(Pattern& pattern, int rows, int cols, const char* which) {
  if (pattern.rows == 0 && pattern.cols == 0) {
    pattern = Pattern::dense(rows, cols);
  } else if (pattern.rows != rows || pattern.cols != cols) {
    throw InputError(std::string("layout.") + which, "has " + std::to_string(pattern.rows) + " rows and " +
                                                         std::to_string(pattern.cols) + " columns, must be " +
                                                         std::to_string(rows) + " by " + std::to_string(cols));
  }
}

void append_columns(const Pattern& from, Pattern& to) {
  const int size = to.size();
  to.cols += from.cols;
  to.row.insert(to.row.end(), from.row.begin(), from.row.end());
  for (int j = 1; j <= from.cols; ++j) to.start.push_back(size + from.start[j]);
}

void check_frictions(const Layout& layout) {
  int last = -1;
  for (int k = 0; k < layout.nf(); ++k) {
    const Friction& friction = layout.frictions[k];
    const std::string field = "layout.frictions[" + std::to_string(k) + "]";
    if (friction.rows < 1 || friction.rows > 2)
      throw InputError(field, "must have 1 slip, or 2 in space, got " + std::to_string(friction.rows));
    const int constraint = friction.constraint < 0 ? layout.nc() : friction.constraint;
    if (constraint > layout.nc() || (constraint <= last && constraint < layout.nc()) || constraint < last)
      throw InputError(field, "frictions must be those of contacts in the order of the constraints, then the others");
    last = constraint;
  }
}

Layout complete(Layout layout) {
  const int nq = layout.nq(), nc = layout.nc();
  if (nq == 0) throw InputError("layout.coordinates", "is empty: a model needs at least one coordinate");
  complete(layout.mass, nq, nq, "mass");
  complete(layout.stiffness, nq, nq, "stiffness");
  complete(layout.damping, nq, nq, "damping");
  complete(layout.gradient, nq, nc, "gradient");
  complete(layout.joint_gradient, nq, layout.nb(), "joint_gradient");
  complete(layout.slip_gradient, nq, layout.ns(), "slip_gradient");
  check_frictions(layout);
  layout.rows = layout.gradient;
  append_columns(layout.joint_gradient, layout.rows);
  append_columns(layout.slip_gradient, layout.rows);
  if (!layout.observations.empty()) complete(layout.observation.pattern, nq, layout.no(), "observation");
  return layout;
}

// Step of a central difference at x: ε^(1/3) balances truncation O(d²) against round-off O(ε/d).
template <class Value>
Value difference_step(const Value& x) {
  constexpr double cube_root_epsilon = 6.055454452393343e-06;
  return larger(absolute(x), Value(1.0)) * Value(cube_root_epsilon);
}

// Derivatives of a vector function f (size n) with respect to x[0 … nx): calls column(j, df/dx_j).
template <class Value, class Function, class Column>
void differentiate(int n, int nx, const Value* x, const Function& f, const Column& column) {
  std::vector<Value> moved(x, x + nx), above(static_cast<std::size_t>(n)), below(static_cast<std::size_t>(n));
  for (int j = 0; j < nx; ++j) {
    const Value d = difference_step(x[j]);
    moved[j] = x[j] + d;
    f(moved.data(), above.data());
    moved[j] = x[j] - d;
    f(moved.data(), below.data());
    moved[j] = x[j];
    for (int i = 0; i < n; ++i) above[i] = (above[i] - below[i]) / (d + d);
    column(j, above.data());
  }
}

// H = (∂g/∂q)ᵀ in its pattern, for the n = pattern.cols rows of g(q).
template <class Value, class Function>
void differentiate_gradient(const Pattern& pattern, const Value* q, const Function& g, Value* H) {
  const int nq = pattern.rows, n = pattern.cols;
  std::vector<Value> dense(static_cast<std::size_t>(nq) * static_cast<std::size_t>(n));
  differentiate(n, nq, q, g, [&](int i, const Value* dg) {
    for (int j = 0; j < n; ++j) dense[static_cast<std::size_t>(j) * nq + i] = dg[j];
  });
  for (int j = 0; j < n; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      H[k] = dense[static_cast<std::size_t>(j) * nq + pattern.row[k]];
}

template <class Value, class Function>
void differentiate_time(int n, Value t, bool fixed, const Function& g, Value* g_t) {
  for (int j = 0; j < n; ++j) g_t[j] = 0.0;
  if (fixed) return;
  differentiate(n, 1, &t, g, [&](int, const Value* dg) { std::copy(dg, dg + n, g_t); });
}

// With q(s) = q + s v, t(s) = t + s: c = dU/ds at fixed v, which for a gap is vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t².
// The rate U(s) = Hᵀv + o along that line, drift(t, q, o) and gradient(t, q, H), is differentiated once.
template <class Value, class Gradient, class Drift>
void differentiate_rate(const Pattern& pattern, Value t, const Value* q, const Value* v, const Gradient& gradient,
                        const Drift& drift, Value* c) {
  std::vector<Value> moved(static_cast<std::size_t>(pattern.rows)), H(static_cast<std::size_t>(pattern.size()));
  const auto rate = [&](const Value* s, Value* U) {
    for (int i = 0; i < pattern.rows; ++i) moved[i] = q[i] + *s * v[i];
    gradient(t + *s, moved.data(), H.data());
    drift(t + *s, moved.data(), U);
    for (int j = 0; j < pattern.cols; ++j) U[j] += column_dot(pattern, H.data(), j, v);
  };
  const Value here = 0.0;
  differentiate(pattern.cols, 1, &here, rate, [&](int, const Value* dU) { std::copy(dU, dU + pattern.cols, c); });
}

}  // namespace

int Layout::nb() const {
  int sum = 0;
  for (const Joint& joint : joints) sum += joint.rows;
  return sum;
}

int Layout::ns() const {
  int sum = 0;
  for (const Friction& friction : frictions) sum += friction.rows;
  return sum;
}

std::vector<bool> Layout::joint_has_position() const {
  std::vector<bool> has;
  for (const Joint& joint : joints) has.insert(has.end(), static_cast<std::size_t>(joint.rows), joint.has_position);
  return has;
}

template <class Value>
Mechanics<Value>::Mechanics(Layout layout) : layout_(complete(std::move(layout))) {}

template <class Value>
void Mechanics<Value>::force_jacobians(Value t, const Value* q, const Value* v, const Value* z, Value* K,
                                       Value* C) const {
  const auto into = [](const Pattern& pattern, Value* A) {
    return [&pattern, A](int j, const Value* dF) {
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) A[k] = -dF[pattern.row[k]];
    };
  };
  differentiate(
      nq(), nq(), q, [&](const Value* x, Value* F) { force(t, x, v, z, F); }, into(layout_.stiffness, K));
  differentiate(
      nq(), nq(), v, [&](const Value* x, Value* F) { force(t, q, x, z, F); }, into(layout_.damping, C));
}

template <class Value>
void Mechanics<Value>::gap(Value, const Value*, Value*) const {
  if (nc() > 0) throw Error("the model has constraints but does not override gap()");
}

template <class Value>
void Mechanics<Value>::gap_gradient(Value t, const Value* q, Value* H) const {
  differentiate_gradient(
      layout_.gradient, q, [&](const Value* x, Value* g) { gap(t, x, g); }, H);
}

template <class Value>
void Mechanics<Value>::gap_time_derivative(Value t, const Value* q, Value* g_t) const {
  differentiate_time(
      nc(), t, layout_.structure.fixed_gaps, [&](const Value* x, Value* g) { gap(*x, q, g); }, g_t);
}

template <class Value>
void Mechanics<Value>::gap_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const {
  differentiate_rate(
      layout_.gradient, t, q, v, [&](Value s, const Value* x, Value* H) { gap_gradient(s, x, H); },
      [&](Value s, const Value* x, Value* o) { gap_time_derivative(s, x, o); }, c);
}

template <class Value>
void Mechanics<Value>::joint(Value, const Value*, Value*) const {
  if (nb() > 0) throw Error("the model has joints but does not override joint()");
}

template <class Value>
void Mechanics<Value>::joint_gradient(Value t, const Value* q, Value* H) const {
  differentiate_gradient(
      layout_.joint_gradient, q, [&](const Value* x, Value* g) { joint(t, x, g); }, H);
}

template <class Value>
void Mechanics<Value>::joint_drift(Value t, const Value* q, Value* o) const {
  differentiate_time(
      nb(), t, layout_.structure.fixed_joints, [&](const Value* x, Value* g) { joint(*x, q, g); }, o);
}

template <class Value>
void Mechanics<Value>::joint_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const {
  differentiate_rate(
      layout_.joint_gradient, t, q, v, [&](Value s, const Value* x, Value* H) { joint_gradient(s, x, H); },
      [&](Value s, const Value* x, Value* o) { joint_drift(s, x, o); }, c);
}

template <class Value>
void Mechanics<Value>::slip_gradient(Value, const Value*, Value*) const {
  if (ns() > 0) throw Error("the model has friction but does not override slip_gradient()");
}

template <class Value>
void Mechanics<Value>::slip_drift(Value, const Value*, Value* o) const {
  for (int j = 0; j < ns(); ++j) o[j] = 0.0;
}

template <class Value>
void Mechanics<Value>::slip_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const {
  differentiate_rate(
      layout_.slip_gradient, t, q, v, [&](Value s, const Value* x, Value* H) { slip_gradient(s, x, H); },
      [&](Value s, const Value* x, Value* o) { slip_drift(s, x, o); }, c);
}

template <class Value>
void Mechanics<Value>::friction_bound(Value, const Value*, Value*) const {
  if (nf() > 0) throw Error("the model has friction but does not override friction_bound()");
}

template <class Value>
void Mechanics<Value>::tangential_restitution(Value, const Value*, Value* e) const {
  for (int j = 0; j < nf(); ++j) e[j] = 0.0;
}

template <class Value>
void Mechanics<Value>::restitution(Value, const Value*, Value* e) const {
  for (int j = 0; j < nc(); ++j) e[j] = 0.0;
}

template <class Value>
void Mechanics<Value>::state_rate(Value, const Value*, const Value*, const Value*, Value*) const {
  if (nz() > 0) throw Error("the model has auxiliary states but does not override state_rate()");
}

template <class Value>
void Mechanics<Value>::state_jacobians(Value t, const Value* q, const Value* v, const Value* z, Value* F_z,
                                       Value* rate_q, Value* rate_v, Value* rate_z) const {
  const auto into = [](int rows, Value* A) {
    return [rows, A](int j, const Value* column) {
      for (int i = 0; i < rows; ++i) A[static_cast<std::size_t>(j) * rows + i] = column[i];
    };
  };
  differentiate(
      nq(), nz(), z, [&](const Value* x, Value* F) { force(t, q, v, x, F); }, into(nq(), F_z));
  differentiate(
      nz(), nq(), q, [&](const Value* x, Value* r) { state_rate(t, x, v, z, r); }, into(nz(), rate_q));
  differentiate(
      nz(), nq(), v, [&](const Value* x, Value* r) { state_rate(t, q, x, z, r); }, into(nz(), rate_v));
  differentiate(
      nz(), nz(), z, [&](const Value* x, Value* r) { state_rate(t, q, v, x, r); }, into(nz(), rate_z));
}

// Without more knowledge: E = ½ vᵀ M v.
template <class Value>
Energy<Value> Mechanics<Value>::energy(Value t, const Value* q, const Value* v) const {
  std::vector<Value> M(layout_.mass.size());
  mass(t, q, M.data());
  return {Value(0.5) * bilinear(layout_.mass, M.data(), v, v), Value(0.0)};
}

// dE/dt along the free motion, ∂E/∂t + ∂E/∂q v + ∂E/∂v M⁻¹F by central differences of energy(): whatever changes the
// energy is an input.
template <class Value>
Power<Value> Mechanics<Value>::power(Value t, const Value* q, const Value* v, const Value* z) const {
  const std::size_t n = static_cast<std::size_t>(nq());
  std::vector<Value> M(layout_.mass.size()), a(n);
  mass(t, q, M.data());
  force(t, q, v, z, a.data());
  IterationMatrix<Value> factors;
  factors.resize(nq(), {&layout_.mass});
  factors.set_zero();
  factors.add(0, M.data(), Value(1.0));
  factors.factorise();
  factors.solve(a.data());

  // Slope of f along a direction from x: a step of the size of x, whatever the size of the direction.
  const auto slope = [n](const Value* x, const Value* direction, const auto& f) {
    Value size = 0.0, length = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      size = larger(size, absolute(x[i]));
      length = larger(length, absolute(direction[i]));
    }
    const Value d = difference_step(size), scale = select(length > Value(0.0), d / length, Value(0.0));
    std::vector<Value> above(n), below(n);
    for (std::size_t i = 0; i < n; ++i) {
      above[i] = x[i] + scale * direction[i];
      below[i] = x[i] - scale * direction[i];
    }
    return (f(above.data()) - f(below.data())) / (d + d) * length;
  };
  const Value dt = difference_step(t);
  Value rate = (energy(t + dt, q, v).total() - energy(t - dt, q, v).total()) / (dt + dt);
  rate += slope(q, v, [&](const Value* x) { return energy(t, x, v).total(); });
  rate += slope(v, a.data(), [&](const Value* x) { return energy(t, q, x).total(); });
  return {rate, Value(0.0)};
}

template <class Value>
LinearForce<Value> Mechanics<Value>::linear_force() const {
  throw Error("the model claims a linear force but does not override linear_force()");
}

template <class Value>
void Mechanics<Value>::load(Value, Load<Value>&) const {
  throw Error("the model claims a linear force but does not override load()");
}

template <class Value>
std::optional<LinearTerms> Mechanics<Value>::linear_terms(double t) const {
  const Structure& structure = layout_.structure;
  if (!std::is_same_v<Value, double> || !structure.linear_force || !structure.constant_load ||
      !structure.constant_mass || !layout_.linear_rows() || !layout_.fixed_rows())
    return std::nullopt;
  const std::vector<Value> origin(static_cast<std::size_t>(nq()), Value(0.0));
  std::vector<Value> F = origin, g(static_cast<std::size_t>(layout_.rows.cols), Value(0.0));
  force(t, origin.data(), origin.data(), nullptr, F.data());
  gap(t, origin.data(), g.data());
  if (nb_ > 0) joint(t, origin.data(), g.data() + nc());
  LinearTerms terms;
  const auto constant = [](const Value& value) {
    return lane(value, 0) == 0.0 ? TimeSum{} : TimeSum{{.cosine = lane(value, 0)}};
  };
  for (const Value& value : F) terms.force.push_back(constant(value));
  for (const Value& value : g) terms.rows.push_back(constant(value));
  return terms;
}

template class Mechanics<double>;
template class Mechanics<Lanes>;

}  // namespace ricochet
