// Lagrange's equations from formulas, against equations derived by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

// A model whose functions are central differences of another's: what a hand-written model gets for free.
class Differenced : public Model {
 public:
  explicit Differenced(const Model& original) : Model(plain(original.layout())), original_(original) {}
  void mass(double t, const double* q, double* M) const override { original_.mass(t, q, M); }
  void force(double t, const double* q, const double* v, const double* z, double* F) const override {
    original_.force(t, q, v, z, F);
  }
  void gap(double t, const double* q, double* g) const override { original_.gap(t, q, g); }
  void state_rate(double t, const double* q, const double* v, const double* z, double* rate) const override {
    original_.state_rate(t, q, v, z, rate);
  }

 private:
  static Layout plain(Layout layout) {
    layout.structure = {};
    return layout;
  }
  const Model& original_;
};

LagrangianDescription double_pendulum() {
  return {.coordinates = {"a", "b"},
          .kinetic = "(m1 + m2)*l1^2*a_dot^2/2 + m2*l2^2*b_dot^2/2 + m2*l1*l2*a_dot*b_dot*cos(a - b)",
          .potential = "-(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)",
          .dissipation = "c*(a_dot^2 + (b_dot - a_dot)^2)/2",
          .force = {{"a", "A*cos(3*t)"}},
          .parameters = {{"m1", 1.1}, {"m2", 0.7}, {"l1", 0.9}, {"l2", 1.3}, {"g", 9.81}, {"c", 0.05}, {"A", 0.4}},
          .constraints = {{.name = "wall", .gap = "l1*sin(a) + l2*sin(b) + 0.5 + 0.1*sin(2*t)*a", .restitution = 0.5}}};
}

TEST(Lagrangian, DoublePendulum) {
  const auto model = lagrangian(double_pendulum());
  const double m1 = 1.1, m2 = 0.7, l1 = 0.9, l2 = 1.3, g = 9.81, c = 0.05, A = 0.4;
  const double t = 0.37, q[] = {0.8, -0.4}, v[] = {1.2, -0.7};
  double M[4], F[2];
  model->mass(t, q, M);
  model->force(t, q, v, nullptr, F);
  const double cosine = std::cos(q[0] - q[1]), sine = std::sin(q[0] - q[1]);
  EXPECT_NEAR(M[0], (m1 + m2) * l1 * l1, 1e-14);
  EXPECT_NEAR(M[1], m2 * l1 * l2 * cosine, 1e-14);
  EXPECT_NEAR(M[2], M[1], 0.0);
  EXPECT_NEAR(M[3], m2 * l2 * l2, 1e-14);
  EXPECT_NEAR(F[0],
              -m2 * l1 * l2 * sine * v[1] * v[1] - (m1 + m2) * g * l1 * std::sin(q[0]) - c * (v[0] - (v[1] - v[0])) +
                  A * std::cos(3 * t),
              1e-13);
  EXPECT_NEAR(F[1], m2 * l1 * l2 * sine * v[0] * v[0] - m2 * g * l2 * std::sin(q[1]) - c * (v[1] - v[0]), 1e-13);
  EXPECT_FALSE(model->layout().structure.constant_mass);
  EXPECT_FALSE(model->layout().structure.linear_force);
  EXPECT_TRUE(model->layout().structure.constant_restitution);
}

// All derivatives of the formula model against the defaults by central differences.
TEST(Lagrangian, DerivativesAgreeWithDifferences) {
  LagrangianDescription description = double_pendulum();
  description.states = {{.name = "p", .rate = "-2*p + sin(a)*b_dot + 0.3*t", .initial = 1.0}};
  description.force.emplace_back("b", "0.2*p*a + p^2*a_dot");
  const auto model = lagrangian(description);
  const Differenced differenced(*model);
  const double t = 0.37, q[] = {0.8, -0.4}, v[] = {1.2, -0.7}, z[] = {0.6};
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
  };
  std::vector<double> K(4), C(4), K2(4), C2(4);
  ASSERT_EQ(model->layout().stiffness.size(), 4);
  model->force_jacobians(t, q, v, z, K.data(), C.data());
  differenced.force_jacobians(t, q, v, z, K2.data(), C2.data());
  near(K, K2, 1e-7);
  near(C, C2, 1e-8);
  std::vector<double> H(2), H2(2), g_t(1), g_t2(1), c(1), c2(1);
  model->gap_gradient(t, q, H.data());
  differenced.gap_gradient(t, q, H2.data());
  near(H, H2, 1e-9);
  model->gap_time_derivative(t, q, g_t.data());
  differenced.gap_time_derivative(t, q, g_t2.data());
  near(g_t, g_t2, 1e-9);
  model->gap_acceleration_terms(t, q, v, c.data());
  differenced.gap_acceleration_terms(t, q, v, c2.data());
  near(c, c2, 1e-4);
  // By hand, with the factor 2: c = −l₁ sin(a) v_a² − l₂ sin(b) v_b² + 2·0.2 cos(2t) v_a − 0.4 sin(2t) a.
  EXPECT_NEAR(c[0],
              -0.9 * std::sin(0.8) * 1.44 + 1.3 * std::sin(0.4) * 0.49 + 0.4 * std::cos(0.74) * 1.2 -
                  0.4 * std::sin(0.74) * 0.8,
              1e-13);
  std::vector<double> F_z(2), rq(2), rv(2), rz(1), F_z2(2), rq2(2), rv2(2), rz2(1);
  model->state_jacobians(t, q, v, z, F_z.data(), rq.data(), rv.data(), rz.data());
  differenced.state_jacobians(t, q, v, z, F_z2.data(), rq2.data(), rv2.data(), rz2.data());
  near(F_z, F_z2, 1e-8);
  near(rq, rq2, 1e-8);
  near(rv, rv2, 1e-8);
  near(rz, rz2, 1e-8);
}

// A bead on a rod that turns with w(t) = a t: T = m(r'² + r² w²)/2 has T₂ and T₀, and depends on t.
TEST(Lagrangian, ExplicitTimeAndCentrifugalTerms) {
  const auto model = lagrangian(
      {.coordinates = {"r"}, .kinetic = "m*(r_dot^2 + r^2*(a*t)^2)/2", .parameters = {{"m", 2.0}, {"a", 0.5}}});
  const double t = 1.5, r = 0.7, v = -0.3;
  double F = 0.0;
  model->force(t, &r, &v, nullptr, &F);
  EXPECT_NEAR(F, 2.0 * r * 0.75 * 0.75, 1e-15);
  const Energy<double> energy = model->energy(t, &r, &v);
  EXPECT_NEAR(energy.kinetic, v * v, 1e-15);
  EXPECT_NEAR(energy.potential, -r * r * 0.75 * 0.75, 1e-15);
  // dE/dt = −∂T/∂t = −m r² a² t.
  EXPECT_NEAR(model->power(t, &r, &v, nullptr).input, -2.0 * r * r * 0.25 * t, 1e-15);
}

// Terms linear in the velocities: a charged particle in a magnetic field, T = (x'² + y'²)/2 + B (x y' − y x')/2.
TEST(Lagrangian, TermsLinearInTheVelocitiesTurnTheMotion) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2 + B*(x*y_dot - y*x_dot)/2",
                                 .parameters = {{"B", 2.0}}});
  const double q[] = {0.3, -0.2}, v[] = {1.0, 0.5};
  double F[2];
  model->force(0.0, q, v, nullptr, F);
  EXPECT_NEAR(F[0], 2.0 * v[1], 1e-15);
  EXPECT_NEAR(F[1], -2.0 * v[0], 1e-15);
  EXPECT_TRUE(model->layout().structure.linear_force);
  const Solution solution = simulate(*model, {.q = {0.0, 0.0}, .v = {1.0, 0.0}}, {0.0, 3.0}, MoreauJean{}, {.h = 1e-3});
  EXPECT_NEAR(solution.final.v[0], std::cos(6.0), 1e-5);
  EXPECT_NEAR(solution.final.v[1], -std::sin(6.0), 1e-5);
  const EnergyLedger& energy = solution.energy;
  EXPECT_NEAR(energy.final, energy.initial, 1e-12);
  EXPECT_NEAR(energy.input, 0.0, 1e-12);
}

TEST(Lagrangian, GivenMassDerivesNoInertiaTerms) {
  const auto model =
      lagrangian({.coordinates = {"x"}, .mass = {{"2 + x^2"}}, .potential = "x^2/2", .force = {{"x", "-0.1*x_dot^3"}}});
  const double x = 0.7, v = -0.3;
  double M = 0.0, F = 0.0;
  model->mass(0.0, &x, &M);
  model->force(0.0, &x, &v, nullptr, &F);
  EXPECT_NEAR(M, 2.49, 1e-15);
  EXPECT_NEAR(F, -0.7 + 0.1 * 0.027, 1e-15);
}

TEST(Lagrangian, KnowsWhatIsLinear) {
  const auto structure = [](LagrangianDescription description) { return lagrangian(description)->layout().structure; };
  const LagrangianDescription base = {.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"};
  EXPECT_TRUE(structure(base).linear_force);
  EXPECT_TRUE(structure(base).constant_load);
  LagrangianDescription changed = base;
  changed.force = {{"x", "cos(t)"}};
  EXPECT_TRUE(structure(changed).linear_force);
  EXPECT_FALSE(structure(changed).constant_load);
  // Dry friction: its derivative is zero, but it is not linear.
  changed.force = {{"x", "-0.1*sign(x_dot)"}};
  EXPECT_FALSE(structure(changed).linear_force);
  changed.force = {{"x", "t*x"}};
  EXPECT_FALSE(structure(changed).linear_force);
  changed = base;
  changed.constraints = {{.name = "a", .gap = "x - floor(x) + 1", .restitution = 0.0}};
  EXPECT_FALSE(structure(changed).linear_gaps);
  changed.constraints = {{.name = "a", .gap = "x - sin(t)", .restitution = 0.0}};
  EXPECT_TRUE(structure(changed).linear_gaps);
  EXPECT_FALSE(structure(changed).fixed_gaps);
}

TEST(Lagrangian, DissipationIndex) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .constraints = {{.name = "a", .gap = "x", .dissipation_index = 0.25}}});
  const double x = 1.0;
  double e = 0.0;
  model->restitution(0.0, &x, &e);
  EXPECT_NEAR(e, 0.6, 1e-15);
}

// A model by hand that knows its energy but not its power: gravity is no input, and what the damper takes is found.
TEST(HandWritten, PowerFollowsFromTheEnergy) {
  class Pendulum : public Model {
   public:
    explicit Pendulum(double damping) : Model({.coordinates = {"angle"}}), damping_(damping) {}
    void mass(double, const double*, double* M) const override { *M = 2.0; }
    void force(double, const double* q, const double* v, const double*, double* F) const override {
      *F = -9.81 * std::sin(*q) - damping_ * *v;
    }
    Energy<double> energy(double, const double* q, const double* v) const override {
      return {.kinetic = *v * *v, .potential = -9.81 * std::cos(*q)};
    }

   private:
    double damping_;
  };
  const State start{.q = {1.0}, .v = {0.5}};
  const EnergyLedger free = simulate(Pendulum(0.0), start, {0.0, 5.0}, MoreauJean{}, {.h = 1e-3}).energy;
  EXPECT_NEAR(free.input, 0.0, 1e-7);
  EXPECT_NEAR(free.numerical, 0.0, 1e-5);
  const EnergyLedger damped = simulate(Pendulum(0.3), start, {0.0, 5.0}, MoreauJean{}, {.h = 1e-3}).energy;
  EXPECT_LT(damped.input, -1.0);
  EXPECT_NEAR(damped.numerical, 0.0, 1e-5);
}

struct Refusal {
  const char* field;
  LagrangianDescription description;
};

TEST(Lagrangian, RefusesWithTheField) {
  const std::vector<std::string> x = {"x"};
  const std::string T = "x_dot^2/2";
  const auto floor = [](const char* gap, std::optional<Quantity> e) {
    return std::vector<ConstraintDescription>{{.name = "floor", .gap = gap, .restitution = e}};
  };
  const Refusal refusals[] = {
      {"coordinates", {.coordinates = {}, .kinetic = T}},
      {"kinetic", {.coordinates = x}},
      {"kinetic", {.coordinates = x, .kinetic = "x_dot^3"}},
      {"kinetic", {.coordinates = x, .kinetic = "y_dot^2"}},
      {"kinetic", {.coordinates = x, .kinetic = "9^999999999*x_dot^2"}},
      {"mass", {.coordinates = x, .kinetic = T, .mass = {{"1"}}}},
      {"mass", {.coordinates = x, .mass = {{"1"}, {"2"}}}},
      {"mass[0]", {.coordinates = x, .mass = {{"1", "2"}}}},
      {"potential", {.coordinates = x, .kinetic = T, .potential = "x_dot"}},
      {"potential", {.coordinates = x, .kinetic = T, .potential = "x +"}},
      {"force.y", {.coordinates = x, .kinetic = T, .force = {{"y", "1"}}}},
      {"coordinates[1]", {.coordinates = {"x", "x"}, .kinetic = T}},
      {"coordinates[0]", {.coordinates = {"sin"}, .kinetic = T}},
      {"parameters.x", {.coordinates = x, .kinetic = T, .parameters = {{"x", 1.0}}}},
      {"parameters.a", {.coordinates = x, .kinetic = T, .parameters = {{"a", "b + 1"}, {"b", "a"}}}},
      {"parameters.a", {.coordinates = x, .kinetic = T, .parameters = {{"a", "1/0"}}}},
      {"constraint[0].gap", {.coordinates = x, .kinetic = T, .constraints = floor("1 + t", 0.5)}},
      {"constraint[0].gap", {.coordinates = x, .kinetic = T, .constraints = floor("x_dot", 0.5)}},
      {"constraint[0].restitution", {.coordinates = x, .kinetic = T, .constraints = floor("x", 1.7)}},
      {"constraint[0].restitution", {.coordinates = x, .kinetic = T, .constraints = floor("x", std::nan(""))}},
      {"constraint[0].restitution", {.coordinates = x, .kinetic = T, .constraints = floor("x", std::nullopt)}},
  };
  for (const Refusal& refusal : refusals) {
    try {
      lagrangian(refusal.description);
      ADD_FAILURE() << refusal.field << " was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(error.field(), refusal.field) << error.what();
    }
  }
}

// A row of disks, each beside the next: what the equations take grows with the pairs that touch, and not with all pairs
// of coordinates for each; the terms are those of a single pair.
TEST(Lagrangian, ManyCurvedContactsTakeAMoment) {
  const int disks = 400;
  LagrangianDescription chain;
  for (int i = 0; i < disks; ++i) {
    const std::string x = "x" + std::to_string(i), y = "y" + std::to_string(i);
    chain.coordinates.insert(chain.coordinates.end(), {x, y});
    chain.kinetic += (i > 0 ? " + " : "") + x + "_dot^2/2 + " + y + "_dot^2/2";
    if (i == 0) continue;
    const std::string last = std::to_string(i - 1);
    chain.constraints.push_back({.name = "pair" + last,
                                 .gap = "sqrt((" + x + " - x" + last + ")^2 + (" + y + " - y" + last + ")^2) - 1",
                                 .restitution = 0.5});
  }
  const std::clock_t begin = std::clock();
  const auto model = lagrangian(chain);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 15.0);
  std::vector<double> q, v;
  for (int i = 0; i < disks; ++i) q.insert(q.end(), {2.0 * i, 0.0}), v.insert(v.end(), {0.0, i % 2 == 0 ? 0.0 : 1.0});
  std::vector<double> c(static_cast<std::size_t>(disks - 1));
  model->gap_acceleration_terms(0.0, q.data(), v.data(), c.data());
  for (const double term : c) EXPECT_NEAR(term, 0.5, 1e-15);  // v_t²/r
}

TEST(Parameters, FormulasInAnyOrder) {
  const auto values = evaluate_parameters({{"k", "m*w^2"}, {"m", 2.0}, {"w", "3*pi/pi"}, {"E", 1.0}, {"I", "E"}});
  EXPECT_EQ(values[0].second, 18.0);
  EXPECT_EQ(values[4].second, 1.0);
  EXPECT_EQ(evaluate_quantity("2*k", values, "initial.q.x"), 36.0);
  EXPECT_THROW(evaluate_quantity("t", values, "time.until"), InputError);
  EXPECT_THROW(evaluate_quantity("nosuch", values, "time.until"), InputError);
}

// A parameter has the bits that its formula has in a model.
TEST(Parameters, HaveTheBitsOfFormulas) {
  const std::vector<std::pair<std::string, double>> given = {{"a", 1.7}, {"b", -0.3}};
  formula::SymbolTable table;
  for (int i = 0; i < 2; ++i) table.add(given[i].first, {formula::Bank::parameter, i});
  const double values[] = {1.7, -0.3};
  for (const char* text : {"a^3", "a^-7", "a^0.3", "a^(b + 3)", "if(a > b, 2*(a*3), b)", "min(a, b, 3)", "0*t + a/b",
                           "sin(a)*cos(a) - b*a + a*b^2", "atan2(a, b)", "abs(b)^a", "7"}) {
    formula::Graph graph;
    const formula::Tape tape(graph, {formula::parse(graph, text, table)});
    double value = 0.0;
    tape.evaluate(formula::Inputs<double>{}, tape.constants(values).data(), &value);
    EXPECT_EQ(evaluate_quantity(text, given, "x"), value) << text;
  }
}

}  // namespace
}  // namespace ricochet
