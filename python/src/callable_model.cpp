#include "callable_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ricochet/model/compliance.hpp"

namespace ricochet::python {

namespace {

// Steps of central differences at x: ε^(1/3) for a first derivative, ε^(1/4) for a second one.
constexpr double first_step = 6.055454452393343e-06, second_step = 1.220703125e-04;

double size_of(const double* x, int n) {
  double size = 1.0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(x[i]));
  return size;
}

// Numbers for a moment: on the stack if they are few.
class Few {
 public:
  explicit Few(int n) {
    if (n > static_cast<int>(own_.size())) many_.resize(static_cast<std::size_t>(n));
  }
  Few(const double* from, int n) : Few(n) { std::copy_n(from, n, data()); }

  double* data() { return many_.empty() ? own_.data() : many_.data(); }
  double& operator[](int i) { return data()[i]; }

 private:
  std::array<double, 16> own_;  // left as it is: all of it is written before it is read
  std::vector<double> many_ = {};
};

Few along(const double* q, const double* v, int n, double s) {
  Few moved(q, n);
  for (int i = 0; i < n; ++i) moved[i] += s * v[i];
  return moved;
}

// Row after row to column after column: the dense pattern of a matrix.
void transpose(int rows, int cols, const double* from, double* to) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) to[j * rows + i] = from[i * cols + j];
}

class CallableModel final : public Model {
 public:
  explicit CallableModel(CallableParts parts) : Model(layout_of(parts)), parts_(std::move(parts)) {}

  void mass(double t, const double* q, double* M) const override { square(parts_.mass, t, {q}, M); }

  void force(double t, const double* q, const double* v, const double* z, double* F) const override {
    parts_.force(t, {q, v, z}, F);
  }
  void force_jacobians(double t, const double* q, const double* v, const double* z, double* K,
                       double* C) const override {
    const auto by_q = [&](const double* x, double* F) { force(t, x, v, z, F); };
    const auto by_v = [&](const double* x, double* F) { force(t, q, x, z, F); };
    jacobian(parts_.stiffness, t, {q, v, z}, q, by_q, K);
    jacobian(parts_.damping, t, {q, v, z}, v, by_v, C);
  }

  void gap(double t, const double* q, double* g) const override {
    for (const RowBlock& block : parts_.blocks) block.gap(t, {q}, g + block.first);
  }
  void gap_gradient(double t, const double* q, double* H) const override {
    for (const RowBlock& block : parts_.blocks) gradient(block, t, q, H + block.first * nq());
  }
  void gap_time_derivative(double t, const double* q, double* g_t) const override {
    for (const RowBlock& block : parts_.blocks) time_derivative(block, t, q, g_t + block.first);
  }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    for (const RowBlock& block : parts_.blocks) acceleration_terms(block, t, q, v, c + block.first);
  }
  void restitution(double t, const double* q, double* e) const override {
    for (const RowBlock& block : parts_.blocks) evaluate(block.restitution, t, {q}, e + block.first);
  }

  void joint(double t, const double* q, double* g) const override {
    std::fill(g, g + nb(), 0.0);
    for (const RowBlock& block : parts_.joints)
      if (block.gap) block.gap(t, {q}, g + block.first);
  }
  void joint_gradient(double t, const double* q, double* H) const override {
    for (const RowBlock& block : parts_.joints) gradient(block, t, q, H + block.first * nq());
  }
  void joint_drift(double t, const double* q, double* o) const override {
    for (const RowBlock& block : parts_.joints) time_derivative(block, t, q, o + block.first);
  }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    for (const RowBlock& block : parts_.joints) acceleration_terms(block, t, q, v, c + block.first);
  }

  void slip_gradient(double t, const double* q, double* H) const override {
    for (const RowBlock& block : parts_.frictions) gradient(block, t, q, H + block.first * nq());
  }
  void slip_drift(double t, const double* q, double* o) const override {
    for (const RowBlock& block : parts_.frictions) time_derivative(block, t, q, o + block.first);
  }
  void slip_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    for (const RowBlock& block : parts_.frictions) acceleration_terms(block, t, q, v, c + block.first);
  }
  void friction_bound(double t, const double* q, double* bound) const override {
    for (const RowBlock& block : parts_.frictions) evaluate(block.bound, t, {q}, bound++);
  }
  void tangential_restitution(double t, const double* q, double* e) const override {
    for (const RowBlock& block : parts_.frictions) evaluate(block.tangential_restitution, t, {q}, e++);
  }

  void state_rate(double t, const double* q, const double* v, const double* z, double* rate) const override {
    if (nz() > 0) parts_.rate(t, {q, v, z}, rate);
  }

  Energy<double> energy(double t, const double* q, const double* v) const override {
    return {kinetic(t, q, v), potential(t, q)};
  }

  // dE/dt = vᵀF + ½ vᵀ(dM/dt)v + dV/dt, with the derivatives along q' = v by central differences.
  Power<double> power(double t, const double* q, const double* v, const double* z) const override {
    if (parts_.power) {
      double values[2];
      parts_.power(t, {q, v}, values);
      return {values[0], values[1]};
    }
    Few F(nq());
    force(t, q, v, z, F.data());
    double input = dot(nq(), v, F.data());
    if (!parts_.potential && !parts_.mass.function) return {input, 0.0};
    const double s = first_step * size_of(q, nq()) / size_of(v, nq());
    Few above = along(q, v, nq(), s), below = along(q, v, nq(), -s);
    if (parts_.potential) input += (potential(t + s, above.data()) - potential(t - s, below.data())) / (s + s);
    if (parts_.mass.function) input += (kinetic(t + s, above.data(), v) - kinetic(t - s, below.data(), v)) / (s + s);
    return {input, 0.0};
  }

 private:
  static Layout layout_of(const CallableParts& parts) {
    Layout layout;
    layout.coordinates = parts.coordinates;
    layout.constraints = parts.constraints;
    layout.states = parts.states;
    for (const RowBlock& joint : parts.joints)
      layout.joints.push_back({.name = joint.name, .rows = joint.size, .has_position = bool(joint.gap)});
    const auto is_linear = [](const RowBlock& block) { return !block.gradient.constant.empty(); };
    const auto all = [](const std::vector<RowBlock>& blocks, const auto& property) {
      return std::all_of(blocks.begin(), blocks.end(), property);
    };
    layout.structure.constant_mass = !parts.mass.function;
    layout.structure.linear_gaps = all(parts.blocks, is_linear);
    layout.structure.fixed_gaps = all(parts.blocks, is_fixed);
    layout.structure.constant_restitution =
        all(parts.blocks, [](const RowBlock& block) { return !block.restitution.constant.empty(); });
    layout.structure.linear_joints = all(parts.joints, is_linear);
    layout.structure.fixed_joints = all(parts.joints, is_fixed);
    for (const RowBlock& friction : parts.frictions)
      layout.frictions.push_back({.name = friction.name, .constraint = friction.constraint, .rows = friction.size});
    layout.structure.linear_slips = all(parts.frictions, is_linear);
    layout.structure.fixed_slips = all(parts.frictions, is_fixed);
    layout.structure.constant_friction = all(parts.frictions, [](const RowBlock& block) {
      return !block.bound.function && !block.tangential_restitution.function;
    });
    return layout;
  }

  static bool is_fixed(const RowBlock& block) {
    const std::vector<double>& g_t = block.time_derivative.constant;
    return !g_t.empty() && std::all_of(g_t.begin(), g_t.end(), [](double x) { return x == 0.0; });
  }

  // A part that is given.
  static void evaluate(const Part& part, double t, std::array<const double*, 3> arguments, double* result) {
    if (part.function)
      part.function(t, arguments, result);
    else
      std::copy(part.constant.begin(), part.constant.end(), result);
  }

  // A matrix nq × nq, by columns.
  void square(const Part& part, double t, std::array<const double*, 3> arguments, double* A) const {
    if (!part.function) return transpose(nq(), nq(), part.constant.data(), A);
    Few rows(nq() * nq());
    part.function(t, arguments, rows.data());
    transpose(nq(), nq(), rows.data(), A);
  }

  // −∂F/∂x, given or by central differences.
  template <class Force>
  void jacobian(const Part& part, double t, std::array<const double*, 3> arguments, const double* x,
                const Force& force_at, double* A) const {
    if (part.given()) return square(part, t, arguments, A);
    Few moved(x, nq()), above(nq()), below(nq());
    for (int j = 0; j < nq(); ++j) {
      const double d = first_step * std::max(1.0, std::abs(x[j]));
      moved[j] = x[j] + d;
      force_at(moved.data(), above.data());
      moved[j] = x[j] - d;
      force_at(moved.data(), below.data());
      moved[j] = x[j];
      for (int i = 0; i < nq(); ++i) A[j * nq() + i] = (below[i] - above[i]) / (d + d);
    }
  }

  // The columns of H that belong to a block: its rows ∇g, one after the other.
  void gradient(const RowBlock& block, double t, const double* q, double* H) const {
    if (block.gradient.given()) return evaluate(block.gradient, t, {q}, H);
    if (block.rate) return gradient_of_rate(block, t, q, H);
    Few moved(q, nq()), above(block.size), below(block.size);
    for (int i = 0; i < nq(); ++i) {
      const double d = first_step * std::max(1.0, std::abs(q[i]));
      moved[i] = q[i] + d;
      block.gap(t, {moved.data()}, above.data());
      moved[i] = q[i] - d;
      block.gap(t, {moved.data()}, below.data());
      moved[i] = q[i];
      for (int j = 0; j < block.size; ++j) H[j * nq() + i] = (above[j] - below[j]) / (d + d);
    }
  }

  // A rate is linear in the velocities: U(e_i) − U(0) are its coefficients.
  void gradient_of_rate(const RowBlock& block, double t, const double* q, double* H) const {
    Few v(nq()), at_rest(block.size), moving(block.size);
    std::fill(v.data(), v.data() + nq(), 0.0);
    block.rate(t, {q, v.data()}, at_rest.data());
    for (int i = 0; i < nq(); ++i) {
      v[i] = 1.0;
      block.rate(t, {q, v.data()}, moving.data());
      v[i] = 0.0;
      for (int j = 0; j < block.size; ++j) H[j * nq() + i] = moving[j] - at_rest[j];
    }
  }

  void time_derivative(const RowBlock& block, double t, const double* q, double* g_t) const {
    if (block.time_derivative.given()) return evaluate(block.time_derivative, t, {q}, g_t);
    if (block.rate) {
      Few v(nq());
      std::fill(v.data(), v.data() + nq(), 0.0);
      return block.rate(t, {q, v.data()}, g_t);
    }
    Few below(block.size);
    const double d = first_step * std::max(1.0, std::abs(t));
    block.gap(t + d, {q}, g_t);
    block.gap(t - d, {q}, below.data());
    for (int j = 0; j < block.size; ++j) g_t[j] = (g_t[j] - below[j]) / (d + d);
  }

  // c = d²g/ds² along q + s v, t + s: from the rates if their parts are given, else from the gaps themselves.
  void acceleration_terms(const RowBlock& block, double t, const double* q, const double* v, double* c) const {
    const bool given = block.gradient.given() && block.time_derivative.given(), rates = given || block.rate;
    if (given && !block.gradient.function && !block.time_derivative.function) {
      std::fill(c, c + block.size, 0.0);
      return;
    }
    const double s = (rates ? first_step : second_step) * size_of(q, nq()) / size_of(v, nq());
    Few q_above = along(q, v, nq(), s), q_below = along(q, v, nq(), -s);
    Few below(block.size), here(block.size);
    if (rates) {
      rate(block, t + s, q_above.data(), v, c);
      rate(block, t - s, q_below.data(), v, below.data());
      for (int j = 0; j < block.size; ++j) c[j] = (c[j] - below[j]) / (s + s);
      return;
    }
    block.gap(t, {q}, here.data());
    block.gap(t + s, {q_above.data()}, c);
    block.gap(t - s, {q_below.data()}, below.data());
    for (int j = 0; j < block.size; ++j) c[j] = ((c[j] - here[j]) - (here[j] - below[j])) / (s * s);
  }

  // U = Hᵀv + ∂g/∂t
  void rate(const RowBlock& block, double t, const double* q, const double* v, double* U) const {
    if (block.rate) return block.rate(t, {q, v}, U);
    Few H(block.size * nq());
    gradient(block, t, q, H.data());
    time_derivative(block, t, q, U);
    for (int j = 0; j < block.size; ++j) U[j] += dot(nq(), H.data() + j * nq(), v);
  }

  double kinetic(double t, const double* q, const double* v) const {
    Few M(nq() * nq());
    mass(t, q, M.data());
    return 0.5 * bilinear(layout().mass, M.data(), v, v);
  }
  double potential(double t, const double* q) const {
    double V = 0.0;
    if (parts_.potential) parts_.potential(t, {q}, &V);
    return V;
  }

  CallableParts parts_;
};

// Everything is the inner model's, and f(t) is added to its load.
class LoadedModel final : public Model, public CompliantContacts {
 public:
  LoadedModel(std::shared_ptr<const Model> inner, PythonFunction load)
      : Model(layout_of(*inner)), inner_(std::move(inner)), load_(std::move(load)) {}

  void mass(double t, const double* q, double* M) const override { inner_->mass(t, q, M); }
  void force(double t, const double* q, const double* v, const double* z, double* F) const override {
    inner_->force(t, q, v, z, F);
    add_load(t, F);
  }
  void force_jacobians(double t, const double* q, const double* v, const double* z, double* K,
                       double* C) const override {
    inner_->force_jacobians(t, q, v, z, K, C);
  }
  void gap(double t, const double* q, double* g) const override { inner_->gap(t, q, g); }
  void gap_gradient(double t, const double* q, double* H) const override { inner_->gap_gradient(t, q, H); }
  void gap_time_derivative(double t, const double* q, double* g_t) const override {
    inner_->gap_time_derivative(t, q, g_t);
  }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    inner_->gap_acceleration_terms(t, q, v, c);
  }
  void restitution(double t, const double* q, double* e) const override { inner_->restitution(t, q, e); }
  void compliance(Compliance* laws) const override {
    for (const Compliance& law : compliances_of(*inner_)) *laws++ = law;
  }
  void joint(double t, const double* q, double* g) const override { inner_->joint(t, q, g); }
  void joint_gradient(double t, const double* q, double* H) const override { inner_->joint_gradient(t, q, H); }
  void joint_drift(double t, const double* q, double* o) const override { inner_->joint_drift(t, q, o); }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    inner_->joint_acceleration_terms(t, q, v, c);
  }
  void slip_gradient(double t, const double* q, double* H) const override { inner_->slip_gradient(t, q, H); }
  void slip_drift(double t, const double* q, double* o) const override { inner_->slip_drift(t, q, o); }
  void slip_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    inner_->slip_acceleration_terms(t, q, v, c);
  }
  void friction_bound(double t, const double* q, double* bound) const override { inner_->friction_bound(t, q, bound); }
  void tangential_restitution(double t, const double* q, double* e) const override {
    inner_->tangential_restitution(t, q, e);
  }
  Energy<double> energy(double t, const double* q, const double* v) const override { return inner_->energy(t, q, v); }
  Power<double> power(double t, const double* q, const double* v, const double* z) const override {
    Power<double> power = inner_->power(t, q, v, z);
    Few f(nq());
    load_(t, {}, f.data());
    power.input += dot(nq(), v, f.data());
    return power;
  }
  LinearForce<double> linear_force() const override { return inner_->linear_force(); }
  void load(double t, Load<double>& load) const override {
    inner_->load(t, load);
    add_load(t, load.f);
  }

 private:
  static Layout layout_of(const Model& inner) {
    Layout layout = inner.layout();
    layout.structure.constant_load = false;
    return layout;
  }
  void add_load(double t, double* F) const {
    Few f(nq());
    load_(t, {}, f.data());
    for (int i = 0; i < nq(); ++i) F[i] += f[i];
  }

  std::shared_ptr<const Model> inner_;
  PythonFunction load_;
};

}  // namespace

std::unique_ptr<Model> callable_model(CallableParts parts) { return std::make_unique<CallableModel>(std::move(parts)); }

std::unique_ptr<Model> with_load(std::shared_ptr<const Model> model, PythonFunction load) {
  return std::make_unique<LoadedModel>(std::move(model), std::move(load));
}

}  // namespace ricochet::python
