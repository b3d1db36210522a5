#include "ricochet/model/finite_elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "ricochet/core/error.hpp"
#include "ricochet/model/modal.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using ::testing::ElementsAre;

constexpr BarGeometry steel_bar{.length = 1.7, .young = 210e9, .area = 3e-4, .density = 7800.0, .elements = 8};
constexpr BeamGeometry tube{.length = 1.5,
                            .young = 210e9,
                            .inertia = 4.636990756698535e-09,
                            .area = 1.1309733552923256e-4,
                            .density = 7850.0,
                            .elements = 8};

Eigen::MatrixXd dense(const SparseMatrix& A) {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(A.rows(), A.cols());
  for (int j = 0; j < A.cols(); ++j)
    for (int k = A.pattern.start[j]; k < A.pattern.start[j + 1]; ++k) D(A.pattern.row[k], j) = A.values[k];
  return D;
}

// Values of a function and its slope as unknowns.
template <class F, class Slope>
Eigen::VectorXd sample(const Field& field, const F& f, const Slope& slope) {
  Eigen::VectorXd u(field.size());
  for (int i = 0; i < field.size(); ++i) u[i] = field.is_slope[i] ? slope(field.abscissa[i]) : f(field.abscissa[i]);
  return u;
}

double interpolate(const Field& field, const Eigen::VectorXd& u, double x) {
  double sum = 0.0;
  for (const auto& [i, weight] : field.at(x)) sum += weight * u[i];
  return sum;
}

// ω of mode `mode` over its closed form, minus 1.
double error_of(const Field& field, int mode, double exact) {
  return lowest_modes(field.stiffness, field.mass, mode + 1).omega[mode] / exact - 1.0;
}

// Orders between 10 and 20 and between 20 and 40 elements; all errors have one sign.
template <class Build>
void expect_order(const Build& build, int mode, double exact, double order, double tolerance) {
  double last = 0.0;
  for (const int elements : {10, 20, 40}) {
    const double error = error_of(build(elements), mode, exact);
    if (last != 0.0) EXPECT_NEAR(std::log2(last / error), order, tolerance) << elements;
    last = error;
  }
}

double bar_frequency(double wave_number) { return wave_number * std::sqrt(210e9 / 7800.0); }

// βL to ω of the tube.
double tube_frequency(double beta_length) {
  const double beta = beta_length / tube.length;
  return beta * beta * std::sqrt(tube.young * tube.inertia / (tube.density * tube.area));
}

Field bar_of(int elements, Support left, Support right, bool lumped = false) {
  BarGeometry geometry = steel_bar;
  geometry.elements = elements, geometry.left = left, geometry.right = right, geometry.lumped = lumped;
  return bar(geometry);
}

BeamGeometry beam_geometry(int elements, Support left, Support right, bool lumped = false) {
  BeamGeometry geometry = tube;
  geometry.elements = elements, geometry.left = left, geometry.right = right, geometry.lumped = lumped;
  return geometry;
}

TEST(Bar, UnknownsHaveNamesAndPlaces) {
  const Field field = bar_of(4, Support::fixed, Support::free);
  EXPECT_THAT(field.names, ElementsAre("u1", "u2", "u3", "u4"));
  EXPECT_THAT(field.abscissa, ElementsAre(1.7 / 4, 1.7 / 2, 1.7 * 3 / 4, 1.7));
  EXPECT_THAT(field.is_slope, ElementsAre(false, false, false, false));
  EXPECT_EQ(bar_of(4, Support::free, Support::free).names.front(), "u0");
}

TEST(Bar, FrequenciesConvergeWithOrderTwo) {
  const double L = steel_bar.length;
  for (const bool lumped : {false, true}) {
    for (int mode = 0; mode < 3; ++mode) {
      const auto fixed_free = [&](int n) { return bar_of(n, Support::fixed, Support::free, lumped); };
      expect_order(fixed_free, mode, bar_frequency((mode + 0.5) * pi / L), 2.0, 0.05);
      const auto free_free = [&](int n) { return bar_of(n, Support::free, Support::free, lumped); };
      expect_order(free_free, mode + 1, bar_frequency((mode + 1) * pi / L), 2.0, 0.06);
    }
    // The consistent mass is too stiff, the lumped one too soft.
    EXPECT_EQ(error_of(bar_of(10, Support::fixed, Support::fixed, lumped), 0, bar_frequency(pi / L)) < 0.0, lumped);
  }
}

TEST(Bar, MovesRigidlyWithoutForceAndKeepsItsMass) {
  for (const bool lumped : {false, true})
    for (const int elements : {1, 2, 7}) {
      const Field field = bar_of(elements, Support::free, Support::free, lumped);
      const Eigen::VectorXd one = Eigen::VectorXd::Ones(field.size());
      EXPECT_EQ((dense(field.stiffness) * one).norm(), 0.0);
      EXPECT_NEAR(one.dot(dense(field.mass) * one), 7800.0 * 3e-4 * 1.7, 1e-14);
      EXPECT_TRUE(is_symmetric(field.mass, 0.0));
      EXPECT_TRUE(is_symmetric(field.stiffness, 0.0));
      if (lumped) EXPECT_EQ(field.mass.pattern.size(), field.size());
    }
}

TEST(Bar, InterpolatesLinearly) {
  const Field field = bar_of(8, Support::free, Support::free);
  const auto line = [](double x) { return 3.0 - 2.0 * x; };
  const Eigen::VectorXd u = sample(field, line, line);
  for (const double x : {0.0, 0.1, 0.85, 1.6999, 1.7}) EXPECT_NEAR(interpolate(field, u, x), line(x), 1e-14) << x;
  EXPECT_THAT(field.at(0.85), ElementsAre(std::pair(4, 1.0)));
}

TEST(Bar, EndsAndOutsideOfTheLine) {
  const Field field = bar_of(3, Support::fixed, Support::fixed);
  EXPECT_TRUE(field.at(0.0).empty());
  EXPECT_TRUE(field.at(1.7).empty());
  EXPECT_EQ(field.at(0.1).size(), 1u);
  for (const double x : {-0.01, 1.71, std::nan("")}) EXPECT_THROW(field.at(x), InputError) << x;
}

TEST(Beam, UnknownsHaveNamesAndPlaces) {
  const Field field = beam(beam_geometry(2, Support::fixed, Support::pinned));
  EXPECT_THAT(field.names, ElementsAre("w1", "r1", "r2"));
  EXPECT_THAT(field.abscissa, ElementsAre(0.75, 0.75, 1.5));
  EXPECT_THAT(field.is_slope, ElementsAre(false, true, true));
}

struct BeamCase {
  Support left, right;
  int first;  // elastic mode
  std::vector<double> beta_length;
};

// Roots of 1 + cos cosh, sin and 1 − cos cosh.
const std::vector<BeamCase>& beam_cases() {
  static const std::vector<BeamCase> cases = {
      {Support::fixed, Support::free, 0, {1.8751040687119611, 4.694091132974175}},
      {Support::pinned, Support::pinned, 0, {pi, 2.0 * pi}},
      {Support::free, Support::free, 2, {4.730040744862704, 7.853204624095838}},
      {Support::fixed, Support::fixed, 0, {4.730040744862704, 7.853204624095838}},
      {Support::pinned, Support::fixed, 0, {3.926602312047919, 7.068582745628732}},
  };
  return cases;
}

TEST(Beam, FrequenciesConvergeWithOrderFour) {
  for (const BeamCase& c : beam_cases())
    for (int k = 0; k < 2; ++k) {
      const auto build = [&](int n) { return beam(beam_geometry(n, c.left, c.right)); };
      expect_order(build, c.first + k, tube_frequency(c.beta_length[k]), 4.0, 0.15);
    }
}

TEST(Beam, FrequenciesWithLumpedMassConvergeWithOrderTwo) {
  for (const BeamCase& c : beam_cases())
    for (int k = 0; k < 2; ++k) {
      const auto build = [&](int n) { return beam(beam_geometry(n, c.left, c.right, true)); };
      expect_order(build, c.first + k, tube_frequency(c.beta_length[k]), 2.0, 0.2);
    }
}

// w = F x² (3L − x)/(6EI): a cubic, so every element is exact, whatever their number.
TEST(Beam, CantileverIsExactUnderALoadAtItsTip) {
  const double F = 10.0, L = tube.length, EI = tube.young * tube.inertia;
  for (const int elements : {1, 2, 5, 16}) {
    const Field field = beam(beam_geometry(elements, Support::fixed, Support::free));
    Eigen::VectorXd load = Eigen::VectorXd::Zero(field.size());
    for (const auto& [i, weight] : field.at(L)) load[i] += weight * F;
    const Eigen::VectorXd u = dense(field.stiffness).llt().solve(load);
    const auto deflection = [&](double x) { return F * x * x * (3.0 * L - x) / (6.0 * EI); };
    const auto slope = [&](double x) { return F * x * (2.0 * L - x) / (2.0 * EI); };
    EXPECT_LE((u - sample(field, deflection, slope)).norm(), 1e-10 * u.norm());
    EXPECT_NEAR(interpolate(field, u, 0.37 * L), deflection(0.37 * L), 1e-10 * deflection(L));
  }
}

TEST(Beam, MovesRigidlyWithoutForceAndKeepsItsMass) {
  const auto one = [](double) { return 1.0; };
  const auto zero = [](double) { return 0.0; };
  const auto x = [](double s) { return s; };
  const double mass = tube.density * tube.area * tube.length;
  for (const bool lumped : {false, true})
    for (const int elements : {1, 3, 10}) {
      const Field field = beam(beam_geometry(elements, Support::free, Support::free, lumped));
      const Eigen::MatrixXd K = dense(field.stiffness), M = dense(field.mass);
      const Eigen::VectorXd shift = sample(field, one, zero), turn = sample(field, x, one);
      EXPECT_LE((K * shift).norm(), 1e-15 * K.norm());
      EXPECT_LE((K * turn).norm(), 1e-15 * K.norm());
      EXPECT_NEAR(shift.dot(M * shift), mass, 1e-14);
      // The consistent matrix also has the exact moment of inertia about the end, mL²/3.
      if (!lumped) EXPECT_NEAR(turn.dot(M * turn), mass * tube.length * tube.length / 3.0, 1e-14);
      EXPECT_TRUE(is_symmetric(field.mass, 0.0));
      EXPECT_TRUE(is_symmetric(field.stiffness, 0.0));
      if (lumped) EXPECT_EQ(field.mass.pattern.size(), field.size());
    }
}

TEST(Beam, InterpolatesCubicsExactly) {
  const auto cubic = [](double x) { return 0.3 + x * (1.0 - x * (2.0 - 0.7 * x)); };
  const auto slope = [](double x) { return 1.0 - 4.0 * x + 2.1 * x * x; };
  const BeamGeometry geometry = beam_geometry(5, Support::free, Support::free);
  for (const Field& field : {beam(geometry), beam_differences(geometry)}) {
    const Eigen::VectorXd u = sample(field, cubic, slope);
    for (const double x : {0.0, 0.01, 0.3, 0.44, 0.75, 1.1, 1.49, 1.5})
      EXPECT_NEAR(interpolate(field, u, x), cubic(x), 1e-14) << x;
    EXPECT_EQ(field.at(0.9).size(), 1u);
    EXPECT_EQ(field.at(0.9)[0].second, 1.0);
  }
}

// A_Δx as printed in [003] for a clamped-free tube, and its centred form.
TEST(BeamDifferences, RowsAreThoseOfThePaper) {
  const int d = 6;
  const BeamGeometry geometry = beam_geometry(d, Support::fixed, Support::free);
  const double step = tube.length / d, k2 = tube.young * tube.inertia / (tube.density * tube.area);
  const auto operator_of = [&](BoundaryRows rows) -> Eigen::MatrixXd {
    const Field field = beam_differences(geometry, rows);
    EXPECT_TRUE(is_symmetric(field.stiffness, 0.0));
    EXPECT_EQ(field.mass.pattern.size(), d);
    return dense(field.mass).inverse() * dense(field.stiffness) * std::pow(step, 4) / k2;
  };
  Eigen::MatrixXd A(d, d);
  A << 6, -4, 1, 0, 0, 0,  //
      -4, 6, -4, 1, 0, 0,  //
      1, -4, 6, -4, 1, 0,  //
      0, 1, -4, 6, -4, 1,  //
      0, 0, 1, -4, 5, -2,  //
      0, 0, 0, 1, -2, 1;
  EXPECT_LE((operator_of(BoundaryRows::first_order) - A).norm(), 1e-13);
  A(0, 0) = 7.0;
  A.row(d - 1) *= 2.0;
  EXPECT_LE((operator_of(BoundaryRows::second_order) - A).norm(), 1e-13);
}

TEST(BeamDifferences, FrequenciesConvergeWithOrderTwo) {
  for (const BeamCase& c : beam_cases()) {
    const auto build = [&](int n) { return beam_differences(beam_geometry(n, c.left, c.right)); };
    expect_order(build, c.first, tube_frequency(c.beta_length[0]), 2.0, 0.1);
  }
}

// First eigenvalue ω²: 17.5 % too low at d = 20, 1.2 % at d = 320.
TEST(BeamDifferences, FirstOrderRowsConvergeWithOrderOne) {
  const double exact = tube_frequency(1.8751040687119611);
  const auto eigenvalue_error = [&](int d) {
    const BeamGeometry geometry = beam_geometry(d, Support::fixed, Support::free);
    const double ratio = 1.0 + error_of(beam_differences(geometry, BoundaryRows::first_order), 0, exact);
    return ratio * ratio - 1.0;
  };
  EXPECT_NEAR(eigenvalue_error(20), -0.175, 0.0005);
  EXPECT_NEAR(eigenvalue_error(320), -0.0124, 0.00005);
  EXPECT_NEAR(std::log2(eigenvalue_error(160) / eigenvalue_error(320)), 0.98, 0.01);
}

TEST(BeamDifferences, MovesRigidlyAndKeepsItsMass) {
  const auto one = [](double) { return 1.0; };
  const auto x = [](double s) { return s; };
  const Field field = beam_differences(beam_geometry(9, Support::free, Support::free));
  const Eigen::MatrixXd K = dense(field.stiffness), M = dense(field.mass);
  const Eigen::VectorXd shift = sample(field, one, one), turn = sample(field, x, one);
  EXPECT_LE((K * shift).norm(), 1e-15 * K.norm());
  EXPECT_LE((K * turn).norm(), 1e-15 * K.norm());
  EXPECT_NEAR(shift.dot(M * shift), tube.density * tube.area * tube.length, 1e-14);
}

TEST(FiniteElements, OneElementIsEnoughWhereSomethingCanMove) {
  EXPECT_EQ(bar_of(1, Support::fixed, Support::free).size(), 1);
  EXPECT_EQ(beam(beam_geometry(1, Support::fixed, Support::free)).size(), 2);
  EXPECT_EQ(beam(beam_geometry(1, Support::pinned, Support::pinned)).size(), 2);
  EXPECT_EQ(beam_differences(beam_geometry(1, Support::fixed, Support::free)).size(), 1);
  // One element, clamped: K = EA/L and M = ρAL/3; 3EI/L³ follows from K of the beam with a free rotation.
  const Field field = bar_of(1, Support::fixed, Support::free);
  EXPECT_DOUBLE_EQ(field.stiffness.at(0, 0), 210e9 * 3e-4 / 1.7);
  EXPECT_DOUBLE_EQ(field.mass.at(0, 0), 7800.0 * 3e-4 * 1.7 / 3.0);
  const Eigen::MatrixXd K = dense(beam(beam_geometry(1, Support::fixed, Support::free)).stiffness);
  EXPECT_NEAR((K(0, 0) - K(0, 1) * K(1, 0) / K(1, 1)) * std::pow(tube.length, 3) / (tube.young * tube.inertia), 3.0,
              1e-12);
}

template <class Geometry, class Build>
std::string refused(Geometry geometry, const Build& build) {
  try {
    build(geometry);
  } catch (const InputError& error) {
    return error.field();
  }
  return "nothing";
}

TEST(FiniteElements, RefusesBadGeometry) {
  const auto bar_with = [](const auto& change) {
    BarGeometry geometry = steel_bar;
    change(geometry);
    return refused(geometry, bar);
  };
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.length = 0.0; }), "length");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.young = -1.0; }), "young");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.area = std::nan(""); }), "area");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.density = HUGE_VAL; }), "density");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.elements = 0; }), "elements");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.elements = 2000000000; }), "elements");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.right = Support::pinned; }), "right");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.elements = 1, g.left = g.right = Support::fixed; }), "elements");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.young = g.area = 1e300; }), "young");
  EXPECT_EQ(bar_with([](BarGeometry& g) { g.density = g.area = 1e-300; }), "density");

  BeamGeometry geometry = tube;
  geometry.inertia = 0.0;
  EXPECT_EQ(refused(geometry, beam), "inertia");
  EXPECT_EQ(refused(geometry, [](const BeamGeometry& g) { return beam_differences(g); }), "inertia");
  EXPECT_EQ(refused(beam_geometry(1, Support::fixed, Support::fixed), beam), "elements");
}

}  // namespace
}  // namespace ricochet
