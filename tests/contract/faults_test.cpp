// Models that return what is no number, or throw: no scheme goes on as if nothing had happened, and none runs for ever.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
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
// clang-format off
enum class Part {
  mass, force, jacobians, gap, gradient, drift, acceleration, restitution, energy, power,
  joint, joint_gradient, joint_drift, joint_acceleration,
  slip_gradient, slip_drift, slip_acceleration, friction_bound, tangential_restitution,
};
// clang-format on
constexpr int part_count = static_cast<int>(Part::tangential_restitution) + 1;

struct Fault {
  Part part = Part::gap;
  long call = 0;       // the first one that goes wrong
  bool stays = true;   // and all that follow
  double value = nan;  // what is returned in one place
  bool throws = false;
  std::atomic<bool>* interrupt = nullptr;  // set in its place
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

  void joint(double t, const double* q, double* g) const override {
    model_.joint(t, q, g);
    spoil(Part::joint, g);
  }
  void joint_gradient(double t, const double* q, double* H) const override {
    model_.joint_gradient(t, q, H);
    spoil(Part::joint_gradient, H);
  }
  void joint_drift(double t, const double* q, double* o) const override {
    model_.joint_drift(t, q, o);
    spoil(Part::joint_drift, o);
  }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    model_.joint_acceleration_terms(t, q, v, c);
    spoil(Part::joint_acceleration, c);
  }
  void slip_gradient(double t, const double* q, double* H) const override {
    model_.slip_gradient(t, q, H);
    spoil(Part::slip_gradient, H);
  }
  void slip_drift(double t, const double* q, double* o) const override {
    model_.slip_drift(t, q, o);
    spoil(Part::slip_drift, o);
  }
  void slip_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    model_.slip_acceleration_terms(t, q, v, c);
    spoil(Part::slip_acceleration, c);
  }
  void friction_bound(double t, const double* q, double* bound) const override {
    model_.friction_bound(t, q, bound);
    spoil(Part::friction_bound, bound);
  }
  void tangential_restitution(double t, const double* q, double* e) const override {
    model_.tangential_restitution(t, q, e);
    spoil(Part::tangential_restitution, e);
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
    if (fault_.interrupt != nullptr) {
      fault_.interrupt->store(true);
      return;
    }
    if (fault_.throws) throw Trouble("from the model");
    values[0] = fault_.value;
  }

  const Model& model_;
  const Fault fault_;
  mutable std::array<long, part_count> calls_{};
  mutable long all_calls_ = 0;
  mutable bool spoilt_ = false;
};

// Each part that is asked for, and one of its calls.
template <class Use>
void each_part(const Faulty& counted, unsigned seed, const Use& use) {
  std::mt19937 random(seed);
  for (int p = 0; p < part_count; ++p) {
    const Part part = static_cast<Part>(p);
    const long calls = counted.calls(part);
    if (calls > 0) use(part, [&] { return std::uniform_int_distribution<long>(0, calls - 1)(random); });
  }
}

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
  // The same with friction in the bowl, a third body that a moving joint ties to the first, and a brake on it. Nothing
  // if the scheme does not take that.
  std::unique_ptr<Model> rough_model() const {
    const bool one_number = traits(*GetParam()).position_law;
    const Quantity e = one_number ? Quantity(traits(*GetParam()).inelastic_only ? 0.0 : 0.5) : Quantity(restitution());
    auto rough =
        lagrangian({.coordinates = {"x", "y", "w"},
                    .kinetic = "((1 + 0.2*sin(y))*x_dot^2 + (1 + 0.1*x^2)*y_dot^2 + 0.5*w_dot^2)/2",
                    .potential = "9.81*y + 2*x^2 + 0.3*x^2*y^2",
                    .constraints = {{.name = "bowl",
                                     .gap = "y - 0.2*x^2 - 0.02*sin(5*t)",
                                     .restitution = e,
                                     .friction = "0.2 + 0.05*cos(x)",
                                     .slip = {"x_dot + 0.4*x*y_dot - 0.1*sin(t)"}}},
                    .joints = {{.name = "tie", .equation = {"w - sin(x) - 0.1*t"}}},
                    .frictions = {{.name = "brake", .slip = {"w_dot + 0.1*w*y_dot"}, .limit = "0.1 + 0.05*sin(x)"}}});
    try {
      make_stepper(*rough, scheme(), {});
    } catch (const InputError&) {
      return nullptr;
    }
    return rough;
  }
  std::vector<std::unique_ptr<Model>> models() const {
    std::vector<std::unique_ptr<Model>> all;
    all.push_back(model());
    if (auto rough = rough_model()) all.push_back(std::move(rough));
    return all;
  }
  Solution run(const Model& mechanics, const std::atomic<bool>* interrupt = nullptr) const {
    State start{.q = {0.1, 0.4}, .v = {1.0, -0.5}};
    if (mechanics.nq() > 2) {
      start.q.push_back(std::sin(0.1));
      start.v.push_back(std::cos(0.1) + 0.1);
    }
    return simulate(mechanics, start, {0.0, 1.0}, scheme(), {.h = 0.01, .interrupt = interrupt});
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

// Contacts that touch at the start and have no slope, or no acceleration, there: the run goes on or says why, and ends.
TEST_P(Faults, StartsWithoutSlopes) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  for (const char* gap : {"t*x", "abs(t)*x", "floor(t)", "floor(1e-3*if(1 < t, x, t))", "0*x", "x*t^1.5", "sqrt(t)*x",
                          "(y - 0.2)^1.5", "(y - 0.2)^2", "(y - 0.2) + t^0.5", "abs(y - 0.2)", "x - x + t"}) {
    SCOPED_TRACE(gap);
    try {
      const auto body = lagrangian({.coordinates = {"x", "y"},
                                    .kinetic = "((1 + x^2)*x_dot^2 + y_dot^2)/2",
                                    .potential = "9.81*y",
                                    .force = {{"x", "-x_dot"}},
                                    .constraints = {{.name = "floor", .gap = gap, .restitution = e}}});
      expect_numbers(simulate(*body, {.q = {1.0, 0.2}, .v = {-0.5, 0.0}}, {0.0, 0.1}, scheme(), {.h = 0.01}));
    } catch (const InputError&) {  // refused at the start
    }
  }
}

// A gap that jumps while it is open is no event, and takes no more steps than one that does not.
TEST_P(Faults, GapsThatJumpAway) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  for (const char* gap : {"x + 3 + if(t < 0.002, 1, 1e6)", "x + 3 + x*if(t < 0.002, 1, 1e6)", "x + 3 + 5*floor(20*t)",
                          "x + 3 + if(x < 0.91, 0, 100)", "x + 3 + 1e9*step(t - 0.0123)"}) {
    SCOPED_TRACE(gap);
    const auto body = lagrangian({.coordinates = {"x"},
                                  .kinetic = "x_dot^2/2",
                                  .force = {{"x", "1e-3*t - sin(x) - x_dot"}},
                                  .constraints = {{.name = "floor", .gap = gap, .restitution = e}}});
    const Faulty counted(*body, {.call = std::numeric_limits<long>::max()});
    const Solution solution = simulate(counted, {.q = {0.9}, .v = {3.2}}, {0.0, 0.3}, scheme(), {.h = 0.01});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_EQ(solution.impact_count, 0u);
    EXPECT_LT(counted.calls(Part::force), 20'000);
  }
}

// Any function, at any call: the run stops with a sentence and keeps what it has, or gets over it and ends where it
// would have ended.
TEST_P(Faults, NumbersThatAreNone) {
  for (const std::unique_ptr<Model>& sound : models()) {
    const Faulty counted(*sound, {.call = std::numeric_limits<long>::max()});
    const Solution clean = run(counted);
    ASSERT_EQ(clean.status, Status::completed) << clean.failure.message;
    ASSERT_GT(clean.impact_count, 0u);
    const auto expect_told = [&](const Fault& fault) {
      const Faulty faulty(*sound, fault);
      try {
        const Solution solution = run(faulty);
        expect_numbers(solution);
        if (solution.status != Status::completed) return;
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(solution.final.q[i], clean.final.q[i], 0.02);
      } catch (const InputError&) {
        EXPECT_TRUE(faulty.is_spoilt());  // at the start
      } catch (const std::logic_error& error) {
        ADD_FAILURE() << error.what();
      }
    };
    each_part(counted, 20010815, [&](Part part, const auto& some_call) {
      for (const double value : {nan, infinity, -infinity})
        for (const bool stays : {true, false}) {
          const long call = some_call();
          SCOPED_TRACE(fmt::format("{} coordinates, part {}, call {} of {}, {}{}", sound->nq(), static_cast<int>(part),
                                   call, counted.calls(part), value, stays ? " from then on" : ""));
          expect_told({part, call, stays, value});
        }
    });
  }
}

TEST_P(Faults, ExceptionsArePassedOn) {
  for (const std::unique_ptr<Model>& sound : models()) {
    const Faulty counted(*sound, {.call = std::numeric_limits<long>::max()});
    run(counted);
    each_part(counted, 5, [&](Part part, const auto& some_call) {
      const Faulty faulty(*sound, {.part = part, .call = some_call(), .throws = true});
      EXPECT_THROW(run(faulty), Trouble);
    });
  }
}

// The user wants the end while a function of the model is called: what has been done till then stands, bit for bit, and
// nothing that was begun.
TEST_P(Faults, AnInterruptAtAnyCall) {
  for (const std::unique_ptr<Model>& sound : models()) {
    const Faulty counted(*sound, {.call = std::numeric_limits<long>::max()});
    const Solution clean = run(counted);
    ASSERT_EQ(clean.status, Status::completed) << clean.failure.message;
    each_part(counted, 18, [&](Part part, const auto& some_call) {
      std::atomic<bool> flag = false;
      const Faulty faulty(*sound, {.part = part, .call = some_call(), .stays = false, .interrupt = &flag});
      const Solution solution = run(faulty, &flag);
      expect_numbers(solution);
      const Trajectory &path = solution.trajectory, &whole = clean.trajectory;
      if (solution.status == Status::completed) {
        EXPECT_EQ(path.q, whole.q);  // it had ended
        return;
      }
      ASSERT_EQ(solution.status, Status::interrupted) << solution.failure.message;
      if (path.t.empty()) return;
      EXPECT_EQ(path.t.back(), solution.final.t);
      // A scheme with its own steps ends between two rows of the clean run.
      const bool between = whole.t.at(path.t.size() - 1) != path.t.back();
      const std::size_t rows = path.t.size() - (between ? 1 : 0), nq = static_cast<std::size_t>(sound->nq());
      for (std::size_t i = 0; i < rows * nq; ++i) {
        ASSERT_EQ(path.q[i], whole.q[i]);
        ASSERT_EQ(path.v[i], whole.v[i]);
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Faults, ::testing::ValuesIn(testing::entries()), testing::entry_name);

}  // namespace
}  // namespace ricochet
