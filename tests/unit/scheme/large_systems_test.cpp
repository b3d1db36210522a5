// Systems with many coordinates or many contacts: the sparse forms of the contact problem against the dense one and
// against known answers, and every scheme on a hundred thousand coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>

#include "ricochet/core/error.hpp"
#include "ricochet/ricochet.hpp"
#include "support/difference.hpp"
#include "support/large_models.hpp"

namespace ricochet {
namespace {

using testing::BeadColumn;
using testing::difference;
using testing::ElasticBar;

Scheme scheme_of(const SchemeEntry& entry) { return {std::string(entry.name)}; }

struct Motion {
  Solution dense, sparse;
};

Motion both(const Model& model, const State& start, double until, double h, const Scheme& scheme) {
  const auto run = [&](ContactMatrix matrix) {
    RunSettings settings{.h = h};
    settings.solver.matrix = matrix;
    return simulate(model, start, {0.0, until}, scheme, settings);
  };
  return {run(ContactMatrix::dense), run(ContactMatrix::sparse)};
}

void expect_same(const Motion& motion, double tolerance, std::string_view what) {
  const auto& [dense, sparse] = motion;
  ASSERT_EQ(dense.status, Status::completed) << what << ": " << dense.failure.message;
  ASSERT_EQ(sparse.status, Status::completed) << what << ": " << sparse.failure.message;
  EXPECT_LT(difference(dense.trajectory.q, sparse.trajectory.q), tolerance) << what;
  EXPECT_LT(difference(dense.trajectory.v, sparse.trajectory.v), tolerance) << what;
  EXPECT_LT(difference(dense.trajectory.impulse, sparse.trajectory.impulse), tolerance) << what;
  EXPECT_EQ(dense.impact_count, sparse.impact_count) << what;
  EXPECT_NEAR(dense.energy.impact, sparse.energy.impact, tolerance) << what;
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// M̂ is diagonal: W in the pattern of HᵀH. The column falls on the floor, bead after bead. Schemes that solve many dense
// problems a step get fewer beads.
TEST(LargeSystems, BeadColumnSparseAsDense) {
  for (const SchemeEntry& entry : catalogue()) {
    const bool slow =
        traits(entry).chooses_steps || is_any_of(entry.name, {"mannshardt", "extrapolated-moreau", "splitting",
                                                              "feasible-position", "paoli-schatzman"});
    const bool soft = traits(entry).inelastic_only || traits(entry).chooses_steps;
    const BeadColumn column({.beads = slow ? 50 : 300, .restitution = soft ? 0.0 : 0.3});
    expect_same(both(column, column.start(1e-4, -1.0), 0.01, 1e-3, scheme_of(entry)), 1e-10, entry.name);
  }
}

// M̂ is a band: the quasi-definite form. The bar is thrown on a hundred stops that it meets at once.
TEST(LargeSystems, BarOnStopsSparseAsDense) {
  for (const SchemeEntry& entry : catalogue()) {
    if (traits(entry).chooses_steps || entry.name == "mannshardt") continue;
    for (const double damping : {0.0, 1e-4}) {
      const double e = traits(entry).inelastic_only ? 0.0 : 0.5;
      const ElasticBar bar({.elements = 200, .stops = 100, .restitution = e, .damping = damping, .pull = 1.0});
      State start;
      for (int i = 0; i < bar.nq(); ++i) {
        start.q.push_back(1e-3 * (1.0 + std::sin(0.1 * i)));
        start.v.push_back(-0.1);
      }
      expect_same(both(bar, start, 0.1, 2e-3, scheme_of(entry)), 1e-10, entry.name);
    }
  }
}

// Constraints that share one coordinate: HᵀH would be full.
class Drum final : public Model {
 public:
  explicit Drum(int n) : Model(layout_of(n)) {}
  void mass(double, const double*, double* M) const override { std::fill(M, M + nq(), 2.0); }
  void force(double, const double* q, const double*, const double*, double* F) const override {
    for (int i = 0; i < nq(); ++i) F[i] = -1.0 - q[i];
  }
  void gap(double, const double* q, double* g) const override {
    for (int j = 0; j < nc(); ++j) g[j] = q[j + 1] + 0.1 * q[0];
  }
  void gap_gradient(double, const double*, double* H) const override {
    for (int j = 0; j < nc(); ++j) H[2 * j] = 0.1, H[2 * j + 1] = 1.0;
  }

 private:
  static Layout layout_of(int n) {
    Layout layout;
    for (int i = 0; i < n; ++i) layout.coordinates.push_back("x" + std::to_string(i));
    for (int j = 0; j + 1 < n; ++j) layout.constraints.push_back("c" + std::to_string(j));
    layout.structure = {.constant_mass = true, .linear_gaps = true, .fixed_gaps = true, .constant_restitution = true};
    layout.mass = layout.stiffness = testing::diagonal_pattern(n);
    layout.damping = Pattern::empty(n, n);
    layout.gradient = {n, n - 1, {0}, {}};
    for (int j = 0; j + 1 < n; ++j) {
      layout.gradient.row.insert(layout.gradient.row.end(), {0, j + 1});
      layout.gradient.start.push_back(2 * (j + 1));
    }
    return layout;
  }
};

TEST(LargeSystems, SharedCoordinateAndNewtonIterations) {
  const Drum drum(200);
  State start;
  for (int i = 0; i < drum.nq(); ++i) start.q.push_back(0.01 * (1.0 + std::sin(i))), start.v.push_back(-1.0);
  for (const char* name : {"moreau-jean", "newmark", "paoli-schatzman"})
    expect_same(both(drum, start, 0.1, 5e-3, {name}), 1e-10, name);
}

// A column at rest: contact j carries the beads above it. (Schemes that forecast contacts lose one for a step where
// round-off opens its gap, and penalty sinks in.)
TEST(LargeSystems, ColumnAtRestCarriesItsWeight) {
  const int n = 400;
  const BeadColumn column({.beads = n});
  const double h = 1e-3;
  for (const SchemeEntry& entry : catalogue()) {
    if (!is_any_of(entry.name, {"moreau", "moreau-inelastic", "mabrouk", "feasible-position", "paoli-schatzman",
                                "d1-minus", "splitting", "event-driven", "mannshardt"}))
      continue;
    const Solution solution = simulate(column, column.start(0.0, 0.0), {0.0, 5 * h}, scheme_of(entry), {.h = h});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << ": " << solution.failure.message;
    EXPECT_LT(difference(solution.final.q, column.start(0.0, 0.0).q), 1e-9) << entry.name;
    const std::vector<double>& impulse = solution.trajectory.impulse;
    double error = 0.0;
    for (int j = 0; j < n; ++j)
      error = std::max(error, std::abs(impulse[impulse.size() - static_cast<std::size_t>(n - j)] - h * 9.81 * (n - j)));
    EXPECT_LT(error, 1e-8 * h * 9.81 * n) << entry.name;
  }
}

// A column that falls and bounces: contacts come and go in every step, and none may stop the run.
TEST(LargeSystems, BouncingColumnGoesOn) {
  for (const double e : {0.0, 0.5, 0.9, 1.0}) {
    const BeadColumn column({.beads = 2000, .restitution = e});
    const Solution solution = simulate(column, column.start(1e-3, -2.0), {0.0, 0.2}, MoreauJean{},
                                       {.h = 5e-4, .record_every = 0, .keep = false});
    ASSERT_EQ(solution.status, Status::completed) << e << ": " << solution.failure.message;
    EXPECT_GT(solution.impact_count, 300u);
    EXPECT_LE(solution.energy.impact, 1e-9 * solution.energy.turnover) << e;
    const EnergyLedger& ledger = solution.energy;
    EXPECT_NEAR(ledger.final - ledger.initial, ledger.input + ledger.damping + ledger.impact + ledger.numerical,
                1e-9 * ledger.turnover);
  }
}

// Dense matrices of this size would need 80 GB: none may be made. Steps are as short as the explicit schemes need.
TEST(LargeSystems, EverySchemeTakesAHundredThousand) {
  const int elements = 100'000;
  const ElasticBar bar({.elements = elements});
  State start;
  start.q.assign(elements + 1, 1e-8);
  start.v.assign(elements + 1, -0.1);
  for (const SchemeEntry& entry : catalogue()) {
    const auto begin = std::chrono::steady_clock::now();
    const double h = 2e-6;
    const Solution solution =
        simulate(bar, start, {0.0, 3 * h}, scheme_of(entry), {.h = h, .record_every = 0, .keep = false});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << ": " << solution.failure.message;
    EXPECT_LT(std::abs(solution.final.v.back() + 0.1), 1e-12) << entry.name << ": the wave is not there yet";
    EXPECT_GT(solution.final.v.front(), -0.09) << entry.name << ": the wall has stopped the end";
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    RecordProperty(std::string(entry.name), std::to_string(seconds));
  }
}

// The same with ten thousand contacts, all closed.
TEST(LargeSystems, EverySchemeTakesTenThousandContacts) {
  const BeadColumn column({.beads = 10'000});
  const State start = column.start(0.0, 0.0);
  for (const SchemeEntry& entry : catalogue()) {
    // Its springs make waves through the whole column, which it follows in steps far shorter than these.
    if (entry.name == "penalty") continue;
    const Solution solution =
        simulate(column, start, {0.0, 2e-4}, scheme_of(entry), {.h = 1e-4, .record_every = 0, .keep = false});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << ": " << solution.failure.message;
    EXPECT_LT(difference(solution.final.q, start.q), 1e-5) << entry.name;
  }
}

// Free masses with one auxiliary state.
class Heated final : public Model {
 public:
  explicit Heated(int n) : Model(layout_of(n)) {}
  void mass(double, const double*, double* M) const override { std::fill(M, M + nq(), 1.0); }
  void force(double, const double*, const double*, const double* z, double* F) const override {
    std::fill(F, F + nq(), z[0]);
  }
  void state_rate(double, const double*, const double*, const double* z, double* rate) const override {
    rate[0] = -z[0];
  }

 private:
  static Layout layout_of(int n) {
    Layout layout;
    for (int i = 0; i < n; ++i) layout.coordinates.push_back("x" + std::to_string(i));
    layout.states = {"heat"};
    layout.mass = testing::diagonal_pattern(n);
    layout.stiffness = layout.damping = Pattern::empty(n, n);
    layout.gradient = Pattern::empty(n, 0);
    return layout;
  }
};

TEST(LargeSystems, ManyCoordinatesWithStatesAreRefused) {
  EXPECT_NO_THROW(make_stepper(Heated(100), MoreauJean{}));
  const Heated many(100'000);
  try {
    make_stepper(many, MoreauJean{});
    FAIL() << "a dense matrix of 80 GB";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "scheme.name");
    EXPECT_NE(std::string(error.what()).find("at most 3000 coordinates and states"), std::string::npos) << error.what();
  }
}

// A bar that is thrown against a wall and stays there. Implicit tables agree with an explicit one where that is stable,
// and Gauss's keep the energy where steps are twenty times what it could take.
TEST(LargeSystems, ImplicitTablesTakeManyCoordinates) {
  const int elements = 2000;
  const double length = 1.0 / elements;
  const ElasticBar bar({.elements = elements, .pull = 1e-3});
  State start;
  start.q.assign(elements + 1, 0.3 * length);
  start.v.assign(elements + 1, -0.1);
  const auto run = [&](const char* table, double h) {
    const Solution solution = simulate(bar, start, {0.0, 20 * h}, {"mannshardt", {{"tableau", table}}}, {.h = h});
    EXPECT_EQ(solution.status, Status::completed) << table << ": " << solution.failure.message;
    EXPECT_EQ(solution.impact_count, 1u) << table;
    return solution;
  };
  const Solution known = run("dormand-prince", 0.25 * length);
  for (const char* table : {"gauss-3", "radau-iia-3"}) {
    const Solution solution = run(table, 0.25 * length);
    EXPECT_LT(difference(solution.trajectory.v, known.trajectory.v), 1e-5) << table;
    EXPECT_LT(difference(solution.trajectory.q, known.trajectory.q), 1e-5 * length) << table;
  }
  for (const char* table : {"gauss-1", "gauss-2", "gauss-3"}) {
    const EnergyLedger energy = run(table, 20 * length).energy;
    EXPECT_LT(std::abs(energy.numerical), 1e-11 * energy.turnover) << table;
  }
}

TEST(LargeSystems, WhatNeedsADenseMatrixRefuses) {
  try {
    make_stepper(Heated(2000), Mannshardt{});
    FAIL() << "2000 coordinates and two stages would be a matrix of 8000 rows";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "scheme.tableau");
    EXPECT_NE(std::string(error.what()).find("at most 750 coordinates"), std::string::npos) << error.what();
  }
  // A solver that cannot take that many contacts says so.
  const BeadColumn high({.beads = 3000});
  RunSettings settings{.h = 1e-3};
  settings.solver.solver = "lemke";
  const Solution solution = simulate(high, high.start(0.0, 0.0), {0.0, 2e-3}, MoreauJean{}, settings);
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_NE(solution.failure.message.find("3000 contacts may push at once"), std::string::npos)
      << solution.failure.message;
}

}  // namespace
}  // namespace ricochet
