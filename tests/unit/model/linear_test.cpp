// A linear model from matrices against the same system written as formulas, and its own closed forms.
#include "ricochet/model/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/reduce.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

SparseMatrix matrix(int n, std::vector<double> rows) {
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (rows[static_cast<std::size_t>(i * n + j)] != 0.0)
        entries.push_back({i, j, rows[static_cast<std::size_t>(i * n + j)]});
  return sparse_from_triplets(n, n, std::move(entries));
}

// Two masses with a gyroscopic and a circulatory part, so that K and C are not symmetric.
LinearSystemData two_masses() {
  LinearSystemData data;
  data.coordinates = {"x", "y"};
  data.mass = matrix(2, {2.0, 0.5, 0.5, 1.0});
  data.stiffness = matrix(2, {30.0, -10.0, -6.0, 20.0});
  data.damping = matrix(2, {0.4, 0.3, -0.1, 0.2});
  data.weight = {-2.0, -1.0};
  data.loads = {{{{0, 1.0}, {1, -2.0}}, [](double t) { return 3.0 * std::sin(5.0 * t); }}};
  data.gaps = {{"floor", {{0, 1.0}}, 0.3, 0.7}, {"between", {{0, -1.0}, {1, 1.0}}, 0.4, 0.2}};
  data.observations = {{"mean", {{0, 0.5}, {1, 0.5}}}};
  return data;
}

std::unique_ptr<Model> two_masses_as_formulas() {
  return lagrangian({.coordinates = {"x", "y"},
                     .kinetic = "x_dot^2 + 0.5*x_dot*y_dot + y_dot^2/2",
                     .potential = "15*x^2 - 8*x*y + 10*y^2 + 2*x + y",
                     .dissipation = "0.2*x_dot^2 + 0.1*x_dot*y_dot + 0.1*y_dot^2",
                     .force = {{"x", "3*sin(5*t) + 2*y - 0.2*y_dot"}, {"y", "-6*sin(5*t) - 2*x + 0.2*x_dot"}},
                     .constraints = {{.name = "floor", .gap = "x + 0.3", .restitution = 0.7},
                                     {.name = "between", .gap = "y - x + 0.4", .restitution = 0.2}}});
}

TEST(LinearModel, EqualsTheSameSystemAsFormulas) {
  const auto model = linear(two_masses());
  const auto other = two_masses_as_formulas();
  const double t = 0.37, q[2] = {0.2, -0.4}, v[2] = {1.3, 0.6};
  double F[2], F_other[2], g[2], g_other[2], e[2], e_other[2];
  model->force(t, q, v, nullptr, F);
  other->force(t, q, v, nullptr, F_other);
  model->gap(t, q, g);
  other->gap(t, q, g_other);
  model->restitution(t, q, e);
  other->restitution(t, q, e_other);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(F[i], F_other[i], 1e-13);
    EXPECT_NEAR(g[i], g_other[i], 1e-15);
    EXPECT_EQ(e[i], e_other[i]);
  }
  const Energy<double> energy = model->energy(t, q, v), energy_other = other->energy(t, q, v);
  EXPECT_NEAR(energy.kinetic, energy_other.kinetic, 1e-14);
  EXPECT_NEAR(energy.potential, energy_other.potential, 1e-14);
  const Power<double> power = model->power(t, q, v, nullptr), power_other = other->power(t, q, v, nullptr);
  EXPECT_NEAR(power.damping, power_other.damping, 1e-14);
  EXPECT_NEAR(power.input, power_other.input, 1e-13);
}

TEST(LinearModel, MovesAsTheSameSystemAsFormulas) {
  const State start{.q = {0.0, 0.1}, .v = {-1.0, 0.5}};
  for (const char* scheme : {"moreau-jean", "newmark", "event-driven"}) {
    const Solution a = simulate(*linear(two_masses()), start, {0.0, 2.0}, Scheme{scheme}, {.h = 1e-3});
    const Solution b = simulate(*two_masses_as_formulas(), start, {0.0, 2.0}, Scheme{scheme}, {.h = 1e-3});
    ASSERT_EQ(a.impact_count, b.impact_count) << scheme;
    EXPECT_GE(a.impact_count, 3u) << scheme;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(a.final.q[i], b.final.q[i], 1e-9) << scheme;
    const EnergyLedger& energy = a.energy;
    EXPECT_NEAR(energy.final - energy.initial, energy.input + energy.damping + energy.impact + energy.numerical,
                1e-11 * energy.turnover)
        << scheme;
    EXPECT_NEAR(energy.input, b.energy.input, 1e-6 * energy.turnover) << scheme;
    EXPECT_NEAR(energy.damping, b.energy.damping, 1e-6 * energy.turnover) << scheme;
  }
}

TEST(LinearModel, ObservesWhatItIsToldTo) {
  const Solution solution =
      simulate(*linear(two_masses()), {.q = {0.0, 0.1}, .v = {-1.0, 0.5}}, {0.0, 0.1}, MoreauJean{}, {.h = 1e-2});
  const Trajectory& path = solution.trajectory;
  ASSERT_EQ(path.observed.size(), path.t.size());
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    EXPECT_EQ(path.observed[i], 0.5 * path.q[2 * i] + 0.5 * path.q[2 * i + 1]);
    EXPECT_EQ(path.observed_rate[i], 0.5 * path.v[2 * i] + 0.5 * path.v[2 * i + 1]);
  }
  EXPECT_EQ(solution.observed, std::vector<double>{path.observed.back()});
}

// A curved gap on some of the coordinates: only those enter its model.
TEST(LinearModel, CurvedGapsOnSomeCoordinates) {
  LinearSystemData data;
  data.coordinates = {"a", "b", "c"};
  data.mass = matrix(3, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0});
  data.curved_gaps.coordinates = {0, 2};
  data.curved_gaps.model =
      lagrangian({.coordinates = {"a", "c"},
                  .kinetic = "a_dot^2 + c_dot^2",
                  .constraints = {{.name = "ring", .gap = "1 + t - a^2 - c^2", .restitution = 1}}});
  const auto model = linear(data);
  const double q[3] = {0.5, 9.0, 0.25}, v[3] = {1.0, 9.0, 2.0};
  double g = 0.0, g_t = 0.0, c = 0.0, H[2];
  model->gap(0.5, q, &g);
  model->gap_gradient(0.5, q, H);
  model->gap_time_derivative(0.5, q, &g_t);
  model->gap_acceleration_terms(0.5, q, v, &c);
  EXPECT_DOUBLE_EQ(g, 1.5 - 0.25 - 0.0625);
  EXPECT_EQ(model->layout().gradient.row, (std::vector<int>{0, 2}));
  EXPECT_DOUBLE_EQ(H[0], -1.0);
  EXPECT_DOUBLE_EQ(H[1], -0.5);
  EXPECT_EQ(g_t, 1.0);
  EXPECT_DOUBLE_EQ(c, -2.0 * (1.0 + 4.0));
  EXPECT_FALSE(model->layout().structure.linear_gaps);
  EXPECT_FALSE(model->layout().structure.fixed_gaps);
}

// With all its modes a reduced system is the system.
TEST(LinearModel, ReducedToAllItsModesMovesTheSame) {
  LinearSystemData data = two_masses();
  data.stiffness = matrix(2, {30.0, -8.0, -8.0, 20.0});
  const ModalBasis basis = lowest_modes(data.stiffness, data.mass, 2);
  const auto full = linear(data);
  const auto modal = linear(reduced(data, basis, {}));
  const State start{.q = {0.0, 0.1}, .v = {-1.0, 0.5}};
  const State modal_start{.q = modal_coordinates(data.mass, basis, start.q),
                          .v = modal_coordinates(data.mass, basis, start.v)};
  const Solution a = simulate(*full, start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-3});
  const Solution b = simulate(*modal, modal_start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-3});
  EXPECT_GT(a.impact_count, 1u);
  ASSERT_EQ(a.impact_count, b.impact_count);
  EXPECT_NEAR(a.observed[0], b.observed[0], 1e-11);
  EXPECT_NEAR(a.energy.final, b.energy.final, 1e-10);
}

// x'' + 2ζω x' + ω² x = 0 from a damping ratio.
TEST(LinearModel, DampingRatiosOfModes) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.mass = matrix(1, {4.0});
  data.stiffness = matrix(1, {100.0});
  const ModalBasis basis = lowest_modes(data.stiffness, data.mass, 1);
  EXPECT_NEAR(basis.omega[0], 5.0, 1e-14);
  const auto model = linear(reduced(data, basis, {0.1}));
  EXPECT_NEAR(model->linear_force().C[0], 2.0 * 0.1 * 5.0, 1e-14);
}

void expect_refused(LinearSystemData data, const std::string& field, const std::string& words) {
  try {
    linear(std::move(data));
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), field);
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
  }
}

TEST(LinearModel, RefusesWhatIsNotASystem) {
  const auto with = [](auto change) {
    LinearSystemData data = two_masses();
    change(data);
    return data;
  };
  expect_refused(with([](auto& d) { d.coordinates.clear(); }), "coordinates", "at least one");
  expect_refused(with([](auto& d) { d.mass = matrix(1, {1.0}); }), "mass", "1 by 1, must be 2 by 2");
  expect_refused(with([](auto& d) { d.mass = matrix(2, {1.0, 0.5, 0.0, 1.0}); }), "mass", "symmetric");
  expect_refused(with([](auto& d) { d.stiffness = matrix(3, std::vector<double>(9, 1.0)); }), "stiffness", "3 by 3");
  expect_refused(with([](auto& d) { d.damping.values[0] = NAN; }), "damping", "finite");
  expect_refused(with([](auto& d) { d.gaps[1].normal = {{2, 1.0}}; }), "gaps[1].normal", "no coordinate 2");
  expect_refused(with([](auto& d) { d.gaps[0].normal = {{0, 0.0}}; }), "gaps[0].normal", "constrains nothing");
  expect_refused(with([](auto& d) { d.gaps[0].offset = INFINITY; }), "gaps[0].offset", "finite");
  expect_refused(with([](auto& d) { d.loads[0].direction = {{-1, 1.0}}; }), "loads[0].direction", "no coordinate -1");
  expect_refused(with([](auto& d) { d.weight = {1.0}; }), "weight", "must have none or 2");
}

}  // namespace
}  // namespace ricochet
