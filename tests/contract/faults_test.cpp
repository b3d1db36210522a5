// Models that return what is no number, or throw: no scheme goes on as if nothing had happened, and none runs for ever.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "ricochet/ricochet.hpp"
#include "support/every_scheme.hpp"

namespace ricochet {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

// The functions of a model.
enum class Part { mass, force, jacobians, gap, gradient, drift, acceleration, restitution, energy, power };
constexpr std::array all_parts = {Part::mass,  Part::force,        Part::jacobians,   Part::gap,    Part::gradient,
                                  Part::drift, Part::acceleration, Part::restitution, Part::energy, Part::power};

struct Fault {
  Part part = Part::gap;
  long call = 0;       // the first one that goes wrong
  bool stays = true;   // and all that follow
  double value = nan;  // what is returned in one place
  bool throws = false;
};

struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A model with a fault, which counts what is asked of it.
class Faulty final : public Model {
 public:
  Faulty(const Model& model, Fault fault) : Model(model.layout()), model_(model), fault_(fault) {}

  void mass(double t, const double* q, double* M) const override {
    model_.mass(t, q, M);
    spoil(Part::mass, M);
  }
  void force(double t, const double* q, const double* v, const double* z, double* F) const override {
    model_.force(t, q, v, z, F);
    spoil(Part::force, F);
  }
  void force_jacobians(double t, const double* q, const double* v, const double* z, double* K,
                       double* C) const override {
    model_.force_jacobians(t, q, v, z, K, C);
    spoil(Part::jacobians, K);
  }
  void gap(double t, const double* q, double* g) const override {
    model_.gap(t, q, g);
    spoil(Part::gap, g);
  }
  void gap_gradient(double t, const double* q, double* H) const override {
    model_.gap_gradient(t, q, H);
    spoil(Part::gradient, H);
  }
  void gap_time_derivative(double t, const double* q, double* g_t) const override {
    model_.gap_time_derivative(t, q, g_t);
    spoil(Part::drift, g_t);
  }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    model_.gap_acceleration_terms(t, q, v, c);
    spoil(Part::acceleration, c);
  }
  void restitution(double t, const double* q, double* e) const override {
    model_.restitution(t, q, e);
    spoil(Part::restitution, e);
  }
  Energy<double> energy(double t, const double* q, const double* v) const override {
    Energy<double> energy = model_.energy(t, q, v);
    spoil(Part::energy, &energy.potential);
    return energy;
  }
  Power<double> power(double t, const double* q, const double* v, const double* z) const override {
    Power<double> power = model_.power(t, q, v, z);
    spoil(Part::power, &power.damping);
    return power;
  }

  long calls(Part part) const { return calls_.at(static_cast<std::size_t>(part)); }
  bool is_spoilt() const { return spoilt_; }

 private:
  void spoil(Part part, double* values) const {
    constexpr long most_calls = 3'000'000;  // some hundred times what the sound model needs
    const long call = calls_.at(static_cast<std::size_t>(part))++;
    if (++all_calls_ > most_calls) throw std::logic_error("does not end");
    if (part != fault_.part || call < fault_.call || (call > fault_.call && !fault_.stays)) return;
    spoilt_ = true;
    if (fault_.throws) throw Trouble("from the model");
    values[0] = fault_.value;
  }

  const Model& model_;
  const Fault fault_;
  mutable std::array<long, all_parts.size()> calls_{};
  mutable long all_calls_ = 0;
  mutable bool spoilt_ = false;
};

class Faults : public ::testing::TestWithParam<const SchemeEntry*> {
 protected:
  Scheme scheme() const { return *GetParam(); }
  std::string restitution() const { return traits(*GetParam()).inelastic_only ? "0" : "0.5 + 0.1*cos(x)"; }

  // Everything depends on everything: two coordinates, a bowl that moves and a wall.
  std::unique_ptr<Model> model() const {
    const bool one_number = traits(*GetParam()).position_law;
    const Quantity e = one_number ? Quantity(traits(*GetParam()).inelastic_only ? 0.0 : 0.5) : Quantity(restitution());
    return lagrangian({.coordinates = {"x", "y"},
                       .kinetic = "((1 + 0.2*sin(y))*x_dot^2 + (1 + 0.1*x^2)*y_dot^2)/2",
                       .potential = "9.81*y + 2*x^2 + 0.3*x^2*y^2",
                       .dissipation = "0.05*(x_dot^2 + y_dot^2)",
                       .force = {{"x", "0.4*cos(3*t)"}},
                       .constraints = {{.name = "bowl", .gap = "y - 0.2*x^2 - 0.02*sin(5*t)", .restitution = e},
                                       {.name = "wall", .gap = "0.45 - x + 0.01*y^2", .restitution = e}}});
  }
  Solution run(const Model& mechanics) const {
    return simulate(mechanics, {.q = {0.1, 0.4}, .v = {1.0, -0.5}}, {0.0, 1.0}, scheme(), {.h = 0.01});
  }
};

void expect_numbers(const Solution& solution) {
  const Trajectory& t = solution.trajectory;
  for (const std::vector<double>* x : {&t.t, &t.q, &t.v, &t.gap, &t.rate, &t.impulse, &t.kinetic, &t.potential})
    for (const double number : *x) ASSERT_TRUE(std::isfinite(number));
  EXPECT_EQ(t.t.empty(), solution.final.t == 0.0 && t.t.empty());
  for (const Impact& impact : solution.impacts)
    EXPECT_TRUE(std::isfinite(impact.t + impact.rate_minus + impact.rate_plus + impact.impulse + impact.energy_loss));
  if (solution.status == Status::failed) {
    EXPECT_NE(solution.failure.kind, FailureKind::none);
    EXPECT_GT(solution.failure.message.size(), 30u);
    EXPECT_EQ(solution.failure.t, solution.final.t);
  }
}

// A gap whose formula ends beyond its surface: the body does not fall through it. Where the gap passes 0 before that, a
// scheme that looks closely enough finds it.
TEST_P(Faults, GapsWithoutValuesBeyondTheirSurface) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  for (const std::string gap :
       {"sqrt(x)", "acos(1 - x)", "log(1000*x + 1)", "x^1.5", "x*log(x)/log(x)", "sqrt(x + 1e-6) - 1e-3",
        "if(x > -1e-4, x, log(x))", "sqrt(x) + 0.01*sin(t)", "log(x + 1e-9*cos(t))"}) {
    const auto ball = lagrangian({.coordinates = {"x"},
                                  .kinetic = "x_dot^2/2",
                                  .potential = "9.81*x",
                                  .constraints = {{.name = "floor", .gap = gap, .restitution = e}}});
    SCOPED_TRACE(gap);
    const Solution solution = simulate(*ball, {.q = {1.5}}, {0.0, 2.0}, scheme(), {.h = 0.01});
    expect_numbers(solution);
    if (solution.status == Status::failed)
      EXPECT_THAT(solution.failure.message, ::testing::ContainsRegex("floor|closed contact"));
    else
      EXPECT_GT(solution.final.q[0], -0.01);
    EXPECT_LT(solution.final.t, 2.0 + 1e-12);
  }
}

// Any function, at any call: the run stops with a sentence and keeps what it has, or gets over it and ends where it
// would have ended.
TEST_P(Faults, NumbersThatAreNone) {
  const std::unique_ptr<Model> sound = model();
  const Faulty counted(*sound, {.call = std::numeric_limits<long>::max()});
  const Solution clean = run(counted);
  ASSERT_EQ(clean.status, Status::completed);
  ASSERT_GT(clean.impact_count, 0u);
  std::mt19937 random(20010815);
  for (const Part part : all_parts)
    for (const double value : {nan, infinity, -infinity})
      for (const bool stays : {true, false}) {
        if (counted.calls(part) == 0) continue;
        const long call = std::uniform_int_distribution<long>(0, counted.calls(part) - 1)(random);
        SCOPED_TRACE(fmt::format("part {}, call {} of {}, {}{}", static_cast<int>(part), call, counted.calls(part),
                                 value, stays ? " from then on" : ""));
        const Faulty faulty(*sound, {part, call, stays, value});
        try {
          const Solution solution = run(faulty);
          expect_numbers(solution);
          if (solution.status != Status::completed) continue;
          for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(solution.final.q[i], clean.final.q[i], 0.02);
        } catch (const InputError&) {
          EXPECT_TRUE(faulty.is_spoilt());  // at the start
        } catch (const std::logic_error& error) {
          ADD_FAILURE() << error.what();
        }
      }
}

TEST_P(Faults, ExceptionsArePassedOn) {
  const std::unique_ptr<Model> sound = model();
  const Faulty counted(*sound, {.call = std::numeric_limits<long>::max()});
  run(counted);
  std::mt19937 random(5);
  for (const Part part : all_parts) {
    if (counted.calls(part) == 0) continue;
    const long call = std::uniform_int_distribution<long>(0, counted.calls(part) - 1)(random);
    const Faulty faulty(*sound, {.part = part, .call = call, .throws = true});
    EXPECT_THROW(run(faulty), Trouble);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Faults, ::testing::ValuesIn(testing::entries()), testing::entry_name);

}  // namespace
}  // namespace ricochet
