// Contacts on curved gaps under the velocity and the generalized-α schemes: lasting contact measures each rate at its
// own position, an impact both at one.
#include <gtest/gtest.h>

#include <random>

#include "ricochet/ricochet.hpp"
#include "support/bowl.hpp"

namespace ricochet {
namespace {

using testing::bowl;
using testing::bowl_start;

const double start_angle = std::acos(-1.0) / 2.0 - 0.5;  // q = (cos ½, −sin ½)

const Scheme second_order[] = {MoreauJean{}, Newmark{}, Hht{}, GeneralizedAlpha{}, MoreauJeanDissipative{.theta = 0.5}};

Solution slide(const Scheme& scheme, double e, double h, const RunSettings& other = {}) {
  RunSettings settings = other;
  settings.h = h;
  Solution solution = simulate(*bowl(e), bowl_start(start_angle), {0.0, 1.0}, scheme, settings);
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  return solution;
}

double lost(const Solution& solution) { return solution.energy.initial - solution.energy.final; }

// With all rates at H(q_θ) a bead in a bowl sank by 2.6e-2, 1.3e-2, 6.6e-3 and lost 0.41, 0.21, 0.105.
TEST(CurvedContacts, SlidingKeepsDepthAndEnergyToSecondOrder) {
  const double h[] = {0.01, 0.005, 0.0025}, depth[] = {4.7e-4, 1.2e-4, 2.9e-5}, loss[] = {2.2e-3, 5.5e-4, 1.4e-4};
  for (const Scheme& scheme : second_order)
    for (int i = 0; i < 3; ++i) {
      const Solution solution = slide(scheme, 0.0, h[i]);
      EXPECT_NEAR(solution.violation_max / depth[i], 1.0, 0.03) << scheme.name << h[i];
      EXPECT_NEAR(lost(solution) / loss[i], 1.0, 0.03) << scheme.name << h[i];
    }
}

// Contact that lasts stays one with every restitution: no impacts, and no more than four steps without a push.
TEST(CurvedContacts, ContactLastsWithEveryRestitution) {
  for (const Scheme& scheme : second_order)
    for (const double e : {0.0, 0.5, 0.9})
      for (const double h : {1e-2, 1e-3}) {
        const Solution solution = slide(scheme, e, h);
        EXPECT_EQ(solution.impact_count, 0u) << scheme.name << e;
        EXPECT_LT(solution.violation_max, 8e-4 * (h / 1e-2) * (h / 1e-2)) << scheme.name << e;
        EXPECT_GT(lost(solution), 0.0);
        EXPECT_LT(lost(solution), 3.9e-3 * (h / 1e-2) * (h / 1e-2)) << scheme.name << e;
        const std::vector<double>& P = solution.trajectory.impulse;
        EXPECT_LE(std::count(P.begin() + 1, P.end(), 0.0), 5) << scheme.name << e;
      }
}

// The schemes that move q with the old velocity are of first order there, but in contact all the same.
TEST(CurvedContacts, FirstOrderSchemesStayInContact) {
  for (const Scheme& scheme : {Scheme(Moreau{}), Scheme(Mabrouk{})})
    for (const double e : {0.0, 0.5, 0.9}) {
      const Solution solution = slide(scheme, e, 0.01);
      EXPECT_EQ(solution.impact_count, 0u) << scheme.name << e;
      EXPECT_NEAR(solution.violation_max, 2.59e-2, 3e-4) << scheme.name << e;
      EXPECT_NEAR(slide(scheme, e, 0.005).violation_max, 1.31e-2, 2e-4) << scheme.name << e;
    }
}

// An elastic impact keeps the energy on any wall.
TEST(CurvedContacts, ElasticImpactsKeepTheEnergy) {
  const auto ellipse = lagrangian({.coordinates = {"x", "y"},
                                   .kinetic = "(x_dot^2 + y_dot^2)/2",
                                   .constraints = {{.name = "wall", .gap = "1 - x^2/4 - y^2", .restitution = 1.0}}});
  for (const Scheme& scheme : second_order)
    for (const double h : {1e-2, 2.5e-3}) {
      const Solution solution = simulate(*ellipse, {.q = {0.3, 0.2}, .v = {1.1, 0.7}}, {0.0, 660.0}, scheme, {.h = h});
      EXPECT_GE(solution.impact_count, 400u) << scheme.name;
      EXPECT_NEAR(solution.energy.final, solution.energy.initial, 2e-14 * solution.energy.initial) << scheme.name;
    }
}

// A ball dropped into the bowl bounces some times, then slides; the records sum up to the impacts of the account.
TEST(CurvedContacts, ImpactsThenLastingContact) {
  for (const Scheme& scheme : second_order) {
    const Solution solution = simulate(*bowl(0.5), {.q = {0.1, 0.3}, .v = {0.0, 0.0}}, {0.0, 4.0}, scheme, {.h = 1e-3});
    ASSERT_EQ(solution.status, Status::completed);
    EXPECT_EQ(solution.impact_count, 8u) << scheme.name;
    double recorded = 0.0;
    for (const Impact& impact : solution.impacts) {
      EXPECT_GE(impact.energy_loss, 0.0);
      recorded += impact.energy_loss;
    }
    EXPECT_NEAR(recorded, -solution.energy.impact, 1e-4) << scheme.name;
    EXPECT_GT(solution.trajectory.impulse.back(), 0.0);
  }
}

// What the rates of lasting contact leave out of the work is numerical: the account of a linear force closes.
TEST(CurvedContacts, AccountCloses) {
  const auto moving = lagrangian(
      {.coordinates = {"x", "y"},
       .kinetic = "(x_dot^2 + 2*y_dot^2)/2",
       .potential = "9.81*y",
       .constraints = {
           {.name = "bowl", .gap = "1 - sqrt((x - 0.1*sin(5*t))^2 + (y - 0.05*cos(7*t))^2)", .restitution = 0.4}}});
  for (const Scheme& scheme : {Scheme(MoreauJean{.theta = 0.7}), Scheme(Moreau{}), Scheme(Newmark{}), Scheme(Hht{})}) {
    const Solution s = simulate(*moving, {.q = {0.3, 0.2}, .v = {0.0, 0.0}}, {0.0, 5.0}, scheme, {.h = 5e-3});
    const EnergyLedger& e = s.energy;
    ASSERT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_NEAR(e.initial + e.input + e.damping + e.impact + e.numerical, e.final, 1e-12) << scheme.name;
    EXPECT_LT(e.impact, 0.0);
  }
}

// Many contacts take another way to W: the same motion.
TEST(CurvedContacts, ManyContactsMoveAlike) {
  for (const Scheme& scheme : second_order) {
    const Solution dense = slide(scheme, 0.5, 0.01);
    const Solution sparse = slide(scheme, 0.5, 0.01, {.solver = {.matrix = ContactMatrix::sparse}});
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(sparse.final.q[i], dense.final.q[i], 1e-11) << scheme.name;
  }
}

// A gap that is given twice, once in another form, changes nothing but how the impulse is shared.
TEST(CurvedContacts, RedundantGaps) {
  const auto twice = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .potential = "9.81*y",
                                 .constraints = {{.name = "bowl", .gap = "1 - sqrt(x^2 + y^2)", .restitution = 0.0},
                                                 {.name = "dish", .gap = "(1 - x^2 - y^2)/2", .restitution = 0.0}}});
  for (const Scheme& scheme : second_order) {
    const Solution once = slide(scheme, 0.0, 0.01);
    const Solution s = simulate(*twice, bowl_start(start_angle), {0.0, 1.0}, scheme, {.h = 0.01});
    ASSERT_EQ(s.status, Status::completed) << s.failure.message;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(s.final.q[i], once.final.q[i], 1e-3) << scheme.name;
  }
}

// A pin in a round hole: the event-driven motion has 28 impacts down to its threshold, then slides. With all rates at
// H(q_θ) there were 649 under moreau-jean, 1034 under newmark.
TEST(CurvedContacts, PinInAHoleSlidesWithoutImpacts) {
  const auto joint =
      lagrangian({.coordinates = {"x", "y", "a"},
                  .kinetic = "((x_dot + cos(a)*a_dot/2)^2 + (y_dot + sin(a)*a_dot/2)^2)/2 + a_dot^2/24",
                  .potential = "9.81*(y - cos(a)/2)",
                  .constraints = {{.name = "hole", .gap = "(0.02^2 - x^2 - y^2)/0.04", .restitution = 0.5}}});
  for (const Scheme& scheme : second_order) {
    const Solution s = simulate(*joint, {.q = {0, 0, 1}, .v = {0, 0, 0}}, {0.0, 0.6}, scheme, {.h = 1e-4});
    ASSERT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_LE(s.impact_count, 10u) << scheme.name;
    for (const Impact& impact : s.impacts) EXPECT_LT(impact.t, 0.13) << scheme.name;
  }
}

// A particle with two masses, up to 10⁶ apart, in an ellipse: the light coordinate may take all of the energy. As long
// as that carries it no further than a tenth of its semi-axis in a step, the equations of every step are solved.
TEST(CurvedContacts, MassesByDirection) {
  std::mt19937 random(11);
  const auto in = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  for (int k = 0; k < 60; ++k) {
    const double m[] = {std::pow(10.0, in(-3.0, 3.0)), std::pow(10.0, in(-3.0, 3.0))};
    const double a[] = {std::pow(10.0, in(-0.5, 0.5)), std::pow(10.0, in(-0.5, 0.5))};
    const double f[] = {in(-10.0, 10.0) * m[0], in(-10.0, 10.0) * m[1]};
    const State start{.q = {in(-0.6, 0.6) * a[0], in(-0.6, 0.6) * a[1]}, .v = {in(-1.0, 1.0), in(-1.0, 1.0)}};
    double energy = 0.0, h = 0.01;
    for (int i = 0; i < 2; ++i)
      energy += 0.5 * m[i] * start.v[i] * start.v[i] + std::abs(f[i]) * a[i] - f[i] * start.q[i];
    for (int i = 0; i < 2; ++i) h = std::min(h, 0.1 * a[i] / std::sqrt(2.0 * energy / m[i]));
    const auto ellipse =
        lagrangian({.coordinates = {"x", "y"},
                    .kinetic = "(m*x_dot^2 + n*y_dot^2)/2",
                    .potential = "-f*x - w*y",
                    .parameters = {{"m", m[0]}, {"n", m[1]}, {"a", a[0]}, {"b", a[1]}, {"f", f[0]}, {"w", f[1]}},
                    .constraints = {{.name = "wall",
                                     .gap = k % 2 == 0 ? "1 - sqrt((x/a)^2 + (y/b)^2)" : "1 - (x/a)^2 - (y/b)^2",
                                     .restitution = in(0.0, 1.0)}}});
    for (const Scheme& scheme : second_order) {
      const Solution s = simulate(*ellipse, start, {0.0, 1000.0 * h}, scheme, {.h = h, .record_every = 0});
      EXPECT_EQ(s.status, Status::completed) << scheme.name << ", case " << k << ": " << s.failure.message;
      EXPECT_LE(s.energy.impact, 1e-9 * energy) << scheme.name << ", case " << k;
    }
  }
}

// Bars on two and three supports, and two beads in a bowl, with masses over six decades: the runs end, impacts lose,
// the records hold the losses of all but lasting contact, and nothing leaves by more than O(h).
TEST(CurvedContacts, RandomSystems) {
  std::mt19937 random(7);
  const auto in = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  for (int k = 0; k < 90; ++k) {
    const double m = std::pow(10.0, in(-3.0, 3.0)), e = k % 2 == 0 ? 0.0 : in(0.0, 1.0),
                 h = std::pow(10.0, in(-3.0, -2.0));
    LagrangianDescription system;
    State start;
    if (k % 3 < 2) {
      system = {.coordinates = {"x", "y", "a"},
                .kinetic = "(x_dot^2 + y_dot^2 + m*a_dot^2/10)/2",
                .potential = "9.81*y",
                .parameters = {{"m", std::sqrt(m)}},
                .constraints = {{.name = "left", .gap = "y - sin(a)/2 - cos(a)/10", .restitution = e},
                                {.name = "right", .gap = "y + sin(a)/2 - cos(a)/10", .restitution = e}}};
      if (k % 3 == 1) system.constraints.push_back({.name = "middle", .gap = "y - cos(a)/10", .restitution = e});
      start = {.q = {0.0, in(0.7, 1.0), k % 6 < 3 ? 0.0 : in(-1.0, 1.0)},
               .v = {in(-1.0, 1.0), in(-2.0, 0.0), in(-3.0, 3.0)}};
    } else {
      system = {.coordinates = {"x", "y", "u", "w"},
                .kinetic = "(x_dot^2 + y_dot^2 + m*(u_dot^2 + w_dot^2))/2",
                .potential = "9.81*(y + m*w)",
                .parameters = {{"m", m}},
                .constraints = {{.name = "first", .gap = "1 - sqrt(x^2 + y^2)", .restitution = e},
                                {.name = "second", .gap = "1 - sqrt(u^2 + w^2)", .restitution = e},
                                {.name = "between", .gap = "sqrt((x - u)^2 + (y - w)^2) - 0.4", .restitution = e}}};
      start = {.q = {-0.3, in(-0.5, 0.2), 0.3, in(-0.5, 0.2)}, .v = {in(-2.0, 2.0), 0.0, in(-2.0, 2.0), 0.0}};
    }
    const auto model = lagrangian(system);
    for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Moreau{}), Scheme(Newmark{})}) {
      const Solution s = simulate(*model, start, {0.0, 2.0}, scheme, {.h = h});
      ASSERT_EQ(s.status, Status::completed) << scheme.name << k << s.failure.message;
      const double size = std::abs(s.energy.initial) + std::abs(s.energy.impact);
      EXPECT_LT(s.energy.impact, 1e-9 * size) << scheme.name << k;
      EXPECT_LT(s.violation_max, 40.0 * h) << scheme.name << k << " m " << m << " h " << h;
    }
  }
}

// At rest where all coordinates are zero nothing but the forces has a size.
TEST(CurvedContacts, RestAtTheOrigin) {
  const auto groove =
      lagrangian({.coordinates = {"x", "y"},
                  .kinetic = "(x_dot^2 + 1.3*y_dot^2)/2",
                  .potential = "9.81*y",
                  .constraints = {{.name = "left", .gap = "y + 0.7*x - 0.3*x^2 + 0.1*x*y", .restitution = 0.0},
                                  {.name = "right", .gap = "y - 0.4*x - 0.2*x^2 - 0.2*y^2", .restitution = 0.0}}});
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Moreau{}), Scheme(Newmark{}), Scheme(PaoliSchatzman{})}) {
    const Solution s = simulate(*groove, {.q = {0.0, 0.0}, .v = {0.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 1e-3});
    ASSERT_EQ(s.status, Status::completed) << scheme.name << s.failure.message;
    for (const double q : s.final.q) EXPECT_LT(std::abs(q), 1e-5) << scheme.name;
  }
}

// Past the origin of the coordinates R − √(x² + (y − R)²) is known to the round-off of R, far more than that of its
// terms in x and y: no scheme stops there, nor refuses to start.
TEST(CurvedContacts, PastTheOrigin) {
  std::mt19937 random(1);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution(a, b)(random); };
  for (int i = 0; i < 20; ++i) {
    const double R = between(0.3, 3.0), x = std::pow(10.0, between(-6.0, -2.0)), v = between(-1.0, 1.0);
    const std::string gap = "R - sqrt(x^2 + (y - R)^2)";
    const LagrangianDescription particle{
        .coordinates = {"x", "y"}, .kinetic = "(x_dot^2 + y_dot^2)/2", .potential = "9.81*y", .parameters = {{"R", R}}};
    LagrangianDescription bead = particle, pendulum = particle;
    bead.constraints = {{.name = "bowl", .gap = gap, .restitution = 0.5}};
    pendulum.joints = {{.name = "rod", .equation = {gap}}};
    const State start{.q = {x, R - std::sqrt(R * R - x * x)}, .v = {v, v * x / std::sqrt(R * R - x * x)}};
    for (const Scheme& scheme :
         {Scheme(Splitting{}), Scheme(D1Minus{}), Scheme(EventDriven{}), Scheme(MoreauJean{}), Scheme(Newmark{}),
          Scheme(ExtrapolatedMoreau{}), Scheme(Nsga{}), Scheme(MoreauJeanAdaptive{})})
      for (const LagrangianDescription& given : {bead, pendulum}) {
        const auto model = lagrangian(given);
        const Solution s = simulate(*model, start, {0.0, 0.05}, scheme, {.h = 1e-3});
        EXPECT_EQ(s.status, Status::completed) << scheme.name << i << s.failure.message;
      }
  }
}

// Lengths, times and masses in other units, powers of two: the same digits.
TEST(CurvedContacts, UnitsDoNotMatter) {
  const auto run = [](const Scheme& scheme, double e, int length, int time, int mass) {
    const double L = std::ldexp(1.0, length), T = std::ldexp(1.0, time), m = std::ldexp(1.0, mass);
    const auto model = lagrangian({.coordinates = {"x", "y"},
                                   .kinetic = "m*(x_dot^2 + 1.5*y_dot^2)/2",
                                   .potential = "m*g*y",
                                   .parameters = {{"m", m}, {"g", 9.81 * L / (T * T)}, {"R", L}},
                                   .constraints = {{.name = "bowl", .gap = "R - sqrt(x^2 + y^2)", .restitution = e},
                                                   {.name = "hill", .gap = "x + x*y/R/8 + R/4", .restitution = e}}});
    return simulate(*model, {.q = {0.1 * L, 0.3 * L}, .v = {0.0, 0.0}}, {0.0, 3.0 * T}, scheme, {.h = 2e-3 * T});
  };
  const std::pair<Scheme, double> cases[] = {{MoreauJean{.theta = 0.6}, 0.5},
                                             {MoreauJeanDissipative{}, 0.5},
                                             {Moreau{}, 0.5},
                                             {Mabrouk{}, 0.5},
                                             {MoreauInelastic{}, 0.0},
                                             {ExtrapolatedMoreau{}, 0.5},
                                             {Newmark{}, 0.5},
                                             {Hht{}, 0.5},
                                             {GeneralizedAlpha{}, 0.5},
                                             {PaoliSchatzman{}, 0.5},
                                             {PaoliSchatzman{.force = PaoliSchatzman::Force::newmark}, 0.5},
                                             {FeasiblePosition{}, 0.0}};
  for (const auto& [scheme, e] : cases) {
    const Solution reference = run(scheme, e, 0, 0, 0);
    ASSERT_EQ(reference.status, Status::completed) << scheme.name << reference.failure.message;
    ASSERT_GT(reference.impact_count, 3u * (e > 0.0)) << scheme.name;
    for (const auto& [length, time, mass] :
         {std::array{-30, 0, 0}, {20, 0, 0}, {0, -17, 0}, {0, 9, 0}, {0, 0, 40}, {-7, 5, -33}}) {
      const Solution other = run(scheme, e, length, time, mass);
      ASSERT_EQ(other.status, Status::completed) << scheme.name << other.failure.message;
      EXPECT_EQ(other.impact_count, reference.impact_count) << scheme.name;
      for (std::size_t i = 0; i < reference.trajectory.q.size(); ++i) {
        ASSERT_EQ(std::ldexp(other.trajectory.q[i], -length), reference.trajectory.q[i])
            << scheme.name << length << time << mass;
        ASSERT_EQ(std::ldexp(other.trajectory.v[i], time - length), reference.trajectory.v[i]) << scheme.name;
      }
      EXPECT_EQ(std::ldexp(other.energy.impact, 2 * (time - length) - mass), reference.energy.impact) << scheme.name;
    }
  }
}

}  // namespace
}  // namespace ricochet
