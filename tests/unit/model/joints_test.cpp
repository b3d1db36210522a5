// Joints of models: H, o and c of their rows against differences, and models of several kinds that hold the same.
#include <gtest/gtest.h>

#include <cmath>

#include "model/reduce.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/model/linear.hpp"
#include "ricochet/ricochet.hpp"
#include "support/joint_rows.hpp"

namespace ricochet {
namespace {

using Values = std::vector<double>;

// g, H (dense, row after row of joints), o and c at one place.
struct Rows {
  Values g, H, o, c;
};

Rows rows_of(const Model& model, double t, const Values& q, const Values& v) {
  const std::size_t nb = static_cast<std::size_t>(model.nb()), nq = static_cast<std::size_t>(model.nq());
  const Pattern& pattern = model.layout().joint_gradient;
  Rows rows{Values(nb), Values(nb * nq, 0.0), Values(nb), Values(nb)};
  Values H(static_cast<std::size_t>(pattern.size()));
  model.joint(t, q.data(), rows.g.data());
  model.joint_gradient(t, q.data(), H.data());
  for (std::size_t j = 0; j < nb; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) rows.H[j * nq + pattern.row[k]] = H[k];
  model.joint_drift(t, q.data(), rows.o.data());
  model.joint_acceleration_terms(t, q.data(), v.data(), rows.c.data());
  return rows;
}

// U = Hᵀv + o
Values rates(const Model& model, double t, const Values& q, const Values& v) {
  const Rows rows = rows_of(model, t, q, v);
  Values U = rows.o;
  for (std::size_t j = 0; j < U.size(); ++j)
    for (std::size_t i = 0; i < q.size(); ++i) U[j] += rows.H[j * q.size() + i] * v[i];
  return U;
}

Values moved(Values q, const Values& v, double s) {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += s * v[i];
  return q;
}

// Where there is a position, U is its derivative along q' = v; c is that of U at constant v.
void expect_rows_are_derivatives(const Model& model, double t, const Values& q, const Values& v) {
  constexpr double s = 1e-5;
  const Rows here = rows_of(model, t, q, v), above = rows_of(model, t + s, moved(q, v, s), v),
             below = rows_of(model, t - s, moved(q, v, -s), v);
  const Values U = rates(model, t, q, v), U_above = rates(model, t + s, moved(q, v, s), v),
               U_below = rates(model, t - s, moved(q, v, -s), v);
  const std::vector<bool> has_position = model.layout().joint_has_position();
  for (std::size_t j = 0; j < U.size(); ++j) {
    EXPECT_NEAR(here.c[j], (U_above[j] - U_below[j]) / (2 * s), 1e-8) << j;
    if (!has_position[j]) {
      EXPECT_EQ(here.g[j], 0.0) << j;
      continue;
    }
    EXPECT_NEAR(U[j], (above.g[j] - below.g[j]) / (2 * s), 1e-8) << j;
    EXPECT_NEAR(here.o[j], (rows_of(model, t + s, q, v).g[j] - rows_of(model, t - s, q, v).g[j]) / (2 * s), 1e-8) << j;
  }
}

SparseMatrix identity(int n) {
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i) entries.push_back({i, i, 1.0});
  return sparse_from_triplets(n, n, std::move(entries));
}

TEST(Joints, OfFormulasAreDerivatives) {
  const auto model =
      lagrangian({.coordinates = {"x", "y", "phi"},
                  .kinetic = "(x_dot^2 + y_dot^2 + phi_dot^2)/2",
                  .parameters = {{"l", 0.7}, {"R", 0.3}},
                  .joints = {{.name = "pin", .equation = {"x - l*sin(phi)", "y + l*cos(phi)"}},
                             {.name = "drive", .equation = {"x*y - sin(3*t)*phi^2"}},
                             {.name = "wheel", .rate = {"cos(phi)*x_dot + t^2*y_dot - R*phi_dot + x*t"}}}});
  const Layout& layout = model->layout();
  EXPECT_EQ(testing::joint_rows(layout), (std::vector<std::string>{"pin.1", "pin.2", "drive.1", "wheel.1"}));
  EXPECT_EQ(layout.joint_has_position(), (std::vector<bool>{true, true, true, false}));
  EXPECT_FALSE(layout.structure.linear_joints);
  EXPECT_FALSE(layout.structure.fixed_joints);
  const Values q = {0.4, -0.3, 0.9}, v = {1.1, 0.6, -0.8};
  expect_rows_are_derivatives(*model, 0.37, q, v);

  // The rate by hand: c = x t' … = x + t x' + 2 t y' − sin φ φ' x'.
  const Rows rows = rows_of(*model, 0.37, q, v);
  EXPECT_DOUBLE_EQ(rows.H[9], std::cos(0.9));
  EXPECT_DOUBLE_EQ(rows.H[10], 0.37 * 0.37);
  EXPECT_DOUBLE_EQ(rows.H[11], -0.3);
  EXPECT_DOUBLE_EQ(rows.o[3], 0.4 * 0.37);
  EXPECT_NEAR(rows.c[3], 0.4 + 0.37 * 1.1 + 2 * 0.37 * 0.6 + std::sin(0.9) * 0.8 * 1.1, 1e-14);
}

TEST(Joints, OfFormulasKnowWhatIsConstant) {
  const auto structure = [](const JointDescription& joint) {
    return lagrangian({.coordinates = {"x", "y"}, .kinetic = "x_dot^2 + y_dot^2", .joints = {joint}})
        ->layout()
        .structure;
  };
  EXPECT_TRUE(structure({.name = "a", .equation = {"x - 2*y + 1"}}).linear_joints);
  EXPECT_TRUE(structure({.name = "a", .equation = {"x - 2*y + 1"}}).fixed_joints);
  EXPECT_TRUE(structure({.name = "a", .equation = {"x - t"}}).linear_joints);
  EXPECT_FALSE(structure({.name = "a", .equation = {"x - t"}}).fixed_joints);
  EXPECT_FALSE(structure({.name = "a", .equation = {"x*y"}}).linear_joints);
  EXPECT_TRUE(structure({.name = "a", .rate = {"x_dot - 2*y_dot"}}).linear_joints);
  EXPECT_TRUE(structure({.name = "a", .rate = {"x_dot - 2*y_dot"}}).fixed_joints);
  EXPECT_FALSE(structure({.name = "a", .rate = {"x_dot - y"}}).fixed_joints);
}

TEST(Joints, OfFormulasRefuseWithTheField) {
  const auto refused = [](const JointDescription& joint) {
    try {
      lagrangian({.coordinates = {"x", "y"}, .kinetic = "x_dot^2 + y_dot^2", .joints = {joint}});
      return std::string("accepted");
    } catch (const InputError& error) {
      return error.field();
    }
  };
  EXPECT_EQ(refused({.name = "a"}), "joint[0]");
  EXPECT_EQ(refused({.name = "a", .equation = {"x"}, .rate = {"x_dot"}}), "joint[0]");
  EXPECT_EQ(refused({.name = "a", .equation = {"x_dot"}}), "joint[0].equation");
  EXPECT_EQ(refused({.name = "a", .equation = {"x", "1 + t"}}), "joint[0].equation[1]");
  EXPECT_EQ(refused({.name = "a", .equation = {"x", "z"}}), "joint[0].equation[1]");
  EXPECT_EQ(refused({.name = "a", .rate = {"x_dot^2"}}), "joint[0].rate");
  EXPECT_EQ(refused({.name = "a", .rate = {"x"}}), "joint[0].rate");
}

// Three unit masses; the first two linked, the third driven.
LinearSystemData linked() {
  LinearSystemData data;
  data.coordinates = {"a", "b", "c"};
  data.mass = identity(3);
  data.joints = {{.name = "link", .normal = {{0, 1.0}, {1, -1.0}}, .offset = 0.25},
                 {.name = "drive", .normal = {{2, 2.0}}, .motion = [](double t) {
                    return OffsetMotion{std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)};
                  }}};
  return data;
}

TEST(Joints, OfMatricesAreDerivatives) {
  const auto model = linear(linked());
  const Layout& layout = model->layout();
  EXPECT_EQ(testing::joint_rows(layout), (std::vector<std::string>{"link.1", "drive.1"}));
  EXPECT_TRUE(layout.structure.linear_joints);
  EXPECT_FALSE(layout.structure.fixed_joints);
  const Values q = {0.4, -0.3, 0.9}, v = {1.1, 0.6, -0.8};
  expect_rows_are_derivatives(*model, 0.37, q, v);
  const Rows rows = rows_of(*model, 0.37, q, v);
  EXPECT_DOUBLE_EQ(rows.g[0], 0.4 + 0.3 + 0.25);
  EXPECT_DOUBLE_EQ(rows.g[1], 1.8 + std::sin(1.11));
  EXPECT_EQ(rows.H, (Values{1.0, -1.0, 0.0, 0.0, 0.0, 2.0}));

  LinearSystemData fixed = linked();
  fixed.joints.pop_back();
  EXPECT_TRUE(linear(fixed)->layout().structure.fixed_joints);
}

// Joints as formulas on some of the coordinates, beside gaps that are rows.
TEST(Joints, OfMatricesAsFormulas) {
  LinearSystemData data = linked();
  data.joints.clear();
  data.gaps = {{"floor", {{1, 1.0}}, 0.3, 0.7}};
  data.curved_joints.coordinates = {0, 2};
  data.curved_joints.model = lagrangian({.coordinates = {"a", "c"},
                                         .kinetic = "a_dot^2 + c_dot^2",
                                         .joints = {{.name = "ring", .equation = {"a^2 + c^2 - 1 - t^2"}},
                                                    {.name = "roll", .rate = {"c*a_dot - t*c_dot"}}}});
  const auto model = linear(data);
  EXPECT_EQ(model->nb(), 2);
  EXPECT_EQ(model->nc(), 1);
  EXPECT_EQ(model->layout().joint_gradient.row, (std::vector<int>{0, 2, 0, 2}));
  EXPECT_FALSE(model->layout().structure.linear_joints);
  EXPECT_TRUE(model->layout().structure.linear_gaps);
  const Values q = {0.4, -0.3, 0.9}, v = {1.1, 0.6, -0.8};
  expect_rows_are_derivatives(*model, 0.37, q, v);
  EXPECT_DOUBLE_EQ(rows_of(*model, 0.5, q, v).g[0], 0.16 + 0.81 - 1.25);
}

TEST(Joints, OfMatricesRefuseWithTheField) {
  const auto refused = [](const auto& change) {
    LinearSystemData data = linked();
    change(data);
    try {
      linear(data);
      return std::string("accepted");
    } catch (const InputError& error) {
      return error.field();
    }
  };
  EXPECT_EQ(refused([](LinearSystemData& d) { d.joints[1].normal = {{2, 0.0}}; }), "joints[1].normal");
  EXPECT_EQ(refused([](LinearSystemData& d) { d.joints[0].normal = {}; }), "joints[0].normal");
  EXPECT_EQ(refused([](LinearSystemData& d) { d.joints[0].normal = {{3, 1.0}}; }), "joints[0].normal");
  EXPECT_EQ(refused([](LinearSystemData& d) { d.joints[0].offset = std::nan(""); }), "joints[0].offset");
  EXPECT_EQ(refused([](LinearSystemData& d) { d.curved_joints.model = linear(linked()); }), "joints");
  EXPECT_EQ(refused([](LinearSystemData& d) {
              d.joints.clear();
              d.curved_joints.model = linear(linked());
            }),
            "curved_joints.coordinates");
}

// With all its modes a reduced system is the system, its joints included.
TEST(Joints, InModesMoveTheSame) {
  LinearSystemData data = linked();
  data.stiffness = sparse_from_triplets(
      3, 3, {{0, 0, 30.0}, {0, 1, -8.0}, {1, 0, -8.0}, {1, 1, 20.0}, {1, 2, -5.0}, {2, 1, -5.0}, {2, 2, 9.0}});
  const ModalBasis basis = lowest_modes(data.stiffness, data.mass, 3);
  const auto full = linear(data), modal = linear(reduced(data, basis, {}));
  const State start{.q = {0.1, 0.35, 0.0}, .v = {0.5, 0.5, -1.5}};
  const State modal_start{.q = modal_coordinates(data.mass, basis, start.q),
                          .v = modal_coordinates(data.mass, basis, start.v)};
  EXPECT_EQ(testing::joint_rows(modal->layout()), testing::joint_rows(full->layout()));
  const Solution a = simulate(*full, start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-3});
  const Solution b = simulate(*modal, modal_start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-3});
  const Values q = modal_coordinates(data.mass, basis, a.final.q);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b.final.q[i], q[i], 1e-11);
  EXPECT_NEAR(a.final.q[0] - a.final.q[1], -0.25, 1e-13);
  EXPECT_NEAR(2 * a.final.q[2], -std::sin(3.0), 1e-13);
}

// A pendulum in Cartesian coordinates by hand: its joint is all that it says.
class CartesianPendulum : public Model {
 public:
  CartesianPendulum() : Model({.coordinates = {"x", "y"}, .joints = {{.name = "rod"}}}) {}
  void mass(double, const double*, double* M) const override {
    M[0] = M[3] = 1.0;
    M[1] = M[2] = 0.0;
  }
  void force(double, const double*, const double*, const double*, double* F) const override {
    F[0] = 0.0;
    F[1] = -9.81;
  }
  void joint(double, const double* q, double* g) const override { *g = q[0] * q[0] + q[1] * q[1] - 1.0; }
  Energy<double> energy(double, const double* q, const double* v) const override {
    return {.kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1]), .potential = 9.81 * q[1]};
  }
};

TEST(Joints, OfAModelByHand) {
  const CartesianPendulum by_hand;
  const auto formulas = lagrangian({.coordinates = {"x", "y"},
                                    .kinetic = "(x_dot^2 + y_dot^2)/2",
                                    .potential = "9.81*y",
                                    .joints = {{.name = "rod", .equation = {"x^2 + y^2 - 1"}}}});
  EXPECT_EQ(testing::joint_rows(by_hand.layout()), testing::joint_rows(formulas->layout()));
  const Values q = {0.6, -0.8}, v = {0.8, 0.6};
  const Rows a = rows_of(by_hand, 0.0, q, v), b = rows_of(*formulas, 0.0, q, v);
  EXPECT_NEAR(a.H[0], b.H[0], 1e-9);
  EXPECT_NEAR(a.H[1], b.H[1], 1e-9);
  EXPECT_NEAR(a.o[0], 0.0, 1e-9);
  EXPECT_NEAR(a.c[0], b.c[0], 1e-4);

  const State start{.q = q, .v = v};
  const Solution s = simulate(by_hand, start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-3});
  const Solution r = simulate(*formulas, start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-3});
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(s.final.q[i], r.final.q[i], 1e-6);
  EXPECT_NEAR(std::hypot(s.final.q[0], s.final.q[1]), 1.0, 1e-12);
}

// The default of a model that has joints and does not say where they are.
TEST(Joints, OfAModelThatForgetsThem) {
  class Forgetful : public CartesianPendulum {
    void joint(double t, const double* q, double* g) const override { Model::joint(t, q, g); }
  };
  double g = 0.0;
  const Values q = {0.6, -0.8};
  const Forgetful model;
  EXPECT_THROW(static_cast<const Model&>(model).joint(0.0, q.data(), &g), Error);
}

}  // namespace
}  // namespace ricochet
